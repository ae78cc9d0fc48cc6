"""Reading of levels and writing of answers: all file access of the command line.

If the game is `Collected`, a LEVEL may be one of several in a file: `file.sok:12`, or by its title.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from warnings import warn_explicit

from unpuzzle.base.errors import LimitReached, ParseError, UsageError
from unpuzzle.base.files import UTF_16, read_bytes, read_input, save_file
from unpuzzle.base.outcomes import BAD_INPUT, OF_STATUS
from unpuzzle.base.run import phase
from unpuzzle.base.text import count, shorten, suggestion
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, complain
from unpuzzle.cli.refusals import PlayingGame, ReadingPddl
from unpuzzle.generation.collections import numbered, position_of
from unpuzzle.model.capabilities import offered
from unpuzzle.model.collection import Collected, CollectedLevel, Collection
from unpuzzle.model.position import Game, Generating, Position
from unpuzzle.pddl.syntax import decoded
from unpuzzle.translators import find, reader_of
from unpuzzle.workspace.inputs import ReadLevel


def read_text(path: str) -> tuple[str, str]:
    """Read the text of a file (`-` means standard input); return the text, and the file's name for messages.

    Raises ParseError with its place for text that is not UTF-8, OSError for a file that cannot be read, LimitReached
    for one that is too large.
    """
    return _read(path, False)[:2]


def read_any_text(path: str) -> str:
    """Return the text of a file in any encoding. Raises the same errors as `read_text`."""
    return _read(path, True)[0]


def _read(path: str, lenient: bool, formats: Mapping[str, Callable[[bytes, str], str]] = {}) -> tuple[str, str, str]:
    """Return the text of a file, its name for messages, and its encoding; `formats` has readers for binary formats."""
    name = "<stdin>" if path == "-" else path
    with phase(f"reading {name}"):
        data = read_input(path, text=not formats)
    if formats and b"\0" in data and data[:2] not in UTF_16:
        return next(iter(formats.values()))(data, name), name, "utf-8"
    encoding = _encoding_of(data) if lenient else "utf-8"
    if lenient and (encoding in UTF_16.values() or b"\0" not in data):
        return data.decode(encoding), name, encoding
    return decoded(data, name), name, encoding


def _encoding_of(data: bytes) -> str:
    """Return the encoding of a text: by byte-order mark, else UTF-8, XML's declaration, Windows-1252 or Latin-1."""
    utf_8 = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    declared = _DECLARED.match(data[:200])
    usual = utf_8, declared[1].decode() if declared else "cp1252", "cp1252"
    for name in [UTF_16[data[:2]]] if data[:2] in UTF_16 else usual:
        with suppress(UnicodeError, LookupError):
            data.decode(name)
            return name
    return "latin-1"


def read_game(puzzle: str) -> Game:
    """Return the game with a given name or in a given file. Raises LimitReached."""
    with phase(f"reading the game {puzzle}"):
        return find(puzzle)


_PATH = re.compile(r"^[^\s(:]+\.(txt|plan|soln|sol|pddl|moves)$|^(\.{0,2}|~)/")
"""The pattern of a path, also of a missing file: no move looks like it."""
_GENERATED = re.compile(r"; ([1-9][0-9]*): .*")  # the line above each level that `generate` prints
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z][\w.-]*)")
MOST_UNREAD = 9
"""The most lines of a file that each have a separate warning; the others share one."""


def endings_of(game: Game) -> Mapping[str, str]:
    """Return the file endings (`Collected.endings`) of a game; empty if it has no files of several levels."""
    able = offered(game, Collected)
    return {} if able is None else able.endings


class NamedLevel(Record):
    """A level that a LEVEL argument names, or one of the levels of a file.

    Attributes:
        name: the LEVEL that names it alone, such as `3` or `file.sok:12`.
        text: its text, as the game reads it.
        source: the name of the file for messages.
        number: in a file of several levels, its number from 1.
        entry: the file's entry for the level, or None.
    """

    name: str
    text: str
    source: str
    number: int = 1
    entry: CollectedLevel | None = None

    @property
    def title(self) -> str:
        """The level's title in a file of several levels; its number if it has no title."""
        return (self.entry.title if self.entry else "") or str(self.number)

    @property
    def heading(self) -> str:
        """The level's number in a file of several levels, followed by its title if it has one."""
        return self.title if self.title == str(self.number) else f"{self.number}. {self.title}"

    def position(self, game: Game) -> Position:
        """Return the position at the start of the level. Raises ParseError for a faulty text, and LimitReached."""
        with phase("reading the level"), PlayingGame(game, [(self.text, self.source)]):
            if self.entry is not None:
                return position_of(self.entry, game, source=self.source)
            position = reader_of(game, self.text).parse(self.text, self.source)
            if not isinstance(position, Position):  # `solve` would take another value for a task
                raise TypeError(
                    f"parse() of {game.name} gave a {type(position).__name__}, not a position, for {self.source}"
                )
            return position


