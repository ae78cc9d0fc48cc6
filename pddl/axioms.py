"""Derived predicates: their strata, and the evaluation of axioms in a state.

A derived atom is true exactly if an axiom makes it true. Axioms may be recursive, but not through a negation: "p unless
p" has no meaning. So the derived predicates are divided into *strata*: p and q share a stratum if each depends on the
other, and a stratum comes after all strata that it depends on. They are evaluated in that order, each to its least
fixpoint; the predicates that a stratum negates are complete by then (Thiébaux, Hoffmann, Nebel: In Defense of PDDL
Axioms, 2005).
"""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.pddl.nodes import Axiom, Domain
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.strata import strata
from unpuzzle.pddl.world import FactTable, Types, World


class Axioms:
    """The axioms of a domain, prepared to add the derived atoms to a state."""

    def __init__(self, domain: Domain, types: Types, start: Mapping[str, FactTable]) -> None:
        def query(axiom: Axiom) -> Query:
            return Query(axiom.head.parameters, axiom.body, types, start)

        self._strata = [
            [(axiom.head.name, query(axiom)) for axiom in domain.axioms if axiom.head.name in names]
            for names in strata(domain)
        ]

    def complete(self, world: World) -> None:
        for rules in self._strata:
            growing = True
            while growing:
                growing = False
                for predicate, query in rules:
                    new = query.answers(world) - world.facts(predicate).tuples
                    world.add(predicate, new)
                    growing |= bool(new)
