"""Find the walker (an object that moves without any other change), and divide plans into walks and pushes.

In most puzzles one thing moves freely until it changes something: Sokoban's player, Pacman, a lift. It is the *walker*.
A *walk* is a step that changes only the walker's place, and that another step undoes exactly. All other steps are
*pushes*, whether or not anything is pushed. (The walker's shadow, a predicate for the places without it, changes with
it, if proved to say nothing else. If a predicate may be a shadow and this is not proved, there is no walker.)

    walker = walker_of(task)             None without a walker
    walker.is_walk(state, action)        of a task's state, a frozenset of atoms, and an applicable action
    walker.pushes(task, plan)            the number of pushes in a plan

    walker = walker_of(position)         the same by the rules: of positions and moves

In PDDL the walker is a thing at a place, such as `(player ?)` or `(at truck1 ?)`: the atoms of one predicate that
differ in one argument. A walk replaces one of them by another one. The action schemas determine the things that may
walk (`walker_detection`); the one with the most ground actions that walk and can be undone is the walker; with ties,
the first by name. Positions with translated PDDL, or without any, have `walker_and_rest()`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.run import phase, within_limits
from unpuzzle.base.type_hints import Any
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.pddl.walker_detection import (
    Ground,
    Stride,
    Thing,
    may_cast_another_shadow,
    moves_under_conditions,
    one_casts_shadows,
    shadow_of,
    shadows_of,
    strides_of,
    thing_that_walks,
)
from unpuzzle.planning.planner import MOVES, OBJECTIVES

LOOKING = "looking for the walker"
_PUSHES, _PUSHES_FIRST, _MOVES_FIRST = OBJECTIVES[1:]
_SHIFT = 64
"""The bits of the second of two numbers packed into one: no plan is that long or costly."""


class Walker(ABC):
    """The object that walks in a task or game; its methods distinguish walks from all other steps (pushes).

    If there is PDDL, `thing` is the thing that walks, and `shadow` the predicate for the places without it, or None.
    """

    name: str = "the walker"
    thing: Thing | None = None
    shadow: str | None = None

    def is_walk(self, before: Any, step: Any, after: Any = None) -> bool:
        """Return whether a legal step is a walk; the step is a move of a game or an action of a task.

        `after` is the state after it, if known. Raises IllegalMove if the step is not possible.
        """
        return self._walks(before, step, self._after(before, step) if after is None else after)

    def shadows(self, atom: Atom) -> list[Atom]:
        """Return the fact that becomes true when the walker leaves an atom's place; empty if there is no such fact."""
        if self.thing is None or self.shadow is None:
            return []
        return [shadow_of(self.shadow, atom, atom, self.thing.place)[0]]

    def pushes(self, subject: Any, steps: Iterable[Any]) -> int:
        """Return the number of pushes among steps, starting from a position or from the initial state of a task.

        Raises IllegalMove for an impossible step, and LimitReached.
        """
        with phase("counting pushes"):
            before, number = self._start(subject), 0
            for step in within_limits(steps):
                after = self._after(before, step)
                number += not self._walks(before, step, after)
                before = after
            return number

    def _start(self, subject: Any) -> Any:
        return subject

    def _after(self, before: Any, step: Any) -> Any:
        return before.apply(step)

    @abstractmethod
    def _walks(self, before: Any, step: Any, after: Any) -> bool: ...


class _InStates(Walker):
    """The walker of a PDDL task; a walk replaces one atom about the object `thing` by another such atom."""

    thing: Thing

    def __init__(self, semantics: Semantics, strides: Sequence[Stride], thing: Thing, shadow: str | None) -> None:
        self.thing = thing
        self.shadow = shadow
        self.name = str(thing)
        self._semantics = semantics
        self._strides = [stride for stride in strides if stride.moves(thing)]
        actions = semantics.task.domain.actions
        self._others = {action.name for action in actions if moves_under_conditions(action, thing)}
        self._names = {stride.action.name for stride in self._strides} | self._others
        self._ground = Ground(semantics)

    def _start(self, subject: Task | State) -> State:
        return self._semantics.initial if isinstance(subject, Task) else subject

    def _after(self, before: State, step: GroundAction) -> State:
        return self._semantics.apply(before, step)

    def _walks(self, before: State, step: GroundAction, after: State) -> bool:
        if step.name not in self._names:
            return False
        ends = _ends(self.thing, before, after, self.shadow)
        return ends is not None and self._leads_back(after, before, *reversed(ends))

    def _leads_back(self, after: State, before: State, here: Atom, there: Atom) -> bool:
        """Return whether an action that moves the walker from `here` to `there` leads from `after` back to `before`."""
        semantics = self._semantics
        world = semantics.world(after)
        for stride in self._strides:
            binding = stride.fitted(here, there)
            for action, full in () if binding is None else self._ground.actions(stride.action, binding):
                applicable = world.holds(stride.action.precondition, full)
                if applicable and semantics.apply(after, action) == before:
                    return True
        if not self._others:
            return False
        others = [action for action in semantics.applicable(after) if action.name in self._others]
        return any(semantics.apply(after, action) == before for action in others)


