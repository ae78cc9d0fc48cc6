"""try_components(): somebody's successors, goal test and costs against a game's rules."""

from __future__ import annotations

from unpuzzle.components.findings import Report
from unpuzzle.components.instances import instances
from unpuzzle.components.judging import INCOMPLETE, MALFORMED, ORDER, UNSOUND, Judge
from unpuzzle.components.places import key, places_of, state_of
from unpuzzle.components.sandbox import Budget, Sandbox
from unpuzzle.components.signatures import WANTED, functions_of
from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities import Constrained, offered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.components.instances import Instance
    from unpuzzle.components.places import Place
    from unpuzzle.components.signatures import Function
    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position

AGAIN = 300  # places whose calls are made once more, in the opposite order
COSTED = 500  # places whose moves' costs are asked for
GAMES = 12  # levels that a search is to solve
EXPANDED = 50_000  # by one search
SEARCH_SECONDS = 10.0


def try_components(
    code: str,
    game: Game,
    name: str = "components.py",
    *,
    budget: Budget | None = None,
    levels: Sequence[Instance] | None = None,
    seed: int = 0,
) -> Report:
    """Try the functions of a Python text on positions of a game.

    Args:
        code: the text; it runs in a process of its own and never in this one.
        game: whose `plain()` data are its states.
        name: the text's file, for messages.
        budget: what the code may take.
        levels: what to try it on; by default `instances(game, seed)`.

    Raises ParseError for code that cannot be loaded or lacks a function, PlannerFailed where there is no sandbox.
    """
    sandbox = Sandbox(code, name, WANTED, budget or Budget())
    found = sandbox.load()
    return _Trial(game, name, sandbox, list(levels) if levels is not None else instances(game, seed)).run(found)


