"""Pictures of grid puzzles and of towers (discs on pegs, blocks on a table).

The drawing of a symbol of a grid follows from its text in a terminal.

A puzzle gets its picture for free. It may also define `below`, the static symbols and the symbols below others; and
`drawn`, its own shapes by symbol, in a file imported only for pictures.

As text, a tower is a line, bottom first, after a label such as `A:` if it has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from unpuzzle.drawing import At, Circle, Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.translators.shared.cells import groups

Shapes = tuple[Shape, ...]
Kind = Any
"""A class derived from `GridPuzzle`, with the looks of its symbols."""

WALL: Shapes = (Rect(0.02, 0.02, 0.96, 0.96, 0.05, fill="wall"),)
BOX: Shapes = (
    Rect(0.12, 0.12, 0.76, 0.76, 0.08, fill="box"),
    Path([(0.27, 0.27), (0.73, 0.73)], [(0.73, 0.27), (0.27, 0.73)], line="floor", thick=0.07),
)
BOX_AT_HOME: Shapes = (
    Rect(0.12, 0.12, 0.76, 0.76, 0.08, fill="goal"),
    Path([(0.3, 0.52), (0.44, 0.67), (0.71, 0.35)], line="floor", thick=0.09),
)
HERO: Shapes = (
    Circle(0.5, 0.5, 0.33, fill="hero", line="ink", thick=0.05),
    Circle(0.39, 0.43, 0.055, fill="face"),
    Circle(0.61, 0.43, 0.055, fill="face"),
    Path([(0.38, 0.62), (0.5, 0.68), (0.62, 0.62)], line="face", thick=0.05),
)
GOAL: Shapes = (Rect(0.07, 0.07, 0.86, 0.86, 0.12, line="goal", thick=0.05), Circle(0.5, 0.5, 0.08, fill="goal"))

GAP = " "
"""The sign, in the look's name of a piece of several cells, of a cell outside of the piece."""
LETTERS_ON = {"tile": "label", "home": "label", "hero": "face"}
"""By the role of a piece, the role of letters that are readable on it in every theme."""
SHAPES: Mapping[str, Shapes] = {
    **dict.fromkeys(("#", "█", "██", "▓▓", "▒▒"), WALL),
    **dict.fromkeys(("$", "□", "[]"), BOX),
    "■": BOX_AT_HOME,
    **dict.fromkeys(("·", "◦", "×"), GOAL),
    "@": HERO,
    ".": (Circle(0.5, 0.5, 0.05, fill="grid"),),
    "●": (Circle(0.5, 0.5, 0.36, fill="hero", line="ink", thick=0.04),),
    "○": (Circle(0.5, 0.5, 0.36, line="grid", thick=0.05),),
}
"""By the text of a symbol in a terminal; others are shown as text."""
Towers = Iterable[Iterable[object]]
Numbers = tuple[tuple[int, ...], ...]
Blocks = tuple[tuple[str, ...], ...]

DISC = 0.5
"""The height of a disc, in cells; the widest disc is `WIDEST` wide, which is also the distance of pegs."""
WIDEST = 2.6
UP = 0.4
"""Room for the hand above the block in it."""


def shapes_of(text: str) -> Shapes:
    if not text.strip():
        return ()
    return SHAPES.get(text) or (Text(0.5, 0.5, text, 0.7 / max(1, len(text) - 0.4)),)


@lru_cache(maxsize=64)
def ground(game: Kind, cells: str, columns: int, joined: Sequence[str] = ()) -> Ground:
    """Return the fixed part of a grid puzzle's picture; `joined` are the names of pieces of several cells."""
    rows = len(cells) // columns
    texts = [game.looks.get(symbol, symbol) for symbol in cells]
    step = max(2, *map(len, game.looks.values()), 2)
    lines = ["".join([text.ljust(step) for text in texts[i : i + columns]]) for i in range(0, len(texts), columns)]
    symbols = [symbol for symbol in (*dict.fromkeys(cells), *kinds(game)) if symbol not in game.joined]
    looks = {symbol: look(game, symbol) for symbol in symbols}
    looks.update({name: joined_look(game, name, step) for name in joined})
    fixed = [At(*divmod(cell, columns), symbol) for cell, symbol in enumerate(cells) if looks[symbol].shapes]
    return Ground(rows, columns, looks, [*_floor(game, cells, columns), *fixed], "\n".join(lines), (1, step))


