"""Plans of unified-planning, and sequences of tarski's ground operators, both ways.

A step has the names of its action and its objects, in small letters, like the tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unpuzzle.base.text import count, suggestion
from unpuzzle.exchange.names import refused
from unpuzzle.pddl.nodes import GroundAction, Plan
from unpuzzle.pddl.reading.complaints import parse_error


def plan_to_unified_planning(plan: Plan | Iterable[GroundAction], problem: Any) -> Any:
    """Return a plan as a sequential plan for a problem of unified-planning.

    Raises ParseError for a step with an unknown action or object.
    """
    from unified_planning.plans import ActionInstance, SequentialPlan

    actions = {action.name.lower(): action for action in problem.actions}
    objects = {each.name.lower(): each for each in problem.all_objects}
    promote = problem.environment.expression_manager.ObjectExp
    instances = []
    for step in plan:
        action = _known(step.name, actions, "action")
        _require_arity(step, len(action.parameters))
        arguments = tuple(promote(_known(name, objects, "object")) for name in step.arguments)
        instances.append(ActionInstance(action, arguments))
    return SequentialPlan(instances, problem.environment)


def plan_from_unified_planning(plan: Any) -> Plan:
    """Return a sequential plan of unified-planning as a plan.

    Raises UnsupportedFeature for plans of other kinds, and for arguments that are not objects.
    """
    if not hasattr(plan, "actions"):
        kind = plan.kind.name.lower().replace("_", " ")
        raise refused(f"a plan here is a sequence of actions, not a {kind}", kind)
    return Plan(tuple(_step(instance) for instance in plan.actions))


def _step(instance: Any) -> GroundAction:
    for each in instance.actual_parameters:
        if not each.is_object_exp():
            raise refused(
                f"the argument '{each}' of '{instance.action.name}' is not an object", "arguments that are no objects"
            )
    arguments = tuple(each.object().name.lower() for each in instance.actual_parameters)
    return GroundAction(instance.action.name.lower(), arguments)


def plan_to_tarski(plan: Plan | Iterable[GroundAction], problem: Any) -> list[Any]:
    """Return a plan as ground operators of a problem of tarski, which `tarski.search.operations.progress` applies.

    Raises ParseError for a step with an unknown action or object.
    """
    from tarski.syntax.transform.action_grounding import ground_schema_into_plain_operator_from_grounding as ground

    actions = {name.lower(): action for name, action in problem.actions.items()}
    objects = {str(each.symbol).lower(): each for each in problem.language.constants()}
    operators = []
    for step in plan:
        action = _known(step.name, actions, "action")
        _require_arity(step, len(action.parameters))
        operators.append(ground(action, [_known(name, objects, "object") for name in step.arguments]))
    return operators


def plan_from_tarski(operators: Iterable[Any]) -> Plan:
    """Return ground operators of tarski, or their names such as `move(a, b)`, as a plan."""
    return Plan(tuple(_operator(str(getattr(each, "name", each))) for each in operators))


def _operator(name: str) -> GroundAction:
    action, bracket, rest = name.lower().partition("(")
    if not bracket:
        return GroundAction(action)
    if not rest.endswith(")"):
        raise parse_error(f"'{name}' is not a ground operator: expected 'ACTION(OBJECT, ...)'")
    inside = rest[:-1].strip()
    return GroundAction(action, tuple(part.strip() for part in inside.split(",")) if inside else ())


def _known(name: str, things: dict[str, Any], kind: str) -> Any:
    if name not in things:
        raise parse_error(f"the problem has no {kind} '{name}'{suggestion(name, things)}")
    return things[name]


def _require_arity(step: GroundAction, arity: int) -> None:
    arguments: Sequence[str] = step.arguments
    if len(arguments) != arity:
        takes = count(arity, "argument")
        raise parse_error(f"{step} has {len(arguments)}, but '{step.name}' takes {takes}")
