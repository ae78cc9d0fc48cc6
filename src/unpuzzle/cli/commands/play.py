"""unpuzzle play PUZZLE LEVEL... [-o FILE]."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer

EXAMPLE = "unpuzzle play boxup 3 -o level.html"
MAX_STATES = 20_000


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument(
        "levels", metavar="LEVEL", nargs="+", help="a bundled level's name, a file, or - for standard input"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write a page to play on, such as level.html")
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=int,
        default=MAX_STATES,
        help=f"give exact hints for levels with up to so many positions; default: {MAX_STATES:,}",
    )


def execute(options: Namespace) -> Answer:
    """Make a page, or play here."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_level, save
    from unpuzzle.pictures.page import page
    from unpuzzle.pictures.page.levels import Level

    levels = [Level(read_level(options.puzzle, name), name, max_states=options.max_states) for name in options.levels]
    save(options.output, page(levels))
    fields = {"file": options.output, "levels": [{"level": level.name, "states": level.states} for level in levels]}
    return Answer(exits.YES, fields, options.output)
