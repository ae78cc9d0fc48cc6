"""The picture of a state without picture lines: a table of the facts by predicate, as text or drawing.

clear      b | c
handempty  yes
on         a b
missing    (on b a)

After a move it marks the changes: `+` before facts that became true, `-` before facts that became false. In a drawing
each fact is a piece with the fact as its kind, so that in an animation facts slide to their places, appear and vanish.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from unpuzzle.base.text import count, cut
from unpuzzle.drawing import Ground, Look, Piece, Rect, Text
from unpuzzle.pddl.nodes import Atom

WIDTH = 100
"""The line width; longer lines are broken between two facts."""
MISSING = "missing"
ADDED, GONE, KEPT = "+", "-", ""
ANSI = {ADDED: 32, GONE: 31}
"""The colour of each mark, one of the sixteen of a terminal."""
CELLS = 26.0
"""The width of the lines of a drawing, in cells; a line is one cell high."""
LETTERS, LETTER = 0.42, 0.262
"""The size and the width of a letter."""
GAP, LONGEST = 0.2, 60
MOST = 400
"""The most facts that are drawn; further ones are only counted."""
OUTLINES = {ADDED: "goal", GONE: "wall", KEPT: "grid", MISSING: "box"}
LABELS = {ADDED: "true now", GONE: "true no longer", KEPT: "", MISSING: "goal that is missing"}

Marked = tuple[str, str]
"""A mark and the arguments of a fact, `yes` without any."""


def marked_facts(atoms: Collection[Atom], before: Collection[Atom] | None = None) -> dict[str, list[Marked]]:
    """Return the facts by predicate; given an earlier state, with marks for added and deleted facts."""
    marks = {atom: KEPT if before is None or atom in before else ADDED for atom in atoms}
    marks |= {atom: GONE for atom in before or () if atom not in marks}
    rows: dict[str, list[Marked]] = {}
    for atom in sorted(marks, key=str):
        rows.setdefault(atom.predicate, []).append((marks[atom], " ".join(atom.arguments) or "yes"))
    return rows


def facts_table(
    atoms: Collection[Atom], missing: Iterable[str], before: Collection[Atom] | None = None, colours: bool = False
) -> str:
    """Return a table of facts: lines for each predicate that has facts, then the goals that do not hold.

    `before` has the facts of the state before a move; `colours` adds escape sequences to the changes.
    """
    rows = marked_facts(atoms, before)
    lacks = [(KEPT, part) for part in missing] or [(KEPT, "nothing: the goal holds")]
    width = max([len(name) for name in [*rows, MISSING]])
    lines = [line for name, facts in rows.items() for line in _broken(name.ljust(width), facts, " | ", colours)]
    return "\n".join([*lines, *_broken(MISSING.ljust(width), lacks, " ", colours)])


def _broken(name: str, facts: list[Marked], separator: str, colours: bool) -> Iterable[str]:
    """Yield the lines about a predicate; a line has at most `WIDTH` characters unless a single fact is longer."""
    line, length = name + "  ", len(name) + 2
    for number, (mark, words) in enumerate(facts):
        fact = mark + words
        if number and length + len(separator) + len(fact) > WIDTH:
            yield line
            line, length = " " * (len(name) + 2), len(name) + 2
        elif number:
            line, length = line + separator, length + len(separator)
        line += f"\033[{ANSI[mark]}m{fact}\033[0m" if colours and mark else fact
        length += len(fact)
    yield line


def facts_picture(rows: Mapping[str, Sequence[Marked]], missing: Sequence[str] | None) -> tuple[Ground, list[Piece]]:
    """Return a drawing of the facts by predicate and, unless `missing` is None, of the goals that do not hold."""
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
            if column > indent and column + width > CELLS:
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
    box = Rect(0, 0.1, width, 0.8, 0.2, fill="floor", line=OUTLINES[mark], thick=0.03 if mark == KEPT else 0.07)
    label = f"{words} {LABELS[mark]}".strip()
    return Look(box, Text(width / 2, 0.5, text, LETTERS), text=text, role=OUTLINES[mark], label=label), width
