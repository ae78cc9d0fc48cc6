"""unpuzzle explain PUZZLE LEVEL."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.files import read_level
from unpuzzle.cli.parser import add_level, add_limits
from unpuzzle.puzzle.capabilities import Explaining, required

EXAMPLE = "unpuzzle explain sudoku 32-clues"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Explain a level."""
    position = read_level(options.puzzle, options.level, options)
    text, data = required(position, Explaining, "cannot be explained").explain()
    return Answer(YES, data, text)