class _Trial:
    """One run of all tests."""

    def __init__(self, game: Game, name: str, sandbox: Sandbox, levels: list[Instance]) -> None:
        self.game = game
        self.name = name
        self.sandbox = sandbox
        self.levels = levels
        self.places = places_of(levels)
        self.judge = Judge()
        self.score: dict[str, Any] = {}

    def run(self, found: dict[str, Any]) -> Report:
        offered_names = dict.fromkeys(name for place in self.places for name in place.level.arguments)
        self.functions = functions_of(found, self.game.name, offered_names, self.name)
        self._require_goal(self.functions["is_goal"])
        self._states()
        if "cost" in self.functions:
            self._costs(self.functions["cost"])
        games = self._searches()
        self._channel()
        return self._report(games)

    def _require_goal(self, is_goal: Function) -> None:
        """Raises ParseError where a goal test cannot know the goal of any level."""
        if not any(is_goal.can_judge(place.level.arguments, place.level.assumed) for place in self.places):
            names = ", ".join(self.places[0].level.arguments)
            form = f"{is_goal.name}(state, {names})"
            message = f"{is_goal.name}() cannot tell the goals of {self.game.name} by the state alone; it is {form}"
            raise ParseError(message, file=self.name)

    # ---- states

    def _states(self) -> None:
        pairs = [(function, place) for place in self.places for function in self._judging(place)]
        calls = [self._call(function, place, twice=True) for function, place in pairs]
        outcomes = self.sandbox.outcomes(calls)
        for (function, place), outcome in zip(pairs, outcomes, strict=True):
            self.judge.judge(function, place, outcome)
        few = [i for i, outcome in enumerate(outcomes) if outcome is not None and not outcome.fault][:AGAIN][::-1]
        later = self.sandbox.outcomes([self._call(*pairs[i]) for i in few])
        for i, outcome in zip(reversed(few), reversed(later), strict=True):
            self._compare(*pairs[i], outcomes[i], outcome)

    def _judging(self, place: Place) -> list[Function]:
        """The functions that can be asked about a place."""
        level, is_goal = place.level, self.functions["is_goal"]
        knows = is_goal.can_judge(level.arguments, level.assumed)
        return [self.functions["successors"], *([is_goal] if knows else [])]

    def _compare(self, function: Function, place: Place, first: Any, second: Any) -> None:
        """Take in the outcome of a call that was made once more, after others."""
        self.judge.tests += 1
        if second is not None and not second.fault:
            fields = {"value": first.fields["value"], "again": second.fields["value"]}
            if not self.judge.same(place, function, fields):
                message = f"{function.name}() answers differently when other states were asked for before."
                self.judge.add(function, place, ORDER, fields["again"], fields["value"], message)
                return
        self.judge.passed += 1

    def _call(self, function: Function, place: Place, *more: Any, twice: bool = False) -> dict[str, Any]:
        return {
            "function": function.name,
            "arguments": [place.state, *more],
            "named": function.named(place.level.arguments),
            "many": function.role == "successors",
            "twice": twice,
        }

    def _costs(self, function: Function) -> None:
        steps = [(place, step) for place in self.places[:COSTED] for step in place.successors().values()]
        outcomes = self.sandbox.outcomes([self._call(function, place, step[1]) for place, step in steps])
        for (place, (moves, state, cost)), outcome in zip(steps, outcomes, strict=True):
            self.judge.cost(function, place, moves[0], state, cost, outcome)

    # ---- searches

    def _searches(self) -> list[dict[str, Any]]:
        """A search on each of some solvable levels, with their functions: what came of it."""
        is_goal = self.functions["is_goal"]
        places = {place.position: place for place in self.places if not place.way}
        chosen = [level for level in self.levels if level.solved is not None and level.start in places]
        games = [
            (level, place)
            for level in chosen
            for place in [places[level.start]]
            if is_goal.can_judge(place.level.arguments, place.level.assumed)
        ][:GAMES]
        outcomes = self.sandbox.outcomes([self._search(place) for _, place in games])
        return [self._searched(level, place, outcome) for (level, place), outcome in zip(games, outcomes, strict=True)]

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
            "seconds": SEARCH_SECONDS,
        }

    def _searched(self, level: Instance, place: Place, outcome: Any) -> dict[str, Any]:
        row = {"solved": False, "expanded": 0, "generated": 0}
        if outcome is None:
            return row
        if outcome.fault:
            message = f"A search with these functions fails: {outcome.said}."
        else:
            row |= {name: outcome.fields[name] for name in ("expanded", "generated")}
            path = outcome.fields["path"]
            row["solved"] = path is not None and _is_legal(level.start, path)
            ended = "ends without a goal" if outcome.fields.get("ended") else f"finds no goal in {EXPANDED} expansions"
            message = f"A search with these functions {ended}, but the level is solvable."
            if path is not None:
                message = "A search with these functions finds a path that the game does not allow."
        if not row["solved"]:
            expected = " ".join(level.ways[level.solved]) if level.solved is not None else None
            self.judge.add(self.functions["successors"], place, "search", None, expected, message)
        return row

    # ---- all of it

    def _channel(self) -> None:
        """Faults of whole processes, which no call can be blamed for."""
        function = self.functions["successors"]
        if self.sandbox.garbage:
            message = "The code writes into the stream in which its answers are sent."
            self.judge.add(function, None, "forbidden act", self.sandbox.garbage, None, message)
        if self.sandbox.flooded:
            message = "The code prints more than a million bytes past sys.stdout."
            self.judge.add(function, None, "output limit", None, None, message)

    def _report(self, games: list[dict[str, Any]]) -> Report:
        judge = self.judge
        findings = sorted(judge.findings.values(), key=lambda finding: len(finding.moves or ()))
        kinds = {finding.kind for finding in findings}
        whole = not judge.unanswered and not kinds & {MALFORMED}
        score = {
            "tests": judge.tests,
            "passed": judge.passed,
            "games": len(games),
            "solved": sum(row["solved"] for row in games),
            "expanded": sum(row["expanded"] for row in games),
            "generated": sum(row["generated"] for row in games),
            "states": len(self.places),
            "levels": len(self.levels),
            "exhaustive": sum(level.exhaustive for level in self.levels),
            "sandbox": self.sandbox.walls,
        }
        return Report(_verdict(kinds, UNSOUND, whole), _verdict(kinds, INCOMPLETE, whole), findings, score)


def _verdict(kinds: set[str], wrong: tuple[str, ...], whole: bool) -> bool | None:
    """False where a counterexample is known, None where some calls gave no answer."""
    if not kinds.isdisjoint(wrong):
        return False
    return True if whole else None


def _is_legal(start: Position, path: list[Any]) -> bool:
    """Whether states follow each other by legal moves, from the start to a goal."""
    position = start
    for state in path[1:]:
        wanted = key(position, state)
        if wanted == key(position, state_of(position)):
            continue
        after = [other for other in position.following().values() if key(other, state_of(other)) == wanted]
        if not after:
            return False
        position = after[0]
    return position.solved()
