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
from collections.abc import Iterable, Sequence
from typing import Any

from unpuzzle.model.collection import CollectedLevel, CollectedSolution, Collection
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


def read_text_collection(text: str) -> Collection:
    """Read a collection of levels from its text."""
    lines: Sequence[str] = Page(text).lines
    if any(map(_MAZE.fullmatch, lines)) or {*"#$"}.isdisjoint(text):
        lines = [line.translate(_MAZES) if "X" in line and _MAZE_ROW.fullmatch(line) else line for line in lines]
    boards, gaps = _split(lines)
    read = [board_of(lines, rows) for rows in boards]
    for (board, *_), gap in zip(read, gaps[1:], strict=True):
        gap.find_solution(board)
    gathered = _Gathered(gaps)
    levels = []
    for rows, (board, places, remarks), notes in zip(boards, read, gathered.levels, strict=True):
        notes.comments[:0] = remarks
        end = (notes.end or rows.stop) + 1, 0
        levels.append(CollectedLevel(board=board, _places=places, _end=end, **notes.fields("title")))
    unread = tuple([(at + 1, lines[at].strip()) for gap in gaps for at in gap.unread])
    header = gathered.header.fields("title", *OF_COLLECTION)
    return Collection(levels=tuple(levels), unread=unread, _text=text, **header)


def _split(lines: Sequence[str]) -> tuple[list[range], list[Gap]]:
    """Return the boards in a text, and the notes before, between and after them."""
    boards: list[range] = []
    ends = comment_ends(lines)
    at = unframed = 0
    while at < len(lines):
        is_board = False
        if at >= unframed and at not in ends:
            is_board, unframed = framed(lines, at)
        if is_board:
            boards.append(range(at, unframed))
            at = unframed
        elif at not in ends and likeness(lines[at]):
            found, at = boards_in(lines, at)
            boards += found
        else:
            at = ends.get(at, at) + 1
    starts = [0, *[rows.stop for rows in boards]]
    stops = [*[rows.start for rows in boards], len(lines)]
    return boards, [gap_of(lines, range(*places), ends) for places in zip(starts, stops, strict=True)]


