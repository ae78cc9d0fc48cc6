"""A comparison as a picture: a bar for each algorithm, which shows how many positions it expanded.

The scale is logarithmic: a blind search expands a thousand times as many as a good heuristic. The numbers stand beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from unpuzzle.drawing import Ground, Rect, Shape, Text
from unpuzzle.lab.comparing import ComparisonRow
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.rendering.themes import AUTO
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY

SIZE, LETTER, LONGEST = 0.55, 0.4, 14.0
"""The height and the width of letters, and the length of the longest bar, in lines."""


def chart_svg(rows: Sequence[ComparisonRow], *, theme: str = AUTO) -> str:
    """Return the rows of a comparison as SVG."""
    names = max([len(row.algorithm) for row in rows], default=0) * LETTER + 0.5
    most = max([row.expanded or 0 for row in rows], default=0)
    shapes: list[Shape] = []
    for line, row in enumerate(rows):
        length = LONGEST * log10(1 + (row.expanded or 0)) / log10(2 + most)
        shapes.append(Text(0, line + 0.5, row.algorithm, SIZE, left=True))
        solved = row.status in (SOLVED, SOLVED_OPTIMALLY)
        fill, line_role, thick = ("wall", "", 0.05) if solved else ("floor", "wall", 0.06)
        shapes.append(Rect(names, line + 0.2, max(length, 0.05), 0.6, fill=fill, line=line_role, thick=thick))
        shapes.append(Text(names + length + 0.3, line + 0.5, _figures(row), SIZE, left=True))
    width = names + LONGEST + 1 + max([len(_figures(row)) for row in rows], default=0) * LETTER
    ground = Ground(max(len(rows), 1), width, {}, shapes, margin=0.4)
    return picture_svg(ground, [], theme=theme, pixels=24, label=f"a comparison of {len(rows)} searches")


def _figures(row: ComparisonRow) -> str:
    """Return what stands beside a bar."""
    expanded = "" if row.expanded is None else f"{row.expanded:,} expanded, "
    return f"{expanded}cost {row.cost:,}" if row.cost is not None else f"{expanded}{row.status.replace('_', ' ')}"
