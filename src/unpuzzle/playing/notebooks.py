"""Representations of objects in notebooks: text, SVG, a player for a solved level, charts, reports, and HTML of PDDL.

Jupyter, VS Code and sites made of notebooks call `_repr_mimebundle_` on an object, and show the form that they prefer.
All names in a picture are its own (see `unpuzzle.rendering.svg`), so that cells do not disturb each other; a player is
in a frame that may run only its script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log10

from unpuzzle.base.extras import missing
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY
from unpuzzle.drawing import Ground, Path, Rect, Shape, Text
from unpuzzle.lab.comparing import Comparison, ComparisonRow
from unpuzzle.lab.reporting import ExperimentReport
from unpuzzle.lab.runs import Runs
from unpuzzle.lab.tables import comparison_table, run_rows, runs_table
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.planning.result import Result
from unpuzzle.playing.notebook_html import html_of
from unpuzzle.playing.page.facts import has_board
from unpuzzle.playing.page.making import page_of_scene
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.rendering.animation import animated_svg
from unpuzzle.rendering.report.page import report_html
from unpuzzle.rendering.report.tables import report_text
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.state_graph import space_svg
from unpuzzle.rendering.svg import escaped, picture_svg, svg_of
from unpuzzle.rendering.themes import AUTO
from unpuzzle.spaces.exploration import Exploration

TEXT, SVG, HTML = "text/plain", "image/svg+xml", "text/html"
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 640
"""The height of a player, in pixels."""
SIZE, LETTER, LONGEST = 0.55, 0.4, 14.0
"""The height and the width of letters in a chart, and the length of its longest bar, in lines."""
SPREAD = 40
"""The largest ratio of numbers in a chart with a linear scale."""


def mimebundle(value: object) -> Mapping[str, str]:
    """Return the notebook representations of a position, a result, a comparison or an exploration, by media type."""
    if isinstance(value, PddlPosition) and not has_board(value):
        return {TEXT: value.draw(), HTML: html_of(value)}
    if isinstance(value, Position):
        return {TEXT: value.draw(), SVG: svg_of(value)}
    if isinstance(value, Exploration):
        return {TEXT: repr(value), SVG: space_svg(value)}
    if isinstance(value, ExperimentReport):
        page = {} if missing("plots", "plots need", "matplotlib") else {HTML: report_html(value)}
        return {TEXT: report_text(value), **page}
    if isinstance(value, Comparison):
        return {TEXT: comparison_table(value), SVG: chart_svg(value)}
    if isinstance(value, Runs):
        return {TEXT: runs_table(value), HTML: table_html(*run_rows(value))}
    if not isinstance(value, Result):
        return {TEXT: repr(value)}
    start = value.start
    if start is None or value.moves is None:
        return {TEXT: f"{value!r}: {value.message}" if value.message else repr(value), HTML: html_of(value)}
    scene = Scene.of(start, value.moves)
    words = f"{value!r}\n{joined_moves(start.game, value.moves)}"
    # The player is a document in a frame: it runs its own script and cannot access anything else.
    quoted = page_of_scene(scene, small=True).replace("&", "&amp;").replace('"', "&quot;")
    player = FRAME.format(title=escaped(start.game.title), page=quoted, height=HEIGHT)
    picture = {SVG: animated_svg(scene)} if has_board(start) else {}
    return {TEXT: words, **picture, HTML: player}


def table_html(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join([f"<th>{escaped(name)}</th>" for name in names])
    lines = ["".join([f"<td>{escaped(cell)}</td>" for cell in row]) for row in rows]
    body = "".join([f"<tr>{line}</tr>" for line in lines])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def chart_svg(rows: Sequence[ComparisonRow], *, theme: str = AUTO) -> str:
    """Return a comparison as an SVG bar chart: for each algorithm, the number of positions that it expanded.

    Bars are proportional to the numbers. If these differ so much that small ones would be invisible, since a blind
    search may expand a thousand times as many as one with a good heuristic, the scale is logarithmic: the picture says
    so, and has a line for each power of ten.
    """
    names = max([len(row.algorithm) for row in rows], default=0) * LETTER + 0.5
    numbers = [row.expanded or 0 for row in rows]
    logarithmic = max(numbers, default=0) > SPREAD * max(1, min(numbers, default=0))
    most = max(numbers, default=0)
    scale = _logarithmic(most) if logarithmic else lambda number: LONGEST * number / max(most, 1)
    title = f"expanded states, {'logarithmic' if logarithmic else 'linear'} scale"
    shapes: list[Shape] = [Text(0, 0.5, title, SIZE, left=True)]
    if logarithmic:
        shapes += _powers(names, scale, most, len(rows))
    for line, (row, number) in enumerate(zip(rows, numbers, strict=True), 2 if logarithmic else 1):
        length = scale(number)
        shapes.append(Text(0, line + 0.5, row.algorithm, SIZE, left=True))
        solved = row.status in (SOLVED, SOLVED_OPTIMALLY)
        fill, line_role, thick = ("wall", "", 0.05) if solved else ("floor", "wall", 0.06)
        shapes.append(Rect(names, line + 0.2, max(length, 0.05), 0.6, fill=fill, line=line_role, thick=thick))
        shapes.append(Text(names + length + 0.3, line + 0.5, _figures(row), SIZE, left=True))
    width = names + LONGEST + 1 + max([len(_figures(row)) for row in rows], default=0) * LETTER
    lines = len(rows) + (2 if logarithmic else 1)
    ground = Ground(lines, max(width, len(title) * LETTER), {}, shapes, margin=0.4)
    return picture_svg(ground, [], theme=theme, pixels=24, label=f"searches compared: {len(rows)}; {title}")


def _logarithmic(most: int) -> Callable[[int], float]:
    return lambda number: LONGEST * log10(1 + number) / log10(1 + most)


def _powers(left: float, scale: Callable[[int], float], most: int, rows: int) -> list[Shape]:
    """Return the shapes of a logarithmic grid: a thin line for each power of ten, with the number above."""
    shapes: list[Shape] = []
    power = 1
    while power <= most:
        x = left + scale(power)
        shapes += [Text(x, 1.5, f"{power:,}", 0.8 * SIZE), Path([(x, 2), (x, 2 + rows)], line="grid", thick=0.04)]
        power *= 10 ** (1 + (most >= 10**7))
    return shapes


def _figures(row: ComparisonRow) -> str:
    expanded = "" if row.expanded is None else f"{row.expanded:,} expanded, "
    return f"{expanded}cost {row.cost:,}" if row.cost is not None else f"{expanded}{row.status.replace('_', ' ')}"