class LevelNotes:
    """The notes about one level, or about the whole file, collected while a file is read."""

    def __init__(self, *, of_file: bool = False) -> None:
        self.of_file = of_file  # then a solution, which belongs to no level, is a line of text
        self.comments: list[str] = []
        self.solutions: list[CollectedSolution] = []
        self.properties: list[tuple[str, str]] = []
        self.heading = ""
        self.end = 0

    def add(self, note: Note) -> None:
        """Add a note to the comments, the properties or the solutions."""
        kind, name, value = note
        if kind == COMMENT:
            self.comments += value
        elif kind in PROPERTIES:
            self.properties.append((name, str(value)))
        elif kind == SOLUTION and not self.of_file:
            self.solutions.append(CollectedSolution(str(value), name))
        elif kind != BLANK:
            self.comments.append(f"{name or 'Solution'}: {value}" if kind == SOLUTION else str(value))

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
        called = [named.get(name, "") for name in CALLED]  # such as `Maze: 1`
        called[1:] = [value for value in called[1:] if value[:1].isdigit()]
        heading = [self.heading] if self.heading and fields["title"] else []
        fields["title"] = next(filter(None, [fields["title"], unquoted(self.heading), *called]), "")
        fields |= {"comments": (*heading, *self.comments), "properties": tuple(others)}
        return fields | ({"solutions": tuple(self.solutions)} if self.solutions else {})


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
        named = all(gap.names_a_board() for gap in before)
        self.named_above = named and "n" not in last.kinds
        self.below = not self.named_above and (last.has_property() or not any(gap.has_property() for gap in gaps))
        # There may be one title below each board, set apart or not, and no text above the first one.
        titled = [len(runs) == 1 and _named(gap, *runs) is not None for gap in gaps[1:] for runs in [gap.runs()]]
        self.apart = len(titled) > 1 and all(titled) and not gaps[0].kinds.strip()
        lengths = {len(gap.runs()[-1]) if gap.runs() else 0 for gap in before}
        self.in_blocks = len(before) > 1 and len(lengths) == 1 and min(lengths) > 1 and not last.runs()
        # Lines of text are titles of the board above if more touch it than the one below; a few are notes.
        above = sum(gap.kinds[:1] == "t" for gap in gaps[1:])
        below = sum(gap.kinds[-1:] == "t" for gap in before)
        ends = last.kinds[:1] == "t" != gaps[0].kinds[-1:]
        follow = above > below or (above == below and ends)
        self.titles_below = self.apart or (follow and 2 * above > len(before))
        for number, gap in enumerate(gaps):
            self._give(number, gap)

    def _give(self, number: int, gap: Gap) -> None:
        """Assign the notes between two boards to the level above, to the level below, or to the file."""
        above = self.levels[number - 1] if number else self.header
        under = self.levels[number] if number < len(self.levels) else above
        title = self._title(number, gap)
        if title is not None:
            (above if self.titles_below else under).heading = str(gap.notes[title][2])
        own = self._own(number, gap, title)
        for index, (note, line_after) in enumerate(zip(gap.notes, [*gap.lines[1:], gap.places.stop], strict=False)):
            kind, name, _ = note
            of_file = number == 0 and kind in PROPERTIES and name.lower() in OF_COLLECTION
            about = under if index >= own and not of_file and kind != SOLUTION else above
            if about is above and gap.kinds[index] not in " r":
                above.end = line_after
            if index != title:
                about.add(note)
        above.end = next((at for at, kind in zip(gap.lines, gap.kinds, strict=True) if kind == SOLUTION), above.end)

    def _own(self, number: int, gap: Gap, title: int | None) -> int:
        """Return the index of the first of the notes between two boards that is about the board below."""
        block, end = gap.last_block(), len(gap.kinds)
        if number == len(self.levels) or not block:
            return end
        texts, start = end, gap.start_of_run(block.stop if title is None else title)
        hangs_below = number > 0 < start < block.stop - 1 and block.stop == end  # some lines of text that touch it
        if not self.titles_below and (title is not None or hangs_below):
            texts = max(start, gap.after_moves())
        if self.below or not gap.has_property():
            return texts
        # Properties above the first of several boards are the file's if no others follow, or its title is below it.
        later = any(gap.has_property() for gap in self.gaps[1:])
        titled = any(kind in PROPERTIES and name.lower() == "title" for kind, name, _ in self.gaps[1].notes[:1])
        alone = number == 0 and len(self.levels) > 1 and (titled or not later)
        all_above = number > 0 and gap.kinds[0] != " " and block.stop < end and not self.named_above
        return texts if alone or all_above else min(texts, block.start)

    def _title(self, number: int, gap: Gap) -> int | None:
        """Return the index of the title among the notes between two boards; None if there is no title."""
        kinds = gap.kinds
        if self.titles_below:
            first = len(kinds) - len(kinds.lstrip()) if self.apart else 0
            run = range(first, len(kinds) - len(kinds[first:].lstrip("t")))
            return (_named(gap, run) or first) if number and run else None
        stop = len(kinds.rstrip())
        run = range(gap.start_of_run(stop), stop)
        if number == len(self.levels) or not run or (number and run[0] == 0 and stop < len(kinds)):
            return None
        if number == 0 and len(self.levels) > 1 and stop < len(kinds) and self._title(1, self.gaps[1]) is None:
            return None  # it is about the file, since the second board has no title above it either
        named = _named(gap, run)
        return run[0] if named is None and self.in_blocks else named


def _named(gap: Gap, run: range) -> int | None:
    """Return the index of the title in a range of adjacent lines of text; None if there is no title."""
    texts = [str(gap.notes[index][2]) for index in run]
    quoted = [index for index, text in zip(run, texts, strict=True) if unquoted(text) != text]
    if len(run) == 1 or quoted:
        return quoted[0] if quoted else run[0]
    if not _NUMBER.fullmatch(texts[0]):
        return None
    return run[1] if len(run) == 2 and not _BY.match(texts[1]) else run[0]


