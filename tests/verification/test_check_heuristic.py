"""check_heuristic(): planted mistakes are found, and shown with the edge or the position that shows them."""

from itertools import pairwise
from typing import Any

import pytest

from support.command_line import run_json
from unpuzzle import check_heuristic, translators
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.cli import main
from unpuzzle.model import Heuristic, Puzzle, replay


def planted(estimate: Any, **claims: bool) -> Heuristic:
    return Heuristic("planted", "a test's own", estimate, **{"admissible": True, "consistent": True, **claims})


def level(puzzle: str, name: str) -> Puzzle:
    kind = translators.find(puzzle)
    return kind.parse(kind.levels[name])


def distance(position: Any) -> int:
    return position.heuristics["manhattan"].estimate(position)


def corridor(length: int) -> Any:
    return translators.find("pacman").parse("P" + " " * (length - 1) + ".\n")


def test_a_right_one_holds() -> None:
    report = check_heuristic(level("sliding-tiles", "2x3"), "linear-conflict")
    assert (report.admissible, report.consistent, report.exhaustive, report.holds) == (True, True, True, True)
    assert (report.states, report.transitions) == (360, 840)
    assert report.inconsistency is None
    assert report.overestimate is None
    assert "all that can be reached" in str(report)


def test_a_planted_inconsistency_is_shown_with_its_edge() -> None:
    """Half of the positions are told nothing: still admissible, but an estimate may fall by more than a move costs."""
    start = level("sliding-tiles", "2x3")
    heuristic = planted(lambda p: distance(p) if p.tiles.index(0) % 2 else 0)
    report = check_heuristic(start, heuristic)
    assert (report.admissible, report.consistent, report.holds) == (True, False, False)
    edge = report.inconsistency
    assert edge is not None
    assert replay(start, edge.moves).position == edge.position
    assert edge.position.apply(edge.move) == edge.successor
    assert (edge.estimate, edge.estimate_after) == tuple(map(heuristic.estimate, (edge.position, edge.successor)))
    assert edge.estimate > edge.cost + edge.estimate_after
    said = str(report)
    assert f"the move {edge.move} costs 1 and lowers the estimate from {edge.estimate} to 0" in said
    assert edge.position.draw() in said
    assert edge.successor.draw() in said
    assert "consistent: no, though it claims to be" in said


def test_the_edge_is_one_of_the_nearest() -> None:
    start = corridor(9)
    heuristic = planted(lambda p: 5 if p.cell in (3, 7) and p.food else 0, admissible=False)
    edge = check_heuristic(start, heuristic).inconsistency
    assert edge is not None
    assert (edge.moves, edge.position.cell) == (("E", "E", "E"), 3)  # type: ignore[attr-defined]


def test_a_planted_overestimate_is_shown_with_a_cheaper_solution() -> None:
    start = corridor(6)
    report = check_heuristic(start, planted(lambda p: 2 * distance(p), consistent=False))
    wrong = report.overestimate
    assert (report.admissible, report.holds) == (False, False)
    assert wrong is not None
    assert (wrong.moves, wrong.estimate, wrong.cost) == ((), 12, 6)
    assert replay(wrong.position, wrong.solution).solved
    assert "not admissible: at the start, the estimate is 12, but the goal costs 6 (moves E E E E E E)" in str(report)


def test_goals_must_be_estimated_0() -> None:
    report = check_heuristic(corridor(2), planted(lambda p: distance(p) + 1))
    assert (report.consistent, report.admissible) == (True, False)
    report = check_heuristic(corridor(2), planted(lambda p: 0 if p.food else 1))
    assert report.overestimate is not None
    assert (report.overestimate.cost, report.overestimate.solution) == (0, ())


def test_infinity_is_right_at_dead_ends_only() -> None:
    dead = translators.find("pacman").parse("P %.\n")
    assert check_heuristic(dead, planted(lambda p: float("inf"))).holds
    report = check_heuristic(corridor(3), planted(lambda p: float("inf") if p.cell == 0 else 0))
    assert (report.admissible, report.consistent) == (False, False)
    assert "from inf to 0" in str(report)


def test_what_is_no_number_holds_for_nothing() -> None:
    report = check_heuristic(corridor(3), planted(lambda p: float("nan")))
    assert (report.admissible, report.consistent) == (False, False)


class Costly(translators.find("pacman")):  # type: ignore[misc]
    """Steps east cost 3, steps west nothing."""

    __slots__ = ()

    def cost(self, move: str) -> int:
        return {"E": 3, "W": 0}.get(move, 1)


