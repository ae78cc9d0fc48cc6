"""Compare the outcomes of calls with the game; the first finding of each kind and function has the fewest moves."""

from __future__ import annotations

from typing import Any

from unpuzzle.checking.findings import Finding
from unpuzzle.components.child import decode
from unpuzzle.components.instances import Place, key
from unpuzzle.components.sandbox import Outcome
from unpuzzle.components.signatures import Component

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
            kind, what = FORM, "something that has not the form of a state."
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
