"""The relation of two small tasks by the definitions alone: the reference semantics, naive refinement, all bijections.

Explored(task, 500)                     all reachable states; None from `explored` where there are more
relation(one, two)                      as `same` with `same_objects` has to name it; None where it takes too long
disguised(rng, task)                    the same task with other names, and parameters in another order
agrees(one, two, bijection)             whether a bijection that `same` shows makes the two one
"""

from collections import Counter
from contextlib import suppress
from itertools import permutations, product
from math import prod
from random import Random

from support.data import DATA, IPC
from support.domain_faults import KINDS, planted
from support.registry import WITH_PDDL
from support.renaming import renamed
from unpuzzle import find, same
from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.run import Limits, Run
from unpuzzle.pddl import read
from unpuzzle.pddl.nodes import Action, Atom, GroundAction, Node, Predicate, Task
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.verification.compared_spaces import GrowingSpace, side_of
from unpuzzle.verification.grading import BEHAVES, SAME, Grader
from unpuzzle.verification.report import DIFFERENT, IDENTICAL, RENAMED, SAME_BEHAVIOUR, SILENT_GOAL, UNDECIDED

MOST_BIJECTIONS = 20_000


class TooMany(Exception):
    """There are too many bijections to try all of them."""


def permuted(rng, task):
    """A task with the parameters of actions and predicates in another order."""
    orders = {
        each.name: rng.sample(range(len(each.parameters)), len(each.parameters)) for each in task.domain.predicates
    }

    def changed(node):
        if isinstance(node, tuple):
            return tuple(map(changed, node))
        if isinstance(node, Atom):
            order = orders.get(node.predicate, range(len(node.arguments)))
            return Atom(node.predicate, tuple(node.arguments[place] for place in order))
        if not isinstance(node, Node):
            return node
        fields = {field: changed(getattr(node, field)) for field in node._fields}
        if isinstance(node, Action):
            fields["parameters"] = tuple(rng.sample(node.parameters, len(node.parameters)))
        if isinstance(node, Predicate):
            fields["parameters"] = tuple(node.parameters[place] for place in orders.get(node.name, range(99)))
        return type(node)(**fields)

    return Task(changed(task.domain), changed(task.problem))


def disguised(rng, task, kept=()):
    """The same task with other names but those `kept`, and parameters in another order, as text that is read again."""
    other = renamed(rng, permuted(rng, task), kept)
    domain = parse_domain(write(other.domain))
    return Task(domain, parse_problem(write(other.problem), domain))


class Explored:
    """All states of a task, by the reference semantics; `steps` has cost and successor by ground action."""

    def __init__(self, task, most):
        semantics = Semantics(task)
        self.states = [semantics.initial]
        self.steps, self.whole = [], False
        numbers = {semantics.initial: 0}
        for state in self.states:
            out = {}
            for action in semantics.applicable(state):
                after = semantics.apply(state, action)
                number = numbers.setdefault(after, len(numbers))
                if number == len(self.states):
                    self.states.append(after)
                out[action] = semantics.cost(action), number
            self.steps.append(out)
            if len(self.states) > most:
                return
        self.whole = True
        self.goals = [semantics.solved(state) for state in self.states]
        every = frozenset.intersection(*self.states)
        self.facts = [state - every for state in self.states]


def bisimilar(one, two):
    """Whether the starts cannot be told apart, by refinement of all states until nothing changes."""
    count = len(one.states)
    steps = [out.values() for out in one.steps]
    steps += [[(cost, count + after) for cost, after in out.values()] for out in two.steps]
    blocks, known = [*one.goals, *two.goals], 0
    while len(set(blocks)) > known:
        known = len(set(blocks))
        signatures = [
            (block, frozenset((cost, blocks[after]) for cost, after in out))
            for block, out in zip(blocks, steps, strict=True)
        ]
        numbers = {signature: number for number, signature in enumerate(dict.fromkeys(signatures))}
        blocks = [numbers[signature] for signature in signatures]
    return blocks[0] == blocks[count]


