"""The model: variables with finite domains, and relations between them.

    all_different   no two of the variables have the same value
    table           the values, in the order of the variables, are one of the rows in `data`
    path            each variable's value lies beside the next one's; `data` maps a value to those beside it
    parity          of variables that are 0 or 1, an odd number is 1 if `data` is 1, an even number if it is 0

Relations with a name are those that somebody chose for this level and that may contradict each other, such as a given
digit or a word; those without one are the rules of the game.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from typing import Any

    Values = Mapping[str, Hashable]


class Relation:
    """A relation of one of the four kinds, with the data that it needs and perhaps a name, for explanations."""

    __slots__ = ("data", "kind", "name", "variables")

    def __init__(self, kind: str, variables: Sequence[str], data: Any = None, name: str = "") -> None:
        if kind not in HOLDS:
            raise ValueError(f"unknown kind of relation {kind!r}; there are {', '.join(HOLDS)}")
        self.kind = kind
        self.variables = tuple(variables)
        self.data = data
        self.name = name

    def holds(self, values: Values) -> bool:
        """Whether values of its variables are in the relation."""
        return HOLDS[self.kind]([values[name] for name in self.variables], self.data)

    def __repr__(self) -> str:
        return f"Relation({self.kind!r}, {self.variables!r}, {self.data!r}, {self.name!r})"


class Constraints:
    """Variables with their finite domains, the relations between them, and what values cost.

    Attributes:
        domains: the values that each variable may have, in the order in which they are tried.
        relations: all that a solution fulfils.
        costs: by variable and value, what a solution pays; a value without one is free. None if all solutions cost
            the same.

    Raises ValueError for a relation over a variable without a domain.
    """

    __slots__ = ("costs", "domains", "relations")

    def __init__(
        self,
        domains: Mapping[str, Sequence[Hashable]],
        relations: Sequence[Relation] = (),
        costs: Mapping[str, Mapping[Hashable, int]] | None = None,
    ) -> None:
        self.domains = {name: tuple(values) for name, values in domains.items()}
        self.relations = tuple(relations)
        self.costs = costs
        for relation in self.relations:
            for name in relation.variables:
                if name not in self.domains:
                    raise ValueError(f"{relation.kind} speaks of '{name}', which is no variable")

    def with_relations(self, relations: Sequence[Relation]) -> Constraints:
        """The same variables with other relations."""
        return Constraints(self.domains, relations, self.costs)

    def cost(self, values: Values) -> int:
        """What a solution pays."""
        return sum(row.get(values[name], 0) for name, row in (self.costs or {}).items())


def given(variable: str, value: Hashable) -> Relation:
    """The relation that a variable has this value, named `variable=value`."""
    return Relation("table", (variable,), ((value,),), f"{variable}={value}")


def violated(model: Constraints, values: Values) -> Relation | str | None:
    """The first variable whose value is none of its own, or relation that does not hold; None if all is well."""
    for name, domain in model.domains.items():
        if values.get(name) not in domain:
            return name
    return next((relation for relation in model.relations if not relation.holds(values)), None)


# ---- what the kinds mean


def _all_different(values: Sequence[Hashable], _: object) -> bool:
    return len(set(values)) == len(values)


def _in_table(values: Sequence[Hashable], rows: Any) -> bool:
    return tuple(values) in {tuple(row) for row in rows}


def _on_path(values: Sequence[Hashable], beside: Any) -> bool:
    return all(b in beside[a] for a, b in pairwise(values))


def _of_parity(values: Sequence[Any], odd: Any) -> bool:
    return bool(sum(values) % 2) == bool(odd)


HOLDS: dict[str, Callable[[Sequence[Any], Any], bool]] = {
    "all_different": _all_different,
    "table": _in_table,
    "path": _on_path,
    "parity": _of_parity,
}
"""By kind of relation, whether values are in it: the meaning that propagation and solvers are tested against."""
