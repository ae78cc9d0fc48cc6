"""Test search components by other authors: compare successors, goal tests and costs with the rules of a game.

The first finding of each kind and function has the fewest moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import suggestion
from unpuzzle.model.capabilities import Constrained, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.untrusted.child import decode
from unpuzzle.untrusted.instances import ExamplePosition, Instance, instances, key, places_of, state_of
from unpuzzle.untrusted.sandbox import Budget, Outcome, Sandbox
from unpuzzle.verification.report import Finding, Report

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
    """A function to be tested, with its `role` (such as `is_goal`) and its `name` in the file."""

    def __init__(self, role: str, name: str, form: dict[str, Any]) -> None:
        self.role = role
        self.name = name
        self._taken: list[str] = form["taken"][_STATES[role] :]
        self.needed: list[str] = [name for name in form["needed"] if name in self._taken]
        self._anything: bool = form["anything"]

    def named(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return those additional arguments of a position that the function accepts, by name."""
        return {name: value for name, value in arguments.items() if self._anything or name in self._taken}

    def can_judge(self, arguments: Collection[str], assumed: Collection[str]) -> bool:
        """Return whether the function accepts all additional arguments that it must use."""
        return self._anything or all(name in self._taken or name in assumed for name in arguments)


def functions_of(forms: dict[str, Any], game: str, arguments: Collection[str], file: str) -> dict[str, Component]:
    """Return the functions to be tested, by role. Raises ParseError for a missing or unsuitable function."""
    functions = {}
    for role, names in NAMES.items():
        name = next((name for name in names if name in forms), None)
        if name is not None:
            functions[role] = _function(role, name, forms[name], game, arguments, file)
        elif role != "cost":
            others = " or ".join(f"{name}()" for name in names[1:])
            raise ParseError(f"no function is called {_FORMS[role]}; {others} is allowed, too", file=file)
    return functions


def _function(
    role: str, name: str, form: dict[str, Any] | None, game: str, arguments: Collection[str], file: str
) -> Component:
    """Return the function to be tested in a role. Raises ParseError if its parameters do not suit the role."""
    if form is None:
        raise ParseError(f"{name} is not a function", file=file)
    if form["positional"] < _STATES[role]:
        expected = {1: "one argument, the state", 2: "two arguments, a state and its successor"}[_STATES[role]]
        has = form["positional"] or "none"
        raise ParseError(f"{name}() must take {expected}; the function takes {has} by position", file=file)
    function = Component(role, name, form)
    needed = next((needed for needed in function.needed if needed not in arguments), None)
    if needed is not None:
        offered = f"there are {', '.join(arguments)}" if arguments else f"{game} has none"
        hint = suggestion(needed, arguments) if arguments else ""
        states = " and ".join(("the state", "its successor")[: _STATES[role]])
        raise ParseError(f"{name}() needs the argument {needed!r}, but besides {states} {offered}{hint}", file=file)
    return function


EXTRA, MISSING = "extra successor", "missing successor"
ACCEPTED, REFUSED = "goal accepted", "goal refused"
COST, MUTATED, ORDER, MALFORMED = "wrong cost", "mutated input", "order dependence", "malformed output"
FORM, ACT, OUTPUT, SEARCH = "malformed state", "forbidden act", "output limit", "search"
UNSOUND, INCOMPLETE = (EXTRA, ACCEPTED, FORM), (MISSING, REFUSED)
_MUCH = 100_000  # characters printed in one call


