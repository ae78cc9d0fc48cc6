"""The registry of planners: by name, which is `KIND` or `KIND:CONFIGURATION`.

A kind is a module with two functions and a text:

    make(config: str | None) -> Planner     ParseError if there is no such configuration
    missing() -> str | None                 None if it can run here, else a sentence that says how to get it
    CONFIGURATIONS_HELP                     what may follow the name of the kind, for lists

Modules load when one of their planners is asked for.
"""

from __future__ import annotations

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.planning.planner import Planner

KINDS = {
    "native": "unpuzzle.planners.native",
    "reference": "unpuzzle.planners.reference",
    "fast-downward": "unpuzzle.planners.external.fast_downward",
    "command": "unpuzzle.planners.external.command",
    "up": "unpuzzle.planners.external.up",
    "rules": "unpuzzle.planners.rules.planner",
    "subgoals": "unpuzzle.planners.subgoals",
    "cp-sat": "unpuzzle.planners.constraint.cp_sat",
    "backtracking": "unpuzzle.planners.constraint.backtracking",
    "mace4": "unpuzzle.planners.constraint.mace4",
    "clues": "unpuzzle.planners.clues",
}
"""By kind, the module."""

COUNTING = ("cp-sat", "backtracking")
"""The kinds whose planners count solutions: `solutions(position, most, limits)`."""

DEFAULT = "native"


def kind_of(name: str) -> str:
    """Return the kind of a planner's name: `native` of `native:bfs`."""
    return name.partition(":")[0]


def usage(kind: str) -> str:
    """Return a kind with what may follow it, such as `native[:auto|blind|bfs]`."""
    configurations: str = _kind(kind).CONFIGURATIONS_HELP
    return f"{kind}{configurations}"


def _kind(name: str) -> Any:
    from importlib import import_module

    module = KINDS.get(name)
    if module is None:
        from unpuzzle.words import suggestion

        hint = suggestion(name, KINDS) or f"; known are {', '.join(KINDS)}"
        raise ParseError(f"unknown planner '{name}'{hint}")
    return import_module(module)


def find(name: str) -> Planner:
    """Return the planner of a name such as `native`, `native:bfs` or `fast-downward:lama-first`.

    Raises ParseError for an unknown name or configuration.
    """
    kind, colon, config = name.partition(":")
    planner: Planner = _kind(kind).make(config if colon else None)
    return planner


def missing(name: str) -> str | None:
    """Return a sentence that says how to get a planner (of this name or kind), or None if it can run here."""
    answer: str | None = _kind(kind_of(name)).missing()
    return answer
