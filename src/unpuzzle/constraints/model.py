"""The model of constraints: variables with finite domains, and relations between the variables.

    all_different   no two of the variables have the same value
    table           the values, in the order of the variables, are one of the rows in `data`
    path            each variable's value is a neighbour of the next one's; `data` maps a value to its neighbours
    parity          of variables that are 0 or 1, an odd number is 1 if `data` is 1, an even number if it is 0

Relations with a name belong to the level and may contradict each other; unnamed ones are the rules of the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from unpuzzle.base.errors import UsageError
from unpuzzle.base.values import Record

Values = Mapping[str, Hashable]


KINDS = ("all_different", "table", "path", "parity")


class Relation(Record):
    """A relation of one of four kinds, with its data and, optionally, a name. Raises UsageError for another kind."""

    kind: str
    variables: Sequence[str]
    data: Any = None
    name: str = ""

    def __init__(self, kind: str, variables: Sequence[str], data: Any = None, name: str = "") -> None:
        super().__init__(kind, tuple(variables), data, name)

    def _require_sense(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"unknown kind of relation {self.kind!r}; the kinds are {', '.join(KINDS)}")

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"{name}{self.kind} of {', '.join(self.variables)}"

    def holds(self, values: Values) -> bool:
        """Return whether values satisfy the relation; tests check propagators and solvers against this method."""
        own: list[Any] = [values[name] for name in self.variables]
        match self.kind:
            case "all_different":
                return len(set(own)) == len(own)
            case "table":
                return tuple(own) in {tuple(row) for row in self.data}
            case "path":
                return all(b in self.data[a] for a, b in pairwise(own))
            case _:
                return bool(sum(own) % 2) == bool(self.data)


class Constraints(Record):
    """Variables with their finite domains, the relations between them, and the costs of values.

    Attributes:
        domains: the values that each variable may have, in the order in which they are tried.
        relations: the relations that a solution fulfils.
        costs: the cost of a variable's value, 0 if it is missing; None if all solutions cost the same.

    Raises UsageError for a relation over a variable without a domain, and for a parity of others than 0 and 1.
    """

    domains: Mapping[str, Sequence[Hashable]]
    relations: Sequence[Relation] = ()
    costs: Mapping[str, Mapping[Hashable, int]] | None = None

    def __init__(
        self,
        domains: Mapping[str, Sequence[Hashable]],
        relations: Sequence[Relation] = (),
        costs: Mapping[str, Mapping[Hashable, int]] | None = None,
    ) -> None:
        super().__init__({name: tuple(values) for name, values in domains.items()}, tuple(relations), costs)

    def _require_sense(self) -> None:
        for relation in self.relations:
            for name in relation.variables:
                if name not in self.domains:
                    raise UsageError(f"{relation.kind} names '{name}', which is not a variable")
                if relation.kind == "parity" and (others := [v for v in self.domains[name] if v not in (0, 1)]):
                    raise UsageError(f"parity names '{name}', which may be {others[0]!r}; its variables must be 0 or 1")

    def with_relations(self, relations: Sequence[Relation]) -> Constraints:
        """Return a model with the same variables but other relations."""
        return self.replace(relations=tuple(relations))

    def cost(self, values: Values) -> int:
        """Return the cost of a solution."""
        return sum(row.get(values[name], 0) for name, row in (self.costs or {}).items())


def given(variable: str, value: Hashable) -> Relation:
    """Return the relation that fixes the value of a variable, named `variable=value`."""
    return Relation("table", (variable,), ((value,),), f"{variable}={value}")


def violated(model: Constraints, values: Values) -> Relation | str | None:
    """Return the first variable with a value outside its domain, else the first relation that fails, or None."""
    for name, domain in model.domains.items():
        if values.get(name) not in domain:
            return name
    return next((relation for relation in model.relations if not relation.holds(values)), None)
