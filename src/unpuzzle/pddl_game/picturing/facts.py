"""The table of facts as a drawing: a line for each predicate, a label for each fact, marks for changes by a move.

Each fact is a piece with the fact as its kind, so that in an animation facts slide to their places, appear and vanish.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unpuzzle.base.text import count, cut
from unpuzzle.drawing import Ground, Look, Piece, Rect, Shape, Text
from unpuzzle.pddl_game.table import ADDED, GONE, KEPT, MISSING, Marked

WIDTH = 26.0
"""The width of the lines, in cells; a line is one cell high."""
LETTERS, LETTER = 0.42, 0.262
"""The size and the width of a letter."""
GAP = 0.2
LONGEST = 60
MOST = 400
"""More facts than these are counted instead of shown."""
OUTLINES = {ADDED: "goal", GONE: "wall", KEPT: "grid", MISSING: "box"}
LABELS = {ADDED: "true now", GONE: "true no longer", KEPT: "", MISSING: "goal that is missing"}


def facts_picture(rows: Mapping[str, Sequence[Marked]], missing: Sequence[str] | None) -> tuple[Ground, list[Piece]]:
    """Return the drawing of facts by predicate and, unless it is None, of the missing parts of the goal."""
    lines: dict[str, list[Marked]] = {name: list(facts) for name, facts in rows.items()}
    if missing is not None:
        lines[f" {MISSING}"] = [(MISSING, part) for part in missing] or [(KEPT, "nothing: the goal holds")]
    looks: dict[str, Look] = {}
    pieces: list[Piece] = []
    indent = max([len(name) for name in lines], default=0) * LETTER + 0.6
    row, room, wide = 0.0, MOST, indent
    for name, facts in lines.items():
        looks[f"name {name}"] = Look(Text(0.2, 0.5, name.strip(), LETTERS, left=True), text=name, label=name.strip())
        pieces.append((f"name {name}", row, 0.0, f"name {name}"))
        shown = facts[: max(room, 0)]
        room -= len(shown)
        rest = [(KEPT, f"and {count(len(facts) - len(shown), 'more fact')}")] if len(shown) < len(facts) else []
        column = indent
        for mark, words in [*shown, *rest]:
            look, width = _chip(mark, cut(words, LONGEST))
            if column > indent and column + width > WIDTH:
                row, column = row + 1, indent
            looks[f"{mark}{name} {words}"] = look
            pieces.append((f"{mark}{name} {words}", row, round(column, 3), f"{name} {words}"))
            column += width + GAP
            wide = max(wide, column)
        row += 1
    return Ground(max(row, 1.0), wide, looks, margin=0.3), pieces


def _chip(mark: str, words: str) -> tuple[Look, float]:
    text = f"{mark} {words}" if mark in (ADDED, GONE) else words
    width = round(len(text) * LETTER + 0.5, 3)
    thick = 0.03 if mark == KEPT else 0.07
    shapes: list[Shape] = [
        Rect(0, 0.1, width, 0.8, 0.2, fill="floor", line=OUTLINES[mark], thick=thick),
        Text(width / 2, 0.5, text, LETTERS),
    ]
    return Look(*shapes, text=text, role=OUTLINES[mark], label=f"{words} {LABELS[mark]}".strip()), width
