"""What notebooks show: text, SVG, and of a solved level a small player.

Jupyter, VS Code and sites that are made of notebooks ask an object for `_repr_mimebundle_`, and show the form that they
like best. All names in a picture are its own (see `unpuzzle.rendering.svg`), so that cells do not disturb each other; a
player is in a frame that may run its script and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.lab.comparing import Comparison
from unpuzzle.lab.tables import comparison_table
from unpuzzle.playing.page import small_page
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.rendering.animation import animated_svg
from unpuzzle.rendering.charts import chart_svg
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.state_graph import space_svg
from unpuzzle.rendering.svg import escaped, svg_of
from unpuzzle.result import Result
from unpuzzle.spaces.exploration import Exploration

TEXT, SVG, HTML = "text/plain", "image/svg+xml", "text/html"
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 640
"""The height of a player, in pixels."""


def mimebundle(value: object) -> Mapping[str, str]:
    """Return what a notebook may show of a position, a result, a comparison or an exploration, by media type."""
    if isinstance(value, Position):
        return {TEXT: value.draw(), SVG: svg_of(value)}
    if isinstance(value, Exploration):
        return {TEXT: repr(value), SVG: space_svg(value)}
    if isinstance(value, Comparison):
        return {TEXT: comparison_table(value), SVG: chart_svg(value)}
    if isinstance(value, Result):
        return _of_result(value)
    return {TEXT: repr(value)}


def _of_result(result: Result) -> Mapping[str, str]:
    """Return a solution that moves; other answers as words."""
    start = result.start
    if start is None or result.moves is None:
        return {TEXT: f"{result!r}: {result.message}" if result.message else repr(result)}
    scene = Scene.of(start, result.moves)
    words = f"{result!r}\n{joined_moves(start.game, result.moves)}"
    # The player is a document inside of a frame: it runs its own script and reaches nothing else.
    quoted = small_page(scene).replace("&", "&amp;").replace('"', "&quot;")
    player = FRAME.format(title=escaped(start.game.title), page=quoted, height=HEIGHT)
    return {TEXT: words, SVG: animated_svg(scene), HTML: player}
