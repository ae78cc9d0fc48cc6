"""The planner `subgoals`, which reaches subgoals one after the other (Korf, 1987); its plans are not optimal.

subgoals              the stages as they are found, joined
subgoals:shorten      and moves that are undone at once removed, in one pass
subgoals:loop-free    and all loops cut out: no position is visited twice
subgoals:windows      and each window of the plan solved again at least cost, until none gets shorter; `windows=STATES`
                      says how many states that may expand at the most

A puzzle gives its subgoals and a view of the position for each stage (`puzzle.Subgoal`); a stage is A* on these views.
In PDDL a stage is its own task, for any planner: `solve_by_subgoals`. If a stage destroys something that a later one
needs, the search gives up, which proves nothing. Windows need the compiled core, and raise an error without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import pairwise
from operator import mul
from time import perf_counter
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Limits, checkpoint, current, part, phase
from unpuzzle.base.text import suggestion
from unpuzzle.base.values import Record
from unpuzzle.model.capabilities import subgoals_of
from unpuzzle.model.heuristic import Subgoal, exceeds
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import task_within
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Atom, Condition, GroundAction, Not, Plan, Task
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.planners.rules.search import Counts, SearchGraph
from unpuzzle.planners.rules.strategies import best_first
from unpuzzle.planning import registry, running
from unpuzzle.planning.planner import RULES, TASK, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.registry import ConfigurationSyntax, NumberSyntax, read_configuration, require_ties
from unpuzzle.planning.result import Result
from unpuzzle.planning.running import judge

IMPROVEMENTS = ("shorten", "loop-free", "windows")
TIME_FOR_WINDOWS = 0.8
"""The share of the remaining time for windows: the plan has to be validated afterwards."""

FORMS = {
    name: ConfigurationSyntax(NumberSyntax("number of states") if name == "windows" else None) for name in IMPROVEMENTS
}
SUMS = ("expanded", "evaluated", "generated")
Literal = Atom | Not
Group = tuple[Literal, ...]
BUDGET = 10_000_000


class Stages:
    """A search that reaches the subgoals of a puzzle one after the other, each by an A* search (a stage).

    Attributes:
        done: of each stage solved so far the `group` of subgoals, the states `expanded`, and the `length` in steps.
        moves: the moves of all stages solved so far, joined.
        condition: the claim of the game's author on which the answer depends, as in `Result`.
    """

    def __init__(self, puzzle: Position, ties: str, options: SearchOptions) -> None:
        self.puzzle: Position = puzzle
        self.subgoals: Sequence[Subgoal] = subgoals_of(puzzle) or ()
        self.ties: str = ties
        self.tell: Callable[[str], None] | None = options.progress
        self._counts: list[Counts] = []
        self.done: list[dict[str, Any]] = []
        self.moves: list[str] = []
        self.condition: str | None = None

    def run(self) -> tuple[str, str]:
        """Solve the stages until one has no solution; return a status and a message. Raises LimitReached."""
        if (reason := self.puzzle.impossible()) is not None:
            self.condition = "impossible() is right"
            return UNSOLVABLE, reason
        position = self.puzzle
        for subgoal in () if position.solved() else self.subgoals:
            number = f"stage {len(self.done) + 1} of {len(self.subgoals)} ({subgoal.name})"
            if self.tell is not None:
                self.tell(number)
            with phase(f"searching, at {number}"):
                moves = self._search(subgoal, position)
            if moves is None:
                return GAVE_UP, f"{number} has no solution from the position in which the earlier stages ended"
            for move in moves:
                position = position.apply(move)
            self.moves += moves
            self.done.append({"group": subgoal.name, "expanded": self._counts[-1].expanded, "length": len(moves)})
        # Optimal if no moves were needed, or if there was only one stage with an admissible estimate.
        if not self.moves:
            return SOLVED_OPTIMALLY, ""
        if len(self.subgoals) > 1 or not self.subgoals[0].admissible:
            return SOLVED, ""
        name, counts = self.subgoals[0].name, self._counts[0]
        if exceeds(counts.bound, counts.cost):
            return SOLVED, f"the estimate of the subgoal {name} is not admissible: a path costs {counts.cost}"
        self.condition = f"the estimate of the subgoal {name} is admissible and consistent"
        return SOLVED_OPTIMALLY, f"optimal if {self.condition}"

    def _search(self, subgoal: Subgoal, position: Position) -> list[str] | None:
        graph = SearchGraph(subgoal.view(position), subgoal.successors, subgoal.achieved)
        self._counts.append(graph.counts)
        estimate = subgoal.estimate
        return best_first(graph, lambda g, view: g + estimate(view), ties=self.ties, key=subgoal.key, reopen=False)

    def counts(self) -> dict[str, int]:
        """Return the counts of all stages: states expanded, evaluated and generated, and the largest open list."""
        sums = {name: sum(getattr(counts, name) for counts in self._counts) for name in SUMS}
        return sums | {"frontier": max([counts.frontier for counts in self._counts], default=0)}


class BySubgoals(Planner):
    """The planner `subgoals`, which reaches groups of a puzzle's subgoals one after the other.

    Args:
        config: one of `IMPROVEMENTS`, or None to keep the plan unchanged.
        ties: which of several best views is first in a stage, see `rules.strategies.Frontier`. With the default, Korf's
            15-puzzles have the shortest solutions.

    Results have these `details`: `stages`, each with `group`, `expanded` and `length`; `shortened` and `loop_free`, the
    numbers of moves after these improvements, even if they were not asked for; and with windows `windowed`, the number
    of moves, `windows`, the number of windows solved, and `window_states`, the states expanded in them.

    Raises UsageError for an unknown configuration and unknown ties.
    """

    reads: tuple[str, ...] = (RULES,)
    reports: bool = True

    def __init__(self, config: str | None = None, *, ties: str = "path-lexicographic") -> None:
        self.name: str = "subgoals" if config is None else f"subgoals:{config}"
        chosen = None if config is None else read_configuration("subgoals", config, FORMS)
        self.improvement: str | None = None if chosen is None else chosen.name
        self.budget: int | None = None if chosen is None or chosen.number is None else int(chosen.number)
        self.ties: str = require_ties(ties)

    def require(self, subject: Position) -> None:
        if subgoals_of(subject) is None:
            raise UsageError(f"planner '{self.name}': {subject.game.name} defines no subgoals")

    def solve(self, subject: Position, options: SearchOptions = USUAL) -> Result:
        """Solve a puzzle in stages, one for each of its subgoals.

        Raises UsageError for a puzzle without subgoals, DependencyMissing for windows without the compiled core.
        """
        self.require(subject)
        start = perf_counter()
        check(self.improvement, self.name)
        with phase("searching"):
            stages = Stages(subject, self.ties, options)
            try:
                status, message = stages.run()
            except LimitReached as reached:
                status, message = reached.status, str(reached)
            except MemoryError:
                status, message = MEMOUT, "the memory ran out while searching"
            result = Result(
                status,
                self.name,
                seconds={"search": perf_counter() - start},
                message=message,
                condition=stages.condition,
                details={"stages": stages.done},
            ).replace(**stages.counts())
            if result.solved:
                try:
                    trail = walk(subject, stages.moves)  # large positions fill the memory
                    result, moves = improve(result, trail, self.improvement, subject, self.budget)
                    result = result.replace(moves=moves)
                except LimitReached as reached:
                    result = result.replace(status=reached.status, message=str(reached))
            return result.replace(peak_memory=current().peak())


class SubgoalsKind(PlannerKind):
    """The planner kind `subgoals`, whose planners reach groups of a puzzle's subgoals one after the other."""

    name: str = "subgoals"
    configurations: str = f"[:{'|:'.join(IMPROVEMENTS)}[=STATES]]"
    settings: tuple[str, ...] = ("ties",)
    planner = BySubgoals


