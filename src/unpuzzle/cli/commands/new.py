"""The command `unpuzzle new NAME`: write the files of a simple puzzle for the author to change."""

from __future__ import annotations

import keyword
import os
import re
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from unpuzzle.base.errors import UsageError
from unpuzzle.base.files import save_into
from unpuzzle.base.outcomes import YES
from unpuzzle.base.text import shorten
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import flag, operand, option
from unpuzzle.workspace.inputs import Input, Show

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
    option(parser, "-o --output DIR", "the folder for the new files; default: the current one", default=".")
    flag(parser, "--force", "overwrite existing files")


class NewPuzzle(Input):
    """A request to write a puzzle into a folder; `texts` maps paths to the rules, the domain and a test.

    With `force`, existing files are overwritten.
    """

    folder: str
    texts: Mapping[str, str]
    force: bool = False

    def call(self, show: Show = None) -> list[str]:
        """Write the files, and return their paths."""
        save_into(self.folder, self.texts, new=not self.force)
        return [*self.texts]


def read(options: Namespace) -> NewPuzzle:
    """Return the request to write the new puzzle. Raises UsageError if files with its names exist already."""
    _require_name(options.name)
    kind = "my_grid_puzzle" if options.grid else "my_constraint_puzzle" if options.constraints else "my_puzzle"
    named = _texts(options.name, kind)
    texts = {os.path.normpath(os.path.join(options.output, file)): text for file, text in named.items()}
    there = [path for path in texts if os.path.lexists(path)]
    if there and not options.force:
        raise UsageError(f"nothing was written: overwriting {', '.join(there)} needs --force")
    return NewPuzzle(options.output, texts, options.force)


def present(request: NewPuzzle, outcome: list[str], view: View) -> Answer:
    """Return the paths of the new files, and the commands to try first."""
    first, _, test = outcome
    puzzle = shlex.quote(first if os.path.isabs(first) else os.path.join(os.curdir, first))
    steps = [f"unpuzzle solve {puzzle} 1", f"unpuzzle check {puzzle} 1", f"pytest {shlex.quote(test)}"]
    lines = outcome if view.quiet else [*outcome, "", "It runs; make it yours:", *[f"  {step}" for step in steps]]
    return Answer(YES, {"status": "written", "files": outcome}, "\n".join(lines))


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
        raise UsageError(f"'{name}' is {what}: a file {module}.py would hide it; choose another name")


def _texts(name: str, template: str) -> dict[str, str]:
    """Return the texts of the new files by path, with the puzzle's name in place of the template's name."""
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
