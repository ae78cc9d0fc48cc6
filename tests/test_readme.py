"""The README names commands that exist, every planner and exit code. (`docs/test_examples.py` runs its examples.)"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text()
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_every_command_is_known_and_every_exit_code_is_told() -> None:
    from unpuzzle.cli import COMMANDS
    from unpuzzle.cli import answer as exits
    from unpuzzle.cli.renamed import RENAMED
    from unpuzzle.planning import registry

    named = {
        *re.findall(r"`unpuzzle ([a-z][a-z-]*)", README)
    }  # the reference has every command: docs/test_reference.py
    assert len(named) > 10
    assert named <= COMMANDS.keys() | RENAMED.keys()
    for family in registry.KINDS:
        assert re.search(rf"`{family}(?![\w-])", README), family
    for code in sorted(set(exits.OF_STATUS.values()) | {exits.BAD_INPUT}):
        assert f"| {code} |" in README


def test_shell_words_are_plain() -> None:
    for session in SESSIONS:
        for line in session.splitlines():
            if line.startswith("$ "):
                assert shlex.split(line[2:])
