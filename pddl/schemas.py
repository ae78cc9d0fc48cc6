"""The action schemas of a domain, and the ground actions that are their instances."""

from __future__ import annotations

from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.words import count, listing, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.pddl.nodes import Action, GroundAction, TypedName
    from unpuzzle.pddl.types import Types


class Schemas:
    """The action schemas of a domain, by name."""

    __slots__ = ("_schemas", "_types")

    def __init__(self, actions: Sequence[Action], types: Types) -> None:
        self._schemas = {action.name: action for action in actions}
        self._types = types

    def bind(self, action: GroundAction) -> tuple[Action, dict[str, str]]:
        """Return the schema of a ground action, and the object for each of its variables.

        Raises ParseError for an unknown action or object, and for objects that are too many, too few or of wrong type.
        """
        schema = self._schemas.get(action.name)
        if schema is None:
            raise parse_error(f"unknown action '{action.name}'{suggestion(action.name, self._schemas)}", action.span)
        if len(action.arguments) != len(schema.parameters):
            takes = count(len(schema.parameters), "argument")
            raise parse_error(f"{action} has {len(action.arguments)}, but '{action.name}' takes {takes}", action.span)
        binding: dict[str, str] = {}
        for parameter, name in zip(schema.parameters, action.arguments, strict=True):
            self._check(parameter, name, action)
            if binding.setdefault(parameter.name, name) != name:
                both = f"'{binding[parameter.name]}' and '{name}'"
                raise parse_error(f"{both} in {action} stand for one and the same {parameter.name}", action.span)
        return schema, binding

    def _check(self, parameter: TypedName, name: str, action: GroundAction) -> None:
        if name not in self._types:
            raise parse_error(f"unknown object '{name}' in {action}{suggestion(name, self._types.order)}", action.span)
        if self._types.of(name).isdisjoint(parameter.types):
            types = listing(parameter.types, "or")
            raise parse_error(f"'{name}' in {action} is not of type {types}, as {parameter.name} must be", action.span)
