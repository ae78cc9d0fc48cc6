"""Mutex groups; `core/grounding/mutexes.hpp` says what makes one and how they are found.

Here a group that is tried is a copy.
"""

from __future__ import annotations

from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .formulas import Conjunction
    from .ground_task import GroundOperator, GroundTask

BUDGET_PER_EVENT = 60
"""How often, on average, an add effect may be looked at before the search for groups ends."""

MOST_TRIALS = 100
"""A group that needs more choices by trial than this, one inside the other, is given up."""


class MutexGroup:
    """At most one of `facts` is true in any reachable state; exactly one, if `exact`."""

    __slots__ = ("exact", "facts")

    def __init__(self, facts: tuple[int, ...], exact: bool) -> None:
        self.facts = facts
        self.exact = exact


class _Event:
    """An add effect: `fact` becomes true where `required` (literals, the precondition included) holds."""

    __slots__ = ("balancers", "fact", "operator", "required")

    def __init__(self, operator: GroundOperator, fact: int, required: frozenset[int], balancers: list[int]) -> None:
        self.operator = operator
        self.fact = fact
        self.required = required
        self.balancers = balancers


class _Deletion:
    """A delete effect, and the events of the same operator that certainly fire with it."""

    __slots__ = ("fact", "partners")

    def __init__(self, fact: int, partners: list[_Event]) -> None:
        self.fact = fact
        self.partners = partners


class _OutOfBudgetError(Exception):
    pass


def find_groups(task: GroundTask, tick: Callable[[], None]) -> list[MutexGroup]:
    """The mutex groups of two or more facts, in a fixed order."""
    return _Search(task, tick).run()


class _Search:
    def __init__(self, task: GroundTask, tick: Callable[[], None]) -> None:
        self.task, self.tick = task, tick
        self.events: dict[int, list[_Event]] = {}
        self.deletions: dict[int, list[_Deletion]] = {}
        for operator in task.operators:
            tick()
            self._read(operator)
        free = {f for f, found in self.events.items() if any(not e.balancers and f not in e.required for e in found)}
        self.unbalanced = free
        self.budget = 1000 + BUDGET_PER_EVENT * sum(map(len, self.events.values()))

    def _read(self, operator: GroundOperator) -> None:
        precondition = frozenset(operator.precondition)
        # A fact that may be added where it is true does not balance: it may stay true, whatever deletes it. (Where it
        # is added from another fact of a group, that was true instead, so the group itself keeps the two apart.)
        kept = {e.fact for e in operator.effects if e.add and (e.fact in precondition or e.fact in e.condition)}
        deletes = [e for e in operator.effects if not e.add]
        sure = [e for e in deletes if e.fact not in kept]
        events = []
        for effect in operator.effects:
            if effect.add:
                required = precondition.union(effect.condition) if effect.condition else precondition
                balancers = [e.fact for e in sure if e.fact in required and required.issuperset(e.condition)]
                event = _Event(operator, effect.fact, required, list(dict.fromkeys(balancers)))
                events.append(event)
                self.events.setdefault(effect.fact, []).append(event)
        for delete in deletes:
            known = precondition.union(delete.condition, (delete.fact,))
            partners = [event for event in events if event.required <= known]
            self.deletions.setdefault(delete.fact, []).append(_Deletion(delete.fact, partners))

    def run(self) -> list[MutexGroup]:
        found: dict[frozenset[int], MutexGroup] = {}
        try:
            for seed in self._seeds(found):
                if seed in self.unbalanced or seed in self.task.layers:
                    continue
                for first in self._first_choices(seed):
                    group = self._grow(seed, first)
                    if group is not None and len(group.members) > 1 and frozenset(group.members) not in found:
                        facts = tuple(sorted(group.members))
                        found[frozenset(group.members)] = MutexGroup(facts, group.exact())
        except _OutOfBudgetError:
            pass  # what was found so far is right; more might have been found
        return list(found.values())

    def _seeds(self, found: dict[frozenset[int], MutexGroup]) -> Iterator[int]:
        """The facts that are true in the first start, then those of other starts that no group has yet."""
        facts = sorted(self.task.initial)
        yield from [fact for fact in facts if self.task.initial[fact] & 1]
        for fact in facts:
            if not self.task.initial[fact] & 1 and not any(fact in group for group in found):
                yield fact

    def together_at_start(self, one: int, other: int) -> bool:
        """Whether two facts are true in one start."""
        initial = self.task.initial
        return initial.get(one, 0) & initial.get(other, 0) != 0

    def _first_choices(self, seed: int) -> Iterator[tuple[_Event, int] | None]:
        """The ways to balance the first event of a seed that leaves a choice; None is "no preference"."""
        for event in self.events.get(seed, ()):
            usable = [b for b in event.balancers if b not in self.unbalanced and not self.together_at_start(seed, b)]
            if seed not in event.required and len(usable) > 1:
                yield from ((event, balancer) for balancer in usable)
                return
        yield None

    def _grow(self, seed: int, first: tuple[_Event, int] | None) -> _Group | None:
        group = _Group(self, {})
        if first is not None:
            group.choices[self.pattern(first[0])] = self.choice(first[0], first[1])
        closed = group.closed((seed,))
        return closed and closed.extended()

    def spend(self) -> None:
        self.tick()
        self.budget -= 1
        if self.budget < 0:
            raise _OutOfBudgetError

    def adders(self, fact: int) -> int:
        return len(self.events.get(fact, ()))

    def choice(self, event: _Event, balancer: int) -> tuple[object, ...]:
        """What a balancer looks like from its operator: predicate, and which parameters stand in it."""
        arguments = event.operator.arguments
        predicate, *terms = self.task.facts[balancer]
        return (predicate, *[arguments.index(term) if term in arguments else term for term in terms])

    def pattern(self, event: _Event) -> tuple[object, ...]:
        return (event.operator.name, *self.choice(event, event.fact))