class _InPositions(Walker):
    """The walker of a game with PDDL; a walk is a legal move that replaces one atom about `thing` by another."""

    thing: Thing

    def __init__(self, thing: Thing, shadow: str | None) -> None:
        self.thing = thing
        self.shadow = shadow
        self.name = str(thing)

    def _walks(self, before: Position, step: str, after: Position) -> bool:
        return _ends(self.thing, before.atoms(), after.atoms(), self.shadow) is not None and _undone(before, after)


class _InParts(Walker):
    """The walker of a game whose positions have `walker_and_rest`; a walk changes only the walker's place."""

    def _walks(self, before: Any, step: str, after: Any) -> bool:
        parts, others = before.walker_and_rest(), after.walker_and_rest()
        apart = parts is not None and others is not None and parts[0] != others[0] and parts[1] == others[1]
        return apart and _undone(before, after)


def walker_of(subject: Task | Semantics | Position, *, most: int | None = None) -> Walker | None:
    """Return the walker of a task, or of a position by the game's rules; None if there is no walker.

    Raises LimitReached, and EffortSpent if more than `most` ground actions would have to be examined.
    """
    with phase(LOOKING):
        return _by_rules(subject, most) if isinstance(subject, Position) else _in_states(subject, most)


def _in_states(subject: Task | Semantics, most: int | None) -> _InStates | None:
    """Return the walker of a PDDL task; None if no object walks."""
    task = subject if isinstance(subject, Task) else subject.task
    shadows = shadows_of(task.domain, task.problem)
    strides = strides_of(task.domain, shadows)
    if not strides:
        return None
    semantics = Semantics(subject) if isinstance(subject, Task) else subject
    if not one_casts_shadows(semantics, strides, most):
        shadows, strides = {}, strides_of(task.domain)
    thing = thing_that_walks(semantics, strides, most) if strides else None
    if thing is None:
        return None
    shadow = shadows.get((thing.predicate, thing.place))
    if may_cast_another_shadow(task.domain, thing, shadow):
        return None  # which moves are walks depends on what cannot be proved
    return _InStates(semantics, strides, thing, shadow)


def _by_rules(position: Position, most: int | None) -> Walker | None:
    """Return the walker of a position: declared by the game, or found in the PDDL of the position."""
    if position.walker_and_rest() is not None:
        return _InParts()
    if position._translated:
        return None
    try:
        if not strides_of(domain := position.game.domain(), shadows_of(domain)):
            return None
        walker = _in_states(position.task(), most)
    except (ParseError, UnsupportedFeature):  # a game without PDDL
        return None
    return None if walker is None else _InPositions(walker.thing, walker.shadow)


def _ends(thing: Thing, before: State, after: State, shadow: str | None) -> tuple[Atom, Atom] | None:
    """Return the atoms about `thing` before and after a move; None if the move changes anything else."""
    left, come = before - after, after - before
    if len(left) > 2 or len(left) != len(come):
        return None
    starts, ends = ([atom for atom in atoms if thing.has(atom)] for atoms in (left, come))
    if len(starts) != 1 or len(ends) != 1:
        return None
    if len(left) == 1:
        return starts[0], ends[0]
    here, there = shadow_of(shadow or "", starts[0], ends[0], thing.place)
    return (starts[0], ends[0]) if there in left and here in come else None


def _undone(before: Position, after: Position) -> bool:
    """Return whether one move leads from `after` back to `before`."""
    return any(after.apply(move) == before for move in after.moves())


def weigh(objective: str, cost: int, pushes: int) -> int:
    """Return the weight of a plan or step by an objective; less is better, and the weights of steps add up."""
    if objective == MOVES:
        return cost
    if objective == _PUSHES:
        return pushes
    first, second = (pushes, cost) if objective == _PUSHES_FIRST else (cost, pushes)
    return (first << _SHIFT) + second
