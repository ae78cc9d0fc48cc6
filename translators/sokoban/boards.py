"""Search for the rows of Sokoban boards among the lines of a text.

A row has only the symbols of XSB or SOK, and a wall; or it is a run-length text of these, in which `|` ends a row.
Rows that touch are one board. A line among them with a wall and hardly any other letter, or between two walls and
without a word, is meant as a row: it stays in its board, so that the level is refused at the wrong symbol, and not
silently cut in two or left out. So is a frame of another symbol, such as `X`, around lines without words.

Of run-length texts, `3#|#@$.#` is two rows, `2(rU)3l` is rUrUlll. A number above 0 repeats the symbol, or the bracket,
that follows it. At the start of a line, before a blank, it counts the lines where no `|` ends a row. An invalid text is
left unchanged from the fault on: its reader then reports the number as a wrong symbol.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from unpuzzle.base.distances import distances
from unpuzzle.model.collection import Place
from unpuzzle.translators.shared.cells import neighbours

# The least numbers of pushes, without other boxes and with the player anywhere, are found backwards: by pulling a box
# away from each goal. From a *dead square*, such as a corner, no goal is reachable: a box there is lost (A. Junghanns
# and J. Schaeffer, Sokoban: enhancing general single-agent search methods using domain knowledge, 2001).

SIDES: dict[str, tuple[int, int]] = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@lru_cache(maxsize=64)
def pushes(floor: str, columns: int) -> tuple[Mapping[int, int], ...]:
    """Return, for each goal, the fewest pushes from each cell to it; cells without a path to it are left out.

    `floor` has `.` for goals, `-` for other cells that can be entered, row by row.
    """
    pulls = _pulls(floor, columns)
    return tuple([distances([cell], pulls.__getitem__) for cell, symbol in enumerate(floor) if symbol == "."])


@lru_cache(maxsize=64)
def dead_squares(floor: str, columns: int) -> frozenset[int]:
    """Return the dead squares: the cells from which a box cannot be pushed to any goal."""
    goals = [cell for cell, symbol in enumerate(floor) if symbol == "."]
    alive = distances(goals, _pulls(floor, columns).__getitem__)
    return frozenset(range(len(floor))).difference(alive)


def _pulls(floor: str, columns: int) -> list[list[int]]:
    """Return, for each cell, the cells to which a box in it could be pulled by a player."""
    around = neighbours(len(floor) // columns, columns, SIDES)
    free = [{side: to for side, to in sides.items() if floor[to] in "-."} for sides in around]
    return [[to for side, to in sides.items() if side in free[to]] for sides in free]


FLOOR, PIECES = "-_ ", "@+$*.pPbB"
_CELLS = r"#@+$*.pPbB\-_ "
_ROW = re.compile(rf"[{_CELLS}\t]+")
_RUNS = re.compile(rf"(?=.*#)(?=.*(?:[0-9][{_CELLS}(]|\|))[{_CELLS}0-9|()\t]+")
_NUMBERED = re.compile(r"#\s*[0-9]+[.:)\s]*")
"""The pattern of titles such as `#12`, which are not rows."""
_FOREIGN = re.compile(rf"[^{_CELLS}0-9|()\t]")
_WORD = re.compile(r"(?=[^\W\d_]{3})[^\W\d_]?(?=[^\W\d_]{0,40}[aeiouy])[^\W\d_A-Z]{2}")
"""The pattern of text, not symbols: three letters side by side with a vowel, small except for the first."""
_WALLS = re.compile(r"([^\s\-_=+*.~;#])\1\1+")
"""The pattern of a line of one symbol that is a wall elsewhere, and not a ruler or a comment."""
_BEGIN_OF_ROW = re.compile(rf"\s*#+[{_CELLS[1:]}][{_CELLS}]*#\s")
"""The pattern of a row with more text behind it, such as `#@$.# <- start`."""
_OPEN = re.compile(r"(?=.*[@+])(?=.*[$])(?=.*[.+])", re.DOTALL)
"""The pattern of a player, a box and a goal: they are a board, even without walls."""
SURE, PERHAPS = 2, 1
MOST_CUTS = 4
"""The most empty lines that may cut a board."""
MOST = 1_000_000
"""The largest number of symbols in an expanded text."""


def likeness(line: str) -> int:
    """Return `SURE` if a line is a row of a board, `PERHAPS` if it may be one, and otherwise 0."""
    line = _code(line)
    text = line.strip()
    if not text or text[0] == ":" or _NUMBERED.fullmatch(text):
        return 0
    if _ROW.fullmatch(line):
        return SURE if "#" in line else 0 if {*"@+$*.-_"}.isdisjoint(line) else PERHAPS
    if _RUNS.fullmatch(line):
        return SURE
    meant = "#" in text and len(text) > 2 and len(_FOREIGN.findall(text)) <= max(1, len(text) // 4)
    between = text[0] == text[-1] == "#" and len(text) > 2 and not _WORD.search(text)
    return PERHAPS if meant or between or _BEGIN_OF_ROW.match(line) else 0


def framed(lines: Sequence[str], start: int) -> tuple[list[range], int]:
    """Return the board with unusual walls that begins at the line `start`, if any, and the next line to examine."""
    frame = _WALLS.fullmatch(lines[start].strip())
    end = start + 1
    while frame and end < len(lines) and (text := lines[end].strip()):
        if text[0] != frame[1] or text[-1] != frame[1] or _WORD.search(text):
            return [], end
        end += 1
    inner = set("".join(lines[start + 1 : end])) - {frame[1] if frame else "", *" -_\t"}
    return [range(start, end)] if inner and _WALLS.fullmatch(lines[end - 1].strip()) else [], end


def boards_in(lines: Sequence[str], start: int) -> tuple[list[range], int]:
    """Return the boards in the block of lines that begins at a line, as ranges, and the index after the last one."""
    first, end = start, _end_of_rows(lines, start)
    last = end = _end_beyond_cuts(lines, start, end)
    while first < last and not lines[first].strip(FLOOR):
        first += 1  # a ruler, not a row
    while first < last and not _code(lines[last - 1]).strip(FLOOR):
        last -= 1
    block = [*map(_code, lines[first:last])]
    strange = any(likeness(line) != SURE and _FOREIGN.search(line) for line in block)
    pieces = strange or any(set(PIECES).intersection(line) for line in block)
    sure = any(likeness(line) == SURE for line in block) or sum(line.count("#") > 1 for line in block) > 2
    if not (sure and pieces) and (strange or not _OPEN.match("\n".join(block))):
        return [], end
    parts, players = [first], 0
    for index in range(first, last):
        own = sum(map(lines[index].count, "@+pP"))
        if own and players and "|" in lines[index]:
            parts.append(index)
            players = 0
        players += own
    return [range(*part) for part in pairwise([*parts, last])], last


def _end_of_rows(lines: Sequence[str], start: int) -> int:
    """Return the line after a block of adjacent lines, each of which may be a row of a board."""
    end, within = start, False
    above: set[str] = set()
    while end < len(lines) and (likeness(lines[end]) or (within and lines[end].lstrip()[:1] == ";")):
        above |= {*_code(lines[end])}
        end += 1
        # Then a comment may be between rows: there are walls above it, and no pieces so far.
        within = end > start + 1 and "#" in above and above.isdisjoint(PIECES)
    return end


def _end_beyond_cuts(lines: Sequence[str], start: int, end: int) -> int:
    """Return the line after a board; a board with open walls may continue after an empty line."""
    stop = end
    for _ in range(MOST_CUTS):
        below = stop + 1
        if below >= len(lines) or lines[stop].strip() or likeness(lines[below]) != SURE:
            break
        if is_closed(lines[start:stop]) or is_closed(lines[below : (stop := _end_of_rows(lines, below))]):
            break
        if is_closed(lines[start:stop]):
            return stop
    return end


def is_closed(lines: Sequence[str]) -> bool:
    """Return whether rows contain exactly one player, and walls around all pieces."""
    rows = [line for line in map(_code, lines) if line.strip()]
    cells = {(y, x): symbol for y, row in enumerate(rows) for x, symbol in enumerate(row)}
    pieces = [cell for cell, symbol in cells.items() if symbol in PIECES]

    def near(cell: tuple[int, int]) -> list[tuple[int, int]]:
        around = [(cell[0] + y, cell[1] + x) for y, x in SIDES.values()] if cell in cells else []
        return [to for to in around if cells.get(to) != "#"]

    return sum(cells[cell] in "@+pP" for cell in pieces) == 1 and cells.keys() >= distances(pieces, near).keys()


def _code(line: str) -> str:
    """Return a line without its comment."""
    return line.partition(";")[0]


def board_of(lines: Sequence[str], rows: range) -> tuple[str, tuple[Place, ...], list[str]]:
    """Return the text of a board, the places of its rows, and the comments beside its rows and between them."""
    remarks = [lines[index].partition(";")[2].strip("; \t") for index in rows]
    indent = min([len(lines[index]) - len(lines[index].lstrip("\t")) for index in rows])
    found: list[tuple[str, Place]] = []
    for index in rows:
        line = _code(lines[index])
        if not line.strip():
            continue  # a comment alone is not a row, nor is an empty line that cuts a board
        plain = line.rstrip("\t")[indent:]
        text, cells = written_out(plain) if _RUNS.fullmatch(line) else (plain, range(len(plain)))
        at = 0
        for row in text.removesuffix("|").split("|"):
            columns = [cell + indent + 1 for cell in cells[at : at + len(row)]]
            found.append((row, (index + 1, columns, lines[index])))
            at += len(row) + 1
    # No empty rows above and below; one between others is written `-`, as usual.
    filled = [number for number, (row, _) in enumerate(found) if row.strip()]
    found = found[filled[0] : filled[-1] + 1]
    board = "".join([f"{row if row.strip() else '-'}\n" for row, _ in found])
    return board, tuple([place for _, place in found]), [*filter(None, remarks)]


def solves(moves: str, board: str) -> bool:
    """Return whether moves solve a board; all moves may be in small letters."""
    cells = {(y, x): symbol for y, row in enumerate(board.split("\n")) for x, symbol in enumerate(row)}
    players = [cell for cell, symbol in cells.items() if symbol in "@+pP"]
    boxes = {cell for cell, symbol in cells.items() if symbol in "$*bB"}
    free = {cell for cell, symbol in cells.items() if symbol != "#"}
    if len(players) != 1 or not {*moves.lower()} <= SIDES.keys():
        return False
    (here,) = players
    for y, x in map(SIDES.__getitem__, moves.lower()):
        here = here[0] + y, here[1] + x
        beyond = here[0] + y, here[1] + x
        boxes ^= {here, beyond} if here in boxes and beyond not in boxes else set()
        if here in boxes or not {here, *boxes} <= free:
            return False
    return all(cells[box] in ".+*PB" for box in boxes)


_NUMBER = re.compile(r"0{0,6}[1-9][0-9]{0,6}(?![0-9)\n])")
_COUNTS_LINES = re.compile(r"^[0-9]+[^\S\n]", re.MULTILINE)


def written_out(text: str) -> tuple[str, Sequence[int]]:
    """Return a text in which repetitions such as `3#` are written out, and the old index of each symbol."""
    if not re.search(r"[0-9()]", text) or ("|" not in text and _COUNTS_LINES.search(text)):
        return text, range(len(text))
    indices: list[int] = []
    brackets: list[tuple[int, int, int]] = []  # of each open one: its index, the symbols before it, the repetitions
    at = 0
    while at < len(text):
        number = _NUMBER.match(text, at)
        times, symbol = (int(number[0]), number.end()) if number else (1, at)
        run: list[int] = []
        if symbol == len(text) or text[symbol].isdigit() or (text[symbol] == ")" and not brackets):
            break
        if text[symbol] == "(":
            brackets.append((at, len(indices), times))
        elif text[symbol] == ")":
            _, before, times = brackets.pop()
            run, indices = indices[before:], indices[:before]  # the symbols in the brackets, to be repeated
        else:
            run = [symbol]
        if len(indices) + len(run) * times > MOST:
            break
        indices += run * times
        at = symbol + 1
    if brackets:  # from a bracket that is never closed, the text stays as written
        at, before, _ = brackets[0]
        indices = indices[:before]
    indices += range(at, len(text))
    return "".join([text[index] for index in indices]), indices