def test_costs_of_moves_count() -> None:
    start = Costly.parse("   P.\n")
    assert check_heuristic(start, planted(lambda p: 3 * distance(p))).holds
    assert not check_heuristic(start, planted(lambda p: 3.5 * distance(p))).holds
    west = Costly.parse(".  P\n")
    report = check_heuristic(west, "manhattan")
    assert (report.admissible, report.consistent) == (False, False)
    assert report.overestimate is not None
    assert report.overestimate.cost == 0
    assert len(report.overestimate.solution) == 3


def test_where_not_all_is_looked_at_the_rest_is_unknown() -> None:
    start = level("sliding-tiles", "8-hard")
    report = check_heuristic(start, "manhattan", max_states=500)
    assert (report.states, report.exhaustive) == (500, False)
    assert (report.admissible, report.consistent, report.holds) == (None, None, None)
    assert "no counterexample found" in str(report)
    again = check_heuristic(start, planted(lambda p: distance(p) * (p.tiles.index(0) % 2)), max_states=500)
    assert (again.consistent, again.holds) == (False, False)


def test_counterexamples_in_a_part_hold_in_the_whole() -> None:
    """An overestimate that a part shows is one; costs in the part may be more than those in the whole, never less."""
    start = level("pacman", "dots")
    heuristic = planted(lambda p: 3 * len(p.food), admissible=False, consistent=False)  # type: ignore[attr-defined]
    whole = [check_heuristic(start, heuristic, max_states=number).admissible for number in (10, 400, None)]
    assert whole[-1] is False
    assert all(one in (None, other) for one, other in pairwise(whole))


def test_a_heuristic_that_claims_nothing_cannot_lie() -> None:
    report = check_heuristic(corridor(5), planted(lambda p: 7, admissible=False, consistent=False))
    assert report.holds
    assert report.admissible is False


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("manhatan", "did you mean 'manhattan'?"),
        ("qqq", "the heuristics are manhattan, linear-conflict"),
        ("manhattan-with-blank", "does not fit this level: the goal does not say where the blank should be"),
    ],
)
def test_names_that_do_not_fit(name: str, said: str) -> None:
    start = translators.find("sliding-tiles").parse("1 0\n2 3\ngoal\n* 1\n2 3\n")
    with pytest.raises(UsageError) as caught:
        check_heuristic(start, name)
    assert said in str(caught.value)


def test_limits_hold() -> None:
    start = level("sliding-tiles", "15-hard")
    report = check_heuristic(start, "manhattan", limits=Limits(time=0.1))
    assert (report.status, report.holds, report.complete, report.exhaustive) == ("timeout", None, False, False)
    assert report.to_dict()["status"] == "timeout"
    with pytest.raises(UsageError, match="takes a position, not a str"):
        check_heuristic("text", "manhattan")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_states"):
        check_heuristic(start, "manhattan", max_states=0)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, answer = run_json(capsys, *"check sliding-tiles 2x3 --heuristic misplaced".split())
    assert (code, answer["holds"], answer["exhaustive"], answer["states"]) == (0, True, True, 360)
    assert (answer["overestimate"], answer["inconsistency"]) == (None, None)
    assert main("check sliding-tiles 2x3 --heuristic manhattan-with-blank".split()) == 0, "it says so itself"
    assert "not admissible" in capsys.readouterr().out
    tiles = translators.find("sliding-tiles")
    liar = planted(lambda p: float("inf") if p.tiles.index(0) == 0 else distance(p))
    monkeypatch.setattr(tiles, "heuristics", {**tiles.heuristics, "planted": liar})
    code, answer = run_json(capsys, *"check sliding-tiles 2x3 --heuristic planted".split())
    assert (code, answer["holds"], answer["admissible"], answer["consistent"]) == (1, False, False, False)
    assert answer["claims"] == {"admissible": True, "consistent": True}
    edge = answer["inconsistency"]
    assert set(edge) == {"moves", "position", "move", "successor", "cost", "estimate", "estimate_after"}
    assert tiles.parse(edge["position"]).apply(edge["move"]) == tiles.parse(edge["successor"])
    assert edge["estimate"] is None, "infinite"
    assert set(answer["overestimate"]) == {"moves", "position", "estimate", "cost", "solution"}
    assert main("check sliding-tiles 2x3 --heuristic planted".split()) == 1
    assert "lowers the estimate from inf to" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["--heuristic nosuch", "--heuristic misplaced --domain x", "--heuristic"])
def test_wrong_usage(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "check", "sliding-tiles", "2x3", *words.split())
    assert (code, answer["status"]) == (2, "bad_input")