# The text between the boards of a collection, as notes: titles, properties, comments, solutions.
#
# A note is a tuple (kind, name, value); its kind is a letter, so that patterns find groups of notes:
#
#     BLANK          a line without anything
#     PROPERTY       name, value: `Author: somebody`
#     NAMING         name, value: a property that names a board, such as `Title: The closet`
#     COMMENT        "", lines: `Comment:` ... `Comment-End:`, or `Comment: one line`
#     TEXT           "", line: `; a line`, `:: a line`, or any other one; it may be a title
#     RULER          "", line: without letters, or not understood
#     SAVED          "", line: of a saved game
#     SOLUTION       label, moves: `Solution`, and lines of moves below it; or a long line of moves alone
#
# Every line is in a note. A line that looks like more than text, but fits no other kind, is not understood: a
# heading of a solution without moves, moves without a heading, rows that are not a board, a comment that does not end.

Note = tuple[str, str, "str | tuple[str, ...]"]
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


class Gap:
    """The notes before the first board, between two boards, or after the last board.

    `lines` has the index of each note's first line, `unread` the indices of lines that are not understood, and `kinds`
    the letters of all notes.
    """

    def __init__(self, places: range) -> None:
        self.places = places
        self.notes: list[Note] = []
        self.lines: list[int] = []
        self.unread: list[int] = []
        self.kinds = ""

    def add(self, note: Note, line: int, *, strange: bool = False) -> None:
        is_ruler = note[0] == TEXT and (strange or not any(map(str.isalnum, note[2])))
        self.notes.append((RULER, *note[1:]) if is_ruler else note)
        self.lines.append(line)
        self.unread += [line] if strange else []

    def find_solution(self, board: str) -> None:
        """Turn a line of text below a board into a solution, if its moves solve the board."""
        for index in [run.start() for run in re.finditer("(?<![tr])[tr](?![tr])", self.kinds)]:
            text = str(self.notes[index][2])
            if _MOVES.fullmatch(text) and solves(moves := _joined([text]), board):
                self.notes[index] = SOLUTION, "", moves
                self.unread = [line for line in self.unread if line != self.lines[index]]
                self.kinds = f"{self.kinds[:index]}m{self.kinds[index + 1 :]}"

    def has_property(self) -> bool:
        return not {*PROPERTIES, COMMENT}.isdisjoint(self.kinds)

    def start_of_run(self, stop: int) -> int:
        """Return the index of the first line of the adjacent text lines that end before the index `stop`."""
        return len(self.kinds[:stop].rstrip("t"))

    def runs(self) -> list[range]:
        """Return each group of adjacent text lines as a range."""
        return [range(*run.span()) for run in re.finditer("t+", self.kinds)]

    def after_moves(self) -> int:
        """Return the index after the last solution or saved game among the notes."""
        return max(map(self.kinds.rfind, "ms")) + 1

    def last_block(self) -> range:
        """Return the last block of adjacent notes below all moves, as a range."""
        stop = len(self.kinds.rstrip())
        return range(max(self.kinds.rfind(" ", 0, stop) + 1, self.after_moves()), stop)

    def names_a_board(self) -> bool:
        """Return whether the last block of notes has a property that is the name of the board below it."""
        block = self.last_block()
        hangs = self.places.start > 0 and block.start == 0 and block.stop < len(self.kinds)
        return not hangs and "n" in self.kinds[block.start : block.stop]


def comment_ends(lines: Sequence[str]) -> dict[int, int]:
    """Return the last line of each comment of several lines, by its first line; both count from 0."""
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