def check(improvement: str | None, planner: str) -> None:
    """Raise UsageError for an unknown method `improvement`, DependencyMissing if it needs the missing C++ core."""
    if improvement not in (None, *IMPROVEMENTS):
        hint = suggestion(improvement, IMPROVEMENTS) or f"; it must be one of {', '.join(IMPROVEMENTS)}"
        raise UsageError(f"{planner}: unknown improvement '{improvement}'{hint}")
    if improvement == "windows":
        from unpuzzle.planners import native

        if absent := native.missing():
            raise DependencyMissing(f"{planner} cannot improve plans by windows: {absent}", dependency="native")


def improve(
    result: Result, trail: Trail, improvement: str | None, subject: Position | Task, budget: int | None
) -> tuple[Result, tuple[Any, ...]]:
    """Improve a plan by the method `improvement`; return the result with the new plan, and the new plan's steps.

    The `result` is from the search that found the trail, a plan for `subject`; `budget` is the number of states for
    windows, None for the default.
    """
    start = perf_counter()
    trails = {None: trail, "shorten": shorten(trail), "loop-free": without_loops(trail)}
    details = {"shortened": len(trails["shorten"].steps), "loop_free": len(trails["loop-free"].steps)}
    best = trails.get(improvement, trails["loop-free"])
    steps = best.steps
    if improvement == "windows":
        better = Windowed(steps)
        if result.status != SOLVED_OPTIMALLY:
            own = part("optimising windows", share=TIME_FOR_WINDOWS)
            with suppress(LimitReached, MemoryError), own:  # while the task is grounded
                better = optimise(subject, best, budget=BUDGET if budget is None else budget)
        steps = better.steps
        details |= {"windowed": len(steps), "windows": better.windows, "window_states": better.expanded}
        result = result.replace(status=SOLVED_OPTIMALLY) if better.optimal else result
    return result.replace(details={**result.details, **details}).lasting(improve=perf_counter() - start), steps


