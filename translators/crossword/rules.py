"""A crossword with candidate lists: there are ten or so words for each slot, and crossing words must agree.

    {"grid": ["..#", "...", "#.."],                            `.` empty, `#` a block, or a letter that is given
     "horizontal_answers": [["AT", "IT"], ["TOE"], ["NO"]],    candidates of the words across, by their numbers
     "vertical_answers": [["AT"], ["TON", "TOO"], ["EO"]]}     and of the words down

A move writes a candidate into its slot, such as `1A=AT`, if it agrees with the letters there and fills an empty cell.
It is solved when no cell is empty and every slot reads one of its candidates. Published lists have candidates that fit
nowhere, with a wrong length or signs other than letters: a warning names them, and they are never written.

The text of a level is one JSON object, the shape in which such games are published.

    grid                 rows of `.` empty, `#` block, or letters; by default five rows of five, all empty
    horizontal_answers   lists of candidates of the words across, in the order of their numbers
    vertical_answers     and of the words down
    clues_across, clues_down, solution    optional; kept, but ignored by moves
    bars, circles, rebus, title, ...      optional; see `grid_text`

Other keys are ignored. Letters may be in any case, and are written in upper case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain
from random import Random
from typing import Any, ClassVar, Self
from unicodedata import category, normalize
from warnings import warn_explicit

from unpuzzle.base.errors import IllegalMove, UnpuzzleError, UnsupportedFeature
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, shorten, suggestion
from unpuzzle.constraints import Constraints, Relation
from unpuzzle.drawing import Circle, Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.model.capabilities import Constrained, ForComponents, Generating, HasHeuristics, Overwriting, Pictured
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Option
from unpuzzle.model.position import Puzzle
from unpuzzle.translators.crossword import files, grid_text
from unpuzzle.translators.crossword.grid_text import JsonDocument, game_of, level_text
from unpuzzle.translators.crossword.layout import (
    BAR_ABOVE,
    BAR_LEFT,
    BLOCK,
    EMPTY,
    CrosswordLayout,
    Slot,
    alphabets_of,
    by_direction,
    cell_names,
    cover,
    fits,
    rows_of,
    starts,
    upper,
)
from unpuzzle.translators.crossword.making import OPTIONS, open_level, random_level, sample_level
from unpuzzle.translators.shared.text import levels_beside

Facts = list[tuple[str, ...]]
MOST_NAMED = 8
"""The number of misfits named in a warning besides the first."""
LONGEST_LINE = 200
"""The longest line, in characters, that a warning shows."""
INSIDE = 3
"""Characters of a cell between its lines: numbers have up to three digits."""


# Positions of letters in a grid with numbered slots: the common part of crosswords with candidates and with clues.


def _write(ending: str, position: LetterGrid) -> bytes:
    """Return a crossword as the bytes of a file. Raises UnsupportedFeature if it needs lists of candidates."""
    layout, letters = position.layout, position.letters
    if EMPTY in letters and layout.lists:
        message = f"a file {ending} cannot contain lists of candidates"
        raise UnsupportedFeature(message, feature="candidates")
    if ending == ".xd" and EMPTY not in letters and (position.solved() or layout.solution == letters):
        layout, letters = layout.replace(solution=letters), layout.blocks
    return files.write_file(ending, layout, letters)


class LetterGrid(Puzzle, Pictured, ForComponents):
    """A position: a layout, and the letters in its grid, row by row; `.` is an empty cell, `#` a block."""

    __slots__ = ("layout", "letters")

    one_letter_moves = False
    formats: ClassVar[Mapping[str, Callable[[bytes, str], str]]] = {".puz": files.puz_level}
    writers: ClassVar[Mapping[str, Callable[[Any], bytes]]] = {
        ending: partial(_write, ending) for ending in files.FORMATS
    }

    def __init__(self, layout: CrosswordLayout, letters: str) -> None:
        self.layout: CrosswordLayout = layout
        self.letters: str = letters

    def _key(self) -> Hashable:
        return self.letters, self.layout

    def __str__(self) -> str:
        return level_text(self.layout, self.letters)

    @classmethod
    def reads(cls, text: str) -> bool:
        """Return whether a text in any known format is a level of this game."""
        try:
            return game_of(JsonDocument(files.as_level(text)).value) == cls.name
        except UnpuzzleError:
            return False

    def rows(self) -> list[str]:
        return rows_of(self.letters, self.layout.columns)

    def own_answer(self) -> Self | None:
        solution = self.layout.solution
        return type(self)(self.layout, solution) if solution and EMPTY not in solution else None

    def line(self) -> str:
        return "/".join(self.rows())

    def plain(self) -> list[list[str | None]]:
        """Return rows of letters; None is an empty cell, `#` a block."""
        return [[None if letter == EMPTY else letter for letter in row] for row in self.rows()]

    def ground(self) -> Ground:
        return ground(self.layout, self.layout.letters.union(self.letters))

    def pieces(self) -> list[Piece]:
        rows = enumerate(self.rows())
        cells = [(letter, row, column, letter) for row, cells in rows for column, letter in enumerate(cells)]
        return [cell for cell in cells if cell[0] not in (BLOCK, EMPTY)]

    def notes(self) -> list[tuple[str, list[str]]]:
        """Return the clues across and down with their numbers; a direction without clues has hints in their place."""
        notes, clue_of = [], self.layout.clue_of
        for way, slots in zip(grid_text.WAYS.values(), by_direction(self.layout.slots), strict=True):
            texts = [clue_of[slot.name] for slot in slots]
            lines = zip(slots, texts if any(texts) else map(self.hint, slots), strict=True)
            notes.append((way, [f"{slot.number}  {line}" for slot, line in lines]))
        return notes

    def hint(self, slot: Slot) -> str:
        """Return a hint to print for a slot without a clue."""
        return ""


# A crossword's picture: numbers in the corners, letters below them, blocks black; bars are thick lines.
#
# +---+---+
# |1  |███|
# | A |███|
# +---+---+


@lru_cache(maxsize=32)
def ground(layout: CrosswordLayout, letters: frozenset[str] = frozenset()) -> Ground:
    """Return the background picture, the empty grid, with the drawings of usual letters and of `letters`."""
    blocks, columns = layout.blocks, layout.columns
    rows = len(blocks) // columns
    lines = [[(0, r), (columns, r)] for r in range(1, rows)] + [[(c, 0), (c, rows)] for c in range(1, columns)]
    shapes: list[Shape] = [Rect(0, 0, columns, rows, fill="floor"), Path(*lines, line="edge", thick=0.03)]
    cells = [(i % columns, i // columns) for i in range(len(blocks))]
    shapes += [Rect(*cell, 1, 1, fill="edge") for cell, sign in zip(cells, blocks, strict=True) if sign == BLOCK]
    for (x, y), sign in zip(cells, layout.circles, strict=False):
        shapes += [Circle(x + 0.5, y + 0.5, 0.47, line="edge", thick=0.03)] if sign != EMPTY else []
    bars = list(zip(cells, layout.bars, strict=False))
    thick = [[(x, y), (x, y + 1)] for (x, y), sign in bars if sign in BAR_LEFT]
    thick += [[(x, y), (x + 1, y)] for (x, y), sign in bars if sign in BAR_ABOVE]
    shapes += [Path(*thick, line="edge", thick=0.12)] if thick else []
    shapes.append(Rect(0, 0, columns, rows, 0.02, line="edge", thick=0.06))
    numbers = starts(layout.slots)
    shapes += [
        Text(cell % columns + 0.07 + 0.08 * len(str(number)), cell // columns + 0.18, str(number), 0.24)
        for cell, number in numbers.items()
    ]
    rebus = dict(layout.rebus)
    looks = LOOKS | {letter: _look(rebus.get(letter, letter)) for letter in sorted(letters - {BLOCK, EMPTY})}
    return Ground(rows, columns, looks, shapes, _text(layout, numbers), (3, INSIDE + 1), (1, 1), role="wall")


def _look(text: str) -> Look:
    """Return the drawing of a cell's text: a letter, or several letters (a rebus), shortened in terminals."""
    size = min(0.58, 1.4 / len(text))  # so that the text fits into the cell
    return Look(Text(0.53, 0.58, text, size), text=f"\n {text}" if len(text) == 1 else f"\n{text[:INSIDE]}", label=text)


