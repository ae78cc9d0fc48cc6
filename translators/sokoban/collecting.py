"""Collections of Sokoban: `.xsb`, `.sok` and `.txt` files, as their many authors write them.

    Collection: Two small ones          above the first board: properties of the file

    ; 1                                 a title may stand above its board, as a line of text or a comment
    #####
    #@$.#
    #####
    Author: somebody                    or below it, as `Title: ...`; so do its other properties
    Comment:
    several lines
    Comment-End:

    Solution                            then moves, which may be on several lines and have runs: 2rU
    R

Lists of mazes with walls `X` (`Maze: 1`), as for XSokoban's relatives, are translated; `.slc` files are read, too.

The form is that of the Sokoban Wiki (pages "Level format" and "Sok format"), whose files leave open whether a line
belongs to the board above it or below it. Here the file as a whole decides: properties belong to the board above if
any stand below the last board; lines of text are titles of the board that they touch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.collection import CollectedLevel, CollectedSolution, Collection
from unpuzzle.translators.shared.text import Page
from unpuzzle.translators.sokoban.boards import board_of, boards_in, framed_end, likeness, written_out

OF_COLLECTION = ("collection", "set")
"""Properties of a file, wherever they stand above its first board."""


_MAZES = str.maketrans("X*&", "#$*")
_MAZE = re.compile(r"\s*Maze:\s*[0-9]+\s*")


def read_collection(text: str) -> Collection:
    if text.lstrip().startswith("<"):
        return read_xml(text)
    lines: Sequence[str] = Page(text).lines
    if any(map(_MAZE.fullmatch, lines)):
        lines = [line.translate(_MAZES) if re.fullmatch(r"[X*&.@+ ]*X[X*&.@+ ]*", line) else line for line in lines]
    boards, gaps = _split(lines)
    gathered = _Gathered(gaps)
    levels = []
    for rows, notes in zip(boards, gathered.levels, strict=True):
        board, places = board_of(lines, rows)
        levels.append(CollectedLevel(board=board, _places=places, **notes.fields("title")))
    return Collection(levels=tuple(levels), **gathered.header.fields("title", *OF_COLLECTION))


def _split(lines: Sequence[str]) -> tuple[list[range], list[list[Note]]]:
    """Return the boards, and the notes before, between and after them: one list more."""
    boards: list[range] = []
    gaps: list[list[Note]] = []
    ends = comment_ends(lines)
    at = start = 0

    def close(end: int) -> None:
        blocks = [(begin - start, ends[begin] - start) for begin in range(start, end) if begin in ends]
        gaps.append(notes_of(lines[start:end], blocks))

    while at < len(lines):
        if at in ends:
            at = ends[at] + 1
        elif (end := framed_end(lines, at)) > at:
            close(at)
            boards.append(range(at, end))
            at = start = end
        elif not likeness(lines[at]):
            at += 1
        else:
            rows, at = boards_in(lines, at)
            for board in rows:
                close(board.start)
                boards.append(board)
                start = board.stop
    close(len(lines))
    return boards, gaps


class _Notes:
    """Notes on one level, or on the collection, while they are gathered."""

    def __init__(self) -> None:
        self.comments: list[str] = []
        self.solutions: list[CollectedSolution] = []
        self.properties: list[tuple[str, str]] = []
        self.heading = ""

    def add(self, note: Note) -> None:
        kind, name, value = note
        if kind == COMMENT:
            self.comments += value
        elif kind == PROPERTY:
            self.properties.append((name, str(value)))
        elif kind == SOLUTION:
            self.solutions.append(CollectedSolution(str(value), name))
        elif kind == TEXT:
            self.comments.append(str(value))

    def fields(self, *title_names: str) -> dict[str, Any]:
        """Return the fields of a level or a collection; of properties of a name the first one counts."""
        title, author = "", ""
        others: list[tuple[str, str]] = []
        for name, value in self.properties:
            if name.lower() in title_names and not title:
                title = value
            elif name.lower() == "author" and not author:
                author = value
            else:
                others.append((name, value))
        comments = self.comments
        if self.heading and title:
            comments = [self.heading, *comments]
        fields: dict[str, Any] = {"title": title or self.heading, "author": author, "comments": tuple(comments)}
        fields["properties"] = tuple([pair for pair in others if pair[1] or pair[0].lower() not in title_names])
        return fields | ({"solutions": tuple(self.solutions)} if self.solutions else {})


class _Gathered:
    """The notes of all gaps, given to the levels that they are about, or to the header."""

    def __init__(self, gaps: Sequence[list[Note]]) -> None:
        self.gaps = gaps
        self.header = _Notes()
        self.levels = [_Notes() for _ in gaps[1:]]
        # Properties belong to the board above them if there are any below the last board.
        self.below = _has_property(gaps[-1]) or not any(map(_has_property, gaps))
        self.titles_below = _titles_follow(gaps)
        for number, gap in enumerate(gaps):
            self._give(number, gap)

    def _above(self, number: int) -> _Notes:
        """Return the notes on the level above a gap."""
        return self.levels[number - 1] if number else self.header

    def _give(self, number: int, gap: list[Note]) -> None:
        above = self._above(number)
        under = self.levels[number] if number < len(self.levels) else above
        title = self._title(number, gap)
        if title is not None:
            (above if self.titles_below else under).heading = str(gap[title][2])
        own = self._own(number, gap)
        for index, note in enumerate(gap):
            of_file = number == 0 and note[0] == PROPERTY and note[1].lower() in OF_COLLECTION
            about = under if index >= own and not of_file and note[0] != SOLUTION else above
            if index != title:
                about.add(note if number or note[0] != SOLUTION else _without_board(note))

    def _own(self, number: int, gap: list[Note]) -> int:
        """Return the index of the first note in a gap that belongs to the level below it."""
        if self.below or number == len(self.levels):
            return len(gap)
        filled = [index for index, note in enumerate(gap) if note[0] != BLANK]
        if not filled:
            return len(gap)
        blanks = [index for index, note in enumerate(gap[: filled[-1]]) if note[0] == BLANK]
        alone = number == 0 and len(self.levels) > 1 and not any(map(_has_property, self.gaps[1:]))
        touches_above_alone = number > 0 and filled[0] == 0 and filled[-1] < len(gap) - 1
        if alone or touches_above_alone or not _has_property(gap):
            return len(gap)
        return blanks[-1] + 1 if blanks else 0

    def _title(self, number: int, gap: list[Note]) -> int | None:
        if self.titles_below:
            return 0 if number and gap and gap[0][0] == TEXT else None
        if number == len(self.levels):
            return None
        last = max([index for index, note in enumerate(gap) if note[0] not in (TEXT, BLANK)], default=-1)
        texts = [index for index in range(last + 1, len(gap)) if gap[index][0] == TEXT]
        if not texts or (len(texts) > 1 and gap[texts[-1] - 1][0] != BLANK):
            return None
        touches_above, touches_below = number > 0 and texts[-1] == 0, texts[-1] == len(gap) - 1
        if touches_above and not touches_below:
            return None
        of_file = number == 0 and len(self.levels) > 1 and not touches_below and not self._titled_later()
        return None if of_file else texts[-1]

    def _titled_later(self) -> bool:
        """Return whether the second level has its title above the board; then the first one may, too."""
        return self._title(1, self.gaps[1]) is not None


def _without_board(note: Note) -> Note:
    """Return a solution above the first board as a line of text, since it belongs to no level here."""
    return TEXT, "", f"{note[1] or 'Solution'}: {note[2]}"


def _has_property(gap: Sequence[Note]) -> bool:
    return any(note[0] in (PROPERTY, COMMENT) for note in gap)


def _titles_follow(gaps: Sequence[list[Note]]) -> bool:
    """Return whether lines of text are titles of the board above them: more touch that one than the one below."""
    above = sum([bool(gap) and gap[0][0] == TEXT for gap in gaps[1:]])
    below = sum([bool(gap) and gap[-1][0] == TEXT for gap in gaps[:-1]])
    first, last = gaps[0], gaps[-1]
    ends = bool(last) and last[0][0] == TEXT and not (first and first[-1][0] == TEXT)
    many = above > below or (above == below and ends)
    return many and 2 * above > len(gaps) - 1  # else they are notes


# Collections of Sokoban as XML: the `.slc` files of SokobanP and its relatives; rows of XSB in elements `L`.
#
# <SokobanLevels> <Title>..</Title> <Description>..</Description>
#   <LevelCollection Copyright="author"> <Level Id="title" Width="5" Height="3"> <L>#####</L> ...


def read_xml(text: str) -> Collection:
    """Return the levels. Raises ParseError for text that is not XML, or XML of another kind."""
    if "<!ENTITY" in text:
        raise ParseError("this XML declares entities, which are not read")
    try:
        root = ElementTree.fromstring(text.strip())  # noqa: S314  entities are refused
    except ElementTree.ParseError as error:
        line, column = error.position
        raise ParseError(f"this is not XML: {error}", line=line, column=column + 1) from None
    if root.tag != "SokobanLevels":
        raise ParseError(f"this XML is <{root.tag}>, not <SokobanLevels>: its levels are not read")
    levels = [_level(level, of) for of in root.iter() for level in of.findall("Level")]
    if not levels:
        raise ParseError("this XML has no <Level>")
    comments = [line.strip() for line in _text(root, "Description").splitlines()]
    named = [(name, _text(root, name)) for name in ("Email", "Url")]
    return Collection(
        title=_text(root, "Title"),
        comments=tuple(filter(None, comments)),
        levels=tuple(levels),
        properties=tuple([pair for pair in named if pair[1]]),
    )


def _text(element: Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _level(level: Element, of: Element) -> CollectedLevel:
    rows = [(row.text or "").rstrip() for row in level.iter("L")]
    author = level.get("Copyright") or of.get("Copyright") or ""
    return CollectedLevel(
        title=level.get("Id", "").strip(), author=author, board="".join(f"{row or '-'}\n" for row in rows)
    )


# The text between the boards of a collection, as notes: titles, properties, comments, solutions.
#
# A note is a tuple (kind, name, value):
#
#     BLANK                            lines without anything
#     PROPERTY   name, value           `Author: somebody`
#     COMMENT    "", lines             `Comment:` ... `Comment-End:`, or `Comment: one line`
#     TEXT       "", line              `; a line`, `:: a line` or any other one
#     SOLUTION   label, moves          `Solution`, and lines of moves below it; or a long line of moves alone

Note = tuple[str, str, "str | tuple[str, ...]"]


BLANK, PROPERTY, COMMENT, TEXT, SOLUTION = "blank", "property", "comment", "text", "solution"
COMMENT_END = "comment-end:"
SHORTEST = 8
"""The fewest letters that count as moves without a heading: `dull` is a word."""
PROPERTY_LINE = re.compile(r"\s*([A-Za-z][\w-]*(?: [\w/-]+){0,2})\s*:(?:\s+(.*?))?\s*")
_MOVES = re.compile(r"[lurdLURD0-9() \t]*[lurdLURD][lurdLURD0-9() \t]*")
_SOLUTION = re.compile(r"\s*((?:\w+\s+)?solution\b[^:]*?)\s*(?::\s*(.*?))?\s*", re.IGNORECASE)
_SAVED = re.compile(r"\s*(?:\w+\s+)?(?:snapshot|saved game)\b.*", re.IGNORECASE)
_FIGURES = re.compile(r"solution(?: \(moves [0-9]+(?:, pushes [0-9]+)?\))?", re.IGNORECASE)
"""Labels without information beyond the moves."""


def comment_ends(lines: Sequence[str]) -> dict[int, int]:
    """Return the first line of each comment of several lines, with its last line, by index."""
    ends, start = {}, None
    for index, line in enumerate(lines):
        word = line.strip().lower() if ":" in line else ""
        if word == "comment:":
            start = index
        elif word == COMMENT_END and start is not None:
            ends[start] = index
            start = None
    return ends


def notes_of(lines: Sequence[str], blocks: Iterable[tuple[int, int]]) -> list[Note]:
    """Return the notes in lines; `blocks` are the comments of several lines among them."""
    notes: list[Note] = []
    ends = dict(blocks)
    at, saved = 0, False
    while at < len(lines):
        line, end = lines[at], ends.get(at)
        if end is not None:
            notes.append((COMMENT, "", tuple(lines[at + 1 : end])))
            at = end + 1
            continue
        of_snapshot = saved and line.strip() and not _SOLUTION.fullmatch(line)
        solution, after = (None, at) if of_snapshot else _solution(lines, at)
        saved = bool(_SAVED.fullmatch(line)) or (saved and (not line.strip() or bool(_MOVES.fullmatch(line))))
        notes.append(solution or _note(line))
        at = after if solution else at + 1
    return notes


def _solution(lines: Sequence[str], at: int) -> tuple[Note | None, int]:
    """Return the solution that begins at a line, if one does, and the line after it."""
    heading = _SOLUTION.fullmatch(lines[at])
    if heading is None:
        after = _end_of_moves(lines, at)
        moves = _joined(lines[at:after])
        sure = len(moves) >= SHORTEST and moves != moves.lower() and moves[1:] != moves[1:].lower()
        return ((SOLUTION, "", moves), after) if sure else (None, at)
    label = "" if _FIGURES.fullmatch(heading[1]) else heading[1]
    if heading[2]:
        if not _MOVES.fullmatch(heading[2]):
            return None, at
        after = _end_of_moves(lines, at + 1)
        return (SOLUTION, label, _joined([heading[2], *lines[at + 1 : after]])), after
    start = at + 1
    while start < len(lines) and not lines[start].strip():
        start += 1
    after = _end_of_moves(lines, start)
    return ((SOLUTION, label, _joined(lines[start:after])), after) if after > start else (None, at)


def _end_of_moves(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and _MOVES.fullmatch(lines[at]):
        at += 1
    return at


def _joined(lines: Iterable[str]) -> str:
    """Return moves of several lines as one text, runs written out."""
    return written_out("".join("".join(lines).split()))[0]


def _note(line: str) -> Note:
    text = line.strip()
    if not text:
        return BLANK, "", ""
    if text[0] in ";:":
        return TEXT, "", text.lstrip(text[0]).strip()
    match = PROPERTY_LINE.fullmatch(line)
    if match is None:
        return TEXT, "", text
    name, value = match[1], match[2] or ""
    return (COMMENT, "", (value,)) if name.lower() == "comment" and value else (PROPERTY, name, value)
