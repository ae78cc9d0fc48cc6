"""Recognize equal tasks without a search: their texts are the same, except for names that do not count.

Names of actions, their parameters, the domain and the problem do not count; names of predicates and objects do, and so
does the order of parameters. A positive answer is a proof; a negative one says nothing.
"""

from __future__ import annotations

from typing import Any

from unpuzzle.exchange.forms import normal_form
from unpuzzle.pddl.nodes import Action, Task, TypedName
from unpuzzle.pddl.normal_form.substitution import substituted


def written_alike(first: Task, second: Task) -> bool:
    """Return whether two tasks have the same text, except for names of actions and their parameters."""
    return _meaning(first) == _meaning(second)


def _meaning(task: Task) -> tuple[Any, ...]:
    actions = tuple(_numbered(action) for action in task.domain.actions)
    whole = normal_form(Task(task.domain.replace(actions=actions), task.problem))
    domain, problem = whole.domain, whole.problem
    contents = sorted({repr((each.parameters, each.precondition, each.effect)) for each in domain.actions})
    vocabulary = domain.types, domain.constants, domain.predicates, domain.functions, domain.axioms
    return (*vocabulary, contents, problem.init, problem.values, problem.goal, problem.metric)


def _numbered(action: Action) -> Action:
    """Return an action with numbers as the names of its parameters."""
    scope = {each.name: f"?{number}" for number, each in enumerate(action.parameters)}
    parameters = tuple(TypedName(scope[each.name], each.types) for each in action.parameters)
    return Action(action.name, parameters, substituted(action.precondition, scope), substituted(action.effect, scope))
