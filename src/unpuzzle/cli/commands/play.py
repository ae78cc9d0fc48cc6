"""unpuzzle play PUZZLE LEVEL... [-o FILE]."""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from unpuzzle.cli.answer import Answer
    from unpuzzle.playing.page import Level
    from unpuzzle.puzzle.position import Position

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
    parser.add_argument("--no-hints", action="store_true", help="neither give hints nor play the solution")
    parser.add_argument(
        "--no-count", action="store_true", help="say neither how many moves are left nor that the goal is out of reach"
    )
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Make a page, or play here."""
    _check(options)
    return _page(options) if options.output is not None else _here(options)


def _check(options: Namespace) -> None:
    """Raises ParseError for options that make no sense, before any work is done."""
    from unpuzzle.errors import ParseError
    from unpuzzle.rendering.saving import kind_of
    from unpuzzle.rendering.themes import themes

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
    from unpuzzle.playing.page import page

    positions = [(name, read_level(options.puzzle, name, options)) for name in options.levels]
    levels, errors = _levels(positions, options)
    made = [level for level in levels if level is not None]
    if not made:
        raise errors[0]
    save(options.output, page(made, options.theme, hints=not options.no_hints, count=not options.no_count))
    rows = _fields(options.levels, levels, errors)
    seconds = {"total": round(perf_counter() - options.clock, 6)}
    code, _ = (exits.of_error(errors[-1]) if errors else None) or (exits.YES, "")
    return Answer(code, {"file": options.output, "levels": rows, "seconds": seconds}, options.output, _told(rows))


def _levels(
    positions: list[tuple[str, Position]], options: Namespace
) -> tuple[list[Level | None], list[BaseException]]:
    """What a page has to know of each level, None where that cannot be had; and the errors that kept it from it.

    Each level may take its share of the time that is left, so that one that takes long does not take all of it.
    """
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.errors import DependencyMissing, LimitReached, UnsupportedFeature
    from unpuzzle.playing.page import Level

    levels: list[Level | None] = []
    errors: list[BaseException] = []
    with ProgressLine(options) as show:
        for number, (name, position) in enumerate(positions):
            limits = limits_left(options)
            limits = limits.lasting(limits.time and limits.time / (len(positions) - number))
            progress = None if show is None else _progress(show, name)
            try:
                made = Level(position, _title(name), max_states=options.max_states, limits=limits, progress=progress)
            except (LimitReached, DependencyMissing, UnsupportedFeature) as error:
                levels.append(None)
                errors.append(error)
            except KeyboardInterrupt as error:
                errors.append(error)
                break
            else:
                levels.append(made)
    return levels + [None] * (len(positions) - len(levels)), errors


def _fields(names: list[str], levels: list[Level | None], errors: list[BaseException]) -> list[dict[str, object]]:
    """What programs are told of each level; its message says what is not as one expects."""
    reasons = iter(errors)
    return [
        _row(name, level, None if level else next(reasons, None)) for name, level in zip(names, levels, strict=True)
    ]


def _row(name: str, level: Level | None, reason: BaseException | None) -> dict[str, object]:
    if level is None:
        message = f"level {name} is not on the page: {str(reason or '') or 'interrupted'}"
        return {"level": name, "made": False, "states": None, "hints": False, "solvable": None, "message": message}
    message = ""
    if level.unsolvable:
        message = f"level {name} cannot be solved: {level.unsolvable}"
    elif level.large:
        message = f"no hints on the page for level {name}: {level.large}; see --max-states"
    hints = level.states is not None
    solvable = False if level.unsolvable else True if hints else None
    row = {"level": name, "made": True, "states": level.states, "hints": hints}
    return {**row, "solvable": solvable, "message": message}


def _told(rows: list[dict[str, object]]) -> str:
    """What is to be said of levels that are not as one expects."""
    return "\n".join([f"unpuzzle: {row['message']}" for row in rows if row["message"]])


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
    from unpuzzle.cli.drawing import shown
    from unpuzzle.cli.files import read_level
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.playing.keys import help_of, words_of
    from unpuzzle.playing.session import Guide, Session
    from unpuzzle.puzzle.replaying import joined_moves, replay

    level = read_level(options.puzzle, options.levels[0], options)
    guide = Guide(level, options.max_states, limits_left(options))
    session = Session(level, guide, shown, hints=not options.no_hints, count=not options.no_count)
    for text in session.run(words_of(session), help_of(session)):
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

    from unpuzzle.cli.edge.delivery import shown

    clear = "\x1b[H\x1b[2J" if sys.stdin.isatty() and sys.stdout.isatty() else ""
    sys.stdout.write(clear + shown(text, sys.stdout.encoding))
    sys.stdout.flush()
