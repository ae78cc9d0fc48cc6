"""Find out whether the PDDL is the game: explore a puzzle's rules and the reference semantics of its PDDL side by side.

At every pair of a position and a PDDL state reached by the same moves:

    legal moves                        equal the moves of the applicable actions
    `solved()`                         equals the PDDL goal
    for each move                      its cost, and the atoms of the position after it, agree with each action for it

Pairs are visited breadth first; a difference after a move waits for the rest of its layer, so that the reported one has
the fewest moves. Positions are kept with their states, which are integers. If a move leads to a known position in
another state, the puzzle takes two positions for one, which is a separate kind of difference. If only attributes
differ, atoms, moves and goal are compared again, and a position with another text is explored as well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import accumulate
from random import Random

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.distances import Explorer, distances
from unpuzzle.base.errors import Interrupted, LimitReached, UsageError
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import CANCELLED, GAVE_UP
from unpuzzle.base.run import Run, checkpoint, phase, within_limits
from unpuzzle.base.text import listed
from unpuzzle.checking.comparison import Options, Parted, StepComparison
from unpuzzle.checking.report import CONSTRAINTS, Check, Difference
from unpuzzle.constraints import Constraints, Search, TooManyNodesError
from unpuzzle.pddl.compiled import Operator
from unpuzzle.pddl.judging import faults
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.reading.reader import parse_problem, read_domain, read_problem
from unpuzzle.pddl.writer import write
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.faults import attributes_of
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.spaces.by_rules import RulesSpace, reachable_by_rules, steps_by_rules
from unpuzzle.spaces.space import COMPLETE

Pair = tuple[int, Position, frozenset[Atom]]

WALKS, STEPS = 100, 50
_STATES_PER_CALL = 256


def check(
    position: Position,
    *,
    task: Task | None = None,
    max_states: int = MAX_STATES,
    seed: int = 0,
    walks: int = WALKS,
    steps: int = STEPS,
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> Check:
    """Compare a puzzle's rules, from a position on, with its PDDL.

    The comparison goes breadth first, until `max_states` positions are compared; if more can be reached, random walks
    follow, from positions that were reached but not compared. If a limit is reached, the report has the results so far,
    and its `status` names the limit; a difference may then be one move longer than the shortest.

    Args:
        task: compare with the PDDL of this task instead of the puzzle's own.
        max_states: the most positions to compare breadth first.
        seed: of the random walks, which it makes repeatable.
        walks, steps: the number of walks, and of moves in each.
        progress: called now and then with the number of positions compared.

    Raises UsageError for a subject that is not a position; ParseError or UnsupportedFeature for an invalid task; on
    Ctrl-C Interrupted, which has the report so far.
    """
    if not isinstance(position, Position):
        raise UsageError(f"check() takes a position, not a {type(position).__name__}")
    if max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    with Run(limits, "comparing"):
        return SideBySide(position, task, progress).run(max_states, seed, walks, steps)


def task_of(position: Position, domain: str, problem: str | None = None) -> Task:
    """Read a task to check from PDDL files: a domain with its own problem, or with a position's problem.

    Raises ParseError if a file, or the position's problem, does not fit the domain, and OSError.
    """
    parsed = read_domain(domain)
    if problem is not None:
        return Task(parsed, read_problem(problem, parsed))
    name = f"problem of {position.game.name} for {domain}"
    return Task(parsed, parse_problem(write(position.task().problem), parsed, name))


class SideBySide(Explorer):
    """One comparison: the positions seen, the way to each, their states in PDDL, and the counts."""

    def __init__(self, start: Position, task: Task | None, progress: Callable[[int], None] | None) -> None:
        super().__init__(start, steps_by_rules)
        self._start, self._task, self._progress = start, task, progress
        self._alike = attributes_of(type(start))
        self._others: dict[tuple[int, str], int] = {}  # equal to a known position, same facts, another text
        self._states: list[int] = []
        self._compared: set[int] = set()
        self._transitions = self._walks = 0
        self._difference: Difference | None = None
        self._solutions = Solutions(start)

    def run(self, max_states: int, seed: int, walks: int, steps: int) -> Check:
        """Run the comparison; see `check`."""
        try:
            self._begin()
            frontier = self._breadth_first(max_states)
            if frontier and self._difference is None:
                random = Random(seed)
                while self._walks < walks and self._difference is None:
                    self._walks += 1
                    self._walk(random.choice(frontier), random, steps)
            whole = self._compare_solutions(not frontier) and not frontier
        except LimitReached as reached:
            return self.report(reached.status)
        except KeyboardInterrupt as interrupt:
            raise Interrupted(self.report(CANCELLED)) from interrupt
        return self.report(COMPLETE if whole or self._difference is not None else GAVE_UP)

    def _compare_solutions(self, exhaustive: bool) -> bool:
        """Compare the puzzle's constraints, if its own PDDL is checked; return whether the comparison is complete."""
        if self._difference is not None or self._task is not None:
            return True
        with phase("comparing solutions of the constraints"):
            self._solutions.compare(exhaustive)
        self._difference = self._solutions.difference
        return self._solutions.all_compared

    def _begin(self) -> None:
        """Make the PDDL ready, which may take a while."""
        ours = task_within(self._start)
        task = ours if self._task is None else self._task
        faults.check_domain(task.domain)  # the task may have been built without a reader
        faults.check_task(task.domain, task.problem)
        self._comparison = StepComparison(ours, self._task)
        self._states.append(self._comparison.initial)

    def report(self, status: str) -> Check:
        exhaustive = status == COMPLETE and self._difference is None
        solutions = self._solutions.number if self._task is None else None
        figures = len(self._compared), self._transitions, exhaustive, self._walks
        return Check(*figures, self._difference, status, solutions)

    def _breadth_first(self, max_states: int) -> list[Pair]:
        """Compare layer by layer, up to a difference; return the pairs that were reached but not compared."""
        try:
            layer: list[Pair] = [(0, self._start, self._comparison.begin(self._start))]
        except Parted as parted:
            self._difference = _parted_at((), parted)
            return []
        while layer and self._difference is None:
            room = max_states - len(self._compared)
            following = self._compare_layer(layer[:room])
            if len(layer) >= room:
                return layer[room:] + following
            layer = following
        return []

    def _compare_layer(self, layer: list[Pair]) -> list[Pair]:
        """Compare pairs at the same distance from the start; return the new pairs after their moves."""
        following: list[Pair] = []
        for pair in layer:
            if self._visit(pair, following) is None:
                break
        return following

    def _walk(self, pair: Pair, random: Random, steps: int) -> None:
        for _ in range(steps):
            options = self._visit(pair, [])
            if self._difference is not None or not options:
                return
            position = pair[1].apply(random.choice(list(options)))
            known = self.numbers[position]
            number = known if self._alike(self.states[known], position) else self._other(known, position)
            pair = number, position, position.atoms()

    def _visit(self, pair: Pair, following: list[Pair]) -> Options | None:
        """Compare a pair and its moves; return the operators for each move, or None if the pair itself differs."""
        try:
            legal, options = self._compare(pair)
        except Parted as parted:
            self._difference = _parted_at(self.way(pair[0]), parted)
            return None
        if self._difference is None:  # otherwise only a shorter difference matters
            self._expand(pair, legal, options, following)
        return options

    def _compare(self, pair: Pair) -> tuple[tuple[str, ...], Options]:
        """Compare a pair itself; return the legal moves, and the operators for each."""
        number, position, _ = pair
        checkpoint()
        if number not in self._compared:
            self._compared.add(number)
            if self._progress is not None and len(self._compared) % _STATES_PER_CALL == 0:
                self._progress(len(self._compared))
        legal = self._moves(position)
        return legal, self._comparison.pair(position, legal, self._states[number])

    def _moves(self, position: Position) -> tuple[str, ...]:
        """Return the legal moves, which games may give as a list, or one by one without an end."""
        moves = position.moves()
        return tuple(moves if isinstance(moves, tuple | list) else within_limits(moves))

    def _expand(self, pair: Pair, legal: tuple[str, ...], options: Options, following: list[Pair]) -> None:
        """Compare all moves out of a pair, up to a difference; add new pairs to `following`."""
        for move in legal:
            self._transitions += 1
            try:
                self._move(pair, move, options[move], following)
            except Parted as parted:
                other = None if parted.known is None else tuple(self.way(parted.known))
                self._difference = _parted_at((*self.way(pair[0]), move), parted, other)
                break

    def _move(self, pair: Pair, move: str, operators: list[Operator], following: list[Pair]) -> None:
        """Compare the cost and the outcome of a legal move with each operator for it."""
        number, position, atoms = pair
        state, comparison = self._states[number], self._comparison
        successor, cost = position.apply(move), position.cost(move)
        known = self.numbers.get(successor)
        for operator in operators:
            after = comparison.successor(state, move, cost, operator)
            if known is not None and self._states[known] == after and self._alike(self.states[known], successor):
                continue
            successor_atoms = comparison.outcome(atoms, state, operator, after, successor)
            if known is not None:
                if self._states[known] != after:
                    raise comparison.merged(known, self._states[known], after)
                comparison.pair(successor, self._moves(successor), after)
                known = self._other(known, successor)
                if known < len(self._states):
                    continue
            self._states.append(after)
            known = self.add(successor, number, move)
            following.append((known, successor, successor_atoms))

    def _other(self, known: int, reached: Position) -> int:
        """Return the number of a position that equals a known one; a new number if its text is new."""
        text = str(reached)
        if text == str(self.states[known]):
            return known
        return self._others.setdefault((known, text), len(self._states))


