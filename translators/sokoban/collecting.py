"""Readers of collections of Sokoban levels, from `.xsb`, `.sok` and `.txt` files in various forms.

    Collection: Two small ones          above the first board: properties of the file

    ; 1                                 a title may be above its board, as a line of text or a comment,
    'The closet'                        or a number with a name
    #####
    #@$.#
    #####
    Author: somebody                    or below it, as `Title: ...`; so do its other properties
    Comment:
    several lines
    Comment-End:

    Solution                            then moves, which may be on several lines and have runs: 2rU
    R

Lists of mazes with walls `X` (`Maze: 1`, or without any `#` and `$`), as for XSokoban's relatives, are translated;
`.slc` files are XML (`files.py`).

The form is described in the Sokoban Wiki (pages "Level format" and "Sok format"), whose files leave open whether a line
belongs to the board above it or below it. Here the file as a whole decides: properties belong to the board above if
any are below the last board; lines of text are titles of the board that they touch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from unpuzzle.model.collection import CollectedLevel, CollectedSolution, Collection, Place
from unpuzzle.translators.shared.text import Page
from unpuzzle.translators.sokoban.boards import SURE, board_of, boards_in, framed, likeness, solves, written_out

OF_COLLECTION = ("collection", "set")
"""Properties of a file, anywhere above its first board."""
CALLED = ("name", "maze", "level", "puzzle", "screen")
"""Properties that name a level without a title; all except the first give only a number."""
QUOTES = ("''", '""', "“”", "‘’", "«»", "„“", "``", "`'")

_MAZES = str.maketrans("X*&", "#$*")
_MAZE = re.compile(r"\s*Maze\s*[:#]?\s*[0-9]+\s*", re.IGNORECASE)
_MAZE_ROW = re.compile(r"[X*&.@+ \t\-_]+")


def read_levels(text: str) -> Collection:
    """Read a collection of levels from its text."""
    lines = [line.strip("\x1a") for line in Page(text).lines]  # the character 1A ends files of DOS
    if any(map(_MAZE.fullmatch, lines)) or {*"#$"}.isdisjoint(text):
        lines = [line.translate(_MAZES) if "X" in line and _MAZE_ROW.fullmatch(line) else line for line in lines]
    ends = comment_ends(lines)
    boards = _boards(lines, ends)
    read = [board_of(lines, rows) for rows in boards]
    starts, stops = [0, *[rows.stop for rows in boards]], [*[rows.start for rows in boards], len(lines)]
    places = [range(start, stop) for start, stop in zip(starts, stops, strict=True)]
    above = ["", *[board for board, _, _ in read]]
    gaps = [Gap(notes_in(lines, each, ends), each, board) for each, board in zip(places, above, strict=True)]
    gathered = _Gathered(gaps)
    levels = tuple([notes.level(*each) for each, notes in zip(read, gathered.levels, strict=True)])
    unread = tuple([(note.at + 1, lines[note.at].strip()) for gap in gaps for note in gap.notes if note.strange])
    return Collection(levels=levels, unread=unread, _text=text, **gathered.header.fields("title", *OF_COLLECTION))


def _boards(lines: Sequence[str], ends: Mapping[int, int]) -> list[range]:
    """Return the boards in a text, each as a range of lines; `ends` has the comments of several lines."""
    boards: list[range] = []
    at = unframed = 0
    while at < len(lines):
        if at in ends:
            at = ends[at] + 1
            continue
        found, unframed = framed(lines, at) if at >= unframed else ([], unframed)
        after = unframed
        if not found:
            found, after = boards_in(lines, at) if likeness(lines[at]) else ([], at + 1)
        boards += found
        at = after
    return boards


class LevelNotes:
    """The notes about one level, or about the whole file, collected while a file is read."""

    def __init__(self, *, of_file: bool = False) -> None:
        self.of_file = of_file  # then a solution, which belongs to no level, is a line of text
        self.comments: list[str] = []
        self.solutions: list[CollectedSolution] = []
        self.properties: list[tuple[str, str]] = []
        self.heading = ""
        self.end: tuple[int, int] | None = None  # the place of its first solution, or else of one of ours

    def add(self, note: Note) -> None:
        """Add a note to the comments, the properties or the solutions."""
        if note.kind in PROPERTIES:
            self.properties.append((note.name, note.lines[0]))
        elif note.kind != SOLUTION:
            self.comments += note.lines
        elif self.of_file:
            self.comments.append(f"{note.name or 'Solution'}: {note.lines[0]}")
        else:
            self.solutions.append(CollectedSolution(note.lines[0], note.name))

    def fields(self, *title_names: str) -> dict[str, Any]:
        """Return the notes as the fields of a level, or of a collection."""
        fields: dict[str, Any] = {"title": "", "author": ""}
        others: list[tuple[str, str]] = []
        for name, value in self.properties:
            kind = "title" if name.lower() in title_names else name.lower()
            if fields.get(kind) == "":
                fields[kind] = value
            elif value or kind != "title":
                others.append((name, value))
        named = {name.lower(): value for name, value in reversed(self.properties)}
        called = [value for name in CALLED if (value := named.get(name, ""))[:1].isdigit() or name == CALLED[0]]
        heading = [self.heading] if self.heading and fields["title"] else []
        fields["title"] = next(filter(None, [fields["title"], unquoted(self.heading), *called]), "")
        return fields | {"comments": (*heading, *self.comments), "properties": tuple(others)}

    def level(self, board: str, places: Sequence[Place], remarks: list[str], author: str = "") -> CollectedLevel:
        """Return the level with a board, remarks beside its rows, and these notes; `author` is the file's."""
        self.comments[:0] = remarks
        fields = self.fields("title") | {"solutions": tuple(self.solutions), "_end": self.end or (0, 0)}
        fields["author"] = fields["author"] or author
        return CollectedLevel(board=board, _places=tuple(places), **fields)


