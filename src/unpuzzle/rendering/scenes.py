"""The subjects of pictures: a position, a PDDL task, or a scene of several positions.

Every kind of file has a function that takes a `Scene`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any, TypeVar

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import checkpoint, within_limits
from unpuzzle.base.values import Record
from unpuzzle.drawing import Ground, Piece, plain, terminal
from unpuzzle.drawing.panels import Panels
from unpuzzle.model.capabilities import Pictured, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import as_moves
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl_game.fact_pictures import ObjectGraph, facts_picture
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.rendering.themes import AUTO, themes

Subject = Position | Task | ObjectGraph | Panels


def picture_of(subject: Subject, before: Subject | None = None) -> tuple[Ground, Sequence[Piece]]:
    """Return the background and pieces of a position or task; made from the text if no picture is defined.

    PDDL states without picture lines are tables of facts, which mark changes since a position before.
    """
    described = offered(subject, Pictured) if isinstance(subject, Position) else None
    if described:
        return described.ground(), described.pieces()
    if isinstance(subject, PddlPosition):
        return subject.drawn_facts(before if isinstance(before, Position) else None)
    if isinstance(subject, ObjectGraph):
        return subject.ground(), ()
    if isinstance(subject, Panels):
        return subject.ground(), subject.pieces()
    if isinstance(subject, Task):
        return facts_picture(subject.problem.init, None)
    return plain(_text_of(subject))


def draw(subject: Subject) -> str:
    """Return a drawing as text: of a position by `draw`, of a task as the facts of the initial state."""
    return subject.draw().rstrip() if isinstance(subject, Position) else _text_of(subject)


def label_of(subject: Subject) -> str:
    """Return a name for a picture: the game's title with remarks on the level, or the names of domain and problem."""
    if isinstance(subject, ObjectGraph):
        return f"objects of {label_of(subject.task)}"
    if isinstance(subject, Panels):
        return subject.label
    if isinstance(subject, Task):
        return f"{subject.domain.name} {subject.problem.name}"
    return "; ".join([subject.game.title or subject.game.name, *subject.remarks()])


def _text_of(subject: Subject) -> str:
    """Return the text of a position, or the atoms of a task's initial state, with one predicate on each line."""
    if isinstance(subject, Position):
        return str(subject)
    if not isinstance(subject, Task):
        raise UsageError(f"a picture needs a position or a task, not a {type(subject).__name__}")
    atoms = sorted(map(str, subject.problem.init))
    return "\n".join([" ".join(group) for _, group in groupby(atoms, key=lambda atom: atom.strip("()").split()[0])])


class Scene(Record):
    """A position or task, or a position and moves from it, with the theme and size of the pictures.

    Its `subjects` are the start and the position after each of the `moves`. The `theme` is `auto`, `light`, `dark` or
    `print`; `pixels` is the size of a cell, None for as many as fit.
    """

    subjects: tuple[Subject, ...]
    moves: tuple[str, ...] = ()
    theme: str = AUTO
    pixels: float | None = None

    @classmethod
    def of(
        cls, subject: Subject, moves: str | Iterable[str] = (), *, theme: str = AUTO, pixels: float | None = None
    ) -> Scene:
        """Play moves from a position, and return the scene of all positions reached.

        Raises IllegalMove, LimitReached, and UsageError for an unknown theme or for moves of a task.
        """
        themes(theme)
        if not isinstance(subject, Position):
            if moves:
                raise UsageError("moves need a position of a game, not a PDDL task")
            return cls((subject,), (), theme, pixels)
        legal = tuple(as_moves(subject, moves))
        positions = accumulate(within_limits(legal), lambda position, move: position.apply(move), initial=subject)
        return cls(tuple(positions), legal, theme, pixels)

    @property
    def start(self) -> Subject:
        """The position or task at the beginning of the scene."""
        return self.subjects[0]

    def pictures(self) -> list[tuple[Ground, Sequence[Piece]]]:
        """Return the picture of each subject, which may mark changes since the previous subject."""
        return [picture_of(now, before) for before, now in pairwise((None, *self.subjects)) if now is not None]

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes in positions differ between processes, so positions are pickled as text.
        if not isinstance(self.start, Position):
            return Scene, (self.subjects, self.moves, self.theme, self.pixels)
        return _again, (self.start.game, str(self.start), self.moves, self.theme, self.pixels)