LOOKS = {letter: _look(letter) for letter in map(chr, range(ord("A"), ord("Z") + 1))}


def _text(layout: CrosswordLayout, numbers: dict[int, int]) -> str:
    """Return the grid as text; a bar is a double line, and a circle a pair of parentheses."""
    blocks, columns = layout.blocks, layout.columns
    bars, circles = layout.bars or EMPTY * len(blocks), layout.circles or EMPTY * len(blocks)
    lines = []
    for start in range(0, len(blocks), columns):
        row = range(start, start + columns)
        lines.append("+" + "".join([("=" if bars[cell] in BAR_ABOVE else "-") * INSIDE + "+" for cell in row]))
        rings = ["( )" if circles[cell] != EMPTY else " " * INSIDE for cell in row]
        for insides in ([str(numbers.get(cell, "")).ljust(INSIDE) for cell in row], rings):
            cells = ["█" * INSIDE if blocks[cell] == BLOCK else text for cell, text in zip(row, insides, strict=True)]
            sides = ["‖" if bars[cell] in BAR_LEFT else "|" for cell in row]
            lines.append("".join([side + text for side, text in zip(sides, cells, strict=True)]) + "|")
    return "\n".join([*lines, "+" + ("-" * INSIDE + "+") * columns])


def _words_needed(position: Crossword) -> float:
    """Return the fewest slots that contain all empty cells; infinity if one of the slots has no fitting candidate."""
    if any(not position.fitting(slot) for slot in position.layout.slots):
        return float("inf")
    return len(cover(position.letters, position.layout.columns, position.layout.bars))


