"""Readers of the sudoku files of common programs, and writers of `.sdm`, `.sdk` and `.csv` files.

    .68...3..   ...     rows of cells, or all cells in one line; an empty cell is one of .0_*-xX? or, in a frame, blank
    | . 6 8 | . . .     rows may have frames of | - + = and blanks, or commas or tabs between their cells
    # a comment         comments begin with # or ; and a line of text is the title of the sudoku below it
    #ASomebody          the header of a `.sdk` file: # and a letter, see `HEADER`
    [Puzzle]            SadMan's sections; [State] has the same sudoku with the player's values
    puzzle,solution     the head of a table: other columns are notes. Without a head, a line may have both grids
    :0000:x:.+6.:::     HoDoKu's library: a technique, the grid (a plus is before placed values), candidates
    <opensudoku>        OpenSudoku's XML

A sudoku that is not complete, or has a strange symbol, is a level that cannot be read; so the others can. Sources: the
Sudopedia ("Sudoku Clipboard and File Formats"); manuals of SudoCue, SadMan Sudoku, Simple Sudoku, HoDoKu, OpenSudoku.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby, takewhile, zip_longest
from math import isqrt
from xml.etree import ElementTree

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.text import count
from unpuzzle.model.collection import CollectedLevel, CollectedSolution, Collection
from unpuzzle.translators.shared.text import Page
from unpuzzle.translators.sudoku.board import EMPTIES, EMPTY, SIDES, SYMBOLS, Row, cells_of

Note = tuple[str, str]
"""A kind (`title`, `author`, `comment`, `solution`, or the name of a property) and a text."""
Sheet = tuple[list[Row], list[Note]]
"""A sudoku in a file: its rows unchanged, and the notes on it."""
SIZES = tuple(side * side for side in SIDES)
# The letters of the header of a `.sdk` file (SudoCue), and what they mean.
HEADER = {"A": "author", "D": "title", "C": "comment", "B": "date", "S": "source", "L": "level", "U": "url"}
STATE, SOLUTION = "state", "solution"
_PUZZLES = set("puzzle puzzles quiz quizzes sudoku sudokus grid board problem givens question".split())
_FRAME = str.maketrans({**{chr(sign): "-" for sign in range(0x2500, 0x2580)}, **dict.fromkeys("│┃║!:", "|")})
_BRACKETS = str.maketrans("[](){}\"'", "        ")
_CELLS = frozenset(SYMBOLS + EMPTIES)
_SMALL = frozenset(SYMBOLS[: SIDES[0]] + EMPTIES)
_GIVEN = str.maketrans("", "", EMPTIES)
_SECTION = re.compile(r"\[\s*(\w[\w ]*?)\s*\]")
_NAMED = re.compile(r"#*\s*(title|author|difficulty)\s*:\s*(\S.*)", re.IGNORECASE)
_ANSWER = re.compile(r"(solution|answer)s?( (to|of|for))?( (puzzle|sudoku|grid)s?)?[ :.#\d]*", re.IGNORECASE)
_RULE = re.compile(r"[-=+|*.'`~,\[\](){}\" \t]*[-=~]{2}[-=+|*.'`~,\[\](){}\" \t]*")
_WORD = re.compile(r"[^\s,;|\"':]+")
_BETWEEN = " \t,;|\"':#"
_HODOKU = ("technique", "candidates", "", "deleted", "eliminations", "comment")
LONG = 40  # the fewest characters of a word that is taken for a faulty sudoku, if most of them are cells


def read(text: str, source: str | None) -> str:
    """Return the cells of the only sudoku in a text. Raises ParseError, and UnsupportedFeature for values from 0."""
    page = Page(text.replace("\ufeff", ""), source)
    sheets, _ = _sheets(page)
    boards = [cells_of(page, rows) for rows, _ in sheets]
    if len(boards) > 1:
        raise page.error(f"expected one sudoku, but there are {len(boards)}; this is the second", sheets[1][0][0].line)
    return boards[0]


def read_collection(text: str) -> Collection:
    """Return the sudokus in a text. Raises ParseError if there are none, or if a table or XML is incomplete."""
    page = Page(text.replace("\ufeff", ""))
    sheets, header = _sheets(page)
    return header.replace(levels=tuple([_level(page, *sheet) for sheet in sheets]))


def _level(page: Page, rows: list[Row], notes: list[Note]) -> CollectedLevel:
    """Return a sudoku as a level of a collection, with its notes."""
    try:
        board = cells_of(page, rows) + "\n"
    except (ParseError, UnsupportedFeature):  # reported when the level is needed
        board = "".join([f"{row.text}\n" for row in rows])
        with suppress(ParseError, UnsupportedFeature):
            board = read(board, None) + "\n"  # without other signs in its field, such as a quotation mark

    kinds = ("title", "author", "comment", SOLUTION)
    titles, authors, comments, solutions = ([text for name, text in notes if name == kind] for kind in kinds)
    return CollectedLevel(
        title="".join(titles[-1:]),
        author="".join(authors[-1:]),
        comments=(*titles[:-1], *authors[:-1], *comments),
        board=board,
        solutions=tuple(map(CollectedSolution, solutions)),
        properties=tuple([note for note in notes if note[0] not in kinds]),
        _places=tuple([(row.line, row.columns, page.lines[row.line - 1]) for row in rows]),
    )


def _sheets(page: Page) -> tuple[list[Sheet], Collection]:
    """Return the sudokus in the lines of a file, and the notes on the file."""
    if re.fullmatch(r"sep=.?", page.lines[0].strip().lower()):  # Excel's note on the mark between fields
        page.lines[0] = ""
    filled = [(number, line.strip()) for number, line in enumerate(page.lines, 1) if line.strip()]
    header = Collection()
    if filled and filled[0][1].startswith("<"):
        sheets, header = _of_xml(page)
    elif (table := _of_table(page, [pair for pair in filled if pair[1][0] not in "#;"])) is not None:
        sheets = table
    else:
        reader = _Reader(page)
        sheets, header = reader.done, Collection(unread=tuple(reader.unread))
    if not sheets:
        raise page.error("the text has no sudoku" if filled else "the level is empty", filled[0][0] if filled else 1)
    return sheets, header


# ---- texts: rows, lines of a whole sudoku, and notes


class _Reader:
    """A reader of the lines of a file, which assigns each note and solution to one of the sudokus."""

    def __init__(self, page: Page) -> None:
        self.page, self.header = page, _header_of(page.lines)
        self.done: list[Sheet] = []
        self.rows: list[Row] = []
        self.notes: list[Note] = []
        self.below = ""  # what the next lines are: a sudoku or, if not empty, the one above's state, solution or notes
        self.answers: list[Sheet] = []  # the solutions in a list of them, so far
        self.opened = self.answered = 0  # the sudokus above the last section [Puzzle], and above the last solutions
        self.unread: list[tuple[int, str]] = []
        for number, line in enumerate(page.lines, 1):
            if not self._whole_sudoku(line, number):
                self._read(line, number)
        self._end_rows()
        self._end_answers()
        if self.done:
            self.done[-1][1].extend([("comment" if name == "title" else name, text) for name, text in self.notes])

    def _read(self, line: str, number: int) -> None:
        """Read one line: a row of cells, a note, or the heading of a section."""
        if line.count(";") >= SIDES[1] - 1 and _between(line, ";"):
            line = line.replace(";", ",")
        content, _, remark = line.partition(";")
        self.page.require_printable(content, number)
        self.notes += [("comment", remark.strip())] if remark.strip() else []
        text = content.strip()
        named = _NAMED.fullmatch(text)
        known = (named[1].lower(), named[2]) if named else None
        if section := _SECTION.fullmatch(text.lower()):
            self._end_rows()
            self.below = "" if section[1] == "puzzle" else section[1]
            if not self.below:
                self._end_answers()
                self.opened = len(self.done)
        if text and self.below not in ("", STATE, SOLUTION):
            self.notes.append(("comment", text))
        elif text[:1] == "#":
            name = HEADER.get(text[1:2], "") if number in self.header or text[2:3].isspace() else ""
            note = known or (name, text[2:].strip())
            self.notes.append(note if all(note) else ("comment", text.lstrip("#").strip()))
        elif not text and self.rows and self._rows_below(number) + len(self.rows) > len(self.rows[0].text):
            self._end_rows()
        elif text and not section and not self._is_rule(text):
            row = row_of(content, number, len(self.rows[0].text) if self.rows else 0)
            self.rows += [row] if row else []
            width = len(self.rows[0].text) if self.rows else 0
            if row is None or width in SIZES[1:] or (width in SIDES and len(self.rows) == width):
                self._end_rows()
            if row is None and self.done and _ANSWER.fullmatch(text):
                self.below = SOLUTION
            elif row is None:
                self._end_answers()
                self.notes.append(known or ("title", text))

    def _rows_below(self, number: int) -> int:
        """Return how many rows of cells follow a blank line; counting ends when there are enough for a sudoku."""
        width = len(self.rows[0].text)
        below = (line for line in self.page.lines[number : number + 2 * width] if not self._is_rule(line.strip()))
        return len([*takewhile(lambda line: row_of(line, 0, width), below)])

    def _is_rule(self, text: str) -> bool:
        """Return whether a line belongs to a frame that is drawn around a sudoku or its boxes."""
        text = text.translate(_FRAME)
        is_row = {*text} == {"-"} and self.rows and len(text) == len(self.rows[0].text) and "-" in self.rows[-1].text
        return not is_row and _RULE.fullmatch(text) is not None

    def _end_rows(self) -> None:
        """Finish the current sudoku, even if some of its rows are missing."""
        rows, self.rows = self.rows, []
        if not rows:
            return
        width, cells = len(rows[0].text), {*"".join([row.text for row in rows])}
        last = self.done[-1][0] if self.done else [rows[0]]
        if width == SIZES[0] and cells <= _SMALL and not cells <= {*EMPTIES}:
            for row in rows:  # of a board of 16 by 16, these could not be the only values
                self._finish([row])
        elif len(rows) < width == len(last) and rows[0].line == last[-1].line + 1:
            last += rows  # there are too many rows
        else:
            self._finish(rows)

    def _finish(self, rows: list[Row], *notes: Note) -> None:
        """Store rows of cells as a new sudoku, or as a solution or a state (partly solved grid) of the sudoku above."""
        if self.below in (STATE, SOLUTION) and len(self.done) == self.opened:
            raise self.page.error(f"there is no puzzle above this {self.below}", rows[0].line)
        if self.below == SOLUTION and (not self.answers or {*EMPTIES}.isdisjoint("".join([row.text for row in rows]))):
            self.answers.append((rows, [("comment" if name == "title" else name, text) for name, text in notes]))
        elif self.below == STATE:
            self.done[-1][1].extend([(STATE, "".join([row.text for row in rows])), *notes])
            self.below = ""
        else:
            self._end_answers()
            self.done.append((rows, [*self.notes, *notes]))
            self.notes = []

    def _end_answers(self) -> None:
        """Assign the solutions that were read to the sudokus above them."""
        if not self.answers:
            return
        answers, self.answers = self.answers, []
        above, self.answered, self.below = self.done[self.answered :], len(self.done), ""
        for place, (rows, notes) in enumerate(answers):
            text, is_list = "".join([row.text for row in rows]), len(above) == len(answers)
            clues, about = above[place] if is_list else self.done[-1]
            pairs = zip("".join([row.text for row in clues]).ljust(len(text)), text, strict=False)
            fits = is_list or all(clue in (symbol, *EMPTIES) for clue, symbol in pairs)
            about += [(SOLUTION if fits else "comment", text), *notes]
            self.unread += [] if fits else [(rows[0].line, text)]

    def _whole_sudoku(self, line: str, number: int) -> bool:
        """Read a line that is a whole sudoku; return False if it is none."""
        if line[:1] == ":" and line.count(":") > 3:
            fields = line.split(":", 6)[1:]
            places = [(3 + len(fields[0]) + len(fields[1]), fields[2])]
            notes = [(name, text.strip(_BETWEEN)) for name, text in zip(_HODOKU, fields, strict=False) if name]
            notes = [note for note in notes if note[1] not in ("0000", "x")]
        else:
            content = line.partition("#")[0] if len(line) >= LONG and line.lstrip()[:1] != ";" else ""
            places = [(match.start(), match[0]) for match in _WORD.finditer(content) if _is_whole(match[0])]
            if not places:
                return False
            title, end = line[: places[0][0]].strip(_BETWEEN), places[-1][0] + len(places[-1][1])
            notes = [("title", title), ("comment", line[end:].strip(_BETWEEN))]
            notes += [(SOLUTION, word) for _, word in places[1:]]
            if self.done and _ANSWER.fullmatch(title):
                self.below = SOLUTION
        self._end_rows()
        rows, placed = _sheet_at(self.page, places[0][1], number, places[0][0])
        self._finish(rows, *placed, *[note for note in notes if note[1]])
        return True


def _header_of(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that are headers of an `.sdk` file, not comments."""
    found: set[int] = set()
    for is_note, block in groupby(enumerate(lines, 1), lambda pair: pair[1][:1] == "#"):
        notes = {number: line for number, line in block if is_note and line[1:2].strip() and not _NAMED.fullmatch(line)}
        letters = {line[1] for line in notes.values()}
        if HEADER.keys() >= letters and len(letters) > 1 and any(not line[2:3].islower() for line in notes.values()):
            found |= notes.keys()
    return found


