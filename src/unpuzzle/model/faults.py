"""Find the fault in a game's code, with file and line, after an unexpected exception.

Checking each value that a game returns would make searches slow, so a wrong one shows deep in our code, as an unhelpful
TypeError. `fault_of` traces it back to the line of the game's file, or to the method with the wrong result, in a level
or its first positions: `lights_out.py:45: apply('r1c2') gave None, which is not a position`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from itertools import islice
from numbers import Real
from operator import attrgetter
from random import Random
from traceback import format_tb
from types import MemberDescriptorType
from typing import Any

from unpuzzle.base.errors import GameFault, IllegalMove, LimitReached, ParseError, UnpuzzleError, UnsupportedFeature
from unpuzzle.base.text import count, cut, listed, words_of
from unpuzzle.constraints import Constraints
from unpuzzle.drawing import Ground
from unpuzzle.model import capabilities as can
from unpuzzle.model.capabilities import Translated, offered
from unpuzzle.model.classes import fault_at, own_file, shown
from unpuzzle.model.heuristic import Heuristic
from unpuzzle.model.options import Option
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.semantics import Semantics

# Refuse positions and moves on which a search cannot rely, each with the place of the method in the game's own file.
#
# A puzzle defines by `_key` which positions are equal. If that leaves out a difference that matters, the second one is
# never explored, and the answers are wrong. So `require_same` is called whenever a known position is reached again: if
# not all attributes are equal, facts, text, moves, costs and goal must be. Values stored for later in slots make
# attributes differ, and so searches slower; a `functools.cached_property` does not.

THINGS_SHOWN, MOVES_SHOWN = 3, 20
_VIEWS: tuple[tuple[str, Callable[[Position], str]], ...] = (
    ("texts", lambda one: f"the text is {str(one)!r}"),
    ("moves", lambda one: f"the moves are {' '.join(sorted(one.moves())) or 'none'}"),
    ("costs", lambda one: f"the costs are {' '.join([f'{move}: {one.cost(move)}' for move in sorted(one.moves())])}"),
    ("goals", lambda one: f"the position is {'solved' if one.solved() else 'not solved'}"),
)
"""The features that must be the same in equal positions, besides facts: name, and value in words."""


def require_cost(position: Position, move: str, cost: object) -> None:
    """Raise GameFault if the cost of a move is invalid, because searches might then never end."""
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise fault_at(
            position, "cost", f"cost({move!r}) returned {cost!r:.60}; it must be a whole number that is at least 0"
        )


def require_once(position: Position, moves: Sequence[str]) -> None:
    """Raise GameFault if `moves` has a move twice, because solutions would be counted twice."""
    if len(set(moves)) < len(moves):
        twice = next(move for number, move in enumerate(moves) if move in moves[:number])
        raise fault_at(position, "moves", f"moves() returned the move {twice!r} twice; it must return each move once")


def require_unchanged(position: Position, known: int) -> None:
    """Raise GameFault if a move changed its position: `known` is the position's hash before the move."""
    if hash(position) != known:
        raise fault_at(position, "apply", "apply() changed the position itself: a move makes a new position")


def require_same(known: Position, reached: Position, ways: Callable[[], tuple[str, str]]) -> None:
    """Raise GameFault if two equal positions differ in facts or text; `ways` returns how each was reached."""
    if attributes_of(type(known))(known, reached):
        return
    for what, first, second in _shared_properties(known, reached):
        if first != second:
            one, two = ways()
            cure = "_key() must distinguish the two" + (", or __str__() must not" if what == "texts" else "")
            raise fault_at(
                known, "_key", f"two equal positions have different {what}: {one} {first}; {two} {second}; {cure}"
            )


def require_same_after(known: Position, reached: Position, moves: Callable[[], tuple[list[str], list[str]]]) -> None:
    """Raise GameFault if two equal positions differ in facts or text; `moves` returns the moves to both."""
    require_same(known, reached, lambda: (after(moves()[0]), after(moves()[1])))


