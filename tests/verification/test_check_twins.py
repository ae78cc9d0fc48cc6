"""check() and its slow twin report the same, on domains with planted faults and on the unspoilt ones.

The twin is the comparison as it was first written: the reference semantics, states as frozensets of atoms, nothing
compiled and nothing remembered. Only the words of a difference are the same code.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest

from support.domain_faults import KINDS, planted
from support.registry import WITH_PDDL
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.base.errors import ParseError, UnpuzzleError
from unpuzzle.base.text import listed
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import Atom, Domain, GroundAction, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.verification.report import Check, Difference
from unpuzzle.verification.side_by_side import (
    ACTIONS_LISTED,
    MOVES_LISTED,
    StepMismatch,
    _different,
    _why_illegal,
    check,
)

State = frozenset[Atom]
Pair = tuple[Position, State]


class SlowComparison:
    """The rules of a puzzle and the meaning of a task; every method raises `StepMismatch` where they differ."""

    def __init__(self, puzzle: Position, task: Task) -> None:
        self.semantics = Semantics(task)
        ours = Semantics(puzzle.task())
        fluents = ours.fluent_predicates | self.semantics.fluent_predicates
        self._static = frozenset(atom for atom in self.semantics.initial if atom.predicate not in fluents)

    def pair(self, position: Position, state: State) -> dict[str, list[GroundAction]]:
        """Compares legal moves and goal; returns the applicable actions by move."""
        options: dict[str, list[GroundAction]] = {}
        legal = position.moves()
        for action in self.semantics.applicable(state):
            try:
                options.setdefault(position.decode(action), []).append(action)
            except ParseError as error:
                pddl = f"an applicable action is not a move: {error.message}"
                raise StepMismatch(f"the legal moves are {listed(legal, MOVES_LISTED) or 'none'}", pddl) from error
        for move, actions in options.items():
            if move not in legal:
                verb = "is" if len(actions) == 1 else "are"
                pddl = f"{move} is possible: {listed(actions, ACTIONS_LISTED)} {verb} applicable"
                raise StepMismatch(_why_illegal(position, move, legal), pddl)
        for move in legal:
            if move not in options:
                raise StepMismatch(f"{move} is legal", f"{move} is impossible: no applicable action makes it")
        self._goal(position, state)
        return options

    def _goal(self, position: Position, state: State) -> None:
        solved = position.solved()
        if solved == self.semantics.solved(state):
            return
        if solved:
            raise StepMismatch("the puzzle is solved", f"the goal does not hold: {self.semantics.why_unsolved(state)}")
        raise StepMismatch("the puzzle is not solved", "the goal holds")

    def move(
        self, position: Position, state: State, move: str, actions: Iterable[GroundAction]
    ) -> tuple[Position, State]:
        """Compares the cost and the outcome of a legal move with those of each action for it; returns the outcome."""
        successor, cost = position.apply(move), position.cost(move)
        following = state
        for action in actions:
            if (actual := self.semantics.cost(action)) != cost:
                raise StepMismatch(f"{move} costs {cost}", f"{action} costs {actual}")
            following = self.semantics.apply(state, action)
            self.atoms(successor, following, action)
        return successor, following

    def atoms(self, position: Position, state: State, after: GroundAction | None = None) -> None:
        """Compares a position with a state, atom by atom."""
        expected, actual = position.atoms(), state - self._static
        if actual != expected:
            raise _different(expected, actual, after)


class SlowSideBySide:
    """The search: the positions seen, the way to each, and the counts."""

    def __init__(self, puzzle: Position, task: Task) -> None:
        self._comparison = SlowComparison(puzzle, task)
        self._start = puzzle
        self._parents: dict[Position, tuple[Position, str] | None] = {puzzle: None}
        self._compared: set[Position] = set()
        self._transitions = 0
        self._walks = 0
        self.difference: Difference | None = None

    def result(self, exhaustive: bool) -> Check:
        return Check(
            len(self._compared), self._transitions, walks=self._walks, exhaustive=exhaustive, difference=self.difference
        )

    def breadth_first(self, max_states: int) -> list[Pair]:
        """Compares layer by layer, up to a difference; returns the pairs that were reached but not compared."""
        initial = self._comparison.semantics.initial
        try:
            self._comparison.atoms(self._start, initial)
        except StepMismatch as mismatch:
            self.difference = Difference((), mismatch.rules, mismatch.pddl)
            return []
        layer: list[Pair] = [(self._start, initial)]
        while layer and self.difference is None:
            room = max_states - len(self._compared)
            following = self._compare_layer(layer[:room])
            if len(layer) >= room:
                return layer[room:] + following
            layer = following
        return []

    def _compare_layer(self, layer: list[Pair]) -> list[Pair]:
        """Compares pairs that are equally far from the start; returns the new ones that their moves lead to."""
        following: list[Pair] = []
        for position, state in layer:
            try:
                options = self._compare(position, state)
            except StepMismatch as mismatch:
                self.difference = Difference(self._way(position), mismatch.rules, mismatch.pddl)
                break
            if self.difference is None:  # else only one that is a move shorter is still of interest
                following += self._expand(position, state, options)
        return following

    def walk(self, frontier: list[Pair], seed: int, walks: int, steps: int) -> None:
        """Random walks on from the frontier, up to a difference."""
        from random import Random

        random = Random(seed)
        while self._walks < walks and self.difference is None:
            self._walks += 1
            self._walk(*random.choice(frontier), random, steps)

    def _walk(self, position: Position, state: State, random: Random, steps: int) -> None:
        for _ in range(steps):
            try:
                options = self._compare(position, state)
            except StepMismatch as mismatch:
                self.difference = Difference(self._way(position), mismatch.rules, mismatch.pddl)
                return
            self._expand(position, state, options)
            if self.difference is not None or not options:
                return
            move = random.choice(list(options))
            position, state = self._comparison.move(position, state, move, options[move])

    def _compare(self, position: Position, state: State) -> dict[str, list[GroundAction]]:
        if position not in self._compared:
            self._compared.add(position)
        return self._comparison.pair(position, state)

    def _expand(self, position: Position, state: State, options: dict[str, list[GroundAction]]) -> list[Pair]:
        """Compares all moves out of a pair, up to a difference; returns the new pairs that they lead to."""
        following: list[Pair] = []
        for move in position.moves():
            self._transitions += 1
            try:
                pair = self._comparison.move(position, state, move, options[move])
            except StepMismatch as mismatch:
                self.difference = Difference((*self._way(position), move), mismatch.rules, mismatch.pddl)
                break
            if pair[0] not in self._parents:
                self._parents[pair[0]] = (position, move)
                following.append(pair)
        return following

    def _way(self, position: Position) -> tuple[str, ...]:
        """The moves by which a position was reached first."""
        moves: list[str] = []
        while (step := self._parents[position]) is not None:
            position, move = step
            moves.append(move)
        return tuple(reversed(moves))


def slow_check(puzzle: Position, task: Task, max_states: int, walks: int, steps: int) -> Check:
    """check() by the twin."""
    exploration = SlowSideBySide(puzzle, task)
    frontier = exploration.breadth_first(max_states)
    if frontier and exploration.difference is None:
        exploration.walk(frontier, 0, walks, steps)
    return exploration.result(exhaustive=exploration.difference is None and not frontier)


# ---- planted faults


def spoilt(task: Task, rng: Random) -> Iterator[Domain]:
    """The domain of a task with faults of all kinds, in any order."""
    for kind in rng.sample(sorted(KINDS), len(KINDS)):
        yield from (domain for _, domain in islice(planted(kind, task, rng), 1))


def outcome(found: Check) -> tuple[object, ...]:
    """All that a check reports."""
    difference = found.difference
    words = None if difference is None else (difference.moves, difference.rules, difference.pddl)
    return found.states, found.transitions, found.walks, found.exhaustive, words


def answer(function: object, *arguments: object) -> tuple[object, ...]:
    """What a check reports, or its refusal."""
    try:
        return outcome(function(*arguments))  # type: ignore[operator]
    except UnpuzzleError as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", WITH_PDDL)
@pytest.mark.parametrize("seed", range(at_most(3)))
def test_planted_faults(name: str, seed: int) -> None:
    """The same difference in the same words, the same counts."""
    rng, different = Random(f"{name} {seed}"), 0
    game = translators.find(name)
    for domain in spoilt(game.sample(rng).task(), rng):
        if different == 5:
            break
        position = game.sample(rng)
        task = Task(domain, position.task().problem)
        most = rng.choice([1, 20, 300])

        def fast(position: Position = position, task: Task = task, most: int = most) -> Check:
            return check(position, task=task, max_states=most, walks=5, steps=10)

        found = answer(fast)
        assert found == answer(slow_check, position, task, most, 5, 10)
        different += found[-1] is not None
    assert different, "the faults do not show"


@pytest.mark.parametrize("name", WITH_PDDL)
@pytest.mark.parametrize("seed", range(4))
def test_unspoilt(name: str, seed: int) -> None:
    position = translators.find(name).sample(Random(seed))
    found = check(position, max_states=400, walks=3, steps=10)
    assert found.same
    assert outcome(found) == outcome(slow_check(position, position.task(), 400, 3, 10))
