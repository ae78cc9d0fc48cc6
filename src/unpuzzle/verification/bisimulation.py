"""Compare two tasks or games by bisimulation, and name their relation, such as identical or renamed.

    identical           equal names: steps and facts correspond one to one
    renamed             a bijection of names makes them one (`isomorphism`)
    same behaviour      they are bisimilar, but no bijection of names exists: there are other facts, or other steps
    the goal cannot tell them apart     bisimilar, too, but no state or each state is a goal, which says very little
    different           with the shortest way to see it
    undecided           there are too many states, or a limit was reached

Bisimilarity comes first, since all relations but `different` imply it. Names do not count there, only the possible
steps. Two states are the same (*bisimilar*; D. Park, 1981) if both are goals or neither is, and each step from one of
them has a step of equal cost from the other to a state that is the same. Both state spaces are refined into blocks of
states that k steps cannot distinguish (R. Milner's stratification of bisimilarity, 1980; refinement after
P. Kanellakis and S. Smolka, 1983):

    round 0    states are together if both are goals, or neither is
    round k    states that were together in round k - 1 stay together if they reach the same pairs
               (cost, block of round k - 1) in one step

The history of the blocks is kept, so that the shortest way to show a difference is found as a game: one side makes a
step, the other answers with the step of equal cost after which it can follow for longest. The game ends when one side
has a step that the other does not have, or is alone at a goal. A space of more than `max_states` states is compared to
the depth to which all its states were expanded, which is no proof.

If each side has actions that the other does not have, and only one has steps that cost nothing, these steps may be
parts of a step of the other side. They count as silent then (Milner's weak bisimilarity).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.distances import distances
from unpuzzle.base.errors import LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.run import Limits, Run, within_limits
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import task_within
from unpuzzle.pddl.nodes import Task
from unpuzzle.state_space.space import COMPLETE
from unpuzzle.verification.compared_spaces import (
    WORK,
    GrowingSpace,
    NamedSpace,
    NotFoundInTime,
    Renaming,
    Step,
    identical,
    renaming,
    side_of,
)
from unpuzzle.verification.report import (
    DIFFERENT,
    GOAL,
    IDENTICAL,
    MISSING,
    RENAMED,
    SAME_BEHAVIOUR,
    SILENT_GOAL,
    SUPERFLUOUS,
    UNDECIDED,
    GameDifference,
    Sameness,
)

Signature = frozenset[tuple[int, int]]

FIRST_LOOK, FACTOR = 50, 5
"""States compared at first, and the factor for each further attempt: differences are often near the start."""
NOTHING_COMPARED = Sameness((0, 0), (0, 0), 0)


def same(
    first: Task | Position,
    second: Task | Position,
    *,
    max_states: int = MAX_STATES,
    same_objects: bool = False,
    limits: Limits | None = None,
) -> Sameness:
    """Compare two tasks or positions by their state spaces: identical, equal up to names, or different.

    A position means its task; one without PDDL means its rules, whose moves are names. If one of the two has more
    than `max_states` reachable states, or one of the `limits` is reached (`status` names it), and no difference was
    seen, the relation is undecided, with the depth of the comparison.

    Args:
        max_states: the most states of each to compare.
        same_objects: whether equal names of objects mean the same object, where one task has all objects of the other.
        limits: of the comparison.

    Raises UsageError for a subject that is neither a task nor a position; ParseError or UnsupportedFeature for an
    invalid task.
    """
    if max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    for subject in (first, second):
        if not isinstance(subject, Task | Position):
            raise UsageError(f"same() compares tasks and positions, not a {type(subject).__name__}")
    report, most = NOTHING_COMPARED, min(FIRST_LOOK, max_states)
    try:
        with Run(limits, "comparing"):
            comparison = _Comparison(first, second, same_objects)
            report = report.replace(states=(1, 1))
            while True:
                report = comparison.report(most)
                if report.status == COMPLETE or most == max_states:
                    return report
                most = min(FACTOR * most, max_states)  # differences are mostly near the start
    except LimitReached as reached:
        return report.replace(status=reached.status)


class _Comparison:
    """The comparison of two state spaces by partition refinement."""

    def __init__(self, first: Task | Position, second: Task | Position, same_objects: bool) -> None:
        subjects = [_task_of(each) for each in (first, second)]
        self._first, self._second = (GrowingSpace(side_of(each)) for each in subjects)
        tasks = [each for each in subjects if isinstance(each, Task)]
        declared = [{each.name for each in (*task.domain.constants, *task.problem.objects)} for task in tasks]
        fixed = same_objects and len(tasks) == 2 and (declared[0] <= declared[1] or declared[1] <= declared[0])
        self._fixed = frozenset(declared[0] & declared[1]) if fixed else frozenset()
        schemas = [{(each.name, len(each.parameters)) for each in task.domain.actions} for task in tasks]
        self._equal = subjects[0] == subjects[1]
        self._nested = len(tasks) < 2 or schemas[0] <= schemas[1] or schemas[1] <= schemas[0]

    def report(self, most: int) -> Sameness:
        """Compare at most about `most` states of both spaces, and return the report."""
        first, second = self._first, self._second
        first.grow(most)
        second.grow(most)
        depths = [space.depth for space in (first, second) if space.depth is not None]
        depth = min(depths) if depths else None
        figures = (len(first.states), len(second.states)), (first.transitions, second.transitions), depth
        steps = _joined(first.steps, second.steps)
        partition = Partition([*first.goals, *second.goals], steps)
        if partition.part(len(first.states), depth):
            # If exactly one space has steps of cost 0, its steps may be parts of the other's steps.
            free = [any(cost == 0 for out in space.steps for cost, _, _ in out) for space in (first, second)]
            split = free[0] != free[1] and not self._nested
            if split and depth is None and self._bisimilar_without_free_steps():
                return Sameness(*figures, self._behaviour())
            if not split or depth is None:
                return Sameness(*figures, DIFFERENT, self._difference(partition, steps, len(first.states)))
        if depth is not None:
            return Sameness(*figures, status=GAVE_UP)
        relation, found = self._relation(partition)
        return Sameness(*figures, relation, bijection=found, status=GAVE_UP if relation == UNDECIDED else COMPLETE)

    def _bisimilar_without_free_steps(self) -> bool:
        """Return whether both spaces are bisimilar if steps of cost 0 are ignored; False if the work is too much."""
        try:
            (goals, steps), (others, second) = (_without_free_steps(each) for each in (self._first, self._second))
        except NotFoundInTime:
            return False
        return not Partition([*goals, *others], _joined(steps, second)).part(len(goals), None)

    def _relation(self, partition: Partition) -> tuple[str, Renaming | None]:
        """Return how two bisimilar spaces are related: identical, renamed, or only equal in behaviour."""
        one, two = (NamedSpace(space) for space in (self._first, self._second))
        if not one.words and not two.words:  # there are no names to compare
            return IDENTICAL if self._equal else self._behaviour(), None
        if identical(one, two):
            return IDENTICAL, None
        depths, count = [*self._first.depths, *self._second.depths], len(one.states)
        colours = list(zip(partition.blocks, depths, strict=True))
        try:
            found = renaming(one, two, (colours[:count], colours[count:]), self._fixed)
        except NotFoundInTime:
            return UNDECIDED, None
        return (self._behaviour(), None) if found is None else (RENAMED, found)

    def _behaviour(self) -> str:
        """Return the relation of bisimilar spaces that no renaming makes equal, which depends on their goals."""
        return SAME_BEHAVIOUR if any(self._first.goals) and not all(self._first.goals) else SILENT_GOAL

    def _difference(self, partition: Partition, steps: list[Sequence[Step]], other: int) -> GameDifference:
        """Return the shortest sequences of steps, one in each space, to states that differ in their steps or goals."""
        here, there = 0, other
        ways: tuple[list[str], list[str]] = ([], [])
        while partition.parted(here, there):
            attack, answer = _distinguishing_step(partition, steps[here], steps[there])
            if attack is None or answer is None:
                break
            here, there = attack[1], answer[1]
            ways[0].append(attack[2])
            ways[1].append(answer[2])
        return self._difference_at((tuple(ways[0]), tuple(ways[1])), here, there - other)

    def _difference_at(self, ways: tuple[tuple[str, ...], tuple[str, ...]], here: int, there: int) -> GameDifference:
        """Return the difference between state `here` of the first space and state `there` of the second, in words."""
        first, second = self._first, self._second
        pictures = first.side.picture(first.states[here]), second.side.picture(second.states[there])
        if first.goals[here] != second.goals[there]:
            words = [f"this is {'a' if goal else 'no'} goal" for goal in (first.goals[here], second.goals[there])]
            return GameDifference(*ways, GOAL, words[0], words[1], None, pictures)
        one, two = first.steps[here], second.steps[there]
        for kind, having, lacking in ((MISSING, one, two), (SUPERFLUOUS, two, one)):
            costs = {cost for cost, _, _ in lacking}
            step = next((step for step in having if step[0] not in costs), None)
            if step is not None:
                yes, no = f"{step[2]} is possible, for {step[0]}", "no step is possible"
                if lacking:
                    others = ", ".join(f"{name} costs {cost}" for cost, _, name in lacking[:3])
                    no = f"no step costs {step[0]}: {others}"
                words = [yes, no] if kind == MISSING else [no, yes]
                return GameDifference(*ways, kind, words[0], words[1], step[2], pictures)
        raise AssertionError("different states must differ in something")


def _task_of(subject: Task | Position) -> Task | Position:
    """Return the task of a position; return a task, or a position without PDDL, unchanged."""
    try:
        return task_within(subject) if isinstance(subject, Position) else subject
    except UnsupportedFeature:
        return subject


def _joined(first: Sequence[Sequence[Step]], second: Sequence[Sequence[Step]]) -> list[Sequence[Step]]:
    """Return the steps of two spaces in one list; the states of the second space are renumbered."""
    other = len(first)
    return [*first, *[[(cost, other + after, name) for cost, after, name in out] for out in second]]


def _without_free_steps(space: GrowingSpace) -> tuple[list[bool], list[list[Step]]]:
    """Return the goals and steps of a space in which steps of cost 0 are merged with their neighbouring steps."""
    free = [[after for cost, after, _ in out if cost == 0] for out in space.steps]
    reached: list[list[int]] = []
    work = 0
    for state in range(len(free)):
        reached.append(list(distances([state], free.__getitem__)))
        work += len(reached[state])
        if work > WORK:
            raise NotFoundInTime("too many states are connected by steps of cost 0")
    goals = [any(space.goals[each] for each in there) for there in reached]
    steps: list[list[Step]] = []
    for there in within_limits(reached):
        ends = {(cost, end) for each in there for cost, after, _ in space.steps[each] for end in reached[after]}
        steps.append([(cost, end, "") for cost, end in sorted(ends | {(0, each) for each in there})])
    return goals, steps


def _distinguishing_step(
    partition: Partition, first: Sequence[Step], second: Sequence[Step]
) -> tuple[Step, Step] | tuple[None, None]:
    """Return a step of each of two states: the step that shows their difference soonest, and the best answer to it."""
    ours, theirs = _best(partition, first, second), _best(partition, second, first)
    _, step, answer = min(ours, theirs, key=lambda best: best[0])
    if step is None or answer is None:
        return None, None
    return (step, answer) if ours[0] <= theirs[0] else (answer, step)


def _best(
    partition: Partition, steps: Sequence[Step], others: Sequence[Step]
) -> tuple[float, Step | None, Step | None]:
    """Return the number of rounds after which a difference shows, the step that shows it, and the best answer."""
    best: tuple[float, Step | None, Step | None] = (inf, None, None)
    for step in steps:
        answers = [(partition.parted(step[1], other[1]), other) for other in others if other[0] == step[0]]
        rounds = [(parted, other) for parted, other in answers if parted is not None]
        if len(rounds) == len(answers):
            longest, answer = max(rounds, key=lambda each: each[0], default=(-1, None))
            best = min(best, (longest, step, answer), key=lambda each: each[0])
    return best


class Partition:
    """A partition of states 0, 1, 2, ... into blocks of states that behave the same, refined in rounds.

    Each round looks only at states with a step into a block that was split; its largest part keeps its number.
    """

    def __init__(self, goals: Sequence[bool], steps: Sequence[Sequence[Step]]) -> None:
        self._steps = steps
        self._block = [int(goal) for goal in goals]
        self._sizes = [self._block.count(0), self._block.count(1)]
        self._history = [[(0, block)] for block in self._block]
        self._before: list[list[int]] = [[] for _ in goals]
        for state, out in within_limits(enumerate(steps)):
            for _, successor, _ in out:
                self._before[successor].append(state)
        self._doubtful: Iterable[int] = range(len(self._block))
        self._round = 0

    @property
    def blocks(self) -> Sequence[int]:
        """The number of the block of each state."""
        return self._block

    def part(self, other: int, rounds: int | None) -> bool:
        """Refine the partition in up to `rounds` rounds; return whether it separates state 0 from state `other`."""
        while self.parted(0, other) is None and (rounds is None or self._round < rounds) and self.refine():
            pass
        return self.parted(0, other) is not None

    def refine(self) -> bool:
        """Refine the blocks once; return False if no block was split."""
        self._round += 1
        doubtful: dict[int, dict[Signature, list[int]]] = {}  # by block, and by the pairs of cost and block reached
        for state in within_limits(self._doubtful):
            signature = frozenset([(cost, self._block[successor]) for cost, successor, _ in self._steps[state]])
            doubtful.setdefault(self._block[state], {}).setdefault(signature, []).append(state)
        moved: list[tuple[int, int]] = []
        for block, parts in doubtful.items():
            groups = sorted(parts.values(), key=len)
            if sum(map(len, groups)) == self._sizes[block]:
                groups.pop()  # the largest group stays, if no others do
            for group in groups:
                moved += [(state, len(self._sizes)) for state in group]
                self._sizes[block] -= len(group)
                self._sizes.append(len(group))
        for state, block in moved:
            self._block[state] = block
            self._history[state].append((self._round, block))
        self._doubtful = {before for state, _ in moved for before in self._before[state]}
        return bool(moved)

    def parted(self, first: int, second: int) -> int | None:
        """Return the round in which two states were put into different blocks; None if they share a block."""
        if self._block[first] == self._block[second]:
            return None
        changes = sorted({number for state in (first, second) for number, _ in self._history[state]})
        return next(number for number in changes if self._at(first, number) != self._at(second, number))

    def _at(self, state: int, number: int) -> int:
        return next(block for changed, block in reversed(self._history[state]) if changed <= number)
