"""Laws about names of games and texts of levels in any format, such as rows of cells, words or JSON.

Automatic changes by editors must not matter: Windows line ends, a byte order mark, a missing newline at the end. The
game reads every file, or refuses it with its place.
"""

from __future__ import annotations

import re

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import shorten
from unpuzzle.puzzle.faults import require_attributes
from unpuzzle.puzzle.position import Position
from unpuzzle.testing.game_laws.subject import Subject, everywhere, quietly, require

LONG = 20_000
"""Characters of a long text: nested deeper than the recursion limit."""


def the_game_says_what_it_is(subject: Subject) -> None:
    """Require that the game has a name, a title and names of levels that can be written."""
    game = subject.game
    require_attributes(game)
    is_name = isinstance(game.name, str) and re.fullmatch(r"[a-z0-9]+([-_.][a-z0-9]+)*", game.name)
    require(is_name, f"the name {game.name!r} should be of small letters, digits and hyphens, such as 'lights-out'")
    is_title = isinstance(game.title, str) and game.title.strip() and game.title.isprintable()
    require(is_title, f"the title {game.title!r} should say in one line what the game is")
    for name in game.levels:
        marks = set(name) & set("/. \t\n")
        require(name and not marks, f"level name {name!r} has blanks, '/' or '.', so it could be a file")


def every_level_is_read(subject: Subject) -> None:
    """Require that each bundled level can be read as a position of this game."""
    for name, text in subject.game.levels.items():
        try:
            position = subject.game.parse(text, name)
        except Exception as error:
            raise AssertionError(f"parse() refuses the bundled level {name!r}: {subject.sentence(error)}") from error
        sound = isinstance(position, Position) and position.game == subject.game
        require(sound, f"parse() of level {name!r} gave {position!r:.60}, which is not a position of this game")


@everywhere()
def the_text_comes_back(subject: Subject, position: Position) -> None:
    """Require that `parse(str(position)) == position` for all positions of random walks."""
    text = str(position)
    require(text.endswith("\n"), f"the text {shorten(text, 60)} does not end with a newline")
    again = _parse(subject, text)
    require(again == position, f"parse(str(position)) is another position than the one with the text\n{text}")
    require(hash(again) == hash(position), f"equal positions have different hashes, at\n{text}")
    require(str(again) == text, f"the text changes when it is read and written again, from\n{text}to\n{again}")


@everywhere(steps=3)
def line_ends_and_byte_order_mark_mean_nothing(subject: Subject, position: Position) -> None:
    """Require that other line ends, a missing last one or a byte order mark change no level."""
    text = str(position)
    variants = {"with line ends of Windows": text.replace("\n", "\r\n"), "after a byte order mark": "\ufeff" + text}
    if text.endswith("\n") and not text.endswith("\n\n") and text != "\n":
        variants["without the newline at its end"] = text[:-1]
    for how, variant in variants.items():
        require(_parse(subject, variant, how) == position, f"{how} a level is another position")


def a_text_is_read_or_refused_with_its_place(subject: Subject) -> None:
    """Require that a text with mistakes is read, or is refused with file, line and column."""
    from hypothesis import given
    from hypothesis import strategies as st

    edits = st.tuples(st.integers(0, 10_000), st.integers(0, 2), st.sampled_from(["", *subject.scraps, "\0", "\t"]))

    @quietly(subject.some(200))
    @given(st.sampled_from(subject.texts), st.lists(edits, max_size=3))
    def look(text: str, edits: list[tuple[int, int, str]]) -> None:
        __tracebackhide__ = True
        for place, length, scrap in edits:
            start = place % (len(text) + 1)
            text = text[:start] + scrap + text[start + length :]
        _read_or_refused(subject, text)

    look()
    for text in ("", "\n", " \n", "\ufeff", "\udc80\n"):
        _read_or_refused(subject, text)


def long_and_deeply_nested_texts_are_read_or_refused(subject: Subject) -> None:
    """Require that a text of one character, repeated many times on one line or many lines, causes no crash."""
    for letter in [letter for letter in subject.letters if not letter.isspace() and not letter.isalnum()]:
        for text in (letter * LONG, (letter + "\n") * (LONG // 10)):
            try:
                subject.game.parse(text, "long.level")
            except (ParseError, UnsupportedFeature):
                continue
            except Exception as error:
                raise AssertionError(f"{LONG:,} times {letter!r}: {subject.sentence(error)}") from error


def _parse(subject: Subject, text: str, how: str = "") -> Position:
    try:
        return subject.game.parse(text)
    except ParseError as error:
        sentence = f"parse() refuses a level {how}" if how else "parse() refuses the text of a position"
        raise AssertionError(f"{sentence}: {error}") from error


def _read_or_refused(subject: Subject, text: str) -> None:
    __tracebackhide__ = True
    try:
        position = subject.game.parse(text, "my.level")
    except UnsupportedFeature:
        return
    except ParseError as error:
        _require_place(error, text)
        return
    except Exception as error:
        raise AssertionError(f"{subject.sentence(error)}\nwhen reading\n{text!r}") from error
    sound = isinstance(position, Position)
    require(sound, f"parse(...) gave {position!r:.60}, which is not a position, for the text {text!r}")
    try:
        _use(subject, position)
    except UnsupportedFeature:
        return
    except Exception as error:
        raise AssertionError(f"{subject.sentence(error, position)}\nfor the accepted text\n{text!r}") from error


def _require_place(error: ParseError, text: str) -> None:
    __tracebackhide__ = True
    place = (error.file, error.line, error.column)
    require(error.message.strip(), f"the refusal of {text!r} says nothing")
    require(error.file == "my.level", f"the refusal of {text!r} does not name the file that parse() was given: {error}")
    require(error.line and error.column, f"the refusal of {text!r} names no line and column: {error}")
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    require(1 <= (error.line or 0) <= len(lines), f"{place} is not a place of {text!r}")
    line = lines[(error.line or 1) - 1]
    require(1 <= (error.column or 0) <= len(line) + 2, f"{place} is not a place of {text!r}")
    right = error.text is None or error.text.removeprefix("\ufeff").rstrip("\r\n") == line
    require(right, f"the refusal of {text!r} shows {error.text!r} as its line {error.line}")


def _use(subject: Subject, position: Position) -> None:
    """Call the main methods of a position to check that they work."""
    require(_parse(subject, str(position)) == position, "the text does not come back")
    require(isinstance(position.draw(), str), "there is no picture")
    position.impossible()
    position.solved()
    for move in position.moves()[:10]:
        str(position.apply(move))
    missing = position.atoms() - set(position.task().problem.init)
    require(not missing, f"the atoms {', '.join(sorted(map(str, missing)))} are not in the task's initial state")