def _move_of(position: Crossword, slot: str, word: str) -> str:
    """Return the move that an action such as `(write across1 w-heart)` means. Raises ValueError for an unknown slot."""
    if not (name := re.fullmatch(r"(across|down)(\d+)", slot)):
        raise ValueError(slot)
    text = re.sub(r"U_([0-9A-F]+)_", lambda code: chr(int(code[1], 16)), word[2:].upper())
    return f"{int(name[2])}{name[1][0].upper()}={text}"


ABOUT_COVER = "the fewest slots that contain all empty cells; infinite if a slot has no candidate left"
COVER = Heuristic("cover", ABOUT_COVER, _words_needed, admissible=True, consistent=True)
"""A word removes one slot from any cover, so the estimate decreases by at most 1; slots without candidates stay so."""


class Crossword(LetterGrid, Generating, HasHeuristics, Constrained, Overwriting):
    """A position of a crossword in which each slot is filled with one of its candidate words."""

    __slots__ = ()

    name = "crossword"
    title = "Crossword with candidates: choose a word for each slot, so that all that cross agree"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    planner = "cp-sat"
    siblings: tuple[str, ...] = ("crossword-clues",)
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {"write": _move_of}
    heuristics: Mapping[str, Heuristic] = {"cover": COVER, "null": NULL}
    options: Mapping[str, Option] = OPTIONS

    def with_word(self, slot: Slot, word: str) -> Self:
        """Return the position with a word in a slot, overwriting its letters."""
        letters = list(self.letters)
        letters[slot.cells.start : slot.cells.stop : slot.cells.step] = word
        return type(self)(self.layout, "".join(letters))

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(*read_candidates(text, source))

    @classmethod
    def component_levels(cls, rng: Random) -> Iterator[Self]:
        """Yield random levels of 5x5 cells without blocks, as in publications, with up to three rows filled."""
        for filled_rows in (0, 3, 2, 3, 2, 3, 2):
            yield cls(*open_level(rng, filled_rows))

    def component_arguments(self) -> dict[str, object]:
        """Return the candidates of the words across and of the words down, in the order of the words' numbers."""
        pairs = zip(grid_text.CANDIDATE_KEYS, by_direction(self.layout.slots), strict=True)
        return {key: [list(self.layout.candidates[slot.name]) for slot in slots] for key, slots in pairs}

    def hint(self, slot: Slot) -> str:
        """Return the candidates of a slot in alphabetical order."""
        return ", ".join(sorted(self.layout.words[slot.name]))

    def fitting(self, slot: Slot) -> list[str]:
        """Return the candidates of a slot that agree with the letters in the slot, in the order of the list."""
        checkpoint()
        there = slot.read(self.letters)
        return [word for word in self.layout.words[slot.name] if agree(word, there)]

    def moves(self) -> tuple[str, ...]:
        open_slots = [slot for slot in self.layout.slots if EMPTY in slot.read(self.letters)]
        return tuple([f"{slot.name}={word}" for slot in open_slots for word in self.fitting(slot)])

    def apply(self, move: str) -> Self:
        name, _, word = move.partition("=")
        slot = next((slot for slot in self.layout.slots if slot.name == name), None)
        if slot is None:
            names = ", ".join(slot.name for slot in self.layout.slots)
            example = next((f"{name}={words[0]}" for name, words in self.layout.words.items() if words), "1A=WORD")
            message = f"{shorten(move)} does not name a slot, as in '{example}'; the slots are {names}"
            raise IllegalMove(message, move=move)
        there = slot.read(self.letters)
        if word not in self.layout.words[name]:
            names = ", ".join(self.layout.words[name]) or "none that fits"
            raise IllegalMove(f"{shorten(word)} is not a candidate of {name}; the candidates are: {names}", move=move)
        if EMPTY not in there:
            raise IllegalMove(f"the slot {name} is full: the word in this slot is {there}", move=move)
        if not agree(word, there):
            raise IllegalMove(f"the word {word} does not agree with the word {there} in the slot {name}", move=move)
        return self.with_word(slot, word)

    def solved(self) -> bool:
        slots, words = self.layout.slots, self.layout.words
        return EMPTY not in self.letters and all(slot.read(self.letters) in words[slot.name] for slot in slots)

    def impossible(self) -> str | None:
        dead = next((slot for slot in self.layout.slots if not self.fitting(slot)), None)
        if dead is None:
            return None
        if not self.layout.words[dead.name]:
            return f"no candidate of {dead.name} has {len(dead.cells)} letters"
        return f"no candidate of {dead.name} agrees with {dead.read(self.letters)}, which is there"

    def constraints(self) -> Constraints:
        """Return the constraints: the letters in the cells of each slot must form one of the slot's candidates."""
        names, words = self._names(), self.layout.words
        domains = {name: tuple(sorted(letters)) for name, letters in self._alphabets().items()}
        relations = [Relation("table", (name,), ((letter,),), f"{name}={letter}") for name, letter in self._filled()]
        for slot in self.layout.slots:
            cells = [names[cell] for cell in slot.cells]
            relations.append(Relation("table", cells, list(map(tuple, words[slot.name])), slot.name))
        return Constraints(domains, relations)

    def _filled(self) -> list[tuple[str, str]]:
        pairs = zip(self._names(), self.letters, strict=True)
        return [(name, letter) for name, letter in pairs if letter not in (BLOCK, EMPTY)]

    def _alphabets(self) -> dict[str, set[str]]:
        """Return the possible letters of each cell: letters of its slots' candidates, and the letter already there."""
        alphabets = alphabets_of(self.layout.slots, self.layout.words)
        cells = enumerate(zip(self._names(), self.letters, strict=True))
        return {name: alphabets.get(i, set()) | ({old} - {EMPTY}) for i, (name, old) in cells if old != BLOCK}

    def moves_to(self, solution: Mapping[str, Hashable]) -> list[str]:
        """Return moves for the words of a solution, as few words as possible, the words across first."""
        names, slots = self._names(), cover(self.letters, self.layout.columns, self.layout.bars)
        return [f"{slot.name}={''.join(str(solution[names[cell]]) for cell in slot.cells)}" for slot in slots]

    def writings(self, consistent: bool) -> Iterator[tuple[str, Self]]:
        """Yield a move and the position after it for each candidate that has its slot's length, with repetitions."""
        for slot in self.layout.slots:
            there = slot.read(self.letters)
            for word in self.layout.candidates[slot.name]:
                if fits(word, slot) and (not consistent or agree(word, there)):
                    yield f"{slot.name}={word}", self.with_word(slot, word)

    def moves_towards(self, end: Self) -> list[str]:
        return self.moves_to(dict(zip(end._names(), end.letters, strict=True)))

    def _names(self) -> list[str]:
        return cell_names(self.layout.columns, len(self.letters))

    def objects(self) -> dict[str, Iterable[str]]:
        words = dict.fromkeys(chain.from_iterable(self.layout.words.values()))
        alphabets = self._alphabets()
        letters = sorted(map(letter_name, set().union(*alphabets.values())))
        slots = map(object_of, self.layout.slots)
        return {"slot": slots, "word": map(word_name, words), "cell": alphabets, "letter": letters}

    def statics(self) -> Iterator[tuple[str, ...]]:
        names, words = self._names(), self.layout.words
        for slot in self.layout.slots:
            others = [other for other in self.layout.slots if other.across != slot.across]
            crossings = [(other, cell) for other in others for cell in other.cells if cell in slot.cells]
            yield from (("in", names[cell], object_of(slot)) for cell in slot.cells)
            yield from (("crosses", object_of(slot), object_of(other)) for other, _ in crossings)
            for word in words[slot.name]:
                pair = object_of(slot), word_name(word)
                for cell, letter in zip(slot.cells, word, strict=True):
                    yield "spells", *pair, names[cell], letter_name(letter)
                # Other candidates of the slot, and crossing words that disagree.
                clashes = [(slot, other) for other in words[slot.name] if other != word]
                for crossing, cell in crossings:
                    letter, place = word[slot.cells.index(cell)], crossing.cells.index(cell)
                    clashes += [(crossing, other) for other in words[crossing.name] if other[place] != letter]
                yield from (("clashes", *pair, object_of(other), word_name(clashing)) for other, clashing in clashes)

    def facts(self) -> Facts:
        cells = zip(self._names(), self.letters, strict=True)
        facts: Facts = [("empty", name) for name, letter in cells if letter == EMPTY]
        facts += [("has", name, letter_name(letter)) for name, letter in self._filled()]
        for slot in self.layout.slots:
            name = object_of(slot)
            facts += [] if EMPTY in slot.read(self.letters) else [("full", name)]
            facts += [("fits", name, word_name(word)) for word in self.fitting(slot)] or [("dead", name)]
        return facts

    def goal_condition(self) -> Facts:
        slots = [object_of(slot) for slot in self.layout.slots]
        return [*(("full", slot) for slot in slots), *(("not", "dead", slot) for slot in slots)]

    @classmethod
    def sample(cls, rng: Random) -> Self:
        return cls(*sample_level(rng))

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls(*random_level(rng, options))


