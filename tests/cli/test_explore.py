"""unpuzzle explore: its fields, its text, its refusals, the graph beside it."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest

from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.script_texts import script
from unpuzzle import find
from unpuzzle.cli import main
from unpuzzle.errors import LimitReached
from unpuzzle.planning import registry
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.difficulty import MEASURES

FIELDS = set(
    "schema status states transitions depths goals dead_ends hardest cost optimal_plans".split()
    + "branching seconds message optimal_lines least_lines".split()
    + list(MEASURES)
)
needs_core = pytest.mark.skipif(registry.missing("native") is not None, reason=str(registry.missing("native")))


def explore(capsys: Capsys, *words: str) -> tuple[int, str, str]:
    code = main(["explore", *words])
    return code, *capsys.readouterr()


def explore_json(capsys: Capsys, *words: str) -> tuple[int, Any]:
    code, out, err = explore(capsys, *words, "--json")
    assert err == "", "with --json everything is in the object"
    answer = json.loads(out)
    assert set(answer) == FIELDS
    return code, answer


def test_fields(capsys: Capsys) -> None:
    code, answer = explore_json(capsys, "boxup", "1")
    assert code == 0
    assert (answer["status"], answer["states"], answer["transitions"]) == ("complete", 140, 325)
    assert (answer["goals"], answer["dead_ends"], answer["cost"], answer["optimal_plans"]) == (3, 0, 5, 1)
    assert answer["depths"][:5] == [1, 3, 6, 3, 6]
    assert sum(answer["depths"]) == 140
    assert answer["branching"] == {"mean": pytest.approx(325 / 140, abs=1e-6), "least": 1, "most": 4}
    assert answer["message"] == ""
    assert set(answer["hardest"]) == {"level", "cost", "moves"}
    assert (answer["hardest"]["cost"], len(answer["hardest"]["moves"])) == (22, 22)


def test_text(capsys: Capsys) -> None:
    code, out, err = explore(capsys, "boxup", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:6] == [
        "states       140",
        "transitions  325",
        "goal states    3",
        "dead ends      0",
        "branching    2.32 moves a state, 1 to 4",
        "from here    cost 5, one way only",
    ]
    assert " 8 20 " + "█" * 60 in lines
    assert "farthest from a goal: cost 22, the first of 3 as far" in lines
    assert lines[-4:] == [".  .  @", ".  .  W!", ".  .  n!", "LDRULDRDLLUURRDDLULDRR"]
    assert explore(capsys, "boxup", "1", "--quiet")[1].splitlines() == lines[:8]


def test_text_where_one_start_is_the_hardest(capsys: Capsys) -> None:
    assert "farthest from a goal: cost 34\n" in explore(capsys, "pacman", "room")[1]


def test_many_depths_share_bars(capsys: Capsys) -> None:
    _, out, _ = explore(capsys, "pacman", "perfect")
    bars = out.partition("states by depth\n")[2].partition("\n\n")[0].splitlines()
    assert 16 <= len(bars) <= 32
    _, answer = explore_json(capsys, "pacman", "perfect")
    assert sum(int(bar.split()[1]) for bar in bars) == answer["states"]
    assert bars[-1].split()[0].endswith(f"-{len(answer['depths']) - 1}")


def test_an_unsolvable_level_is_explored_all_the_same(capsys: Capsys, tmp_path: Path) -> None:
    level = tmp_path / "level.txt"
    level.write_text("1 0\n3 2\ngoal\n1 0\n2 3\n")
    code, answer = explore_json(capsys, "sliding-tiles", str(level))
    assert (code, answer["states"], answer["dead_ends"], answer["goals"]) == (0, 12, 12, 0)
    assert (answer["hardest"], answer["cost"], answer["optimal_plans"]) == (None, None, 0)
    assert answer["message"].startswith("parity: ")
    code, out, _ = explore(capsys, "sliding-tiles", str(level))
    assert code == 0
    assert "unsolvable: parity: " in out


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ("--max-states 1000", "gave_up", "there are more than 1,000 states"),
        ("--time-limit 0.3", "timeout", "the time limit was reached while"),
        ("--cpu-limit 0.3", "timeout", "the limit of processor time was reached while"),
        ("--memory-limit 30M", "memout", "the memory limit was reached while"),
    ],
)
def test_limits(options: str, status: str, said: str, capsys: Capsys) -> None:
    code, answer = explore_json(capsys, "sliding-tiles", "15-hard", *options.split())
    assert (code, answer["status"], answer["transitions"], answer["hardest"]) == (3, status, None, None)
    assert answer["message"].startswith(said)
    assert answer["states"] >= 1000 or status != "gave_up"
    code, out, err = explore(capsys, "sliding-tiles", "15-hard", *options.split())
    assert code == 3
    assert out in ("", "from here    cost 50\n"), "what a search proved in the time left, and nothing else"
    assert err.startswith(f"unpuzzle: {status}: {said}")


@needs_core
def test_what_is_too_large_is_searched(capsys: Capsys) -> None:
    code, answer = explore_json(capsys, "boxup", "3", "--max-states", "500")
    assert (code, answer["status"], answer["cost"], answer["dead_ends"]) == (3, "gave_up", 24, None)
    code, out, err = explore(capsys, "boxup", "3", "--max-states", "500")
    assert (code, out) == (3, "from here    cost 24\n")
    assert err == "unpuzzle: gave_up: there are more than 500 states\n"


@pytest.mark.parametrize("suffix", ["graphml", "dot"])
def test_graphs(suffix: str, tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / f"space.{suffix}"
    code, answer = explore_json(capsys, "boxup", "1", "--graph", str(path))
    assert code == 0
    assert list(tmp_path.iterdir()) == [path]
    text = path.read_text(encoding="utf-8")
    if suffix == "graphml":
        graph = networkx.parse_graphml(text, node_type=int)
        assert (len(graph), graph.number_of_edges()) == (answer["states"], answer["transitions"])
    else:
        assert text.count(" -> ") == answer["transitions"]


def test_large_graphs_are_refused_unless_asked_for(tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "space.dot"
    code, _, err = explore(capsys, "sliding-tiles", "8-hard", "--graph", str(path))
    assert code == 3
    assert "there are more than 20,000 states; a graph of more is written where --max-states allows it" in err
    assert not path.exists()
    assert explore(capsys, "boxup", "1", "--graph", str(path), "--max-states", "139")[0] == 3
    assert explore(capsys, "boxup", "1", "--graph", str(path), "--max-states", "140")[0] == 0
    assert path.exists()


@needs_core
@pytest.mark.parametrize("suffix", ["graphml", "dot"])
def test_the_limits_hold_while_a_graph_is_made(
    suffix: str, tmp_path: Path, capsys: Capsys, seconds_per_look: SecondsPerLook
) -> None:
    words = ["sliding-tiles", "8-hard", "--max-states", "200000", "--graph", str(tmp_path / f"space.{suffix}")]
    code, answer = explore_json(capsys, *words, "--time-limit", "7000")
    assert (code, answer["status"], answer["states"]) == (3, "timeout", 181_440)
    assert answer["message"] == f"{words[-1]} is not written: the time limit was reached while making the graph"
    assert seconds_per_look.reads <= 11_000, "to ground, to measure, and to make the graph"
    assert not list(tmp_path.iterdir())


def test_a_graph_that_cannot_be_saved_loses_nothing(tmp_path: Path, capsys: Capsys) -> None:
    path = str(tmp_path / "no" / "space.dot")
    code, out, err = explore(capsys, "boxup", "1", "--graph", path)
    assert code == 2
    assert "states       140" in out
    assert err.startswith(f"unpuzzle: {path}: No such file")
    code, answer = explore_json(capsys, "boxup", "1", "--graph", path)
    assert (code, answer["states"]) == (2, 140)
    assert answer["message"].startswith(f"{path}: No such file")


def test_without_the_core_it_says_that_it_is_slow(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    with_core = explore_json(capsys, "boxup", "4")[1]
    monkeypatch.setattr("unpuzzle.planners.native.missing", lambda: "install it")
    code, answer = explore_json(capsys, "boxup", "4")
    assert (code, answer["message"]) == (0, "explored slowly, on the rules: install it")
    same = FIELDS - {"seconds", "message", "hardest"}
    assert {name: answer[name] for name in same} == {name: with_core[name] for name in same}
    assert answer["hardest"]["cost"] == with_core["hardest"]["cost"]
    assert explore(capsys, "boxup", "4")[2] == "unpuzzle: explored slowly, on the rules: install it\n"


def test_the_table_stays_where_only_drawing_takes_too_long(monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    def draw(self: Position) -> str:
        raise LimitReached("timeout", "the time limit was reached while drawing")

    monkeypatch.setattr(type(find("hanoi").parse("A: 1\nB:\nC:\n")), "draw", draw)
    code, out, err = explore(capsys, "hanoi", "3")
    assert code == 0
    assert "states       27" in out
    assert "states by depth" in out
    said = "the position farthest from a goal is not drawn: the time limit was reached while drawing"
    assert err == f"unpuzzle: {said}\n"


# ---- Where players get lost, on the command line: explore --traps, explain of unsolvable levels, compare-moves


TWO_ROOMS = "######\n#. $.#\n#@$# #\n#    #\n######\n"


@pytest.fixture
def lost(tmp_path: Path) -> str:
    file = tmp_path / "lost.xsb"
    file.write_text(TWO_ROOMS)
    return str(file)


def test_traps_are_told_and_drawn_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explore", "sokoban", "1", "--traps")
    assert (code, err) == (0, "")
    assert "moves that make it unsolvable, one move off an optimal way: 3" in out
    assert "3. D after Lruul: frozen: the box in row 4, column 3 can never move again" in out
    assert "3. D\n" in out
    code, quiet, _ = run(capsys, "explore", "sokoban", "1", "--traps", "--quiet")
    assert code == 0
    assert "█" not in quiet


def test_traps_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps")
    traps = answer["lost_moves"]
    assert (code, traps["origin"], traps["total"], traps["walks"]) == (0, "optimal_ways", 3, True)
    assert traps["traps"][0] == {
        "moves": ["L"],
        "move": "U",
        "kind": "confined",
        "stuck": [{"thing": "a box", "place": [2, 3]}],
        "area": [[2, 2], [2, 3], [2, 4]],
        "goes_on": 1,
        "states": 27,
        "before": traps["traps"][0]["before"],
        "after": traps["traps"][0]["after"],
    }


def test_traps_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "traps.svg"
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps", "--picture", str(sheet))
    assert (code, answer["files"]) == (0, [str(sheet)])
    ElementTree.fromstring(sheet.read_text())
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps", "--picture", str(tmp_path))
    assert [Path(name).name for name in answer["files"]] == ["trap-01.svg", "trap-02.svg", "trap-03.svg"]
    for name in answer["files"]:
        assert "mark-moved" not in ElementTree.fromstring(Path(name).read_text()).get("aria-label", "")


def test_levels_without_traps(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no move makes it unsolvable" in run(capsys, "explore", "sliding-tiles", "2x3", "--traps")[1]
    assert "it is lost at the start; `explain` says why" in run(capsys, "explore", "sokoban", lost, "--traps")[1]


def test_too_large_a_level_has_no_traps(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explore", "sokoban", "3", "--traps", "--max-states", "100")
    assert code == 3
    assert "there are more than 100 states" in err
    assert "unsolvable" not in out


def test_explaining_an_unsolvable_level(lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "miss.svg"
    code, out, err = run(capsys, "explain", "sokoban", lost, "--picture", str(picture))
    assert (code, err) == (0, "")
    assert "nearest miss, after 3 moves (u r R): it lacks 1 of 2 parts: (box r2c2)" in out
    assert out.count("(box r2c2) and (box r2c5)") == 1
    assert "██·   @ ■ ██" in out
    words = [each.text for each in ElementTree.fromstring(picture.read_text()).iter() if each.tag.endswith("text")]
    assert "nearest miss: it" in " ".join(filter(None, words))
    code, answer = run_json(capsys, "explain", "sokoban", lost)
    assert (code, answer["solvable"]) == (0, False)
    assert answer["shortfall"]["nearest"]["missing"] == ["(box r2c2)"]
    assert answer["shortfall"]["apart"] == [["(box r2c2)", "(box r2c5)"]]


def test_explaining_win_conditions_one_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Win conditions of a game that has several, each told alone and in pairs."""
    game = tmp_path / "game.txt"
    game.write_text(script(levels="p*.o", wins="all target on crate\nno crate on target"))
    code, out, _ = run(capsys, "explain", str(game), "0")
    assert code == 0
    assert out.split("\n")[:5] == [
        "all 6 positions that can be reached were searched, and none is solved",
        "never both: target in row 1, column 4 on crate; no crate on target",
        "can be had alone: target in row 1, column 4 on crate; no crate on target",
        "nearest miss, the start: it lacks 1 of 2 parts: target in row 1, column 4 on crate",
        "",
    ]


