"""Gogen: each of the letters A to Y is put into one cell of a 5x5 grid, so that all words can be traced.

    M.G.D        five rows of five cells, `.` an empty one; then the words, none of which has a letter twice.
    .....        Each must be traceable through cells that touch at a side or a corner.
    W.L.Y
    .....
    S.J.B
    words
    ACQUIRE
    AXLE

A move places a letter: `r2c2=Q`. It is legal if the letter touches all placed letters that are next to it in some word.
So placed letters never contradict a word, unless the given ones do.

A picture has the words in columns beside the grid; words that can be traced have a tick.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.base.text import count, shorten, suggestion
from unpuzzle.constraints import Constraints, Relation, conflict, solutions
from unpuzzle.drawing import Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.model.capabilities import Constrained, Explaining, ForComponents, Generating, HasHeuristics, Pictured
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Option
from unpuzzle.model.position import Fact, Puzzle
from unpuzzle.translators.gogen.making import (
    BESIDE,
    CELLS,
    EMPTY,
    LETTERS,
    NAMES,
    NUMBERS,
    OPTIONS,
    SIDE,
    TOUCHING,
    apart,
    fault,
    generate,
    joins,
    sample,
    traceable,
)
from unpuzzle.translators.shared.cells import place
from unpuzzle.translators.shared.text import Page, Word, levels_beside

APART = [
    ("apart", NAMES[cell], NAMES[other])
    for cell in range(CELLS)
    for other in range(CELLS)
    if other != cell and other not in TOUCHING[cell]
]
"""The static facts of all Gogens."""
MISSING = Heuristic("missing", "letters not placed", lambda p: p.cells.count(EMPTY), admissible=True, consistent=True)
COLUMNS = 3
"""The largest number of columns of words in a terminal, unless they are longer than the grid."""
LINE, LETTER = 0.55, 0.34
"""The height of a line of words beside the grid, and the width of a letter there, in cells."""


def _move(position: object, letter: str, cell: str) -> str:
    """Return the move of the action `(place LETTER CELL)`."""
    return f"{NAMES[NUMBERS[cell]]}={LETTERS[LETTERS.index(letter.upper())]}"


class Gogen(Puzzle, Generating, HasHeuristics, Pictured, Constrained, Explaining, ForComponents):
    """A position of Gogen: the letter in each cell, and the words."""

    __slots__ = ("cells", "places", "words")

    name = "gogen"
    title = "Gogen: place the letters A to Y so that every word can be traced"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    one_letter_moves = False
    planner = "cp-sat"
    heuristics: Mapping[str, Heuristic] = {"missing": MISSING, "null": NULL}
    options: Mapping[str, Option] = OPTIONS
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {"place": _move}

    def __init__(self, cells: str, words: tuple[str, ...]) -> None:
        self.cells: str = cells
        self.words: tuple[str, ...] = words
        self.places: Mapping[str, int] = {letter: cell for cell, letter in enumerate(cells) if letter != EMPTY}

    def _key(self) -> Hashable:
        return self.cells, self.words

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(*read(text, source))

    def __str__(self) -> str:
        return "\n".join([*self._rows(), "words", *self.words, ""])

    def line(self) -> str:
        return "/".join(self._rows())

    def _rows(self) -> list[str]:
        return [self.cells[start : start + SIDE] for start in range(0, CELLS, SIDE)]

    def ground(self) -> Ground:
        return ground(self.words)

    def pieces(self) -> list[Piece]:
        return pieces(self.places, self.words)

    def plain(self) -> dict[str, object]:
        return {"rows": self._rows(), "words": list(self.words)}

    def moves(self) -> tuple[str, ...]:
        rooms = {letter: self.room(letter) for letter in LETTERS if letter not in self.places}
        return tuple([f"{NAMES[cell]}={letter}" for cell in self._empty() for letter in rooms if cell in rooms[letter]])

    def room(self, letter: str) -> set[int]:
        """Return the empty cells in which `letter` touches all placed letters that are adjacent to it in a word."""
        near = [TOUCHING[self.places[other]] for other in joins(self.words)[letter] if other in self.places]
        return set(self._empty()).intersection(*near)

    def _empty(self) -> list[int]:
        return [cell for cell, letter in enumerate(self.cells) if letter == EMPTY]

    def apply(self, move: str) -> Self:
        name, _, letter = move.partition("=")
        cell = NUMBERS.get(name)
        if cell is None or len(letter) != 1 or letter not in LETTERS:
            raise IllegalMove(f"{shorten(move)} is not a move: a move looks like r2c2=Q", move=move)
        reason = self._against(cell, letter)
        if reason:
            raise IllegalMove(f"{move}: {reason}", move=move)
        return type(self)(self.cells[:cell] + letter + self.cells[cell + 1 :], self.words)

    def _against(self, cell: int, letter: str) -> str | None:
        """Return why a letter must not be put into a cell; None if it may."""
        if self.cells[cell] != EMPTY:
            return f"{self.cells[cell]} is there already"
        if letter in self.places:
            return f"{letter} is in {place(self.places[letter], SIDE)} already"
        for other, word in joins(self.words)[letter].items():
            if other in self.places and self.places[other] not in TOUCHING[cell]:
                return f"it does not touch {other}, which is next to {letter} in {word}"
        return None

    def solved(self) -> bool:
        return EMPTY not in self.cells and all(traceable(self.places, word) for word in self.words)

    def impossible(self) -> str | None:
        for one, other, word in apart(self.places, self.words):
            cells = [place(self.places[letter], SIDE) for letter in (one, other)]
            return f"{word} cannot be traced: {one} is in {cells[0]} and does not touch {other} in {cells[1]}"
        for letter in LETTERS:
            if letter not in self.places and not self.room(letter):
                near = [other for other in joins(self.words)[letter] if other in self.places]
                return f"no empty cell is left for {letter}, which must touch {' and '.join(near)}"
        return None

    def constraints(self) -> Constraints:
        """Return the constraint model: a different cell for each letter, and adjacent cells along each word."""
        fixed = [Relation("table", (a,), ((NAMES[b],),), f"{NAMES[b]}={a}") for a, b in self.places.items()]
        paths = [Relation("path", word, BESIDE, word) for word in self.words]
        return Constraints(dict.fromkeys(LETTERS, NAMES), [Relation("all_different", LETTERS), *paths, *fixed])

    def moves_to(self, solution: Mapping[str, Hashable]) -> list[str]:
        missing = {str(solution[letter]): letter for letter in LETTERS if letter not in self.places}
        return [f"{name}={missing[name]}" for name in NAMES if name in missing]

    def explain(self) -> tuple[str, dict[str, Any]]:
        return explanation(self.constraints(), self.words, self.places)

    def objects(self) -> Mapping[str, Iterable[str]]:
        return {"cell": NAMES, "letter": LETTERS.lower()}

    def statics(self) -> list[Fact]:
        pairs = [("joined", a.lower(), b.lower()) for a, others in joins(self.words).items() for b in others]
        return [*APART, *pairs, *[("contradiction", *pair) for pair in self._contradictions()]]

    def _contradictions(self) -> list[tuple[str, str]]:
        return [(one.lower(), other.lower()) for one, other, _ in apart(self.places, self.words)]

    def facts(self) -> list[Fact]:
        cells = [(letter.lower(), NAMES[cell]) for letter, cell in self.places.items()]
        rooms = [(letter.lower(), self.room(letter)) for letter in LETTERS if letter not in self.places]
        placed = [fact for letter, cell in cells for fact in (("at", letter, cell), ("placed", letter))]
        return [*placed, *[("open", letter, NAMES[cell]) for letter, room in rooms for cell in sorted(room)]]

    def goal_condition(self) -> list[Fact]:
        """Return the goal: all letters are placed, and no two given letters contradict a word."""
        placed: list[Fact] = [("placed", letter.lower()) for letter in LETTERS]
        return [*placed, *[("not", "contradiction", *pair) for pair in self._contradictions()]]

    @classmethod
    def sample(cls, rng: Random) -> Self:
        return cls(*sample(rng))

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls(*generate(rng, options))


# Reading a Gogen: five rows of five cells, a line `words`, and the words, one a line or with blanks between them.
#
# The first words may be on the line `words` itself.

MARK = "words"


def read(text: str, source: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Parse a Gogen; return the letters in its cells, row by row, and its words. Raises ParseError."""
    page = Page(text, source)
    rows = page.rows()
    marks = [number for number, row in enumerate(rows) if _is_mark(row[0])]
    mark = SIDE if SIDE in marks else next(iter(marks), None)  # a row or a word may be `words`, too
    if mark == 0:
        raise page.error_at(f"there is no grid of {SIDE} rows above 'words'", rows[0][0])
    cells = _cells(page, rows[: SIDE if mark is None else mark])
    if mark is None:
        raise _without_mark(page, rows)
    second = next((row[0] for row in rows[mark + 1 :] if len(row) > 1 and _is_mark(row[0])), None)
    if len(rows[mark]) > 1 and second is not None:  # it is not clear whether its first word is one
        raise page.error_at("there is a second line 'words': write all words below the first one", second)
    words = [*rows[mark][1:], *[word for row in rows[mark + 1 :] for word in row]]
    if not words:
        raise page.error_at("there are no words below 'words'", rows[mark][0])
    return cells, _words(page, words)


