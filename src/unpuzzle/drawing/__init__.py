r"""Pictures of positions, for the terminal, SVG files, animations, printed pages and web pages.

A picture is a *ground*, which no move changes, and *pieces*, which moves add, remove and shift. A position that
inherits `Pictured` has two methods, `ground()` and `pieces()`, which describe it in a unit square per cell: x to the
right, y down, the cell in row r and column c between (c, r) and (c+1, r+1). This draws a walker among walls:

    HERO = Look(Circle(0.5, 0.5, 0.3, fill="hero", line="ink", thick=0.06), text="@", role="hero", label="the walker")
    WALL = Look(Rect(0, 0, 1, 1, fill="wall"))

    def ground(self):                                        # kept with the level: see below
        walls = [At(r, c, "wall") for r, c in self.walls]
        return Ground(self.rows, self.columns, {"wall": WALL, "@": HERO}, walls, text="██  \n")
    def pieces(self):
        return (("@", self.row, self.column, "walker"),)

A **piece** is a tuple (look, row, column, kind). `look` names one of the ground's looks: the present look of the piece.
`kind` identifies the thing: a tile that comes home gets another look but keeps its kind, so an animation slides it.
Pieces of one kind are interchangeable. Rows and columns may be fractions. The order of pieces means nothing: they
are painted in the order of `ground.looks`, later looks above earlier ones. Equal positions of a level have equal pieces
(as multisets), different positions different ones; `unpuzzle.testing.laws` checks that.

A **look** has shapes in the unit square, characters for a terminal, and words for people who cannot see it. The
**ground** has the size in rows and columns, shapes in the coordinates of the whole board, all looks by
name, and the terminal's text without any piece. All positions of one level have equal grounds; make it once and keep it
(with the level's board, or by `functools.lru_cache`): then a position describes its pieces in microseconds.

There are five **shapes**: `Rect` (with round corners), `Circle`, `Path` (straight lines with round joins and ends),
`Text` (its middle at a point), `At` (a look in a cell). Paint is a **role**, never a colour: `ROLES` describes the use
of each role, `unpuzzle.rendering.themes` its colour in each theme. A role needs enough contrast with the roles that it
may be on (`UPON`): 3, for text 4.5, in light and in dark; and no difference is shown by colour alone, since print is
black on white.

`Pixels` is a sixth shape, for games that bring sprites: a bitmap in literal colours (`#9d9d9d`), the same in every
theme, without a law of contrast. A ground with only bitmaps as looks gives the number of pixels of a cell
(`Ground.grain`): then they are whole pixels of the screen, and half blocks in a terminal (`blocks`).

picture.py     roles, shapes, looks, the ground; `terminal` turns a ground and pieces into text
panels.py      several pictures side by side in one
covering.py    the points that shapes cover

All other ways to show them are in `unpuzzle.rendering`.
"""

from __future__ import annotations

from unpuzzle.drawing.picture import (
    COVER,
    ROLES,
    UPON,
    WORDS,
    At,
    Circle,
    Ground,
    Look,
    Painted,
    Path,
    Piece,
    Pixels,
    Point,
    Rect,
    Shape,
    Text,
    blocks,
    plain,
    terminal,
)

__all__ = ["COVER", "ROLES", "UPON", "WORDS", "At", "Circle", "Ground", "Look", "Painted", "Path", "Piece", "Pixels"]
__all__ += ["Point", "Rect", "Shape", "Text", "blocks", "plain", "terminal"]