def _sheet_at(page: Page, cells: str, number: int, start: int | None = None) -> Sheet:
    """Return the sudoku that is written in one line of text."""
    line = page.lines[number - 1]
    start = max(line.find(cells), 0) if start is None else start
    places = [place for place, symbol in enumerate(cells) if symbol not in "+ \t\n"]
    has_placed = len({*map(len, cells.split("+"))}) > 1 or line[:1] == ":"  # else each plus is between two rows
    placed = re.sub(rf"\+[{SYMBOLS}]", f"+{EMPTY}", cells) if has_placed else cells
    state, givens = ("".join([text[place] for place in places]) for text in (cells, placed))
    columns = [start + place + 1 for place in [*places, len(cells)]]
    return [Row(givens, number, columns)], [(STATE, state)] if state != givens else []


def _is_whole(word: str) -> bool:
    """Return whether a word has a symbol for each cell of a sudoku; long words may have a few wrong symbols."""
    cells = word.replace("+", "")
    right = len(cells) in SIZES[1:] and _CELLS.issuperset(cells)
    return right or (len(cells) >= LONG and 5 * sum([symbol in _CELLS for symbol in cells]) >= 4 * len(cells))


def row_of(line: str, number: int, width: int) -> Row | None:
    """Return the row of cells in a line, None if it is no row; `width` is the number of cells in the row above."""
    symbols = line.strip(" ")
    if len(symbols) == SIDES[1] and symbols.replace(EMPTY, "0").isdecimal():  # most rows are so plain
        start = line.index(symbols) + 1
        return Row(symbols, number, range(start, start + len(symbols)))
    text = line.translate(_FRAME)
    text = text.translate(_BRACKETS) if "," in text else text
    places = [place for place, symbol in enumerate(text, 1) if symbol not in ",| \t+"]
    symbols = "".join([text[place - 1] for place in places])
    plain = len(symbols) == SIDES[1] and text.count("|") in (0, 2, 4)
    for mark in ",\t" if plain else ",\t|":
        others = _between(text, mark) if mark in text else None
        if others and others[0].translate(_GIVEN) == symbols.translate(_GIVEN):
            symbols, places = others
    share, most = sum([symbol in _CELLS for symbol in symbols]), len(symbols)
    like = share == most >= (1 if width else SIDES[0]) or (most in SIDES[1:] and 3 * share >= 2 * most)
    if (like and not {*symbols} <= {*"ABCDEFG"}) or (width and abs(most - width) <= 1):
        return Row(symbols, number, places)
    return None