def _parted_at(moves: Iterable[str], parted: Parted, other_moves: tuple[str, ...] | None = None) -> Difference:
    return Difference(tuple(moves), parted.rules, parted.pddl, parted.kind, parted.atoms, other_moves)


# Compare the solutions of a puzzle's constraints with its rules.
#
#     each solution of the constraints    its moves are legal, solve the level, and cost as much as the constraints say
#     each reachable solved position      is reached by the moves of some solution
#     the least cost                      is the same by the rules and by the constraints
#
# The last two need all reachable positions and all solutions, up to `MOST_SOLUTIONS` and `MOST_NODES` of the search.

Values = Mapping[str, Hashable]

MOST_SOLUTIONS = 10_000
MOST_NODES = 100_000
VALUES_SHOWN = 6


class Apart(Exception):
    """A difference between rules and constraints after some moves, with the statement of each in words."""

    def __init__(self, moves: tuple[str, ...], rules: str, constraints: str) -> None:
        self.difference: Difference = Difference(moves, rules, "", CONSTRAINTS, constraints=constraints)
        super().__init__(str(self.difference))


class Solutions:
    """The comparison of one level.

    Attributes:
        number: the number of solutions compared; None for a puzzle without constraints.
        all_compared: whether all solutions and all solved positions were compared.
        difference: the first one, or None.
    """

    def __init__(self, level: Position) -> None:
        self._level = level
        self._constrained = offered(level, Constrained)
        self._ends: set[Position] = set()
        self._costs: dict[int, tuple[str, ...]] = {}
        self.number: int | None = None if self._constrained is None else 0
        self.all_compared: bool = self._constrained is None
        self.difference: Difference | None = None

    def compare(self, exhaustive: bool) -> None:
        """Compare until a difference is found; if `exhaustive`, with all solved positions. Raises LimitReached."""
        if self._constrained is None:
            return
        try:
            if self._compare_solutions(self._constrained) and exhaustive:
                space = reachable_by_rules(self._level)
                if not space.complete:
                    raise LimitReached(space.status, space.message)
                self._compare_ends(space)
                self._compare_least(space)
                self.all_compared = True
        except TooManyNodesError:
            return
        except Apart as apart:
            self.difference = apart.difference

    def _compare_solutions(self, constrained: Constrained) -> bool:
        """Replay the moves of each solution, up to MOST_SOLUTIONS; return whether these are all."""
        model = constrained.constraints()
        search = Search(model, most_nodes=MOST_NODES)
        for number, values in enumerate(search.solutions()):
            if number == MOST_SOLUTIONS:
                return False
            self._play(tuple(constrained.moves_to(values)), values, model)
            self.number = number + 1
        return True

    def _play(self, moves: tuple[str, ...], values: Values, model: Constraints) -> None:
        words = f"{' '.join(moves) or 'nothing to do'} solves it: {_shown(values)}"
        played = replay(self._level, moves)
        if not played.solved:
            legal = moves if played.step is None else moves[: played.step - 1]
            raise Apart(legal, played.reason, words)
        if model.costs is not None and model.cost(values) != played.cost:
            theirs = f"it costs {model.cost(values)}: {_shown(values)}"
            raise Apart(moves, f"{' '.join(moves)} costs {played.cost}", theirs)
        self._ends.update(accumulate(moves, lambda position, move: position.apply(move), initial=self._level))
        self._costs.setdefault(played.cost, moves)
        if model.costs is None and len(self._costs) > 1:
            (cost, first), (other, second) = self._costs.items()
            rules = f"{' '.join(first)} costs {cost}, {' '.join(second)} costs {other}"
            raise Apart(moves, rules, "all solutions cost the same")

    def _compare_ends(self, space: RulesSpace) -> None:
        """Require that some solution reaches each solved position without solved ones before it."""
        goals = space.goals

        def after(state: int) -> list[int]:
            return [] if goals[state] else [target for _, target in space.successors(state)]

        for state in distances([0], after):
            if goals[state] and space.positions[state] not in self._ends:
                raise Apart(space.path(state), "the puzzle is solved", f"none of {self.number:,} solutions leads here")

    def _compare_least(self, space: RulesSpace) -> None:
        cost, plan = space.goal_distance[0], space.plan()
        if plan is not None and self._costs and cost != min(self._costs):
            rules = f"{' '.join(plan)} solves it, and costs {cost}"
            raise Apart(plan, rules, f"no solution costs less than {min(self._costs)}")


def _shown(values: Values) -> str:
    return listed([f"{name}={value}" for name, value in values.items()], VALUES_SHOWN)
