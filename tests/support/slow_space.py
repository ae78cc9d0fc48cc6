"""The slow twin of every state space: all states in dictionaries, and what they cost by Dijkstra's search."""

import heapq
from functools import cached_property


class SlowSpace:
    """All states that can be reached from one, in breadth-first order; `complete` unless there are more than `most`.

    `steps(state)` yields the name, the cost and the end of each step from a state.
    """

    def __init__(self, start, steps, solved, most):
        self.start, self.steps, self.depth, waiting = start, {}, {start: 0}, [start]
        for state in waiting:
            if len(self.depth) > most:
                break
            self.steps[state] = list(steps(state))
            for _, _, after in self.steps[state]:
                if after not in self.depth:
                    self.depth[after] = self.depth[state] + 1
                    waiting.append(after)
        self.complete = len(self.steps) == len(self.depth)
        self.goals = {state for state in self.steps if solved(state)}

    @cached_property
    def left(self):
        """The least cost to a goal, by state that has one."""
        back = {}
        for state, steps in self.steps.items():
            for _, cost, after in steps:
                back.setdefault(after, []).append(("", cost, state))
        return self.least(self.goals, back)

    def least(self, starts, steps=None):
        """Return the least cost from any of some states, by state that can be reached."""
        steps = self.steps if steps is None else steps
        found, queue, number = {}, [(0, number, start) for number, start in enumerate(starts)], len(starts)
        while queue:
            total, _, state = heapq.heappop(queue)
            if state not in found:
                found[state] = total
                for _, cost, after in steps.get(state, ()):
                    heapq.heappush(queue, (total + cost, number := number + 1, after))
        return found
