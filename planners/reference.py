"""The planner `reference`, a simple A* search on the reference semantics, with which others are compared.

A state waits in a priority queue with f = g + h: g is the cost of the cheapest path found to it, h the heuristic's
lower bound on the remaining cost. With the blind heuristic, h = 0, f is g, and A* takes the states in the order of
their cost (Dijkstra 1959; Hart, Nilsson, Raphael 1968). So when a goal state is *taken from the queue*, no cheaper path
to any goal can exist. When it is merely found, one still may.

A cheaper path to a state that is still in the queue puts the state in once more; the old entry is recognized by its g
and skipped. Actions of cost 0 need no special care: g decides, not the number of steps.
"""

from __future__ import annotations

from heapq import heappop, heappush
from time import perf_counter

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import current, phase
from unpuzzle.pddl.nodes import Atom, GroundAction, Plan, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planning.planner import MOVES, OBJECTIVES, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of, weigh

State = frozenset[Atom]


class Reference(Planner):
    """The planner `reference`, a slow and simple A* search; its plans are optimal, and it is deterministic."""

    name: str = "reference"
    objectives: tuple[str, ...] = OBJECTIVES

    def solve(self, subject: Task, options: SearchOptions = USUAL) -> Result:
        """Return an optimal plan, or the status `unsolvable` if the search proves that there is no plan.

        Raises ParseError and UnsupportedFeature as `Semantics` does.
        """
        start = ready = perf_counter()
        search = _Search(options)
        try:
            with phase("searching"):
                semantics = Semantics(subject)
                ready = perf_counter()
                status, message = search.run(semantics)
        except LimitReached as reached:
            status, message = reached.status, str(reached)
        except MemoryError:
            status, message = MEMOUT, "the memory ran out while searching"
        end = perf_counter()
        seconds = {"ground": ready - start, "search": end - ready, "total": end - start}
        counts = {name: getattr(search, name) for name in ("expanded", "evaluated", "generated")}
        result = Result(status, self.name, message=message, seconds=seconds, peak_memory=current().peak(), **counts)
        if status != SOLVED_OPTIMALLY:
            return result
        result = result.replace(plan=Plan(search.path()))
        return result.replace(cost=search.cost) if options.objective == MOVES else result


class ReferenceKind(PlannerKind):
    """The planner kind `reference`, which makes planners of the class `Reference`."""

    name: str = "reference"
    planner = Reference


class _Search:
    """One A* search; `best` has the least known cost of each reached state, its parent and the last action.

    Costs are weights of steps, by the objective.
    """

    def __init__(self, options: SearchOptions = USUAL) -> None:
        self.objective, self.max_expanded = options.objective, options.max_expanded
        self.best: dict[State, tuple[int, State | None, GroundAction | None]] = {}
        self.queue: list[tuple[int, int, State]] = []
        self.cost = self.expanded = self.evaluated = self.generated = 0

    def run(self, semantics: Semantics) -> tuple[str, str]:
        """Run the search; return a status and a message. On success, `state` is the goal state, `cost` its cost."""
        walker = None if self.objective == MOVES else walker_of(semantics)
        self.state = semantics.initial
        self._push(0, self.state, None, None)
        while self.queue:
            self.cost, _, self.state = heappop(self.queue)
            if self.cost > self.best[self.state][0]:
                continue  # a cheaper path was found later
            if semantics.solved(self.state):
                return SOLVED_OPTIMALLY, ""
            current().look()
            if self.expanded == self.max_expanded:
                return GAVE_UP, "the limit of expanded states was reached while searching"
            self.expanded += 1
            for action in semantics.applicable(self.state):
                successor = semantics.apply(self.state, action)
                pushes = 0 if walker is None else not walker.is_walk(self.state, action, successor)
                weight = weigh(self.objective, semantics.cost(action), pushes)
                self._push(self.cost + weight, successor, self.state, action)
        return UNSOLVABLE, "all reachable states were searched: there is no plan"

    def _push(self, cost: int, state: State, parent: State | None, action: GroundAction | None) -> None:
        """Add a state to the queue if `cost` is below its least known cost; ties go to the state added first."""
        self.generated += 1
        if state not in self.best or cost < self.best[state][0]:
            self.evaluated += state not in self.best
            self.best[state] = cost, parent, action
            heappush(self.queue, (cost, self.generated, state))

    def path(self) -> tuple[GroundAction, ...]:
        """Return the actions that lead from the initial state to `state`."""
        steps = []
        _, parent, action = self.best[self.state]
        while parent is not None and action is not None:
            steps.append(action)
            _, parent, action = self.best[parent]
        return tuple(reversed(steps))
