"""unpuzzle explore: its fields, its text, its refusals, the graph beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx
import pytest

from support.clocks import SecondsPerLook
from support.fixtures import Capsys, Monkeypatch
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


def run(capsys: Capsys, *words: str) -> tuple[int, str, str]:
    code = main(["explore", *words])
    return code, *capsys.readouterr()


def run_json(capsys: Capsys, *words: str) -> tuple[int, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert err == "", "with --json everything is in the object"
    answer = json.loads(out)
    assert set(answer) == FIELDS
    return code, answer


def test_fields(capsys: Capsys) -> None:
    code, answer = run_json(capsys, "boxup", "1")
    assert code == 0
    assert (answer["status"], answer["states"], answer["transitions"]) == ("complete", 140, 325)
    assert (answer["goals"], answer["dead_ends"], answer["cost"], answer["optimal_plans"]) == (3, 0, 5, 1)
    assert answer["depths"][:5] == [1, 3, 6, 3, 6]
    assert sum(answer["depths"]) == 140
    assert answer["branching"] == {"mean": pytest.approx(325 / 140, abs=1e-6), "least": 1, "most": 4}
    assert answer["message"] == ""
    assert set(answer["hardest"]) == {"level", "cost", "moves"}
    assert (answer["hardest"]["cost"], len(answer["hardest"]["moves"])) == (22, 22)


def test_the_hardest_start_can_be_solved(tmp_path: Path, capsys: Capsys) -> None:
    _, answer = run_json(capsys, "boxup", "1")
    hardest = tmp_path / "hardest.txt"
    hardest.write_text(answer["hardest"]["level"])
    assert main(["replay", "boxup", str(hardest), *answer["hardest"]["moves"], "--quiet"]) == 0
    assert capsys.readouterr().out == "solved: cost 22\n"


def test_text(capsys: Capsys) -> None:
    code, out, err = run(capsys, "boxup", "1")
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
    assert run(capsys, "boxup", "1", "--quiet")[1].splitlines() == lines[:8]


def test_text_where_one_start_is_the_hardest(capsys: Capsys) -> None:
    assert "farthest from a goal: cost 34\n" in run(capsys, "pacman", "room")[1]


def test_many_depths_share_bars(capsys: Capsys) -> None:
    _, out, _ = run(capsys, "pacman", "perfect")
    bars = out.partition("states by depth\n")[2].partition("\n\n")[0].splitlines()
    assert 16 <= len(bars) <= 32
    _, answer = run_json(capsys, "pacman", "perfect")
    assert sum(int(bar.split()[1]) for bar in bars) == answer["states"]
    assert bars[-1].split()[0].endswith(f"-{len(answer['depths']) - 1}")


def test_an_unsolvable_level_is_explored_all_the_same(capsys: Capsys, tmp_path: Path) -> None:
    level = tmp_path / "level.txt"
    level.write_text("1 0\n3 2\ngoal\n1 0\n2 3\n")
    code, answer = run_json(capsys, "sliding-tiles", str(level))
    assert (code, answer["states"], answer["dead_ends"], answer["goals"]) == (0, 12, 12, 0)
    assert (answer["hardest"], answer["cost"], answer["optimal_plans"]) == (None, None, 0)
    assert answer["message"].startswith("parity: ")
    code, out, _ = run(capsys, "sliding-tiles", str(level))
    assert code == 0
    assert "unsolvable: parity: " in out


@needs_core
def test_the_whole_eight_puzzle_as_a_process() -> None:
    command = [sys.executable, "-m", "unpuzzle", "explore", "sliding-tiles", "8-hard", "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (answer["states"], answer["transitions"], answer["dead_ends"]) == (181_440, 483_840, 0)
    assert (answer["hardest"]["cost"], answer["cost"], len(answer["depths"])) == (31, 31, 32)


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
    code, answer = run_json(capsys, "sliding-tiles", "15-hard", *options.split())
    assert (code, answer["status"], answer["transitions"], answer["hardest"]) == (3, status, None, None)
    assert answer["message"].startswith(said)
    assert answer["states"] >= 1000 or status != "gave_up"
    code, out, err = run(capsys, "sliding-tiles", "15-hard", *options.split())
    assert code == 3
    assert out in ("", "from here    cost 50\n"), "what a search proved in the time left, and nothing else"
    assert err.startswith(f"unpuzzle: {status}: {said}")


@needs_core
def test_what_is_too_large_is_searched(capsys: Capsys) -> None:
    code, answer = run_json(capsys, "boxup", "3", "--max-states", "500")
    assert (code, answer["status"], answer["cost"], answer["dead_ends"]) == (3, "gave_up", 24, None)
    code, out, err = run(capsys, "boxup", "3", "--max-states", "500")
    assert (code, out) == (3, "from here    cost 24\n")
    assert err == "unpuzzle: gave_up: there are more than 500 states\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("boxup 1 --max-states 0", "--max-states must be at least 1, not 0"),
        ("boxup 1 --max-states many", "--max-states must be a whole number from 1 to 1,000,000,000,000,000, not many"),
        ("boxup 1 --graph space.png", "--graph writes files that end in .graphml or .dot, not 'space.png'"),
        ("boxup 1 --graph=", "--graph writes files that end in .graphml or .dot, not ''"),
        ("boxup 1 --planner native", "unrecognized arguments: --planner native"),
        ("boxup 99", "'99' is neither a file nor a bundled level"),
        ("boxpu 1", "did you mean 'boxup'?"),
    ],
)
def test_wrong_usage(words: str, said: str, capsys: Capsys) -> None:
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("suffix", ["graphml", "dot"])
def test_graphs(suffix: str, tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / f"space.{suffix}"
    code, answer = run_json(capsys, "boxup", "1", "--graph", str(path))
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
    code, _, err = run(capsys, "sliding-tiles", "8-hard", "--graph", str(path))
    assert code == 3
    assert "there are more than 20,000 states; a graph of more is written where --max-states allows it" in err
    assert not path.exists()
    assert run(capsys, "boxup", "1", "--graph", str(path), "--max-states", "139")[0] == 3
    assert run(capsys, "boxup", "1", "--graph", str(path), "--max-states", "140")[0] == 0
    assert path.exists()


@needs_core
@pytest.mark.parametrize("suffix", ["graphml", "dot"])
def test_the_limits_hold_while_a_graph_is_made(
    suffix: str, tmp_path: Path, capsys: Capsys, seconds_per_look: SecondsPerLook
) -> None:
    words = ["sliding-tiles", "8-hard", "--max-states", "200000", "--graph", str(tmp_path / f"space.{suffix}")]
    code, answer = run_json(capsys, *words, "--time-limit", "5000")
    assert (code, answer["status"], answer["states"]) == (3, "timeout", 181_440)
    assert answer["message"] == f"{words[-1]} is not written: the time limit was reached while making the graph"
    assert seconds_per_look.reads <= 11_000, "to ground, to measure, and to make the graph"
    assert not list(tmp_path.iterdir())


def test_a_graph_that_cannot_be_saved_loses_nothing(tmp_path: Path, capsys: Capsys) -> None:
    path = str(tmp_path / "no" / "space.dot")
    code, out, err = run(capsys, "boxup", "1", "--graph", path)
    assert code == 2
    assert "states       140" in out
    assert err.startswith(f"unpuzzle: {path}: No such file")
    code, answer = run_json(capsys, "boxup", "1", "--graph", path)
    assert (code, answer["states"]) == (2, 140)
    assert answer["message"].startswith(f"{path}: No such file")


def test_without_the_core_it_says_that_it_is_slow(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    with_core = run_json(capsys, "boxup", "4")[1]
    monkeypatch.setattr("unpuzzle.planners.native.missing", lambda: "install it")
    code, answer = run_json(capsys, "boxup", "4")
    assert (code, answer["message"]) == (0, "explored slowly, on the rules: install it")
    same = FIELDS - {"seconds", "message", "hardest"}
    assert {name: answer[name] for name in same} == {name: with_core[name] for name in same}
    assert answer["hardest"]["cost"] == with_core["hardest"]["cost"]
    assert run(capsys, "boxup", "4")[2] == "unpuzzle: explored slowly, on the rules: install it\n"


def test_the_table_stays_where_only_drawing_takes_too_long(monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    def draw(self: Position) -> str:
        raise LimitReached("timeout", "the time limit was reached while drawing")

    monkeypatch.setattr(type(find("hanoi").parse("A: 1\nB:\nC:\n")), "draw", draw)
    code, out, err = run(capsys, "hanoi", "3")
    assert code == 0
    assert "states       27" in out
    assert "states by depth" in out
    said = "the position farthest from a goal is not drawn: the time limit was reached while drawing"
    assert err == f"unpuzzle: {said}\n"
