"""Check that a puzzle's PDDL describes the puzzle: explore its rules and its PDDL in parallel, and compare them.

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

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate
from random import Random

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.distances import Explorer, distances
from unpuzzle.base.errors import IllegalMove, Interrupted, LimitReached, ParseError, UsageError
from unpuzzle.base.outcomes import CANCELLED, GAVE_UP
from unpuzzle.base.run import Limits, Run, checkpoint, phase, within_limits
from unpuzzle.base.text import listed
from unpuzzle.constraints import Constraints, Search, TooManyNodesError
from unpuzzle.model.capabilities import Constrained, offered
from unpuzzle.model.faults import attributes_of, only, require_once, require_unchanged
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import decoded_anywhere, replay, task_within
from unpuzzle.model.task import atom
from unpuzzle.pddl.compiled import CompiledSemantics, Operator
from unpuzzle.pddl.linting import faults
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.reading.reader import parse_problem, read_domain, read_problem
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.state_space.space import COMPLETE, RulesSpace, reachable_by_rules, steps_by_rules
from unpuzzle.verification.report import (
    ATOMS,
    CONSTRAINTS,
    COST,
    FOREIGN,
    IMPOSSIBLE,
    MERGED,
    POSSIBLE,
    SOLVED,
    UNSOLVED,
    Check,
    Difference,
)  # fmt: skip

Atoms = frozenset[Atom]
Options = dict[str, list[Operator]]
"""The applicable operators by move."""

MOVES_LISTED = 12
ATOMS_LISTED = ACTIONS_LISTED = 3
_KEPT = 50_000
"""The most combinations of operators and legal moves that are remembered as agreeing."""
Pair = tuple[int, Position, Atoms]

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
    """Compare the rules of a puzzle with its PDDL, in all positions reachable from `position`.

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
    """Read the PDDL task to compare: a domain file, with a problem file or the position's own problem.

    Raises ParseError if a file, or the position's problem, does not fit the domain, and OSError.
    """
    parsed = read_domain(domain)
    if problem is not None:
        return Task(parsed, read_problem(problem, parsed))
    name = f"problem of {position.game.name} for {domain}"
    return Task(parsed, parse_problem(write(position.task().problem), parsed, name))


class SideBySide(Explorer):
    """A comparison of rules with PDDL in progress: the positions so far, with their PDDL states and moves."""

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
        """Run the comparison, and return the report."""
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
        """Compare solutions by rules and by constraints, if no task is given; return whether all were compared."""
        if self._difference is not None or self._task is not None:
            return True
        with phase("comparing solutions of the constraints"):
            self._solutions.compare(exhaustive)
        self._difference = self._solutions.difference
        return self._solutions.all_compared

    def _begin(self) -> None:
        """Ground the PDDL task and prepare its comparison with the rules."""
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
        """Compare positions with PDDL states breadth-first; if a limit ends this, return the pairs still to compare."""
        try:
            layer: list[Pair] = [(0, self._start, self._comparison.begin(self._start))]
        except StepMismatch as mismatch:
            self._difference = mismatch.after(())
            return []
        while layer and self._difference is None:
            room = max_states - len(self._compared)
            following = self._compare_layer(layer[:room])
            if len(layer) >= room:
                return layer[room:] + following
            layer = following
        return []

    def _compare_layer(self, layer: list[Pair]) -> list[Pair]:
        """Compare the pairs (position, PDDL state) at one depth, and return the pairs at the next depth."""
        following: list[Pair] = []
        for pair in layer:
            if self._visit(pair, following) is None:
                break
        return following

    def _walk(self, pair: Pair, random: Random, steps: int) -> None:
        """Compare the positions on a random walk with their PDDL states."""
        for _ in range(steps):
            options = self._visit(pair, [])
            if self._difference is not None or not options:
                return
            position = pair[1].apply(random.choice(list(options)))
            known = self.numbers[position]
            number = known if self._alike(self.states[known], position) else self._other(known, position)
            pair = number, position, position.atoms()

    def _visit(self, pair: Pair, following: list[Pair]) -> Options | None:
        """Compare a position with its PDDL state; return the operators of each move, None if they differ."""
        try:
            legal, options = self._compare(pair)
        except StepMismatch as mismatch:
            self._difference = mismatch.after(self.way(pair[0]))
            return None
        if self._difference is None:  # otherwise only a shorter difference matters
            self._expand(pair, legal, options, following)
        return options

    def _compare(self, pair: Pair) -> tuple[tuple[str, ...], Options]:
        """Compare a position with its PDDL state; return the legal moves, and the operators of each move."""
        number, position, _ = pair
        checkpoint()
        if number not in self._compared:
            self._compared.add(number)
            if self._progress is not None and len(self._compared) % _STATES_PER_CALL == 0:
                self._progress(len(self._compared))
        legal = self._moves(position)
        return legal, self._comparison.pair(position, legal, self._states[number])

    def _moves(self, position: Position) -> tuple[str, ...]:
        """Return the legal moves of a position, checking the limits while the game yields them."""
        known = hash(position)
        moves = position.moves()
        require_unchanged(position, known)  # the moves may be the keys of `following`, which makes the positions
        return tuple(moves if isinstance(moves, tuple | list) else within_limits(moves))

    def _expand(self, pair: Pair, legal: tuple[str, ...], options: Options, following: list[Pair]) -> None:
        """Compare all moves of a position with the PDDL, and add the new positions to `following`."""
        for move in legal:
            self._transitions += 1
            try:
                self._move(pair, move, options[move], following)
            except StepMismatch as mismatch:
                other = None if mismatch.known is None else self.way(mismatch.known)
                self._difference = mismatch.after((*self.way(pair[0]), move), other)
                break

    def _move(self, pair: Pair, move: str, operators: list[Operator], following: list[Pair]) -> None:
        """Compare a legal move with its operators: their costs and their outcomes."""
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
        """Return the number of a position equal to position `known`; a text not seen before gets a new number."""
        text = str(reached)
        if text == str(self.states[known]):
            return known
        return self._others.setdefault((known, text), len(self._states))


