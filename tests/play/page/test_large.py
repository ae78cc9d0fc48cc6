"""Levels that are too large for a table of all states: what they are played by, counted work, limits."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from support.browser import Window
from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.limited import within
from support.script_texts import PUSH, script
from unpuzzle import find
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import LimitReached, UnsupportedFeature
from unpuzzle.base.run import Limits, current
from unpuzzle.model.position import Position
from unpuzzle.play import web_page
from unpuzzle.play.page_data import STEPS, GroundOperators, placements, signs_of, walk
from unpuzzle.play.web_page import PlayableLevel, page, play_large, space_around
from unpuzzle.puzzlescript.game import game_of

UNTRANSLATABLE = f"{PUSH}\n[ > Player | Crate ] -> checkpoint\n[ Target | Target ] -> restart"
ROOMY = "............\n.p..*.......\n.........o..\n............"
SET = f"p*o\n\n{ROOMY}\n\np*.o\n\np#*o"
"""A small level, a large one, another small one, and one that cannot be solved."""


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(script(rules=UNTRANSLATABLE, levels=SET))
    return str(file)


def bundled(puzzle: str, level: str) -> Position:
    found = find(puzzle)
    return found.parse(found.levels[level])


def roomy(rules: str = UNTRANSLATABLE) -> Position:
    made = game_of(script(rules=rules, levels=ROOMY), "roomy")
    return made.parse(made.levels["0"])


# ---- one large level does not destroy a page


def test_the_others_are_there_and_the_large_one_can_be_played(game: str, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "x.html"
    words = ["play", game, "0", "1", "2", "3", "-o", str(file), "--max-states", "50"]
    code, out, complaint = run(capsys, *words)
    assert (code, out) == (exits.YES, f"{file}\n")
    large, unsolvable = complaint.rstrip().split("\n")
    assert "no hints on the page for level 1: there are more positions than 50, and " in large
    assert large.endswith("This page has one solution and the positions near to it; see --max-states")
    assert unsolvable.startswith("unpuzzle: level 3 cannot be solved: ")
    _, answer = run_json(capsys, *words)
    assert [level["hints"] for level in answer["levels"]] == [True, False, True, True]
    assert [level["solvable"] for level in answer["levels"]] == [True, None, True, False]
    assert [bool(level["message"]) for level in answer["levels"]] == [False, True, False, True]


def test_it_is_played_in_a_browser(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.html"
    level = PlayableLevel.of(roomy(), max_states=50)
    file.write_text(page([level]), encoding="utf-8")
    window = Window(browser)
    window.open(file.as_uri())
    assert "This page has one solution" in window.text("note")
    window.press("w", "a", "z", "z", "End")
    window.page.wait_for_selector("#score.solved", timeout=60_000)
    assert "left" not in window.text("score")
    window.press("r")
    window.run("() => { [line, at] = [[level.open[0]], 0]; refresh(); }")
    assert "This page does not know how it goes on from here" in window.text("news")
    assert not window.errors


def test_without_a_solution_the_positions_near_to_the_start(monkeypatch: Monkeypatch) -> None:
    monkeypatch.setattr("unpuzzle.play.web_page.SEARCHED", 1)
    level = PlayableLevel.of(roomy(), max_states=50)
    assert level.limitation.endswith("This page has the positions near to the start, and no solution")
    assert "solution" not in level.head


def test_a_part_has_all_moves_of_the_positions_on_the_way() -> None:
    start = roomy()
    solution = ("r", "r")
    found, ends = space_around(start, solution, 40)
    position = start
    for move in (*solution, ""):
        assert position not in ends
        state = found.positions().index(position)
        assert sorted(name for name, *_ in found.successors(state)) == sorted(position.moves())
        position = position.apply(move) if move else position
    assert 40 <= found.states < 45
    assert ends


@pytest.mark.parametrize("rules", [UNTRANSLATABLE, PUSH])
def test_equal_levels_have_equal_pages(rules: str) -> None:
    assert len({page([PlayableLevel.of(roomy(rules), max_states=50)]) for _ in range(2)}) == 1


def test_what_half_of_the_time_does_not_suffice_for_is_done_without(monkeypatch: Monkeypatch) -> None:
    left: list[float] = []

    def too_long(position: Position) -> GroundOperators:
        left.append(current().time_left() or 0)
        raise LimitReached("timeout", "the time limit was reached while grounding")

    monkeypatch.setattr("unpuzzle.play.web_page.GroundOperators", too_long)
    level = within(Limits(time=100_000), PlayableLevel.of, roomy(PUSH), max_states=50)
    assert level.limitation.startswith(
        "there are more positions than 50, and the time limit was reached while grounding."
    )
    assert level.limitation.endswith("This page has one solution and the positions near to it")
    assert left[0] <= 50_000


# ---- work is counted


def test_positions_that_are_looked_at_are_counted() -> None:
    start = bundled("sliding-tiles", "15-easy")
    seen = count()
    numbers: dict[object, int] = {}

    def facts_of(position: Position) -> frozenset[int]:
        next(seen)
        return frozenset([numbers.setdefault(piece, len(numbers)) for piece in placements(position)])

    with pytest.raises(UnsupportedFeature, match="do not soon follow"):
        signs_of(start, facts_of, frozenset(range(300)), most_accesses=3_000)
    assert next(seen) < STEPS


def test_a_part_is_smaller_where_turns_take_long(monkeypatch: Monkeypatch) -> None:
    monkeypatch.setattr("unpuzzle.play.web_page.MOST_ACCESSES", 500)
    found, ends = space_around(roomy(), ("r", "r"), 1_000)
    assert 3 < found.states < 30
    assert ends


def test_what_a_games_turns_take_is_counted() -> None:
    start = roomy()
    looks: list[int] = []
    positions = walk(start, looks.append)
    for _ in range(20):
        next(positions)
    assert sum(looks) >= 20


# ---- limits


@pytest.mark.parametrize(
    "play",
    [
        lambda: GroundOperators(bundled("sokoban", "3")),
        lambda: space_around(roomy(), (), 500),
    ],
    ids=["operators", "partial"],
)
def test_each_phase_asks_the_clock(play: Callable[[], Any], seconds_per_look: SecondsPerLook) -> None:
    with pytest.raises(LimitReached) as reached:
        within(Limits(time=30), play)
    assert reached.value.status == "timeout"
    within(Limits(time=10_000_000), play)
    assert seconds_per_look.reads > 400


def test_packing_asks_the_clock(seconds_per_look: SecondsPerLook) -> None:
    operators = GroundOperators(bundled("sokoban", "3"))
    with pytest.raises(LimitReached):
        within(Limits(time=10), operators.packed)


def test_what_was_made_within_the_limits_is_kept(
    game: str, tmp_path: Path, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    file = tmp_path / "x.html"
    explored = web_page._explore

    def ends(position: Position, *arguments: Any) -> Any:
        if str(position).count("background") > 20:
            raise LimitReached("timeout", "the time limit was reached while exploring")
        return explored(position, *arguments)

    monkeypatch.setattr(web_page, "_explore", ends)
    code, out, complaint = run(capsys, "play", game, "0", "1", "2", "-o", str(file))
    assert (code, out) == (exits.NO_ANSWER, f"{file}\n")
    assert complaint == "unpuzzle: level 1 is not on the page: the time limit was reached while exploring\n"
    assert file.read_text(encoding="utf-8").count('class="level"') == 2
    code, answer = run_json(capsys, "play", game, "0", "1", "2", "-o", str(file))
    assert [level["made"] for level in answer["levels"]] == [True, False, True]
    file.unlink()
    code, out, complaint = run(capsys, "play", game, "1", "-o", str(file))
    assert (code, out) == (exits.NO_ANSWER, "")
    assert not file.exists()


def test_ctrl_c_keeps_what_was_made(game: str, tmp_path: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    file = tmp_path / "x.html"
    explored, calls = web_page._explore, count()

    def interrupted(*arguments: Any) -> Any:
        if next(calls):
            raise KeyboardInterrupt
        return explored(*arguments)

    monkeypatch.setattr(web_page, "_explore", interrupted)
    code, _, complaint = run(capsys, "play", game, "0", "2", "3", "-o", str(file))
    assert code == exits.INTERRUPTED
    assert complaint.count("is not on the page: interrupted") == 2
    assert file.read_text(encoding="utf-8").count('class="level"') == 1


def test_each_level_has_its_share_of_the_time(
    game: str, tmp_path: Path, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    shares: list[float] = []

    explore = web_page._explore

    def watched(position: Position, max_states: int, *arguments: Any) -> Any:
        shares.append(current().time_left() or 0)
        return explore(position, max_states, *arguments)

    monkeypatch.setattr(web_page, "_explore", watched)
    run(capsys, "play", game, "0", "2", "-o", str(tmp_path / "x.html"), "--time-limit", "100000")
    assert shares[0] <= 50_000 < shares[1] <= 100_000


@pytest.mark.parametrize(
    ("solution", "free", "film"), [((), True, False), ((), False, False), (("r",), True, False), (("r",), False, True)]
)
def test_only_where_nobody_plays_freely_a_large_level_is_its_solution(solution: Any, free: bool, film: bool) -> None:
    played, _, _, notes = play_large(roomy(PUSH), "it is large", solution, free=free)
    assert isinstance(played, GroundOperators) == (not film)
    assert ("Only one solution" in notes["note"]) == film
