"""Constraint models as plain data: what a puzzle offers to solvers that read `constraints`. A leaf.

Constraints(domains={"a": (1, 2, 3), "b": (1, 2, 3)}, relations=[Relation("all_different", ("a", "b"))])
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence


class Relation:
    """A named relation (`all_different`, `table`, ...) over variables, with the data it needs."""

    __slots__ = ("data", "kind", "variables")

    def __init__(self, kind: str, variables: Sequence[str], data: object = None) -> None:
        self.kind = kind
        self.variables = tuple(variables)
        self.data = data

    def __repr__(self) -> str:
        return f"Relation({self.kind!r}, {self.variables!r}, {self.data!r})"


class Constraints:
    """Variables with their finite domains, and the relations between them."""

    __slots__ = ("domains", "relations")

    def __init__(self, domains: Mapping[str, Sequence[Hashable]], relations: Sequence[Relation] = ()) -> None:
        self.domains = {name: tuple(values) for name, values in domains.items()}
        self.relations = tuple(relations)
