"""The text of a crossword with candidates: one JSON object, the shape in which such games are published.

    grid                 rows of `.` empty, `#` block, or letters; by default five rows of five, all empty
    horizontal_answers   lists of candidates of the words across, in the order of their numbers
    vertical_answers     and of those down
    clues_across, clues_down, solution    optional; kept, but ignored by moves

Other keys are ignored. Letters may be in any case, and are written in upper case.
"""

from __future__ import annotations

from typing import Any
from unicodedata import category, normalize
from warnings import warn_explicit

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.translators.crossword import grid_text
from unpuzzle.translators.crossword.layout import CandidateLayout, blocks_of
from unpuzzle.translators.crossword.slots import Slot, by_direction, rows_of, slots_of, upper
from unpuzzle.words import count, shorten, suggestion

MOST_NAMED = 8
"""The number of misfits named in a warning besides the first."""
LONGEST_LINE = 200
"""The longest line, in characters, that a warning shows."""


class UnfitCandidate(UserWarning):
    """A list of candidates has some that fit nowhere: the game is played without them."""


def read_candidates(text: str, source: str | None = None) -> tuple[CandidateLayout, str]:
    """Return a layout, and the letters in its grid, row by row. Raises ParseError with the place of a mistake."""
    document = grid_text.read_object(text, source, "game", '{"grid": ..., "horizontal_answers": ...}')
    if grid_text.has_only_clues(text):
        raise document.error("this crossword has clues and no candidates: it is a level of the game crossword-clues")
    letters, columns = grid_text.read_grid(document)
    directions = by_direction(slots_of(letters, columns))
    across, down = (
        _lists(document, key, slots) for key, slots in zip(grid_text.CANDIDATE_KEYS, directions, strict=True)
    )
    clues = tuple(
        _clues(document, key, slots) for key, slots in zip(grid_text.PRINTED_CLUE_KEYS, directions, strict=True)
    )
    solution = grid_text.read_solution(document, letters, columns)
    layout = CandidateLayout(blocks_of(letters), columns, (clues[0], clues[1]), solution, (*across, *down))
    if source is not None:
        _warn_of_misfits(document, layout)
    return layout, letters


def _lists(document: grid_text.JsonDocument, key: str, slots: list[Slot]) -> list[tuple[str, ...]]:
    if key not in document.value and slots:
        hint = suggestion(key, [name for name in document.value if name not in grid_text.CANDIDATE_KEYS])
        raise document.error(f'candidates are missing: there is no "{key}", a list of words for each slot{hint}')
    lists = document.require_list(key, slots, "list", "a list of lists of words")
    pairs = zip(lists, slots, strict=True)
    return [_list(document, words, slot, (key, number)) for number, (words, slot) in enumerate(pairs)]


def _list(document: grid_text.JsonDocument, value: Any, slot: Slot, path: tuple[str, int]) -> tuple[str, ...]:
    words = document.require(list, value, path, f"the list of candidates of {slot.name}")
    if not words:
        raise document.error(f"the list of candidates of {slot.name} is empty", path)
    what = f"a word, for {slot.name}"
    texts = [document.require_text(word, (*path, number), "candidate", what) for number, word in enumerate(words)]
    for number, word in enumerate(texts):
        if any(category(letter)[0] == "M" for letter in normalize("NFC", word)):
            message = f"{shorten(word)}, a candidate of {slot.name}, has letters made of several characters"
            feature, line = "letters of several characters", document.line((*path, number))[0]
            raise UnsupportedFeature(
                f"{message}, which is not supported", feature=feature, file=document.source, line=line
            )
    return tuple(map(upper, texts))


def _warn_of_misfits(document: grid_text.JsonDocument, layout: CandidateLayout) -> None:
    """Warn about candidates that fit nowhere: the first one, with its place and the reason, and some others."""
    misfits = list(layout.misfits())
    if not misfits:
        return

    slot, number, word = misfits[0]
    column = [other for other in layout.slots if other.across == slot.across].index(slot)
    line, text = document.line((grid_text.CANDIDATE_KEYS[not slot.across], column, number))
    others = [f"{shorten(other)} of {place.name}" for place, _, other in misfits[1 : MOST_NAMED + 1]]
    if len(misfits) - 1 > MOST_NAMED:
        others.append(f"{len(misfits) - 1 - MOST_NAMED} more")
    nor = f"; nor do {', '.join(others)}" if others else ""
    is_long = len(text) > LONGEST_LINE  # Python would show all of the line
    where = f" (line {line})" if is_long else ""
    length = count(len(slot.cells), "letter")
    sentence = f"{shorten(word)}, a candidate of {slot.name}, is not a word of {length} and fits nowhere"
    warn_explicit(f"{sentence}{nor}{where}", UnfitCandidate, document.source or "", 0 if is_long else line)


def _clues(document: grid_text.JsonDocument, key: str, slots: list[Slot]) -> tuple[str, ...] | None:
    if key not in document.value:
        return None
    clues = enumerate(document.require_list(key, slots, "clue", "a list of clues"))
    return tuple([document.require_text(clue, (key, number), "clue", "a clue, a text") for number, clue in clues])


def candidates_text(layout: CandidateLayout, letters: str) -> str:
    """Return the text of a level with some letters in its grid."""
    parts = {"grid": grid_text.json_text(rows_of(letters, layout.columns))}
    parts.update(
        {
            key: grid_text.json_lines(clues)
            for key, clues in zip(grid_text.PRINTED_CLUE_KEYS, layout.clues, strict=True)
            if clues is not None
        }
    )
    for key, slots in zip(grid_text.CANDIDATE_KEYS, by_direction(layout.slots), strict=True):
        parts[key] = grid_text.json_lines([layout.candidates[slot.name] for slot in slots])
    if layout.solution is not None:
        parts["solution"] = grid_text.json_text(layout.solution)
    return grid_text.json_object(parts)
