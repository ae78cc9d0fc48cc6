"""The model: variables with finite domains, and relations between them.

    all_different   no two of the variables have the same value
    table           the values, in the order of the variables, are one of the rows in `data`
    path            each variable's value lies beside the next one's; `data` maps a value to those beside it
    parity          of variables that are 0 or 1, an odd number is 1 if `data` is 1, an even number if it is 0

Relations with a name belong to the level and may contradict each other; those without are the rules of the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from unpuzzle.errors import UsageError

Values = Mapping[str, Hashable]
KINDS = ("all_different", "table", "path", "parity")


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of one of the four kinds, with its data and perhaps a name. Raises UsageError for another kind."""

    kind: str
    variables: Sequence[str]
    data: Any = None
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"unknown kind of relation {self.kind!r}; there are {', '.join(KINDS)}")
        object.__setattr__(self, "variables", tuple(self.variables))

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"{name}{self.kind} of {', '.join(self.variables)}"

    def holds(self, values: Values) -> bool:
        """Return whether values are in the relation; propagation and solvers are tested against this."""
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


@dataclass(frozen=True, slots=True)
class Constraints:
    """Variables with their finite domains, the relations between them, and the costs of values.

    Attributes:
        domains: the values that each variable may have, in the order in which they are tried.
        relations: what a solution fulfils.
        costs: the cost of a variable's value, 0 where it is missing; None if all solutions cost the same.

    Raises UsageError for a relation over a variable without a domain.
    """

    domains: Mapping[str, Sequence[Hashable]]
    relations: Sequence[Relation] = ()
    costs: Mapping[str, Mapping[Hashable, int]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "domains", {name: tuple(values) for name, values in self.domains.items()})
        object.__setattr__(self, "relations", tuple(self.relations))
        for relation in self.relations:
            for name in relation.variables:
                if name not in self.domains:
                    raise UsageError(f"{relation.kind} speaks of '{name}', which is no variable")

    def with_relations(self, relations: Sequence[Relation]) -> Constraints:
        """Return the same variables with other relations."""
        return replace(self, relations=relations)

    def cost(self, values: Values) -> int:
        """Return the cost of a solution."""
        return sum(row.get(values[name], 0) for name, row in (self.costs or {}).items())


def given(variable: str, value: Hashable) -> Relation:
    """Return the relation that a variable has a value, named `variable=value`."""
    return Relation("table", (variable,), ((value,),), f"{variable}={value}")


def violated(model: Constraints, values: Values) -> Relation | str | None:
    """Return the first variable with a value outside its domain, else the first relation that fails, or None."""
    for name, domain in model.domains.items():
        if values.get(name) not in domain:
            return name
    return next((relation for relation in model.relations if not relation.holds(values)), None)