class LevelFile(Record):
    """The levels that a LEVEL argument names.

    `collection` is the content of their file, None for a game without collections; `encoding` is the file's.
    """

    levels: tuple[NamedLevel, ...]
    source: str
    collection: Collection | None = None
    encoding: str = "utf-8"


class UnreadLine(UserWarning):
    """A warning that a line in a file of levels is not understood and is treated as a comment."""


def read_level(puzzle: str, level: str, obstacles: str | None = None) -> ReadLevel:
    """Read a position from the name of a bundled level, a file, or `-` (stdin). Raises LimitReached.

    A file of several levels is refused: one of them must be named.
    """
    with ReadingPddl(puzzle, level):
        game = read_game(puzzle)
        return the_level(level_file(game, puzzle, level, obstacles), game, puzzle)


def the_level(file: LevelFile, game: Game, puzzle: str) -> ReadLevel:
    """Return the only level that a LEVEL argument names. Raises ParseError for a file of several levels."""
    first, *others = file.levels
    if others:
        levels = count(len(file.levels), "level")
        raise ParseError(f"{file.source} contains {levels}; name one of them, such as {first.name}")
    return ReadLevel(puzzle, first.position(game), first.text, first.source)


def levels_of(game: Game, puzzle: str, names: Sequence[str], obstacles: str | None = None) -> list[NamedLevel]:
    """Return the levels that the arguments LEVEL name, in order, including all levels of a file."""
    return [level for name in names for level in level_file(game, puzzle, name, obstacles).levels]


def level_file(game: Game, puzzle: str, level: str, obstacles: str | None = None) -> LevelFile:
    """Return the levels that a LEVEL argument names: one, or all of a file. Raises ParseError, UsageError, OSError.

    `obstacles` are signs in the text that count as walls.
    """
    collected = offered(game, Collected)
    bundled = not any(mark in level for mark in "/.") and level in game.levels
    path, inner = (level, "") if bundled else _split_level(level)
    text, source, encoding = level_text(game, puzzle, path)
    if obstacles:
        if not game.wall:
            raise UsageError(f"levels of {game.name} have no signs that may count as walls: leave out --obstacles")
        text = text.translate(dict.fromkeys(map(ord, obstacles), game.wall))
    alone = LevelFile((NamedLevel(level, text, source),), source, encoding=encoding)
    if bundled:
        return alone
    try:
        with phase("reading the levels"):
            collection = _generated(game, text) if collected is None else collected.read_collection(text)
    except ParseError as error:  # the reader does not know the name of the file
        raise ParseError(error.message, file=source, line=error.line, column=error.column, text=error.text) from None
    _warn_of_unread(collection, source)
    if inner and not (collected or collection.levels):
        collection = Collection(levels=(CollectedLevel(board=text),))
    if not inner and (_is_bare(collection, text) if collected else not collection.levels):
        return alone.replace(collection=collection if collection.levels else None)
    if not collection.levels:
        raise ParseError("there is no level in this file", file=source)
    levels = [
        NamedLevel(f"{path}:{number}", entry.board, source, number, entry)
        for number, entry in enumerate(collection.levels, 1)
    ]
    if inner:
        try:
            levels = [levels[numbered(collection, inner) - 1]]
        except UsageError as error:
            raise ParseError(str(error), file=source) from None
    return LevelFile(tuple(levels), source, collection, encoding)


def _generated(game: Game, text: str) -> Collection:
    """Return the levels in a text that `generate` has printed; no levels for any other text.

    Each is below a line with its number; levels of one line each are one a line.
    """
    lines = text.split("\n")
    marks: list[int] = []
    for index, line in enumerate(lines):
        match = _GENERATED.fullmatch(line.rstrip("\r"))
        if match and int(match[1]) == len(marks) + 1 and not any(map(str.strip, lines[:index] if not marks else [])):
            marks.append(index)
    blocks = [range(mark + 1, end) for mark, end in zip(marks, [*marks[1:], len(lines)], strict=False)]
    one_line = bool(game.levels) and all(level.count("\n") == 1 for level in game.levels.values())
    if one_line and not marks and offered(game, Generating) is not None:
        filled = [index for index, line in enumerate(lines) if line.partition(";")[0].strip()]
        blocks = [range(index, index + 1) for index in filled] if len(filled) > 1 else []
    places = [[(index + 1, range(1, len(lines[index]) + 2), lines[index]) for index in block] for block in blocks]
    boards = ["\n".join([row[2] for row in rows]).rstrip("\r\n") + "\n" for rows in places]
    pairs = zip(boards, places, strict=True)
    return Collection(levels=tuple([CollectedLevel(board=board, _places=tuple(rows)) for board, rows in pairs]))