def paired(one, two, action_of):
    """The number of the other's state for each state, where `action_of` maps the actions; None if it does not."""
    pairs, waiting = {0: 0}, [0]
    if len(one.states) != len(two.states):
        return None
    for state in waiting:
        ours, theirs = one.steps[state], two.steps[pairs[state]]
        if one.goals[state] != two.goals[pairs[state]] or len(ours) != len(theirs):
            return None
        for action, (cost, after) in ours.items():
            other = theirs.get(action_of(action))
            if after not in pairs:
                waiting.append(after)
            if other is None or other[0] != cost or pairs.setdefault(after, other[1]) != other[1]:
                return None
    return pairs if len(set(pairs.values())) == len(two.states) else None


def columns(explored, order):
    """For each changing fact, in which of the states, in an order, it is true."""
    facts = {fact for state in explored.facts for fact in state}
    return {fact: tuple(fact in explored.facts[state] for state in order) for fact in facts}


def facts_correspond(one, two, pairs, objects=lambda name: name):
    """Whether the predicates can be mapped one to one, with their parameters permuted, so that paired states agree."""
    order = sorted(pairs)
    ours, theirs = columns(one, order), columns(two, [pairs[state] for state in order])
    named = [Counter((fact.predicate, len(fact.arguments)) for fact in facts) for facts in (ours, theirs)]

    def tables(facts, name, turn):
        return {(tuple(map(objects, turn(fact.arguments))) if facts is ours else fact.arguments): column
                for fact, column in facts.items() if fact.predicate == name}  # fmt: skip

    def fits(name, arity, other):
        return any(
            tables(ours, name, lambda arguments, p=places: tuple(arguments[place] for place in p))
            == tables(theirs, other, None)
            for places in permutations(range(arity))
        )

    choices = [
        [other for other, size in named[1] if size == arity and fits(name, arity, other)] for name, arity in named[0]
    ]
    return len(named[0]) == len(named[1]) and matched(choices)


def matched(choices, used=frozenset()):
    """Whether each list has an element of its own."""
    return not choices or any(matched(choices[1:], used | {each}) for each in choices[0] if each not in used)


def relation(one, two):
    """The relation of two explored tasks whose objects map to themselves; None if there are too many bijections."""
    if not bisimilar(one, two):
        return DIFFERENT
    if len(one.states) == len(two.states) == 1 and not one.steps[0] and not two.steps[0]:
        return IDENTICAL if one.states == two.states else None  # only facts that never change have names
    pairs = paired(one, two, lambda action: action)
    if pairs and columns(one, sorted(pairs)) == columns(two, [pairs[state] for state in sorted(pairs)]):
        return IDENTICAL
    try:
        if some_bijection(one, two):
            return RENAMED
    except TooMany:
        return None
    return SAME_BEHAVIOUR if any(one.goals) and not all(one.goals) else SILENT_GOAL


def some_bijection(one, two):
    """Whether some map of schemas, with parameters permuted, makes the two one. Raises TooMany."""
    used = [{}, {}]
    for side, explored in zip(used, (one, two), strict=True):
        for action in {action for out in explored.steps for action in out}:
            side.setdefault(action.name, set()).add(action.arguments)
    choices = []
    for name, rows in used[0].items():
        choices.append([(name, other, places) for other, others in used[1].items() for places in orders(rows, others)])
    for chosen in few(choices) if len(used[0]) == len(used[1]) else ():
        if len({other for _, other, _ in chosen}) < len(chosen):
            continue
        table = {name: (other, places) for name, other, places in chosen}

        def action_of(action, table=table):
            other, places = table[action.name]
            return GroundAction(other, tuple(action.arguments[place] for place in places))

        pairs = paired(one, two, action_of)
        if pairs and facts_correspond(one, two, pairs):
            return True
    return False


def orders(rows, others):
    """All orders of the columns of some rows that make them others. Raises TooMany."""
    columns, wanted = (list(map(Counter, zip(*each, strict=True))) for each in (rows, others))
    if len(columns) != len(wanted):
        return []
    fitting = [[place for place, column in enumerate(columns) if column == want] for want in wanted]
    chosen = [places for places in few(fitting) if len(set(places)) == len(places)]
    return [places for places in chosen if {tuple(row[place] for place in places) for row in rows} == others]


