"""Optimal lines: optimal solutions that differ in more than walks or the order of independent moves.

    folding = fold(level, space)              the state space of a position or a task, without walking
    count_lines(folding)                      the number of optimal lines, or bounds

First all states that walks connect become one *folded position*; then an automaton counts the lines between these.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import product
from random import Random
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.run import checkpoint, within_limits
from unpuzzle.base.values import Record
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.planning.walking import walker_of
from unpuzzle.state_space.space import RulesSpace, Space, StateSpace

MOST_NODES = 200_000
"""The most nodes of the automaton; the optimal parts of most levels have some hundreds."""
MOST_CLASSES = 20_000
"""The most classes of words from one node."""
MOST_WORK = 20_000_000
"""The most classes that are united or copied, over all nodes."""
MOST_SUMS = 1_000
"""The largest lower bound that is computed."""

Letter = tuple[int, int]
"""The number of a change, and the folded position after it."""
Following = dict[Letter, int]
"""The next node after each letter."""
Names = dict[Letter, frozenset[int]]
"""The numbers of all names of the change, by letter."""
Node = tuple[bool, Following, Names]
"""Whether a line may end here; its possible continuations, and their names."""
Facts = frozenset[Hashable]
Contents = tuple[Facts, Facts]
"""The contents of a state: the walker's place, and everything else."""


Change = tuple[Hashable, ...]
"""The names of a change: the first identifies it, and equal changes elsewhere share each name."""


# A state space without walking: transitions are walks or changes, and states connected by walks are merged.
#
# `planning/walking.py` finds the walker. A *walk* changes only the walker's place, and another transition undoes it;
# every other transition is a *change*. With a walker, a change is identified by its effect on everything but the
# walker, from any place of the walker; otherwise by its action or move.
#
# All states that are connected by walks are one *folded position*. Walks are searched only between states that differ
# in nothing but the walker: most states differ in the rest.


class Folding:
    """A state space in which states that walks connect are merged."""

    def __init__(self, space: Space[Any], contents: Callable[[int], Contents] | None) -> None:
        self.space, self.walks = space, contents is not None
        self._contents = contents and cache(contents)
        self._numbers: dict[int, int] = {}
        self._firsts: dict[Facts, list[int]] = {}
        self._members: dict[int, list[int]] = {}

    def contents(self, state: int) -> Contents:
        """Return the walker's place in a state, and the atoms (or pieces) that are not about the walker."""
        assert self._contents is not None
        return self._contents(state)

    def change(self, state: int, edge: int) -> Change | None:
        """Return the change that a transition from `state` makes, as a tuple of names; None if it is a walk.

        With a walker, the first name is the effect on everything else, the second the action of PDDL, if it is one:
        lamps switched in another order are the same actions, but each has another effect.
        """
        space = self.space
        action = space.actions[space.operators[edge]]
        if not self.walks:
            return (action,)
        target = space.targets[edge]
        (place, rest), (new_place, new_rest) = self.contents(state), self.contents(target)
        if rest == new_rest and place != new_place and state in space.following(target):
            return None
        effect = rest - new_rest, new_rest - rest
        return (effect,) if isinstance(action, str) else (effect, action)

    def walked(self, state: int) -> list[int]:
        """Return the states that can be reached from `state` by one walk."""
        targets = self.space.targets
        return [targets[edge] for edge in self.space.edges(state) if self.change(state, edge) is None]

    def members(self, state: int) -> list[int]:
        """Return the states that are merged with `state`, including `state`."""
        if not self.walks:
            return [state]
        first = self.position(state)
        if first not in self._members:
            self._members[first] = members = list(distances([first], self.walked))
            self._numbers.update(dict.fromkeys(members, first))
        return self._members[first]

    def position(self, state: int) -> int:
        """Return the number of the state that represents all states merged with `state`."""
        if not self.walks:
            return state
        if state not in self._numbers:
            firsts = self._firsts.setdefault(self.contents(state)[1], [])
            for first in firsts:
                self.members(first)
            if state not in self._numbers:
                self._numbers[state] = state
                firsts.append(state)
        return self._numbers[state]


# Fold the walks of a space away: find the walker, and split each state into the walker's place and the rest.
#
# In PDDL states, the atoms of the walking thing are separated from the others. Positions without PDDL give both by
# `walker_and_rest`; these values are split into pieces, so that changes can be compared: tuples into their places,
# whole numbers into their bits, since some games store the contents of a cell as bits.

NOWHERE: frozenset[Hashable] = frozenset()


