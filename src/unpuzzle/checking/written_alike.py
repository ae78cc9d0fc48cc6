"""Compare the texts of tasks: equal ones need no search, and of others the actions that differ are named.

Names of actions, their parameters, the domain and the problem do not count for `written_alike`; names of predicates and
objects do, and so does the order of parameters. A positive answer is a proof; a negative one says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from unpuzzle.checking.isomorphism import Renaming
from unpuzzle.exchange.forms import normal_form, numbered
from unpuzzle.pddl.formulas import OBJECT, And, conjuncts
from unpuzzle.pddl.nodes import Action, Domain, Task, TypedName
from unpuzzle.pddl.normal_form.substitution import substituted
from unpuzzle.pddl.writer import write

_WORD = re.compile(r"[^\s()]+|[\s()]")
_LANGUAGE = {"and", "or", "not", "forall", "exists", "when", "=", "either", "object", "increase", "total-cost"}


def written_alike(first: Task, second: Task, *, names: bool = False) -> bool:
    """Return whether two tasks have the same text, except for names of parameters and, without `names`, of actions."""
    return _meaning(first, names) == _meaning(second, names)


def _meaning(task: Task, names: bool) -> tuple[Any, ...]:
    actions = []
    for each in task.domain.actions:
        parameters, scope = numbered(each.parameters)
        parts = substituted(each.precondition, scope), substituted(each.effect, scope)
        actions.append(Action(each.name, parameters, *parts))
    whole = normal_form(Task(task.domain.replace(actions=tuple(actions)), task.problem))
    domain, problem = whole.domain, whole.problem
    contents = sorted([repr(each if names else each.replace(name="")) for each in domain.actions])
    vocabulary = domain.types, domain.constants, domain.predicates, domain.functions, domain.axioms
    return (*vocabulary, contents, problem.init, problem.values, problem.goal, problem.metric)


def text_differences(reference: Task, other: Task, bijection: Renaming) -> str:
    """Return, such as `swipe: (locked ?f)`, the parts of actions that only one text has; empty without any.

    Actions that the bijection maps to each other are compared, and those of equal names, and types of equal names. A
    part with words that the other text lacks is left out if it may stand there by another name or in another order.
    """
    ours, theirs = (normal_form(_peopled(task)).domain for task in (reference, other))
    words = {
        their: our if places == sorted(places) else f"~{our}" for our, their, places in _turned(bijection.predicates)
    }
    actions = {their: (our, places) for our, their, places in _turned(bijection.actions)}
    one, two = ({*_names(d.predicates), *_names(d.types), *_names(d.constants)} for d in (ours, theirs))
    known = one & {words.get(name, name) for name in two} | _LANGUAGE
    found = [] if actions else sorted({*_names(ours.actions)} ^ {*_names(theirs.actions)})
    schemas = {each.name: each for each in _schemas(ours)}
    for action in _schemas(theirs):
        name, order = actions.get(action.name, (action.name, list(range(len(action.parameters)))))
        own = schemas.get(name)
        if own is not None and len(own.parameters) == len(action.parameters):
            variables = dict(
                zip(_names(action.parameters), [own.parameters[place].name for place in order], strict=True)
            )
            here, there = _parts(own, {}, known), _parts(action, words | variables, known)
            one_side, other_side = Counter(here.values()), Counter(there.values())
            parts = [part for part, key in (*here.items(), *there.items()) if one_side[key] != other_side[key]]
            found += [f"{name}: {', '.join(parts)}"] if parts else []
    above = [{each.name: each.types for each in domain.types} for domain in (ours, theirs)]
    shared = [name for name in above[0] if name in above[1] and above[0][name] != above[1][name]]
    moved = [f"{name} - {' '.join(types[name])}" for name in shared for types in above if {*types[name]} <= known]
    return "; ".join([*found, *([f"types: {', '.join(moved)}"] if moved else [])])


def _peopled(task: Task) -> Task:
    """Return a task with an object of each type; a normal form leaves out what concerns types without any."""
    known = {*_names(task.domain.constants), *_names(task.problem.objects)}
    some = [TypedName(f"some-{name}", (name,)) for name in _names(task.domain.types) if f"some-{name}" not in known]
    return Task(task.domain, task.problem.replace(objects=(*task.problem.objects, *some)))


def _schemas(domain: Domain) -> list[Action]:
    """Return the actions of a domain, and its axioms as actions without effect."""
    axioms = [Action(each.head.name, each.head.parameters, each.body, And()) for each in domain.axioms]
    return [*axioms, *domain.actions]


def _turned(pairs: Mapping[str, str]) -> list[tuple[str, str, list[int]]]:
    """Return our name, their name and the places of our parameters there, of pairs such as (a ?1 ?2) = (b ?2 ?1)."""
    words = [(ours.strip("()").split()[0], theirs.strip("()").split()) for ours, theirs in pairs.items()]
    return [(ours, name, [int(place[1:]) - 1 for place in places]) for ours, (name, *places) in words]


def _names(declared: Iterable[Any]) -> list[str]:
    return [each.name for each in declared]


def _parts(action: Action, words: Mapping[str, str], known: set[str]) -> dict[str, Any]:
    """Return the parameters, conditions and effects of an action as texts with other words.

    Each has a key: itself or, if the other text lacks some of its words, what is left without these, in any order.
    """
    own = {words.get(name, name) for name in _names(action.parameters)}
    texts = [("", write(part)) for part in conjuncts(action.precondition)]
    texts += [("effect ", write(part)) for part in conjuncts(action.effect)]
    texts += [("", f"{each.name} - {' '.join(each.types)}") for each in action.parameters if each.types != OBJECT]
    parts: dict[str, Any] = {}
    for kind, text in texts:
        found = [words.get(word, word) for word in _WORD.findall(" ".join(text.split()))]
        bound = list(dict.fromkeys(word for word in found if word[0] == "?" and word not in own))
        found = [f"?{bound.index(word) + 1}" if word in bound else word for word in found]
        whole = kind + "".join(found)
        left = [word if word[0] in "?( )0123456789-" or word in known else "~" for word in found]
        parts[whole] = (kind, *sorted(left)) if "~" in left else whole
    return parts