def agree(word: str, there: str) -> bool:
    """Return whether a word agrees with the letters already in its slot, `there`, in which `.` is an empty cell."""
    return all(mine in (letter, EMPTY) or letter == EMPTY for letter, mine in zip(there, word, strict=True))


def object_of(slot: Slot) -> str:
    """Return the PDDL name of a slot, such as `across1` for `1A`, as PDDL names must begin with a letter."""
    return f"{'across' if slot.across else 'down'}{slot.name[:-1]}"


def word_name(word: str) -> str:
    """Return the PDDL name of a word, such as `w-heart`, as a word such as `and` is a keyword of PDDL."""
    return f"w-{''.join(map(letter_name, word))}"


def letter_name(letter: str) -> str:
    """Return the PDDL name of a letter: `a` for A, and for Ñ `u_d1_` with its code, as PDDL has only ASCII letters."""
    return letter.lower() if letter.isascii() and letter.isalpha() else f"u_{ord(letter):x}_"


class UnfitCandidate(UserWarning):
    """A warning that some candidates of a crossword fit nowhere; the game is played without them."""


def read_candidates(text: str, source: str | None = None) -> tuple[CrosswordLayout, str]:
    """Return a level's layout, and the letters in its grid, row by row. Raises ParseError with the mistake's place."""
    document, letters, layout = grid_text.read_level(text, source, "crossword")
    directions = by_direction(layout.slots)
    across, down = map(partial(_lists, document), grid_text.CANDIDATE_KEYS, directions)
    pairs = zip(grid_text.CLUE_KEYS, directions, strict=True)
    clues = tuple([clue for (_, key), slots in pairs for clue in _clues(document, key, slots)])
    layout = layout.replace(clues=clues if any(clues) else (), lists=(*across, *down))
    if source is not None:
        _warn_of_misfits(document, layout)
    return layout, letters


