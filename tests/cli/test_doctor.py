"""unpuzzle doctor, and what `unpuzzle` alone says: the first minutes of somebody who has just installed it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.hiding import hide
from unpuzzle import installation
from unpuzzle.cli.commands import TO_TRY
from unpuzzle.planning import registry

core = pytest.mark.skipif(registry.missing("native") is not None, reason="the core was not compiled")


@core
def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "doctor")
    assert (code, err) == (0, "")
    assert "boxup 3, solved by native (cost 24, " in out
    assert "they agree\nthe base works" in out


@core
def test_quiet_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "tarski", "openai")
    code, out, _ = run(capsys, "doctor", "--quiet")
    assert (code, out) == (0, "the base works; 2 extras not installed\n")


def test_a_lack_is_told_with_its_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "ortools", "networkx")
    code, out, _ = run(capsys, "doctor")
    assert code == 1
    assert "get it:    pip install 'unpuzzle[sat]'\n" in out
    assert "the base does not work: networkx is missing; 1 extra not installed\n" in out


def test_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "psutil")
    code, answer = run_json(capsys, "doctor")
    assert (code, answer["healthy"], answer["schema"]) == (1, False, "unpuzzle/doctor/1")
    [psutil] = [part for part in answer["parts"] if part["name"] == "psutil"]
    assert psutil == {
        "name": "psutil",
        "kind": "base",
        "status": "missing",
        "purpose": "limits of memory and of other programs",
        "message": "",
        "command": "pip install psutil",
    }


@pytest.mark.parametrize(("agree", "code", "said"), [(False, 1, "do not agree"), (None, 3, "is not known")])
def test_a_trial_that_does_not_end_well(
    agree: bool | None, code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = installation.examine().replace(healthy=agree, trial=installation.Trial("boxup", "3", (), agree), parts=())
    found = found.replace(parts=(installation.Part("core", "base", "works", "the native planner"),))
    monkeypatch.setattr("unpuzzle.cli.commands.doctor.examine", lambda: found)
    shown = run(capsys, "doctor")
    assert shown[0] == code
    assert said in shown[1]


def test_unpuzzle_alone_shows_five_commands(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (2, "")
    assert len(TO_TRY) == 5
    assert all(f"  unpuzzle {words} " in out for words in TO_TRY)
    assert "unpuzzle doctor" in out
    assert len(out.splitlines()) < 12


@pytest.mark.parametrize("words", TO_TRY)
def test_each_of_them_works_at_once_in_an_empty_folder(words: str, tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "unpuzzle", *words.split()], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout
