r"""A picture of a position, described once and for every way to show it: terminal, SVG, animation, paper, a page.

A picture is a *ground*, which no move changes, and *pieces*, which moves bring, take away and move. A position says
both (the capability `Pictured`: two methods, `ground()` and `pieces()`), in a unit square per cell: x to the right, y
down, the cell in row r and column c between (c, r) and (c+1, r+1). This is one for a walker among walls:

    HERO = Look(Circle(0.5, 0.5, 0.3, fill="hero", line="ink", thick=0.06), text="@", role="hero", label="the walker")
    WALL = Look(Rect(0, 0, 1, 1, fill="wall"))

    def ground(self):                                        # kept with the level: see below
        walls = [At(r, c, "wall") for r, c in self.walls]
        return Ground(self.rows, self.columns, {"wall": WALL, "@": HERO}, walls, text="██  \n")
    def pieces(self):
        return (("@", self.row, self.column, "walker"),)

A **piece** is a tuple (look, row, column, kind). `look` names one of the ground's looks: what the piece looks like now.
`kind` says what it is, whatever it looks like: a tile that comes home gets another look and is the same kind, so an
animation slides it. Pieces of one kind are interchangeable. Rows and columns may be fractions. The order of pieces says
nothing: they are painted in the order of `ground.looks`, later looks above earlier ones. Equal positions of a level
have equal pieces (as multisets), different ones different pieces; `unpuzzle.testing.laws` holds a game to that.

A **look** is shapes in the unit square, the characters that stand for it in a terminal, and words for those who cannot
see it. The **ground** has the size in rows and columns, shapes in the coordinates of the whole board, all looks by
name, and the terminal's text without any piece. All positions of one level have equal grounds; make it once and keep it
(with the level's board, or by `functools.lru_cache`): to tell the pieces is then a matter of microseconds.

Five **primitives** make shapes: `Rect` (with round corners), `Circle`, `Path` (straight lines with round joins and
ends), `Text` (its middle at a point), `At` (a look in a cell). Paint is a **role**, never a colour: `ROLES` says what
each is for, `unpuzzle.rendering.themes` what colour it has where. What a role may lie on (`UPON`) it must be told from:
a contrast of 3, of text 4.5, in light and in dark; and nothing is told by colour alone, for print is black on white.

A sixth is for games that bring pictures of their own, such as sprites: `Pixels`, a bitmap whose colours
are literal (`#9d9d9d`). They are the maker's: equal in every theme, and no law of contrast holds for them. A ground all
of whose looks are pixels says how many make a cell (`Ground.grain`): then pixels of the picture are whole pixels of the
screen, and a terminal shows them as half blocks (`blocks`). Games without such pictures use roles.

`picture_of(position)` gives ground and pieces of any position: where a game describes none, each character of its text
is a piece. `terminal` makes text of them. All other ways to show them are in `unpuzzle.rendering`, which comes
after the puzzles: what stands before it, such as a result that a notebook shows, reaches it by `mimebundle`.
"""

from __future__ import annotations

from unpuzzle.drawing.blocks import blocks as blocks
from unpuzzle.drawing.parts import Ground as Ground
from unpuzzle.drawing.parts import Look as Look
from unpuzzle.drawing.parts import picture_of as picture_of
from unpuzzle.drawing.parts import plain as plain
from unpuzzle.drawing.shapes import ROLES as ROLES
from unpuzzle.drawing.shapes import UPON as UPON
from unpuzzle.drawing.shapes import WORDS as WORDS
from unpuzzle.drawing.shapes import At as At
from unpuzzle.drawing.shapes import Circle as Circle
from unpuzzle.drawing.shapes import Path as Path
from unpuzzle.drawing.shapes import Pixels as Pixels
from unpuzzle.drawing.shapes import Rect as Rect
from unpuzzle.drawing.shapes import Shape as Shape
from unpuzzle.drawing.shapes import Text as Text
from unpuzzle.drawing.terminal import COVER as COVER
from unpuzzle.drawing.terminal import terminal as terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from unpuzzle.drawing.parts import Piece as Piece
    from unpuzzle.drawing.shapes import Point as Point

HOOK = "unpuzzle.playing.notebooks"
"""The one module beyond the puzzles that is imported from here, when somebody looks at something in a notebook."""


def mimebundle(thing: object) -> Mapping[str, str]:
    """What a notebook shows of a position, a result, a comparison or an exploration: by media type."""
    from importlib import import_module

    bundle: Mapping[str, str] = import_module(HOOK).mimebundle(thing)
    return bundle