def unquoted(title: str) -> str:
    """Return a title without quotation marks around it."""
    return title[1:-1].strip() if len(title) > 2 and title[0] + title[-1] in QUOTES else title


class _Gathered:
    """The notes of a file, each assigned to a level or to the whole file."""

    def __init__(self, gaps: Sequence[Gap]) -> None:
        self.gaps = gaps
        self.header = LevelNotes(of_file=True)
        self.levels = [LevelNotes() for _ in gaps[1:]]
        # Properties belong to the board above them if there are any below the last board; but properties that name a
        # board may be above it, and the others below.
        *before, last = gaps
        self.named_above = all(gap.names_a_board for gap in before) and NAMING not in last.kinds
        self.below = not self.named_above and (last.has_property or not any(gap.has_property for gap in gaps))
        # There may be one title below each board, set apart or not, and no text above the first one.
        titled = all(len(gap.runs) == 1 and gap.title_in(gap.runs[0]) is not None for gap in gaps[1:])
        self.apart = titled and len(before) > 1 and not gaps[0].kinds.strip()
        lengths = {len(gap.runs[-1]) if gap.runs else 0 for gap in before}
        self.in_blocks = len(before) > 1 and len(lengths) == 1 and min(lengths) > 1 and not last.runs
        # Lines of text are titles of the board above if more touch it than the one below; a few are notes.
        above = sum(gap.kinds[:1] == TEXT for gap in gaps[1:])
        below = sum(gap.kinds[-1:] == TEXT for gap in before)
        ends = last.kinds[:1] == TEXT != gaps[0].kinds[-1:]
        self.titles_below = self.apart or (above + ends > below and 2 * above > len(before))
        for number, gap in enumerate(gaps):
            self._give(number, gap)

    def _give(self, number: int, gap: Gap) -> None:
        """Assign the notes between two boards to the level above, to the level below, or to the file."""
        above = self.levels[number - 1] if number else self.header
        under = self.levels[number] if number < len(self.levels) else above
        title = self._title(number, gap)
        if title is not None:
            (above if self.titles_below else under).heading = gap.notes[title].lines[0]
        own = self._own(number, gap, title)
        for index, note in enumerate(gap.notes):
            of_file = number == 0 and note.kind in PROPERTIES and note.name.lower() in OF_COLLECTION
            if index != title:
                (under if index >= own and not of_file and note.kind != SOLUTION else above).add(note)
        # A solution of ours is put above the first one, or else below the notes on the level.
        end = gap.kinds.find(SOLUTION) if SOLUTION in gap.kinds else len(gap.kinds[:own].rstrip(BLANK + RULER))
        above.end = (gap.notes[end].at if end < len(gap.notes) else gap.places.stop) + 1, 0

    def _own(self, number: int, gap: Gap, title: int | None) -> int:
        """Return the index of the first note between two boards (in `gap`) that belongs to the board below."""
        block, end = gap.block, len(gap.kinds)
        if number == len(self.levels) or not block:
            return end
        start = gap.last_run.start
        hangs_below = number > 0 < start < block.stop - 1 and block.stop == end  # some lines of text that touch it
        texts = start if not self.titles_below and (title is not None or hangs_below) else end
        if self.below or not gap.has_property:
            return texts
        # Properties above the first of several boards are the file's if no others follow, or its title is below it.
        later = any(gap.has_property for gap in self.gaps[1:])
        titled = any(note.kind in PROPERTIES and note.name.lower() == "title" for note in self.gaps[1].notes[:1])
        alone = number == 0 and len(self.levels) > 1 and (titled or not later)
        all_above = number > 0 and gap.kinds[0] != BLANK and block.stop < end and not self.named_above
        return texts if alone or all_above else min(texts, block.start)

    def _title(self, number: int, gap: Gap) -> int | None:
        """Return the index of the title among the notes between two boards; None if there is no title."""
        kinds, run = gap.kinds, gap.last_run
        if self.titles_below:
            first = len(kinds) - len(kinds.lstrip()) if self.apart else 0
            run = range(first, len(kinds) - len(kinds[first:].lstrip(TEXT)))
            return (gap.title_in(run) or first) if number and run else None
        set_apart = run.stop < len(kinds)
        if number == len(self.levels) or not run or (number and run[0] == 0 and set_apart):
            return None
        if number == 0 and len(self.levels) > 1 and set_apart and self._title(1, self.gaps[1]) is None:
            return None  # it is about the file, since the second board has no title above it either
        named = gap.title_in(run)
        return run[0] if named is None and self.in_blocks else named


