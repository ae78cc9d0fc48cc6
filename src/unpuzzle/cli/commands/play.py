"""unpuzzle play PUZZLE LEVEL... [-o FILE]."""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from unpuzzle.cli.answer import Answer

EXAMPLE = """unpuzzle play boxup 3                          here, with the arrow keys
  unpuzzle play boxup 1 2 3 -o boxup.html        on a page that needs no network"""

PAGE = ".html"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.numbers import whole
    from unpuzzle.cli.parser import add_limits

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument(
        "levels", metavar="LEVEL", nargs="+", help="a bundled level's name, a file, or - for standard input"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help=f"make a page of the levels, such as level{PAGE}")
    parser.add_argument("--theme", metavar="NAME", default="auto", help="light, dark, or auto: as players prefer")
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=whole(),
        default=20_000,
        help="give exact hints for levels with up to so many positions; default: 20,000",
    )
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Make a page, or play here."""
    _check(options)
    return _page(options) if options.output is not None else _here(options)


def _check(options: Namespace) -> None:
    """Raises ParseError for options that make no sense, before any work is done."""
    from unpuzzle.errors import ParseError
    from unpuzzle.pictures.saving import kind_of
    from unpuzzle.pictures.themes import themes

    themes(options.theme)
    if options.output is None:
        if len(options.levels) > 1:
            raise ParseError(f"several levels are played on a page: add -o set{PAGE}")
        if options.levels == ["-"]:
            raise ParseError("the moves come from standard input, so the level must come from elsewhere")
    elif not options.output.lower().endswith(PAGE):
        raise ParseError(f"{options.output}: a page to play on has a name that ends with {PAGE}")
    else:
        kind_of(options.output)


# ---- on a page


def _page(options: Namespace) -> Answer:
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_level, save
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.pictures.page import Level, page

    positions = [(name, read_level(options.puzzle, name, options)) for name in options.levels]
    with ProgressLine(options) as show:
        levels = [
            Level(
                position,
                _title(name),
                max_states=options.max_states,
                limits=limits_left(options),
                progress=None if show is None else _progress(show, name),
            )
            for name, position in positions
        ]
    save(options.output, page(levels, options.theme))
    fields = {
        "file": options.output,
        "levels": [
            {"level": name, "states": level.states, "hints": level.states is not None}
            for name, level in zip(options.levels, levels, strict=True)
        ],
        "seconds": {"total": round(perf_counter() - options.clock, 6)},
    }
    large = [name for name, level in zip(options.levels, levels, strict=True) if level.states is None]
    return Answer(exits.YES, fields, options.output, _told(large, options.max_states))


def _told(large: list[str], most: int) -> str:
    """What is to be said of levels that were too large for a table."""
    if not large:
        return ""
    which = f"level{'s' * (len(large) > 1)} {', '.join(large)}"
    return f"unpuzzle: no hints on the page for {which}: there are more than {most:,} positions; see --max-states"


def _title(name: str) -> str:
    """What a level is called on a page: the name of a file without folder and end."""
    import os

    return os.path.splitext(os.path.basename(name))[0]


def _progress(show: Callable[[str], None], name: str) -> Callable[[int], None]:
    return lambda states: show(f"{name}: {states:,} states explored")


# ---- here


def _here(options: Namespace) -> Answer:
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_level
    from unpuzzle.cli.keys import words_of
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.cli.playing import Guide, Session
    from unpuzzle.puzzle.replaying import joined_moves, replay

    level = read_level(options.puzzle, options.levels[0], options)
    session = Session(level, Guide(level, options.max_states, limits_left(options)))
    for text in session.run(words_of(level.game)):
        if not (options.json or options.quiet):
            _show(text)
    moves = session.made
    played = replay(level, moves)
    fields = {"moves": list(moves), "solved": played.solved, "cost": played.cost}
    text = joined_moves(level.game, moves) if options.quiet else ""
    return Answer(exits.YES if played.solved else exits.NO, fields, text)


def _show(text: str) -> None:
    """Write a text; where keys are pressed it takes the place of the one before."""
    import sys

    from unpuzzle.cli.delivery import shown

    clear = "\x1b[H\x1b[2J" if sys.stdin.isatty() and sys.stdout.isatty() else ""
    sys.stdout.write(clear + shown(text, sys.stdout.encoding))
    sys.stdout.flush()
