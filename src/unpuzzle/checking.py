"""check(): is the PDDL the game? Explores a puzzle's rules and the reference semantics of its PDDL side by side.

At every pair of a position and a PDDL state reached by the same moves:

    the legal moves                    are those that the applicable actions decode to
    `solved()`                         is the PDDL goal
    for each move: its cost, and the atoms of the position after it, are those of each action for it

The pairs are visited breadth first, and of each layer all positions are looked at before any move out of it, so the
first difference found is one with the shortest sequence of moves. As long as there is none, a position's PDDL state
follows from the position, so positions alone are remembered.

Atoms are compared for every predicate that some action's effect changes, in the puzzle's own domain or in the one that is
checked: an effect that is missing may make a predicate static.
"""

from __future__ import annotations

from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.pddl.semantics import Semantics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from unpuzzle.pddl.nodes import Atom, GroundAction, Task
    from unpuzzle.puzzle import Puzzle

    State = frozenset[Atom]
    Pair = tuple[Puzzle, State]


class Difference:
    """Where rules and PDDL part: after `moves`, what the `rules` say and what the `pddl` says, in words."""

    __slots__ = ("moves", "pddl", "rules")

    def __init__(self, moves: tuple[str, ...], rules: str, pddl: str) -> None:
        self.moves = moves
        self.rules = rules
        self.pddl = pddl

    def __str__(self) -> str:
        length = len(self.moves)
        after = f"after {_count(length, 'move')} ({' '.join(self.moves)})" if length else "at the start"
        return f"rules and PDDL differ {after}\n  rules: {self.rules}\n  PDDL:  {self.pddl}"

    def __repr__(self) -> str:
        return f"Difference({self.moves!r}, {self.rules!r}, {self.pddl!r})"


class Check:
    """What a check found.

    Attributes:
        same: no difference was found.
        exhaustive: everything that can be reached was compared.
        states, transitions: how many positions, and moves out of them, were compared.
        walks: how many random walks were made, because not all could be reached breadth first.
        difference: the first difference, or None.
    """

    __slots__ = ("difference", "exhaustive", "states", "transitions", "walks")

    def __init__(
        self, states: int, transitions: int, *, walks: int = 0, exhaustive: bool, difference: Difference | None = None
    ) -> None:
        self.states = states
        self.transitions = transitions
        self.walks = walks
        self.exhaustive = exhaustive
        self.difference = difference

    @property
    def same(self) -> bool:
        return self.difference is None

    def __str__(self) -> str:
        compared = f"{_count(self.states, 'state')} and {_count(self.transitions, 'transition')} compared"
        if self.difference is not None:
            return f"{self.difference}\n({compared})"
        if self.exhaustive:
            return f"rules and PDDL are the same game: {compared}, all that can be reached"
        walks = f", then {_count(self.walks, 'random walk')}" if self.walks else ""
        return f"no difference found: {compared}, breadth first{walks}; there are more"

    def __repr__(self) -> str:
        return (
            f"Check(states={self.states}, transitions={self.transitions}, walks={self.walks}, "
            f"exhaustive={self.exhaustive}, difference={self.difference!r})"
        )


def check(
    puzzle: Puzzle,
    *,
    task: Task | None = None,
    max_states: int = 20_000,
    seed: int = 0,
    walks: int = 100,
    steps: int = 50,
    progress: Callable[[int], None] | None = None,
) -> Check:
    """Compares a puzzle's rules, from this position on, with its PDDL, or with the PDDL of a `task`.

    Breadth first, until `max_states` positions are compared; if more can be reached, `walks` random walks of `steps`
    moves each follow, which go on where the breadth-first search stopped and are repeatable by `seed`. `progress` is
    called now and then with the number of positions compared.

    Raises ParseError or UnsupportedFeature for a task that has no meaning.
    """
    if max_states < 1:
        raise ValueError(f"max_states must be at least 1, not {max_states}")
    exploration = _Exploration(puzzle, puzzle.task() if task is None else task, progress)
    frontier = exploration.breadth_first(max_states)
    if exploration.difference is None and frontier:
        from random import Random

        exploration.walk(frontier, Random(seed), walks, steps)
    return exploration.result(exhaustive=exploration.difference is None and not frontier)


def task_of(puzzle: Puzzle, domain: str, problem: str | None = None) -> Task:
    """The task of PDDL files that are to be checked: a domain with its own problem, or with that of the puzzle.

    Raises ParseError where a file, or the puzzle's problem, does not fit the domain, and OSError.
    """
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.pddl.reader import parse_problem, read_domain, read_problem

    parsed = read_domain(domain)
    if problem is not None:
        return Task(parsed, read_problem(problem, parsed))
    from unpuzzle.pddl.writer import write

    return Task(parsed, parse_problem(write(puzzle.task().problem), parsed, f"problem of {puzzle.name} for {domain}"))


