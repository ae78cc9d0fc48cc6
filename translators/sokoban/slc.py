"""Collections of Sokoban as XML: the `.slc` files of SokobanP and its relatives; rows of XSB in elements `L`.

    <SokobanLevels> <Title>..</Title> <Description>..</Description> <Email>..</Email> <Url>..</Url>
      <LevelCollection Copyright="author"> <Level Id="title" Width="5" Height="3"> <L>#####</L> ...

The format has no place for solutions, nor for notes on a level. They are in comments of XML, written as in a `.sok`
file; other programs skip them.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from unpuzzle.base.errors import ParseError
from unpuzzle.puzzle.collection import CollectedLevel, Collection, Place
from unpuzzle.translators.shared.text import Page
from unpuzzle.translators.sokoban import collecting
from unpuzzle.translators.sokoban.collecting import PROPERTY, SOLUTION, Notes, gap_of

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


def read_xml(text: str) -> Collection:
    """Return the levels. Raises ParseError for text that is not XML, or XML of another kind."""
    reader = _Reader(text)
    if not reader.levels:
        raise ParseError("this XML has no <Level>", line=len(reader.page.lines))
    fields = reader.header.fields("title")
    return Collection(levels=tuple(reader.levels), unread=tuple(sorted(reader.unread)), _text=text, **fields)


class _Reader:
    """A reader with everything that the XML parser has found so far."""

    def __init__(self, text: str) -> None:
        self.page = Page(text)
        self.page.require_no_entities()
        self.header = Notes(of_file=True)
        self.notes: Notes = self.header  # or the notes on the open level
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
        """Return the line, from 1, and the column, from 0, of the current element."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line, column = self._place()
        if len(self.opened) == 1 and name != PARTS[0]:
            raise ParseError(f"this XML is <{name}>, not <{PARTS[0]}>: its levels are not read", line=line)
        if name == "Level":
            if not self.notes.of_file:  # the one around it, which no program writes, ends here
                self._end_level(self.opened[-1][1])
            self.notes, self.rows, self.places = Notes(), list[str](), list[Place]()
            self.solution: tuple[int, int] | None = None
            self.notes.add((PROPERTY, "Title", attributes.get("Id", "").strip()))
            self.notes.add((PROPERTY, "Author", attributes.get("Copyright", "")))
        if name == "Solution" and not self.notes.of_file:
            self.solution = self.solution or (line, column)
        if name not in KNOWN or (name == "L" and self.notes.of_file):
            self.unread.append((line, f"<{name}>"))
        for key, value in attributes.items():
            if key not in KNOWN.get(name, ()) and not key.startswith(("xmlns", "xsi:")):  # where XML's schema is
                self.unread.append((line, f'<{name} {key}="{value}">'))
                self.notes.add((PROPERTY, key, value))
        self.opened.append((name, attributes.get("Copyright") or self.opened[-1][1], []))

    def data(self, text: str) -> None:
        name, _, parts = self.opened[-1]
        if name in PARTS and text.strip():
            self.unread.append((self._place()[0], text.strip()))
            self.notes.add((collecting.TEXT, "", text.strip()))
        elif not parts:
            self.row = self._place()
        parts.append(text)

    def comment(self, text: str) -> None:
        lines = text.replace("&#45;", "-").replace("&amp;", "&").split("\n")
        line, column = self._place()
        gap = gap_of(lines, range(len(lines)), collecting.comment_ends(lines))
        self.unread += [(line + at, lines[at].strip()) for at in gap.unread]
        for note in gap.notes:
            if note[0] == SOLUTION and not self.notes.of_file:
                self.solution = self.solution or (line, column)
            self.notes.add(note)

    def end(self, name: str) -> None:
        _, author, parts = self.opened.pop()
        text = "".join(parts)
        if name == "L" and not self.notes.of_file:
            for number, row in enumerate(text.strip("\r\n").split("\n")):
                line, column = self.row[0] + number, 0 if number else self.row[1]
                self.rows.append(row)
                self.places.append((line, range(column + 1, column + 1 + len(row)), self.page.lines[line - 1]))
        elif name == "Level" and not self.notes.of_file:
            self._end_level(author)
        elif name == "Description":
            self.notes.comments += filter(None, map(str.strip, text.split("\n")))
        elif name == "Solution":
            self.comment(f"{name}\n{text}")
        elif name not in PARTS and text.strip():
            self.notes.add((PROPERTY, name, re.sub(r"\s*\n\s*", " ", text.strip())))

    def _end_level(self, author: str) -> None:
        fields = self.notes.fields("title")
        fields["author"] = fields["author"] or author
        board = "".join([f"{row if row.strip() else '-'}\n" for row in self.rows])
        end = self.solution or self._place()
        self.levels.append(CollectedLevel(board=board, _places=tuple(self.places), _end=end, **fields))
        self.notes = self.header
