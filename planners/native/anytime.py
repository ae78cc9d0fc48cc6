"""What anytime planning does: some plan soon, then better ones, then the proof that there is none better.

Three kinds of work take turns, in rounds whose budgets grow, since nobody knows beforehand which of them will do it:

    search     greedy, then weighted A* with 5, 3, 2, 1 and again, which leaves out what costs as much as the best plan
               (Richter, Thayer and Ruml 2010; LAMA, Richter and Westphal 2010)
    proof      the next stage of `schedule`, which may also find the first plan, or that there is none
    windows    stretches of the best plan are solved again (`core/plan_windows.cpp`)

So each of them gets its part of the time, and what is begun anew has cost less than what follows. Budgets are numbers
of states, fewer where there are many operators, never seconds: equal tasks give equal plans on every machine, as far as
the time goes.
"""

from __future__ import annotations

from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE

from .schedule import Stage, effort_of, schedule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.planners.watch import Watch

    from ._core import Outcome, Task
    from .grounding import CoreGrounding

WEIGHTS = (5, 3, 2, 1)
GUIDES = ("ff,landmarks", "ff")
"""For weighted A* the first, for greedy search in turn: where one is misled, the other mostly is not."""
EFFORT = 16_000_000
"""States of the first search, times operators."""
LEAST_STATES = 1_000
WINDOW_STATES = 20_000
"""Of the first windows."""
PATIENCE = 2
"""So often a weight is tried until the next one gets its turn."""
GROWTH, GROWTH_WITHOUT = 2, 4
"""From round to round, with a plan and without one."""
DATABASES_FROM = 16
"""Growth from which pattern databases are worth building."""
PROOF_STATES = 300_000
"""Of stages of `schedule` that may have more, the first time; with landmark cuts, as many as of searches."""


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
        self.failures = 0  # of searches, one after the other
        self.guides = list(GUIDES)
        self.started = False
        stages = schedule(found)
        self.proofs = [stage for stage in stages if not stage.after_memout]
        self.after_memout = [stage for stage in stages if stage.after_memout]
        self.full: set[str] = set()  # what ran out of memory and would do so again
        self.settled = 0  # states of windows that did not change the best plan
        self.states = max(LEAST_STATES, EFFORT // effort_of(found))

    def turns(self) -> Iterator[tuple[Stage, Outcome | Found]]:
        """All turns; those that are `solved` have a better plan than before, and the last one has the answer."""
        growth = 1
        while True:
            ran = False
            for kind in (self._search, self._prove, self._windows):
                for stage, found in kind(growth):
                    ran = ran or kind != self._windows or found.status == SOLVED
                    yield stage, found
                    if found.status not in {GAVE_UP, SOLVED, MEMOUT}:
                        return
            if not ran:
                return
            growth *= GROWTH_WITHOUT if self.best is None else GROWTH

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
            self.failures = 0 if found.status == SOLVED else self.failures + 1
            if self.weights and self.failures % PATIENCE == 0:
                self.weights.pop(0)
            yield stage, self._kept(found)
            if found.status != SOLVED:
                return
            yield from self._windows(1)

    def _stage(self) -> Stage:
        if self.best is None:
            self.guides = [*self.guides[1:], self.guides[0]]
            return Stage("gbfs", "gbfs", self.guides[-1], None, "some plan, soon")
        if not self.weights:
            self.weights = list(WEIGHTS)
        weight = self.weights[0]
        return Stage(f"lazywastar={weight}", "lazywastar", GUIDES[0], None, "a better plan", weight=weight)

    def _prove(self, growth: int) -> Iterator[tuple[Stage, Outcome | Found]]:
        """The next stage of the schedule; what has not had its full budget waits for another turn."""
        while self.proofs:
            stage = self.proofs.pop(0)
            if stage.heuristic == "pdb" and growth < DATABASES_FROM and "search" not in self.full:
                self.proofs.insert(0, stage)
                return
            most = self.states * growth if stage.heuristic == "lmcut" else PROOF_STATES * growth
            whole = stage.most_expanded is not None and stage.most_expanded <= most
            found = self._ran(stage, stage.most_expanded if whole else most, bounded=False)
            if found is None:
                continue
            if found.status == MEMOUT and stage.most_expanded is None:
                self.proofs += self.after_memout
                self.after_memout = []
            elif not whole and found.status != MEMOUT:
                self.proofs.append(stage)
            yield stage, self._kept(found)
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

    def _ran(self, stage: Stage, states: int | None, bounded: bool = True) -> Outcome | Found | None:
        left = self.left()
        if left == 0 and self.started:
            return None
        self.started = True
        cost = None if self.best is None or not bounded else self.best.cost
        return self.run(stage, states if left is None or states is None else min(left, states), cost)

    def _kept(self, found: Outcome | Found) -> Outcome | Found:
        """The same; a better plan is the best from now on."""
        if found.plan is None:
            return found
        assert found.cost is not None
        if self.best is None or self.best.cost is None or found.cost < self.best.cost:
            self.best, self.settled = found, 0
        return found
