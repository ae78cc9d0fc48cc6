"""Random FDR tasks in which variable 0 walks but for what was broken on purpose, and what is true of their steps.

The walker goes between places, pushes a box, turns switches. In most tasks each place has a variable of two values that
says whether it is empty. `broken` says by operator which axiom of a walk (`core/walking/walker.hpp`) it breaks, if the
states that can be reached agree; `Walked` asks them.
"""

from random import Random

from support.fdr_twin import ACTION, State, core, holds, successors
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable

Fact = tuple[int, int]
EMPTY, FULL = 1, 0
BREAKS = (
    "derived",  # there are derived variables, and one says where the walker is
    "conditional",  # it moves under a condition
    "anywhere",  # from wherever the walker is
    "changes more",  # it changes a switch, too, as its precondition says
    "one way",  # nothing leads back
    "back sometimes",  # what leads back wants a switch
    "left full",  # the place that was left is not empty afterwards
    "still empty",  # the place to which it leads is
    "left by another",  # another operator takes the walker away, and says of neither place whether it is empty
    "filled",  # another operator says that a place is empty, though something may be there
    "wrong at first",  # the start says so of a place
)
SHADOWS = BREAKS[6:]
RARE = ("conditional", "one way", "back sometimes", "still empty")  # they have to be tried oftener


