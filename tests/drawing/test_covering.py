"""Which cells a look covers."""

from __future__ import annotations

import pytest

from unpuzzle.drawing import At, Circle, Look, Path, Pixels, Rect, Text
from unpuzzle.drawing.covering import covered

CAR = Look(Rect(0.06, 0.1, 1.88, 0.8, fill="box"))


@pytest.mark.parametrize(
    ("look", "cells"),
    [
        (Look(), [(0, 0)]),
        (Look(Text(0.5, 0.5, "words", 0.5)), [(0, 0)]),
        (Look(Path()), [(0, 0)]),
        (CAR, [(0, 0), (0, 1)]),
        (Look(Rect(0.1, -0.9, 0.8, 1.8)), [(-1, 0), (0, 0)]),
        (Look(Rect(0.1, 0.1, 0.8, 0.8), Path([(0.5, 0.5), (0.5, -0.4)])), [(0, 0)]),
        (Look(Circle(1, 1, 0.9)), [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (Look(Circle(1, 1, 0.5)), [(0, 0)]),
        (Look(Path([(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (0, 2)], closed=True)), [(0, 0), (1, 0), (1, 1)]),
        (Look(Path([(0.2, 0.2), (0.2, 1.8), (1.8, 1.8)])), [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (Look(Pixels([["#ffffff"]], width=3)), [(0, 0), (0, 1), (0, 2)]),
        (Look(At(1, 0, "car")), [(1, 0), (1, 1)]),
    ],
)
def test_covered_cells(look: Look, cells: list[tuple[int, int]]) -> None:
    assert covered(look, {"car": CAR}) == cells
