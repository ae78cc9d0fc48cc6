"""Collections of levels in files: reading, writing, positions of levels, and replay of their solutions.

    collection = read_collection(text)                    of Sokoban; another game: read_collection(text, "NAME")
    number = numbered(collection, "12")                   by number, from 1, or by title
    position = position_of(collection.levels[number - 1])
    played = replays(position, collection.levels[number - 1])     the outcomes of the solutions in the file
    better = with_solution(collection, number, position, moves)   with one more solution, if none in it is as good
    text = write_collection(better)

The solutions in a file are played before they are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.run import phase
from unpuzzle.base.text import count, shorten, suggestion
from unpuzzle.model.capabilities import offered
from unpuzzle.model.collection import Collected, CollectedLevel, CollectedSolution, Collection
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import Replay, joined_moves, replay
from unpuzzle.translators import find

USUAL = "sokoban"
"""The default game of collections."""


def read_collection(text: str, game: str | Game = USUAL) -> Collection:
    """Return the levels and notes in a text. Raises UsageError if the game has no files of several levels."""
    return _collected(game).read_collection(text)


def write_collection(collection: Collection, game: str | Game = USUAL, ending: str = "") -> str:
    """Return a collection as text, from which the game reads an equal collection.

    A collection that was read keeps its text, except for new solutions. With an `ending`, such as `.slc`, the
    text is for a file of that kind; if this file format cannot contain notes, they get lost.

    Raises UsageError if there is no such text: a title of two lines, an invalid board, a comment that ends itself.
    """
    able = _collected(game)
    text = able.write_collection(collection, ending)
    try:
        again = able.read_collection(text)
    except ParseError as error:
        raise UsageError(f"the collection cannot be written, as its file could not be read: {error}") from None
    boards = [[level.board for level in each.levels] for each in (collection, again)]
    if again != collection and (boards[0] != boards[1] or not able.endings.get(ending)):
        pairs = enumerate(zip(collection.levels, again.levels, strict=False), 1)
        different = (f"level {number}" for number, (level, other) in pairs if level != other)
        where = next(different, "the notes on the collection")
        raise UsageError(f"the collection cannot be written to a file: {where} would be read differently from the file")
    return text


def numbered(collection: Collection, name: str) -> int:
    """Return a level's number, given as a number or a title. Raises UsageError unless exactly one level fits.

    A title such as `101` is a number only if there are so many levels.
    """
    most = len(collection.levels)
    titles = [level.title for level in collection.levels]
    is_number = name.isascii() and name.isdecimal()
    if is_number and 1 <= int(name[:9]) <= most:
        return int(name)
    for match in (str, str.casefold):
        numbers = [number for number, title in enumerate(titles, 1) if title and match(title) == match(name)]
        if len(numbers) == 1:
            return numbers[0]
        if numbers:
            listed = f"{shorten(name)}: {', '.join(map(str, numbers[:9]))}"
            raise UsageError(f"{count(len(numbers), 'level')} are called {listed}; name one by its number")
    known = f"levels are numbered 1 to {most:,}" if most > 1 else "there is one only" if most else "there are none"
    if is_number:
        raise UsageError(f"there is no level {shorten(name)}: {known}")
    raise UsageError(
        f"there is no level called {shorten(name)}{suggestion(name, filter(None, titles)) or f'; {known}'}"
    )


def position_of(level: CollectedLevel, game: str | Game = USUAL, *, source: str | None = None) -> Position:
    """Return the position of a level of a collection. Raises ParseError with the line and column in the file."""
    game = find(game) if isinstance(game, str) else game
    try:
        return game.parse(level.board, source)
    except (ParseError, UnsupportedFeature) as error:
        if error.line is not None and 1 <= error.line <= len(level._places):
            line, columns, text = level._places[error.line - 1]
            last = min(error.column or 1, len(columns))  # the fault may be behind the last cell
            column = columns[last - 1] + (error.column or 1) - last if columns else 1
            error.file, error.line, error.column, error.text = source, line, column, text
        raise


def replays(position: Position, level: CollectedLevel) -> list[tuple[tuple[str, ...], Replay]]:
    """Replay each solution of a level, and return its moves with the outcome. Raises LimitReached."""
    with phase("playing the moves"):
        able = _collected(position.game)
        moves = [able.moves_of(position, solution) for solution in level.solutions]
        return [(each, replay(position, each)) for each in moves]


def with_solution(
    collection: Collection, number: int, position: Position, moves: Sequence[str], *, pushes_first: bool = False
) -> Collection:
    """Return the collection with a new first solution of a level, unless the level has one that is at least as good.

    The level is given by its number, from 1, and its position. The better of two solutions has the lower cost or, at
    equal cost, fewer pushes; with `pushes_first` the other way round. Illegal solutions, and those that do not solve
    the level, stay in their places and are never as good.
    """
    level = collection.levels[number - 1]

    def rank(moves: Sequence[str], cost: int) -> list[int]:
        return [cost, _collected(position.game).pushes_in(moves)][:: -1 if pushes_first else 1]

    played = replay(position, moves)
    ours = rank(moves, played.cost)
    if not moves or any(each.solved and rank(own, each.cost) <= ours for own, each in replays(position, level)):
        return collection
    solution = CollectedSolution(played.position.line() or joined_moves(position.game, moves))
    better = level.replace(solutions=(solution, *level.solutions))
    return collection.replace(levels=(*collection.levels[: number - 1], better, *collection.levels[number:]))


def _collected(game: str | Game) -> Collected:
    game = find(game) if isinstance(game, str) else game
    able = offered(game, Collected)
    if able is None:
        raise UsageError(f"{game.name} has no files of several levels: it does not inherit {Collected.__name__}")
    return able
