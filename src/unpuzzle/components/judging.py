"""Compare the outcomes of calls with the game; the first finding of each kind and function has the fewest moves."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import suggestion
from unpuzzle.checking.report import Finding
from unpuzzle.components.child import decode
from unpuzzle.components.instances import Place, key
from unpuzzle.components.sandbox import Outcome

# The functions that a file must have, with their names and parameters.

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
        """Return the additional arguments that it takes."""
        return {name: value for name, value in arguments.items() if self._anything or name in self._taken}

    def can_judge(self, arguments: Collection[str], assumed: Collection[str]) -> bool:
        """Return whether it takes all additional arguments that are required."""
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
            raise ParseError(f"there is no function {_FORMS[role]}; {others} is allowed, too", file=file)
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


EXTRA, MISSING = "extra successor", "missing successor"
ACCEPTED, REFUSED = "goal accepted", "goal refused"
COST, MUTATED, ORDER, MALFORMED = "wrong cost", "mutated input", "order dependence", "malformed output"
FORM, ACT, OUTPUT, SEARCH = "malformed state", "forbidden act", "output limit", "search"
UNSOUND, INCOMPLETE = (EXTRA, ACCEPTED, FORM), (MISSING, REFUSED)
_MUCH = 100_000  # characters printed in one call


class Judge:
    """The numbers of `tests`, of `passed` and of `unanswered` ones, and the `findings`."""

    def __init__(self) -> None:
        self.tests: int = 0
        self.passed: int = 0
        self.unanswered: int = 0
        self.findings: dict[tuple[str, str], Finding] = {}

    def judge(
        self, function: Component, place: Place, outcome: Outcome | None, step: tuple[str, Any, int] | None = None
    ) -> None:
        """Judge the outcome of `successors(state)` or `is_goal(state)`; with a `step`, of `cost(state, successor)`.

        A step has the move, its successor and its cost.
        """
        self.tests += 1
        if outcome is None:
            self.unanswered += 1
            return
        kinds = self._behaviour(function, place, outcome)
        value = outcome.fields.get("value")
        if outcome.fault:
            self.unanswered += step is None
        elif step is not None:
            kinds += self._cost(function, place, value, *step)
        else:
            look = self._goal if function.role == "is_goal" else self._successors
            kinds += look(function, place, value)
        self.passed += not kinds

    def _behaviour(self, function: Component, place: Place, outcome: Outcome) -> list[str]:
        """Return the kinds of faults that are independent of the game."""
        kinds: list[str] = []
        name, where = function.name, f" (line {outcome.line})" if outcome.line else ""

        def add(kind: str, message: str, got: object = None, expected: object = None) -> None:
            kinds.append(self.add(function, place, kind, got, expected, message))

        if outcome.acts:
            message = f"{name}() does what search components may not do: {', '.join(outcome.acts)}{where}."
            add(ACT, message, outcome.acts)
        elif outcome.fault:
            what = {"exception": "raises", MALFORMED: "returns what cannot be used:"}.get(outcome.fault, "fails:")
            add(outcome.fault, f"{name}() {what} {outcome.message}{where}.", outcome.message)
        elif outcome.printed > _MUCH:
            add(OUTPUT, f"{name}() prints {outcome.printed} characters in one call.", outcome.printed, 0)
        if "mutated" in outcome.fields:
            after = outcome.fields["mutated"]
            message = f"{name}() changes the state that it is given; it must work on a copy."
            before, now = place.state, after[0][0]
            if now == before:
                message = f"{name}() changes an argument that it is given besides the state."
                before, now = function.named(place.level.arguments), after[1]
            add(MUTATED, message, now, before)
        fields = outcome.fields
        if "again" in fields and not self.same(place, function, fields["value"], fields["again"]):
            message = f"{name}() answers differently when it is called a second time with the same state."
            add(ORDER, message, fields["again"], fields["value"])
        return kinds

    def same(self, place: Place, function: Component, one: Any, two: Any) -> bool:
        if function.role == "successors" and isinstance(one, list) and isinstance(two, list):
            return _keys(place, one).keys() == _keys(place, two).keys()
        return bool(one == two)

    def _goal(self, function: Component, place: Place, value: Any) -> list[str]:
        if value not in (True, False):
            message = f"{function.name}() must return True or False."
            return [self.add(function, place, MALFORMED, repr(value), place.solved, message)]
        if bool(value) == place.solved:
            return []
        if value:
            kind, message = ACCEPTED, f"{function.name}() says True, but this is not a goal: the game is not solved."
        else:
            kind, message = REFUSED, f"{function.name}() says False, but this state is a goal: the game is solved."
        return [self.add(function, place, kind, bool(value), place.solved, message)]

    def _successors(self, function: Component, place: Place, value: Any) -> list[str]:
        if not isinstance(value, list):
            return [self.add(function, place, MALFORMED, value, [], f"{function.name}() must return a list of states.")]
        answers, legal = _keys(place, value), place.successors()
        answers.pop(key(place.position, place.state), None)
        kinds = []
        moves = " ".join(move for names, _, _ in legal.values() for move in names) or "none"
        for name in [name for name in answers if name not in legal][:1]:
            kind, what = FORM, "something without the form of a state."
            if _alike(answers[name], place.state):
                kind, what = EXTRA, f"a state to which no legal move leads. The legal moves are: {moves}."
            message = f"{function.name}() returns {what}"
            expected = [state for _, state, _ in legal.values()]
            kinds.append(self.add(function, place, kind, answers[name], expected, message))
        for name in [name for name in legal if name not in answers][:1]:
            move, state = legal[name][0][0], legal[name][1]
            message = f"{function.name}() does not return the state after the legal move {move}."
            kinds.append(self.add(function, place, MISSING, list(answers.values()), state, message))
        return kinds

    def _cost(self, function: Component, place: Place, value: Any, move: str, state: Any, cost: int) -> list[str]:
        if value == cost:
            return []
        message = f"The move {move} leads to {decode(state)!r} and costs {cost}."
        return [self.add(function, place, COST, value, cost, message)]

    def add(
        self, function: Component, place: Place | None, kind: str, got: object, expected: object, message: str
    ) -> str:
        """Keep a finding if it is the first of its kind; return the kind."""
        if (function.role, kind) not in self.findings:
            moves, state = (None, None) if place is None else (place.way, place.state)
            where = "" if place is None else f" (In {place.level.name}.)"
            self.findings[function.role, kind] = Finding(
                kind, moves, decode(state), decode(got), decode(expected), message + where
            )
        return kind


def _keys(place: Place, states: list[Any]) -> dict[str, Any]:
    return {key(place.position, state): state for state in states}


def _alike(one: Any, two: Any) -> bool:
    """Return whether data have the same shape: kinds of lists, names of dicts."""
    if isinstance(one, list) and isinstance(two, list):
        return not one or not two or isinstance(two[0], dict) == isinstance(one[0], dict)
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys()
    return isinstance(one, str) == isinstance(two, str) and isinstance(one, list | dict) == isinstance(two, list | dict)
