"""What notebooks show: text, SVG, and of a solved level a small player.

Jupyter, VS Code and sites that are made of notebooks ask an object for `_repr_mimebundle_`, and show what they like
best of what they get. All names in a picture are its own (see svg.py), so that cells do not disturb each other; a
player is in a frame that may run its script and nothing else.
"""

from __future__ import annotations

from unpuzzle.lab.comparing import Comparison
from unpuzzle.lab.tables import comparison_table
from unpuzzle.playing.page import film
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.rendering.animation import animated
from unpuzzle.rendering.charts import chart_svg
from unpuzzle.rendering.saving import Scene
from unpuzzle.rendering.state_graph import space_svg
from unpuzzle.rendering.svg import escaped, svg_of
from unpuzzle.result import Result
from unpuzzle.spaces.exploration import Exploration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT, SVG, HTML = "text/plain", "image/svg+xml", "text/html"
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 640
"""Of a player, in pixels."""


def mimebundle(thing: object) -> Mapping[str, str]:
    """What a notebook may show of a position, a result, a comparison or an exploration: by media type."""
    if isinstance(thing, Position):
        return {TEXT: thing.draw(), SVG: svg_of(thing)}
    if isinstance(thing, Exploration):
        return {TEXT: repr(thing), SVG: space_svg(thing)}
    if isinstance(thing, Comparison):
        return {TEXT: comparison_table(thing), SVG: chart_svg(thing)}
    if isinstance(thing, Result):
        return _result(thing)
    return {TEXT: repr(thing)}


def _result(result: Result) -> Mapping[str, str]:
    """A solution, moving; of other answers the words."""
    start = result.start
    if start is None or result.moves is None:
        return {TEXT: f"{result!r}: {result.message}" if result.message else repr(result)}
    scene = Scene(start, result.moves)
    words = f"{result!r}\n{joined_moves(start.game, result.moves)}"
    return {TEXT: words, SVG: animated(scene), HTML: _framed(scene)}


def _framed(scene: Scene) -> str:
    """The player as a document inside of a frame: it runs its own script and reaches nothing else."""
    title = escaped(scene.positions[0].game.title)
    quoted = film(scene).replace("&", "&amp;").replace('"', "&quot;")
    return FRAME.format(title=title, page=quoted, height=HEIGHT)
