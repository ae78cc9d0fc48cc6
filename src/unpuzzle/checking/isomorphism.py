"""Find a bijection of names that makes two explored state spaces one, and check it step by step.

    identical(one, two)                     whether equal names will do
    renaming(one, two, colours)             a Renaming, or None: there is none

A renaming maps actions, predicates and objects one to one, and may permute the parameters of each action and predicate.
Only facts count that hold in some reachable states and not in others: nothing else tells states apart. `agree` proves
a renaming: it walks through both spaces, and compares the start, and the steps, costs and goals of each pair of states.

Candidates are found as isomorphisms of graphs are (B. McKay, 1981). Objects, actions, predicates and their parameters
are coloured by what is said of them, colours are refined until they are stable, and where several nodes share one, the
first node of one side is tried with each of the other, equal names first. After so much WORK the search gives up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unpuzzle.checking.compared_spaces import GrowingSpace
from unpuzzle.errors import UnpuzzleError
from unpuzzle.limits import ticked
from unpuzzle.record import Plain, fields_of

WORK = 3_000_000
"""The most ground actions, facts and states that a search for a renaming may look at, each time anew."""

Words = tuple[str, ...]
Colours = dict[Hashable, int]
ACTION, PREDICATE, OBJECT = "action", "predicate", "object"


class NotFoundInTime(UnpuzzleError):
    """The search for a renaming ended before all candidates were tried."""


@dataclass(frozen=True, slots=True)
class Renaming(Plain):
    """A bijection between the names of two tasks, as far as reachable states use them.

    Attributes:
        actions, predicates: such as `{"(stack ?1 ?2)": "(put-on ?2 ?1)"}`.
        objects: names by names.
    """

    actions: dict[str, str]
    predicates: dict[str, str]
    objects: dict[str, str]

    def joined(self, other: Renaming) -> Renaming:
        """Return this renaming with the names that only another one has."""
        return Renaming(*({**getattr(other, name), **getattr(self, name)} for name in fields_of(self)))

    def __str__(self) -> str:
        parts = [(name, getattr(self, name)) for name in fields_of(self)]
        return "\n".join(
            f"  {name + ':':<12}{', '.join(f'{one} = {two}' for one, two in pairs.items())}"
            for name, pairs in parts
            if pairs
        )


class NamedSpace:
    """An explored space with the words of its steps and of its facts.

    A task's state is a number, a bit for each fact; states of other spaces have no facts, and are told apart by steps.
    `words` gives, by step and by bit of a changing fact, its kind, its name and its arguments.
    """

    def __init__(self, space: GrowingSpace, tick: Callable[[], None]) -> None:
        self.space = space
        self.states: Sequence[int] = [state if isinstance(state, int) else 0 for state in space.states]
        some, every = 0, -1
        for state in ticked(self.states, tick):
            some, every = some | state, every & state
        self.changing: int = some & ~every
        self.steps: list[dict[str, tuple[int, int]]] = [
            {name: (cost, after) for cost, after, name in out} for out in ticked(space.steps, tick)
        ]
        self.words: dict[str | int, tuple[str, str, Words]] = {}
        for step in dict.fromkeys(name for out in self.steps for name in out):
            name, *arguments = step.strip("()").split() if step.startswith("(") else [step]
            self.words[step] = ACTION, name, tuple(arguments)
        for bit in bits(self.changing):
            (fact,) = space.side.facts(bit)
            self.words[bit] = PREDICATE, fact.predicate, fact.arguments


def bits(number: int) -> Iterator[int]:
    """Yield the powers of two that a number is the sum of."""
    while number:
        yield number & -number
        number &= number - 1


def agree(one: NamedSpace, two: NamedSpace, mapped: Mapping[str | int, str | int], tick: Callable[[], None]) -> bool:
    """Return whether a bijection of steps and facts maps the start, the steps, their costs and the goals.

    States that are visited first are numbered first, so that each state has its image before it is visited.
    """
    changes: dict[int, int] = {}

    def change(facts: int) -> int:
        if facts not in changes:
            changes[facts] = sum(int(mapped[bit]) for bit in bits(facts))
        return changes[facts]

    count = len(one.states)
    if count != len(two.states) or change(one.states[0] & one.changing) != two.states[0] & two.changing:
        return False
    images: list[int | None] = [0] + [None] * (count - 1)
    for state, steps in ticked(enumerate(one.steps), tick):
        image = images[state]
        assert image is not None
        others = two.steps[image]
        if one.space.goals[state] != two.space.goals[image] or len(steps) != len(others):
            return False
        for name, (cost, after) in steps.items():
            other = others.get(mapped[name])  # type: ignore[arg-type]  # steps are mapped to steps
            if other is None or other[0] != cost or images[after] not in (None, other[1]):
                return False
            if change(one.states[state] ^ one.states[after]) != two.states[image] ^ two.states[other[1]]:
                return False
            images[after] = other[1]
    return len(set(images)) == count


def identical(one: NamedSpace, two: NamedSpace, tick: Callable[[], None]) -> bool:
    """Return whether two spaces are one with equal names."""
    keys = {words: key for key, words in two.words.items()}
    if len(one.words) != len(two.words) or any(words not in keys for words in one.words.values()):
        return False
    return agree(one, two, {key: keys[words] for key, words in one.words.items()}, tick)


def renaming(
    one: NamedSpace,
    two: NamedSpace,
    colours: tuple[Sequence[Hashable], Sequence[Hashable]],
    fixed: frozenset[str],
    tick: Callable[[], None],
) -> Renaming | None:
    """Return a renaming of one space as another; None if there is none.

    Args:
        colours: of the states of each, which any renaming keeps.
        fixed: objects that map to themselves.

    Raises NotFoundInTime if the search gives up.
    """
    sizes = [(len(each.states), len(each.words), each.space.transitions) for each in (one, two)]
    if sizes[0] != sizes[1]:
        return None
    search = _Search((_Names(one, colours[0], fixed, tick), _Names(two, colours[1], fixed, tick)), tick)
    return search.run(*(names.colours() for names in search.sides))


class _Names:
    """The names of a space as nodes of a graph: objects, actions and predicates, and parameters of these."""

    def __init__(
        self, named: NamedSpace, states: Sequence[Hashable], fixed: frozenset[str], tick: Callable[[], None]
    ) -> None:
        self.named = named
        self._fixed = fixed
        uses: dict[str | int, Counter[Hashable]] = {key: Counter() for key in named.words}
        for state, steps in ticked(enumerate(named.steps), tick):
            for name, (cost, after) in steps.items():
                uses[name][cost, states[state], states[after]] += 1
            for bit in bits(named.states[state] & named.changing):
                uses[bit][states[state]] += 1
        self.rows = [
            (words[:2], words[2], (words[0], frozenset(uses[key].items()))) for key, words in named.words.items()
        ]

    def colours(self) -> dict[Hashable, Hashable]:
        """Return the first colour of each node."""
        found: dict[Hashable, Hashable] = {}
        for symbol, arguments, _ in self.rows:
            found[symbol] = symbol[0], len(arguments)
            for place, name in enumerate(arguments):
                found[symbol, place] = "parameter"
                found[OBJECT, name, ""] = OBJECT, name if name in self._fixed else None
        return found

    def signatures(self, colours: Colours) -> dict[Hashable, Hashable]:
        """Return, by node, its colour and those of all that is said of it."""
        said: dict[Hashable, Counter[Hashable]] = {node: Counter() for node in colours}
        for symbol, arguments, use in self.rows:
            pairs = [(colours[symbol, place], colours[OBJECT, name, ""]) for place, name in enumerate(arguments)]
            row = hash((colours[symbol], use, *sorted(pairs)))
            said[symbol][row] += 1
            for place, name in enumerate(arguments):
                said[symbol, place][row, colours[OBJECT, name, ""], colours[symbol]] += 1
                said[OBJECT, name, ""][row, colours[symbol, place]] += 1
        return {node: (colours[node], frozenset(parts.items())) for node, parts in said.items()}


class _Search:
    """A search for a renaming, by refinement of colours and trials."""

    def __init__(self, sides: tuple[_Names, _Names], tick: Callable[[], None]) -> None:
        self.sides = sides
        self._tick = tick
        self._rows = sum(len(side.rows) for side in sides)
        self._work = 0

    def run(self, *first: dict[Hashable, Hashable]) -> Renaming | None:
        """Refine colours; where nodes share one, try each pair with the first of them."""
        colours = self._refined(first)
        if colours is None:
            return None
        classes = [_classes(each) for each in colours]
        shared = min((colour for colour, nodes in classes[0].items() if len(nodes) > 1),
                     key=lambda colour: (len(classes[0][colour]), colour), default=None)  # fmt: skip
        if shared is None:
            return self._proved({classes[0][colour][0]: classes[1][colour][0] for colour in classes[0]})
        chosen = classes[0][shared][0]
        for other in sorted(classes[1][shared], key=lambda node: node != chosen):
            found = self.run({**colours[0], chosen: "chosen"}, {**colours[1], other: "chosen"})
            if found is not None:
                return found
        return None

    def _spend(self, work: int) -> None:
        self._tick()
        self._work += work
        if self._work > WORK:
            raise NotFoundInTime("the search for a renaming gave up")

    def _refined(self, first: Sequence[dict[Hashable, Hashable]]) -> list[Colours] | None:
        """Return stable colours, as numbers; None if the sides have different ones."""
        signatures, count = list(first), 0
        while True:
            self._spend(self._rows)
            histograms = [Counter(each.values()) for each in signatures]
            if histograms[0] != histograms[1]:
                return None
            numbers = {signature: number for number, signature in enumerate(histograms[0])}
            colours: list[Colours] = [{node: numbers[value] for node, value in each.items()} for each in signatures]
            if len(numbers) == count:
                return colours
            count = len(numbers)
            signatures = [names.signatures(each) for names, each in zip(self.sides, colours, strict=True)]

    def _proved(self, nodes: dict[Any, Any]) -> Renaming | None:
        """Return the renaming that pairs of nodes define, if it is one."""
        one, two = (side.named for side in self.sides)
        keys = {words: key for key, words in two.words.items()}
        mapped: dict[str | int, str | int] = {}
        texts: dict[str, dict[str, str]] = {ACTION: {}, PREDICATE: {}}
        objects: dict[str, str] = {}
        for key, (kind, name, arguments) in one.words.items():
            symbol = kind, name
            places = [nodes[symbol, place][1] for place in range(len(arguments))]
            turned, shown = [""] * len(arguments), [""] * len(arguments)
            for place, argument in enumerate(arguments):
                objects[argument] = turned[places[place]] = nodes[OBJECT, argument, ""][1]
                shown[places[place]] = f"?{place + 1}"
            other = keys.get((kind, nodes[symbol][1], tuple(turned)))
            if other is None:
                return None
            mapped[key] = other
            own = [f"?{place + 1}" for place in range(len(arguments))]
            texts[kind][f"({' '.join((name, *own))})"] = f"({' '.join((nodes[symbol][1], *shown))})"
        self._spend(len(one.states))
        if len(set(mapped.values())) < len(mapped) or not agree(one, two, mapped, self._tick):
            return None
        return Renaming(texts[ACTION], texts[PREDICATE], objects)


def _classes(colours: Colours) -> dict[int, list[Any]]:
    classes: dict[int, list[Any]] = {}
    for node, colour in colours.items():
        classes.setdefault(colour, []).append(node)
    return classes
