"""Components run behind the walls that this system has."""

from __future__ import annotations

import pytest

from support.walls import ask_for_walls


@pytest.fixture(autouse=True)
def walls(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_for_walls(monkeypatch)
