"""Which misspellings are corrected without asking: `unpuzzle.words.corrected`."""

from __future__ import annotations

import pytest

from unpuzzle.words import corrected


@pytest.mark.parametrize(
    ("word", "known", "right"),
    [
        ("vissited", ["visited"], "visited"),
        ("visted", ["visited"], "visited"),
        ("vistied", ["visited"], "visited"),
        ("visited-ooms", ["visited-rooms"], "visited-rooms"),
        ("visoted", ["visited"], "visited"),
        ("visxted", ["visited"], None),
        ("at_robot", ["at-robot"], "at-robot"),
        ("att", ["at", "in"], "at"),
        ("unvisited", ["visited"], None),
        ("visited", ["unvisited"], None),
        ("inactive", ["active"], None),
        ("on-truck", ["in-truck"], None),
        ("on-path", ["no-path"], None),
        ("no-path", ["on-path"], None),
        ("unbox", ["inbox"], None),
        ("room3", ["room2"], None),
        ("room33", ["room3"], None),
        ("room31", ["room13"], None),
        ("pos-z", ["pos-x"], None),
        ("claer", ["clear", "clean"], None),
        ("claer", ["clear", "holding"], "clear"),
    ],
)
def test_only_what_can_be_nothing_else_is_corrected(word: str, known: list[str], right: str | None) -> None:
    assert corrected(word, known) == right