def _between(text: str, mark: str) -> tuple[str, list[int]] | None:
    """Return the cells of a row in which the character `mark` separates cells or boxes; None for an invalid row."""
    parts = re.finditer(rf"(?:^|\{mark})([^{mark}]*)", text.rstrip(" "))
    fields = [(part[1], part.start(1) + 1) for part in parts]
    if mark == "|" and fields[0][0].strip():
        width, (part, start) = max([len(part) for part, _ in fields]), fields[0]  # its left margin may be missing
        fields[0] = part.rjust(width), start - width + len(part)
    first = mark == "|" and not fields[0][0].strip()
    last = not fields[-1][0].strip() and (first or len(fields) not in SIDES)
    fields = fields[int(first) : len(fields) - int(last)]
    if len(fields) in SIDES and all(len(field.strip()) <= 1 for field, _ in fields):
        places = [start + len(field) - len(field.lstrip()) for field, start in fields]
        return "".join([field.strip() or EMPTY for field, _ in fields]), places
    box, width = len(fields), max([len(part) for part, _ in fields], default=0)
    start, step = {box: (0, 1), 2 * box + 1: (1, 2), 2 * box - 1: (0, 2)}.get(width, (0, 0))
    if mark != "|" or box * box not in SIDES or not step:
        return None
    cells = "".join([part.ljust(width)[start::step][:box] for part, _ in fields]).replace(" ", EMPTY)
    return cells, [column + start + step * place for _, column in fields for place in range(box)]


