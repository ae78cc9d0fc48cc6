"""unpuzzle explain PUZZLE LEVEL."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer

EXAMPLE = "unpuzzle explain sudoku 32-clues"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.parser import add_limits

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Explain a level."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_level
    from unpuzzle.puzzle.capabilities import Explaining, required

    position = read_level(options.puzzle, options.level, options)
    text, data = required(position, Explaining, "cannot be explained").explain()
    return Answer(exits.YES, data, text)