def _again(game: Game, text: str, moves: Iterable[str], theme: str, pixels: float | None) -> Scene:
    return Scene.of(game.parse(text), moves, theme=theme, pixels=pixels)


# A PDDL state as a picture, with pieces determined by its atoms.
#
# The facts for each piece are learned from positions that are reached by the rules. So states that are not positions
# of the game, which a wrong domain may reach, can be drawn as well.
#
# The **sign** of a piece is a fact that holds exactly in the states with the piece or, if there is none, a few facts
# that hold together exactly in these states; a piece in every state needs no sign. Sets of states are bit masks.

Fact = TypeVar("Fact", bound=Hashable)
Thing = TypeVar("Thing", bound=Hashable)
Literal = tuple[Atom, bool]
"""An atom, and whether it is true."""

MOST = 2_000
"""The number of positions to learn from."""


def drawn_state(level: Position, moves: Iterable[str], atoms: frozenset[Atom]) -> str | None:
    """Return a terminal drawing of a PDDL state, given by its atoms and the moves that reach it from a level.

    If a position has these atoms, it is drawn. Otherwise the result is None for a game that describes no pictures.
    """
    positions = _near(level, moves)
    for position in positions:
        if position.atoms() == atoms:
            return position.draw()
    if offered(level, Pictured) is None or type(level).draw is not Pictured.draw:
        return None
    return terminal(picture_of(level)[0], pieces_of(signs_of(positions), atoms))


def signs_of(positions: Sequence[Position]) -> Mapping[Piece, tuple[Literal, ...]]:
    """Return, for each piece, facts that are true in exactly those of the given positions that show the piece."""
    pieces: dict[Piece, int] = {}
    atoms: dict[Atom, int] = {}
    for number, position in enumerate(positions):
        mark(pieces, set(picture_of(position)[1]), number)
        mark(atoms, position.atoms(), number)
    everywhere = (1 << len(positions)) - 1
    in_order = sorted(atoms.items(), key=lambda item: str(item[0]))
    literals = {(atom, True): states for atom, states in in_order}
    literals |= {(atom, False): everywhere & ~states for atom, states in in_order}
    return learn_signs(pieces, literals, everywhere, several=False)


def pieces_of(signs: Mapping[Piece, tuple[Literal, ...]], atoms: frozenset[Atom]) -> list[Piece]:
    """Return the pieces whose facts are true in the state with these atoms."""
    return [piece for piece, sign in signs.items() if all((atom in atoms) is true for atom, true in sign)]


def _near(level: Position, moves: Iterable[str]) -> Sequence[Position]:
    positions = accumulate(moves, lambda position, move: position.apply(move), initial=level)
    return list(distances(positions, lambda position: position.following().values(), MOST))[:MOST]


def mark(states: dict[Thing, int], things: Iterable[Thing], number: int) -> None:
    for thing in things:
        states[thing] = states.get(thing, 0) | 1 << number


def learn_signs(
    pieces: Mapping[Thing, int], facts: Mapping[Fact, int], everywhere: int, *, several: bool = True
) -> dict[Thing, tuple[Fact, ...]]:
    """Return, for each piece, facts that are true exactly when it is shown; a piece without such facts is left out.

    The masks have the states with each piece, the states with each fact, and all states. Among facts that hold in the
    same states, the first is preferred; `several` allows signs of several facts.
    """
    single: dict[int, tuple[Fact, ...]] = {everywhere: ()}
    for fact, states in facts.items():
        single.setdefault(states, (fact,))
    signs = {}
    for piece, states in pieces.items():
        checkpoint()
        sign = single.get(states) or (_together(states, facts, everywhere) if several and states != everywhere else ())
        if sign or states == everywhere:
            signs[piece] = sign
    return signs


def _together(states: int, facts: Mapping[Fact, int], everywhere: int) -> tuple[Fact, ...]:
    """Return facts, chosen greedily, that are true together in exactly the states `states` (bits); may be empty."""
    candidates = [(fact, where) for fact, where in facts.items() if where & states == states and where != everywhere]
    left, sign = everywhere, []
    while left != states and candidates:
        fact, where = min(candidates, key=lambda item: (item[1] & left).bit_count())
        if where & left == left:
            return ()
        sign.append(fact)
        left &= where
    return tuple(sign) if left == states else ()