def solve_by_subgoals(
    task: Task,
    groups: Iterable[Iterable[Literal]] | None = None,
    *,
    planner: str | Planner = "native",
    limits: Limits | None = None,
    improvement: str | None = None,
    budget: int | None = None,
) -> Result:
    """Solve a task in stages with any planner, one stage for each group of goal literals; validate the plan.

    Args:
        task: its goal is a conjunction of ground literals.
        groups: of literals of the goal, in the order of achievement; the remaining literals are the last group. None:
          each literal alone, in the order of the goal.
        planner: reads tasks; solves the stages.
        limits: for all stages and the later work together.
        improvement: None, or `shorten`, `loop-free` or `windows`, as for the planner `subgoals`.
        budget: for windows; see `optimise`.

    The result has the `details` of the planner `subgoals`; `expanded`, `evaluated` and `generated` are sums. Its status
    is `solved`, unless one stage was the whole task or the windows prove more; `unsolvable` if the first stage is
    unsolvable; and `gave_up` if a later one is.

    Raises UsageError for literals that are not of the goal and unknown planners, UnsupportedFeature for goals that are
    not conjunctions of literals, and the errors of the planner.
    """
    if not isinstance(task, Task):
        raise UsageError(f"only a pddl.Task can be solved by groups of goal literals, not {task!r:.60}")
    start, run = perf_counter(), running.begin(limits, None)
    chosen = registry.find(planner)
    if TASK not in chosen.reads:
        message = "reads the rules of a puzzle, not a PDDL task: choose a planner that reads PDDL"
        raise UsageError(f"planner '{chosen.name}' {message}")
    check(improvement, "subgoals")
    stages = _TaskStages(task, _groups(task, groups), chosen)
    try:
        with run:
            result = stages.run()
            if result.solved:
                result, steps = improve(result, trail_of(task, stages.actions), improvement, task, budget)
                result = judge(result.replace(plan=Plan(steps)), task)
    except LimitReached as reached:
        result = stages.result(reached.status, str(reached))
    return result.replace(peak_memory=run.peak()).lasting(total=perf_counter() - start)


def _groups(task: Task, given: Iterable[Iterable[Literal]] | None) -> list[Group]:
    """Return the groups `given`, or one for each goal literal; literals that no group contains form one more group."""
    goal = dict.fromkeys(_literals(task.problem.goal))
    groups: list[Group] = [(literal,) for literal in goal] if given is None else [tuple(group) for group in given]
    for literal in (literal for group in groups for literal in group):
        if literal not in goal:
            literals = {_text(other): None for other in goal}
            hint = suggestion(_text(literal), literals) or f"; its literals are {' '.join(literals)}"
            raise UsageError(f"{_text(literal)} is not a literal of the goal{hint}")
    rest = tuple(literal for literal in goal if not any(literal in group for group in groups))
    return [*groups, rest] if rest else groups


def _literals(goal: Condition) -> Iterator[Literal]:
    for conjunct in conjuncts(goal):
        if not (isinstance(conjunct, Atom) or (isinstance(conjunct, Not) and isinstance(conjunct.operand, Atom))):
            kind = f"'{type(conjunct).__name__.lower()}'"
            message = f"subgoals are literals, but the goal has {kind} in it"
            raise UnsupportedFeature(message, feature=f"{kind} in a goal with subgoals")
        yield conjunct


def _text(*literals: Literal) -> str:
    return " ".join(f"(not {each.operand})" if isinstance(each, Not) else str(each) for each in literals)


