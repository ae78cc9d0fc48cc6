"""Find the fault in a game's own code, with its place, after an unexpected exception.

Checking each value that a game returns would make searches slow, so a wrong one shows deep in our code, as an unhelpful
TypeError. `fault_of` traces it back to the line of the game's file, or to the method with the wrong result, in a level
or its first positions:

    lights_out.py:45: apply('r1c2') gave None, which is not a position
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from numbers import Real
from random import Random
from traceback import extract_tb
from typing import Any

from unpuzzle.constraints import Constraints
from unpuzzle.drawing import Ground
from unpuzzle.errors import GameFault, IllegalMove, ParseError, UnpuzzleError, UnsupportedFeature
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.capabilities import (
    Constrained,
    Generating,
    HasHeuristics,
    Pictured,
    Symmetric,
    Translated,
    completed,
    generated,
    offered,
)
from unpuzzle.puzzle.classes import file_of, is_ours, line_of, module_file, shown
from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzle.options import Option
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.words import cut

POSITIONS = 30
"""The most positions checked, breadth first."""
POSITIONS_IN_PDDL = 5
"""The most positions whose PDDL, which may be large, is checked, too."""
SAMPLES = 5
WIDTH = 60
_REFUSALS = (UnsupportedFeature, ParseError)
"""Errors with messages for the user, which games may raise."""


def fault_of(error: BaseException, game: Game, levels: Iterable[tuple[str, str]] = ()) -> ParseError | None:
    """Return the fault of a game behind an unexpected exception, or None.

    Texts of `levels`, with their names, are tried first, then bundled levels and samples.
    """
    raised = _raised(error, game)
    if raised is not None and not isinstance(error, AttributeError | TypeError | IllegalMove):
        return raised  # these three are often caused by another method's result
    return broken_game(game) or _first_broken(game, levels) or raised


def _raised(error: BaseException, game: Game) -> GameFault | None:
    """Return an exception that came through the game's own files, with its innermost place there."""
    place = raised_at(error, game)
    if place is None:
        return None
    return GameFault(f"the puzzle's own code raised {_sentence(error)}", file=place[0], line=place[1])


