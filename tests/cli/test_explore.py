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
from unpuzzle import find
from unpuzzle.base.errors import LimitReached
from unpuzzle.cli import main
from unpuzzle.model.position import Position
from unpuzzle.planning import registry
from unpuzzle.state_space.difficulty import MEASURES

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


def test_many_depths_share_bars(capsys: Capsys) -> None:
    _, out, _ = explore(capsys, "pacman", "perfect")
    bars = out.partition("states by depth\n")[2].partition("\n\n")[0].splitlines()
    assert 16 <= len(bars) <= 32
    _, answer = explore_json(capsys, "pacman", "perfect")
    assert sum(int(bar.split()[1]) for bar in bars) == answer["states"]
    assert bars[-1].split()[0].endswith(f"-{len(answer['depths']) - 1}")


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
    assert "there are more than 20,000 states; to write a larger graph, raise --max-states" in err
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
    monkeypatch.setattr("unpuzzle.planners.native.planner.NativeKind.missing", lambda self: "install it")
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


def test_traps_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "traps.svg"
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps", "--picture", str(sheet))
    assert (code, answer["files"]) == (0, [str(sheet)])
    ElementTree.fromstring(sheet.read_text())
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps", "--picture", str(tmp_path))
    assert [Path(name).name for name in answer["files"]] == ["trap-01.svg", "trap-02.svg", "trap-03.svg"]
    for name in answer["files"]:
        assert "mark-moved" not in ElementTree.fromstring(Path(name).read_text()).get("aria-label", "")


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