# The text between the boards of a collection, as notes. Their kind is a letter, so that patterns find groups of them:
#
#     BLANK          a line without anything; it has no lines
#     PROPERTY       name, value: `Author: somebody`
#     NAMING         name, value: a property that names a board, such as `Title: The closet`
#     COMMENT        lines: `Comment:` ... `Comment-End:`, or `Comment: one line`
#     TEXT           line: `; a line`, `:: a line`, or any other one; it may be a title
#     RULER          line: without letters, or not understood
#     SAVED          line: of a saved game
#     SOLUTION       label, moves: `Solution`, and lines of moves below it; or a long line of moves alone
#
# Every line is in a note. A line that looks like more than text, but fits no other kind, is not understood: a
# heading of a solution without moves, moves without a heading, rows that are not a board, a comment that does not end.

BLANK, PROPERTY, NAMING, COMMENT, TEXT, RULER, SAVED, SOLUTION = " ", "p", "n", "c", "t", "r", "s", "m"
PROPERTIES = PROPERTY + NAMING
SHORTEST = 8
"""The fewest letters that count as moves without a heading: `dull` is a word."""
_COMMENT_END = re.compile(r"comment[-_ ]?end\s*:?", re.IGNORECASE)
_PROPERTY = re.compile(r"(date of last change|[A-Za-z][\w-]*(?: [\w/-]+){0,2})\s*:(?:\s+(.*))?", re.IGNORECASE)
_USUAL_PROPERTY = re.compile(r"(title|author|collection|set|comment|copyright|date|name):(.+)", re.IGNORECASE)
"""The pattern of usual properties, also without a blank behind the colon, as in an address `http://`."""
_NUMBER = re.compile(r"(?:(?:level|maze|puzzle|screen|no\.?|nr\.?)\s*|#\s*)?[0-9]+\s*[.:)]?", re.IGNORECASE)
"""The pattern of a number alone above or below a board, perhaps with a name."""
_BY = re.compile(r"(?:by|author|copyright|\(c\)|©)\b", re.IGNORECASE)
_MOVES = re.compile(r"[lurdLURD0-9() \t]*[lurdLURD][lurdLURD0-9() \t]*")
_HEADED_MOVES = re.compile(rf"(.+)[:=]({_MOVES.pattern})")
_SAVED_MOVES = re.compile(r"[lurdLURD0-9()\[\]{}* \t]*[lurdLURD\[][lurdLURD0-9()\[\]{}* \t]*")
"""The pattern of saved moves, perhaps in reverse mode with jumps `[..]`, and with a current position `*`."""
_HEADING = re.compile(r"(?:(?:[\w.'-]+\s+){0,3}?solution|lurd)\b.*", re.IGNORECASE)
_PLAIN_HEADING = re.compile(r"(?:(?:best|my|first|second)\s+)?solution\b\s*(?:[/(:=\[#0-9].*)?", re.IGNORECASE)
"""The pattern of a heading of a solution, not of a sentence with the word."""
_SAVED = re.compile(r"(?:\w+\s+){0,2}?(?:snapshot|saved?\s?games?)\b.*", re.IGNORECASE)
_FIGURES = re.compile(r"solution(?: \(moves [0-9]+(?:, pushes [0-9]+)?\))?", re.IGNORECASE)
"""Labels without information beyond the moves."""
_LETTERS = re.compile(r"[^\W\d_]{2}|[0-9]")