def _sentence(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _first_broken(game: Game, levels: Iterable[tuple[str, str]]) -> ParseError | None:
    """Return the first fault in these levels, bundled ones and samples."""
    try:
        return next(filter(None, map(broken_promise, _positions(game, levels))), None)
    except ParseError as fault:
        return fault
    except Exception as error:  # a sample could not be made
        return _raised(error, game)


def _positions(game: Game, levels: Iterable[tuple[str, str]]) -> Iterator[Position]:
    """Yield these levels, bundled ones and samples. Raises ParseError for a level that cannot be read."""
    bundled = [(text, name) for name, text in list(game.levels.items())[:SAMPLES]]
    for text, name in (*levels, *bundled):
        if (fault := misread(game, text, name)) is not None:
            raise fault
        yield game.parse(text, name)
    values = completed(game, {})
    for seed in range(SAMPLES):
        for method, make in (("sample", game.sample), ("generate", partial(generated, game, options=values))):
            level = make(Random(seed))
            if (fault := _ill_made(game, method, level)) is not None:
                raise fault
            yield level


def raised_at(error: BaseException, game: Game) -> tuple[str, int] | None:
    """Return the innermost place in the game's own files that an exception came through, or None."""
    files = files_of(game)
    frames = [(frame.filename, frame.lineno or 0) for frame in extract_tb(error.__traceback__)]
    frames += re.findall(r'File "(.+)", line (\d+)', str(error.__cause__ or ""))  # of a worker process
    places = [(shown(file), int(line)) for file, line in frames if file in files]
    return places[-1] if places else None


def files_of(game: Game) -> set[str]:
    """Return the files of a game's class and base classes, and the files where it was found.

    Our own files are left out unless the game is bundled.
    """
    kind = game if isinstance(game, type) else type(game)
    bundled = kind.__module__.startswith("unpuzzle.")
    theirs = [base for base in kind.__mro__[:-1] if bundled or not base.__module__.startswith("unpuzzle.")]
    files = {module_file(base) for base in theirs if not is_ours(base)}
    if game.home is not None:
        files.update(game.home[1])
    return {file for file in files if file}


def _at(owner: Position | Game, method: str, message: str) -> GameFault:
    """Return the fault of a game with the place of a method."""
    return GameFault(message, file=file_of(owner), line=line_of(owner, method))


def require_cost(position: Position, move: str, cost: object) -> None:
    """Raise GameFault, with the place of `cost`, for an invalid cost of a move: searches might never end."""
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise _at(position, "cost", f"cost({move!r}) gave {cost!r}, which is not a whole number, 0 or more")


def require_once(position: Position, moves: Iterable[str]) -> None:
    """Raise GameFault, with the place of `moves`, for a move that is offered twice: solutions would count twice."""
    offered = list(moves)
    if len(set(offered)) < len(offered):
        twice = next(move for number, move in enumerate(offered) if move in offered[:number])
        raise _at(position, "moves", f"moves() gave {twice!r} twice")


def require_unchanged(position: Position, known: int) -> None:
    """Raise GameFault, with the place of `apply`, if a position no longer has its hash: nothing is then certain."""
    if hash(position) != known:
        raise _at(position, "apply", "apply() changed the position itself: a move makes a new position")


def broken_game(game: Game) -> GameFault | None:
    """Return the fault of the first attribute of a game with a wrong value."""
    guided, generating = offered(game, HasHeuristics), offered(game, Generating)
    heuristics, options = guided.heuristics if guided else {}, generating.options if generating else {}
    named = _maps(options, Option) and all(name == option.name for name, option in options.items())
    texts = [(name, getattr(game, name)) for name in ("title", "planner", "author", "homepage")]
    lists = [(name, getattr(game, name)) for name in ("siblings", "compass")]
    checks = (
        *[(name, value, isinstance(value, str), "text") for name, value in texts],
        *[(name, value, _are(str, value), "tuple of strings") for name, value in lists],
        ("levels", game.levels, _maps(game.levels, str), "mapping from names to texts"),
        ("actions", game.actions, isinstance(game.actions, Mapping), "mapping from actions to moves"),
        ("formats", game.formats, _maps(game.formats, Callable), "mapping from endings to functions"),
        ("heuristics", heuristics, _maps(heuristics, Heuristic), "mapping from names to heuristics"),
        ("options", options, named, "mapping from names to options, each with its name"),
    )
    for name, value, sound, what in checks:
        if not sound:
            return GameFault(f"{name} is {_shown(value)}, which is not a {what}", file=file_of(game))
    return None


def _are(kind: Any, value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(part, kind) for part in value)


def _maps(value: object, kind: Any) -> bool:
    pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
    return all(isinstance(name, str) and isinstance(thing, kind) for name, thing in pairs)


def misread(game: Game, text: str, source: str | None = None) -> GameFault | None:
    """Return the fault in the result or exception of a game's `parse`; None for a position or a refusal."""
    try:
        level = _ask(game, "parse", text, words="...", allowed=_REFUSALS)
    except GameFault as fault:
        return fault
    except _REFUSALS:
        return None
    return _ill_made(game, "parse", level)


def _ill_made(game: Game, method: str, level: object) -> GameFault | None:
    """Return the fault of a level that a method of a game returned; None for a position."""
    if isinstance(level, Position):
        return None
    return _wrong(game, method, "...", level, "which is not a position")


def unreadable(level: Position) -> GameFault | None:
    """Return the fault of a level that `generate` made and `parse` refuses; None for others."""
    try:
        level.game.parse(str(level))
    except ParseError as refusal:
        return _at(level, "generate", f"generate() gave a level that parse() refuses: {refusal.message}")
    return None


def broken_promise(level: Position, positions: int = POSITIONS) -> ParseError | None:
    """Return the first fault in the results of a position's methods, or of one soon after it; None if there is none."""
    earlier: set[Position] = set()
    queue = [level]
    for number, position in enumerate(queue):
        if number == positions:
            break
        try:
            _look_at_values(position)
            _look_at_capabilities(position)
            following = _following(position)
            if number < POSITIONS_IN_PDDL:
                _look_at_pddl(position)
        except ParseError as fault:
            return fault
        earlier.add(position)
        queue += [after for after in following if after not in earlier]
    return None


def _wrong(owner: Position | Game, method: str, arguments: str, result: object, why: str) -> GameFault:
    """Return the fault of a method that gave a wrong result."""
    return _at(owner, method, f"{method}({arguments}) gave {_shown(result)}, {why}")


_PLAIN = (int, float, str, bool, list, tuple, dict, bytes, type(None))


def _shown(result: object) -> str:
    """Return a result for a sentence: plain data as it is, unless it is long; otherwise its class."""
    return cut(repr(result) if type(result) in _PLAIN else f"a {type(result).__name__}", WIDTH)


def _ask(
    owner: Position | Game,
    method: str,
    *arguments: object,
    kind: type = object,
    what: str = "",
    words: str | None = None,
    allowed: tuple[type[BaseException], ...] = (),
) -> Any:
    """Call a method and return its result. Raises GameFault for other kinds, and for exceptions not allowed."""
    words = ", ".join(map(repr, arguments)) if words is None else words
    try:
        result = getattr(owner, method)(*arguments)
    except allowed:
        raise
    except (Exception, SystemExit) as error:
        fault = _at(owner, method, f"{method}({words}) raised {_sentence(error)}")
        if place := raised_at(error, owner.game if isinstance(owner, Position) else owner):
            fault.file, fault.line = place
        raise fault from error
    _require(isinstance(result, kind), owner, method, words, result, f"which is {what}")
    return result


def _require(holds: bool, owner: Position | Game, method: str, arguments: str, result: object, why: str) -> None:
    if not holds:
        raise _wrong(owner, method, arguments, result, why)


def _following(position: Position) -> list[Position]:
    if type(position).following is not Position.following:  # which then defines `moves` and `apply`
        following = _ask(position, "following", kind=Mapping, what="not a mapping from moves to positions")
        for move, after in following.items():
            _require(isinstance(move, str), position, "following", "", move, "which is not a move, a string")
            which = f"as {move!r}, which is not a position"
            _require(isinstance(after, Position), position, "following", "", after, which)
    try:
        moves = _ask(position, "moves", allowed=(UnsupportedFeature,))
    except UnsupportedFeature:
        return []  # a game without moves
    words = isinstance(moves, tuple | list) and all(isinstance(move, str) for move in moves)
    _require(words, position, "moves", "", moves, "which is not a tuple of moves, each a string")
    positions, known = [], hash(position)
    for move in moves:
        require_cost(position, move, _ask(position, "cost", move))
        after = _ask(position, "apply", move, kind=Position, what="not a position")
        require_unchanged(position, known)
        _require(after.game == position.game, position, "apply", repr(move), after, "which is of another game")
        positions.append(after)
    return positions


def _look_at_values(position: Position) -> None:
    """Check text, goal, picture and equality."""
    if offered(position, Pictured) is not None:
        _look_at_picture(position)
    for method, sound, what in _VALUES:
        value = _ask(position, method)
        _require(sound(value), position, method, "", value, f"which is {what}")
    itself = _ask(position, "__eq__", position, words="itself")
    _require(itself is True, position, "__eq__", "itself", False, "not True")


_VALUES: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("__str__", lambda text: isinstance(text, str), "not a string"),
    ("solved", lambda solved: isinstance(solved, bool), "neither True nor False"),
    ("draw", lambda picture: isinstance(picture, str), "not a string"),
    ("__hash__", lambda number: isinstance(number, int), "not a number"),
    (
        "impossible",
        lambda why: why is None or (isinstance(why, str) and why != ""),
        "neither None nor a reason in words",
    ),
    ("remarks", partial(_are, str), "not a tuple of sentences"),
    (
        "walker_and_rest",
        lambda parts: parts is None or (_are(Hashable, parts) and len(parts) == 2),
        "neither None nor two values with hashes",
    ),
)
"""Methods of all positions, each with the test of its result, and what a wrong one is."""


