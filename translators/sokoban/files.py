"""Readers and writers of Sokoban collections; new solutions can be inserted into the text of a file.

A file that was read is not rewritten without need, so that its comments, numbers, run-length rows, line ends and
empty lines stay the same.

Besides text there is XML, the `.slc` files of SokobanP and its relatives, with rows of XSB in elements `L`:

    <SokobanLevels> <Title>..</Title> <Description>..</Description> <Email>..</Email> <Url>..</Url>
      <LevelCollection Copyright="author"> <Level Id="title" Width="5" Height="3"> <L>#####</L> ...

It has no place for solutions, nor for notes on a level. They are in comments of XML, written as in a `.sok` file; other
programs skip them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from textwrap import wrap
from xml.parsers import expat

from unpuzzle.base.errors import ParseError
from unpuzzle.model.collection import CollectedLevel, CollectedSolution, Collection, Place
from unpuzzle.translators.shared.text import Page
from unpuzzle.translators.sokoban.collecting import CALLED, SOLUTION, LevelNotes, comment_ends, notes_in, read_levels

PARTS = ("SokobanLevels", "LevelCollection", "Level")
KNOWN = {
    "LevelCollection": ("Copyright", "MaxWidth", "MaxHeight"),
    "Level": ("Id", "Width", "Height", "Copyright"),
    **dict.fromkeys(("SokobanLevels", "L", "Title", "Description", "Email", "Url", "Solution"), ()),
}
"""The elements that are understood, with their attributes."""
_HEAD = re.compile(r"\A\ufeff|<\?xml\s[^>\r\n]*\?>")


def is_xml(text: str) -> bool:
    return re.match(r"[\ufeff \t\r\n]*<[?!A-Za-z]", text) is not None


class _Reader:
    """A reader of XML collections; it keeps the data that the XML parser has found so far."""

    def __init__(self, text: str) -> None:
        self.page = Page(text)
        self.page.require_no_entities()
        self.header = LevelNotes(of_file=True)
        self.notes: LevelNotes = self.header  # or the notes on the open level
        self.levels: list[CollectedLevel] = []
        self.unread: list[tuple[int, str]] = []
        self.opened: list[tuple[str, str, list[str]]] = [("", "", [])]  # of each element its name, author and text
        self.row = 0, 0
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler, parser.CommentHandler = self.data, self.comment
        try:
            # The head, above which nothing may be, is blanked out: the encoding is known, and all places stay the same.
            parser.Parse(_HEAD.sub(lambda head: " " * len(head[0]), text, 2).encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            said = f"this is not XML: {expat.ErrorString(error.code)}"
            raise ParseError(said, line=error.lineno, column=error.offset + 1) from None

    def _place(self) -> tuple[int, int]:
        """Return the line (from 1) and the column (from 0) of the current XML element."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin to read an XML element, such as a level. Raises ParseError if the XML is not a collection of levels."""
        line, column = self._place()
        if len(self.opened) == 1 and name != PARTS[0]:
            said = f"the levels in this XML cannot be read: its first element is <{name}>, not <{PARTS[0]}>"
            raise ParseError(said, line=line)
        if name == "Level":
            if not self.notes.of_file:  # the one around it, which no program writes, ends here
                self._end_level(self.opened[-1][1])
            self.notes, self.rows = LevelNotes(), list[tuple[str, Place]]()
            own = ("Title", attributes.get("Id", "").strip()), ("Author", attributes.get("Copyright", ""))
            self.notes.properties += own
        if name == "Solution":
            self.notes.end = self.notes.end or (line, column)
        if name not in KNOWN or (name == "L" and self.notes.of_file):
            self.unread.append((line, f"<{name}>"))
        for key, value in attributes.items():
            if key not in KNOWN.get(name, ()) and not key.startswith(("xmlns", "xsi:")):  # where XML's schema is
                self.unread.append((line, f'<{name} {key}="{value}">'))
                self.notes.properties.append((key, value))
        self.opened.append((name, attributes.get("Copyright") or self.opened[-1][1], []))

    def data(self, text: str) -> None:
        """Store the text inside an XML element as a part of this element or, outside of levels, as a comment."""
        name, _, parts = self.opened[-1]
        if name in PARTS and text.strip():
            self.unread.append((self._place()[0], text.strip()))
            self.notes.comments.append(text.strip())
        elif not parts:
            self.row = self._place()
        parts.append(text)

    def comment(self, text: str) -> None:
        """Store the lines of an XML comment as notes on the current level or the file."""
        lines = text.replace("&#45;", "-").replace("&amp;", "&").split("\n")
        line, column = self._place()
        for note in notes_in(lines, range(len(lines)), comment_ends(lines)):
            self.unread += [(line + note.at, lines[note.at].strip())] if note.strange else []
            if note.kind == SOLUTION:
                self.notes.end = self.notes.end or (line, column)
            self.notes.add(note)

    def end(self, name: str) -> None:
        """Store the contents of an XML element that ends: a row, a level or a note."""
        _, author, parts = self.opened.pop()
        text = "".join(parts)
        if name == "L" and not self.notes.of_file:
            for number, row in enumerate(text.strip("\r\n").split("\n")):
                line, column = self.row[0] + number, 1 if number else self.row[1] + 1
                self.rows.append((row, (line, range(column, column + len(row)), self.page.lines[line - 1])))
        elif name == "Level" and not self.notes.of_file:
            self._end_level(author)
        elif name == "Description":
            self.notes.comments += filter(None, map(str.strip, text.split("\n")))
        elif name == "Solution":
            self.comment(f"{name}\n{text}")
        elif name not in PARTS and text.strip():
            self.notes.properties.append((name, re.sub(r"\s*\n\s*", " ", text.strip())))

    def _end_level(self, author: str) -> None:
        board = "".join([f"{row if row.strip() else '-'}\n" for row, _ in self.rows])
        self.notes.end = self.notes.end or self._place()
        self.levels.append(self.notes.level(board, [place for _, place in self.rows], [], author))
        self.notes = self.header