@lru_cache(maxsize=64)
def below(game: Kind) -> Mapping[int, str]:
    """Return a table for `str.translate` that replaces each symbol by the symbol of what lies below, such as floor."""
    if game.below:
        fixed = {symbol: symbol for symbol in (*game.solid, *game.below.values())}
        return str.maketrans({**fixed, **game.below})
    floor = next((symbol for symbol, what in game.symbols.items() if what in ("floor", "empty", "an empty cell")), " ")
    itself = {*game.solid, *game.filler, floor}
    return str.maketrans({symbol: symbol if symbol in itself else floor for symbol in {*game.symbols, *game.filler}})


@lru_cache(maxsize=64)
def kinds(game: Kind) -> Mapping[str, str]:
    """Map each symbol to the kind of its piece, such as `a box` for the symbol of `a box on a goal`."""
    under = below(game)
    return {symbol: what.partition(" on ")[0] for symbol, what in game.symbols.items() if under[ord(symbol)] != symbol}


def joined_pieces(game: Kind, cells: str, columns: int) -> list[Piece]:
    """Return the pieces of several cells, each placed by the row and column of its upper left corner."""
    kind = kinds(game)
    pieces: list[Piece] = []
    for group in groups(cells, columns, game.joined) if game.joined else ():
        symbol = cells[group[0]]
        places = {divmod(cell, columns) for cell in group}
        top, left = min(row for row, _ in places), min(column for _, column in places)
        right, bottom = max(column for _, column in places), max(row for row, _ in places)
        lines = [
            "".join([symbol if (row, column) in places else GAP for column in range(left, right + 1)])
            for row in range(top, bottom + 1)
        ]
        pieces.append(("\n".join(lines), top, left, kind[symbol]))
    return pieces


def joined_look(game: Kind, name: str, step: int) -> Look:
    """Return the drawing of a piece of several cells; the piece's name describes its shape, row by row."""
    lines, symbol = name.split("\n"), name.strip()[0]
    sign = game.looks.get(symbol, symbol)
    text = "\n".join(["".join([(sign if cell != GAP else "").ljust(step) for cell in line]) for line in lines])
    role = game.painted.get(symbol, "tile")
    rows, columns = len(lines), len(lines[0])
    body: Shape = Rect(0.07, 0.07, columns - 0.14, rows - 0.14, 0.2, fill=role, line="edge")
    middle = (columns / 2, rows / 2)
    if any(GAP in line for line in lines):  # the outline of another shape, its letter in the first cell
        body, middle = Path(*_outline(lines), closed=True, fill=role, line="edge"), (lines[0].index(symbol) + 0.5, 0.5)
    readable = role in LETTERS_ON and sign.strip()
    letter = [Text(*middle, sign, 0.5, fill=LETTERS_ON[role])] if readable else []
    return Look(*(game.drawn.get(symbol) or (body, *letter)), text=text, role=role, label=game.symbols.get(symbol, ""))


def _outline(lines: Sequence[str]) -> Iterable[Sequence[tuple[float, float]]]:
    """Yield the outlines of a set of cells, and of its holes, as lists of corners."""
    cells = {(x, y) for y, line in enumerate(lines) for x, symbol in enumerate(line) if symbol != GAP}
    clockwise = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))
    sides = [side for x, y in sorted(cells) for side in pairwise([(x + right, y + down) for right, down in clockwise])]
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for corner, end in sides:
        if (end, corner) not in sides:  # else it is between two of the cells
            after.setdefault(corner, []).append(end)
    while after:
        corner = min(after)
        train = [corner]
        while corner in after:
            ends = after[corner]
            following = ends.pop()
            if not ends:
                del after[corner]
            corner = following
            train.append(corner)
        yield train[:-1]


def look(game: Kind, symbol: str) -> Look:
    """Return the drawing of a symbol: the one that the game defines or, by default, one of its kind or a letter."""
    text, kind = game.looks.get(symbol, symbol), kinds(game)
    first = next((other for other in kind if kind[other] == kind.get(symbol)), symbol)
    sign = text if text in SHAPES or first == symbol else game.looks.get(first, first)
    shapes: Sequence[Shape] = game.drawn[symbol] if symbol in game.drawn else shapes_of(sign)
    role = next((fill or line for fill, line in [shape.roles for shape in shapes]), "ink")
    return Look(*shapes, text=text, role=role, label=game.symbols.get(symbol, ""))