def _lists(document: JsonDocument, key: str, slots: list[Slot]) -> list[tuple[str, ...]]:
    if key not in document.value and slots:
        hint = suggestion(key, [name for name in document.value if name not in grid_text.CANDIDATE_KEYS])
        raise document.error(f'candidates are missing: there is no "{key}", a list of words for each slot{hint}')
    lists = document.require_list(key, slots, "list", "a list of lists of words")
    pairs = zip(lists, slots, strict=True)
    return [_list(document, words, slot, (key, number)) for number, (words, slot) in enumerate(pairs)]


def _list(document: JsonDocument, value: Any, slot: Slot, path: tuple[str, int]) -> tuple[str, ...]:
    """Return the candidates in a slot's list. Raises ParseError for an empty list."""
    words = document.require(list, value, path, f"the list of candidates of {slot.name}")
    if not words:
        raise document.error(f"the list of candidates of {slot.name} is empty", path)
    what = f"a word, for {slot.name}"
    texts = [document.require_text(word, (*path, number), "candidate", what) for number, word in enumerate(words)]
    for number, word in enumerate(texts):
        if any(category(letter)[0] == "M" for letter in normalize("NFC", word)):
            why = "has letters made of several characters, which is not supported"
            found = document.error(f"{shorten(word)}, a candidate of {slot.name}, {why}", (*path, number))
            feature = "letters of several characters"
            raise UnsupportedFeature(found.message, feature=feature, file=found.file, line=found.line)
    return tuple(map(upper, texts))