def few(choices):
    """All combinations of choices. Raises TooMany."""
    if prod(map(len, choices)) > MOST_BIJECTIONS:
        raise TooMany
    return product(*choices)


def agrees(one, two, bijection):
    """Whether a bijection that was shown makes two explored tasks one, by their facts and steps."""
    words = {
        ours.strip("()").split()[0]: theirs.strip("()").split()
        for pairs in (bijection.actions, bijection.predicates) for ours, theirs in pairs.items()
    }  # fmt: skip

    def mapped(name, arguments):
        other, *places = words[name]
        return other, tuple(bijection.objects[arguments[int(place[1:]) - 1]] for place in places)

    pairs = paired(one, two, lambda action: GroundAction(*mapped(action.name, action.arguments)))
    if pairs is None:
        return False
    return all(
        frozenset(Atom(*mapped(fact.predicate, fact.arguments)) for fact in one.facts[state]) == two.facts[pairs[state]]
        for state in pairs
    )


# ---- laws


def handed_over():
    """The tasks of the test data whose domain and problem lie in one folder, by name."""
    for domain in sorted([*IPC.glob("*/*/domain.pddl"), *(DATA / "specimens").rglob("*.pddl")]):
        for problem in sorted(domain.parent.glob("*.pddl")):
            with suppress(UnpuzzleError):
                yield f"{domain.relative_to(DATA)} {problem.name}", read(str(domain), str(problem))


def small(tasks, most):
    """Those of named tasks that have at most so many states, and a step, explored."""
    for name, task in tasks:
        with suppress(UnpuzzleError):
            with Run(Limits(2)):
                space = GrowingSpace(side_of(task))
                space.grow(most)
            if space.depth is None and space.transitions:
                yield name, task, Explored(task, most)


def bundled(samples):
    """Tasks of bundled puzzles by name, of so many random levels of each."""
    for name, seed in product(WITH_PDDL, range(samples)):
        yield f"{name} {seed}", find(name).sample(Random(seed)).task()


def broken_renaming(name, task, one, seed):
    """What `same` says wrongly of a task in disguise and of itself; empty if it is right."""
    other = disguised(Random(f"{name} {seed}"), task)
    said = same(task, other)
    if said.relation != RENAMED or not agrees(one, Explored(other, len(one.states)), said.bijection):
        return f"{name}, disguised by {seed}: {said}"
    itself = same(task, task)
    return "" if itself.relation == IDENTICAL else f"{name} itself: {itself}"


def mutants(tasks, rng, number):
    """So many faults planted in the domains of explored tasks, of all kinds and tasks in turn."""
    tasks = list(tasks)
    sources = [(task, planted(kind, task[1], rng)) for kind in KINDS for task in tasks]
    rng.shuffle(sources)
    made = 0
    while sources:
        for source in list(sources):
            (name, task, one), faults = source
            said, domain = next(faults, (None, None))
            if domain is None:
                sources.remove(source)
                continue
            with suppress(UnpuzzleError):
                yield f"{name}: {said}", one, task, Task(domain, parse_problem(write(task.problem), domain))
                made += 1
            if made == number:
                return


VERDICTS = {DIFFERENT: DIFFERENT, SILENT_GOAL: UNDECIDED, SAME_BEHAVIOUR: BEHAVES, RENAMED: SAME, IDENTICAL: SAME}


def judged(one, task, mutant, most):
    """The rows of `grade` on a mutant and on the same in disguise, and the true relation; None if that is unknown."""
    objects = {each.name for each in (*task.domain.constants, *task.problem.objects)}
    hidden = disguised(Random(most), mutant, objects)
    rows = [Grader({"p": task}, max_states=most).grade("mutant", {"p": each}) for each in (mutant, hidden)]
    two = Explored(mutant, most)
    return rows, relation(one, two) if two.whole else None