class _TaskStages:
    """The search for a task's plan in stages, one for each group of goal literals; `actions` are the steps found.

        stage 1    initial state                 ──► the literals of group 1
        stage 2    where stage 1 has ended       ──► the literals of groups 1 and 2
        ...        the last stage reaches the goal

    A stage may destroy achieved literals if it achieves them again. An unsolvable stage proves nothing, unless it
    begins in the initial state: its goal is part of the task's goal.
    """

    def __init__(self, task: Task, groups: list[Group], planner: Planner) -> None:
        self.began = perf_counter()
        self.task, self.groups, self.planner = task, groups, planner
        self.actions: list[GroundAction] = []
        self.done: list[dict[str, Any]] = []
        self.counts: dict[str, int | None] = dict.fromkeys(SUMS, 0)

    def run(self) -> Result:
        """Solve all stages; return a result without the plan, which is in the attribute `actions`."""
        goal: list[Literal] = []
        status, semantics = SOLVED_OPTIMALLY, Semantics(self.task)
        state: State = semantics.initial
        for group in self.groups:
            goal += group
            # The task that begins where the last stage has ended.
            domain, init = self.task.domain, tuple(sorted(state, key=str))
            stage = Task(domain, self.task.problem.replace(init=init, goal=And(tuple(goal))).trusted(domain))
            answer = running.run(self.planner, stage)
            for name, total in self.counts.items():
                more = getattr(answer, name)
                self.counts[name] = None if more is None or total is None else total + more
            if answer.plan is None:
                return self.result(*self._failure(answer, group)).replace(log=answer.log)
            for action in answer.plan:
                state = semantics.apply(state, action)
            self.actions += answer.plan
            self.done.append({"group": _text(*group), "expanded": answer.expanded, "length": len(answer.plan)})
            status = answer.status if len(self.groups) == 1 or not self.actions else SOLVED
        return self.result(status)

    def result(self, status: str, message: str = "") -> Result:
        """Return a result with the counts of the stages so far, without a plan."""
        return Result(
            status,
            f"subgoals by {self.planner.name}",
            seconds={"search": perf_counter() - self.began},
            message=message,
            details={"stages": self.done},
        ).replace(**self.counts)

    def _failure(self, answer: Result, group: Group) -> tuple[str, str]:
        """Return the status and the message of the whole search after a stage without a plan."""
        number = f"stage {len(self.done) + 1} of {len(self.groups)}, {_text(*group)}"
        if answer.status != UNSOLVABLE:
            return answer.status, f"at {number}: {answer.message}"
        if not self.actions:  # it begins where the task does, and needs no more than the task
            return UNSOLVABLE, f"{number}, has no plan, so the task has none"
        return GAVE_UP, f"{number}, has no plan from the state in which the earlier stages ended"


# Trails, the states and steps of a plan, and plans without needless steps:
#
#     trail = walk(position, moves)      or trail_of(task, actions): states s0 ... sn and the steps between them
#     shorten(trail)                     s a t b s ... → s ...       steps that are undone at once, in one pass
#     without_loops(trail)               s a ...... z s ... → s ...  all loops; where loops overlap, the best choice
#
# The best choice is a cheapest path through the states of the trail that uses only its steps (E. W. Dijkstra, 1959).
# Both keep the first and the last state. `optimise` makes better trails by other steps, window by window.