class _Group:
    """A group while it grows."""

    def __init__(self, search: _Search, choices: dict[tuple[object, ...], tuple[object, ...]]) -> None:
        self.search = search
        self.choices = choices
        self.members: dict[int, None] = {}
        self.of_operator: dict[int, list[_Event]] = {}

    def copy(self) -> _Group:
        other = _Group(self.search, dict(self.choices))
        other.members = dict(self.members)
        other.of_operator = {operator: list(events) for operator, events in self.of_operator.items()}
        return other

    def fits(self, fact: int) -> bool:
        """Whether a fact can join: balanceable, not true beside a member at the start, never added beside one."""
        search = self.search
        if fact in search.unbalanced or fact in search.task.layers:
            return False
        if fact in search.task.initial and any(search.together_at_start(fact, member) for member in self.members):
            return False
        for event in search.events.get(fact, ()):
            search.spend()
            for other in self.of_operator.get(id(event.operator), ()):
                if self._together(event, other, fact):
                    return False
        return True

    def _together(self, one: _Event, other: _Event, newcomer: int | None = None) -> bool:
        """Whether two add effects of one operator can fire at once, as far as the group tells.

        While the group grows, an event without its balancer gets one later: the only one there is counts already, and
        where there are several the event is given the benefit of the doubt, until `_consistent` looks again.
        """
        both = one.required | other.required
        if any(~literal in both for literal in both):
            return False
        true = {literal for literal in both if literal == newcomer or literal in self.members}
        if newcomer is not None:
            for event in (one, other):
                if event.fact not in event.required and true.isdisjoint(event.balancers):
                    if len(event.balancers) > 1:
                        return False
                    true.update(event.balancers)
        return len(true) < 2

    def _consistent(self) -> bool:
        """Whether no operator can add two facts of the group at once."""
        return not any(
            one.fact != other.fact and self._together(one, other)
            for events in self.of_operator.values()
            for i, one in enumerate(events)
            for other in events[:i]
        )

    def add(self, fact: int) -> list[_Event]:
        self.members[fact] = None
        events = self.search.events.get(fact, [])
        for event in events:
            self.of_operator.setdefault(id(event.operator), []).append(event)
        return events

    def closed(self, newcomers: tuple[int, ...], events: Sequence[_Event] = (), trials: int = 0) -> _Group | None:
        """This group with the newcomers and all that their adders (and the further `events`) need, or None if that
        cannot be. Where nothing decides between balancers they are tried in turn, each in a copy of the group.
        """
        pending = deque(events)
        for fact in newcomers:
            if fact not in self.members:
                if not self.fits(fact):
                    return None
                pending.extend(self.add(fact))
        undecided: list[_Event] = []
        open_patterns: set[tuple[object, ...]] = set()  # one event of each is looked at; the others wait for its choice
        while pending:
            event = pending.popleft()
            self.search.spend()
            if self._balanced(event):
                continue
            pattern = self.search.pattern(event) if len(event.balancers) > 1 else ()
            if pattern in open_patterns:
                undecided.append(event)
                continue
            chosen = self._wanted(event, pattern)
            if chosen is None:
                candidates = [balancer for balancer in event.balancers if self.fits(balancer)]
                if not candidates:
                    return None
                if len(candidates) > 1:
                    undecided.append(event)
                    if pattern not in self.choices:
                        open_patterns.add(pattern)
                    continue
                chosen = candidates[0]
                if pattern and pattern not in self.choices:
                    self.choices[pattern] = self.search.choice(event, chosen)  # what was forced once is tried first
            pending.extend(self.add(chosen))
        undecided = [event for event in undecided if not self._balanced(event)]
        if not undecided:
            return self if self._consistent() else None
        if trials == MOST_TRIALS:
            return None
        event = undecided[0]
        for candidate in sorted(event.balancers, key=self.search.adders):  # what asks for least first
            other = self.copy()
            other.choices[self.search.pattern(event)] = self.search.choice(event, candidate)
            grown = other.closed((candidate,), undecided[1:], trials + 1)
            if grown is not None:
                return grown
        return None

    def _balanced(self, event: _Event) -> bool:
        return event.fact in event.required or any(balancer in self.members for balancer in event.balancers)

    def _wanted(self, event: _Event, pattern: tuple[object, ...]) -> int | None:
        """The balancer that was chosen for events like this one, if it fits."""
        wanted = self.choices.get(pattern)
        for balancer in event.balancers if wanted is not None else ():
            if wanted == self.search.choice(event, balancer) and self.fits(balancer):
                return balancer
        return None

    def extended(self) -> _Group:
        """This group with facts added where an operator would leave it without a true fact."""
        group, tried = self, set()
        progress = True
        while progress:
            progress = False
            for fact in list(group.members):
                for deletion in self.search.deletions.get(fact, ()):
                    partners = [event.fact for event in deletion.partners]
                    if any(partner in group.members for partner in partners):
                        continue
                    for partner in partners:
                        if partner not in tried:
                            tried.add(partner)
                            larger = group.copy().closed((partner,))
                            if larger is not None:
                                group, progress = larger, True
                                break
        return group

    def exact(self) -> bool:
        """Whether one fact is always true."""
        task, starts = self.search.task, 0
        for member in self.members:
            starts |= task.initial.get(member, 0)
        if starts != task.every_start:
            return False
        return all(
            any(event.fact in self.members for event in deletion.partners)
            for member in self.members
            for deletion in self.search.deletions.get(member, ())
        )


class MutexIndex:
    """Which facts exclude each other, by all groups."""

    def __init__(self, groups: list[MutexGroup]) -> None:
        self.groups_of: dict[int, frozenset[int]] = {}
        members: dict[int, set[int]] = {}
        for number, group in enumerate(groups):
            for fact in group.facts:
                members.setdefault(fact, set()).add(number)
        self.groups_of = {fact: frozenset(numbers) for fact, numbers in members.items()}

    def reduced(self, literals: Conjunction, given: Conjunction = ()) -> Conjunction | None:
        """The conjunction without the negative literals that its positive ones (and those of `given`) imply;
        None if it contradicts itself.
        """
        true: dict[int, int] = {}  # group → its true fact
        for literal in (*given, *literals):
            if literal >= 0:
                for group in self.groups_of.get(literal, ()):
                    if true.setdefault(group, literal) != literal:
                        return None
        return tuple([literal for literal in literals if literal >= 0 or not self._excluded(~literal, true)])

    def _excluded(self, fact: int, true: dict[int, int]) -> bool:
        return any(true.get(group, fact) != fact for group in self.groups_of.get(fact, ()))
