"""Requirements on solutions: a rule, object, box or action without which the level must be unsolvable.

    must("rule 31")          a game written as rules: the level in the game without the rule in line 31
    must("object lever")     the same: no cell has a lever at the start, and no rule makes one
    must("box r3c4")         Sokoban: the box that begins at row 3, column 4 cannot be pushed
    must("action unstack")   any game with PDDL: no step is an action of this schema
    must("object b")         the same: no step is an action that has `b` among its arguments

A game with `parts` defines its own things, and levels without them; other things come from the PDDL. A level is
accepted only if a complete search finds no solution without the thing: undecided is not enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count, islice
from typing import Any

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import LIMITS, UNSOLVABLE
from unpuzzle.base.run import phase
from unpuzzle.base.text import listing, shorten, suggestion
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import And, Atom, Predicate, Task, TypedName
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.capabilities import Generating, Translated, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.solving import solve

ACTION, OBJECT = "action", "object"
SHOWN = 20
"""Names of objects that a message lists."""
OF_PDDL = {
    ACTION: "an action of its PDDL by its name, such as `action unstack`",
    OBJECT: "an object of its PDDL by its name, such as `object b`, which then is not an argument of any step",
}


class Must(Record):
    """A thing that each solution must use, by its kind and name; as text `rule 31`."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Proof(Record):
    """The answer to the question whether a level is unsolvable without a certain thing.

    Attributes:
        needed: True if that is proved, False if there is a solution without it, None if unknown.
        expanded: the states expanded by the search without it; 0 if no search was needed.
        reason: why there is no solution, or why the answer is unknown; may be empty.
    """

    needed: bool | None
    expanded: int = 0
    reason: str = ""


def must(text: str) -> Must:
    """Return the requirement in a text such as `rule 31`. Raises UsageError for any other text."""
    words = text.split()
    if len(words) != 2:
        raise UsageError(f"expected a kind and a name, such as 'rule 31', not {shorten(text)}")
    return Must(*words)


def musts(words: Iterable[str]) -> list[Must]:
    """Return the requirements in a list of words that alternate kind and name: `rule 31`, `object lever, box r3c4`."""
    parts = " ".join(words).replace(",", " ").split()
    return [must(" ".join(parts[start : start + 2])) for start in range(0, len(parts), 2)]


def needs(position: Position, thing: Must, max_expanded: int | None = None) -> Proof:
    """Prove, by a complete search, whether a level is unsolvable without a certain thing.

    The search expands at most `max_expanded` states. Raises UsageError for a thing that no level of the game can have,
    LimitReached.
    """
    try:
        with phase("proving what must be used"):
            rest = without(position, thing)
            if isinstance(rest, str):
                return Proof(True, reason=rest)
            answer = solve(rest, max_expanded=max_expanded)
    except (ParseError, UnsupportedFeature) as error:
        return Proof(None, reason=str(error))
    if answer.status in LIMITS:
        raise LimitReached(answer.status, answer.message)
    needed = True if answer.status == UNSOLVABLE else None if answer.plan is None and answer.moves is None else False
    return Proof(needed, answer.expanded or 0, answer.message)


def without(position: Position, thing: Must) -> Position | Task | str:
    """Return a level with one part removed (if it has this part), or the reason why it is then unsolvable.

    Raises UsageError for a thing that no level of the game can have, ParseError if the rest is not a level,
    LimitReached.
    """
    able = offered(position.game, Generating)
    if able is not None and thing.kind in able.parts:
        return able.without(position, thing.kind, thing.name)
    kinds = _kinds(position)
    if thing.kind not in kinds:
        named = listing([f"{about}" for about in kinds.values()], "or") or "nothing"
        hint = suggestion(thing.kind, kinds)
        raise UsageError(
            f"levels of {position.game.name} can be required to use {named}, not {shorten(str(thing))}{hint}"
        )
    task = task_within(position)
    return _without_action(task, thing.name) if thing.kind == ACTION else _without_object(task, thing.name)


def require_known(things: Iterable[Must], levels: Iterable[Position]) -> None:
    """Raise UsageError for a PDDL object that occurs in none of the given levels.

    Other things are checked by `without`. Levels are taken until all objects have been seen. Raises LimitReached.
    """
    with phase("looking for what must be used"):
        missing: dict[str, Must] = {}
        known: dict[str, None] = {}
        for number, level in enumerate(levels):
            if not number:
                able = offered(level.game, Generating)
                parts = able.parts if able else {}
                missing = {
                    thing.name.lower(): thing for thing in things if thing.kind == OBJECT and OBJECT not in parts
                }
            if not missing:
                return
            names = _object_names(task_within(level))
            known |= dict.fromkeys(names)
            missing = {name: thing for name, thing in missing.items() if name not in known}
        for name, thing in missing.items():
            listed = [*islice(known, SHOWN), *(["..."] if len(known) > SHOWN else [])]
            hint = suggestion(name, known) or f": they have {', '.join(listed)}"
            raise UsageError(f"no level that is made here has an object {shorten(thing.name)}{hint}")


def _object_names(task: Task) -> list[str]:
    return [each.name for each in (*task.domain.constants, *task.problem.objects)]


def _kinds(position: Position) -> dict[str, str]:
    """Return the kinds of parts that a solution can be required to use, each with the form of the names."""
    able = offered(position.game, Generating)
    of_pddl = OF_PDDL if offered(position, Translated) is None else {}
    return {**of_pddl, **(able.parts if able else {})}


def _without_action(task: Task, name: str) -> Task:
    actions = {action.name: action for action in task.domain.actions}
    if name.lower() not in actions:
        hint = suggestion(name.lower(), actions) or f"; the actions are {', '.join(actions)}"
        raise UsageError(f"there is no action {shorten(name)}{hint}")
    del actions[name.lower()]
    return Task(task.domain.replace(actions=tuple(actions.values())), _free(task))


def _without_object(task: Task, name: str) -> Task:
    """Return the task with new static preconditions, so that no step can have the object as an argument."""
    objects = _object_names(task)
    if name.lower() not in objects:
        return task
    predicates = {predicate.name for predicate in task.domain.predicates}
    words = chain(["other"], map("other-{}".format, count(2)))
    other = next(word for word in words if word not in predicates)
    actions = [
        action.replace(
            precondition=And((action.precondition, *[Atom(other, (each.name,)) for each in action.parameters]))
        )
        for action in task.domain.actions
    ]
    declared = Predicate(other, (TypedName("?any"),))
    domain = task.domain.replace(actions=tuple(actions), predicates=(*task.domain.predicates, declared))
    init = [Atom(other, (each,)) for each in objects if each != name.lower()]
    return Task(domain, _free(task).replace(init=(*task.problem.init, *init)))


def _free(task: Task) -> Any:
    """Return a copy of the problem that is not tied to its domain, for use with another domain."""
    return task.problem.replace(name=task.problem.name)