class _Exploration:
    """The search: the positions seen, the way to each, and the counts."""

    def __init__(self, puzzle: Puzzle, task: Task, progress: Callable[[int], None] | None) -> None:
        self._semantics = Semantics(task)
        ours = Semantics(puzzle.task())
        self._fluents = (ours.fluent_predicates | self._semantics.fluent_predicates) - self._semantics.derived_predicates
        self._start = puzzle
        self._progress = progress
        self._parents: dict[Puzzle, tuple[Puzzle, str] | None] = {puzzle: None}
        self._compared: set[Puzzle] = set()
        self._transitions = 0
        self._walks = 0
        self.difference: Difference | None = None

    def result(self, exhaustive: bool) -> Check:
        return Check(
            len(self._compared),
            self._transitions,
            walks=self._walks,
            exhaustive=exhaustive,
            difference=self.difference,
        )

    def breadth_first(self, max_states: int) -> list[Pair]:
        """Compares layer by layer; returns the pairs that were reached but not compared."""
        initial = self._semantics.initial
        self.difference = self._compare_atoms(self._start, initial)
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
        later: Difference | None = None  # one move longer than what the layer's own positions may still show
        for position, state in layer:
            options = self._options(position, state)
            if isinstance(options, Difference):
                self.difference = options
                return []
            if later is None:
                later = self._expand(position, state, options, following)
        self.difference = later
        return following

    def walk(self, frontier: list[Pair], random: Random, walks: int, steps: int) -> None:
        """Random walks on from the frontier, up to the first difference."""
        for _ in range(walks):
            self._walks += 1
            position, state = random.choice(frontier)
            for _ in range(steps):
                options = self._options(position, state)
                if isinstance(options, Difference):
                    self.difference = options
                else:
                    self.difference = self._expand(position, state, options, [])
                if self.difference is not None:
                    return
                if not position.moves():
                    break
                move = random.choice(position.moves())
                position, state = position.apply(move), self._semantics.apply(state, options[move][0])

    def _options(self, position: Puzzle, state: State) -> dict[str, list[GroundAction]] | Difference:
        """Compares goal and legal moves of a pair; the applicable actions by move."""
        if position not in self._compared:
            self._compared.add(position)
            self._tell()
        options: dict[str, list[GroundAction]] = {}
        for action in self._semantics.applicable(state):
            try:
                options.setdefault(position.decode(action), []).append(action)
            except ParseError as error:
                rules = f"the legal moves are {_listed(position.moves())}"
                return Difference(self._way(position), rules, f"an applicable action stands for no move: {error.message}")
        return self._compare_moves(position, options) or self._compare_goal(position, state) or options

    def _compare_moves(self, position: Puzzle, options: dict[str, list[GroundAction]]) -> Difference | None:
        legal = position.moves()
        for move in options:
            if move not in legal:
                applicable = f"{move} is possible: {_listed(options[move])} is applicable"
                return Difference(self._way(position), _why_illegal(position, move), applicable)
        for move in legal:
            if move not in options:
                reason = f"{move} is impossible: no applicable action stands for it"
                return Difference(self._way(position), f"{move} is legal", reason)
        return None

    def _compare_goal(self, position: Puzzle, state: State) -> Difference | None:
        solved = position.solved()
        if solved == self._semantics.solved(state):
            return None
        if solved:
            reason = f"the goal does not hold: {self._semantics.why_unsolved(state)}"
            return Difference(self._way(position), "the puzzle is solved", reason)
        return Difference(self._way(position), "the puzzle is not solved", "the goal holds")

    def _expand(
        self, position: Puzzle, state: State, options: dict[str, list[GroundAction]], following: list[Pair]
    ) -> Difference | None:
        """Compares all moves out of a pair, and appends the pairs that they lead to and that are new."""
        for move in position.moves():
            successor = position.apply(move)
            self._transitions += 1
            for action in options[move]:
                result = self._semantics.apply(state, action)
                difference = self._compare_costs(position, move, action) or self._compare_atoms(
                    successor, result, before=(position, move), action=action
                )
                if difference:
                    return difference
            if successor not in self._parents:
                self._parents[successor] = (position, move)
                following.append((successor, result))
        return None

    def _compare_costs(self, position: Puzzle, move: str, action: GroundAction) -> Difference | None:
        expected, cost = position.cost(move), self._semantics.cost(action)
        if cost == expected:
            return None
        return Difference((*self._way(position), move), f"{move} costs {expected}", f"{action} costs {cost}")

    def _compare_atoms(
        self,
        position: Puzzle,
        state: State,
        before: tuple[Puzzle, str] | None = None,
        action: GroundAction | None = None,
    ) -> Difference | None:
        """Compares a position with a PDDL state, reached by a move `before` and an action, or else the first ones."""
        expected = position.atoms()
        actual = {atom for atom in state if atom.predicate in self._fluents}
        if actual == expected:
            return None
        way = (*self._way(before[0]), before[1]) if before else ()
        by = f" after {action}" if action else ""
        return Difference(way, _only_here(expected, actual, ""), _only_here(actual, expected, by))

    def _way(self, position: Puzzle) -> tuple[str, ...]:
        """The moves by which a position was reached first."""
        moves: list[str] = []
        while (step := self._parents[position]) is not None:
            position, move = step
            moves.append(move)
        return tuple(reversed(moves))

    def _tell(self) -> None:
        if self._progress is not None and len(self._compared) % 256 == 0:
            self._progress(len(self._compared))


def _why_illegal(position: Puzzle, move: str) -> str:
    try:
        position.apply(move)
    except IllegalMove as error:
        return f"{move} is illegal: {str(error).removeprefix(move + ': ')}"
    return f"{move} is not among the legal moves, which are {_listed(position.moves())}"


def _only_here(atoms: Iterable[Atom], others: Iterable[Atom], by: str) -> str:
    """What one side says and the other does not, at most three atoms of it."""
    here = sorted(set(atoms) - set(others), key=str)
    if not here:
        return f"nothing that the other does not say{by}"
    more = f" and {_count(len(here) - 3, 'atom')} more" if len(here) > 3 else ""
    return f"true only here{by}: {_listed(here[:3])}{more}"


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things)) or "none"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
