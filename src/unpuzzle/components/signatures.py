"""The functions that a file must have, with their names and parameters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.words import suggestion

NAMES: dict[str, tuple[str, ...]] = {
    "successors": ("successors", "successor_states", "successor_state"),
    "is_goal": ("is_goal", "isgoal"),
    "cost": ("cost",),
}
WANTED: tuple[str, ...] = tuple(name for names in NAMES.values() for name in names)
_STATES = {"successors": 1, "is_goal": 1, "cost": 2}
_FORMS = {"successors": "successors(state)", "is_goal": "is_goal(state)", "cost": "cost(state, successor)"}


class Component:
    """A function of the tested file, with its `role` and its `name` there."""

    def __init__(self, role: str, name: str, form: dict[str, Any]) -> None:
        self.role = role
        self.name = name
        self._taken: list[str] = form["taken"][_STATES[role] :]
        self.needed: list[str] = [name for name in form["needed"] if name in self._taken]
        self._anything: bool = form["anything"]

    def named(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the further arguments that it takes."""
        return {name: value for name, value in arguments.items() if self._anything or name in self._taken}

    def can_judge(self, arguments: Collection[str], assumed: Collection[str]) -> bool:
        """Return whether it takes all further arguments that cannot be left out."""
        return self._anything or all(name in self._taken or name in assumed for name in arguments)


def functions_of(forms: dict[str, Any], game: str, arguments: Collection[str], file: str) -> dict[str, Component]:
    """Return the functions by role. Raises ParseError for a missing one, or one with wrong parameters."""
    functions = {}
    for role, names in NAMES.items():
        name = next((name for name in names if name in forms), None)
        if name is not None:
            functions[role] = _function(role, name, forms[name], game, arguments, file)
        elif role != "cost":
            others = " or ".join(f"{name}()" for name in names[1:])
            raise ParseError(f"there is no function {_FORMS[role]}; {others} would do, too", file=file)
    return functions


def _function(
    role: str, name: str, form: dict[str, Any] | None, game: str, arguments: Collection[str], file: str
) -> Component:
    if form is None:
        raise ParseError(f"{name} is not a function", file=file)
    if form["positional"] < _STATES[role]:
        expected = {1: "one argument, the state", 2: "two arguments, a state and its successor"}[_STATES[role]]
        has = form["positional"] or "none"
        raise ParseError(f"{name}() must take {expected}; it takes {has} by position", file=file)
    function = Component(role, name, form)
    needed = next((needed for needed in function.needed if needed not in arguments), None)
    if needed is not None:
        offered = f"there are {', '.join(arguments)}" if arguments else f"{game} has none"
        hint = suggestion(needed, arguments) if arguments else ""
        states = " and ".join(("the state", "its successor")[: _STATES[role]])
        raise ParseError(f"{name}() needs {needed!r}, but besides {states} {offered}{hint}", file=file)
    return function