def test_a_solvable_level_has_no_nearest_miss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "miss.svg"
    code, out, err = run(capsys, "explain", "sokoban", "1", "--picture", str(picture))
    assert (code, picture.exists()) == (0, False)
    assert "there is a plan" in out
    assert "there is no nearest miss to be drawn" in err
    assert run(capsys, "explain", "sokoban", "1", "--picture", "x.html")[0] == 2


def test_compare_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", "boxup", "1", "ULDRR", "--against", "best")
    assert (code, err) == (0, "")
    assert "both lead through the same positions" in out
    picture = tmp_path / "apart.svg"
    code, answer = run_json(capsys, "replay", "boxup", "1", "UDULDRR", "--against", "ULDRR", "-o", str(picture))
    assert (code, answer["as_good"], answer["step"], answer["next"]) == (1, False, 2, ["D", "L"])
    assert answer["file"] == str(picture)
    assert len([each for each in ElementTree.fromstring(picture.read_text()).iter() if each.tag.endswith("text")]) >= 3
    assert run(capsys, "replay", "boxup", "1", "ULDRR", "--against", "UDULDRR")[0] == 0


def test_moves_may_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("ULDRR\n")
    assert run(capsys, "replay", "boxup", "1", str(file), "--against", "best")[0] == 0
    assert run(capsys, "replay", "boxup", "1", "ULDRR", "--against", "best", "-o", "x.html")[0] == 2
