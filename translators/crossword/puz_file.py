"""`.puz`, the files of Across Lite: a grid, clues by number, and a solution that may be locked."""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.translators.crossword.sheet import Sheet, letter_of, library, require_letters, said_by
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, rows_of, slots_of
from unpuzzle.words import count


def read_puz(data: bytes, source: str | None = None) -> Sheet:
    """Return the crossword of a `.puz` file. Raises ParseError for other files, DependencyMissing without puzpy."""
    puz = library("puz", "puzpy")
    try:
        puzzle = puz.load(data)
        rebus = puzzle.has_rebus()
    except Exception as error:  # whatever a broken file makes the library stumble over
        raise ParseError(f"this is no .puz file: {said_by(error)}", file=source) from None
    if rebus:
        raise ParseError("a cell of the solution holds several letters (a rebus), which is not read", file=source)
    is_open = puzzle.solution_state == puz.SolutionState.Unlocked
    width, block = puzzle.width, puzzle.blacksquare()
    if not puzzle.solution or len(puzzle.solution) != width * puzzle.height or len(puzzle.fill) != len(puzzle.solution):
        raise ParseError("this .puz file has no grid", file=source)
    shape = [BLOCK if cell == block else EMPTY for cell in puzzle.solution]
    filled = [
        _cell(BLOCK if kind == BLOCK else cell, puz.BLANKSQUARE) for kind, cell in zip(shape, puzzle.fill, strict=True)
    ]
    solution = [_cell(BLOCK if kind == BLOCK else cell, "") for kind, cell in zip(shape, puzzle.solution, strict=True)]
    require_letters(solution if is_open else [], width, source)
    rows = tuple(rows_of("".join(letter_of(cell) for cell in filled), width))
    clues = _puz_clues(puzzle.clues, rows, source)
    solution_rows = tuple(rows_of("".join(solution), width)) if is_open else None
    return Sheet(rows, clues, solution_rows, title=puzzle.title, author=puzzle.author, source=source)


def puz_bytes(sheet: Sheet) -> bytes:
    """Return the contents of a `.puz` file with a crossword. Raises ParseError without clues, or for a huge grid."""
    puz = library("puz", "puzpy")
    puzzle = puz.Puzzle()
    texts = [sheet.title, sheet.author, *sheet.clues.values()]
    if not all(letter <= "\xff" for text in texts for letter in text):
        puzzle.set_version("2.0")  # in UTF-8; files of before are in Latin-1
    blocks = {BLOCK: puz.BLACKSQUARE}
    puzzle.width, puzzle.height = len(sheet.rows[0]), len(sheet.rows)
    puzzle.title, puzzle.author = sheet.title, sheet.author
    puzzle.fill = "".join({**blocks, EMPTY: puz.BLANKSQUARE}.get(cell, cell) for cell in "".join(sheet.rows))
    rows = sheet.solution or [row.replace(EMPTY, "X") for row in sheet.rows]
    puzzle.solution = "".join(blocks.get(cell, cell) for cell in "".join(rows))
    if sheet.solution is None:
        puzzle.solution_state = puz.SolutionState.NotProvided
    puzzle.clues = [sheet.clues.get(slot.name, "") for slot in _by_number(sheet.slots)]
    data: bytes = puzzle.tobytes()
    return data


def _puz_clues(clues: list[str], rows: tuple[str, ...], source: str | None) -> dict[str, str]:
    """Return the clues by slot; the file lists them by number, across first, and has empty ones if it has none."""
    slots = _by_number(slots_of("".join(rows), len(rows[0])))
    if len(clues) != len(slots):
        raise ParseError(
            f"there are {count(len(clues), 'clue')} for {count(len(slots), 'word')} of the grid", file=source
        )
    return {slot.name: clue for slot, clue in zip(slots, clues, strict=True)} if any(clues) else {}


def _by_number(slots: tuple[Slot, ...]) -> list[Slot]:
    return sorted(slots, key=lambda slot: (slot.cells.start, slot.name[-1]))


def _cell(cell: str, blank: str) -> str:
    return EMPTY if cell == blank else cell.upper()