def _shared_properties(known: Position, reached: Position) -> Iterator[tuple[str, str, str]]:
    """Yield (property, value in one position, value in the other) for properties that equal positions must share."""
    if offered(known, Translated) is None:  # otherwise facts are expensive, and follow from the text
        with suppress(UnsupportedFeature):
            before, now = known.atoms(), reached.atoms()
            yield "facts", only(before - now), only(now - before)
    for what, view in _VIEWS:
        yield what, view(known), view(reached)


def only(atoms: Iterable[object]) -> str:
    """Return a phrase that lists `atoms` as the facts that are true in only one of two compared positions."""
    return f"{listed(sorted(map(str, atoms)), THINGS_SHOWN) or 'nothing'} is true only there"


def after(moves: Sequence[str]) -> str:
    """Return a phrase such as `after 2 moves (L U)` or `at the start`, to describe how a position was reached."""
    if not moves:
        return "at the start"
    half = MOVES_SHOWN // 2
    shown = [*moves[:half], "...", *moves[-half:]] if len(moves) > MOVES_SHOWN else moves
    return f"after {count(len(moves), 'move')} ({' '.join(shown)})"


@lru_cache(maxsize=64)
def attributes_of(kind: type) -> Callable[[Any, Any], bool]:
    """Return a fast comparison of positions by their attributes; if it gives False, they may still be equal."""
    members = [member for base in kind.__mro__ for member in vars(base).items()]
    slots = [name for name, value in members if isinstance(value, MemberDescriptorType)]
    kept = {name: None for name, value in members if isinstance(value, cached_property)}
    fixed: Callable[[Any], Any] = attrgetter(*slots or ["__class__"])
    values: Callable[[Any], Any] = attrgetter(*slots, "__dict__") if kind.__dictoffset__ else fixed

    def alike(one: Any, other: Any) -> bool:
        try:
            if values(one) == values(other):
                return True
            return bool(kept) and vars(one) | kept == vars(other) | kept and fixed(one) == fixed(other)
        except Exception:  # values that cannot be compared, such as arrays, or a slot without a value
            return False

    return alike


POSITIONS, POSITIONS_IN_PDDL, SAMPLES = 30, 5, 5
"""The most positions that are checked, the most with their PDDL, and the most levels of each kind."""
_REFUSING = ("parse", "sample", "generate", "moves", "task", "atoms", "constraints", "symmetries")
"""Methods that may raise ParseError or UnsupportedFeature, with a message for the user."""
_PLAIN = (int, float, str, bool, list, tuple, dict, bytes, type(None))
"""The classes of data that sentences show, unless they are long; of other data they show the class."""


def _are(kind: Any, values: Any) -> bool:
    return isinstance(values, tuple | list) and all(isinstance(value, kind) for value in values)


def _maps(kind: Any, values: Any) -> bool:
    return isinstance(values, Mapping) and _are(str, [*values]) and _are(kind, [*values.values()])


def _are_options(values: Any) -> bool:
    return _maps(Option, values) and all(name == option.name for name, option in values.items())


_OF_GAMES: tuple[tuple[type, str, Any, str], ...] = (
    (object, "title planner author homepage", str, "not a text"),
    (object, "siblings compass", partial(_are, str), "not a tuple of strings"),
    (object, "levels", partial(_maps, str), "not a mapping from names to texts"),
    (object, "actions", Mapping, "not a mapping from actions to moves"),
    (object, "formats writers", partial(_maps, Callable), "not a mapping from endings to functions"),
    (can.HasHeuristics, "heuristics", partial(_maps, Heuristic), "not a mapping from names to heuristics"),
    (can.Generating, "options", _are_options, "not a mapping from names to options, each with its name"),
)
_OF_POSITIONS: tuple[tuple[type, str, Any, str], ...] = (
    (can.Pictured, "notes", lambda x: all(_are(str, [head, *lines]) for head, lines in x), "not headings with lines"),
    (can.Pictured, "keyboard", Mapping, "not a mapping"),
    (can.Pictured, "seen", Hashable, "without a hash"),
    (Position, "__str__ draw", str, "not a string"),
    (Position, "solved", bool, "neither True nor False"),
    (Position, "__hash__", int, "not a number"),
    (Position, "impossible", lambda x: x is None or (x and _are(str, [x])), "neither None nor a reason in words"),
    (Position, "remarks", partial(_are, str), "not a tuple of sentences"),
    (Position, "walker_and_rest", lambda x: x is None or (_are(Hashable, x) and len(x) == 2), "not a pair with a hash"),
    (can.Constrained, "constraints", Constraints, "no Constraints"),
    (can.Symmetric, "symmetries", lambda x: _are(Position, [*x] or [None]), "no positions"),
)
"""A capability, names of its members, the class or a test of values (which may raise), and words for a wrong value."""