class Note(NamedTuple):
    """A note in a file of levels: its kind, its name or label, and its lines; `strange` marks an unclear one."""

    kind: str
    name: str
    lines: tuple[str, ...]
    at: int = 0
    strange: bool = False


class Gap:
    """The notes before the first board, between two boards, or after the last board.

    `kinds` has the letters of all notes, `runs` each group of adjacent lines of text; `last_run` is the one at the end,
    and `block` the last block of adjacent notes below all moves.
    """

    def __init__(self, notes: list[Note], places: range, board: str) -> None:
        kinds = "".join([note.kind for note in notes])
        for index in [run.start() for run in re.finditer("(?<![tr])[tr](?![tr])", kinds)]:
            text = notes[index].lines[0]
            if _MOVES.fullmatch(text) and solves(moves := _moves_at([text], 0, 1)[0], board):
                notes[index] = Note(SOLUTION, "", (moves,), notes[index].at)
        self.notes, self.places = notes, places
        self.kinds = kinds = "".join([note.kind for note in notes])
        self.has_property = not {*PROPERTIES, COMMENT}.isdisjoint(kinds)
        self.runs = [range(*run.span()) for run in re.finditer("t+", kinds)]
        stop = len(kinds.rstrip())
        self.last_run = range(len(kinds[:stop].rstrip(TEXT)), stop)
        self.block = range(max(map(kinds[:stop].rfind, (BLANK, SAVED, SOLUTION))) + 1, stop)
        hangs = places.start > 0 and self.block.start == 0 and stop < len(kinds)
        self.names_a_board = not hangs and NAMING in kinds[self.block.start : stop]

    def title_in(self, run: range) -> int | None:
        """Return the index of the title in a range of adjacent lines of text; None if there is no title."""
        texts = [self.notes[index].lines[0] for index in run]
        quoted = [index for index, text in zip(run, texts, strict=True) if unquoted(text) != text]
        if len(run) == 1 or quoted:
            return quoted[0] if quoted else run[0]
        is_named = len(run) == 2 and not _BY.match(texts[1])  # below its number
        return run[int(is_named)] if _NUMBER.fullmatch(texts[0]) else None


def comment_ends(lines: Sequence[str]) -> dict[int, int]:
    """Map the first line of each comment of several lines to its last line; lines count from 0."""
    ends: dict[int, int] = {}
    start, alone = None, False
    for index, line in enumerate(lines):
        word = line.strip().lower() if "omment" in line or "OMMENT" in line else ""
        if word.startswith("comment:"):
            start, alone = index, word != "comment:"
        elif start is not None and _COMMENT_END.fullmatch(word):
            ends[start] = index
            start = None
        elif start is not None and alone and likeness(line) == SURE:
            start = None  # the comment was one line
    return ends