def _is_mark(word: Word) -> bool:
    return word.text.lower().removesuffix(":") == MARK


def _without_mark(page: Page, rows: list[list[Word]]) -> ParseError:
    """Return the error for a text in which no line begins with `words`."""
    if len(rows) == SIDE:
        return page.error_at("there is no line 'words' below the grid", rows[-1][0])
    there = rows[SIDE][0]
    hint = suggestion(there.text.lower(), [MARK])
    return page.error_at(f"the line below the grid must be 'words', not {shorten(there.text)}{hint}", there)


def _cells(page: Page, rows: list[list[Word]]) -> str:
    """Return the letters in the rows of a grid. Raises ParseError."""
    first_places: dict[str, Word] = {}
    cells = []
    for number, row in enumerate(rows, 1):
        places = [(word, place) for word in row for place in range(len(word.text))]
        symbols = [Word(word.text[i], word.line, word.column + i) for word, i in places[: SIDE + 1]]
        cells += [_cell(page, symbol, first_places) for symbol in symbols]
        if len(symbols) != SIDE:
            raise page.error_at(
                f"row {number} has {count(len(places), 'cell')}, but each row of a Gogen has {SIDE}", symbols[-1]
            )
    if len(rows) != SIDE:
        end = rows[-1][0] if rows else Word("", 1, 1)
        raise page.error_at(f"the grid has {count(len(rows), 'row')}, but a Gogen has {SIDE}", end)
    return "".join(cells)


