"""Sliding tiles as a picture: tiles with numbers in a frame; a tile in its goal cell has a line below."""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.drawing import At, Ground, Look, Path, Piece, Rect, Text
from unpuzzle.translators.shared.cells import Memo
from unpuzzle.translators.sliding_tiles.board import TilesBoard


@lru_cache(maxsize=64)
def ground(board: TilesBoard) -> Ground:
    """Return the frame, and the look of every tile, at home and elsewhere."""
    tiles = range(1, board.rows * board.columns)
    width = len(str(len(tiles))) + 2
    elsewhere = {str(tile): _tile(tile, width, "tile", "") for tile in tiles}
    at_home = {f"{tile}!": _tile(tile, width, "home", ", at home") for tile in tiles}
    frame = Rect(0, 0, board.columns, board.rows, 0.14, fill="floor", line="edge", thick=0.04)
    looks = {**BODIES, **elsewhere, **at_home}
    text = _text(board, width)
    aims = [f"tile {tile} in {board.place(cell)}" for cell, tile in enumerate(board.goal) if tile]
    return Ground(board.rows, board.columns, looks, [frame], text, (2, width + 1), (1, 1), role="grid", aims=aims)


def _tile(tile: int, width: int, role: str, where: str) -> Look:
    number = Text(0.5, 0.48, str(tile), 0.5 if tile < 100 else 0.36, fill="label")
    return Look(At(0, 0, role), number, text=str(tile).center(width), role=role, label=f"tile {tile}{where}")


_UNDERLINE = Path([(0.36, 0.79), (0.64, 0.79)], line="label", thick=0.05)
BODIES = {
    role: Look(Rect(0.06, 0.06, 0.88, 0.88, 0.1, fill=role, line="edge", thick=0.03), *more)
    for role, more in (("tile", ()), ("home", (_UNDERLINE,)))
}


def _text(board: TilesBoard, width: int) -> str:
    line = "│" + "│".join([" " * width] * board.columns) + "│"
    top, middle, bottom = (
        left + inner.join(["─" * width] * board.columns) + right for left, inner, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    return "\n".join([top, f"\n{middle}\n".join([line] * board.rows), bottom])


@lru_cache(maxsize=64)
def places(board: TilesBoard) -> Memo[tuple[int, int], Piece]:
    """Return by tile and cell the piece of the picture: a tile that is there."""

    def piece(pair: tuple[int, int]) -> Piece:
        tile, cell = pair
        look = f"{tile}!" if board.goal[cell] == tile else str(tile)
        return look, cell // board.columns, cell % board.columns, str(tile)

    return Memo(piece)