def fold(subject: Position | Task, space: Space[Any]) -> Folding:
    """Return the state space of a position or task with its walks merged. Raises LimitReached."""
    walker = walker_of(subject)
    if walker is None:
        return Folding(space, None)
    thing = walker.thing
    if thing is None:
        assert isinstance(subject, Position)
        positions = Positions(subject, space)
        return Folding(space, lambda state: _contents_of(positions.of(state)))
    assert isinstance(space, StateSpace | RulesSpace), (
        "a game that explores itself must have a walker with a known place"
    )
    places = dict[Atom, bool]()

    def contents(state: int) -> Contents:
        checkpoint()
        true = space.atoms(state)
        for atom in true.difference(places):
            places[atom] = thing.has(atom)
        place = frozenset([atom for atom in true if places[atom]])
        if len(place) != 1:
            return NOWHERE, true
        return place, (true - place).union(walker.shadows(*place))

    return Folding(space, contents)


def _contents_of(position: Position) -> Contents:
    """Return the walker's place and the rest of a position, each as a set of comparable pieces."""
    parts = position.walker_and_rest()
    if parts is None:
        return NOWHERE, frozenset([position])
    return frozenset(_pieces(parts[0])), frozenset(_pieces(parts[1]))


def _pieces(value: Any, *way: int) -> Iterator[Hashable]:
    """Yield the pieces of a value: the items of a tuple, the bits of a whole number, or the value itself."""
    if isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from _pieces(part, *way, number)
    elif isinstance(value, int) and value >= 0:
        yield from ((way, bit) for bit in range(value.bit_length()) if value >> bit & 1)
    else:
        yield way, value


class Positions:
    """The positions of the states in a state space, computed when they are first used."""

    def __init__(self, start: Position, space: Space[Any]) -> None:
        self._space = space
        self._known = dict(enumerate(space.positions)) if isinstance(space, RulesSpace) else {0: start}

    def of(self, state: int) -> Position:
        """Return the position of the game in a state, given by its number."""
        way, known, space = [], self._known, self._space
        while state not in known:
            way.append(state)
            state = space.previous(state)
        for following in reversed(way):
            checkpoint()
            action = space.actions[space.operators[space.first[following]]]
            move = action if isinstance(action, str) else known[state].decode(action)
            known[following] = known[state].apply(move)
            state = following
        return known[state]


# A line is an optimal solution, a plan of least cost, without its walks: a sequence of changes and of the folded
# positions between them. Two neighbouring changes x, y of a line are *independent* there if the sequence with y, x in
# their place is a line, too: both orders are possible at the same least cost, with the same changes before and after,
# and both lead to the same folded position. Changes are the same in both orders if they have the same effect on
# everything but the walker, or are the same action of PDDL. Lines that such exchanges turn into each other count as
# one.
#
# Whether an exchange is allowed depends on its place, so normal forms of traces (Mazurkiewicz 1977) are not exact here.
# Instead lines are the words of a finite automaton, which is made from the optimal part of the space by the subset
# construction, with walks as silent steps, and then minimized. For each of its nodes, beginning with those without
# successors, the words from it are divided into classes:
#
#       node ──x──> X ──y──> XY       a word of the node is a letter and a word of the next node, so its classes are
#         └───y──> Y ──x──> YX        those of the next nodes, except that x y v and y x v are united for each v of XY
#                                     and YX.
#
# Usually XY and YX are the same node of the minimal automaton, and v may be one word of each of its classes; otherwise
# the pairs of their classes that share a word are computed in the same manner. So orders are never listed: ten
# independent changes have 3,628,800 orders, 1,024 nodes and one class.
#
# Beyond the limits on nodes and classes there is a lower bound: each change gets a random number, and the different
# sums over lines are counted. Exchanges keep these sums, since they keep how often each change occurs.


class LineCount(Record):
    """The number of optimal lines of a level.

    Attributes:
        number: the exact number; None if it is infinite, or if only `least` is known.
        least: a lower bound.
    """

    number: int | None
    least: int

    @property
    def unique(self) -> bool | None:
        """Whether there is only one optimal line; None if unknown."""
        return False if self.least > 1 or self.number == 0 else True if self.number == 1 else None


ENDLESS = LineCount(None, 2)


class _TooManyError(Exception):
    """The exception for an automaton of solutions that is too large to count its words."""


