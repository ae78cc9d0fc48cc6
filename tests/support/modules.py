"""The modules of the product as a graph: which file is which module, what it imports, and where circles are."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "src/unpuzzle": "unpuzzle",
    **{name: f"unpuzzle.{name}" for name in ("pddl", "planners", "translators", "puzzlescript")},
}
"""By folder the package that it is."""


def module_of(path: Path, root: Path = ROOT) -> str:
    """Return the name of a file's module, such as `unpuzzle.pddl.nodes`."""
    for folder, package in FOLDERS.items():
        if path.is_relative_to(root / folder):
            parts = path.relative_to(root / folder).with_suffix("").parts
            return ".".join([package, *(part for part in parts if part != "__init__")])
    raise ValueError(path)


def files(folder: str, kinds: tuple[str, ...] = (".py",)) -> list[Path]:
    """Return the files of one of the folders; what a link shows a second time in `src/unpuzzle` is left out."""
    paths = sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in kinds)
    return [path for path in paths if path.resolve() == path and "build" not in path.parts]


@cache
def product() -> dict[str, Path]:
    """Return the file of each module of the product."""
    return {module_of(path): path for folder in FOLDERS for path in files(folder)}


def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file. A text is parsed once."""
    return _parsed(path.read_text())


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def imports(path: Path, root: Path = ROOT) -> set[str]:
    """Return the names that a file imports from the project, absolutely or relatively, at any depth of the file.

    `from package import name` gives `package.name`, which may be a module or something that the package defines.
    """
    module = module_of(path, root)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return {name for name in _imported(path, package) if name.split(".")[0] == "unpuzzle"}


@cache
def imports_of(path: Path) -> set[str]:
    """Return the modules of the product and of `support` that a file of tests imports."""
    names = {name for name in _imported(path, "") if name.split(".")[0] in ("unpuzzle", "support")}
    return names | {name.rpartition(".")[0] for name in names}


def _imported(path: Path, package: str) -> set[str]:
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            home = ".".join([*(above if node.level else ()), *([node.module] if node.module else ())])
            names.update(f"{home}.{alias.name}" for alias in node.names)
    return names


def graph() -> dict[str, set[str]]:
    """Return by module the modules that it imports, late and type-only imports included; compiled ones have stubs."""
    stubs = {module_of(path): path for folder in FOLDERS for path in files(folder, (".pyi",))}
    modules = stubs | product()
    edges = {}
    for module, path in modules.items():
        names = {name if name in modules else name.rpartition(".")[0] for name in imports(path)}
        edges[module] = (names & set(modules)) - {module}
    return edges


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components of a graph that have more than one node."""
    reach = {node: _reachable(edges, node) for node in edges}
    components = {frozenset(other for other in reach[node] if node in reach[other]) for node in edges}
    return sorted((set(component) for component in components if len(component) > 1), key=sorted)


def _reachable(edges: dict[str, set[str]], start: str) -> set[str]:
    seen, queue = {start}, [start]
    while queue:
        new = edges[queue.pop()] - seen
        seen |= new
        queue.extend(new)
    return seen