def notes_in(lines: Sequence[str], places: range, ends: Mapping[int, int]) -> list[Note]:
    """Return the notes in a range of lines; `ends` maps the first line of a comment to its last line."""
    notes: list[Note] = []
    at, saved, unsure = places.start, False, places.start
    while at < places.stop:
        if at in ends:
            first, *inner = lines[at].strip()[len("comment:") :].strip(), *lines[at + 1 : ends[at]]
            hidden = any(likeness(line) == SURE and not {*"@+pP"}.isdisjoint(line) for line in inner)
            # A board in a comment makes it strange, since an end may be missing above the board.
            notes.append(Note(COMMENT, "", (first, *inner) if first else tuple(inner), at, hidden))
            at = ends[at] + 1
            continue
        text = lines[at].strip()
        # A saved game continues over empty lines and lines of moves, up to the next heading.
        is_saved = bool(_SAVED.fullmatch(text))
        heads = not is_saved and _HEADING.fullmatch(text)
        saved = is_saved or (saved and not heads and (not text or bool(_SAVED_MOVES.fullmatch(text))))
        found, after = [Note(SAVED, "", (text,), at) if saved and text else _note(text, at)], at + 1
        if heads:
            found, after = _solution_at(lines, range(at, places.stop), ends) or (found, after)
        elif not saved and at >= unsure:  # lines before `unsure` were too few for moves, with those above them
            moves, unsure = _moves_at(lines, at, places.stop)
            if len(moves) >= SHORTEST and moves[1:] != moves[1:].lower():
                found, after = [Note(SOLUTION, "", (moves,), at)], unsure
        notes += found
        at = after
    return notes


def _solution_at(lines: Sequence[str], places: range, ends: Mapping[int, int]) -> tuple[list[Note], int] | None:
    """Return the notes at the heading of a solution, and the line after its moves; None if no moves follow.

    The moves may be behind the last colon of the heading. Properties between it and the moves, such as the solver's
    name, come before the solution.
    """
    text, at = lines[places.start].strip(), places.start + 1
    match = _HEADED_MOVES.fullmatch(text)
    notes: list[Note] = []
    while not match and at < places.stop and not _MOVES.fullmatch(line := lines[at].strip()):
        note = _note(line, at)._replace(strange=False)
        is_own = note.kind in PROPERTIES and at not in ends and note.name.lower() != "title"
        if line and (not is_own or _HEADING.fullmatch(line)):
            return None
        notes += [note] if line else []
        at += 1
    if not match and at == places.stop:
        return None
    label, first = match.groups() if match else (text, "")
    moves, after = _moves_at(lines, at, places.stop, first)
    label = label.strip().rstrip(":=").rstrip()
    return [*notes, Note(SOLUTION, "" if _FIGURES.fullmatch(label) else label, (moves,), places.start)], after


def _moves_at(lines: Sequence[str], at: int, stop: int, first: str = "") -> tuple[str, int]:
    """Return the moves in the lines from an index, with repetitions written out, and the index after them."""
    moves = [*takewhile(_MOVES.fullmatch, map(lines.__getitem__, range(at, stop)))]
    return written_out("".join("".join([first, *moves]).split()))[0], at + len(moves)


def _note(text: str, at: int) -> Note:
    """Return the note in a line; it is marked as `strange` if it resembles moves or a row of a board."""
    if not text:
        return Note(BLANK, "", (), at)
    match = _PROPERTY.fullmatch(text) or _USUAL_PROPERTY.fullmatch(text)
    strange = bool(_COMMENT_END.fullmatch(text) or _PLAIN_HEADING.fullmatch(text))
    if match and not _NUMBER.fullmatch(match[1]):
        name, value = match[1], match[2] or ""
        if name.lower() == "comment" and value:
            return Note(COMMENT, "", (value,), at)
        kind = NAMING if name.lower() in ("title", *CALLED) else PROPERTY
        return Note(kind, name, (value,), at, strange or name.lower() == "comment")
    if text[0] in ";:":
        text = text.lstrip(text[0]).strip()
    elif _MOVES.fullmatch(text):
        strange |= text[1:] != text[1:].lower() and (text != text.upper() or "U" not in text)
    elif likeness(text) == SURE:
        strange |= len({*text}) > 1
    else:
        strange |= not _LETTERS.search(text) and len({*text} - {" "}) > 2
    return Note(RULER if strange or not any(map(str.isalnum, text)) else TEXT, "", (text,), at, strange)