def _warn_of_misfits(document: JsonDocument, layout: CrosswordLayout) -> None:
    """Warn about candidates that fit nowhere: the first one with its place and the reason, then a few others."""
    misfits = [
        (slot, word, (key, place, number))
        for key, slots in zip(grid_text.CANDIDATE_KEYS, by_direction(layout.slots), strict=True)
        for place, slot in enumerate(slots)
        for number, word in enumerate(layout.candidates[slot.name])
        if not fits(word, slot)
    ]
    if misfits:
        (slot, word, path), *more = misfits
        others = [f"{shorten(other)} of {its_slot.name}" for its_slot, other, _ in more[:MOST_NAMED]]
        others += [f"{len(more) - MOST_NAMED} more"] if len(more) > MOST_NAMED else []
        nor = f"; nor do {', '.join(others)}" if others else ""
        what = f"{shorten(word)}, a candidate of {slot.name}, is not a word of {count(len(slot.cells), 'letter')}"
        found = document.error(f"{what} and fits nowhere{nor}", path)
        # Python would show all of a long line.
        place, line = (f" (line {found.line})", 0) if len(found.text or "") > LONGEST_LINE else ("", found.line or 1)
        warn_explicit(f"{found.message}{place}", UnfitCandidate, document.source or "", line)


def _clues(document: JsonDocument, key: str, slots: list[Slot]) -> list[str]:
    """Return the clues for the slots of one direction; empty ones if the level has none."""
    if key not in document.value:
        return [""] * len(slots)
    clues = enumerate(document.require_list(key, slots, "clue", "a list of clues"))
    return [document.require_text(clue, (key, number), "clue", "a clue, a text") for number, clue in clues]
