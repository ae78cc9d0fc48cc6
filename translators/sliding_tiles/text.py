"""Reading the level text of sliding tiles: the board, and below it the goal, if that is not the default."""

from __future__ import annotations

from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count, shorten


def read(text: str, source: str | None) -> tuple[int, tuple[int, ...], tuple[int | None, ...]]:
    """Return the number of columns, the tiles and the goal, row by row; None in the goal where any tile will do."""
    page = Page(text, source)
    rows = page.rows()
    mark = next((i for i, row in enumerate(rows) if row[0].text == "goal"), len(rows))
    board, goal = rows[:mark], rows[mark:]
    if not board:
        raise page.error_at("no tiles before the goal", rows[0][0])
    page.require_rectangle(board)
    tiles = tuple(tile for tile in _numbers(page, board, board, wild=False) if tile is not None)
    return len(board[0]), tiles, _goal(page, board, goal) if goal else tuple(range(len(tiles)))


def _goal(page: Page, rows: list[list[Word]], goal_rows: list[list[Word]]) -> tuple[int | None, ...]:
    """Return the goal from its lines, `goal` the first of them."""
    (mark, *rest), *goal_rows = goal_rows
    if rest:
        raise page.error_at("'goal' stands on a line of its own", rest[0])
    again = next((row[0] for row in goal_rows if row[0].text == "goal"), None)
    if again:
        raise page.error_at("a second 'goal'", again)
    for number, row in enumerate(goal_rows, 1):
        if len(row) != len(rows[0]):
            message = f"goal row {number} has {count(len(row), 'cell')}, the board's rows have {len(rows[0])}"
            raise page.error_at(message, row[min(len(rows[0]), len(row) - 1)])
    if len(goal_rows) != len(rows):
        message = f"the goal has {count(len(goal_rows), 'row')}, the board has {len(rows)}"
        raise page.error_at(message, mark)
    return tuple(_numbers(page, rows, goal_rows, wild=True))


def _numbers(page: Page, rows: list[list[Word]], words: list[list[Word]], wild: bool) -> list[int | None]:
    """Return the numbers 0 .. n - 1 in some order; in the goal (`wild`), some of them may be replaced by `*`."""
    size = len(rows) * len(rows[0])
    seen: dict[int, Word] = {}
    numbers: list[int | None] = []
    for word in (word for row in words for word in row):
        if wild and word.text == "*":
            numbers.append(None)
            continue
        number = _number(page, word, size, wild)
        if number in seen:
            raise page.repetition(f"tile {number}" if number else "the blank, 0,", word, seen[number])
        seen[number] = word
        numbers.append(number)
    return numbers


def _number(page: Page, word: Word, size: int, wild: bool) -> int:
    if not (word.text.isascii() and word.text.isdecimal()):
        wanted = "a number, or '*' for don't care" if wild else "a number ('*' stands in the goal only)"
        raise page.error_at(f"{shorten(word.text)} is not {wanted}", word)
    digits = word.text.lstrip("0") or "0"
    if len(digits) > len(str(size)) or int(digits) >= size:
        raise page.error_at(
            f"no tile {shorten(digits)[1:-1]} on this board: its {size} cells hold 0 to {size - 1}", word
        )
    return int(digits)