def count_lines(folding: Folding) -> LineCount:
    """Count the optimal lines of a level. Raises LimitReached."""
    space = folding.space
    if space.goal_distance[0] < 0:
        return LineCount(0, 0)
    if space.optimal_plans() == 1:
        return LineCount(1, 1)
    try:
        minimal = _minimal(_automaton(folding))
    except _TooManyError:
        return LineCount(None, 1)
    except CycleError:
        return ENDLESS
    try:
        number = _Classes(minimal).count()
        return LineCount(number, number)
    except _TooManyError:
        return LineCount(None, _different_sums(minimal))


def _automaton(folding: Folding) -> list[Node]:
    """Return the automaton whose words are the optimal solutions without walks; its first node is the start."""
    space, known = folding.space, dict[Hashable, int]()
    start = _closed(folding, {0})
    numbers, subsets = {start: 0}, [start]
    nodes: list[Node] = []
    for subset in within_limits(subsets):  # which grow meanwhile
        after: dict[Letter, set[int]] = {}
        names: dict[Letter, set[int]] = {}
        for state, edge in [(place, edge) for place in sorted(subset) for edge in space.tight(place)]:
            change = folding.change(state, edge)
            if change is not None:
                target = space.targets[edge]
                own = [known.setdefault(name, len(known)) for name in change]
                letter = own[0], folding.position(target)  # the same change may lead to different positions
                after.setdefault(letter, set()).add(target)
                names.setdefault(letter, set()).update(own)
        following = {letter: _closed(folding, states) for letter, states in after.items()}
        for states in following.values():
            if states not in numbers:
                numbers[states] = len(numbers)
                subsets.append(states)
        if len(subsets) > MOST_NODES:
            raise _TooManyError
        ends = any(space.goals[state] for state in subset)
        targets = {letter: numbers[states] for letter, states in following.items()}
        nodes.append((ends, targets, {letter: frozenset(own) for letter, own in names.items()}))
    return nodes


def _closed(folding: Folding, states: set[int]) -> frozenset[int]:
    """Return `states`, and all states that they reach by walks on optimal paths."""
    space = folding.space

    def walked(state: int) -> list[int]:
        return [space.targets[edge] for edge in space.tight(state) if folding.change(state, edge) is None]

    return frozenset(distances(states, walked) if folding.walks else states)


def _minimal(nodes: list[Node]) -> list[Node]:
    """Return the minimal automaton, in which nodes that accept the same words are merged, in topological order.

    The last one is the start of the automaton. Raises CycleError if some words have no end.
    """
    order = TopologicalSorter({number: following.values() for number, (_, following, _) in enumerate(nodes)})
    numbers: dict[Hashable, int] = {}
    merged: dict[int, int] = {}
    minimal: list[Node] = []
    for number in within_limits(order.static_order()):
        ends, following, names = nodes[number]
        after = {letter: merged[target] for letter, target in following.items()}
        key = ends, frozenset(after.items()), frozenset(names.items())
        if key not in numbers:
            numbers[key] = len(minimal)
            minimal.append((ends, after, names))
        merged[number] = numbers[key]
    return minimal


EMPTY = 0
"""The class of the empty word, which no exchange unites with another class."""


