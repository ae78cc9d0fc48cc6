"""Explain why a fact is unreachable: a chain of unreachable conditions, down to a fact that is false at the start.

    (lies k d)     only unload makes it true, and it needs (at ?t d) for some ?t
    (at truck d)   drive and pass make it true, and need (at truck c) or (key truck)
    (key truck)    is false at the start, and no action changes it

A deleted fact counts as true and as false (`planners.native.grounding.survey`), so the explanation is certain: a fact
that is unreachable even then is unreachable. If a fact has several ways, each has a missing condition, and
the chain follows the one with the shortest way to an end. If all ways lead in circles, as between two separate
parts of a graph, the chain ends with the circle and with the facts of the same form that can become true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from unpuzzle.base.distances import Explorer
from unpuzzle.base.text import count, listing
from unpuzzle.base.values import Record
from unpuzzle.checking.achievers import Achievers, Literal, Way, literal_of
from unpuzzle.pddl.formulas import free_variables
from unpuzzle.pddl.nodes import Atom, Condition, Not, Task
from unpuzzle.pddl.writer import text
from unpuzzle.planners.native.grounding import survey

MOST_LINKS = 12
"""The most facts of a chain that are shown."""
MOST_LOOKED_AT = 60
"""The most facts that are tried while a chain is searched for."""
MOST_LACKS, MOST_ALIKE, MOST_ENDS = 4, 8, 2
"""The most missing conditions, similar objects and ends that a sentence lists."""


Fact = Literal | Condition
"""The links of a chain of reasons: literals, and other conditions without free variables."""


class Lack(Record):
    """A missing condition of an achiever of a fact: its text, and the fact to be explained next, if there is one.

    `hopeless`: static facts exclude every way to it, so no action makes it true. `ends`: facts that nothing changes,
    any one of which would do; `open_`: other facts of the same form would do as well; `end`: why no fact of the form
    ever holds; `action`: the action of the way; `narrow`: conditions that only one choice of its objects fulfils;
    `one_of_several`: there are other facts of the same form.
    """

    text: str
    literal: Fact | None
    hopeless: bool
    ends: tuple[Literal, ...] = ()
    open_: bool = False
    end: str = ""
    action: str = ""
    narrow: str = ""
    one_of_several: bool = False


class Link(Record):
    """A step of an explanation: an unreachable fact, the actions that could achieve it, their missing conditions."""

    fact: str
    actions: tuple[str, ...]
    lacks: tuple[str, ...]
    text: str


class _Node(Record):
    """An unreachable fact, its achievers, and the missing conditions of these achievers."""

    literal: Fact
    ways: tuple[Way, ...]
    lacks: tuple[Lack, ...]

    def following(self) -> list[Fact]:
        """Return the facts with which the chain may continue."""
        lacks = [lack for lack in self.lacks if lack.literal is not None and lack.literal != self.literal]
        return [lack.literal for lack in [each for each in lacks if not each.hopeless] or lacks if lack.literal]

    def ends(self) -> list[Literal]:
        """Return facts any one of which, if true, would make the fact of this node reachable."""
        if self.ways:
            return [end for lack in self.lacks for end in lack.ends]
        return [self.literal] if isinstance(self.literal, Literal) else []


class Chain:
    """Chains of unreachable facts in a task. Raises LimitReached, as grounding does."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._achievers = Achievers(task)
        self._nodes: dict[Fact, _Node] = {}

    def unreachable(self, conditions: Iterable[Condition]) -> frozenset[Condition]:
        """Return the conditions that nothing can make true."""
        distinct = list(dict.fromkeys(conditions))
        return frozenset(survey.unreachable(self._task, distinct)[1]) if distinct else frozenset()

    def links(self, goal: Condition) -> list[Link]:
        """Return the chain from an unreachable goal down to a fact that is false at the start."""
        path, again = self._path(goal)
        links = [self._link(self._nodes[each]) for each in path[:MOST_LINKS]]
        for number, (one, other) in enumerate(pairwise(path[:MOST_LINKS]), 1):
            if any(lack.literal == other and lack.one_of_several for lack in self._nodes[one].lacks):
                links[number] = links[number].replace(text=f"for instance, {links[number].text}")
        if again is not None and len(path) <= MOST_LINKS:
            links.append(self._circle(path[path.index(again) :]))
        last = self._nodes[path[-1]]
        ends = [lack for lack in last.lacks if lack.end and not last.following()][:MOST_ENDS]
        if again is None and not ends and any(lack.literal == last.literal for lack in last.lacks):
            links.append(self._circle(path[-2:]))
        return links + [Link(lack.text, (), (), lack.end) for lack in ends]

    def lacking(self, goal: Condition) -> list[Literal]:
        """Return facts that are false at the start; each of them might make an unreachable goal reachable."""
        path = self._path(goal)[0]
        nodes = [self._nodes[each] for each in dict.fromkeys([*reversed(path), *self._nodes])]
        ends = [end for node in nodes for end in node.ends() if not self._achievers.derived(end.atom.predicate)]
        nearly = [pair for node in nodes for way in node.ways for pair in self._achievers.nearly(way)]
        lost = self.unreachable(part for _, parts in nearly for part in parts)
        found = dict.fromkeys([*ends, *[each for each, parts in nearly if lost.isdisjoint(parts)]])
        return [literal for literal in found if self._achievers.well_typed(literal.atom)]

    def _path(self, goal: Condition) -> tuple[list[Fact], Fact | None]:
        """Return the shortest path from a fact to a last fact; else a path into a cycle, with the repeated fact."""
        first: Fact = literal_of(goal) or goal
        explorer = Explorer(first, lambda fact: [(None, each, each) for each in self._nodes[fact].following()])
        while level := explorer.states[len(explorer.edges) :]:
            self._look_at(level)
            end = next((each for each in level if not self._nodes[each].following()), None)
            if end is not None:
                return [first, *explorer.way(explorer.numbers[end])], None
            for _ in level:
                explorer.expand(MOST_LOOKED_AT)
        return self._into_a_circle(first)

    def _into_a_circle(self, first: Fact) -> tuple[list[Fact], Fact | None]:
        path = [first]
        while len(path) <= MOST_LINKS:
            self._look_at([path[-1]])
            following = self._nodes[path[-1]].following()
            if not following:
                return path, None
            again = next((each for each in following if each in path), None)
            if again is not None:
                return path, again
            path.append(following[0])
        return path, None

    def _look_at(self, literals: Sequence[Fact]) -> None:
        """Find the missing conditions of all achievers of the given facts, in one analysis for all facts together."""
        fresh = [literal for literal in literals if literal not in self._nodes]
        ways = {literal: tuple(self._achievers.ways(literal)) for literal in fresh}
        lost = self.unreachable(part for each in ways.values() for way in each for part in way.closed())
        instances = {
            way: self._achievers.instances(way)
            for each in ways.values()
            for way in each
            if lost.isdisjoint(way.closed())
        }
        parts = (part for _, rows in instances.values() for row in rows for part in row)
        lost |= self.unreachable(part for part in parts if not free_variables(part))
        for literal, each in ways.items():
            choices = [(way.action, lacks) for way in each for lacks in self._lacks(way, instances.get(way), lost)]
            lacks = [_worst(lacks).replace(action=action) for action, lacks in choices]
            common = [lack for lack in choices[0][1] if all(lack in own for _, own in choices)] if choices else []
            if common and _worst(common).hopeless == all(lack.hopeless for lack in lacks):
                lacks = [_worst(common).replace(action=action) for action, _ in choices]
            self._nodes[literal] = _Node(literal, each, tuple(dict.fromkeys(lacks)))

    def _lacks(
        self, way: Way, instances: tuple[list[Condition], list[list[Condition]]] | None, lost: frozenset[Condition]
    ) -> Iterator[list[Lack]]:
        """Yield the missing conditions of an achiever: unreachable ones, else those of each choice of objects."""
        if not self._achievers.populated(way):
            types = listing(list(dict.fromkeys(self._achievers.unpopulated(way))))
            yield [Lack(f"an object of type {types} (there is none)", None, True)]
            return
        if instances is None:
            parts = [part for part, closed in zip(way.needs, way.closed(), strict=True) if closed in lost]
            lacks = [self._lack(part, way) for part in parts]
            only = lacks[0].literal if len(parts) == 1 and isinstance(lacks[0].literal, Literal) else None
            if only is not None and self._achievers.static(only.atom.predicate):
                # only one fact at the start is missing
                lacks = [lacks[0].replace(hopeless=not (only.sign and self._achievers.plausible(only)))]
            yield lacks
            return
        static, rows = instances
        if not rows:
            yield [Lack(f"objects with {listing([text(part, {}) for part in static])} (there are none)", None, True)]
        narrow = listing([text(part, {}) for part in static if free_variables(part)] if len(rows) == 1 else ())
        for row in rows:
            lacks = [self._lack(part, way) for part in row if part in lost]
            together = Lack(f"{listing([text(part, {}) for part in row])} together", None, False)
            yield [lack.replace(narrow=narrow) for lack in lacks or [together]]

    def _lack(self, part: Condition, way: Way) -> Lack:
        """Return an unreachable condition of an achiever as a `Lack`; a free variable stands for any object."""
        literals = self._achievers.choices(part, way.parameters)
        free = sorted(free_variables(part))
        names = self._achievers.shown(part, way.parameters) if literals else listing(free)
        said = f"{text(part, {})} for some {names}" if free else text(part, {})
        if isinstance(part, Not) and isinstance(part.operand, Atom) and part.operand.predicate == "=":
            return Lack(f"{listing(part.operand.arguments)} that differ (there are none)", None, True)
        if not literals:  # the part is no literal
            return Lack(said, None if free else part, False)
        static = self._achievers.static(literals[0].atom.predicate)
        if len(free) > 1 and not static:  # other facts would do as well
            return Lack(said, literals[0], False, open_=True, one_of_several=len(literals) > 1)
        if free and (static or not any(True for each in literals for _ in self._achievers.ways(each))):
            sign = literals[0].sign
            changed = "changes it" if static else f"makes it {_state(sign)}"
            atom = text(part if sign else part.children()[0], {})
            changed += self._achievers.narrower(literals[0])
            end = f"{atom} is {_state(not sign)} at the start for every {names}, and no action {changed}"
            return Lack(said, None, True, tuple(literals) if len(free) == 1 else (), end=end)
        possible = [literal for literal in literals if self._achievers.possible(literal)]
        several = len(literals) > 1
        return Lack(said, (possible or literals)[0], not possible, open_=bool(free), one_of_several=several)

    def _link(self, node: _Node) -> Link:
        literal, actions = node.literal, tuple(dict.fromkeys(way.action for way in node.ways if way.action))
        hopeful = [lack for lack in node.lacks if not lack.hopeless or not actions]
        lacks = tuple(dict.fromkeys(lack.text for lack in hopeful or node.lacks))
        if isinstance(literal, Literal) and not node.ways:
            return Link(str(literal), (), (), self._never(literal))
        shown = list(lacks)
        if len(lacks) > MOST_LACKS + 1:
            shown = [*lacks[:MOST_LACKS], f"one of {len(lacks) - MOST_LACKS:,} other facts"]
        needs = listing(shown, "or")
        never = [each for each in actions if hopeful and all(lack.action != each for lack in hopeful)]
        if hopeful and len(hopeful) < len(node.lacks) and not never:
            needs += " (nothing else that would do can become true)"
        elif len(node.lacks) == 1 and node.lacks[0].narrow:
            needs += f", since no other objects fulfil {node.lacks[0].narrow}"
        if not isinstance(literal, Literal):
            said = f"that needs {needs}" if node.ways else "that is false in all states"
        elif never:
            others = [each for each in actions if each not in never]
            said = (
                f"only {listing(actions)} make {literal.atom} {_state(literal.sign)}; {listing(never)} never can, and "
            )
            said += f"{listing(others)} {'needs' if len(others) == 1 else 'need'} {needs}"
        elif len(actions) == 1:
            said = f"only {actions[0]} makes {literal.atom} {_state(literal.sign)}, and it needs {needs}"
        else:
            said = f"only {listing(actions)} make {literal.atom} {_state(literal.sign)}, and they need {needs}"
        return Link(_text(literal), actions, lacks, said)

    def _never(self, literal: Literal) -> str:
        atom = literal.atom
        if self._achievers.derived(atom.predicate):
            return (
                f"no rule makes {atom} true" if literal.sign else f"{atom} is true in every state that can be reached"
            )
        said = f"{atom} is {_state(not literal.sign)} at the start, and no action "
        said += "changes it" if self._achievers.static(atom.predicate) else f"makes it {_state(literal.sign)}"
        return said + self._achievers.narrower(literal)

    def _circle(self, literals: Sequence[Fact]) -> Link:
        """Return the link that closes a cycle of facts, with the facts of the same form that can become true."""
        closed = self._closure(literals[0])
        names = tuple(map(_text, closed or literals))
        if closed and len(closed) > 1:
            said = f"so each of {_some(names)} needs one of them first, and none of them is true at the start"
        elif closed:
            said = f"so {names[0]} needs itself first, and is not true at the start"
        else:
            said = "that leads round in a circle, and nothing in it is true at the start"
        form = self._form(literals)
        return Link(names[0], (), names, f"{said}; {form}" if form else said)

    def _closure(self, first: Fact) -> list[Fact]:
        """Return all facts that a fact depends on, directly or indirectly; empty if not all of them are known."""
        closed, at = [first], 0
        while at < len(closed):
            node = self._nodes.get(closed[at])
            if node is None or any(lack.literal is None or lack.open_ for lack in node.lacks if not lack.hopeless):
                return []
            closed += [each for each in dict.fromkeys(node.following()) if each not in closed]
            at += 1
        return closed

    def _form(self, facts: Sequence[Fact]) -> str:
        """Return a sentence on possible facts that differ from a cycle's facts in one object; may be empty."""
        lacks = [lack for fact in facts for lack in self._nodes[fact].lacks if not lack.hopeless]
        led = [lack.literal for lack in lacks if lack.literal is not None]
        literals = [each for each in (*facts, *led) if isinstance(each, Literal)]
        if len(literals) < len(facts) + len(led):
            return ""
        one, *others = [literal.atom for literal in literals]
        if any(atom.predicate != one.predicate for atom in others) or not literals[0].sign:
            return ""
        pairs = [set(arguments) for arguments in zip(*[atom.arguments for atom in (one, *others)], strict=True)]
        places = [place for place, names in enumerate(pairs) if len(names) > 1]
        if len(places) != 1:
            return ""
        place = places[0]
        alike = self._achievers.alike(literals[0], place)
        lost = self.unreachable(literal.condition for literal in alike)
        can = [literal.atom.arguments[place] for literal in alike if literal.condition not in lost]
        cannot = [literal.atom.arguments[place] for literal in alike if literal.condition in lost]
        form = f"({' '.join((one.predicate, *one.arguments[:place], '…', *one.arguments[place + 1 :]))})"
        if not can:
            return f"no fact {form} can be true"
        few = len(can) <= len(cannot)
        return (
            f"{form} can only be true for {_some(can)}" if few else f"{form} can be true, but not for {_some(cannot)}"
        )


def _worst(lacks: Sequence[Lack]) -> Lack:
    """Return a missing condition that nothing can make true or, without any, the first that can be explained."""
    hopeless = [lack for lack in lacks if lack.hopeless]
    followed = [lack for lack in lacks if lack.literal is not None]
    return (hopeless or followed or lacks)[0]


def _some(names: Sequence[str]) -> str:
    """Return names as a text; after the first few names, only the number of the rest."""
    if len(names) <= MOST_ALIKE:
        return listing(names)
    return f"{', '.join(names[:MOST_ALIKE])} and {count(len(names) - MOST_ALIKE, 'other')}"


def _text(fact: Fact) -> str:
    return str(fact) if isinstance(fact, Literal) else text(fact, {})


def _state(sign: bool) -> str:
    return "true" if sign else "false"