# ---- tables


def _is_grid(cells: str) -> bool:
    return _is_whole(cells) or (len(cells) == SIZES[0] and _SMALL.issuperset(cells))


def _of_table(page: Page, filled: Sequence[tuple[int, str]]) -> list[Sheet] | None:
    """Return the sudokus of a table (CSV); None if its first line that is not empty does not name the columns."""
    (head, first), (_, second) = [*filled[:2], (0, ""), (0, "")][:2]
    mark = next((mark for mark in ",;\t" if mark in first), ",")
    names = [name.strip(" \t\"'") for name in first.split(mark)]
    column = next((place for place, name in enumerate(names) if name.lower() in _PUZZLES), None)
    if column is None or (len(names) == 1 and not _is_grid(second.strip(" \"'"))):
        return None
    names.pop(column)
    lines = csv.reader([f"{line}\n" for line in page.lines[head:]], delimiter=mark, strict=True)
    number, sheets = head + 1, list[Sheet]()
    try:
        for fields in lines:
            if any(map(str.strip, fields)) and fields[0][:1] != "#":
                grid = fields.pop(column).strip() if column < len(fields) else ""
                rows, notes = _sheet_at(page, grid, number)
                for name, text in zip_longest(names, fields, fillvalue=""):
                    notes += _noted(name, text) if text.strip() else []
                sheets.append((rows, notes))
            number = head + 1 + lines.line_num
    except csv.Error as error:
        raise page.error(f"this line of the table cannot be read: {error}", number) from None
    return sheets


