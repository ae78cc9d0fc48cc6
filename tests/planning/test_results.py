"""Results are values; planners are shared by threads; wrong arguments get a sentence."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from unpuzzle import Limits, Result, UsageError, find, improve, solve, solve_by_subgoals
from unpuzzle.base.outcomes import STATUSES
from unpuzzle.planning import registry
from unpuzzle.planning.registry import ConfigurationSyntax, NumberSyntax, missing, read_configuration

BOXUP = find("boxup")
LEVEL = BOXUP.parse(BOXUP.levels["1"])
TILES = find("sliding-tiles")


# ---- results


def test_a_result_is_a_value() -> None:
    result = solve(LEVEL)
    assert result.start == LEVEL
    same = pickle.loads(pickle.dumps(result))
    assert (same == result, hash(same) == hash(result)) == (True, True)
    other = result.replace(cost=99)
    assert (other == result, other.cost, result.cost) == (False, 99, 5)
    with pytest.raises(AttributeError, match="immutable"):
        result.cost = 4  # type: ignore[misc]
    assert len({result, same, other}) == 2


def test_a_result_as_data_has_the_fields_of_the_command_line() -> None:
    data = solve(LEVEL).to_dict()
    assert list(data)[:4] == ["schema", "status", "planner", "cost"]
    assert data["schema"] == "unpuzzle/result/1"
    assert (data["moves"], data["cost"], data["valid"]) == (["U", "L", "D", "R", "R"], 5, True)
    assert data["plan"][0].startswith("(")
    assert {"search", "total"} <= set(data["seconds"])
    guess = Result("guessed", "p", solution="AB/CD", confidence=0.5).to_dict()
    assert (guess["solution"], guess["confidence"]) == ("AB/CD", 0.5)


def test_only_a_plan_that_is_judged_takes_time_to_validate() -> None:
    judged, unjudged = solve(LEVEL), solve(LEVEL, validate=False)
    assert (judged.valid, judged.cost, "validate" in judged.seconds) == (True, 5, True)
    assert (unjudged.valid, unjudged.cost, "validate" in unjudged.seconds) == (None, 5, False)


def test_an_unknown_status_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown status 'solvd'"):
        Result("solvd", "p")
    assert [Result(status, "p").solved for status in STATUSES].count(True) == 2


# ---- threads


@pytest.mark.parametrize(
    "name", ["native", "native:lmcut", "reference", "rules:astar", "rules:mouse=3", "subgoals:shorten"]
)
def test_threads_may_share_a_planner_and_a_game(name: str) -> None:
    if missing(name) is not None:
        pytest.skip("the core is not compiled")
    game = find("sliding-tiles")
    planner = registry.find(name)
    levels = (
        [game.parse(game.levels[level]) for level in ("2x3", "corner", "3x2")]
        if name != "rules:mouse=3"
        else [find("pacman").parse("P  \n . \n")]
    )
    tasks = [(level, most) for level in levels for most in (None, 5)]

    def answer(level: object, most: int | None) -> tuple[object, ...]:
        result = solve(level, planner, max_expanded=most, limits=Limits(time=1000))  # type: ignore[arg-type]
        return result.status, result.moves, result.cost, result.expanded, result.generated

    alone = [answer(*each) for each in tasks]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda each: answer(*each), tasks * 6))
    assert together == alone * 6
    assert not name.startswith("native") or "gave_up" in {each[0] for each in alone}


# ---- arguments


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: solve("boxup"), "only a position, such as game.parse(text), or a pddl.Task can be solved"),
        (lambda: solve(None), "not None"),
        (lambda: solve(BOXUP), "only a position, such as game.parse(text)"),
        (lambda: solve(LEVEL, Limits(1)), "limits are given by name: limits=Limits(...)"),
        (lambda: solve(LEVEL, 7), "a planner is a name such as 'native'"),
        (lambda: solve(LEVEL, limits=10), "limits must be Limits, such as Limits(time=10), not 10"),
        (lambda: solve(LEVEL, "bfs"), "unknown planner 'bfs', did you mean 'rules:bfs'?"),
        (lambda: solve(LEVEL, "nativ"), "unknown planner 'nativ', did you mean 'native'?"),
        (lambda: solve(LEVEL.task(), "rules:bfs"), "reads the rules of a puzzle, not a PDDL task"),
        (lambda: list(improve(LEVEL, "reference")), "gives one plan only"),
        (lambda: list(improve("text")), "only a position, such as game.parse(text)"),
        (lambda: solve_by_subgoals(LEVEL), "only a pddl.Task can be solved by groups"),
    ],
)
def test_wrong_arguments_get_a_sentence(call, sentence) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError) as caught:
        call()
    assert sentence in str(caught.value)


# ---- configurations


def test_configurations_are_read_in_one_way() -> None:
    forms = {
        "astar": ConfigurationSyntax(arguments=1),
        "gbfs": ConfigurationSyntax(arguments=2),
        "wastar": ConfigurationSyntax(NumberSyntax("weight", 1, 10, fractions=True), 1),
        "bfs": ConfigurationSyntax(),
    }

    def read(text: str) -> tuple[object, ...]:
        chosen = read_configuration("kind", text, forms)
        return chosen.name, chosen.number, chosen.arguments

    assert read("bfs") == ("bfs", None, ())
    assert read("wastar=1.5(h)") == ("wastar", 1.5, ("h",))
    assert read("gbfs(a,b)") == ("gbfs", None, ("a", "b"))
    for text, sentence in {
        "bsf": "unknown configuration 'kind:bsf', did you mean 'bfs'?",
        "bfs(h)": "'kind:bfs(h)': a heuristic in parentheses is possible only for astar, gbfs, wastar",
        "gbfs(a,)": "a heuristic in parentheses is possible only for",
        "astar(h": "a heuristic in parentheses is possible only for",
        "bfs=2": "'kind:bfs=2': only wastar (a weight) takes a number",
        "wastar=11": "'kind:wastar=11': wastar takes a weight from 1 to 10, such as 1.5",
        "wastar=": "wastar takes a weight",
    }.items():
        with pytest.raises(UsageError) as caught:
            read(text)
        assert sentence in str(caught.value)
    with pytest.raises(UsageError, match="unknown heuristic 'x'; it must be one of a, b"):
        read_configuration("kind", "astar(x)", forms, known=("a", "b"))
