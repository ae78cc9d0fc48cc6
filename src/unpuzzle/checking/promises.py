"""What a game's methods must return, looked at one by one: for whoever wants to know why a game of someone else broke.

Planners and searches trust what a position returns; to look at each value would make them slow. So when something has
broken, and in the laws, `broken_promise` asks a level and its first positions for all that they promise, and
names the first thing that is none of it, with the line of the method:

    lights_out.py:45: apply('r1c2') gave None, which is no position
"""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.errors import ParseError, UnpuzzleError, UnsupportedFeature
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzle.options import Option
from unpuzzle.puzzle.places import file_of, line_of, raised_at, require_cost
from unpuzzle.puzzle.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.puzzle.game import Game

POSITIONS = 30
"""So many are looked at, breadth first."""
POSITIONS_IN_PDDL = 5
"""So many of them in PDDL, too, which may be large."""
SHOWN = 60


def broken_promise(level: Position, positions: int = POSITIONS) -> ParseError | None:
    """The first thing that a position, or one soon after it, returns or raises and must not; None if all is well."""
    seen: set[Position] = set()
    queue = [level]
    for looked, position in enumerate(queue):
        if looked == positions:
            break
        try:
            _look_at_values(position)
            following = _following(position)
            if looked < POSITIONS_IN_PDDL:
                _look_at_pddl(position)
        except _Broken as broken:
            return broken.error(position.game)
        except ParseError as refused:
            return refused
        seen.add(position)
        queue += [after for after in following if after not in seen]
    return None


def broken_game(game: Game) -> ParseError | None:
    """The first attribute of a game that is not what it must be; None if all are."""
    heuristics, options = getattr(game, "heuristics", {}), getattr(game, "options", {})
    shapes = {
        "title": (isinstance(game.title, str), game.title, "which is no text"),
        "levels": (_maps(game.levels, str), game.levels, "which is no mapping from names to texts"),
        "actions": (isinstance(game.actions, Mapping), game.actions, "which is no mapping from actions to moves"),
        "heuristics": (_maps(heuristics, Heuristic), heuristics, "which is no mapping from names to heuristics"),
        "options": (_maps(options, Option), options, "which is no mapping from names to options"),
    }
    for name, (sound, value, why) in shapes.items():
        if not sound:
            return ParseError(f"{name} is {_shown(value)}, {why}", file=file_of(game))
    return None


def _maps(value: object, kind: type) -> bool:
    """Whether it is a mapping from texts to things of a kind."""
    if not isinstance(value, Mapping):
        return False
    return all(isinstance(name, str) and isinstance(thing, kind) for name, thing in value.items())


def misread(game: Game, text: str, source: str | None = None) -> ParseError | None:
    """What is wrong with what a game's `parse` returns or raises; None if it is a position, or a refusal."""
    try:
        found = _asked(game, "parse", text, shown="...", allowed=(ParseError, UnsupportedFeature))
        if not isinstance(found, Position):
            raise _Broken(game, "parse", "...", found, ", which is no position")
    except _Broken as broken:
        return broken.error(game)
    except (ParseError, UnsupportedFeature):
        return None
    return None


def ill_made(game: Game, method: str, made: object) -> ParseError | None:
    """What is wrong with what a game's `sample` or `generate` has made; None if it is a position."""
    if isinstance(made, Position):
        return None
    return _Broken(game, method, "...", made, ", which is no position").error(game)


class _Broken(Exception):
    """A method's result that is not what was promised."""

    def __init__(
        self, owner: Position | Game, method: str, arguments: str, result: object, why: str, raised: bool = False
    ) -> None:
        said = f"raised {why}" if raised else f"gave {_shown(result)}{why}"
        super().__init__(f"{method}({arguments}) {said}")
        self.owner, self.method = owner, method
        self.cause = result if raised else None

    def error(self, game: Game) -> ParseError:
        message = str(self)
        if isinstance(self.cause, BaseException):
            place = raised_at(self.cause, game)
            if place is not None:
                return ParseError(message, file=place[0], line=place[1])
        return ParseError(message, file=file_of(self.owner), line=line_of(self.owner, self.method))


