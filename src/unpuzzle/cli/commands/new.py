"""unpuzzle new NAME."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer

EXAMPLE = "unpuzzle new lights-out --grid --output puzzles"

RESERVED = ("unpuzzle", "pytest", "hypothesis")
"""Modules that the test of a puzzle imports: a file of that name beside it would hide them."""


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("name", metavar="NAME", help="of small letters, digits and hyphens, such as lights-out")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--grid", action="store_true", help="a puzzle on a grid, with symbols in its cells")
    kinds.add_argument("--constraints", action="store_true", help="one that states its constraints, such as sudoku")
    parser.add_argument("--output", metavar="DIR", default=".", help="where to write; default: the current folder")
    parser.add_argument("--force", action="store_true", help="write over files that are there")


def execute(options: Namespace) -> Answer:
    """Write a puzzle that runs, its domain and its test."""
    import os

    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.files import Folders, save_all

    _require_name(options.name)
    kind = "my_grid_puzzle" if options.grid else "my_constraint_puzzle" if options.constraints else "my_puzzle"
    texts = _texts(options.name, kind)
    paths = [os.path.normpath(os.path.join(options.output, file)) for file in texts]
    if not options.force:
        _require_new(paths)
    with Folders(options.output):
        save_all(dict(zip(paths, texts.values(), strict=True)), new=not options.force)
    lines = [*paths, *([] if options.quiet else ["", "It runs; make it yours:", *_next_steps(paths)])]
    return Answer(exits.YES, {"status": "written", "files": paths}, "\n".join(lines))


def _next_steps(paths: list[str]) -> list[str]:
    import os
    import shlex

    puzzle = shlex.quote(paths[0] if os.path.isabs(paths[0]) else os.path.join(os.curdir, paths[0]))
    steps = [f"unpuzzle solve {puzzle} 1", f"unpuzzle check {puzzle} 1", f"pytest {shlex.quote(paths[2])}"]
    return [f"  {step}" for step in steps]


def _require_name(name: str) -> None:
    """Raise UsageError for what can be no name of a puzzle, of its file and of its class."""
    import keyword
    import re
    import sys

    from unpuzzle.errors import UsageError
    from unpuzzle.words import shorten

    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(
            f"{shorten(name, 40)} is no name of a puzzle: it has small letters, digits and hyphens and begins with a "
            "letter, such as 'lights-out'"
        )
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module in RESERVED:
        what = "a word of the language Python" if keyword.iskeyword(module) else "a module that Python programs import"
        raise UsageError(f"'{name}' is {what}: {module}.py would be in the way; choose another name")


def _texts(name: str, template: str) -> dict[str, str]:
    """Return the text of each file, by its name."""
    module = name.replace("-", "_")
    words = {
        "My puzzle": name.replace("-", " ").capitalize(),
        "MyPuzzle": "".join(word.capitalize() for word in name.split("-")),
        "my-puzzle": name,
        "my_puzzle": module,
    }
    files = {
        f"{module}.py": f"{template}.py",
        f"{module}.pddl": f"{template}.pddl",
        f"test_{module}.py": "test_my_puzzle.py",
    }
    texts = {file: _template(source) for file, source in files.items()}
    for old, new in words.items():
        texts = {file: text.replace(old, new) for file, text in texts.items()}
    return texts


def _template(name: str) -> str:
    import os

    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates")
    with open(os.path.join(folder, f"{name}.txt"), encoding="utf-8") as file:
        return file.read()


def _require_new(paths: list[str]) -> None:
    """Raise UsageError where one of the files is there already: none is written then."""
    import os

    from unpuzzle.errors import UsageError

    there = [path for path in paths if os.path.lexists(path)]
    if there:
        raise UsageError(f"there is already {', '.join(there)}; nothing was written (--force writes over it)")