# Compare one step: a position with a PDDL state, and a move with its actions.
#
# PDDL states are integers (`pddl.compiled`). The atoms of all predicates that some action changes are compared, whether
# the action is in the puzzle's own domain or in the checked one: a missing effect may make a predicate static.


class StepMismatch(Exception):
    """The exception for a difference between a game's rules and its PDDL or constraints.

    `known` is the number of an earlier position that is wrongly equal to the current one, or None.
    """

    def __init__(
        self,
        rules: str,
        pddl: str = "",
        kind: str = "",
        atoms: Atoms | None = None,
        *,
        known: int | None = None,
        constraints: str = "",
        moves: Sequence[str] = (),
    ) -> None:
        super().__init__(rules, pddl)
        self.rules, self.pddl, self.kind, self.atoms = rules, pddl, kind, atoms
        self.known, self.constraints, self.moves = known, constraints, moves

    def after(self, moves: Iterable[str], other_moves: Iterable[str] | None = None) -> Difference:
        """Return the difference as a record, with the moves from the start to the position that shows it."""
        other = None if other_moves is None else tuple(other_moves)
        return Difference(tuple(moves), self.rules, self.pddl, self.kind, self.atoms, other, self.constraints)


class StepComparison:
    """A comparison of single positions and moves with a PDDL task; a difference raises `StepMismatch`.

    `own` is the task of the puzzle, `initial` the first PDDL state, `start` its atoms of the compared predicates.
    """

    def __init__(self, own: Task, task: Task | None) -> None:
        ours = Semantics(own)
        self._semantics = ours if task is None else Semantics(task)
        self._states = CompiledSemantics(self._semantics, atom)
        self.initial: int = self._states.initial
        changing = ours.fluent_predicates | self._semantics.fluent_predicates
        self.start: Atoms = frozenset([each for each in self._semantics.initial if each.predicate in changing])
        self._constant = len(self.start) - self.initial.bit_count()
        self._moves: dict[Operator, str] = {}
        self._positional: set[Operator] = set()
        self._changes: dict[tuple[int, int], tuple[Atoms, Atoms]] = {}
        self._costs: dict[Operator, int] = {}
        self._agreed: dict[tuple[tuple[Operator, ...], tuple[str, ...]], Options] = {}

    def begin(self, position: Position) -> Atoms:
        """Compare the first position with the initial PDDL state, and return the position's atoms."""
        atoms = position.atoms()
        if atoms != self.start:
            raise _different(atoms, self.start)
        return atoms

    def pair(self, position: Position, legal: tuple[str, ...], state: int) -> Options:
        """Compare a position with a PDDL state: their moves and goals; return the operators of each move."""
        operators = self._states.applicable(state)
        options = self._agreed.get((operators, legal))
        if options is None:
            options = self._options(position, legal, operators, state)
        if position.solved() != self._states.solved(state):
            if not position.solved():
                raise StepMismatch("the puzzle is not solved", "the goal holds", SOLVED)
            reason = self._semantics.why_unsolved(self._states.atoms(state))
            raise StepMismatch("the puzzle is solved", f"the goal does not hold: {reason}", UNSOLVED)
        return options

    def _options(
        self, position: Position, legal: tuple[str, ...], operators: tuple[Operator, ...], state: int
    ) -> Options:
        """Return the applicable operators of each legal move. Raises `StepMismatch` if they do not match."""
        require_once(position, legal)
        options: Options = {}
        for operator in operators:
            options.setdefault(self._decoded(position, legal, operator), []).append(operator)
        if options.keys() != set(legal):
            self._other_moves(position, legal, options, state)
        if self._moves.keys() >= set(operators):
            if len(self._agreed) == _KEPT:
                self._agreed.clear()
            self._agreed[operators, legal] = options
        return options

    def _decoded(self, position: Position, legal: Sequence[str], operator: Operator) -> str:
        """Return the move of an operator in a position; the move is cached if it is the same in all positions."""
        if operator in self._moves:
            return self._moves[operator]
        try:
            move = position.decode(operator.action)
        except ParseError as error:
            pddl = f"an applicable action is not a move: {error.message}"
            raise StepMismatch(f"the legal moves are {listed(legal, MOVES_LISTED) or 'none'}", pddl, FOREIGN) from error
        if operator not in self._positional:
            if decoded_anywhere(position, [operator.action]) == [move]:
                self._moves[operator] = move
            else:
                self._positional.add(operator)
        return move

    def _other_moves(self, position: Position, legal: Sequence[str], options: Options, state: int) -> None:
        """Raise `StepMismatch` for the first move that is possible by the rules but not by the PDDL, or the reverse."""
        for move, operators in options.items():
            if move not in legal:
                verb = "is" if len(operators) == 1 else "are"
                pddl = f"{move} is possible: {listed(operators, ACTIONS_LISTED)} {verb} applicable"
                following = self._states.successor(state, operators[0])
                added, deleted = self._change(following & ~state, state & ~following)
                after = (position.atoms() - deleted) | added
                raise StepMismatch(_why_illegal(position, move, legal), pddl, POSSIBLE, after)
        move = next(move for move in legal if move not in options)
        raise StepMismatch(f"{move} is legal", f"{move} is impossible: no applicable action makes it", IMPOSSIBLE)

    def successor(self, state: int, move: str, cost: int, operator: Operator) -> int:
        """Compare the cost of a move with the cost of an operator, and return the PDDL state after the operator."""
        if self._costs.get(operator) != cost:
            actual = self._costs[operator] = self._states.cost(operator)
            if actual != cost:
                raise StepMismatch(f"{move} costs {cost}", f"{operator} costs {actual}", COST)
        return self._states.successor(state, operator)

    def outcome(self, before: Atoms, state: int, operator: Operator, following: int, position: Position) -> Atoms:
        """Compare the position after a move with the PDDL state `following`, and return the position's atoms.

        They agree if the position has all atoms added to `before`, none of the deleted ones, no other new one, and as
        many atoms as the state.
        """
        added, deleted = self._change(following & ~state, state & ~following)
        atoms = position.atoms()
        alike = len(atoms) == following.bit_count() + self._constant and atoms - before <= added
        if alike and added <= atoms and deleted.isdisjoint(atoms):
            return atoms
        raise _different(atoms, (before - deleted) | added, operator)

    def merged(self, known: int, before: int, state: int) -> StepMismatch:
        """Return the exception for two equal positions that have different PDDL states."""
        first, second = self._change(before & ~state, state & ~before)
        pddl = f"two states: first {only(first)}, then {only(second)}"
        rules = "the two positions are equal: _key() leaves out the difference between them"
        return StepMismatch(rules, pddl, MERGED, known=known)

    def _change(self, added: int, deleted: int) -> tuple[Atoms, Atoms]:
        change = self._changes.get((added, deleted))
        if change is None:
            change = self._changes[added, deleted] = self._states.atoms(added), self._states.atoms(deleted)
        return change


