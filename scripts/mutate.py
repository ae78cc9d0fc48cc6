"""Change the product at random places, one at a time, and report which changes no test notices.

    python scripts/mutate.py [--number 200] [--seed 0] [--all] [--again] [--record build/mutants.jsonl]

A mutant is a file of the product with one node of its syntax tree changed: a comparison, a connective, an operator, a
constant, a condition, a statement that is left out. The same seed draws the same mutants of the same product. Each is
run against the tests of its room, those that import its module and the sessions, which go through all rooms, by default
without slow tests; it is killed if one fails or if they do not end. Files are changed in place and restored, so nothing
else should use the clone meanwhile. An interrupted run continues where it ended; survivors are printed with their
changes, and with --again only the recorded survivors run once more, against the current tests. `tests/mutants.txt`
lists equivalent mutants, which no test can notice.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.modules import imports_of, module_of, product  # noqa: E402
from support.selection import room  # noqa: E402

EQUIVALENTS = ROOT / "tests" / "mutants.txt"
SESSIONS = ROOT / "tests" / "test_sessions.py"
AROUND = 30
"""The number of letters shown before and after a change, to identify it."""
SECONDS = 300
"""How long the tests of a mutant may run."""
OPPOSITES: dict[type, type] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
}


def changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, object]]:
    """Yield the possible changes of a tree: a node, the name of its field, and the new value.

    The `strict` of a `zip` is not changed: it is set where both parts have one length, so no test could notice.
    """
    strict = {
        keyword.value for keyword in ast.walk(tree) if isinstance(keyword, ast.keyword) and keyword.arg == "strict"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            yield node, "ops", [OPPOSITES[type(node.ops[0])](), *node.ops[1:]]
        elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in OPPOSITES:
            yield node, "op", OPPOSITES[type(node.op)]()
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool) and node not in strict:
            yield node, "value", not node.value if isinstance(node.value, bool) else node.value + 1
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            yield node, "test", ast.UnaryOp(ast.Not(), node.test)
        elif isinstance(node, ast.FunctionDef):
            for place, statement in enumerate(node.body):
                if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign) and not _is_text(statement):
                    yield node, "body", [*node.body[:place], ast.Pass(), *node.body[place + 1 :]]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def mutants(files: Iterable[Path], number: int, seed: int) -> list[tuple[Path, int]]:
    """Return a number of files, some more than once, each with the number of a change in it."""
    places = []
    for path in files:
        places += [(path, place) for place, _ in enumerate(changes(ast.parse(path.read_text())))]
    return Random(seed).sample(places, number)


def mutated(text: str, place: int) -> str:
    """Return the text of a file with one change; comments are lost."""
    tree = ast.parse(text)
    node, field, value = [*changes(tree)][place]
    setattr(node, field, value)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def difference(name: str, text: str, place: int) -> list[str]:
    """Return the effect of one change on a file's text, as a diff."""
    before, after = ast.unparse(ast.parse(text)).splitlines(), mutated(text, place).splitlines()
    return list(difflib.unified_diff(before, after, name, name, lineterm="", n=1))


def told(diff: list[str]) -> str:
    """Return a diff on one line: the file, and the old and the new text with a little context."""
    old, new = ("".join(line[1:].strip() for line in diff[2:] if line[0] == sign) for sign in "-+")
    start = max(0, _in_common(old, new) - AROUND)
    end = max(0, _in_common(old[:start:-1], new[:start:-1]) - AROUND)
    return f"{diff[0].removeprefix('--- ')}: {old[start : len(old) - end]} => {new[start : len(new) - end]}"


def _in_common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))])


def is_equivalent(diff: list[str]) -> bool:
    """Return whether a mutant is listed as equivalent to the product."""
    return any(line.startswith(f"{told(diff)}: ") for line in EQUIVALENTS.read_text().splitlines())


def survivors(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[Path, int]]:
    """Yield the mutants of a record that were not killed; those whose lines are gone are left out."""
    for row in rows:
        path = ROOT / row["file"]
        if row["outcome"] == "killed" or not path.exists():
            continue
        text, near = path.read_text(), row["place"]
        places = range(len([*changes(ast.parse(text))]))
        for place in sorted(places, key=lambda place: abs(place - near)):
            if told(difference(row["file"], text, place)) == told(row["diff"]):
                yield path, place
                break


def tests_for(path: Path) -> list[str]:
    """Return the files of tests of a module's room, those that import the module, and the sessions."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    folder, module = room(path), module_of(path)
    own = [file for file in files if file.is_relative_to(folder) or module in imports_of(file)]
    return [str(file) for file in own] + ([str(SESSIONS)] if own and SESSIONS not in own else [])


def outcome(path: Path, text: str, options: list[str]) -> str:
    """Return `killed`, `survived` or, if nothing tests the module, `untested`; the file is restored."""
    files, before = tests_for(path), path.read_text()
    if not files:
        return "untested"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", *options, *files]
    path.write_text(text)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "killed"
    finally:
        path.write_text(before)
    return "killed" if done.returncode else "survived"


def main() -> None:
    """Read the command line and run the mutants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=200, help="of mutants (default 200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="run the slow tests, too")
    parser.add_argument("--again", action="store_true", help="run only the survivors of the record")
    parser.add_argument("--record", type=Path, default=ROOT / "build" / "mutants.jsonl")
    arguments = parser.parse_args()
    arguments.record.parent.mkdir(exist_ok=True)
    known = arguments.record.read_text().splitlines() if arguments.record.exists() else []
    rows = [json.loads(line) for line in known]
    drawn = mutants(sorted(product().values()), arguments.number, arguments.seed)
    if arguments.again:
        drawn, rows = [*survivors(rows)], [row for row in rows if row["outcome"] == "killed"]
        arguments.record.write_text("".join([json.dumps(row) + "\n" for row in rows]))
    found = {(row["file"], row["place"]): row["outcome"] for row in rows}
    for path, place in drawn:
        name = path.relative_to(ROOT).as_posix()
        if (name, place) in found:
            continue
        diff = difference(name, path.read_text(), place)
        after, options = mutated(path.read_text(), place), ["--all"] if arguments.all else ["--quick"]
        ended = found[name, place] = "equivalent" if is_equivalent(diff) else outcome(path, after, options)
        with arguments.record.open("a") as file:
            file.write(json.dumps({"file": name, "place": place, "outcome": ended, "diff": diff}) + "\n")
        if ended not in ("killed", "equivalent"):
            sys.stdout.write("\n".join([f"{ended}:", *diff[2:], ""]))
    count = Counter(found.values())
    sys.stdout.write(f"killed {count['killed']} of {len(found)}, {count['equivalent']} equivalent\n")


if __name__ == "__main__":
    main()