def _floor(game: Kind, cells: str, columns: int) -> Iterable[Shape]:
    """Return the shapes of the floor: one area and, in games without walls, lines between its cells."""
    rows = len(cells) // columns
    if game.filler and game.filler in cells:
        runs = [_runs(cells[row * columns : (row + 1) * columns], row, game.filler) for row in range(rows)]
        return [Path(*chain.from_iterable(runs), closed=True, fill="floor")]
    if game.solid:
        return [Rect(0, 0, columns, rows, 0.05, fill="floor")]
    board = Rect(0, 0, columns, rows, 0.1, fill="floor", line="grid", thick=0.03)
    across = [[(0, row), (columns, row)] for row in range(1, rows)]
    down = [[(column, 0), (column, rows)] for column in range(1, columns)]
    return [board, *([Path(*across, *down, line="grid", thick=0.02)] if across + down else [])]


def _runs(row: str, number: int, filler: str) -> Iterable[list[tuple[float, float]]]:
    """Yield the corners of each horizontal run of cells that are part of the floor."""
    start = 0
    for run in row.split(filler):
        end = start + len(run)
        if run:
            yield [(start, number), (end, number), (end, number + 1), (start, number + 1)]
        start = end + 1


def write_towers(towers: Towers, labels: Sequence[str] = ()) -> str:
    starts = [f"{label}:" for label in labels]
    lines = [[*starts[number : number + 1], *map(str, tower)] for number, tower in enumerate(towers)]
    return "".join([" ".join(line) + "\n" for line in lines])


def draw_towers(towers: Towers) -> str:
    """Return towers as text, side by side."""
    columns = [[str(thing) for thing in tower] for tower in towers]
    widths = [max(map(len, column), default=1) for column in columns]
    height = max(map(len, columns), default=0)
    levels = zip(*[[*column, *[""] * (height - len(column))] for column in columns], strict=True)
    rows = ["  ".join(map(str.center, level, widths)) for level in levels][::-1]
    return "\n".join([row.rstrip() for row in rows] + ["─" * (sum(widths) + 2 * max(0, len(widths) - 1))])


@lru_cache(maxsize=16)
def pegs(goal: Numbers, labels: str) -> Ground:
    """Return the fixed part of a picture of pegs, with labels; goal pegs are marked."""
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
    """Return the pieces of a picture for the discs on pegs."""
    bottom = len(sum(goal, ())) * DISC
    pieces: list[Piece] = []
    for peg, (tower, own) in enumerate(zip(towers, goal, strict=True)):
        for height, disc in enumerate(tower):
            look = f"{disc}!" if disc in own else str(disc)
            pieces.append((look, bottom - (height - 0.5) * DISC - 0.5, (peg + 0.5) * WIDEST - 0.5, str(disc)))
    return pieces


def _disc(disc: int, discs: int, role: str, label: str) -> Look:
    """Return the drawing of a disc: a bar with the disc's number."""
    width = 0.5 + (WIDEST * 0.88 - 0.5) * disc / discs
    bar = Rect(0.5 - width / 2, 0.5 - DISC * 0.43, width, DISC * 0.86, DISC * 0.3, fill=role, line="edge", thick=0.03)
    shapes: list[Shape] = [bar, Text(0.5, 0.5, str(disc), 0.3, fill="label")]
    if role == "home":
        shapes += [Circle(0.5 + x * (width / 2 - 0.12), 0.5, 0.03, fill="label") for x in (-1, 1)]
    return Look(*shapes, role=role, label=label)


@lru_cache(maxsize=16)
def table(blocks: tuple[str, ...], goal: Blocks) -> Ground:
    """Return the fixed part of a picture of blocks: the table, the hand's place and the towers to build."""
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
    """Return the pieces of a picture for the blocks of towers, which are ordered by their lowest blocks."""
    place = blocks.index
    pieces: list[Piece] = [
        (block, len(blocks) - height + UP, place(tower[0]), block)
        for tower in towers
        for height, block in enumerate(tower)
    ]
    return [*pieces, (f"{hand}!", UP, place(hand), hand)] if hand else pieces


def _block(block: str) -> dict[str, Look]:
    """Return the drawings of a block: on a tower, and in the hand."""
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