def _noted(name: str, text: str) -> list[Note]:
    """Return the notes in one field of a table; `name` is the name of the field's column."""
    known, cells = name.lower(), "".join(text.split())
    if known.startswith((SOLUTION, "answer", "solved")) and _is_grid(cells):
        return [(SOLUTION, cells)]
    if known == "comments":
        return [("comment", line) for line in text.split("\n")]
    kinds = {"name": "title", "": "comment", SOLUTION: "comment", **{kind: kind for kind in HEADER.values()}}
    return [(kinds.get(known, name), text.strip())]


# ---- OpenSudoku's XML: <opensudoku> <name>..</name> <game data="81 digits" /> </opensudoku>, or games in folders. The
# data of later versions are the fields of each cell, `value|note|editable|` or `value|note|note|editable|`.


def _of_xml(page: Page) -> tuple[list[Sheet], Collection]:
    """Return the sudokus in an XML file, and the notes about the whole file. Raises ParseError."""
    page.require_no_entities()
    try:
        root = ElementTree.fromstring("\n".join(page.lines).strip())  # noqa: S314  entities are refused
    except ElementTree.ParseError as error:
        raise page.error(f"this is not XML: {error}", min(error.position[0], len(page.lines))) from None
    begins = iter([number for number, line in enumerate(page.lines, 1) for _ in range(line.count("<game"))])
    folders = {game: folder.get("name", "") for folder in root.iter("folder") for game in folder.findall("game")}
    kinds = {"note": "comment", "name": "title", STATE: "game state"}  # our `state` is the player's values
    sheets: list[Sheet] = []
    for game in root.iter("game"):
        grid, state = _of_data(game.attrib.pop("data", "").strip())
        notes = [("folder", folders.get(game, "")), (STATE, state if state != grid else "")]
        notes += [(kinds.get(name, name), text.strip()) for name, text in game.attrib.items()]
        sheets.append((_sheet_at(page, grid, next(begins, 1))[0], [note for note in notes if note[1]]))
    about = {child.tag: (child.text or "").strip() for child in root if child.tag not in ("game", "folder")}
    title, author, *comments = [about.pop(name, "") for name in ("name", "author", "description", "comment")]
    others = tuple([note for note in about.items() if note[1]])
    return sheets, Collection(title, author, tuple(filter(None, comments)), properties=others)