class _Classes:
    """Equivalence classes of the words of an automaton; words are equivalent if independent changes are exchanged.

    `numbers[node]` is the number of classes; `place[node][letter]` maps classes of the next node to classes of the
    node; `shared` has for two nodes the pairs of their classes with a common word.
    """

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.numbers: list[int] = []
        self.place: list[dict[Letter, list[int]]] = []
        self.work = 0
        self.shared: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def count(self) -> int:
        """Return the number of equivalence classes of the automaton's words. Raises _TooManyError."""
        for node in within_limits(range(len(self.nodes))):
            self._classify(node)
        return self.numbers[-1]

    def _classify(self, node: int) -> None:
        """Divide the words that begin at a node into classes."""
        ends, following, _ = self.nodes[node]
        offsets, size = {}, int(ends)
        for letter, target in following.items():
            offsets[letter] = size
            size += self.numbers[target]
        self._count_work(size)
        if size > MOST_CLASSES:
            raise _TooManyError
        parents = list(range(size))
        for first, second, after_first, after_second in self._exchanges(node):
            for one, other in self._united(node, (first, after_first), (second, after_second)):
                _unite(parents, offsets[first] + one, offsets[second] + other)
        roots = [_root(parents, place) for place in range(size)]
        names = {root: number for number, root in enumerate(dict.fromkeys(roots))}
        self.numbers.append(len(names))
        self.place.append(
            {
                letter: [names[root] for root in roots[offset : offset + self.numbers[following[letter]]]]
                for letter, offset in offsets.items()
            }
        )

    def _exchanges(self, node: int) -> Iterator[tuple[Letter, Letter, Letter, Letter]]:
        """Yield each pair of independent letters at a node, and the letters that follow if the pair is exchanged."""
        _, following, names = self.nodes[node]
        letters = list(following)
        then = {letter: self._by_name(following[letter]) for letter in letters}
        for number, first in enumerate(letters):
            for second in letters[number + 1 :]:
                self._count_work(1)
                after_first = {letter for name in names[second] for letter in then[first].get(name, ())}
                after_second = {letter for name in names[first] for letter in then[second].get(name, ())}
                for one, other in product(sorted(after_first), sorted(after_second)):
                    if one[1] == other[1]:
                        yield first, second, one, other

    def _by_name(self, node: int) -> dict[int, list[Letter]]:
        """Return the letters at a node by the names of the changes that they stand for."""
        letters: dict[int, list[Letter]] = {}
        for letter, names in self.nodes[node][2].items():
            for name in names:
                letters.setdefault(name, []).append(letter)
        return letters

    def _united(self, node: int, one: tuple[Letter, Letter], other: tuple[Letter, Letter]) -> Iterator[tuple[int, int]]:
        """Yield pairs of classes that are equal, because an exchange of the first two letters links their words."""
        following = self.nodes[node][1]
        here, there = following[one[0]], following[other[0]]
        pairs = self._shared(self.nodes[here][1][one[1]], self.nodes[there][1][other[1]])
        self._count_work(len(pairs))
        for left, right in pairs:
            yield self.place[here][one[1]][left], self.place[there][other[1]][right]

    def _shared(self, one: int, other: int) -> list[tuple[int, int]]:
        """Return the pairs of classes (one of each of two nodes) that share a word."""
        if one == other:
            return [(number, number) for number in range(self.numbers[one])]
        if (one, other) not in self.shared:
            for pair in sorted(distances([(one, other)], self._deeper)):  # nodes after a letter have smaller numbers
                self.shared[pair] = self._pairs(*pair)
        return self.shared[one, other]

    def _deeper(self, pair: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the pairs of different successors of two nodes for which the words in common are not yet known."""
        return [each for each in self._both(*pair).values() if each[0] != each[1] and each not in self.shared]

    def _both(self, one: int, other: int) -> dict[Letter, tuple[int, int]]:
        """Return, for each letter that two nodes accept, the pair of nodes that follow."""
        following, others = self.nodes[one][1], self.nodes[other][1]
        return {letter: (target, others[letter]) for letter, target in following.items() if letter in others}

    def _pairs(self, one: int, other: int) -> list[tuple[int, int]]:
        """Return the pairs of classes of two nodes that share a word, computed from the nodes' successors."""
        pairs: dict[tuple[int, int], None] = {}
        if self.nodes[one][0] and self.nodes[other][0]:
            pairs[EMPTY, EMPTY] = None
        for letter, deeper in self._both(one, other).items():
            here, there = self.place[one][letter], self.place[other][letter]
            further = self._shared(*deeper)
            self._count_work(len(further))
            pairs.update(dict.fromkeys([(here[left], there[right]) for left, right in further]))
        return list(pairs)

    def _count_work(self, work: int) -> None:
        self.work += work
        if self.work > MOST_WORK:
            raise _TooManyError


def _root(parents: list[int], place: int) -> int:
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = parents[place]
    return place


def _unite(parents: list[int], one: int, other: int) -> None:
    one, other = _root(parents, one), _root(parents, other)
    parents[max(one, other)] = min(one, other)


def _different_sums(nodes: list[Node]) -> int:
    """Return a lower bound, at most `MOST_SUMS`, for the number of optimal lines, by sums of random numbers.

    Changes that share a name have the same number, so exchanges keep the sum: there are at least as many lines as sums.
    """
    parents = list(range(1 + max(name for _, _, names in nodes for own in names.values() for name in own)))
    for _, _, names in nodes:
        for own in names.values():
            for name in own:
                _unite(parents, min(own), name)
    rng = Random(0)
    worth = [rng.getrandbits(62) for _ in parents]
    sums: list[list[int]] = []
    for ends, following, _ in within_limits(nodes):
        own_sums = dict.fromkeys([0] if ends else [])
        for (change, _), target in following.items():
            own_sums.update(dict.fromkeys([worth[_root(parents, change)] + rest for rest in sums[target]]))
        sums.append(list(own_sums)[:MOST_SUMS])
    return len(sums[-1])