_PLAIN = (int, float, str, bool, list, tuple, dict, bytes, type(None))


def _shown(result: object) -> str:
    if type(result) not in _PLAIN:
        return f"a {type(result).__name__}"
    text = repr(result)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _asked(
    owner: Position | Game,
    method: str,
    *arguments: object,
    shown: str | None = None,
    allowed: tuple[type[BaseException], ...] = (),
) -> Any:
    """What a method returns; what it raises and must not, as _Broken."""
    words = ", ".join(map(repr, arguments)) if shown is None else shown
    try:
        return getattr(owner, method)(*arguments)
    except allowed:
        raise
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise _Broken(owner, method, words, error, said, raised=True) from error


def _require(holds: bool, position: Position, method: str, arguments: str, result: object, why: str) -> None:
    if not holds:
        raise _Broken(position, method, arguments, result, f", {why}")


def _following(position: Position) -> list[Position]:
    """The positions after each move."""
    found = []
    if type(position).following is not Position.following:
        _look_at_following(position)
    try:
        moves = _asked(position, "moves", allowed=(UnsupportedFeature,))
    except UnsupportedFeature:
        return []  # a game without moves says so
    words = isinstance(moves, tuple | list) and all(isinstance(move, str) for move in moves)
    _require(words, position, "moves", "", moves, "which is no tuple of moves, each a string")
    for move in moves:
        require_cost(position, move, _asked(position, "cost", move))
        after = _asked(position, "apply", move)
        _require(isinstance(after, Position), position, "apply", repr(move), after, "which is no position")
        _require(after.game == position.game, position, "apply", repr(move), after, "which is of another game")
        found.append(after)
    return found


def _look_at_following(position: Position) -> None:
    """What `following` returns, of which `moves` and `apply` may be made."""
    given = _asked(position, "following")
    why = "which is no mapping from moves to positions"
    _require(isinstance(given, Mapping), position, "following", "", given, why)
    for move, after in given.items():
        _require(isinstance(move, str), position, "following", "", move, "which is no move, a string")
        _require(isinstance(after, Position), position, "following", "", after, f"as {move!r}, which is no position")


def _look_at_values(position: Position) -> None:
    """Text, goal, picture and equality."""
    text = _asked(position, "__str__")
    _require(isinstance(text, str), position, "__str__", "", text, "which is no string")
    solved = _asked(position, "solved")
    _require(isinstance(solved, bool), position, "solved", "", solved, "which is neither True nor False")
    reason = _asked(position, "impossible")
    _require(reason is None or (isinstance(reason, str) and bool(reason)), position, "impossible", "", reason, _REASON)
    picture = _asked(position, "draw")
    _require(isinstance(picture, str), position, "draw", "", picture, "which is no string")
    number = _asked(position, "__hash__")
    _require(isinstance(number, int), position, "__hash__", "", number, "which is no number")
    _require(
        _asked(position, "__eq__", position, shown="itself") is True, position, "__eq__", "itself", False, "not True"
    )


_REASON = "which is neither None nor a reason in words"


def _look_at_pddl(position: Position) -> None:
    """Task, atoms, and what the actions that are applicable here are decoded to; nothing, of games without PDDL."""
    from unpuzzle.pddl.semantics import Semantics

    told = (UnsupportedFeature, ParseError)
    try:
        task = _asked(position, "task", allowed=told)
        atoms = _asked(position, "atoms", allowed=told)
    except told:
        return  # a sentence for the user, which is no broken promise
    _require(isinstance(task, Task), position, "task", "", task, "which is no task")
    sound = isinstance(atoms, frozenset) and all(isinstance(atom, Atom) for atom in atoms)
    _require(sound, position, "atoms", "", atoms, "which is no frozenset of atoms")
    try:
        semantics = Semantics(task)
        actions = list(semantics.applicable(semantics.initial))
    except UnpuzzleError:
        return
    for action in actions:
        move = _asked(position, "decode", action, shown=str(action), allowed=told)
        _require(isinstance(move, str), position, "decode", str(action), move, "which is no string")
        _require(move in position.moves(), position, "decode", str(action), move, "which is no legal move here")
