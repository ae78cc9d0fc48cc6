#!/usr/bin/env python3
"""Count the things that make imports hard to follow, in the syntax trees of the product; print a line for each figure.

    scripts/make/count_imports.py            the figures
    scripts/make/count_imports.py --files    also the files with the most of each

It counts imports inside functions (of our own modules, of Python's, of other libraries), look-ups of modules by name
(`import_module`, `__import__`, and the callers of `table.load`), statements that import for types only, dataclasses and
records, and public class names that occur twice.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("src/unpuzzle", "pddl", "planners", "translators", "puzzlescript")
LOOK_UPS = ("import_module", "__import__")


def product() -> Iterator[tuple[str, ast.Module]]:
    """Yield the path and the syntax tree of each file of the product."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def figures(tree: ast.Module) -> Iterator[str]:
    """Yield the name of a figure for each thing that is counted."""
    late: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            late |= {
                id(each): kind_of(each) for each in ast.walk(node) if isinstance(each, ast.Import | ast.ImportFrom)
            }
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield "blocks of imports for types"
            yield from ["imports for types"] * sum(isinstance(each, ast.Import | ast.ImportFrom) for each in node.body)
        elif isinstance(node, ast.ClassDef):
            yield from ["dataclasses"] * any("dataclass(" in f"{ast.unparse(each)}(" for each in node.decorator_list)
            yield from ["records"] * any(ast.unparse(base) == "Record" for base in node.bases)
    yield from (f"imports in functions: {kind}" for kind in late.values())
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    yield from ["files that look up modules by name"] * bool(called & set(LOOK_UPS))
    yield from ["callers of the table"] * bool(called & {"load", "attribute"} and names_the_table(tree))


def kind_of(node: ast.Import | ast.ImportFrom) -> str:
    """Return whether an import names our modules, Python's, or those of another library."""
    if isinstance(node, ast.ImportFrom) and node.level:
        return "own"
    name = (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
    top = name.partition(".")[0]
    return "own" if top == "unpuzzle" else "of Python" if top in sys.stdlib_module_names else "of other libraries"


def names_the_table(tree: ast.Module) -> bool:
    """Return whether a file imports from the table."""
    return any(isinstance(node, ast.ImportFrom) and node.module == "unpuzzle.table" for node in ast.walk(tree))


def main() -> None:
    """Count and print."""
    where: dict[str, Counter[str]] = {}
    classes: Counter[str] = Counter()
    files = dict(product())
    for path, tree in files.items():
        for name in figures(tree):
            where.setdefault(name, Counter())[path] += 1
        classes.update(node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")
    lines = sum((ROOT / path).read_text(encoding="utf-8").count("\n") for path in files)
    print(f"{len(files):6} files with {lines} lines")
    for name, places in sorted(where.items()):
        print(f"{sum(places.values()):6} {name}")
        for path, number in places.most_common(8 if "--files" in sys.argv else 0):
            print(f"           {number:4} {path}")
    print(f"{sum(number > 1 for number in classes.values()):6} public class names that occur twice")


if __name__ == "__main__":
    main()
