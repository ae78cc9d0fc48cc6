"""Every way to show what `unpuzzle.drawing` describes, beyond the terminal.

subjects.py      the picture, the text and the name of a position or a task
svg.py           a picture as SVG: one text, sharp at every size, light and dark
scenes.py        what a file shows: a position and moves, a theme, a size
film.py          which piece of a position is which one of the next
animation.py     a solution as one SVG that moves
pixels.py        PNG, GIF, APNG, WebP, with the bundled font of fonts/
paper.py         PDF; booklet.py makes one of many levels
saving.py        a picture or a solution in a file of any kind, by the end of its name
states.py        PDDL states, in a terminal
state_graph.py   state spaces in layers
charts.py        comparisons as bars
themes.py        the colours of roles
letters.py       the paint below letters, for the law that they can be read
"""

from unpuzzle.rendering.saving import save
from unpuzzle.rendering.scenes import draw, picture_of
from unpuzzle.rendering.svg import svg_of

__all__ = ["draw", "picture_of", "save", "svg_of"]