def _is_bare(collection: Collection, text: str) -> bool:
    """Return whether a text is a single board or has no board, so that the game itself must read the text."""
    boards = [CollectedLevel(board=level.board) for level in collection.levels]
    # XML, rows in runs, or an empty line between rows: then the text is no board.
    coded = re.search(r"\A[\ufeff\s]*<|#\||[0-9(]#|#[ \t\r]*\n[ \t\r]*\n[ \t]*#", text)
    return not boards or (not coded and len(boards) == 1 and collection == Collection(levels=tuple(boards)))


def _warn_of_unread(collection: Collection, source: str) -> None:
    """Warn about lines that are not understood; after the first few lines, give only the line numbers."""
    for line, text in collection.unread[:MOST_UNREAD]:
        warn_explicit(f"this line is not understood and is kept unchanged: {shorten(text)}", UnreadLine, source, line)
    if others := [*dict.fromkeys([line for line, _ in collection.unread[MOST_UNREAD:]])]:
        listed = ", ".join([f"{line:,}" for line in others[:MOST_UNREAD]]) + ", ..." * (len(others) > MOST_UNREAD)
        warn_explicit(f"{count(len(others), 'more line')} not understood: {listed}", UnreadLine, source, others[0])


def level_text(game: Game, puzzle: str, level: str) -> tuple[str, str, str]:
    """Return the text of a bundled level, a file or standard input (`-`), its name for messages, and its encoding."""
    if not any(mark in level for mark in "/.") and level in game.levels:
        return game.levels[level], f"{puzzle} {level}", "utf-8"
    if level != "-" and not os.path.exists(level):
        from unpuzzle.model.faults import require_attributes

        require_attributes(game)
        if reason := game.no_level(level):
            raise ParseError(reason)
        kind, its = ("level", "its levels are called") if os.path.exists(puzzle) else ("bundled level", "bundled are")
        bundled = f"; {its} {', '.join(game.levels)}" if game.levels else "; it has none"
        hint = suggestion(level, game.levels) or bundled
        raise ParseError(f"'{level}' is neither a file nor a {kind} of {puzzle}{hint}")
    reader = game.formats.get(os.path.splitext(level)[1].lower())
    if reader is None:
        return _read(level, offered(game, Collected) is not None or bool(game.formats), game.formats)
    with phase(f"reading {level}"):
        return reader(read_bytes(level, text=False), level), level, "utf-8"


def _split_level(level: str) -> tuple[str, str]:
    """Return the file in a LEVEL such as `file.sok:12`, and the text after the colon, empty for a whole file."""
    if not os.path.exists(level):
        for place in [place for place, mark in enumerate(level) if mark == ":"]:
            if level[:place] == "-" or os.path.isfile(level[:place]):
                return level[:place], level[place + 1 :]
    return level, ""


def moves_text(words: Sequence[str]) -> str:
    """Return the text of moves: the words themselves or, if the only word is `-` or a file, the content of that file.

    A pipe is a file, too. A path that leads nowhere is no move. Raises OSError.
    """
    (word, *others) = words or [""]
    there = any(mark in word for mark in "/.") and os.path.exists(word) and not os.path.isdir(word)
    named = word == "-" or there or _PATH.search(word) is not None
    return read_text(word)[0] if named and not others else " ".join(words)


def unplayable(position: Position) -> str:
    """Return the error message about a level without any possible move; empty for other levels."""
    reason = position.impossible()
    return "" if reason is None or position.moves() else f"unpuzzle: {reason}"


def save_beside(answer: Answer, path: str, make: Callable[[], str | bytes]) -> bool:
    """Write a file that belongs to an answer; if that fails, add the reason to the answer and change its exit code."""
    try:
        save_file(path, make())
        return True
    except OSError as error:  # the results are still written to stdout
        answer.code, status, message = BAD_INPUT, None, f"{path}: {error.strerror}"
    except LimitReached as reached:
        answer.code, status, message = OF_STATUS[reached.status], reached.status, f"{path} is not written: {reached}"
    if isinstance(answer.fields, dict):
        answer.complain(f"unpuzzle: {message}")
        answer.fields |= {"message": message} | ({"status": status} if status else {})
    else:  # rows have no place for it, so it is written to stderr, with --json, too
        complain(f"unpuzzle: {message}")
    return False