def _why_illegal(position: Position, move: str, legal: Sequence[str]) -> str:
    try:
        position.apply(move)
    except IllegalMove as error:
        return f"{move} is illegal: {str(error).removeprefix(move + ': ')}"
    return f"{move} is not among the legal moves, which are {listed(legal, MOVES_LISTED) or 'none'}"


def _different(rules: Atoms, pddl: Atoms, operator: Operator | None = None) -> StepMismatch:
    """Return the exception for a position whose atoms by the rules differ from those by the PDDL."""
    after = "" if operator is None else f"after {operator}, "
    ours, theirs = _truths(rules - pddl, pddl - rules), _truths(pddl - rules, rules - pddl)
    return StepMismatch(ours, f"{after}{theirs}", ATOMS, pddl)


def _truths(true: Iterable[Atom], false: Iterable[Atom]) -> str:
    """Return a phrase that says which atoms are true and which are false."""
    sides = ((sorted(map(str, atoms)), word) for atoms, word in ((true, "true"), (false, "false")))
    return ", ".join(
        f"{listed(names, ATOMS_LISTED)} {'is' if len(names) == 1 else 'are'} {word}" for names, word in sides if names
    )


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


class Solutions:
    """A comparison of a level's rules with its constraints.

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
        """Compare the solutions of the constraints with the rules until they differ. Raises LimitReached."""
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
        except StepMismatch as mismatch:
            self.difference = mismatch.after(mismatch.moves)

    def _compare_solutions(self, constrained: Constrained) -> bool:
        """Replay up to MOST_SOLUTIONS solutions of the constraints; return whether there are no further solutions."""
        model = constrained.constraints()
        search = Search(model, most_nodes=MOST_NODES)
        for number, values in enumerate(search.solutions()):
            if number == MOST_SOLUTIONS:
                return False
            self._play(tuple(constrained.moves_to(values)), values, model)
            self.number = number + 1
        return True

    def _play(self, moves: tuple[str, ...], values: Values, model: Constraints) -> None:
        """Replay a solution of the constraints; raise an exception if it does not solve the level at its cost."""
        words = f"{' '.join(moves) or 'nothing to do'} solves it: {_shown(values)}"
        played = replay(self._level, moves)
        if not played.solved:
            legal = moves if played.step is None else moves[: played.step - 1]
            raise _apart(legal, played.reason, words)
        if model.costs is not None and model.cost(values) != played.cost:
            theirs = f"it costs {model.cost(values)}: {_shown(values)}"
            raise _apart(moves, f"{' '.join(moves)} costs {played.cost}", theirs)
        self._ends.update(accumulate(moves, lambda position, move: position.apply(move), initial=self._level))
        self._costs.setdefault(played.cost, moves)
        if model.costs is None and len(self._costs) > 1:
            (cost, first), (other, second) = self._costs.items()
            rules = f"{' '.join(first)} costs {cost}, {' '.join(second)} costs {other}"
            raise _apart(moves, rules, "all solutions cost the same")

    def _compare_ends(self, space: RulesSpace) -> None:
        """Require that the constraints have a solution for each solved position that the rules reach."""
        goals = space.goals

        def after(state: int) -> list[int]:
            return [] if goals[state] else [target for _, target in space.successors(state)]

        for state in distances([0], after):
            if goals[state] and space.positions[state] not in self._ends:
                words = f"none of {self.number:,} solutions leads here"
                raise _apart(space.path(state), "the puzzle is solved", words)

    def _compare_least(self, space: RulesSpace) -> None:
        cost, plan = space.goal_distance[0], space.plan()
        if plan is not None and self._costs and cost != min(self._costs):
            rules = f"{' '.join(plan)} solves it, and costs {cost}"
            raise _apart(plan, rules, f"no solution costs less than {min(self._costs)}")


def _apart(moves: Sequence[str], rules: str, constraints: str) -> StepMismatch:
    return StepMismatch(rules, kind=CONSTRAINTS, constraints=constraints, moves=moves)


def _shown(values: Values) -> str:
    return listed([f"{name}={value}" for name, value in values.items()], VALUES_SHOWN)
