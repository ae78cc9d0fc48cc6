"""Compare another author's successors, goal test and costs with the rules of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.checking.report import Report
from unpuzzle.components import judging
from unpuzzle.components.instances import Instance, Place, instances, key, places_of, state_of
from unpuzzle.components.judging import WANTED, Component, Judge, functions_of
from unpuzzle.components.sandbox import Budget, Outcome, Sandbox
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.position import Game, Position

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
    """Check the functions of a Python text on positions of the game, with the game's `plain()` data as states.

    `name` is the text's file, for messages. It is tested on `levels`, by default `instances(game, seed)`, and runs in
    separate processes; if `unsafe`, even on a system without the basic walls of a sandbox.

    Raises ParseError for code that cannot be loaded or has no such function, UnsupportedFeature if the basic walls are
    missing, PlannerFailed if the sandbox breaks.
    """
    sandbox = Sandbox(code, name, WANTED, budget or Budget(), unsafe=unsafe)
    forms = sandbox.load()
    return _Trial(game, name, sandbox, list(levels) if levels is not None else instances(game, seed)).run(forms)


class _Trial:
    """One run of all tests on the functions."""

    def __init__(self, game: Game, name: str, sandbox: Sandbox, levels: list[Instance]) -> None:
        self.game, self.name, self.sandbox, self.levels = game, name, sandbox, levels
        self.places = places_of(levels)
        self.judge = Judge()
        self.score: dict[str, Any] = {}

    def run(self, forms: dict[str, Any]) -> Report:
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
        self._channel()
        return self._report()

    def _make(self, tests: list[ComponentTest]) -> None:
        """Make the calls of tests in a row, and handle their outcomes."""
        outcomes = self.sandbox.outcomes([call for call, _ in tests])
        for (_, take), outcome in zip(tests, outcomes, strict=True):
            take(outcome)

    def _states(self) -> list[tuple[Component, Place, Outcome]]:
        """Call the functions on all places; return the answered calls."""
        answered = []

        def take(function: Component, place: Place, outcome: Outcome | None) -> None:
            self.judge.judge(function, place, outcome)
            if outcome is not None and not outcome.fault:
                answered.append((function, place, outcome))

        pairs = [(function, place) for place in self.places for function in self._judging(place)]
        self._make([(self._call(*pair, twice=True), partial(take, *pair)) for pair in pairs])
        return answered

    def _judging(self, place: Place) -> list[Component]:
        """Return the functions that can be asked about a place."""
        level, is_goal = place.level, self.functions["is_goal"]
        knows = is_goal.can_judge(level.arguments, level.assumed)
        return [self.functions["successors"], *([is_goal] if knows else [])]

    def _compare(self, function: Component, place: Place, first: Outcome, second: Outcome | None) -> None:
        """Compare the outcome of a repeated call, made after others, with the first."""
        self.judge.tests += 1
        one, two = first.fields["value"], None if second is None or second.fault else second.fields["value"]
        if two is None or self.judge.same(place, function, one, two):
            self.judge.passed += 1
        else:
            message = f"{function.name}() answers differently when other states were asked for before."
            self.judge.add(function, place, judging.ORDER, two, one, message)

    def _call(self, function: Component, place: Place, *more: Any, twice: bool = False) -> dict[str, Any]:
        return {
            "function": function.name,
            "arguments": [place.state, *more],
            "named": function.named(place.level.arguments),
            "many": function.role == "successors",
            "twice": twice,
        }

    def _costs(self) -> list[ComponentTest]:
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
        """Return a search with the tested functions for each of some solvable levels."""
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

    def _search(self, place: Place) -> dict[str, Any]:
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

    def _searched(self, level: Instance, place: Place, outcome: Outcome | None) -> None:
        """Judge the outcome of a search."""
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
        self.judge.add(self.functions["successors"], place, judging.SEARCH, wrong, expected, message)

    def _channel(self) -> None:
        """Add the faults of whole processes, which cannot be attributed to a call."""
        function = self.functions["successors"]
        if self.sandbox.garbage:
            message = "The code writes into the stream in which its answers are sent."
            self.judge.add(function, None, judging.ACT, self.sandbox.garbage, None, message)
        if self.sandbox.flooded:
            message = "The code prints more than a million bytes past sys.stdout."
            self.judge.add(function, None, judging.OUTPUT, None, None, message)

    def _report(self) -> Report:
        judge = self.judge
        findings = sorted(
            judge.findings.values(), key=lambda finding: (finding.kind == judging.SEARCH, len(finding.moves or ()))
        )
        kinds = {finding.kind for finding in findings}
        whole = not judge.unanswered and not kinds & {judging.MALFORMED, judging.ACT}
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
        decisive = judging.UNSOUND, judging.INCOMPLETE
        sound, complete = (False if kinds & {*wrong} else whole or None for wrong in decisive)
        return Report(sound, complete, tuple(findings), score)


def _wrong_step(start: Position, path: list[Any]) -> list[Any] | None:
    """Return the first two states that no legal move joins, or the last if it is not a goal; else None."""
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
