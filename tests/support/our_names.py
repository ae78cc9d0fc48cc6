"""Names of ours in prose: what docstrings, comments and docs say of modules, files and what is in them."""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

from reference_pages import WRITTEN
from support.modules import FOLDERS, ROOT, files, module_of, product, tree
from unpuzzle.table import PACKAGES, PARTS, offered_names

REFERENCE = ROOT / "docs" / "reference"


def is_made(page: Path) -> bool:
    """Whether a page is made from the code when the site is built: all of the reference but what people write."""
    return REFERENCE in page.parents and page.relative_to(REFERENCE).as_posix() not in WRITTEN


DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
DOCS = [page for page in DOCS if not is_made(page) and page != ROOT / "docs" / "project" / "history.md"]
"""The pages that people write; history keeps the names of its time."""
SCRIPTS = sorted(path for path in (ROOT / "scripts").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
PATH = re.compile(
    r"(?<![\w./<{$-])(?:[A-Za-z_][\w-]*/)+(?:[\w-]+(?:\.\w+)*)?(?![\w/])|(?<![\w./*-])\w+\.(?:py|[ch]pp)\b"
)
DOTTED = re.compile(r"(?<![\w./-])unpuzzle(?:\.\w+)+")
QUOTED = re.compile(r"(?<!`)`(?!unpuzzle\.)([a-z_]\w*(?:\.[A-Za-z_]\w+)+)(?:\(\))?`(?!`)")
FENCED = re.compile(r"^(`{3,}).*?^\1$", re.DOTALL | re.MULTILINE)
SUFFIXES = (".py", ".pddl", ".hpp", ".cpp", ".json", ".pickle", ".ini", ".js", ".css")
NOT_OURS = {"unpuzzle.puzzles", "theirs.py", "mine.py"}
"""The group of entry points for puzzles, and files of users in examples."""


def prose_of(path: Path) -> str:
    """Return the docstrings and comments of Python, or other text without its examples, which run elsewhere.

    All of a shell script is read: it names the files that it works on.
    """
    if path.suffix != ".py":
        return FENCED.sub("", path.read_text())
    texts = [token.string for token in _tokens(path) if token.type == tokenize.COMMENT]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            texts.append(node.value.value)
    return "\n".join(texts)


def _tokens(path: Path) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(path.read_text()).readline))


def stale_names(text: str) -> list[str]:
    """Return the names of modules, files and folders of ours in a text that are not there."""
    stale = [name for name in DOTTED.findall(text) if name not in NOT_OURS and not _is_dotted_name(name)]
    stale += [name for name in QUOTED.findall(text) if not name.endswith(SUFFIXES) and not _is_member(name)]
    return stale + [name for name in PATH.findall(text) if name not in NOT_OURS and not _is_path(name)]


@cache
def members(path: Path) -> frozenset[str]:
    """Return what a module defines: names at its top, imported ones too, and members and attributes of its classes."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.alias | ast.arg):
            names.add(
                node.asname or node.name if isinstance(node, ast.alias) else getattr(node, "name", "") or node.arg
            )
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
    return frozenset(names)


def _is_dotted_name(name: str) -> bool:
    """Whether `unpuzzle.pddl.nodes`, `unpuzzle.pddl.nodes.Task` or `unpuzzle.pddl.nodes.Task.replace` is there."""
    if name in product() or name in _stubs():
        return True
    home, _, member = name.rpartition(".")
    home = home if home in product() else home.rpartition(".")[0]
    return home in product() and member in members(product()[home]) | set(_offered(home))


def _offered(home: str) -> list[str]:
    """Return the names that a package loads when they are used."""
    return [*(offered_names(home) if home in PACKAGES else []), *(PARTS if home == "unpuzzle" else [])]


@cache
def _stubs() -> frozenset[str]:
    """Return the names of compiled modules."""
    return frozenset(module_of(path) for folder in FOLDERS for path in files(folder, (".pyi",)))


@cache
def _stems() -> dict[str, list[str]]:
    stems: dict[str, list[str]] = {}
    for name in product():
        stems.setdefault(name.rpartition(".")[2], []).append(name)
    return stems


@cache
def _all_members() -> frozenset[str]:
    return frozenset().union(*map(members, product().values()))


def _is_member(name: str) -> bool:
    """Whether `running.run` is what it says, where `running` is a module of ours; other names may be anything."""
    parts = name.split(".")
    homes = _stems().get(parts[0], [])
    anywhere = parts[1].islower() and parts[1] in _all_members()  # an attribute of an object called like a module
    return (
        not homes
        or anywhere
        or any(
            parts[1] in members(product()[home]) | set(_offered(home)) or f"{home}.{parts[1]}" in product()
            for home in homes
        )
    )


@cache
def _paths() -> frozenset[str]:
    """Return every way to name a file or folder of ours from its end: `nodes.py`, `pddl/nodes.py`."""
    names = set()
    for top in ("pddl", "planners", "translators", "puzzlescript", "src", "tests", "scripts", "docs", ".ci"):
        for path in [ROOT / top, *(ROOT / top).rglob("*")]:
            parts = path.relative_to(ROOT).parts
            names.update("/".join(parts[i:]) for i in range(len(parts)))
            names.update("/".join((*parts[i:-1], path.stem)) for i in range(len(parts)))
    return frozenset(names)


@cache
def _tops() -> frozenset[str]:
    folders = {name.split(".")[-1] for name, path in product().items() if path.name == "__init__.py"}
    return frozenset((folders | {"src", "tests", "scripts", "docs"}) - {"unpuzzle"})


def _is_path(name: str) -> bool:
    """Whether a path is there, where its first folder is one of ours."""
    if "/" in name and name.split("/", maxsplit=1)[0] not in _tops():
        return True
    return re.search(r"(?<![a-z])[A-Z]{4}", name) is not None or name.rstrip("/").removeprefix("unpuzzle/") in _paths()
