"""Compare the texts of tasks: equal ones need no search, and of others the actions that differ are named.

Names of actions, their parameters, the domain and the problem do not count for `written_alike`; names of predicates and
objects do, and so does the order of parameters. A positive answer is a proof; a negative one says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from unpuzzle.checking.isomorphism import Renaming
from unpuzzle.exchange.forms import normal_form, renamed
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Action, Task, TypedName
from unpuzzle.pddl.writer import write

_WORD = re.compile(r"[^\s()]+|[\s()]")
_LANGUAGE = {"and", "or", "not", "forall", "exists", "when", "=", "either", "object", "increase", "total-cost"}


def written_alike(first: Task, second: Task, *, names: bool = False) -> bool:
    """Return whether two tasks have the same text, except for names of parameters and, without `names`, of actions."""
    return _meaning(first, names) == _meaning(second, names)


def _meaning(task: Task, names: bool) -> tuple[Any, ...]:
    actions = tuple(_numbered(action) for action in task.domain.actions)
    whole = normal_form(Task(task.domain.replace(actions=actions), task.problem))
    domain, problem = whole.domain, whole.problem
    contents = sorted(
        [
            repr((each.name if names else None, each.parameters, each.precondition, each.effect))
            for each in domain.actions
        ]
    )
    vocabulary = domain.types, domain.constants, domain.predicates, domain.functions, domain.axioms
    return (*vocabulary, contents, problem.init, problem.values, problem.goal, problem.metric)


def _numbered(action: Action) -> Action:
    """Return an action with numbers as the names of its parameters."""
    scope = {each.name: f"?{number}" for number, each in enumerate(action.parameters)}
    parameters = tuple(TypedName(scope[each.name], each.types) for each in action.parameters)
    return Action(action.name, parameters, renamed(action.precondition, scope), renamed(action.effect, scope))


def text_differences(reference: Task, other: Task, bijection: Renaming) -> str:
    """Return, such as `swipe: (locked ?f)`, the parts of actions that only one text has; empty without any.

    Actions that the bijection maps to each other are compared, and those of equal names. Parts with words that the
    other text lacks are left out, since they may stand there by another name or in another order.
    """
    ours, theirs = (normal_form(task).domain for task in (reference, other))
    words = {pair[1][0]: pair[0][0] for pair in _pairs(bijection.predicates) if pair[0][1:] == pair[1][1:]}
    turned = {pair[1][0]: pair for pair in _pairs(bijection.actions)}
    names = [{each.name for each in (*domain.predicates, *domain.types)} for domain in (ours, theirs)]
    known = names[0] & {words.get(name, name) for name in names[1]} | _LANGUAGE
    found, schemas = [], {each.name: each for each in ours.actions}
    for action in theirs.actions:
        own, pair = schemas.get(action.name), turned.get(action.name)
        if pair is not None:
            own = schemas[pair[0][0]]
        if own is None or len(own.parameters) != len(action.parameters):
            continue
        places = range(len(own.parameters)) if pair is None else [int(word[1:]) - 1 for word in pair[1][1:]]
        variables = {
            each.name: own.parameters[place].name for each, place in zip(action.parameters, places, strict=True)
        }
        one, two = _parts(own, {}, known), _parts(action, words | variables, known)
        parts = [part for part in (*one, *two) if (part in one) != (part in two)]
        found += [f"{own.name}: {', '.join(parts)}"] if parts else []
    return "; ".join(found)


def _pairs(names: Mapping[str, str]) -> list[tuple[list[str], list[str]]]:
    return [(ours.strip("()").split(), theirs.strip("()").split()) for ours, theirs in names.items()]


def _parts(action: Action, words: Mapping[str, str], known: set[str]) -> dict[str, None]:
    """Return the conditions and effects of an action as texts with other words, as far as these are known."""
    parts, own = {}, {words.get(each.name, each.name) for each in action.parameters}
    for kind, whole in (("", action.precondition), ("effect ", action.effect)):
        for part in conjuncts(whole):
            texts = [words.get(word, word) for word in _WORD.findall(" ".join(write(part).split()))]
            bound = list(dict.fromkeys(word for word in texts if word[0] == "?" and word not in own))
            if all(word[0] in "?( )0123456789-" or word in known for word in texts):
                parts[kind + "".join(f"?{bound.index(word) + 1}" if word in bound else word for word in texts)] = None
    return parts
