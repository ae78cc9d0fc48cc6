"""The rules that fire are those of the reference engine's verbose log: lines, directions, commands, in their order."""

from __future__ import annotations

from functools import cache

from support.fired_rules import NUMBER, checksum, our_log, recorded_logs
from support.puzzlescript_data import needs_games, texts


@cache
def _texts() -> dict[str, str]:
    return {checksum(text): text for several in texts().values() for text in several}


def test_there_are_plays_of_each_kind() -> None:
    plays = recorded_logs()
    lines = [line for play in plays for logged in play["log"] for line in logged]
    assert len(plays) == NUMBER
    assert len({play["text"] for play in plays}) > 100
    assert sum("queues" in line for line in lines) > 1_000
    assert sum(line.endswith((" up", " down", " left", " right")) for line in lines) > 5_000
    assert sum(line.isdecimal() for line in lines) > 5_000
    assert sum(bool(play["log"][0]) for play in plays) > 5


def test_nothing_but_names_and_numbers_is_kept_of_games() -> None:
    words = {word for play in recorded_logs() for logged in play["log"] for line in logged for word in line.split()}
    assert {word for word in words if not word.isdecimal() and not word.startswith("sfx")} <= {
        *("up", "down", "left", "right", "queues"),
        *("cancel", "restart", "win", "again", "checkpoint", "message"),
    }


@needs_games
def test_the_same_rules_fire() -> None:
    for play in recorded_logs():
        ours = our_log({**play, "text": _texts()[play["text"]]})
        assert ours == play["log"], f"{play['name']}, level {play['level']}"