XML = ".slc"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;"})
WIDTH = 72
_LINE_ENDS = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
_XML_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">
<SokobanLevels>
"""


def read_collection(text: str) -> Collection:
    """Return the levels of a text. Raises ParseError if it is XML, but not of a known form."""
    if not is_xml(text):
        return read_levels(text)
    reader = _Reader(text)
    if not reader.levels:
        raise ParseError("this XML contains no level: the element <Level> is missing", line=len(reader.page.lines))
    fields = reader.header.fields("title")
    return Collection(levels=tuple(reader.levels), unread=tuple(sorted(reader.unread)), _text=text, **fields)


def write_collection(collection: Collection, ending: str = "") -> str:
    """Return a collection as text in the format of `ending`; by default, in the format from which it was read."""
    in_xml = is_xml(collection._text)
    as_xml = ending.lower() == XML if ending else in_xml
    kept = _with_new_solutions(collection) if as_xml == in_xml and collection._text else None
    return kept or (_written_as_xml(collection) if as_xml else _written(collection))


def _written(collection: Collection) -> str:
    """Return a collection as text in the format `.sok`."""
    parts = [_notes(collection, "Collection")]
    named = any(name.lower() in CALLED for name, _ in collection.properties)
    for number, level in enumerate(collection.levels, 1):
        notes = _notes(level)
        if number == len(collection.levels) and (not notes or (named and not level.title)):
            notes.insert(0, "Title:")  # properties below the last board say that all belong to the board above them
        parts.append([*level.board.rstrip("\n").split("\n"), *notes])
        parts += [_solution(solution) for solution in level.solutions]
    return "\n".join(["".join([f"{line}\n" for line in part]) for part in parts if part])


def _notes(about: Collection | CollectedLevel, title: str = "Title") -> list[str]:
    named = [pair for pair in ((title, about.title), ("Author", about.author)) if pair[1]]
    lines = [f"{name}: {value}".rstrip() for name, value in (*named, *about.properties)]
    return [*lines, "Comment:", *about.comments, "Comment-End:"] if about.comments else lines


def _solution(solution: CollectedSolution) -> list[str]:
    moves, pushes = solution.moves, sum(map(str.isupper, solution.moves))
    figures = f"moves {len(moves)}, pushes {pushes}" if pushes else f"moves {len(moves)}"  # all in small letters
    return [solution.label or f"Solution ({figures})", *wrap(moves, WIDTH)]


def _written_as_xml(collection: Collection) -> str:
    """Return a collection as text in the XML format `.slc`."""
    authors = {level.author for level in collection.levels}
    named = any(name.lower() == "author" for level in collection.levels for name, _ in level.properties)
    author = authors.pop() if len(authors) == 1 and not named else ""
    rows = [level.board.rstrip("\n").split("\n") for level in collection.levels]
    described = all(line and line == line.strip() for line in collection.comments)
    about = collection.replace(title="", comments=() if described else collection.comments)
    width, height = max([len(row) for board in rows for row in board], default=0), max(map(len, rows), default=0)
    lines = [f"  <Title>{collection.title.translate(_ESCAPES)}</Title>"] if collection.title else []
    if described and collection.comments:
        lines += ["  <Description>", *[line.translate(_ESCAPES) for line in collection.comments], "  </Description>"]
    lines += _xml_comment(_notes(about))
    whose = f' Copyright="{author.translate(_ESCAPES)}"' if author else ""
    lines.append(f'  <LevelCollection{whose} MaxWidth="{width}" MaxHeight="{height}">')
    for level, board in zip(collection.levels, rows, strict=True):
        whose = f' Copyright="{level.author.translate(_ESCAPES)}"' if level.author and not author else ""
        size = f'Width="{max(map(len, board))}" Height="{len(board)}"'
        lines.append(f'    <Level Id="{level.title.translate(_ESCAPES)}" {size}{whose}>')
        lines += [f"      <L>{row.translate(_ESCAPES)}</L>" for row in board]
        lines += _xml_comment(_notes(level.replace(title="", author="")))
        lines += [line for solution in level.solutions for line in _xml_comment(_solution(solution))]
        lines.append("    </Level>")
    return _XML_HEAD + "".join([f"{line}\n" for line in [*lines, "  </LevelCollection>", "</SokobanLevels>"]])


def _xml_comment(lines: Sequence[str]) -> list[str]:
    """Return lines as an XML comment, with dashes escaped."""
    escapes = [line.replace("&", "&amp;").replace("--", "-&#45;") for line in lines]
    return ["<!--", *escapes, "-->"] if lines else []


def _with_new_solutions(collection: Collection) -> str | None:
    """Return the original text of a collection with its new solutions inserted; None if more has changed."""
    text = collection._text
    before, in_xml = read_collection(text), is_xml(text)
    lines, end = [*_LINE_ENDS.split(text), ""], (re.search(r"\r\n?|\n", text) or "\n")[0]
    # The last level first, since new lines change the places below them.
    for old, new in zip(before.levels[::-1], collection.levels[::-1], strict=False):
        fresh = new.solutions[: max(len(new.solutions) - len(old.solutions), 0)]
        added = [line for solution in fresh for line in ("", *_solution(solution))]
        number, column = old._end
        above, indent, below = lines[number - 2], lines[number - 1][:column], lines[number - 1][column:]
        if added and in_xml:
            added = [*_xml_comment(added[1:]), "" if indent.strip() else indent]
        elif added:
            unended = [] if above.endswith(("\r", "\n")) else [""]
            added = [*unended, *added[0 if above.strip() else 1 :], "", *([""] if below.strip() else [])]
        lines[number - 1] = indent + end.join(added) + below
    written = "".join(lines)
    with suppress(ParseError):  # it may be read differently
        return written if collection == (before if written == text else read_collection(written)) else None
    return None
