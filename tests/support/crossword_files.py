"""Files of crosswords as other programs write them: `.puz` and `.ipuz`, by the libraries that read them, too."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from unpuzzle.translators.crossword.files import IPUZ_KIND, WAYS, PrintedCrossword, by_number
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, starts


def puz_bytes(sheet: PrintedCrossword) -> bytes:
    """Return the contents of a `.puz` file with a crossword. Raises ParseError without clues, or for a huge grid."""
    puz = import_module("puz")
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
    puzzle.clues = [sheet.clues.get(slot.name, "") for slot in by_number(sheet.slots)]
    data: bytes = puzzle.tobytes()
    return data


def ipuz_text(sheet: PrintedCrossword) -> str:
    """Return the text of an `.ipuz` file with a crossword."""
    ipuz = import_module("ipuz")
    width, numbers = len(sheet.rows[0]), starts(sheet.slots)
    cells = ["#" if cell == BLOCK else numbers.get(place, 0) for place, cell in enumerate("".join(sheet.rows))]
    content: dict[str, Any] = {
        "version": "http://ipuz.org/v2",
        "kind": [IPUZ_KIND],
        "dimensions": {"width": width, "height": len(sheet.rows)},
        "puzzle": [cells[start : start + width] for start in range(0, len(cells), width)],
        "saved": [[0 if cell == EMPTY else cell for cell in row] for row in sheet.rows],
    }
    if sheet.solution is not None:
        content["solution"] = [list(row) for row in sheet.solution]
    if sheet.clues:
        content["clues"] = {
            way: [[int(name[:-1]), clue] for name, clue in sheet.clues.items() if name.endswith(letter)]
            for letter, way in WAYS.items()
        }
    content.update({name: text for name, text in (("title", sheet.title), ("author", sheet.author)) if text})
    text: str = ipuz.write(content)
    return text + "\n"
