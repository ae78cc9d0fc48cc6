"""The propositional task between instantiation and finite-domain variables: facts by number, operators, axioms."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .formulas import Conjunction
    from .joins import Fact


class GroundEffect:
    """Fact number `fact` becomes `add` where all literals of `condition` hold."""

    __slots__ = ("add", "condition", "fact")

    def __init__(self, condition: Conjunction, fact: int, add: bool) -> None:
        self.condition = condition
        self.fact = fact
        self.add = add


class GroundOperator:
    """A ground action (`schema` is the number of its schema) or one of its copies."""

    __slots__ = ("arguments", "cost", "effects", "name", "precondition")

    def __init__(
        self, name: str, arguments: Fact, precondition: Conjunction, effects: tuple[GroundEffect, ...], cost: int
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.precondition = precondition
        self.effects = effects
        self.cost = cost


class GroundTask:
    """A propositional task. `goal` is None where it is certainly out of reach; `layers` tells the derived facts.

    A task may have several starts (see family.py): `initial` tells of each fact, as a set of bits, in which of them it
    is true, and has no entry for facts that are true in none; `every_start` has all their bits. `kept` are literals
    that conditions outside the task may test; if it is `faithful`, all that a state tells and all operators are kept,
    also those that the goal does not need. `constant` are fluents that are true in all states.
    """

    __slots__ = (
        "axioms",
        "constant",
        "every_start",
        "facts",
        "faithful",
        "goal",
        "initial",
        "kept",
        "layers",
        "operators",
    )

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.initial: dict[int, int] = {}
        self.every_start = 1
        self.constant: list[Fact] = []
        self.goal: Conjunction | None = None
        self.kept: set[int] = set()
        self.faithful = False
        self.operators: list[GroundOperator] = []
        self.axioms: list[tuple[int, Conjunction]] = []
        self.layers: dict[int, int] = {}
