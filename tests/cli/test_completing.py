"""Completion, asked by a real bash."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from unpuzzle.cli import COMMANDS
from unpuzzle.cli.completing import _names_in, _split

SCRIPTS = Path(sys.executable).parent
REGISTER = SCRIPTS / "register-python-argcomplete"
TAB = """
eval "$(register-python-argcomplete unpuzzle)"
COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
read -ra COMP_WORDS <<<"$COMP_LINE"
[[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
_python_argcomplete unpuzzle
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""What bash does at a TAB with the function that was registered."""

pytestmark = pytest.mark.skipif(not shutil.which("bash") or not REGISTER.exists(), reason="bash and argcomplete")


def completions(line: str, folder: Path) -> list[str]:
    """Return what bash offers at the end of a line."""
    environment = os.environ | {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "--norc", "-c", TAB, "bash", line]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return [word.rstrip() for word in done.stdout.splitlines() if word.strip()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("unpuzzle sol", ["solve"]),
        ("unpuzzle solve boxu", ["boxup"]),
        ("unpuzzle solve ./my", ["./my.py"]),
        ("unpuzzle check sliding-tiles 2x", ["2x3"]),
        ("unpuzzle solve domain.pddl p", ["p1", "p1.pddl"]),
        ("unpuzzle solve boxup 1 --planner fast", ["fast-downward"]),
        ("unpuzzle solve boxup 1 --memo", ["--memory-limit"]),
        ("unpuzzle plan dom", ["domain.pddl"]),
        ("unpuzzle lint fold", ["folder/"]),
        ("unpuzzle   solve   boxup   --plan-file p1", ["p1.pddl"]),
        ("unpuzzle solve boxup 1 --time-limit ", []),
        ("unpuzzle nosuch ", []),
    ],
)
def test_a_tab(line: str, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "my.py").write_text("open('ran', 'w')\n")
    (tmp_path / "domain.pddl").write_text("(define (domain d))")
    (tmp_path / "p1.pddl").write_text("(define (problem p1) (:domain d) (:init) (:goal (and)))")
    assert sorted(completions(line, tmp_path)) == expected
    assert not (tmp_path / "ran").exists()


def test_all_commands_are_offered(tmp_path: Path) -> None:
    assert set(completions("unpuzzle ", tmp_path)) == set(COMMANDS)


def test_a_puzzle_in_python_is_not_run_by_a_tab(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text("open('ran', 'w')\n")
    assert completions("unpuzzle solve my.py m", tmp_path) == ["my.py"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("line", "point", "expected"),
    [
        ("unpuzzle", 8, (None, "unpuzzle", 8)),
        ("unpuzzle so", 11, (None, "unpuzzle so", 11)),
        ("unpuzzle solve b", 16, ("solve", "unpuzzle b", 10)),
        ("unpuzzle  plan   ä", 19, ("plan", "unpuzzle  ä", 12)),
    ],
)
def test_the_command_is_taken_out_of_the_line(line: str, point: int, expected: tuple[str | None, str, int]) -> None:
    assert _split(line, point) == expected


def test_names_of_entry_points() -> None:
    text = "[console_scripts]\na = b\n[unpuzzle.puzzles]\nmine = my:Game\nother=o\n\n[x]\ny = z\n"
    assert _names_in(text, "unpuzzle.puzzles") == ["mine", "other"]
    assert _names_in(text, "unpuzzle.planners") == []
