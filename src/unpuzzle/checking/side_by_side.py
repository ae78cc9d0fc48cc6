"""check(): is the PDDL the game? Explores a puzzle's rules and the reference semantics of its PDDL side by side.

At every pair of a position and a PDDL state reached by the same moves:

    the legal moves                    are those that the applicable actions decode to
    `solved()`                         is the PDDL goal
    for each move: its cost, and the atoms of the position after it, are those of each action for it

The pairs are visited breadth first, in layers; a difference after a move waits until the rest of the layer has been
compared, so the one reported is one with the shortest sequence of moves. As long as there is none, a position's PDDL
state follows from the position, so positions alone are remembered.
"""

from __future__ import annotations

from unpuzzle.checking.comparison import Comparison, Parted
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from unpuzzle.pddl.nodes import Atom, GroundAction, Task
    from unpuzzle.puzzle.position import Position

    State = frozenset[Atom]
    Pair = tuple[Position, State]


class Difference:
    """Where rules and PDDL part: after `moves`, what the `rules` say and what the `pddl` says, in words."""

    __slots__ = ("moves", "pddl", "rules")

    def __init__(self, moves: tuple[str, ...], rules: str, pddl: str) -> None:
        self.moves = moves
        self.rules = rules
        self.pddl = pddl

    def __str__(self) -> str:
        length = len(self.moves)
        after = f"after {count(length, 'move')} ({' '.join(self.moves)})" if length else "at the start"
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
        compared = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} compared"
        if self.difference is not None:
            return f"{self.difference}\n({compared})"
        if self.exhaustive:
            return f"rules and PDDL are the same game: {compared}, all that can be reached"
        walks = f", then {count(self.walks, 'random walk')}" if self.walks else ""
        return f"no difference found: {compared}, breadth first{walks}; there are more"

    def __repr__(self) -> str:
        return (
            f"Check(states={self.states}, transitions={self.transitions}, walks={self.walks}, "
            f"exhaustive={self.exhaustive}, difference={self.difference!r})"
        )


def check(
    puzzle: Position,
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
    if frontier and exploration.difference is None:
        exploration.walk(frontier, seed, walks, steps)
    return exploration.result(exhaustive=exploration.difference is None and not frontier)


def task_of(puzzle: Position, domain: str, problem: str | None = None) -> Task:
    """The task of PDDL files that are to be checked: a domain with its own problem, or with that of the puzzle.

    Raises ParseError where a file, or the puzzle's problem, does not fit the domain, and OSError.
    """
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.pddl.reader import parse_problem, read_domain, read_problem

    parsed = read_domain(domain)
    if problem is not None:
        return Task(parsed, read_problem(problem, parsed))
    from unpuzzle.pddl.writer import write

    return Task(
        parsed, parse_problem(write(puzzle.task().problem), parsed, f"problem of {puzzle.game.name} for {domain}")
    )


class _Exploration:
    """The search: the positions seen, the way to each, and the counts."""

    def __init__(self, puzzle: Position, task: Task, progress: Callable[[int], None] | None) -> None:
        self._comparison = Comparison(puzzle, task)
        self._start = puzzle
        self._progress = progress
        self._parents: dict[Position, tuple[Position, str] | None] = {puzzle: None}
        self._compared: set[Position] = set()
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
        """Compares layer by layer, up to a difference; returns the pairs that were reached but not compared."""
        initial = self._comparison.semantics.initial
        try:
            self._comparison.atoms(self._start, initial)
        except Parted as parted:
            self.difference = Difference((), parted.rules, parted.pddl)
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
            except Parted as parted:
                self.difference = Difference(self._way(position), parted.rules, parted.pddl)
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
            except Parted as parted:
                self.difference = Difference(self._way(position), parted.rules, parted.pddl)
                return
            self._expand(position, state, options)
            if self.difference is not None or not options:
                return
            move = random.choice(list(options))
            position, state = self._comparison.move(position, state, move, options[move])

    def _compare(self, position: Position, state: State) -> dict[str, list[GroundAction]]:
        if position not in self._compared:
            self._compared.add(position)
            if self._progress is not None and len(self._compared) % 256 == 0:
                self._progress(len(self._compared))
        return self._comparison.pair(position, state)

    def _expand(self, position: Position, state: State, options: dict[str, list[GroundAction]]) -> list[Pair]:
        """Compares all moves out of a pair, up to a difference; returns the new pairs that they lead to."""
        following: list[Pair] = []
        for move in position.moves():
            self._transitions += 1
            try:
                pair = self._comparison.move(position, state, move, options[move])
            except Parted as parted:
                self.difference = Difference((*self._way(position), move), parted.rules, parted.pddl)
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
