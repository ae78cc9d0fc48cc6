"""Tasks that break the axioms of a special method on purpose, and what the method makes of them.

Each function of `LAWS` makes one random example after the other. An example tells which axioms it truly violates (found
by going through all states, or by a count that asks nobody), whether the method was used in spite of that, and each
answer that is not the one of exhaustive search.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from typing import NamedTuple

from random_members import random_goal, random_starts
from support.dijkstra import cheapest_first
from support.fdr_twin import (
    ACTION,
    State,
    core,
    derive,
    distances,
    goal_distance,
    holds,
    numbered,
    replay,
    successors,
    true_groups,
)
from support.loose_fdr import Loose
from support.random_tasks import random_task
from support.symmetric_fdr import Permutation, Symmetric
from unpuzzle.base.errors import UsageError
from unpuzzle.constraints import Constraints, Relation, parity_solution, solutions, violated
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import And, Atom, Condition, Task, TypedName
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import validate
from unpuzzle.pddl.world import Types
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.families import Family, Union, groups
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable

NOTHING: frozenset[str] = frozenset()
MOST_STATES = 128
"""The most states of a task whose states are all gone through."""


class Example(NamedTuple):
    """One try: the axioms that are violated, whether the method was used in spite of it, and the wrong answers."""

    broken: frozenset[str] = NOTHING
    recognised: bool = False
    faults: tuple[str, ...] = ()
    status: str = ""


class Law(NamedTuple):
    """The axioms of a method, and what makes examples."""

    axioms: tuple[str, ...]
    examples: Callable[[random.Random], Iterator[Example]]


def tried(law: Law, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how many examples break each axiom and have each status, and all faults, of so many examples."""
    counts, faults = Counter[str](), list[str]()
    number = 0
    while counts["examples"] < count:
        number += 1
        for example in law.examples(random.Random(f"{seed} {number}")):
            counts["examples"] += 1
            counts.update(example.broken)
            counts[example.status] += 1
            if example.broken and example.recognised:
                faults.append(f"seed {seed} {number}: recognised without {', '.join(sorted(example.broken))}")
            faults += [f"seed {seed} {number}: {fault}" for fault in example.faults]
    return counts, faults


# --- answers ------------------------------------------------------------------------------------------------------


def least(task: FDRTask, cost_of: Callable[[Operator], int] = lambda operator: operator.cost) -> int | None:
    return goal_distance(task, distances(task, cost_of))


def fault(task: FDRTask, outcome: _core.SearchResult, best: int | None, name: str) -> list[str]:
    expected = "unsolvable" if best is None else "solved_optimally"
    if (outcome.status, outcome.cost) != (expected, best):
        return [f"{name}: {outcome.status} {outcome.cost} instead of {expected} {best}"]
    try:
        cost = None if outcome.plan is None else replay(task, outcome.plan)
    except AssertionError:
        return [f"{name}: the plan fails"]
    return [] if cost == best else [f"{name}: the plan costs {cost}, not {best}"]


def searched(task: FDRTask, best: int | None, searches: list[tuple[str, str]], **options: object) -> list[str]:
    """The faults of searches, which may not support a task."""
    faults = []
    for algorithm, heuristic in searches:
        try:
            outcome = core(task).search(algorithm, heuristic, **options)  # type: ignore[arg-type]
        except _core.UnsupportedTask:
            continue
        name = f"{algorithm} {heuristic} {options}"
        if algorithm != "bfs":
            faults += fault(task, outcome, best, name)
        elif (None if outcome.plan is None else len(outcome.plan)) != least(task, lambda operator: 1):
            faults.append(f"{name}: not the fewest steps")
        elif outcome.plan is not None and replay(task, outcome.plan) != outcome.cost:
            faults.append(f"{name}: the plan does not cost {outcome.cost}")
    return faults


# --- symmetries ---------------------------------------------------------------------------------------------------

Steps = tuple[frozenset[tuple[int, State]], bool]