def _look_at_picture(position: Position) -> None:
    """Check the ground, the pieces on it, and what stands beside the picture."""
    ground = _ask(position, "ground", kind=Ground, what="not a Ground")
    for piece in _ask(position, "pieces", kind=Sequence, what="not a tuple of pieces"):
        sound = _are(Hashable, piece) and len(piece) == 4 and _are(Real, piece[1:3])
        _require(sound, position, "pieces", "", piece, "which is not (look, row, column, kind)")
        _require(piece[0] in ground.looks, position, "pieces", "", piece, f"and there is no look {piece[0]!r}")
        there = not ground.places or piece[1:3] in ground.places
        _require(there, position, "pieces", "", piece, "a place that is not among the places of the ground")
    notes = _ask(position, "notes", kind=Sequence, what="not a sequence of notes")
    sound = all(
        _are(object, note) and len(note) == 2 and isinstance(note[0], str) and _are(str, note[1]) for note in notes
    )
    _require(sound, position, "notes", "", notes, "which are not headings, each with a list of lines")
    _ask(position, "keyboard", kind=Mapping, what="not a mapping")
    _ask(position, "seen", kind=Hashable, what="without a hash")


def _look_at_capabilities(position: Position) -> None:
    """Check the results of capabilities; skip those that refuse with an error of ours."""
    guided = offered(position.game, HasHeuristics)
    for heuristic in guided.heuristics.values() if guided else ():
        if heuristic.unfit(position) is None:
            heuristic.watched(lambda: None)(position)
    for capability, method, kind in (Constrained, "constraints", Constraints), (Symmetric, "symmetries", Iterable):
        if offered(position, capability) is not None:
            try:
                _ask(position, method, kind=kind, what=f"no {kind.__name__}", allowed=(UnpuzzleError,))
            except GameFault:
                raise
            except UnpuzzleError:
                continue
    if offered(position, Symmetric) is not None:
        images = list(_ask(position, "symmetries"))
        _require(bool(images) and _are(Position, images), position, "symmetries", "", images, "which are not positions")


def _look_at_pddl(position: Position) -> None:
    """Check task, atoms, and the moves of the actions that are applicable here; skip games without PDDL.

    PDDL that is translated from rules is skipped, too: the author did not write it, and translating may take minutes.
    """
    if offered(position, Translated) is not None:
        return
    try:
        task = _ask(position, "task", kind=Task, what="not a task", allowed=_REFUSALS)
        atoms = _ask(position, "atoms", allowed=_REFUSALS)
    except GameFault:
        raise
    except _REFUSALS:
        return
    sound = isinstance(atoms, frozenset) and all(isinstance(atom, Atom) for atom in atoms)
    _require(sound, position, "atoms", "", atoms, "which is not a frozenset of atoms")
    try:
        semantics = Semantics(task)
        actions = list(semantics.applicable(semantics.initial))
    except UnpuzzleError:
        return
    for action in actions:
        move = _ask(position, "decode", action, kind=str, what="not a string", words=str(action), allowed=_REFUSALS)
        _require(move in position.moves(), position, "decode", str(action), move, "which is not a legal move here")