def fault_of(error: BaseException, game: Game, levels: Iterable[tuple[str, str]] = ()) -> ParseError | None:
    """Return the fault in a game's code that caused an exception; None if no fault is found."""
    raised = raised_by(game, error)
    if raised is not None and not isinstance(error, AttributeError | TypeError | IllegalMove):
        return raised  # these three are often caused by another method's result
    try:
        require_attributes(game)
        return next(filter(None, map(broken_promise, _positions(game, levels))), raised)
    except Exception as other:  # of a heuristic, say
        return other if isinstance(other, GameFault) else raised_by(game, other) or raised


def raised_by(game: Game, error: BaseException) -> GameFault | None:
    """Return a GameFault at the innermost line of a traceback that is in a file of the game; None without one."""
    kind = game if isinstance(game, type) else type(game)
    ours = () if kind.__module__.startswith("unpuzzle.") else ("unpuzzle.",)  # these are its own only if it is bundled
    files = {own_file(base) for base in kind.__mro__ if not base.__module__.startswith(ours)}
    files |= {*game.home[1]} if game.home else set()
    frames = "".join(format_tb(error.__traceback__)) + str(error.__cause__ or "")  # the latter of a worker process
    for file, line in reversed(re.findall(r'File "(.+)", line (\d+)', frames)):
        if file in files:
            return GameFault(f"the puzzle's own code raised {words_of(error)}", file=shown(file), line=int(line))
    return None


def _positions(game: Game, levels: Iterable[tuple[str, str]]) -> Iterator[Position]:
    """Yield positions of `levels`, of bundled levels and of random levels, except for levels that the game rejects."""
    bundled = [(text, name) for name, text in islice(game.levels.items(), SAMPLES)]
    calls: list[tuple[Any, ...]] = [("parse", *level) for level in (*levels, *bundled)]
    calls += [("sample", Random(seed)) for seed in range(SAMPLES)]
    if can.offered(game, can.Generating):
        calls += [("generate", Random(seed), can.completed(game, {})) for seed in range(SAMPLES)]
    asked = (_ask(game, method, Position, "not a position", *given, words="...") for method, *given in calls)
    return (position for position in asked if position is not None)


def require_attributes(game: Game) -> None:
    """Raise GameFault for the first attribute of a game with a wrong value."""
    for capability, names, kind, what in _OF_GAMES:
        for name in names.split() if can.offered(game, capability) is not None else ():
            _require(getattr(game, name, None), kind, game, name, f"{name} is", f"which is {what}")


def broken_promise(level: Position, positions: int = POSITIONS) -> GameFault | None:
    """Test the methods of a position and of positions after it; return the first wrong result, else None."""
    queue, known = [level], set[Position]()
    try:
        for number, position in enumerate(islice(queue, positions)):  # which grows meanwhile
            _check_values(position)
            queue += [after for after in _following(position) if after not in known]
            known.update(queue)
            if number < POSITIONS_IN_PDDL and can.offered(position, can.Translated) is None:  # which may take minutes
                _check_pddl(position)
    except GameFault as fault:
        return fault
    return None


