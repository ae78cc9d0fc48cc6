"""State spaces that are explored step by step to be compared, and the search for a renaming between them.

space = GrowingSpace(side_of(task))     or of a position
space.grow(1_000)                   breadth first, until more states are known; raises ParseError where
                                    positions of a game are equal but not the same
space.goals[3]                      whether state 3 is a goal; state 0 is the start
space.steps[3]                      [(cost, number of the successor, name), ...], none until it is expanded
space.depth                         all states nearer than this are expanded; None if all states are
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import methodcaller
from typing import Any

from unpuzzle.base.distances import BothWays, Explorer
from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.run import checkpoint, within_limits
from unpuzzle.base.values import Record
from unpuzzle.model.faults import require_same_after
from unpuzzle.model.position import Position
from unpuzzle.pddl.compiled import CompiledSemantics
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.state_space.space import steps_by_rules

Step = tuple[int, int, str]
"""The cost of a step, the number of the state after it, and its name."""


class Side(Record):
    """A task or game to be compared, with its start and with functions for its steps and goals.

    Attributes:
        initial: the first state.
        solved: state → whether it is a goal.
        steps: state → cost, successor and name of each step out of it.
        picture: state → the state as text for people.
        again: called with a known state and an equal one; see `Explorer`.
        facts: state of a task, which is a number → its atoms.
        start: the atoms of a task's first state, static ones, too.
    """

    initial: Any
    solved: Callable[[Any], bool]
    steps: Callable[[Any], Iterable[tuple[int, Any, str]]]
    picture: Callable[[Any], str]
    again: Callable[[Any, Any, BothWays], None] | None = None
    facts: Callable[[int], Iterable[Atom]] = lambda state: ()
    start: Iterable[Atom] = ()


def side_of(subject: Task | Position) -> Side:
    """Return a task or a position as a `Side`, the form in which it can be compared. Raises LimitReached."""
    if isinstance(subject, Task):
        return _side_of_task(subject)
    solved, picture = methodcaller("solved"), lambda position: position.draw().rstrip("\n")
    return Side(subject, solved, steps_by_rules, picture, require_same_after)


def _side_of_task(task: Task) -> Side:
    """Return a PDDL task in the form for comparisons; each state is a whole number with a bit for each fact."""
    semantics = Semantics(task)
    states = CompiledSemantics(semantics)

    def steps(state: int) -> list[tuple[int, int, str]]:
        operators = states.applicable(state)
        return [(states.cost(operator), states.successor(state, operator), str(operator)) for operator in operators]

    def picture(state: int) -> str:
        return " ".join(sorted(map(str, states.atoms(state)))) or "nothing is true"

    return Side(states.initial, states.solved, steps, picture, None, states.atoms, semantics.initial)


class GrowingSpace(Explorer):
    """The states that a breadth-first search has reached so far, numbered in this order."""

    def __init__(self, side: Side) -> None:
        super().__init__(side.initial, side.steps, side.again)
        self.side: Side = side
        self.goals: list[bool] = []
        self.steps: list[list[Step]] = []
        self.transitions: int = 0

    def grow(self, most: int) -> None:
        """Expand states in breadth-first order until more than `most` states are known or all are expanded."""
        while self.depth is not None and len(self.states) <= most:
            checkpoint()
            self.expand()
        self.goals += map(self.side.solved, self.states[len(self.goals) :])
        self.steps = self.edges + [[] for _ in self.states[len(self.edges) :]]
        self.transitions = sum(map(len, self.edges))


# Find a bijection of names that makes two explored state spaces one, and check it step by step.
#
#     identical(one, two)                     whether equal names suffice
#     renaming(one, two, colours)             a Renaming, or None if there is none
#
# A renaming maps actions, predicates and objects one to one, and may permute the parameters of each action and
# predicate. Only facts count that hold in some reachable states and not in others: nothing else distinguishes states.
# (If no step is possible, the facts of the start count.) `agree` proves a renaming: it walks through both spaces, and
# compares the start, and the steps, costs and goals of each pair of states.
#
# Candidates are found as isomorphisms of graphs are (B. McKay, 1981). Objects, actions, predicates and their
# parameters are coloured by the facts and steps that contain them, colours are refined until they are stable, and where
# several nodes share one, the first node of one side is tried with each of the other, equal names first. After WORK
# operations the search gives up.

WORK = 3_000_000
"""The most ground actions, facts and states that a search for a renaming may look at, each time anew."""

Key = str | int
"""A step, or the bit of a fact."""
Colours = dict[Hashable, Hashable]
ACTION, PREDICATE, OBJECT = "action", "predicate", "object"


class NotFoundInTime(UnpuzzleError):
    """The exception for a search for a renaming that found none within its effort."""


class Renaming(Record):
    """A one-to-one mapping between the names of two tasks: actions, predicates and objects.

    Attributes:
        actions, predicates: the second's name by the first's, such as `(put-on ?2 ?1)` by `(stack ?1 ?2)`.
        objects: names by names.
    """

    actions: dict[str, str]
    predicates: dict[str, str]
    objects: dict[str, str]

    def joined(self, other: Renaming) -> Renaming:
        """Return this renaming with additional names from the renaming `other`."""
        return Renaming(*({**getattr(other, name), **getattr(self, name)} for name in self._fields))

    def __str__(self) -> str:
        parts = {name: [f"{one} = {two}" for one, two in getattr(self, name).items()] for name in self._fields}
        return "\n".join(f"  {name + ':':<12}{', '.join(pairs)}" for name, pairs in parts.items() if pairs)


class NamedSpace:
    """An explored state space with the names of its actions, predicates and objects.

    A task's state is a number, a bit for each fact; states of other spaces have no facts, and are distinguished by
    steps. `words` gives, by step and by bit of a changing fact, its kind, its name and its arguments.
    """

    def __init__(self, space: GrowingSpace) -> None:
        self.space = space
        self.states: Sequence[int] = [state if isinstance(state, int) else 0 for state in space.states]
        some, every = 0, -1
        for state in within_limits(self.states):
            some, every = some | state, every & state
        self.changing: int = some & ~every
        self.steps: list[dict[str, tuple[int, int]]] = [
            {name: (cost, after) for cost, after, name in out} for out in within_limits(space.steps)
        ]
        self.words: dict[Key, tuple[str, str, tuple[str, ...]]] = {}
        for step in dict.fromkeys(name for out in self.steps for name in out):
            name, *arguments = step.strip("()").split() if step.startswith("(") else [step]
            self.words[step] = ACTION, name, tuple(arguments)
        changing = [(next(iter(space.side.facts(bit))), bit) for bit in bits(self.changing)]
        for fact, bit in sorted(changing, key=lambda pair: str(pair[0])):  # bits have no order that lasts
            self.words[bit] = PREDICATE, fact.predicate, fact.arguments
        for number, fact in enumerate(() if self.words else sorted(space.side.start, key=str)):
            self.words[-number - 1] = PREDICATE, fact.predicate, fact.arguments


def bits(number: int) -> Iterator[int]:
    """Yield the bits of a number, as powers of two."""
    while number:
        yield number & -number
        number &= number - 1


def agree(one: NamedSpace, two: NamedSpace, mapped: Mapping[Key, Any]) -> bool:
    """Return whether `mapped`, which maps steps and facts, turns state space `one` into state space `two`.

    States that are visited first are numbered first, so that each state has its image before it is visited.
    """

    @cache
    def change(facts: int) -> int:
        return sum(mapped[bit] for bit in bits(facts))

    count = len(one.states)
    if count != len(two.states) or change(one.states[0] & one.changing) != two.states[0] & two.changing:
        return False
    images: list[int | None] = [0] + [None] * (count - 1)
    for state, steps in within_limits(enumerate(one.steps)):
        image = images[state]
        assert image is not None
        others = two.steps[image]
        if one.space.goals[state] != two.space.goals[image] or len(steps) != len(others):
            return False
        for name, (cost, following) in steps.items():
            other = others.get(mapped[name])
            if other is None or other[0] != cost or images[following] not in (None, other[1]):
                return False
            # The starts are compared in full, so afterwards only the changed facts must agree.
            if change(one.states[state] ^ one.states[following]) != two.states[image] ^ two.states[other[1]]:
                return False
            images[following] = other[1]
    return len(set(images)) == count


def identical(one: NamedSpace, two: NamedSpace) -> bool:
    """Return whether two spaces are equal without any renaming."""
    keys = {words: key for key, words in two.words.items()}
    return keys.keys() == set(one.words.values()) and agree(
        one, two, {key: keys[words] for key, words in one.words.items()}
    )


def renaming(
    one: NamedSpace, two: NamedSpace, colours: tuple[Sequence[Hashable], Sequence[Hashable]], fixed: frozenset[str]
) -> Renaming | None:
    """Return a renaming that makes space `one` equal to space `two`; None if there is none.

    Args:
        colours: of the states of each, which any renaming keeps.
        fixed: objects that map to themselves.

    Raises NotFoundInTime if the search gives up.
    """
    sizes = [(len(each.states), len(each.words), each.space.transitions) for each in (one, two)]
    return _Search((one, two), colours).run(fixed) if sizes[0] == sizes[1] else None


class _Search:
    """A search for a renaming, by colour refinement and by trying the remaining possibilities.

    The nodes of each side are objects (OBJECT, name), symbols such as (ACTION, name), and parameters (symbol, place).
    """

    def __init__(
        self, sides: tuple[NamedSpace, NamedSpace], states: tuple[Sequence[Hashable], Sequence[Hashable]]
    ) -> None:
        self._sides, self._work = sides, 0
        self._uses = [_uses(*side) for side in zip(sides, states, strict=True)]

    def run(self, fixed: frozenset[str]) -> Renaming | None:
        """Return the first renaming that is verified; None if all fail."""
        first: list[Colours] = [{}, {}]
        for colours, side in zip(first, self._sides, strict=True):
            for kind, name, arguments in side.words.values():
                colours[kind, name] = kind, len(arguments)
                colours.update({((kind, name), place): "parameter" for place in range(len(arguments))})
                colours.update({(OBJECT, each): (OBJECT, each if each in fixed else None) for each in arguments})
        return self._tried(first)

    def _tried(self, first: list[Colours]) -> Renaming | None:
        """Refine the colours; then try each possible partner of a node that is not determined by its colour."""
        colours = self._refined(first)
        if colours is None:
            return None
        classes: list[dict[Hashable, list[Any]]] = [{}, {}]
        for side, found in zip(classes, colours, strict=True):
            for node, colour in found.items():
                side.setdefault(colour, []).append(node)
        shared = [nodes for nodes in classes[0].values() if len(nodes) > 1]
        if not shared:
            return self._proved({nodes[0]: classes[1][colour][0] for colour, nodes in classes[0].items()})
        chosen = min(shared, key=len)[0]
        others = sorted(classes[1][colours[0][chosen]], key=lambda node: node != chosen)
        trials = (self._tried([{**colours[0], chosen: "chosen"}, {**colours[1], other: "chosen"}]) for other in others)
        return next(filter(None, trials), None)

    def _refined(self, colours: list[Colours]) -> list[Colours] | None:
        """Refine the node colours of both spaces until they are stable, and return them; None if the spaces differ."""
        count = 0
        while True:
            self._count_work(2 * len(self._uses[0]))
            histograms = [Counter(each.values()) for each in colours]
            if histograms[0] != histograms[1]:
                return None
            numbers = {colour: number for number, colour in enumerate(histograms[0])}
            colours = [{node: numbers[colour] for node, colour in each.items()} for each in colours]
            if len(numbers) == count:
                return colours
            count = len(numbers)
            colours = [self._signatures(*side) for side in zip(self._sides, self._uses, colours, strict=True)]

    def _signatures(self, side: NamedSpace, uses: Mapping[Key, Hashable], colours: Colours) -> Colours:
        """Return a signature of each node, made from its colour and the colours of related nodes."""
        said: dict[Hashable, Counter[Hashable]] = {node: Counter() for node in colours}
        for key, (kind, name, arguments) in side.words.items():
            symbol = kind, name
            pairs = [(colours[symbol, place], colours[OBJECT, each]) for place, each in enumerate(arguments)]
            row = hash((colours[symbol], uses[key], frozenset(Counter(pairs).items())))
            said[symbol][row] += 1
            for place, each in enumerate(arguments):
                said[symbol, place][row, colours[OBJECT, each]] += 1
                said[OBJECT, each][row, colours[symbol, place]] += 1
        return {node: (colours[node], frozenset(parts.items())) for node, parts in said.items()}

    def _proved(self, nodes: dict[Any, Any]) -> Renaming | None:
        """Return the renaming that maps each node to its partner in `nodes`; None if it is wrong."""
        one, two = self._sides
        keys = {words: key for key, words in two.words.items()}
        mapped: dict[Key, Key | None] = {}
        texts: dict[str, dict[str, str]] = {ACTION: {}, PREDICATE: {}, OBJECT: {}}
        for key, (kind, name, arguments) in one.words.items():
            other = nodes[kind, name][1]
            places = [nodes[(kind, name), place][1] for place in range(len(arguments))]
            order = sorted(range(len(places)), key=places.__getitem__)
            turned = tuple(nodes[OBJECT, arguments[place]][1] for place in order)
            mapped[key] = keys.get((kind, other, turned))
            own, shown = ("".join(f" ?{place + 1}" for place in each) for each in (range(len(order)), order))
            texts[kind][f"({name}{own})"] = f"({other}{shown})"
            texts[OBJECT].update(zip([arguments[place] for place in order], turned, strict=True))
        self._count_work(len(one.states))
        if None in mapped.values() or len(set(mapped.values())) < len(mapped):
            return None
        return Renaming(*texts.values()) if agree(one, two, mapped) else None

    def _count_work(self, work: int) -> None:
        checkpoint()
        self._work += work
        if self._work > WORK:
            raise NotFoundInTime(
                "the search for a renaming that makes the two tasks equal took too long and was stopped"
            )


def _uses(side: NamedSpace, states: Sequence[Hashable]) -> dict[Key, Hashable]:
    """Return, for each step and fact, the colours of the states in which it occurs, with the number of occurrences."""
    uses: dict[Key, Counter[Hashable]] = {key: Counter() for key in side.words}
    for state, steps in within_limits(enumerate(side.steps)):
        for name, (cost, following) in steps.items():
            uses[name][cost, states[state], states[following]] += 1
        for bit in bits(side.states[state] & side.changing):
            uses[bit][states[state]] += 1
    return {key: frozenset(found.items()) for key, found in uses.items()}
