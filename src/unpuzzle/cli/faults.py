"""What broke in a puzzle's own code, as a sentence with its place: looked for only when something has broken.

Planners trust what a game returns, so a wrong value shows where it is used, deep in our code, as a TypeError that helps
nobody. Here the exception is traced back: to the line of the game's file that raised it or, if it came through none, to
the first method that returns what it must not.
"""

from __future__ import annotations

from unpuzzle.checking.promises import broken_game, broken_promise, ill_made, misread
from unpuzzle.errors import IllegalMove, ParseError, UnpuzzleError
from unpuzzle.puzzle.places import raised_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position

SAMPLES = 5


def fault_of(error: BaseException, options: Namespace) -> ParseError | None:
    """The fault of the puzzle that the options name, if that is why something unexpected was raised; else None."""
    if not hasattr(options, "puzzle"):
        return None
    try:
        from unpuzzle import translators

        game = translators.find(options.puzzle)
    except UnpuzzleError:
        return None
    raised = _raised(error, game)
    if raised is not None and not isinstance(error, AttributeError | TypeError | IllegalMove):
        return raised  # those three rather come of what another method has returned
    return broken_game(game) or _first_broken(game, options) or raised


def _raised(error: BaseException, game: Game) -> ParseError | None:
    """An exception that came through the game's own files, with its last place there."""
    place = raised_at(error, game)
    if place is None:
        return None
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    return ParseError(f"the puzzle's own code raised {said}", file=place[0], line=place[1])


def _first_broken(game: Game, options: Namespace) -> ParseError | None:
    """The first promise that is broken in the level that was asked for or, where none was, in others of the game."""
    try:
        for position in _levels(game, options):
            broken = broken_promise(position)
            if broken is not None:
                return broken
    except ParseError as fault:
        return fault
    except Exception as error:  # a sample that cannot be made
        return _raised(error, game)
    return None


def _levels(game: Game, options: Namespace) -> Iterator[Position]:
    """The level that was asked for, bundled ones and samples. Raises ParseError for what cannot even be read."""
    from random import Random

    from unpuzzle.cli.files import level_text
    from unpuzzle.puzzle.capabilities import generated
    from unpuzzle.puzzle.options import completed

    texts = [(text, name) for name, text in list(game.levels.items())[:SAMPLES]]
    level = getattr(options, "level", "-")
    for text, name in [*([] if level == "-" else [level_text(game, options.puzzle, level)]), *texts]:
        fault = misread(game, text, name)
        if fault is not None:
            raise fault
        yield game.parse(text, name)
    values = completed(game, {})
    for seed in range(SAMPLES):
        for method, made in (
            ("sample", game.sample(Random(seed))),
            ("generate", generated(game, Random(seed), values)),
        ):
            fault = ill_made(game, method, made)
            if fault is not None:
                raise fault
            yield made
