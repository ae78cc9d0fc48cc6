"""Each JSON object of the command line says what shape it has; reports are what `to_dict()` gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unpuzzle import check, explore, find
from unpuzzle.cli import main

OBJECTS = [
    (["solve", "boxup", "1"], "result"),
    (["check", "boxup", "1"], "check"),
    (["check", "sliding-tiles", "2x3", "--heuristic", "manhattan"], "check-heuristic"),
    (["explore", "boxup", "1"], "explore"),
    (["generate", "boxup", "--count", "1", "--workers", "1"], "generate"),
    (["list"], "list"),
    (["doctor"], "doctor"),
    (["pddl", "boxup", "1"], "pddl"),
    (["replay", "boxup", "1", "U"], "replay"),
    (["explain", "sudoku", "4x4"], "explain"),
    (["draw", "boxup", "1"], "draw"),
    (["solve", "boxup", "nosuch"], "error"),
    (["check", "boxup"], "error"),
    (["--version"], "version"),
    (["check", "--help"], "help"),
]


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    main([*words, "--json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "schema"), OBJECTS, ids=lambda value: " ".join(value) if isinstance(value, list) else value
)
def test_an_object_names_its_schema_first(words: list[str], schema: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert next(iter(answer(capsys, *words).items())) == ("schema", f"unpuzzle/{schema}/1")


def test_rows_name_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["schema"] for row in answer(capsys, "survey", "boxup", "1", "2")} == {"unpuzzle/survey/1"}
    rows = answer(capsys, "compare", "boxup", "1", "--algorithms", "bfs", "dfs")
    assert {row["schema"] for row in rows} == {"unpuzzle/compare/1"}


def test_json_is_the_text_of_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boxup = find("boxup")
    level = boxup.parse(boxup.levels["1"])
    assert answer(capsys, "check", "boxup", "1") == check(level).to_dict()
    explored = answer(capsys, "explore", "boxup", "1")
    assert explored.pop("seconds")["total"] > 0
    assert explored == explore(level).to_dict()
