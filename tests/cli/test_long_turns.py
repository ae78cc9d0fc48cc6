"""Turns that take longer than anybody waits: every command ends at its limits, and with Ctrl-C."""

from __future__ import annotations

import _thread
import json
from pathlib import Path
from threading import Timer

import pytest

from support.fixtures import Capsys
from support.script_texts import script
from unpuzzle.cli import main

LONG = """startloop
[ Crate ] [ Crate ] [ Player ] -> [ Mark ] [ Crate ] [ Player ]
[ Mark ] [ Mark ] [ Player ] -> [ Crate ] [ Mark ] [ Player ]
endloop"""
"""Every pair of crates, 200 times, 200 times."""
LIMIT = ["--time-limit", "0.3"]
ENGINES = ["python", "native"]


def long_game(tmp_path: Path, prelude: str = "") -> str:
    text = script(rules=LONG, levels="p" + "*" * 60 + 30 * ("\n" + "*" * 61), prelude=prelude)
    text = text.replace("LEGEND\n", "Mark\nred\n\nLEGEND\n", 1).replace(
        "Player, Wall, Crate", "Player, Wall, Crate, Mark"
    )
    file = tmp_path / "long.txt"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trace_out_of_time_gives_the_boards_so_far(tmp_path: Path, engine: str, capsys: Capsys) -> None:
    assert main(["trace", long_game(tmp_path), "0", "r", "--engine", engine, *LIMIT, "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "timeout"
    assert found["message"] == "the time limit was reached while playing the inputs: input 1 did not end"
    assert found["start"].startswith("background player,background crate")
    assert (found["boards"], found["won"], found["capped"]) == ([], None, False)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_turns_that_a_level_begins_with_are_limited(tmp_path: Path, engine: str, capsys: Capsys) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    assert main(["trace", game, "0", "r", "--engine", engine, *LIMIT]) == 3
    assert "the turns that the level begins with did not end" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ENGINES)
def test_an_interrupt_ends_a_turn(tmp_path: Path, engine: str, capsys: Capsys) -> None:
    game = long_game(tmp_path)
    timer = Timer(1, _thread.interrupt_main)
    timer.start()
    try:
        assert main(["trace", game, "0", "r", "--engine", engine]) == 130
    finally:
        timer.join()
    told = capsys.readouterr()
    assert "interrupted: input 1 did not end" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "GAME", "0", "r"],
        ["draw", "GAME", "0", "r"],
        ["solve", "GAME", "0"],
        ["solve", "GAME", "0", "--planner", "rules:bfs"],
        ["survey", "GAME"],
        ["explore", "GAME", "0"],
    ],
    ids=" ".join,
)
def test_a_long_turn_ends_at_the_time_limit(tmp_path: Path, words: list[str]) -> None:
    game = long_game(tmp_path)
    assert main([game if word == "GAME" else word for word in [*words, *LIMIT]]) == 3


@pytest.mark.parametrize(
    "words", [["replay", "r"], ["draw"], ["solve"], ["check"], ["pddl"], ["explore"]], ids=" ".join
)
def test_a_level_that_begins_with_long_turns_is_read_within_the_limit(
    tmp_path: Path, words: list[str], capsys: Capsys
) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    assert main([words[0], game, "0", *words[1:], *LIMIT, "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["message"]) == ("timeout", "the time limit was reached while reading the level")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_levels_that_begin_with_long_turns_are_made_within_the_limit(tmp_path: Path, workers: str) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    assert main(["generate", game, "--from", "0", "--count", "1", "--workers", workers, *LIMIT]) == 3


def test_a_survey_goes_on_after_a_level_that_begins_with_long_turns(tmp_path: Path, capsys: Capsys) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    with open(game, "a") as file:
        file.write("\np#\n")
    assert main(["survey", game, *LIMIT, "--json"]) == 3
    rows = json.loads(capsys.readouterr().out)
    assert [row["status"] for row in rows] == ["timeout", "solved_optimally"]