class Trail(Record):
    """A plan with its states: `states[i]` is the state before `steps[i]`, and `costs[i]` is the step's cost."""

    states: tuple[Any, ...]
    steps: tuple[Any, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        return sum(self.costs)

    def only(self, places: Sequence[int]) -> Trail:
        """Return a trail with the steps at the given indices; the steps left out must lead back to the same state."""
        states = (self.states[0], *[self.states[place + 1] for place in places])
        return Trail(
            states, tuple([self.steps[place] for place in places]), tuple([self.costs[place] for place in places])
        )


def walk(puzzle: Position, moves: Iterable[str]) -> Trail:
    """Make moves from a position, and return them as a trail. Raises IllegalMove, LimitReached."""
    states, steps, costs = [puzzle], tuple(moves), []
    for move in steps:
        checkpoint()
        costs.append(states[-1].cost(move))
        states.append(states[-1].apply(move))
    return Trail(tuple(states), steps, tuple(costs))


def trail_of(task: Task, actions: Iterable[GroundAction]) -> Trail:
    """Carry out a task's plan, and return it as a trail. Raises IllegalMove if an action is not applicable."""
    semantics = Semantics(task)
    states, steps = [semantics.initial], tuple(actions)
    for action in steps:
        states.append(semantics.apply(states[-1], action))
    return Trail(tuple(states), steps, tuple([semantics.cost(action) for action in steps]))


def shorten(trail: Trail) -> Trail:
    """Remove pairs of steps of which the second undoes the first: `a b b' a'` becomes `a a'`."""
    places, place, states = list[int](), 0, trail.states
    while place < len(trail.steps):
        if place + 2 < len(states) and states[place] == states[place + 2]:
            place += 2
        else:
            places.append(place)
            place += 1
    return trail.only(places)


def without_loops(trail: Trail) -> Trail:
    """Return the cheapest part of a trail that leads from its first to its last state without repeated states."""
    ways: dict[Hashable, list[int]] = {}
    for place, state in enumerate(trail.states[:-1]):
        ways.setdefault(state, []).append(place)
    arrivals: dict[Hashable, int] = {}  # by state: the step that leads there
    queue: list[tuple[int, int, int]] = [(0, 0, -1)]
    while trail.states[-1] not in arrivals:
        cost, count, step = heappop(queue)
        state = trail.states[step + 1]
        if state in arrivals:
            continue
        arrivals[state] = step
        for place in ways.get(state, ()):
            heappush(queue, (cost + trail.costs[place], count + 1, place))
    steps, step = [], arrivals[trail.states[-1]]
    while step >= 0:
        steps.append(step)
        step = arrivals[trail.states[step]]
    return trail.only(steps[::-1])


# Window optimisation: stretches of a plan are solved again at least cost, from their first state to their last.
#
#     s0 ─────────────────────────────────────────► sn        a plan
#         [ window ]                                          cheaper? then it takes the place of the old stretch
#             [ window ]  ...                                 until no window of this size gets cheaper
#     [    larger window    ]  ...                            then larger ones, until the budget is spent
#
# Plans that are joined from stages, or found greedily, are bad nearly everywhere, and easily improved even if a search
# of the whole is hopeless (H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search, 2010; F.
# H. Siddiqui and P. Haslum, Plan quality optimisation via block decomposition, 2013). The native core searches the
# windows (`core/plans/windows.cpp`); here a trail of moves or actions becomes a plan of the grounded task, and back.
#
# The budget is a number of expanded states, with all other work at its price in states. So equal calls give equal
# plans on every machine, unless time or memory run out. Then the best plan so far is the answer.


class Windowed(Record):
    """A plan of which parts (windows) were solved again to improve it.

    Attributes: `steps`; whether it is proved `optimal`; the number of `windows` searched, and of states `expanded` in
    them.
    """

    steps: tuple[Any, ...]
    optimal: bool = False
    windows: int = 0
    expanded: int = 0


def optimise(subject: Position | Task, trail: Trail, *, budget: int = BUDGET) -> Windowed:
    """Improve a plan by solving parts of it again; the new plan costs no more than the old one.

    The trail belongs to a plan for the subject (`walk`, `trail_of`); the budget is a number of states.

    Raises LimitReached if grounding reaches a limit, and as grounding does. Needs the compiled core.
    """
    position = subject if isinstance(subject, Position) else None
    grounding = CoreGrounding(subject if isinstance(subject, Task) else task_within(subject))
    task = _core.Task(**grounding.buffers(), time_limit=None, memory_limit=None)
    atoms = trail.states if position is None else (state.atoms() for state in trail.states)
    plan = operators_along(task, grounding, atoms)
    plan, _, optimal, expanded, _, windows = task.improve(plan, *current().remaining(), budget)
    actions = [grounding.action(operator) for operator in plan]
    steps = actions if position is None else [position.decode(action) for action in actions]
    return Windowed(tuple(steps), optimal, windows, expanded)


def operators_along(task: _core.Task, grounding: CoreGrounding, states: Iterable[frozenset[Atom]]) -> list[int]:
    """Return operator numbers of a plan that visits the given states, as sets of atoms, in their order.

    Grounding keeps only one of several equivalent actions, and drops irrelevant facts. So the states define the way,
    not the steps: every relevant change has an operator; other steps are left out.
    """
    variables, costs = grounding.variables(), grounding.buffers()["costs"]
    # For each variable, the value if none of its atoms is true; 0 if one always is, and for derived variables.
    none = [
        variable.values.index(None) if variable.layer < 0 and None in variable.values else 0 for variable in variables
    ]
    places: dict[Atom, list[tuple[int, int]]] = {}
    for number, variable in enumerate(variables):
        for value, atom in enumerate(variable.values if variable.layer < 0 else ()):
            if atom is not None:
                places.setdefault(atom, []).append((number, value))
    path: list[tuple[int, ...]] = []  # states: the value of each variable; 0 for derived ones
    for atoms in states:
        values = none.copy()
        for number, value in (place for atom in atoms for place in places.get(atom, ())):
            values[number] = value
        if not path or path[-1] != tuple(values):
            path.append(tuple(values))

    stored = [variable.layer < 0 for variable in variables]
    plan = []
    for state, following in pairwise(path):
        fitting = (op for op, after in task.successors(state) if tuple(map(mul, after, stored)) == following)
        plan.append(min(fitting, key=costs.__getitem__))
    return plan