class Walking:
    """A random task from a seed, by the operators' numbers with what they break."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(f"walking {seed}")
        self.places = rng.randint(2, 5)
        self.breaks = set(rng.sample((*BREAKS, *RARE), rng.choice((0, 1, 2, 3, 3))))
        self.shadowed = bool(self.breaks & set(SHADOWS)) or rng.random() < 0.5
        self.box = rng.random() < 0.6 and self.places > 2
        first = 2 if self.box else 1  # the walker, and the box
        self.empty = range(first, first + self.places if self.shadowed else first)
        self.switches = range(self.empty.stop, self.empty.stop + rng.randint(1, 3))
        self.groups = rng.random() < 0.9  # whether mutex groups are handed over
        self.outside = rng.random() < 0.15  # whether the walker is in no place at first
        self.broken: list[tuple[str, int | None]] = []  # with an operator, or a place
        self.operators: list[Operator] = []
        costs = rng.choice(((0,), (0,), (1,), (0, 1, 2), (0, 2**31)))
        edges = {(rng.randrange(place), place) for place in range(1, self.places)}
        edges |= {tuple(sorted(rng.sample(range(self.places), 2))) for _ in range(rng.randint(0, 2))}
        for start, end in sorted(edges):
            self._edge(start, end, costs)
        self._pushes()
        self._others()

    # ---- what walks

    def _taken(self, name: str, share: float = 0.6) -> bool:
        return name in self.breaks and self.rng.random() < share

    def _switch(self) -> Fact:
        return self.rng.choice(self.switches), self.rng.randint(0, 1)

    def _edge(self, start: int, end: int, costs: tuple[int, ...]) -> None:
        gate = [self._switch()] if self.rng.random() < 0.2 else []
        eaten = [Effect([], *self._switch())] if self.rng.random() < 0.2 else []
        for one, other in ((start, end), (end, start)):
            if one > other and self._taken("one way", 1):
                self.broken.append(("one way", len(self.operators) - 1))
                continue
            wanted = [(0, one), *gate]
            effects = [Effect([], 0, other), *eaten]
            if self.shadowed:
                wanted.append((self.empty[other], EMPTY))
                effects += self._shadows(one, other)
            self._break(wanted, effects, came=one > other)
            self.operators.append(Operator(ACTION, wanted, effects, self.rng.choice(costs)))

    def _shadows(self, one: int, other: int) -> list[Effect]:
        effects = []
        if self._taken("left full", 0.5):
            self.broken.append(("left full", one))
        else:
            effects.append(Effect([], self.empty[one], EMPTY))
        if self._taken("still empty", 0.35):
            self.broken.append(("still empty", other))
        else:
            effects.append(Effect([], self.empty[other], FULL))
        return effects

    def _break(self, wanted: list[Fact], effects: list[Effect], came: bool) -> None:
        number = len(self.operators)
        if self._taken("conditional"):
            self.broken.append(("conditional", number))
            if self.rng.random() < 0.5:
                effects[0] = Effect([self._switch()], effects[0].variable, effects[0].value)
            else:
                effects.append(Effect([self._switch()], *wanted[0]))
        if self._taken("anywhere"):
            self.broken.append(("anywhere", number))
            del wanted[0]
        if self._taken("changes more"):
            self.broken.append(("changes more", number))
            variable, value = self._switch()
            wanted[:] = [fact for fact in wanted if fact[0] != variable] + [(variable, value)]
            effects.append(Effect([], variable, 1 - value))
        if came and self._taken("back sometimes", 1):
            self.broken.append(("back sometimes", number - 1))
            wanted.append(self._switch())

    # ---- what else there is

    def _pushes(self) -> None:
        places = range(self.places)
        for _ in range(self.rng.randint(1, 5) if self.box else 0):
            start, box, end = self.rng.sample(places, 3)
            wanted, effects = [(0, start), (1, box)], [Effect([], 0, box), Effect([], 1, end)]
            if self.shadowed:
                wanted.append((self.empty[end], EMPTY))
                effects += [Effect([], self.empty[start], EMPTY), Effect([], self.empty[end], FULL)]
            self.operators.append(Operator(ACTION, wanted, effects, self.rng.choice((0, 1, 3))))

    def _others(self) -> None:
        rng = self.rng
        for _ in range(rng.randint(1, 4)):
            place = [(0, rng.randrange(self.places))] if rng.random() < 0.7 else []
            conditions = [(0, rng.randrange(self.places))] if rng.random() < 0.2 else []
            effects = [Effect(conditions, *self._switch())]
            if place and not self.shadowed and rng.random() < 0.3:
                effects.append(Effect([], 0, rng.randrange(self.places)))
            self.operators.append(Operator(ACTION, place, effects, rng.choice((0, 1, 2))))
        place, other = rng.sample(range(self.places), 2)
        if self.outside:
            comes = [Effect([], 0, place), *[Effect([], empty, FULL) for empty, _ in self._says_empty(place)]]
            self.operators.append(Operator(ACTION, [(0, self.places), *self._says_empty(place)], comes, 1))
        wanted = [self._switch()] if rng.random() < 0.3 else []
        if "left by another" in self.breaks:
            self.operators.append(Operator(ACTION, [(0, place), *wanted], [Effect([], 0, other)], 1))
            self.broken.append(("left by another", place))
        if "filled" in self.breaks:
            empty = self.empty[place]
            self.operators.append(Operator(ACTION, [(empty, FULL), *wanted], [Effect([], empty, EMPTY)], 1))
            self.broken.append(("filled", place))

    def _initial(self) -> list[int]:
        there = self.rng.sample(range(self.places), 2)
        there = there[: 2 if self.box else 1]
        if self.outside:
            there[0] = self.places
        initial = [*there, *[FULL if place in there else EMPTY for place in range(len(self.empty))]]
        initial += [self.rng.randint(0, 1) for _ in self.switches]
        if "wrong at first" in self.breaks:
            place = there[0] if self.rng.random() < 0.7 and not self.outside else self.rng.randrange(self.places)
            initial[self.empty[place]] ^= 1
            self.broken.append(("wrong at first", place))
        return initial

    def task(self) -> FDRTask:
        rng = self.rng
        sizes = [self.places + self.outside, *([self.places] if self.box else [])] + [2] * (
            len(self.empty) + len(self.switches)
        )
        variables, initial, rules = [Variable((None,) * size) for size in sizes], self._initial(), []
        goal = dict([self._switch()])
        for share, variable in ((0.6, 1 if self.box else 0), (0.3, 0), (0.2, rng.choice(self.empty or [0]))):
            if rng.random() < share:
                goal[variable] = rng.randrange(sizes[variable])
        if "derived" in self.breaks:
            rules = [Rule(len(sizes), [(0, rng.randrange(self.places))])]
            variables.append(Variable((None, None), 0))
            initial.append(0)
            if rng.random() < 0.5:
                goal[len(sizes)] = 1
            self.broken.append(("derived", None))
        task = FDRTask(variables, initial, sorted(goal.items()), self.operators, rules)
        return FDRTask(variables, initial, sorted(goal.items()), self.operators, rules, self._mutexes(task))

    def _mutexes(self, task: FDRTask) -> list[list[Fact]]:
        """Return of each place what can be there, where of that never two are true at once."""
        if not self.groups:
            return []
        states, groups = space_of(task), []
        for place in range(self.places):
            group = [(0, place), *([(1, place)] if self.box else []), *self._says_empty(place)]
            if len(group) > 1 and all(sum(state[v] == value for v, value in group) <= 1 for state in states):
                groups.append(group)
        return groups

    def _says_empty(self, place: int) -> list[Fact]:
        return [(self.empty[place], EMPTY)] if self.shadowed else []


def space_of(task: FDRTask) -> dict[State, list[tuple[int, State]]]:
    """Return all states that can be reached, with their steps, in plain Python."""
    from support.fdr_twin import derive

    space: dict[State, list[tuple[int, State]]] = {}
    todo = [derive(task, task.initial)]
    while todo:
        state = todo.pop()
        if state not in space:
            space[state] = successors(task, state)
            todo += [after for _, after in space[state]]
    return space


class Walked:
    """What is true of a task's steps, by all its states."""

    def __init__(self, made: Walking) -> None:
        self.made, self.task = made, made.task()
        self.space = space_of(self.task)
        self.steps = [(state, op, after) for state, steps in self.space.items() for op, after in steps]
        self.broken = {(axiom, op) for axiom, where in made.broken for op in self._breaking(axiom, where)}

    def _breaking(self, axiom: str, where: int | None) -> set[int | None]:
        """Return the operators that break an axiom in some state."""
        if axiom == "derived":
            return {None}
        assert where is not None
        if axiom in SHADOWS:
            return set() if self._a_shadow(where) else {op for _, op, _ in self.steps if self._enters(op, where)}
        taken = [(state, after) for state, op, after in self.steps if op == where]
        places = {state[0] for state, _ in taken}
        found = {
            "conditional": len({after[0] == state[0] for state, after in taken}) == 2,
            "anywhere": len(places) > 1,
            "changes more": bool(taken),
            "one way": any(self._lost(state, after) for state, after in taken),
            "back sometimes": any(self._lost(state, after) for state, after in taken),
        }
        return {where} if found[axiom] else set()

    def _a_shadow(self, place: int) -> bool:
        """Return whether a place is empty or has one thing; or is full with the walker, and empty once it has left."""
        empty = self.made.empty[place]
        things = range(2 if self.made.box else 1)
        if all((state[empty] == EMPTY) + sum(state[it] == place for it in things) == 1 for state in self.space):
            return True
        here = all(state[empty] == FULL for state in self.space if state[0] == place)
        return here and all(
            after[empty] == EMPTY for state, _, after in self.steps if state[0] == place and after[0] != place
        )

    def _enters(self, op: int, place: int) -> bool:
        """Return whether an operator moves the walker to an empty place, and says so."""
        operator, empty = self.task.operators[op], self.made.empty[place]
        sets = {(effect.variable, effect.value) for effect in operator.effects}
        return {(0, place), (empty, FULL)} <= sets and (empty, EMPTY) in operator.precondition

    def aside(self) -> set[int]:
        """Return the variables that may change with the walker without telling more."""
        return {self.made.empty[place] for place in range(len(self.made.empty)) if self._a_shadow(place)}

    def _lost(self, state: State, after: State) -> bool:
        """Return whether a step that moves the walker alone is not taken back by another one."""
        changed = {variable for variable, value in enumerate(after) if value != state[variable]}
        alone = 0 in changed and changed <= {0, *self.aside()}
        return alone and all(back != state for _, back in self.space[after])

    def lost_walks(self, variable: int, walks: set[int]) -> set[int]:
        """Return what is said to be a walk, and moves the walker alone to where no walk leads back."""
        return {
            op
            for state, op, after in self.steps
            if op in walks
            and [v for v, value in enumerate(after) if value != state[v]] == [variable]
            and not any(back == state and by in walks for by, back in self.space[after])
        }


__all__ = ["BREAKS", "Walked", "Walking", "core", "holds", "space_of"]
