"""Default methods of games and positions that build a PDDL task and decode actions to moves."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import shorten
from unpuzzle.base.type_hints import Any, Protocol
from unpuzzle.model.classes import fault_at
from unpuzzle.pddl import nodes
from unpuzzle.pddl.reading.reader import parse_domain, read_domain
from unpuzzle.pddl.world import adds_cost

Fact = tuple[str, ...] | nodes.Atom


class HasDomain(Protocol):
    """The attributes of a game that the functions of this module use to find its PDDL domain."""

    name: str
    pddl: str
    actions: Mapping[str, str | Callable[..., str]]

    def domain(self) -> nodes.Domain: ...


class HasParts(Protocol):
    """The attributes of a position that the functions of this module use to build its PDDL task."""

    @property
    def game(self) -> HasDomain: ...
    def objects(self) -> Mapping[str, Iterable[str]]: ...
    def statics(self) -> Iterable[Fact]: ...
    def values(self) -> Iterable[tuple[str | int, ...]]: ...
    def goal_condition(self) -> nodes.Condition | Iterable[Fact]: ...
    def _ordered_atoms(self) -> list[nodes.Atom]: ...


@lru_cache(maxsize=1 << 16)
def atom(predicate: str, *arguments: str) -> nodes.Atom:
    """Return an atom from its words: `atom("at", "r1c1")` is `(at r1c1)`. Atoms are cached."""
    return nodes.Atom(predicate, arguments)


def objects(names: Iterable[str], kind: str) -> tuple[nodes.TypedName, ...]:
    return tuple([nodes.TypedName(name, (kind,)) for name in names])


def atoms_of(facts: Iterable[Fact]) -> frozenset[nodes.Atom]:
    """Return the set of atoms for facts; a fact may already be an atom."""
    return frozenset(listed(facts))


def listed(facts: Iterable[Fact]) -> list[nodes.Atom]:
    """Return the atoms of facts, in the order of the facts; a fact may already be an atom."""
    return [fact if isinstance(fact, nodes.Atom) else atom(*fact) for fact in facts]


def task_of(position: HasParts) -> nodes.Task:
    """Return a position's PDDL task, built from the position's objects, facts and goal."""
    fluents = position._ordered_atoms()  # first: a game without PDDL raises here, before its domain is missed
    game, domain = position.game, position.game.domain()
    things = position.objects().items()
    costly = any(adds_cost(action.effect) for action in domain.actions)
    problem = nodes.Problem(
        name=f"{game.name if game.name[:1].isalpha() else domain.name}-level",  # a name in PDDL begins with a letter
        domain_name=domain.name,
        objects=tuple([thing for kind, names in things for thing in objects(within_limits(names), kind)]),
        init=(*listed(within_limits(position.statics())), *fluents),
        values=tuple([_value(position, value) for value in within_limits(position.values())]),
        goal=_condition(position),
        metric=nodes.FunctionTerm("total-cost") if costly else None,
    )
    return nodes.Task(domain, problem)


def _value(position: HasParts, value: tuple[str | int, ...]) -> nodes.Value:
    """Return the PDDL statement that gives a function's value. Raises ParseError if the value is no whole number."""
    *term, number = value
    if isinstance(number, bool) or not isinstance(number, int) or number < 0 or not term:
        message = f"values() has {value!r}, which is not a function, its arguments, and a whole number, 0 or more"
        raise fault_at(position, "values", message)
    return nodes.Value(nodes.FunctionTerm(str(term[0]), tuple([str(name) for name in term[1:]])), number)


def _condition(position: HasParts) -> nodes.Condition:
    goal = position.goal_condition()
    return goal if isinstance(goal, nodes.Node) else nodes.And(tuple([_literal(position, fact) for fact in goal]))


def _literal(position: HasParts, fact: Fact) -> nodes.Condition:
    """Return a fact as a goal condition, negated if the fact begins with `not`. Raises ParseError for other values."""
    if isinstance(fact, nodes.Node):
        return fact
    if not isinstance(fact, tuple) or not fact or not all(isinstance(part, str) for part in fact):
        message = f"goal_condition() has {fact!r}, not a fact; other conditions are Or(...) and others of unpuzzle.pddl"
        raise fault_at(position, "goal_condition", message)
    return nodes.Not(atom(*fact[1:])) if fact[0] == "not" else atom(*fact)


def decoded(position: HasParts, action: nodes.GroundAction) -> str:
    """Return the move for an action by the game's table `actions`. Raises ParseError if the table does not fit."""
    game = position.game
    meaning = game.actions.get(action.name)
    if meaning is None:
        known = "one of " + ", ".join(game.actions) if game.actions else "in `actions`, which the game does not define"
        raise foreign(action, f"the action must be {known}")
    arity = next((len(a.parameters) for a in game.domain().actions if a.name == action.name), len(action.arguments))
    if len(action.arguments) != arity:
        raise foreign(action, f"the number of arguments of {action.name} must be {arity}")
    if isinstance(meaning, str):
        return meaning.format(*action.arguments)
    try:
        move = meaning(position, *action.arguments)
    except (LookupError, ValueError):
        raise foreign(action, "the arguments of the action match no move of this puzzle") from None
    if isinstance(move, str) and move.split() != [move]:
        hint = "a move has no blanks, and the first argument of the function is the position"
        raise foreign(action, f"the table `actions` gives {shorten(move)}; {hint}")
    return move


def foreign(action: nodes.GroundAction, reason: str) -> ParseError:
    """Return the error for an action that corresponds to no move of the puzzle."""
    return ParseError(f"{action} is not a move of this puzzle: {reason}")


_parsed = cache(parse_domain)


def domain_of(game: HasDomain) -> nodes.Domain:
    """Return a game's PDDL domain, from `pddl` or a file next to a module of the game. Raises ParseError."""
    if game.pddl:
        return _parsed(game.pddl, f"the domain of {game.name}")
    kind = game if isinstance(game, type) else type(game)
    files: list[Any] = [getattr(sys.modules.get(base.__module__), "__file__", None) for base in kind.__mro__[:-1]]
    for file in filter(None, files):
        try:
            return _beside(file, game.name)
        except FileNotFoundError:
            continue
    names = " or ".join(_names(files[0] or "", game.name))
    missing = (
        f"the domain of {game.name} is missing: there is no {names} beside it (`solve --planner rules:bfs` needs none)"
    )
    installed = getattr(sys.modules.get(kind.__module__), "__package__", "")
    hint = "; a package has to install it, too, as package data" if installed else ""
    raise ParseError(missing + hint, file=files[0])


def _names(file: str, name: str) -> list[str]:
    """Return the file names that a game's PDDL domain may have, given the game's Python file."""
    stem = os.path.basename(file).removesuffix(".py")
    return list(dict.fromkeys([f"{stem}.pddl", f"{name}.pddl", "domain.pddl"]))


@cache
def _beside(file: str, name: str) -> nodes.Domain:
    """Return the domain in the folder of a Python file. Raises FileNotFoundError if the folder has no domain."""
    for candidate in _names(file, name):
        path = os.path.join(os.path.dirname(file), candidate)
        if os.path.exists(path):
            return read_domain(path)
    raise FileNotFoundError(file)