def _ask(owner: Position | Game, method: str, kind: Any, what: str, *arguments: object, words: str = "") -> Any:
    """Call a method and return its result; None if it raises a permitted error. Raises GameFault for a wrong result."""
    said = f"{method}({words or ', '.join(map(repr, arguments))})"
    try:
        result = getattr(owner, method)(*arguments)
    except (GameFault, LimitReached):
        raise
    except (Exception, SystemExit) as error:
        if method in _REFUSING and isinstance(error, ParseError | UnsupportedFeature):
            return None
        place = raised_by(owner.game if isinstance(owner, Position) else owner, error) or fault_at(owner, method, said)
        raise GameFault(f"{said} raised {words_of(error)}", file=place.file, line=place.line) from error
    return _require(result, kind, owner, method, f"{said} gave", f"which is {what}")


def _require(value: Any, kind: Any, owner: Position | Game, member: str, said: str, wrong: str) -> Any:
    """Return the value of `member`. Raises GameFault, located there, if its class is wrong or it fails a test."""
    with suppress(TypeError, ValueError):  # it is no collection, say, or one of another size
        if isinstance(value, kind) if isinstance(kind, type) else kind(value):
            return value
    text = cut(repr(value) if type(value) in _PLAIN else f"a {type(value).__name__}", 60)
    raise fault_at(owner, member, f"{said} {text}, {wrong}")


def _check_values(position: Position) -> None:
    """Check a position's picture, text, goal and estimates. Raises GameFault for a wrong value."""
    if can.offered(position, can.Pictured) is not None:
        ground, gave = _ask(position, "ground", Ground, "not a Ground"), (position, "pieces", "pieces() gave")
        form, looks, places = "which is not (look, row, column, kind)", ground.looks, ground.places
        for piece in _ask(position, "pieces", Sequence, "not a tuple of pieces"):
            _require(piece, lambda p: _are(Hashable, p) and len(p) == 4 and _are(Real, p[1:3]), *gave, form)
            _require(piece, lambda p: p[0] in looks, *gave, f"and there is no look {piece[0]!r}")
            _require(piece, lambda p: not places or tuple(p[1:3]) in places, *gave, "a place that is not on the ground")
    for capability, names, kind, what in _OF_POSITIONS:
        for name in names.split() if can.offered(position, capability) is not None else ():
            _ask(position, name, kind, what)
    _ask(position, "__eq__", lambda x: x is True, "not True", position, words="itself")
    for heuristic in [each for each in can.heuristics_of(position.game).values() if each.unfit(position) is None]:
        heuristic.watched()(position)


def _following(position: Position) -> list[Position]:
    """Check the moves of a position, and return the positions after them. Raises GameFault for a wrong value."""
    known = hash(position)
    if type(position).following is not Position.following:  # which then defines `moves` and `apply`
        for move, to in _ask(position, "following", Mapping, "not a mapping from moves to positions").items():
            _require(to, Position, position, "following", "following() gave", f"as {move!r}, which is not a position")
    positions: list[Position] = []
    for move in _ask(position, "moves", partial(_are, str), "not a tuple of moves, each a string") or ():
        require_cost(position, move, _ask(position, "cost", object, "", move))
        positions.append(_ask(position, "apply", Position, "not a position", move))
        require_unchanged(position, known)
        which = f"apply({move!r}) gave a position of"
        _require(positions[-1].game, [position.game].__contains__, position, "apply", which, "which is another game")
    return positions


def _check_pddl(position: Position) -> None:
    """Check a position's task and atoms, and that applicable actions decode to legal moves. Raises GameFault."""
    task = _ask(position, "task", Task, "not a task")
    atoms = _ask(position, "atoms", lambda x: isinstance(x, frozenset) and _are(Atom, [*x]), "not a frozenset of atoms")
    if task is None or atoms is None:
        return
    try:
        actions = (semantics := Semantics(task)).applicable(semantics.initial)
    except UnpuzzleError:
        return
    for action in actions:
        move = _ask(position, "decode", str, "not a string", action, words=str(action))
        legal = position.moves().__contains__
        _require(move, legal, position, "decode", f"decode({action}) gave", "which is not a legal move here")
