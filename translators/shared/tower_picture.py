"""Towers of objects (discs on pegs, blocks on a table) as text and as pictures.

In a text, a tower is a line, bottom first, after a label such as `A:` if it has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from unpuzzle.drawing import Circle, Ground, Look, Path, Piece, Rect, Shape, Text

Towers = Iterable[Iterable[object]]


def write_towers(towers: Towers, labels: Sequence[str] = ()) -> str:
    starts = [f"{label}:" for label in labels]
    lines = [[*starts[number : number + 1], *map(str, tower)] for number, tower in enumerate(towers)]
    return "".join([" ".join(line) + "\n" for line in lines])


def draw_towers(towers: Towers) -> str:
    """Return a picture, as text, of towers side by side on a common base line."""
    columns = [[str(thing) for thing in tower] for tower in towers]
    widths = [max(map(len, column), default=1) for column in columns]
    height = max(map(len, columns), default=0)
    levels = zip(*[[*column, *[""] * (height - len(column))] for column in columns], strict=True)
    rows = ["  ".join(map(str.center, level, widths)) for level in levels][::-1]
    return "\n".join([row.rstrip() for row in rows] + ["─" * (sum(widths) + 2 * max(0, len(widths) - 1))])


Numbers = tuple[tuple[int, ...], ...]
Blocks = tuple[tuple[str, ...], ...]

DISC = 0.5
"""The height of a disc, in cells; the widest disc is `WIDEST` wide, which is also the distance of pegs."""
WIDEST = 2.6


@lru_cache(maxsize=16)
def pegs(goal: Numbers, labels: str) -> Ground:
    """Return the background picture: the pegs with their labels; the goal pegs of discs are marked."""
    discs = len(sum(goal, ()))
    rows, columns = (discs + 2) * DISC, len(goal) * WIDEST
    table = rows - 0.5 * DISC
    shapes: list[Shape] = [Rect(0, 0, columns, rows + 0.6, 0.1, fill="floor")]
    pairs = list(zip(labels, goal, strict=False))
    for number, (label, tower) in enumerate(pairs):
        middle = (number + 0.5) * WIDEST
        shapes += [
            Path([(middle, 0.6 * DISC), (middle, table)], line="wall", thick=0.12),
            Path([(middle - WIDEST * 0.45, table), (middle + WIDEST * 0.45, table)], line="wall", thick=0.12),
            Text(middle, rows + 0.28, label, 0.4, fill="ink"),
        ]
        shapes += [Rect(middle - 0.27, rows + 0.03, 0.54, 0.5, 0.12, line="goal", thick=0.05)] if tower else []
    looks = {}
    for disc in range(1, discs + 1):
        looks[str(disc)] = _disc(disc, discs, "tile", f"disc {disc}")
        looks[f"{disc}!"] = _disc(disc, discs, "home", f"disc {disc}, in its goal place")
    aims = [f"disc {' and disc '.join(map(str, tower))} on peg {label}" for label, tower in pairs if tower]
    return Ground(rows + 0.6, columns, looks, shapes, aims=aims)


def discs_on(towers: Numbers, goal: Numbers) -> list[Piece]:
    """Return the pieces of the picture: the discs of each peg, from the bottom up."""
    bottom = len(sum(goal, ())) * DISC
    pieces: list[Piece] = []
    for peg, (tower, own) in enumerate(zip(towers, goal, strict=True)):
        for height, disc in enumerate(tower):
            look = f"{disc}!" if disc in own else str(disc)
            pieces.append((look, bottom - (height - 0.5) * DISC - 0.5, (peg + 0.5) * WIDEST - 0.5, str(disc)))
    return pieces


def _disc(disc: int, discs: int, role: str, label: str) -> Look:
    """Return the drawing of a disc: a bar with its number, wider than its cell."""
    width = 0.5 + (WIDEST * 0.88 - 0.5) * disc / discs
    bar = Rect(0.5 - width / 2, 0.5 - DISC * 0.43, width, DISC * 0.86, DISC * 0.3, fill=role, line="edge", thick=0.03)
    shapes: list[Shape] = [bar, Text(0.5, 0.5, str(disc), 0.3, fill="label")]
    if role == "home":
        shapes += [Circle(0.5 + x * (width / 2 - 0.12), 0.5, 0.03, fill="label") for x in (-1, 1)]
    return Look(*shapes, role=role, label=label)


UP = 0.4
"""Room for the hand above the block in it."""


@lru_cache(maxsize=16)
def table(blocks: tuple[str, ...], goal: Blocks) -> Ground:
    """Return the background picture: the table, the place of the hand and, to the right, the towers to build."""
    rows, columns = len(blocks) + 1 + UP, len(blocks)
    looks = {name: look for block in blocks for name, look in _block(block).items()}
    small = 0.6
    right = columns + 0.5
    wide = max(right + small * (len(goal) + 0.6), right + 1.4)
    shapes: list[Shape] = [
        Rect(0, 0, wide, rows + 0.3, 0.1, fill="floor"),
        Path([(0.1, rows + 0.06), (columns - 0.1, rows + 0.06)], line="wall", thick=0.12),
        Path([(columns + 0.25, 0.3), (columns + 0.25, rows)], line="grid", thick=0.03),
        Text((right + wide) / 2 - 0.1, rows - max(map(len, goal), default=0) * small - 0.35, "goal", 0.36, fill="ink"),
        Path([(right, rows + 0.04), (wide - 0.2, rows + 0.04)], line="goal", thick=0.08),
    ]
    for number, tower in enumerate(goal):
        for height, block in enumerate(tower):
            x, y = right + 0.1 + number * small, rows - (height + 1) * small
            shapes += [
                Rect(x + 0.03, y + 0.03, small - 0.06, small - 0.06, 0.06, fill="floor", line="goal", thick=0.04),
                Text(x + small / 2, y + small / 2, block, _size(block) * small, fill="ink"),
            ]
    aims = [f"{' on '.join([*map('block {}'.format, reversed(tower)), 'the table'])}" for tower in goal]
    return Ground(rows + 0.3, wide, looks, shapes, aims=aims)


def blocks_on(towers: Blocks, hand: str, blocks: tuple[str, ...]) -> list[Piece]:
    """Return the pieces of the picture: each tower stands at the alphabetical place of its lowest block."""
    place = blocks.index
    pieces: list[Piece] = [
        (block, len(blocks) - height + UP, place(tower[0]), block)
        for tower in towers
        for height, block in enumerate(tower)
    ]
    return [*pieces, (f"{hand}!", UP, place(hand), hand)] if hand else pieces


def _block(block: str) -> dict[str, Look]:
    body = Rect(0.05, 0.05, 0.9, 0.9, 0.08, fill="tile", line="edge", thick=0.03)
    name = Text(0.5, 0.5, block, _size(block), fill="label")
    fingers = Path(
        [(0.0, 0.35), (0.0, 0.0), (1.0, 0.0), (1.0, 0.35)], [(0.5, 0.0), (0.5, -0.4)], line="ink", thick=0.06
    )
    return {
        block: Look(body, name, role="tile", label=f"block {block}"),
        f"{block}!": Look(body, name, fingers, role="tile", label=f"block {block}, in the hand"),
    }


def _size(words: str) -> float:
    return min(0.5, 1.2 / len(words))
