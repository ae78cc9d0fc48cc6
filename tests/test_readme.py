"""The README's examples run: shell sessions are compared with what the command prints, Python with its output."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text()
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def _without_times(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b", "… s", text)


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 2


@pytest.mark.parametrize("session", SESSIONS)
def test_shell_session(session: str, tmp_path: Path) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        shown = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert _without_times(shown.stdout + shown.stderr).strip() == _without_times(expected).strip(), command


def test_python_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_command_and_exit_code_is_told() -> None:
    from unpuzzle.cli import COMMANDS
    from unpuzzle.cli import answer as exits
    from unpuzzle.planning import registry

    for command in COMMANDS:
        assert f"`unpuzzle {command}" in README
    for family in registry.KINDS:
        assert f"`{family}" in README
    for code in sorted(set(exits.OF_STATUS.values()) | {exits.BAD_INPUT}):
        assert f"| {code} |" in README


def test_shell_words_are_plain() -> None:
    for session in SESSIONS:
        for line in session.splitlines():
            if line.startswith("$ "):
                assert shlex.split(line[2:])