def _cell(page: Page, symbol: Word, first_places: dict[str, Word]) -> str:
    """Return the letter in a cell. Raises ParseError for a letter that is wrong or occurs twice."""
    letter = symbol.text.upper() if symbol.text.isascii() else symbol.text
    if letter == EMPTY:
        return letter
    if letter not in LETTERS:
        raise page.error_at(
            f"bad symbol {symbol.text!r}: a cell must be a letter from A to Y, or '.' if it is empty", symbol
        )
    if letter in first_places:
        raise page.repetition(f"the letter {letter} is twice in the grid", symbol, first_places[letter])
    first_places[letter] = symbol
    return letter


def _words(page: Page, words: list[Word]) -> tuple[str, ...]:
    """Return the words of a level. Raises ParseError for a word that is unusable or occurs twice."""
    first_places: dict[str, Word] = {}
    for word in words:
        text = word.text.upper() if word.text.isascii() else word.text
        wrong = fault(text)
        if wrong:
            raise page.error_at(f"{shorten(word.text)} {wrong}", word)
        if text in first_places:
            raise page.repetition(f"the word {text} is twice in the list", word, first_places[text])
        first_places[text] = word
    return tuple(first_places)


TICK_SHAPE = Path([(-0.03, 0.28), (0.07, 0.38), (0.24, 0.15)], line="goal", thick=0.06)
TICK = Look(TICK_SHAPE, text="✓", role="goal", label="can be traced")
WORDS_COLUMN = SIDE + 0.4
"""The column where the words begin."""


@lru_cache(maxsize=16)
def ground(words: tuple[str, ...]) -> Ground:
    """Return the fixed part of the picture: the empty grid and the words."""
    across, down = [[(0, i), (SIDE, i)] for i in range(1, SIDE)], [[(i, 0), (i, SIDE)] for i in range(1, SIDE)]
    shapes: list[Shape] = [
        Rect(0, 0, SIDE, SIDE, 0.1, fill="floor", line="ink", thick=0.05),
        Path(*across, *down, line="grid", thick=0.02),
    ]
    columns, beside = _columns(words)
    for word, (row, column) in zip(words, beside, strict=True):
        shapes.append(Text(column + LETTER, row + LINE / 2, word, 0.36, left=True))
    looks = {letter: Look(Text(0.5, 0.5, letter, 0.56), text=letter, label=letter) for letter in LETTERS}
    rows = max([SIDE, *(row + LINE for row, _ in beside)])
    text, places = _text(words, beside)
    return Ground(rows, columns, {**looks, "✓": TICK}, shapes, text, role="ink", places=places)


