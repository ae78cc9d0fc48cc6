"""What anytime planning does: some plan soon, then better ones, then the proof that there is none better.

Three kinds of work take turns, in rounds whose budgets double, since nobody knows beforehand which of them will do it:

    search     greedy, then weighted A* with 5, 3, 2, 1 and again, which leaves out what costs as much as the best plan
               (Richter, Thayer and Ruml 2010; LAMA, Richter and Westphal 2010)
    proof      the next stage of `schedule`, which may also find the first plan, or that there is none
    windows    stretches of the best plan are solved again (`core/plan_windows.cpp`)

So what one of them could do alone is done in at most some six times the time. Budgets are numbers of states, fewer
where there are many operators, never seconds: equal tasks give equal plans on every machine, as far as the time goes.
"""

from __future__ import annotations

from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE

from .schedule import OPERATORS_PER_CONDITIONAL_EFFECT, Stage, schedule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.planners.watch import Watch

    from ._core import Outcome, Task
    from .grounding import CoreGrounding

WEIGHTS = (5, 3, 2, 1)
GUIDES = "ff,landmarks"
EFFORT = 4_000_000
"""States of the first search, times operators."""
LEAST_STATES = 1_000
WINDOW_STATES = 20_000
"""Of the first windows."""
PROOF_STATES = 30_000
"""Of the last stage of `schedule`, the first time."""


class Found:
    """What a turn came to, as `_core.Outcome` tells it; `expanded` and so on are of this turn alone."""

    __slots__ = ("cost", "evaluated", "expanded", "generated", "plan", "status")

    def __init__(
        self, status: str, plan: list[int] | None, cost: int | None, expanded: int, evaluated: int, generated: int
    ) -> None:
        self.status = status
        self.plan = plan
        self.cost = cost
        self.expanded = expanded
        self.evaluated = evaluated
        self.generated = generated


class Anytime:
    """One run of anytime planning.

    Args:
        found: the ground task.
        run: runs a stage with a number of states and a cost below which plans are wanted; None if it is optional and
            does not support the task.
        left: how many states may still be expanded, None for any number.
        watch: over time and memory.
    """

    def __init__(
        self,
        found: CoreGrounding,
        task: Task,
        run: Callable[[Stage, int | None, int | None], Outcome | Found | None],
        left: Callable[[], int | None],
        watch: Watch,
    ) -> None:
        self.task = task
        self.run = run
        self.left = left
        self.watch = watch
        self.best: Outcome | Found | None = None
        self.weights: list[int] = []
        self.started = False
        self.proofs = schedule(found)
        self.full: set[str] = set()  # what ran out of memory and would do so again
        self.settled = 0  # states of windows that did not change the best plan
        work = found.operators + OPERATORS_PER_CONDITIONAL_EFFECT * found.conditional_effects
        self.states = max(LEAST_STATES, EFFORT // max(work, 1))

    def turns(self) -> Iterator[tuple[Stage, Outcome | Found]]:
        """All turns; those that are `solved` have a better plan than before, and the last one has the answer."""
        growth = 1
        while True:
            ran = False
            for kind in (self._search, self._prove, self._windows):
                for stage, found in kind(growth):
                    ran = True
                    yield stage, found
                    if found.status not in {GAVE_UP, SOLVED, MEMOUT}:
                        return
            if not ran:
                return
            growth *= 2

    def _search(self, growth: int) -> Iterator[tuple[Stage, Outcome | Found]]:
        """Searches with ever smaller weights, as long as each finds a better plan."""
        while "search" not in self.full:
            stage = self._stage()
            found = self._ran(stage, self.states * growth)
            if found is None:
                return
            if found.status == UNSOLVABLE and self.best is not None:
                found = Found(
                    SOLVED_OPTIMALLY,
                    self.best.plan,
                    self.best.cost,
                    found.expanded,
                    found.evaluated,
                    found.generated,
                )
            if found.status == MEMOUT:
                self.full.add("search")
            if self.best is not None and self.weights:
                self.weights.pop(0)
            yield stage, self._kept(found)
            if found.status != SOLVED:
                return
            yield from self._windows(1)

    def _stage(self) -> Stage:
        if self.best is None:
            return Stage("gbfs", "gbfs", GUIDES, None, "some plan, soon")
        if not self.weights:
            self.weights = list(WEIGHTS)
        weight = self.weights[0]
        return Stage(f"lazywastar={weight}", "lazywastar", GUIDES, None, "a better plan", weight=weight)

    def _prove(self, growth: int) -> Iterator[tuple[Stage, Outcome | Found]]:
        """The next stage of the schedule; the last one again and again, as it has no budget of its own."""
        while self.proofs:
            stage = self.proofs[0]
            most = stage.most_expanded
            found = self._ran(stage, PROOF_STATES * growth if most is None else most, bounded=False)
            if most is not None or (found is not None and found.status == MEMOUT):
                self.proofs.pop(0)
            if found is not None:
                yield stage, self._kept(found)
                return
            if most is None:
                return

    def _windows(self, growth: int) -> Iterator[tuple[Stage, Outcome | Found]]:
        states = WINDOW_STATES * growth
        if self.best is None or self.best.plan is None or self.settled >= states:
            return
        left = self.left()
        if left == 0:
            return
        plan, cost, optimal, expanded, generated = self.task.improve(
            self.best.plan,
            self.watch.time_left(),
            self.watch.memory_left(),
            states if left is None else min(left, states),
        )
        self.settled = states
        better = cost < (self.best.cost or 0)
        status = SOLVED_OPTIMALLY if optimal else SOLVED if better else GAVE_UP
        found = Found(status, list(plan), cost, expanded, 0, generated)
        if len(plan) < len(self.best.plan):
            self.best = found
        if not better and not optimal:
            found = Found(status, None, None, expanded, 0, generated)
        yield Stage("windows", "windows", "blind", states, "the best plan, improved"), self._kept(found)

    def _ran(self, stage: Stage, states: int, bounded: bool = True) -> Outcome | Found | None:
        left = self.left()
        if left == 0 and self.started:
            return None
        self.started = True
        cost = None if self.best is None or not bounded else self.best.cost
        return self.run(stage, states if left is None else min(left, states), cost)

    def _kept(self, found: Outcome | Found) -> Outcome | Found:
        """The same; a better plan is the best from now on."""
        if found.plan is None:
            return found
        assert found.cost is not None
        if self.best is None or self.best.cost is None or found.cost < self.best.cost:
            self.best, self.settled = found, 0
        return found
