"""Every way to show the pictures of `unpuzzle.drawing`, beyond the terminal.

scenes.py        the picture, text and name of a position or a task; scenes of several, for files
svg.py           a picture as SVG: one text, sharp at every size, light and dark
animation.py     a solution as a film, and as one SVG that moves
pixels.py        PNG, GIF, APNG, WebP, with the bundled font of fonts/
paper.py         PDF; booklet.py makes one of many levels
saving.py        a picture or a solution in a file of any kind, by the ending of its name
states.py        PDDL states, in a terminal
state_graph.py   state spaces in layers
report/          the report of an experiment, as a page and as files
themes.py        the colours of roles
"""

from unpuzzle.late import homes_of, loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.rendering.saving import save
    from unpuzzle.rendering.scenes import draw, picture_of
    from unpuzzle.rendering.svg import svg_of

_HOMES = homes_of(scenes="draw picture_of", saving="save", svg="svg_of")

__all__ = ["draw", "picture_of", "save", "svg_of"]

__getattr__ = loader(__name__, _HOMES)