def pieces(places: Mapping[str, int], words: tuple[str, ...]) -> list[Piece]:
    """Return the movable parts of the picture: the placed letters, and ticks beside the words that can be traced."""
    letters: list[Piece] = [(letter, cell // SIDE, cell % SIDE, letter) for letter, cell in places.items()]
    beside = zip(words, _columns(words)[1], strict=True)
    traced = [(word, place) for word, place in beside if traceable(places, word)]
    return [*letters, *(("✓", row, column, f"tick of {word}") for word, (row, column) in traced)]


@lru_cache(maxsize=16)
def _columns(words: tuple[str, ...]) -> tuple[float, Sequence[tuple[float, float]]]:
    """Return the width of the picture, and the row and column in which each word begins."""
    height = _height(len(words))
    column, places = WORDS_COLUMN, []
    for start in range(0, len(words), height):
        part = words[start : start + height]
        places += [(number * LINE, column) for number in range(len(part))]
        column += LETTER * (max(map(len, part)) + 1.6)
    return max(column - 0.2, float(SIDE)), places


def _height(words: int) -> int:
    """Return how many words stand in one column beside the grid."""
    most = max(int(SIDE / LINE), -(-words // COLUMNS))
    return -(-words // max(-(-words // most), 1)) or 1


def _text(
    words: Sequence[str], beside: Sequence[tuple[float, float]]
) -> tuple[str, Mapping[tuple[float, float], tuple[int, int]]]:
    """Return the picture as text, and the positions of cells and ticks in this text."""
    height = max(SIDE, -(-len(words) // COLUMNS))
    lines = [" ".join("·" * SIDE)] * SIDE + [""] * (height - SIDE)
    places: dict[tuple[float, float], tuple[int, int]] = {(r, c): (r, 2 * c) for r in range(SIDE) for c in range(SIDE)}
    start = 2 * SIDE - 1 + 3
    for first in range(0, len(words), height):
        column = words[first : first + height]
        for number, word in enumerate(column):
            places[beside[first + number]] = number, start
            lines[number] = lines[number].ljust(start + 2) + word  # a tick and a blank come before each word
        start += max(map(len, column)) + 2 + 3
    return "\n".join(lines), places


Solutions = list[dict[str, str]]
"""For each solution, the name of each letter's cell."""

MOST = 1000
"""The largest number of solutions counted."""


def explanation(model: Constraints, words: Sequence[str], places: Mapping[str, int]) -> tuple[str, dict[str, Any]]:
    """Return an explanation of a Gogen's solutions, as text and as data for JSON.

    The named relations of the model are the words and the given letters; `places` has the cells of the given letters.
    """
    answers = _solutions(model)
    some = 0 < len(answers) < MOST
    data: dict[str, Any] = {
        "solutions": len(answers),
        "unique": len(answers) == 1,
        "solution": _line(answers[0]) if answers else None,
        "conflict": list(conflict(model) or ()) if not answers else None,
        "words": [_without(model, word, len(answers)) for word in words if some],
        "letters": [_forced(model, letter, answers) for letter in LETTERS if some and letter not in places],
    }
    return "\n".join(_lines(data)) + "\n", data


def _solutions(model: Constraints) -> Solutions:
    return [{name: str(value) for name, value in each.items()} for each in islice(solutions(model), MOST)]


def _line(solution: Mapping[str, str]) -> str:
    letters = {NUMBERS[name]: letter for letter, name in solution.items()}
    rows = ["".join([letters[row * SIDE + column] for column in range(SIDE)]) for row in range(SIDE)]
    return "/".join(rows)


def _without(model: Constraints, word: str, with_it: int) -> dict[str, Any]:
    others = model.with_relations([relation for relation in model.relations if relation.name != word])
    number = len(_solutions(others))
    return {"word": word, "solutions_without": number, "redundant": number == with_it}


def _forced(model: Constraints, letter: str, answers: Solutions) -> dict[str, Any]:
    """Return the possible cells of a letter; if there is only one, also the neighbours in words that force it."""
    cells = sorted({each[letter] for each in answers})
    because: list[str] | None = None
    if len(cells) == 1:
        elsewhere = {**model.domains, letter: tuple(name for name in NAMES if name not in cells)}
        because = list(conflict(Constraints(elsewhere, model.relations)) or ())
    return {"letter": letter, "cells": cells, "because": because}


def _lines(data: Mapping[str, Any]) -> list[str]:
    """Convert the data of an explanation of a Gogen to lines of text."""
    number = data["solutions"]
    if not number:
        reason = "There is no solution. These contradict each other, and none of them could be left out:"
        return [reason, f"  {' '.join(data['conflict'])}"]
    if number == MOST:
        return [f"There are {MOST:,} solutions or more."]
    words, letters = map(_about_word, data["words"]), map(_about_letter, data["letters"])
    first = f"There is one solution: {data['solution']}" if number == 1 else f"There are {count(number, 'solution')}."
    return [first, "", "Solutions without a word:", *words, "", "What forces the letters:", *letters]


def _about_word(word: Mapping[str, Any]) -> str:
    number = word["solutions_without"]
    amount = f"{number:,}" if number < MOST else f"{MOST:,} or more"
    return f"  {word['word']}: {amount}{', so it is redundant' if word['redundant'] else ''}"


def _about_letter(letter: Mapping[str, Any]) -> str:
    if letter["because"] is None:
        return f"  {letter['letter']} is not forced: {' '.join(letter['cells'])}"
    because = " ".join(letter["because"]) or "it is the only cell left"
    return f"  {letter['letter']} in {letter['cells'][0]}: {because}"
