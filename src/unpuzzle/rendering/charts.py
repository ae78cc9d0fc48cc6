"""A comparison as a picture: a bar for each algorithm, as long as the number of positions it expanded.

The scale is logarithmic: a blind search expands a thousand times as many as a good heuristic. The numbers stand beside.
"""

from __future__ import annotations

from math import log10

from unpuzzle.drawing import Ground, Rect, Text
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.rendering.themes import AUTO
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.drawing import Shape
    from unpuzzle.lab.comparing import ComparisonRow

SIZE, LETTER, LONGEST = 0.55, 0.4, 14.0
"""Of letters: height and width; the longest bar. All in lines."""


def chart_svg(rows: Sequence[ComparisonRow], theme: str = AUTO) -> str:
    """The rows of a comparison as SVG."""
    names = max([len(row.algorithm) for row in rows], default=0) * LETTER + 0.5
    most = max([row.expanded or 0 for row in rows], default=0)
    shapes: list[Shape] = []
    for line, row in enumerate(rows):
        length = LONGEST * log10(1 + (row.expanded or 0)) / log10(2 + most)
        told = _told(row)
        shapes.append(Text(0, line + 0.5, row.algorithm, SIZE, left=True))
        found = row.status in (SOLVED, SOLVED_OPTIMALLY)
        role = {"fill": "wall"} if found else {"fill": "floor", "line": "wall", "thick": 0.06}
        shapes.append(Rect(names, line + 0.2, max(length, 0.05), 0.6, **role))
        shapes.append(Text(names + length + 0.3, line + 0.5, told, SIZE, left=True))
    width = names + LONGEST + 1 + max([len(_told(row)) for row in rows], default=0) * LETTER
    ground = Ground(max(len(rows), 1), width, {}, shapes, margin=0.4)
    return picture_svg(ground, [], theme, pixels=24, label=f"a comparison of {len(rows)} searches")


def _told(row: ComparisonRow) -> str:
    expanded = "" if row.expanded is None else f"{row.expanded:,} expanded, "
    return f"{expanded}cost {row.cost:,}" if row.cost is not None else f"{expanded}{row.status.replace('_', ' ')}"
