"""The README tells of every command, planner and exit code. (`docs/test_examples.py` runs its examples.)"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text()
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_every_command_and_exit_code_is_told() -> None:
    from unpuzzle.cli import COMMANDS
    from unpuzzle.cli import answer as exits
    from unpuzzle.planning import registry

    for command in COMMANDS:
        assert re.search(rf"`unpuzzle {command}(?![\w-])", README), command
    for family in registry.KINDS:
        assert re.search(rf"`{family}(?![\w-])", README), family
    for code in sorted(set(exits.OF_STATUS.values()) | {exits.BAD_INPUT}):
        assert f"| {code} |" in README


def test_shell_words_are_plain() -> None:
    for session in SESSIONS:
        for line in session.splitlines():
            if line.startswith("$ "):
                assert shlex.split(line[2:])
