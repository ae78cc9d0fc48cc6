"""Reports, rows, spaces and explorations are values: immutable, equal, pickled, and JSON; limits are no errors."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from support.limited import within
from unpuzzle import check, check_heuristic, explore, find, generate, same, solve_many, survey
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.generation.generating import Generation
from unpuzzle.state_space.space import RulesSpace, Space, reachable, reachable_by_rules
from unpuzzle.verification import check_domain

BOXUP = find("boxup")
LEVEL = BOXUP.parse(BOXUP.levels["1"])
TILES = find("sliding-tiles")
LARGE = TILES.parse(TILES.levels["15-hard"])

REPORTS: dict[str, Callable[[], Any]] = {
    "check": lambda: check(LEVEL),
    "same": lambda: same(LEVEL, LEVEL.task()),
    "check-heuristic": lambda: check_heuristic(LEVEL, "null"),
    "test-domain": lambda: check_domain(BOXUP.domain(), BOXUP, levels=["1"], samples=2),
    "explore": lambda: explore(LEVEL),
    "generate": lambda: generate(BOXUP, {"size": "2x3"}, count=2, seed=1),
}


@pytest.mark.parametrize("schema", REPORTS)
def test_a_report_is_a_value(schema: str) -> None:
    report, again = REPORTS[schema](), REPORTS[schema]()
    assert report == again
    assert pickle.loads(pickle.dumps(report)) == report
    assert report.status == "complete"
    with pytest.raises(AttributeError):
        report.status = "other"
    data = report.to_dict()
    assert next(iter(data.items())) == ("schema", f"unpuzzle/{schema}/1")
    assert json.loads(json.dumps(data)) == data


def test_a_difference_is_a_value() -> None:
    wrong = LEVEL.task()
    other = BOXUP.parse(BOXUP.levels["2"]).task()
    report = check(LEVEL, task=other)
    assert report.difference is not None
    assert pickle.loads(pickle.dumps(report)) == report == check(LEVEL, task=other) != check(LEVEL, task=wrong)
    assert report.to_dict()["difference"]["rules"] == report.difference.rules


@pytest.mark.parametrize("space", [reachable_by_rules(LEVEL), reachable(LEVEL.task()), reachable(LEVEL, max_states=3)])
def test_spaces_do_not_change(space: Space[Any]) -> None:
    for name in ("status", "depth", "message", "states", "other"):
        with pytest.raises(AttributeError):
            setattr(space, name, 1)
    with pytest.raises(AttributeError, match="immutable"):
        del space.costs
    again = pickle.loads(pickle.dumps(space))
    assert (again, hash(again)) == (space, hash(space))
    if isinstance(space, RulesSpace):
        assert again.positions == space.positions


def test_rows_are_values() -> None:
    (row,) = survey(BOXUP, ["1"])
    assert pickle.loads(pickle.dumps(row)) == row
    assert row.to_dict()["schema"] == "unpuzzle/survey/1"
    with pytest.raises(AttributeError):
        row.cost = 1  # type: ignore[misc]
    [judgement] = solve_many([LEVEL])
    assert pickle.loads(pickle.dumps(judgement)) == judgement
    assert (judgement.cost, judgement.solved) == (5, True)


def test_what_generate_tells_meanwhile_stays_as_it_was() -> None:
    parts: list[Generation] = []
    whole = generate(BOXUP, {"size": "2x3"}, count=3, seed=1, progress=parts.append)
    assert parts[0].levels == ()
    assert [part.status for part in parts] == ["running"] * len(parts)
    assert (whole.status, whole.complete, len(whole.levels)) == ("complete", True, 3)


def cancelled() -> Limits:
    limits = Limits()
    limits.cancel()
    return limits


LIMITED: dict[str, Callable[[Limits], Any]] = {
    "check": lambda limits: check(LARGE, limits=limits),
    "same": lambda limits: same(LARGE, LARGE.task(), limits=limits),
    "check_heuristic": lambda limits: check_heuristic(LARGE, "manhattan", limits=limits),
    "check_domain": lambda limits: check_domain(TILES.domain(), TILES, levels=["15-hard"], samples=0, limits=limits),
    "explore": lambda limits: explore(LARGE, limits=limits),
    "explore a task": lambda limits: explore(LARGE.task(), limits=limits),
    "reachable_by_rules": lambda limits: within(limits, reachable_by_rules, LARGE),
    "generate": lambda limits: generate(TILES, {"size": "4x4"}, count=50, limits=limits),
    "survey": lambda limits: survey(TILES, ["15-hard"], limits=limits)[0],
}


@pytest.mark.parametrize("limits", [Limits(time=1e-6), Limits(memory=1, held=0), cancelled()], ids=str)
@pytest.mark.parametrize("name", LIMITED)
def test_limits_are_told_by_the_status(name: str, limits: Limits) -> None:
    expected = "timeout" if limits.time else "memout" if limits.memory else "cancelled"
    report = LIMITED[name](limits)
    assert report.status == expected
    json.dumps(report.to_dict() if hasattr(report, "to_dict") else None)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: check("text"), "check\\(\\) takes a position, not a str"),
        (lambda: same(LEVEL, 3), "same\\(\\) compares tasks and positions, not a int"),
        (lambda: check(LEVEL, max_states=0), "max_states must be at least 1, not 0"),
        (lambda: survey(BOXUP, ["nosuch"]), "boxup has no level 'nosuch'"),
        (lambda: generate(BOXUP, count=0), "count must be at least 1, not 0"),
    ],
)
def test_what_is_no_argument_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        call()
