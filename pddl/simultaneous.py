"""Steps of a plan that begin at the same time: whether they may be taken in any order.

Two steps are independent if neither changes a fact that the other one reads, or that it changes in the other way. The
order of steps that are independent, each of each, does not matter. Otherwise all orders of a few steps are tried.
"""

from __future__ import annotations

from itertools import permutations

from unpuzzle.errors import ParseError
from unpuzzle.limits import ticked
from unpuzzle.pddl.formulas import Atom, Exists, Forall, Not, When, effects, walk
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.record import Record
from unpuzzle.words import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.pddl.nodes import GroundAction
    from unpuzzle.pddl.semantics import Semantics, State

MOST_TRIED = 8
"""The most steps of which all orders are tried: 1,024 steps in 256 states at most."""


class Access(Record):
    """The facts that a step may read, add and delete; variables of quantifiers stand for any object."""

    reads: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    def disturbs(self, other: Access) -> bool:
        """Return whether this step may change what the other one reads, or what it changes in the other way."""
        changed = (*self.adds, *self.deletes)
        pairs = ((changed, other.reads), (self.adds, other.deletes), (self.deletes, other.adds))
        return any(_may_be_equal(one, two) for ones, twos in pairs for one in ones for two in twos)


def require_any_order(semantics: Semantics, state: State, actions: Sequence[GroundAction]) -> None:
    """Raise ParseError if the order of steps that begin at the same time matters in a state.

    If no order of them can be carried out, this is not an error here.
    """
    try:
        accesses = [_access(semantics, action) for action in actions]
    except ParseError:
        return  # an unknown action, or wrong arguments: no order of them can be carried out
    if not any(one.disturbs(other) for one, other in ticked(permutations(accesses, 2), semantics.types.tick)):
        return
    names = listing(map(str, actions))
    if len(actions) > MOST_TRIED:
        message = f"{names} begin at the same time, and there are too many orders to try"
        raise parse_error(f"{message}: give each of them a time of its own", actions[0].span)
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
        message = f"{names} begin at the same time, but their order matters"
        raise parse_error(f"{message}: give each of them a time of its own", actions[0].span)


def _access(semantics: Semantics, action: GroundAction) -> Access:
    schema, binding = semantics.schema(action)
    parts = list(effects(schema.effect))
    conditions = [schema.precondition, *(part.condition for part in parts if isinstance(part, When))]
    formulas = [part for formula in (*conditions, schema.effect) for part in walk(formula)]
    inner = {each.name for part in formulas if isinstance(part, Exists | Forall) for each in part.parameters}
    binding = {name: value for name, value in binding.items() if name not in inner}
    reads = [atom for condition in conditions for atom in walk(condition) if isinstance(atom, Atom)]
    if any(atom.predicate in semantics.derived_predicates for atom in reads):  # it may read all that axioms read
        bodies = [axiom.body for axiom in semantics.task.domain.axioms]
        reads += [_anywhere(atom) for body in bodies for atom in walk(body) if isinstance(atom, Atom)]
    deletes = [part.operand for part in parts if isinstance(part, Not) and isinstance(part.operand, Atom)]
    adds = [part for part in parts if isinstance(part, Atom) and not any(part is each for each in deletes)]
    return Access(*(tuple([_bound(atom, binding) for atom in atoms]) for atoms in (reads, adds, deletes)))


def _bound(atom: Atom, binding: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([binding.get(term, term) for term in atom.arguments]))


def _anywhere(atom: Atom) -> Atom:
    return Atom(atom.predicate, ("?",) * len(atom.arguments))


def _may_be_equal(one: Atom, other: Atom) -> bool:
    return one.predicate == other.predicate and all(
        _may_stand_for(*pair) for pair in zip(one.arguments, other.arguments, strict=True)
    )


def _may_stand_for(*terms: str) -> bool:
    return terms[0] == terms[1] or any(term.startswith("?") for term in terms)
