"""A puzzle with pieces of several cells: cars in a row slide one cell at a time, and one of them must get out."""

from __future__ import annotations

from unpuzzle import Puzzle
from unpuzzle.base.errors import IllegalMove
from unpuzzle.drawing import Ground, Look, Path, Piece, Rect
from unpuzzle.model.capabilities import Pictured

SIZE = 4


class Cars(Puzzle, Pictured):
    """`places`: by car its row and its first column; car `A` has three cells, `B` two, `C` is a corner of three."""

    name = "cars"
    title = "Cars: bring the long one to the right"
    levels = {"1": "0 0 1 1 2 0\n"}
    one_letter_moves = False
    shapes = {"A": ((0, 0), (0, 1), (0, 2)), "B": ((0, 0), (0, 1)), "C": ((0, 0), (1, 0), (1, 1))}

    def __init__(self, *places: tuple[int, int]) -> None:
        self.places = places

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Cars:
        numbers = [int(word) for word in text.split()]
        return cls(*zip(numbers[::2], numbers[1::2], strict=True))

    def __str__(self) -> str:
        return " ".join([f"{row} {column}" for row, column in self.places]) + "\n"

    def _key(self) -> tuple[tuple[int, int], ...]:
        return self.places

    def _cells(self, car: int) -> set[tuple[int, int]]:
        row, column = self.places[car]
        return {(row + down, column + right) for down, right in self.shapes["ABC"[car]]}

    def following(self) -> dict[str, Cars]:
        return {
            f"{'ABC'[car]}{'lr'[step > 0]}": moved
            for car in range(3)
            for step in (-1, 1)
            if (moved := self._moved(car, step))
        }

    def _moved(self, car: int, step: int) -> Cars | None:
        row, column = self.places[car]
        moved = Cars(*self.places[:car], (row, column + step), *self.places[car + 1 :])
        others = set().union(*[self._cells(other) for other in range(3) if other != car])
        new = moved._cells(car)
        return None if new & others or any(not 0 <= column < SIZE for _, column in new) else moved

    def apply(self, move: str) -> Cars:
        following = self.following()
        if move not in following:
            raise IllegalMove(f"{move} is not a move here", move=move)
        return following[move]

    def solved(self) -> bool:
        return self.places[0] == (0, 1)

    def ground(self) -> Ground:
        looks = {
            "A": Look(Rect(0.06, 0.1, 2.88, 0.8, 0.2, fill="goal"), text="AAAAAA", label="the long car"),
            "B": Look(Rect(0.06, 0.1, 1.88, 0.8, 0.2, fill="box"), text="BBBB", label="the short car"),
            "C": Look(
                Path(
                    [(0.1, 0.1), (0.9, 0.1), (0.9, 1.1), (1.9, 1.1), (1.9, 1.9), (0.1, 1.9)], closed=True, fill="tile"
                ),
                text="CC  \nCCCC",
                label="the corner",
            ),
        }
        return Ground(SIZE, SIZE, looks, [Rect(0, 0, SIZE, SIZE, fill="floor")])

    def pieces(self) -> list[Piece]:
        return [("ABC"[car], row, column, "ABC"[car]) for car, (row, column) in enumerate(self.places)]