class Judge:
    """The tests so far: how many were made, `passed` or `unanswered`, and the faults found."""

    def __init__(self) -> None:
        self.tests: int = 0
        self.passed: int = 0
        self.unanswered: int = 0
        self.findings: dict[tuple[str, str], Finding] = {}

    def judge(
        self,
        function: Component,
        place: ExamplePosition,
        outcome: Outcome | None,
        step: tuple[str, Any, int] | None = None,
    ) -> None:
        """Judge the outcome of a call of `successors`, of `is_goal` or, if `step` is given, of `cost`.

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

    def _behaviour(self, function: Component, place: ExamplePosition, outcome: Outcome) -> list[str]:
        """Return the kinds of faults that are independent of the game, such as exceptions or changed arguments."""
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
            after = outcome.fields["mutated"]  # the arguments after the call: [positional, named]
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

    def same(self, place: ExamplePosition, function: Component, one: Any, two: Any) -> bool:
        if function.role == "successors" and isinstance(one, list) and isinstance(two, list):
            return _keys(place, one).keys() == _keys(place, two).keys()
        return bool(one == two)

    def _goal(self, function: Component, place: ExamplePosition, value: Any) -> list[str]:
        """Compare the result of a goal test with the game; return the kinds of faults."""
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

    def _successors(self, function: Component, place: ExamplePosition, value: Any) -> list[str]:
        """Compare the returned successors with the legal moves; return the kinds of faults."""
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

    def _cost(
        self, function: Component, place: ExamplePosition, value: Any, move: str, state: Any, cost: int
    ) -> list[str]:
        if value == cost:
            return []
        message = f"The move {move} leads to {decode(state)!r} and costs {cost}."
        return [self.add(function, place, COST, value, cost, message)]

    def add(
        self, function: Component, place: ExamplePosition | None, kind: str, got: object, expected: object, message: str
    ) -> str:
        """Store a finding, unless one of its kind is known for the function; return the kind."""
        if (function.role, kind) not in self.findings:
            moves, state = (None, None) if place is None else (place.way, place.state)
            where = "" if place is None else f" (In {place.level.name}.)"
            self.findings[function.role, kind] = Finding(
                kind, moves, decode(state), decode(got), decode(expected), message + where
            )
        return kind


def _keys(place: ExamplePosition, states: list[Any]) -> dict[str, Any]:
    return {key(place.position, state): state for state in states}


def _alike(one: Any, two: Any) -> bool:
    """Return whether two values have the same structure: the same types, list types and dictionary keys."""
    if isinstance(one, list) and isinstance(two, list):
        return not one or not two or isinstance(two[0], dict) == isinstance(one[0], dict)
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys()
    return isinstance(one, str) == isinstance(two, str) and isinstance(one, list | dict) == isinstance(two, list | dict)


ComponentTest = tuple[dict[str, Any], Callable[[Outcome | None], None]]
"""A call, and the function that handles its outcome."""

AGAIN = 300  # places whose calls are made once more, in the opposite order
COSTED = 500  # places whose moves' costs are tested
GAMES = 12  # levels that a search is to solve
EXPANDED = 5_000  # by one search: more than a level has states of which all are known


def check_components(
    code: str,
    game: Game,
    name: str = "components.py",
    *,
    budget: Budget | None = None,
    levels: Sequence[Instance] | None = None,
    seed: int = 0,
    unsafe: bool = False,
) -> Report:
    """Test the functions in a Python text on positions of a game, and report their faults.

    `name` is the text's file, for messages. It is tested on `levels`, by default `instances(game, seed)`, and runs in
    separate processes; if `unsafe`, even on a system without the basic walls of a sandbox.

    Raises ParseError for code that cannot be loaded or has no such function, UnsupportedFeature if the basic walls are
    missing, PlannerFailed if the sandbox breaks.
    """
    sandbox = Sandbox(code, name, WANTED, budget or Budget(), unsafe=unsafe)
    forms = sandbox.load()
    return _Trial(game, name, sandbox, list(levels) if levels is not None else instances(game, seed)).run(forms)


class _Trial:
    """The tests of the functions in one file, and their results."""

    def __init__(self, game: Game, name: str, sandbox: Sandbox, levels: list[Instance]) -> None:
        self.game, self.name, self.sandbox, self.levels = game, name, sandbox, levels
        self.places = places_of(levels)
        self.judge = Judge()
        self.score: dict[str, Any] = {}

    def run(self, forms: dict[str, Any]) -> Report:
        """Make all tests of the functions, and return the report."""
        offered_names = dict.fromkeys(name for place in self.places for name in place.level.arguments)
        self.functions = functions_of(forms, self.game.name, offered_names, self.name)
        is_goal = self.functions["is_goal"]
        if not any(is_goal.can_judge(place.level.arguments, place.level.assumed) for place in self.places):
            form = f"{is_goal.name}(state, {', '.join(self.places[0].level.arguments)})"
            message = f"{is_goal.name}() cannot know the goals of {self.game.name} by the state alone; it is {form}"
            raise ParseError(message, file=self.name)
        first = self._states()[:AGAIN]
        again = [(self._call(*one[:2]), partial(self._compare, *one)) for one in reversed(first)]
        self._make(again + self._costs() + self._searches())
        self._judge_process()
        return self._report()

    def _make(self, tests: list[ComponentTest]) -> None:
        """Make the calls of all tests in the sandbox, and pass each outcome to its test."""
        outcomes = self.sandbox.outcomes([call for call, _ in tests])
        for (_, take), outcome in zip(tests, outcomes, strict=True):
            take(outcome)

    def _states(self) -> list[tuple[Component, ExamplePosition, Outcome]]:
        """Call the functions on the states of all positions; return the calls that returned a value."""
        answered = []

        def take(function: Component, place: ExamplePosition, outcome: Outcome | None) -> None:
            self.judge.judge(function, place, outcome)
            if outcome is not None and not outcome.fault:
                answered.append((function, place, outcome))

        pairs = [(function, place) for place in self.places for function in self._judging(place)]
        self._make([(self._call(*pair, twice=True), partial(take, *pair)) for pair in pairs])
        return answered

    def _judging(self, place: ExamplePosition) -> list[Component]:
        """Return the functions that accept enough arguments to be judged on a position."""
        level, is_goal = place.level, self.functions["is_goal"]
        knows = is_goal.can_judge(level.arguments, level.assumed)
        return [self.functions["successors"], *([is_goal] if knows else [])]

    def _compare(self, function: Component, place: ExamplePosition, first: Outcome, second: Outcome | None) -> None:
        """Compare the outcomes of two equal calls, to find out whether earlier calls change the result."""
        self.judge.tests += 1
        one, two = first.fields["value"], None if second is None or second.fault else second.fields["value"]
        if two is None or self.judge.same(place, function, one, two):
            self.judge.passed += 1
        else:
            message = f"{function.name}() answers differently when other states were asked for before."
            self.judge.add(function, place, ORDER, two, one, message)

    def _call(self, function: Component, place: ExamplePosition, *more: Any, twice: bool = False) -> dict[str, Any]:
        return {
            "function": function.name,
            "arguments": [place.state, *more],
            "named": function.named(place.level.arguments),
            "many": function.role == "successors",
            "twice": twice,
        }

    def _costs(self) -> list[ComponentTest]:
        """Return the tests of the cost function; none if there is no such function."""
        if "cost" not in self.functions:
            return []
        function = self.functions["cost"]
        steps = [(place, step) for place in self.places[:COSTED] for step in place.successors().values()]
        return [
            (
                self._call(function, place, state),
                partial(self.judge.judge, function, place, step=(moves[0], state, cost)),
            )
            for place, (moves, state, cost) in steps
        ]

    def _searches(self) -> list[ComponentTest]:
        """Return tests that run searches with the tested functions, one on each solvable level."""
        starts = {place.position: place for place in self.places if not place.way}
        games = [
            (level, starts[level.start])
            for level in self.levels
            if level.solved is not None and level.start in starts and len(self._judging(starts[level.start])) > 1
        ][:GAMES]
        self.score |= {"games": len(games), "solved": 0, "expanded": 0, "generated": 0}
        if any(self.sandbox.given_up(self.functions[role].name) for role in ("successors", "is_goal")):
            return []
        return [(self._search(place), partial(self._searched, level, place)) for level, place in games]

    def _search(self, place: ExamplePosition) -> dict[str, Any]:
        """Return the request that runs a search with the tested functions from a position."""
        successors, is_goal = self.functions["successors"], self.functions["is_goal"]
        arguments = place.level.arguments
        return {
            "search": [successors.name, is_goal.name],
            "arguments": [place.state],
            "named": successors.named(arguments),
            "goal_named": is_goal.named(arguments),
            "budget": EXPANDED,
            "deep": offered(place.position, Constrained) is not None,
            "seconds": self.sandbox.budget.search,
        }

    def _searched(self, level: Instance, place: ExamplePosition, outcome: Outcome | None) -> None:
        """Judge the path that a search with the tested functions found."""
        if outcome is None:
            return
        wrong = None
        for name in ("expanded", "generated"):
            self.score[name] += outcome.fields.get(name, 0)
        if (path := outcome.fields.get("path")) is not None:
            wrong = _wrong_step(level.start, path)
            if wrong is None:
                self.score["solved"] += 1
                return
            message = "A search with these functions finds a path with a step that the game does not allow."
        elif not level.exhaustive:
            return  # a large level may be too hard for this search
        elif outcome.fault:
            message = f"A search with these functions fails: {outcome.message}."
        else:
            ended = "ends without a goal" if outcome.fields.get("ended") else f"finds no goal in {EXPANDED} expansions"
            message = f"A search with these functions {ended}, but the level is solvable."
        expected = " ".join(level.ways[level.solved]) if level.solved is not None else None
        self.judge.add(self.functions["successors"], place, SEARCH, wrong, expected, message)

    def _judge_process(self) -> None:
        """Report faults of a whole sandbox process, such as output that is no answer."""
        function = self.functions["successors"]
        if self.sandbox.garbage:
            message = "The code writes into the stream in which its answers are sent."
            self.judge.add(function, None, ACT, self.sandbox.garbage, None, message)
        if self.sandbox.flooded:
            message = "The code prints more than a million bytes past sys.stdout."
            self.judge.add(function, None, OUTPUT, None, None, message)

    def _report(self) -> Report:
        judge = self.judge
        findings = sorted(
            judge.findings.values(), key=lambda finding: (finding.kind == SEARCH, len(finding.moves or ()))
        )
        kinds = {finding.kind for finding in findings}
        whole = not judge.unanswered and not kinds & {MALFORMED, ACT}
        score = {
            "tests": judge.tests,
            "passed": judge.passed,
            **self.score,
            "states": len(self.places),
            "levels": len(self.levels),
            "exhaustive": sum(level.exhaustive for level in self.levels),
            "sandbox": self.sandbox.walls,
        }
        # a counterexample decides; without one, unanswered calls leave it open
        decisive = UNSOUND, INCOMPLETE
        sound, complete = (False if kinds & {*wrong} else whole or None for wrong in decisive)
        return Report(sound, complete, tuple(findings), score)


def _wrong_step(start: Position, path: list[Any]) -> list[Any] | None:
    """Return two consecutive states of a path that no legal move connects, or a last state that is no goal."""
    position = start
    for before, state in pairwise(path):
        target = key(position, state)
        if target == key(position, before):
            continue
        after = [other for other in position.following().values() if key(other, state_of(other)) == target]
        if not after:
            return [before, state]
        position = after[0]
    return None if position.solved() else path[-1:]