def _of_data(data: str) -> tuple[str, str]:
    """Return the givens and all values in the data of an OpenSudoku game; for plain digits, the values are empty."""
    version, *fields = data.removesuffix("|").replace("\n", " ").replace(" ", "|", 2).split("|")
    step, rest = divmod(len(fields) - 1, SIZES[1])
    if version != "version:" or rest or step not in (3, 4):
        return data, ""
    values = fields[1::step]
    givens = ["0" if change == "1" else value for value, change in zip(values, fields[step::step], strict=True)]
    return "".join(givens), "".join(values)


# ---- writing


def write_sdm(collection: Collection) -> str:
    """Return sudokus as text, each in one line, without notes."""
    boards = ["".join(level.board.split()) for level in collection.levels]
    return "".join([f"{board if len(board) > SIZES[1] else board.replace(EMPTY, '0')}\n" for board in boards])


def write_sdk(collection: Collection) -> str:
    """Return one sudoku as text, with its notes in header lines. Raises UsageError for several."""
    if len(collection.levels) != 1:
        number = count(len(collection.levels), "sudoku")
        raise UsageError(f"an .sdk file can contain only one sudoku, not {number}: write them as .sdm or .csv")
    (level,) = collection.levels
    letters = {name: letter for letter, name in HEADER.items()}
    notes = [("author", level.author), ("title", level.title), *[("comment", line) for line in level.comments]]
    lines = [f"#{letters[name]}{text}" for name, text in (*notes, *level.properties) if text and name in letters]
    if len(_header_of(lines)) < len(lines):  # these would be comments
        lines = [f"{line[:2]} {line[2:]}" for line in lines]
    state = dict(level.properties).get(STATE, "")
    for mark, board in (("[Puzzle]", level.board.strip()), ("[State]", state)):
        side = isqrt(len(board)) if len(board) in SIZES else len(board) or 1
        lines += [mark] if state else []
        lines += [board[start : start + side] for start in range(0, len(board), side)]
    return "".join([f"{line}\n" for line in lines])


def write_csv(collection: Collection) -> str:
    """Return sudokus as a table, with columns for the cells, the solutions and each kind of note."""
    rows = []
    for level in collection.levels:
        answers = {f"{SOLUTION} {number}": each.moves for number, each in enumerate(level.solutions, 1)}
        notes = {"title": level.title, "author": level.author, "comments": "\n".join(level.comments)}
        rows.append({"puzzle": "".join(level.board.split()), **answers, **notes, **dict(level.properties)})
    used = dict.fromkeys([name for row in rows for name, text in row.items() if text])
    solutions = sorted([name for name in used if name.startswith(f"{SOLUTION} ")], key=len)
    file, names = io.StringIO(), [*dict.fromkeys(["puzzle", *solutions, *used])]
    table = csv.DictWriter(file, names, extrasaction="ignore", lineterminator="\n")
    table.writerow({name: name.removesuffix(" 1") for name in names})
    table.writerows(rows)
    return file.getvalue()


WRITERS = {".sdm": write_sdm, ".sdk": write_sdk, ".csv": write_csv}