def space(task: FDRTask) -> dict[State, Steps]:
    """All states of the stored variables, which come first: steps with costs and ends, and whether it is a goal."""
    stored = sum(variable.layer < 0 for variable in task.variables)
    table = {}
    for values in product(*[range(len(variable.values)) for variable in task.variables[:stored]]):
        state = derive(task, (*values, *[0] * (len(task.variables) - stored)))
        after = [(task.operators[number].cost, child[:stored]) for number, child in successors(task, state)]
        table[values] = frozenset([step for step in after if step[1] != values]), holds(task.goal, state)
    return table


def moved(element: dict[int, tuple[int, list[int]]], state: State) -> State:
    after = list(state)
    for variable, (becomes, values) in element.items():
        after[becomes] = values[state[variable]]
    return tuple(after)


def keeps(element: dict[int, tuple[int, list[int]]], table: dict[State, Steps]) -> bool:
    """Whether a permutation of facts maps steps on steps of the same cost and goals on goals, in all states."""
    for state, (steps, goal) in table.items():
        other, wanted = table[moved(element, state)]
        if goal != wanted or {(cost, moved(element, child)) for cost, child in steps} != other:
            return False
    return True


def as_symmetry(element: Permutation, stored: int) -> dict[int, tuple[int, list[int]]]:
    return {variable: (becomes, list(values)) for variable, (becomes, values) in enumerate(element[:stored])}


class Breaker:
    """Changes one thing of a symmetric task, by the name of the axiom that this is to violate."""

    def __init__(self, rng: random.Random, planted: Symmetric) -> None:
        self.rng, self.planted = rng, planted

    def broken(self, task: FDRTask, axiom: str) -> FDRTask:
        if axiom == "goal":
            return task.replace(goal=self.other(list(task.goal)))
        if axiom == "axioms":
            rules = list(task.axioms)
            if rules and self.rng.random() < 0.5:
                number = self.rng.randrange(len(rules))
                rules[number] = Rule(rules[number].variable, self.other(list(rules[number].body), derived=False))
            elif rules:
                rules.pop(self.rng.randrange(len(rules)))
            return task.replace(axioms=rules)
        operators = list(task.operators)
        number = self.rng.randrange(len(operators))
        operators[number] = self.operator(operators[number], axiom)
        return task.replace(operators=operators)

    def operator(self, operator: Operator, axiom: str) -> Operator:
        rng, effects = self.rng, list(operator.effects)
        if axiom == "costs":
            return operator.replace(cost=operator.cost + rng.choice((1, 1, 5)))
        if axiom == "preconditions":
            return operator.replace(precondition=self.other(list(operator.precondition)))
        if axiom == "order":
            number = rng.randrange(len(effects))
            rival = Effect([], effects[number].variable, rng.randrange(self.planted.domain))
            return operator.replace(effects=[*effects, rival] if rng.random() < 0.5 else [rival, *effects])
        number = rng.randrange(len(effects))
        one = effects[number]
        if axiom == "conditions":
            effects[number] = Effect(self.other(list(one.conditions)), one.variable, one.value)
        elif rng.random() < 0.3 and len(effects) > 1:
            effects.pop(number)
        else:
            effects[number] = Effect(one.conditions, *self.fact())
        return operator.replace(effects=effects)

    def fact(self) -> tuple[int, int]:
        return self.rng.randrange(self.planted.stored), self.rng.randrange(self.planted.domain)

    def other(self, facts: list[tuple[int, int]], derived: bool = True) -> list[tuple[int, int]]:
        """One fact less, more, or another one."""
        rng, planted = self.rng, self.planted
        new = dict(facts)
        if new and rng.random() < 0.4:
            del new[rng.choice(list(new))]
            return sorted(new.items())
        if derived and planted.derived and rng.random() < 0.3:
            new[rng.randrange(planted.stored, planted.stored + planted.derived)] = rng.randrange(2)
        else:
            new |= dict([self.fact()])
        return sorted(new.items())