def gap_of(lines: Sequence[str], places: range, ends: dict[int, int]) -> Gap:
    """Return the notes in a range of lines; `ends` maps the first line of a comment to its last line."""
    gap = Gap(places)
    at, saved, unsure = places.start, False, places.start
    while at < places.stop:
        if at in ends:
            first, *inner = lines[at].strip()[len("comment:") :].strip(), *lines[at + 1 : ends[at]]
            hidden = any(likeness(line) == SURE and not {*"@+pP"}.isdisjoint(line) for line in inner)
            # A board in a comment makes it strange, since an end may be missing above the board.
            gap.add((COMMENT, "", (first, *inner) if first else tuple(inner)), at, strange=hidden)
            at = ends[at] + 1
            continue
        text = _stripped(lines[at])
        # A saved game continues over empty lines and lines of moves, up to the next heading.
        is_saved = bool(_SAVED.fullmatch(text))
        heads = not is_saved and is_heading(text)
        saved = is_saved or (saved and not heads and (not text or bool(_SAVED_MOVES.fullmatch(text))))
        after = at
        if heads:
            after = _add_solution(gap, lines, range(at, places.stop), ends)
        elif not saved and at >= unsure:  # lines before `unsure` were too few for moves, with those above them
            unsure = _end_of_moves(lines, at, places.stop)
            moves = _joined(lines[at:unsure])
            if len(moves) >= SHORTEST and moves[1:] != moves[1:].lower():
                gap.add((SOLUTION, "", moves), at)
                after = unsure
        if after == at and saved and text:
            gap.add((SAVED, "", text), at)
        elif after == at:
            note = _note(text)
            gap.add(note, at, strange=_is_strange(note, text))
        at = max(after, at + 1)
    gap.kinds = "".join([kind for kind, _, _ in gap.notes])
    return gap


def _stripped(line: str) -> str:
    return line.strip().strip("\x1a")  # the character 1A ends files of DOS


def is_heading(text: str) -> bool:
    """Return whether a line is the heading of a solution; this is so only if moves follow."""
    return _HEADING.fullmatch(text) is not None


def _add_solution(gap: Gap, lines: Sequence[str], places: range, ends: dict[int, int]) -> int:
    """Add the solution below a heading, and return the line after it; without moves, the heading's own line.

    The moves may be behind the last colon of the heading. Properties between it and the moves, such as the solver's
    name, come before the solution.
    """
    text = _stripped(lines[places.start])
    if match := _HEADED_MOVES.fullmatch(text):
        after = _end_of_moves(lines, places.start + 1, places.stop)
        gap.add(_solution(match[1], [match[2], *lines[places.start + 1 : after]]), places.start)
        return after
    own: list[tuple[Note, int]] = []
    for at in range(places.start + 1, places.stop):
        line = _stripped(lines[at])
        if _MOVES.fullmatch(line):
            after = _end_of_moves(lines, at, places.stop)
            for note, place in [*own, (_solution(text, lines[at:after]), places.start)]:
                gap.add(note, place)
            return after
        note = _note(line)
        if line and (note[0] not in PROPERTIES or at in ends or is_heading(line) or note[1].lower() == "title"):
            break
        own += [(note, at)] if line else []
    return places.start


def _solution(label: str, lines: Iterable[str]) -> Note:
    label = label.strip().rstrip(":=").rstrip()
    return SOLUTION, "" if _FIGURES.fullmatch(label) else label, _joined(lines)


def _end_of_moves(lines: Sequence[str], at: int, stop: int) -> int:
    while at < stop and _MOVES.fullmatch(lines[at].strip("\x1a")):
        at += 1
    return at


def _joined(lines: Iterable[str]) -> str:
    """Return moves from several lines as one text, with repetitions written out."""
    return written_out("".join("".join(lines).replace("\x1a", "").split()))[0]


def _is_strange(note: Note, text: str) -> bool:
    """Return whether a line may be moves, or a row of a board, but was not recognised as such."""
    if note[1].lower() == "comment" or _COMMENT_END.fullmatch(text) or _PLAIN_HEADING.fullmatch(text):
        return True
    if note[0] != TEXT or text[0] in ";:":
        return False
    if _MOVES.fullmatch(text):
        return text[1:] != text[1:].lower() and (text != text.upper() or "U" not in text)
    if likeness(text) == SURE:
        return len({*text}) > 1
    return not _LETTERS.search(text) and len({*text} - {" "}) > 2


def _note(text: str) -> Note:
    """Return the note in a line: its kind, the name of its property, and its text."""
    if not text:
        return BLANK, "", ""
    if text[0] in ";:":
        return TEXT, "", text.lstrip(text[0]).strip()
    match = _PROPERTY.fullmatch(text) or _USUAL_PROPERTY.fullmatch(text)
    if match is None or _NUMBER.fullmatch(match[1]):
        return TEXT, "", text
    name, value = match[1], match[2] or ""
    if name.lower() == "comment" and value:
        return COMMENT, "", (value,)
    return NAMING if name.lower() in ("title", *CALLED) else PROPERTY, name, value
