"""What notebooks show: text, SVG, and of a solved level a small player; comparisons as bars.

Jupyter, VS Code and sites that are made of notebooks ask an object for `_repr_mimebundle_`, and show the form that they
like best. All names in a picture are its own (see `unpuzzle.rendering.svg`), so that cells do not disturb each other; a
player is in a frame that may run its script and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

from unpuzzle.drawing import Ground, Rect, Shape, Text
from unpuzzle.lab.comparing import Comparison, ComparisonRow
from unpuzzle.lab.tables import comparison_table
from unpuzzle.playing.page import page_of_scene
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.rendering.animation import animated_svg
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.state_graph import space_svg
from unpuzzle.rendering.svg import escaped, picture_svg, svg_of
from unpuzzle.rendering.themes import AUTO
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY, Result
from unpuzzle.spaces.exploration import Exploration

TEXT, SVG, HTML = "text/plain", "image/svg+xml", "text/html"
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 640
"""The height of a player, in pixels."""
SIZE, LETTER, LONGEST = 0.55, 0.4, 14.0
"""The height and the width of letters in a chart, and the length of its longest bar, in lines."""


def mimebundle(value: object) -> Mapping[str, str]:
    """Return what a notebook may show of a position, a result, a comparison or an exploration, by media type."""
    if isinstance(value, Position):
        return {TEXT: value.draw(), SVG: svg_of(value)}
    if isinstance(value, Exploration):
        return {TEXT: repr(value), SVG: space_svg(value)}
    if isinstance(value, Comparison):
        return {TEXT: comparison_table(value), SVG: chart_svg(value)}
    if not isinstance(value, Result):
        return {TEXT: repr(value)}
    start = value.start
    if start is None or value.moves is None:
        return {TEXT: f"{value!r}: {value.message}" if value.message else repr(value)}
    scene = Scene.of(start, value.moves)
    words = f"{value!r}\n{joined_moves(start.game, value.moves)}"
    # The player is a document inside of a frame: it runs its own script and reaches nothing else.
    quoted = page_of_scene(scene, small=True).replace("&", "&amp;").replace('"', "&quot;")
    player = FRAME.format(title=escaped(start.game.title), page=quoted, height=HEIGHT)
    return {TEXT: words, SVG: animated_svg(scene), HTML: player}


def chart_svg(rows: Sequence[ComparisonRow], *, theme: str = AUTO) -> str:
    """Return a comparison as SVG: a bar for each algorithm, which shows how many positions it expanded.

    The scale is logarithmic: a blind search expands a thousand times as many as a good heuristic.
    """
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
    expanded = "" if row.expanded is None else f"{row.expanded:,} expanded, "
    return f"{expanded}cost {row.cost:,}" if row.cost is not None else f"{expanded}{row.status.replace('_', ' ')}"
