"""Whether this system has the walls that the sandbox asks for; most of its tests are about something else."""

from functools import cache

import pytest

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.processes.walls import BASIC
from unpuzzle.untrusted import sandbox


@cache
def has_basic_walls() -> bool:
    try:
        sandbox.Sandbox("", "nothing.py", [], sandbox.Budget()).load()
    except UnsupportedFeature:
        return False
    return True


def ask_for_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sandbox ask for its walls only where this system has them."""
    if not has_basic_walls():
        monkeypatch.setattr(sandbox, "BASIC", ())


def insist_on_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sandbox ask for its walls, whether this system has them or not."""
    monkeypatch.setattr(sandbox, "BASIC", BASIC)