class Crowd(Symmetric):
    """Seven variables of two values, any two of which may be exchanged: too many elements to be listed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.domain, self.stored, self.derived = 2, 7, 0
        swaps = [(first, first + 1) for first in range(6)]
        orders = [[{one: two, two: one}.get(v, v) for v in range(7)] for one, two in swaps]
        self.group = [tuple([(becomes, (0, 1)) for becomes in order]) for order in orders]

    def operators(self) -> list[Operator]:
        """Patterns of two variables, for all pairs of them."""
        rng, made = self.rng, []
        for _ in range(rng.randint(1, 3)):
            cost, (a, b, c, d) = rng.choice((1, 1, 0, 2)), [rng.randrange(2) for _ in range(4)]
            condition = rng.random() < 0.3
            for one, two in permutations(range(7), 2):
                effects = [Effect([(two, c)] if condition else [], one, 1 - a), Effect([], two, d)]
                made.append(Operator(ACTION, sorted([(one, a)] if condition else [(one, a), (two, b)]), effects, cost))
        return made

    def goal(self) -> list[tuple[int, int]]:
        return [(variable, 1) for variable in range(7)] if self.rng.random() < 0.9 else []


def symmetric(rng: random.Random, axioms: bool) -> tuple[Symmetric, FDRTask]:
    if not axioms and rng.random() < 0.05:
        crowd = Crowd(rng.getrandbits(40))
        return crowd, crowd.task()
    while True:
        planted = Symmetric(rng.getrandbits(40))
        if planted.domain**planted.stored <= MOST_STATES and len(planted.group) > 1:
            task = planted.task()
            if task.axioms or not axioms:
                return planted, task


WITH_SYMMETRIES = [("astar", "blind"), ("bfs", "blind"), ("bidirectional", "blind"), ("astar", "hmax")]
GUIDES = ["lmcut", "pdb", "landmarks", "ff", "hadd"]


def symmetries(rng: random.Random) -> Iterator[Example]:
    """A symmetric task in which one part is changed; what the core still calls a symmetry is one in all states."""
    wanted = rng.choice((*SYMMETRY_AXIOMS, "axioms", ""))
    planted, whole = symmetric(rng, wanted == "axioms")
    breaker, broken = Breaker(rng, planted), NOTHING
    task, table = whole, dict[State, Steps]()
    elements = [as_symmetry(element, planted.stored) for element in planted.group]
    for _ in range(8 if wanted else 0):
        task = breaker.broken(whole, wanted)
        table = space(task)
        if not all(keeps(element, table) for element in elements):
            broken = frozenset([wanted])
            break
    else:
        table = space(task)
    found = core(task).symmetries()
    recognised = not all(keeps(element, table) for element in found)
    best = least(task)
    after, start = rng.choice((0, 0, 1, 3)), rng.random() < 0.2
    searches = [*WITH_SYMMETRIES, ("astar", rng.choice(GUIDES[:2]))]
    faults = searched(task, best, searches, symmetries_after=after, symmetric_start=start)
    if recognised:
        faults.append("what the core calls a symmetry is none")
    yield Example(broken, recognised, tuple(faults), f"{'solvable' if best is not None else 'unsolvable'}")


SYMMETRY_AXIOMS = ("costs", "goal", "preconditions", "effects", "conditions", "order", "axioms")


# --- both ends ----------------------------------------------------------------------------------------------------


def board(rng: random.Random) -> tuple[list[int], list[Operator], list[tuple[int, int]]]:
    """Operators that permute, forget, hang on each other, or want nothing of what they set; the goal may be open."""
    sizes = [rng.choice((2, 2, 3)) for _ in range(rng.randint(1, 4))]

    def facts(most: int) -> list[tuple[int, int]]:
        chosen = rng.sample(range(len(sizes)), rng.randint(0, min(most, len(sizes))))
        return [(variable, rng.randrange(sizes[variable])) for variable in chosen]

    def effects() -> list[Effect]:
        made = []
        for _ in range(rng.randint(1, 3)):
            variable = rng.randrange(len(sizes))
            if rng.random() < 0.2:
                values = rng.sample(range(sizes[variable]), sizes[variable])
                made += [Effect([(variable, a)], variable, b) for a, b in enumerate(values)]
            else:
                conditions = facts(2) if rng.random() < 0.4 else []
                made.append(Effect(conditions, variable, rng.randrange(sizes[variable])))
        return made

    operators = [Operator(ACTION, facts(2), effects(), 1) for _ in range(rng.randint(1, 7))]
    return sizes, operators, sorted(facts(4))


def both_ends(rng: random.Random) -> Iterator[Example]:
    """A task that a search from both ends may take, or one with a feature for which it must be refused."""
    sizes, operators, goal = board(rng)
    wanted = rng.choice((*END_AXIOMS, "", ""))
    variables, initial = numbered(*sizes), [0] * len(sizes)
    rules: list[Rule] = []
    if wanted == "equal costs":
        operators = [operator.replace(cost=rng.randrange(3)) for operator in operators]
    elif wanted == "no derived variables":
        rules = [Rule(len(sizes), [(0, rng.randrange(sizes[0]))])]
        variables, initial = [*variables, Variable((None, None), 0)], [*initial, 0]
        if rng.random() < 0.5:
            goal = [*goal, (len(sizes), rng.randrange(2))]
    elif wanted:
        variables, initial = [*variables, *numbered(70, 70)], [*initial, 0, 0]
        free = [len(sizes), len(sizes) + 1]
        if wanted == "few goal states":
            goal = goal if rng.random() < 0.5 else [*goal, (free[0], 1)][: len(goal)]
        else:
            goal = [*goal, *[(variable, 0) for variable in free]]
            forgets = [Effect([], variable, 0) for variable in free]
            number = rng.randrange(len(operators))
            operators[number] = operators[number].replace(effects=[*operators[number].effects, *forgets])
    task = FDRTask(variables, initial, goal, operators, rules)
    if not wanted:
        every = [(v, a) for v, variable in enumerate(task.variables) for a in range(len(variable.values))]
        task = task.replace(mutexes=true_groups(distances(task, lambda operator: 1), rng, every))
    broken = frozenset([wanted] if wanted else [])
    if wanted == "equal costs" and len({operator.cost for operator in operators}) == 1:
        broken = NOTHING
    try:
        outcome = core(task).search("bidirectional", symmetries_after=rng.choice((None, None, 0, 2)))
    except _core.UnsupportedTask:
        yield Example(broken, status="refused")
        return
    yield Example(broken, True, tuple(fault(task, outcome, least(task), "bidirectional")), outcome.status)


END_AXIOMS = ("equal costs", "no derived variables", "few goal states", "what was before is told")


# --- stubborn sets ------------------------------------------------------------------------------------------------


def stubborn(rng: random.Random) -> Iterator[Example]:
    """Operators that do and do not concern each other: a wrong independence would lose a cheapest plan."""
    task = Loose(rng.getrandbits(40)).task()
    reached = distances(task, lambda operator: operator.cost)
    broken = set[str]()
    for state in rng.sample(sorted(reached), min(len(reached), 2)):
        after = dict(successors(task, state))
        for one, other in combinations(after, 2):
            first, second = dict(successors(task, after[one])), dict(successors(task, after[other]))
            if other not in first or one not in second:
                broken.add("neither disables the other")
            elif first[other] != second[one]:
                broken.add("their order makes no difference")
    best = goal_distance(task, reached)
    guides = [("astar", "blind"), ("astar", rng.choice((*GUIDES[:2], "hmax"))), ("bfs", "blind")]
    guides += [("idastar", "lmcut")] if best is not None else []  # which cannot prove that there is no plan
    faults = searched(task, best, guides, pruning="stubborn")
    yield Example(frozenset(broken), False, tuple(faults), "unsolvable" if best is None else "solvable")


STUBBORN_AXIOMS = ("neither disables the other", "their order makes no difference")


# --- families -----------------------------------------------------------------------------------------------------

FAMILY_AXIOMS = (
    "no fact that was out of reach",
    "every certain fact",
    "at most one of a group",
    "one of an exact group",
    "the goal has a place",
    "facts of the task",
)


def least_cost(task: Task) -> int | None:
    """The least cost by the reference semantics."""
    semantics = Semantics(task)

    def steps(state: frozenset[Atom]) -> list[tuple[int, frozenset[Atom]]]:
        return [(semantics.cost(action), semantics.apply(state, action)) for action in semantics.applicable(state)]

    return next((cost for cost, state in cheapest_first([semantics.initial], steps) if semantics.solved(state)), None)


def unfulfilled(family: Family, start: frozenset[Atom]) -> set[str]:
    """The assumptions of the grounding that a start does not fulfil."""
    common = family._current.common
    facts = common.start_facts
    known = {atom for atom, _, _ in facts}
    own = family._membership.fluents(start)
    broken = set[str]()
    if own - known:
        broken.add("no fact that was out of reach")
    if any(certain and atom not in own for atom, _, certain in facts if atom.predicate in family._membership.fluent):
        broken.add("every certain fact")
    for numbers, exact in common._grounding.groups():
        true = sum(facts[number][0] in own for number in numbers)
        if true > 1:
            broken.add("at most one of a group")
        if exact and true == 0:
            broken.add("one of an exact group")
    return broken


MOVERS = """(define (domain movers) (:requirements :adl) (:types thing place) (:constants p0 - place)
  (:predicates (at ?t - thing ?p - place) (way ?a ?b - place) (flag) (seen ?p - place))
  (:action move :parameters (?t - thing ?a ?b - place) :precondition (and (at ?t ?a) (way ?a ?b) {flag})
           :effect (and (not (at ?t ?a)) (at ?t ?b) {seen}))
  (:action hoist :parameters () :precondition (not (flag)) :effect (flag))
  {more})"""
LEAVE = "(:action leave :parameters (?t - thing ?p - place) :precondition (at ?t ?p) :effect (not (at ?t ?p)))"


def movers(rng: random.Random) -> Task:
    """Things that are at one place each, or at most at one: what mutex groups are made of."""
    flag, seen = rng.choice(("(flag)", "")), rng.choice(("(when (flag) (seen ?b))", "(seen ?a)"))
    domain = parse_domain(MOVERS.format(flag=flag, seen=seen, more=rng.choice((LEAVE, "", "", "", ""))))
    ways = [f"(way p{rng.randrange(3)} p{rng.randrange(3)})" for _ in range(rng.randint(1, 5))]
    places = [f"(at t{thing} p{rng.randrange(3)})" for thing in range(2)]
    goal = rng.choice(("(at t0 p2)", "(and (at t0 p1) (at t1 p0))", "(seen p2)", "(not (at t1 p1))"))
    text = f"""(define (problem p) (:domain movers) (:objects t0 t1 - thing p1 p2 - place)
               (:init {" ".join([*ways, *places, rng.choice(("", "(flag)"))])}) (:goal {goal}))"""
    return Task(domain, parse_problem(text, domain))


def against_groups(rng: random.Random, family: Family, start: frozenset[Atom]) -> frozenset[Atom]:
    """A start with all or none of the facts of a group, and nothing that was out of reach."""
    common = family._current.common
    facts = [atom for atom, _, _ in common.start_facts]
    found = [([facts[number] for number in numbers], exact) for numbers, exact in common._grounding.groups()]
    if not found:
        return start
    group, exact = rng.choice(found)
    inside = {atom for atom, _, certain in common.start_facts if certain or atom in start} - {*group}
    return frozenset(inside) | frozenset(() if exact else group)


def families(rng: random.Random) -> Iterator[Example]:
    """Starts and goals that a grounding was not made for, and starts that are of no member at all."""
    grouped = rng.random() < 0.75
    task = movers(rng) if grouped else random_task(rng, costs=rng.choice((None, range(4), (1,))))
    starts = random_starts(rng, task, 4)
    if grouped:  # the first violates a group, and maybe more; then come starts that may not even have been one before
        starts = [Semantics(task).fluents(Semantics(task).initial), *starts[:2]]
    goals: list[Condition] = [random_goal(rng, task) for _ in starts]
    goals = [goal if rng.random() < 0.5 else task.problem.goal for goal in goals]
    family = Family(task, starts=starts[: rng.choice((0, 0, 1))])
    packed = {start: family.pack(start) for start in starts[:2]}
    for start, goal in zip(starts, goals, strict=True):
        start = against_groups(rng, family, start) if grouped else start
        broken = unfulfilled(family, start)
        before = family._current
        recognised = before.core.pack(start) is not None
        if goal not in before.numbers and not before.common.goal(goal)[0]:
            broken.add("the goal has a place")
            recognised = recognised and before.add(goal)
        if rng.random() < 0.2:
            yield stranger(rng, task, family, start)
        best = least_cost(family._membership.member(start, goal))
        faults = one_answer(family, start, goal, family.solve(start, goal), best)
        if goal == task.problem.goal:
            packed.setdefault(start, family.pack(start))
            faults += one_answer(family, start, goal, family.solve(packed[start]), best)
        for answer in family.solve_many([start] * 3, [goal] * 3, threads=rng.choice((1, 3)))[:1]:
            faults += one_answer(family, start, goal, answer, best)
        yield Example(frozenset(broken), recognised, tuple(faults), "unsolvable" if best is None else "solvable")


def one_answer(family: Family, start, goal: Condition, answer, best: int | None) -> list[str]:
    expected = "unsolvable" if best is None else "solved_optimally"
    if (answer.status, answer.cost) != (expected, best):
        return [f"{answer.status} {answer.cost} instead of {expected} {best}"]
    try:
        family.check(start, answer, goal)
    except AssertionError as error:
        return [f"the plan fails: {error}"]
    return []


def stranger(rng: random.Random, task: Task, family: Family, start: frozenset[Atom]) -> Example:
    """A start with an atom that no member can have, which must be refused in words."""
    derived = [axiom.head.name for axiom in task.domain.axioms]
    static = [p for p in task.domain.predicates if p.name not in {*family._membership.fluent, *derived}]
    names, types = [item.name for item in (*task.domain.constants, *task.problem.objects)], Types(task)
    strange = [Atom("nowhere", ()), Atom(task.domain.predicates[0].name, ("?x",) * 9)]
    for predicate in [*static, *[p for p in task.domain.predicates if p.name in derived]]:
        atom = Atom(predicate.name, tuple([rng.choice(names) for _ in predicate.parameters]))
        if atom not in task.problem.init:
            strange.append(atom)
    for predicate in task.domain.predicates:
        if predicate.name in family._membership.fluent and predicate.parameters:
            terms = tuple([rng.choice(names) for _ in predicate.parameters])
            if any(
                term not in types.members(item.types) for term, item in zip(terms, predicate.parameters, strict=True)
            ):
                strange.append(Atom(predicate.name, terms))
    atom = rng.choice(strange)
    try:
        family.solve(start | {atom})
    except UsageError:
        return Example(frozenset(["facts of the task"]), status="refused")
    return Example(frozenset(["facts of the task"]), True, (f"{atom} was not refused",))


# --- merging ------------------------------------------------------------------------------------------------------

MERGING_AXIOMS = ("one domain", "one metric", "one type for an object")


def variant(rng: random.Random, task: Task, less: bool) -> Task:
    """The task with facts taken away and, if `less`, without some of its objects."""
    problem = task.problem
    needed = terms_of(problem.goal)
    kept = tuple([o for o in problem.objects if not less or o.name in needed or rng.random() < 0.6])
    there = {o.name for o in (*task.domain.constants, *kept)}
    init = tuple([atom for atom in problem.init if rng.random() < 0.85 and there.issuperset(atom.arguments)])
    goal = problem.goal if rng.random() < 0.5 else And(tuple([a for a in rng.sample(problem.init, 1) if a in init]))
    values = tuple([value for value in problem.values if there.issuperset(value.term.arguments)])
    return Task(task.domain, problem.replace(objects=kept, init=init, values=values, goal=goal))


def terms_of(condition: Condition) -> set[str]:
    own = set(condition.arguments) if isinstance(condition, Atom) else set()
    return own.union(*[terms_of(part) for part in condition.children()])


def different(rng: random.Random, task: Task, axiom: str) -> Task | None:
    """A task that must not be merged with this one."""
    domain, problem = task.domain, task.problem
    if axiom == "one domain":
        return Task(domain.replace(actions=domain.actions[1:]), problem) if len(domain.actions) > 1 else None
    if axiom == "one metric":
        if problem.metric is None:
            return None
        if rng.random() < 0.5 or not problem.values:
            return Task(domain, problem.replace(metric=None))
        values = list(problem.values)
        number = rng.randrange(len(values))
        values[number] = type(values[number])(values[number].term, values[number].number + 1)
        return Task(domain, problem.replace(values=tuple(values)))
    objects = list(problem.objects)
    changing = [number for number, item in enumerate(objects) if item.types == ("a",)]
    if not changing:
        return None
    number = rng.choice(changing)
    objects[number] = TypedName(objects[number].name, ("b",))  # which is an `a`, too
    return Task(domain, problem.replace(objects=tuple(objects)))


def merging(rng: random.Random) -> Iterator[Example]:
    """Tasks with other objects, static facts and goals, and tasks that cannot be of one family."""
    costs = rng.choice((None, range(4)))
    task = random_task(rng, costs=costs)
    tasks = [task, *[variant(rng, task, less=costs is None) for _ in range(3)]]
    others = [(axiom, other) for axiom in MERGING_AXIOMS if (other := different(rng, task, axiom)) is not None]
    axioms = [axiom for axiom, _ in others]
    tasks += [other for _, other in others]
    for members in groups(tasks):
        alike = [member for member in members if member < 4]
        for member in members:
            if member >= 4:
                yield Example(frozenset([axioms[member - 4]]), bool(alike), status="apart")
        if not alike:
            continue
        union = Union([tasks[member] for member in members])
        starts, goals = [union.start(tasks[m]) for m in members], [union.goal(tasks[m]) for m in members]
        family = Family(union.task, starts[: rng.choice((1, 9))], goals, varying=union.varying)
        for member, answer in zip(members, family.solve_many(starts, goals), strict=True):
            best = least_cost(tasks[member])
            expected = "unsolvable" if best is None else "solved_optimally"
            faults = [] if (answer.status, answer.cost) == (expected, best) else [f"{answer}, not {expected} {best}"]
            if answer.actions is not None and not (verdict := validate(tasks[member], answer.actions)):
                faults.append(f"the plan fails: {verdict.reason}")
            yield Example(NOTHING, False, tuple(faults), expected)


# --- parity -------------------------------------------------------------------------------------------------------

PARITY_AXIOMS = ("variables of 0 and 1",)


def parities(rng: random.Random) -> Iterator[Example]:
    """Random systems of parities, variables repeated among them, with other relations beside; all values are tried."""
    names = [f"v{number}" for number in range(rng.randint(1, 6))]
    domains = {name: rng.choice(((0, 1), (1, 0), (0, 1), (1,), (0,))) for name in names}
    odd = rng.random() < 0.2
    if odd:
        domains[rng.choice(names)] = rng.choice(((0, 1, 2), (2,), (1, 3)))
    some = [rng.choices(names, k=rng.randint(1, 4)) for _ in range(rng.randint(1, 7))]
    relations = [Relation("parity", few, rng.randrange(2)) for few in some]
    broken = NOTHING
    if any(value not in (0, 1) for few in some for name in few for value in domains[name]):
        broken = frozenset(PARITY_AXIOMS)
    try:
        model = Constraints(domains, relations)
    except UsageError:
        yield Example(broken, False, () if broken else ("a model was refused",), "refused")
        return
    rows = [dict(zip(names, values, strict=True)) for values in product(*domains.values())]
    every = [row for row in rows if violated(model, row) is None]
    found, solved = list(solutions(model)), parity_solution(model)
    faults = [] if sorted(map(str, found)) == sorted(map(str, every)) else [f"{found}, not {every}"]
    bits = [dict(zip(names, values, strict=True)) for values in product((0, 1), repeat=len(names))]
    if (solved is not None) != any(all(relation.holds(row) for relation in relations) for row in bits):
        faults.append(f"{solved} of {relations}")
    yield Example(broken, True, tuple(faults), "solvable" if every else "unsolvable")


LAWS = {
    "symmetries": Law(SYMMETRY_AXIOMS, symmetries),
    "both-ends": Law(END_AXIOMS, both_ends),
    "families": Law(FAMILY_AXIOMS, families),
    "merging": Law(MERGING_AXIOMS, merging),
    "stubborn-sets": Law(STUBBORN_AXIOMS, stubborn),
    "parities": Law(PARITY_AXIOMS, parities),
}
