"""unpuzzle new NAME."""

from __future__ import annotations

import keyword
import os
import re
import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.parser import flag, operand, option
from unpuzzle.errors import UsageError
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import require_places
from unpuzzle.words import shorten

TEMPLATES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates")
EXAMPLE = "unpuzzle new lights-out --grid -o puzzles"

NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
"""The pattern of a puzzle's name."""
RESERVED = ("unpuzzle", "pytest", "hypothesis")
"""Modules that a puzzle's test imports: a file of the same name beside it would hide them."""


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "NAME", "a name of small letters, digits and hyphens, such as lights-out")
    kinds = parser.add_mutually_exclusive_group()
    flag(kinds, "--grid", "a puzzle on a grid, with symbols in its cells")
    flag(kinds, "--constraints", "a puzzle that states its constraints, such as sudoku")
    option(parser, "-o --output DIR", "where to write; default: the current folder", default=".")
    flag(parser, "--force", "overwrite existing files")


def execute(options: Namespace) -> Answer:
    """Write a working puzzle, its domain and its test."""
    _require_name(options.name)
    kind = "my_grid_puzzle" if options.grid else "my_constraint_puzzle" if options.constraints else "my_puzzle"
    texts = _texts(options.name, kind)
    paths = [os.path.normpath(os.path.join(options.output, file)) for file in texts]
    there = [path for path in paths if os.path.lexists(path)]
    if there and not options.force:
        raise UsageError(f"there is already {', '.join(there)}; nothing was written (--force writes over it)")
    with Folders(options.output):
        require_places(paths, options.output)
        save_all(dict(zip(paths, texts.values(), strict=True)), new=not options.force)
    puzzle = shlex.quote(paths[0] if os.path.isabs(paths[0]) else os.path.join(os.curdir, paths[0]))
    steps = [f"unpuzzle solve {puzzle} 1", f"unpuzzle check {puzzle} 1", f"pytest {shlex.quote(paths[2])}"]
    lines = paths if options.quiet else [*paths, "", "It runs; make it yours:", *[f"  {step}" for step in steps]]
    return Answer(YES, {"status": "written", "files": paths}, "\n".join(lines))


def _require_name(name: str) -> None:
    """Raise UsageError for a name that cannot be used for a puzzle, its file and its class."""
    if not re.fullmatch(NAME, name):
        like = name.lower().replace("_", "-")
        example = like if re.fullmatch(NAME, like) else "lights-out"
        raise UsageError(
            f"{shorten(name, 40)} is not a name for a puzzle: use small letters, digits and hyphens, and begin with a "
            f"letter, such as {shorten(example, 40)}"
        )
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module in RESERVED:
        what = "a word of the language Python" if keyword.iskeyword(module) else "a module that Python programs import"
        raise UsageError(f"'{name}' is {what}: {module}.py would be in the way; choose another name")


def _texts(name: str, template: str) -> dict[str, str]:
    module = name.replace("-", "_")
    words = {
        "My puzzle": name.replace("-", " ").capitalize(),
        "MyPuzzle": "".join(word.capitalize() for word in name.split("-")),
        "my-puzzle": name,
        "my_puzzle": module,
    }
    sources = {f"{module}.py": f"{template}.py", f"{module}.pddl": f"{template}.pddl"}
    texts = {}
    for file, source in (sources | {f"test_{module}.py": "test_my_puzzle.py"}).items():
        texts[file] = Path(TEMPLATES, f"{source}.txt").read_text(encoding="utf-8")
        for old, new in words.items():
            texts[file] = texts[file].replace(old, new)
    return texts
