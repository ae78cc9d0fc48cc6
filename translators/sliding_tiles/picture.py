"""Sliding tiles as a picture: tiles with numbers in a frame; one that is where the goal wants it has a line below."""

from __future__ import annotations

from unpuzzle.picture import Ground, Look, Path, Rect, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.picture import Piece
    from unpuzzle.translators.sliding_tiles.board import Board


def ground(board: Board) -> Ground:
    """The frame, and the look of every tile, at home and elsewhere."""
    tiles = range(1, board.rows * board.columns)
    width = len(str(len(tiles))) + 2
    looks = {**{str(tile): _tile(tile, width) for tile in tiles}, **{f"{tile}!": _home(tile, width) for tile in tiles}}
    frame = Rect(0, 0, board.columns, board.rows, 0.14, fill="floor", line="edge", thick=0.04)
    return Ground(board.rows, board.columns, looks, [frame], _text(board, width), (2, width + 1), (1, 1), role="grid")


def _tile(tile: int, width: int) -> Look:
    number = Text(0.5, 0.5, str(tile), 0.46 if tile < 100 else 0.36, fill="label")
    label = f"tile {tile}"
    return Look(_body("tile"), number, text=str(tile).center(width), role="tile", label=label)


def _home(tile: int, width: int) -> Look:
    number = Text(0.5, 0.47, str(tile), 0.46 if tile < 100 else 0.36, fill="label")
    line = Path([(0.36, 0.79), (0.64, 0.79)], line="label", thick=0.05)
    label = f"tile {tile}, at home"
    return Look(_body("home"), number, line, text=str(tile).center(width), role="home", label=label)


def _body(role: str) -> Rect:
    return Rect(0.06, 0.06, 0.88, 0.88, 0.1, fill=role, line="edge", thick=0.03)


def _text(board: Board, width: int) -> str:
    """The lines between the cells."""
    line = "│" + "│".join([" " * width] * board.columns) + "│"
    top, middle, bottom = (
        left + inner.join(["─" * width] * board.columns) + right for left, inner, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    return "\n".join([top, f"\n{middle}\n".join([line] * board.rows), bottom])


class Places(dict[tuple[int, int], "Piece"]):
    """By tile and cell the piece: a tile that is there. Made when asked for: boards are looked at by the thousand."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __missing__(self, key: tuple[int, int]) -> Piece:
        tile, cell = key
        look = f"{tile}!" if self._board.goal[cell] == tile else str(tile)
        made = self[key] = look, cell // self._board.columns, cell % self._board.columns, str(tile)
        return made
