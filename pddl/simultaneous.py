"""A check whether the steps of a plan that begin at the same time may be executed in any order.

Two steps are independent if neither changes a fact that the other one reads, or that it changes in the other way. The
order of steps that are independent, each of each, does not matter. Otherwise all orders of a few steps are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import Atom, walk
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.normal_form.single_effects import changes, single_effects
from unpuzzle.pddl.normal_form.substitution import substituted
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.semantics import Semantics, State

MOST_TRIED = 8
"""The most steps of which all orders are tried: 1,024 steps in 256 states at most."""

CURE = "give each of them a different time"


class Access(Record):
    """The facts that a step may read, add and delete; a quantified variable stands for any object."""

    reads: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    def disturbs(self, other: Access) -> bool:
        """Return whether this step may change a fact that the other step reads, or undo a change of the other step."""
        changed = (*self.adds, *self.deletes)
        pairs = ((changed, other.reads), (self.adds, other.deletes), (self.deletes, other.adds))
        return any(_may_be_equal(one, two) for ones, twos in pairs for one in ones for two in twos)


def _may_be_equal(one: Atom, other: Atom) -> bool:
    pairs = zip(one.arguments, other.arguments, strict=False)
    return one.predicate == other.predicate and all(a == b or "?" in (a[0], b[0]) for a, b in pairs)


def require_any_order(semantics: Semantics, state: State, actions: Sequence[GroundAction]) -> None:
    """Raise ParseError if the order of steps that begin at the same time matters in a state.

    If no order of them can be carried out, this is not an error here.
    """
    try:
        accesses = [_access(semantics, action) for action in actions]
    except ParseError:
        return  # an unknown action, or wrong arguments: no order of them can be carried out
    if not any(one.disturbs(other) for one, other in within_limits(permutations(accesses, 2))):
        return
    names = f"{listing(map(str, actions))} begin at the same time"
    if len(actions) > MOST_TRIED:
        raise parse_error(f"{names}, and there are too many orders to try: {CURE}", actions[0].span)
    states: dict[frozenset[int], set[State]] = {frozenset(): {state}}
    stuck = False
    for _ in actions:
        after: dict[frozenset[int], set[State]] = {}
        for taken, reached in states.items():
            for number in set(range(len(actions))) - taken:
                for before in reached:
                    if semantics.why_not(before, actions[number]) is None:
                        after.setdefault(taken | {number}, set()).add(semantics.apply(before, actions[number]))
                    else:
                        stuck = True
        states = after
    ends = set().union(*states.values())
    if ends and (stuck or len(ends) > 1):
        raise parse_error(f"{names}, but their order matters: {CURE}", actions[0].span)


def _access(semantics: Semantics, action: GroundAction) -> Access:
    schema, binding = semantics.schema(action)
    effect, precondition = substituted(schema.effect, binding), substituted(schema.precondition, binding)
    effects = list(single_effects(schema.replace(parameters=(), effect=effect)))
    conditions = [precondition, *(each for effect in effects for each in effect.conditions)]
    reads = [atom for condition in conditions for atom in walk(condition) if isinstance(atom, Atom)]
    if any(atom.predicate in semantics.derived_predicates for atom in reads):  # it may read all that axioms read
        named = [atom for axiom in semantics.task.domain.axioms for atom in walk(axiom.body) if isinstance(atom, Atom)]
        reads += [Atom(atom.predicate, ("?",) * len(atom.arguments)) for atom in named]
    return Access(tuple(reads), *map(tuple, changes(effects)))
