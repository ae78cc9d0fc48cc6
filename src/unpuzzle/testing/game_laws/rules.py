"""Laws about a game's names, texts, moves, samples and pictures.

A text may have any format, such as rows of cells, words or JSON. Automatic changes by editors must not matter: Windows
line ends, a byte order mark, a missing newline at the end. The game reads every file, or refuses it with its place.
If a game describes its pictures, they distinguish positions, and every back-end can draw them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from random import Random
from xml.parsers import expat

from unpuzzle.base.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.base.text import shorten, words_of
from unpuzzle.drawing import WORDS
from unpuzzle.drawing.covering import texts
from unpuzzle.model.capabilities import Pictured, offered
from unpuzzle.model.faults import broken_promise, require_attributes
from unpuzzle.model.position import Position, wander
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.svg import svg_of
from unpuzzle.rendering.themes import THEMES, contrast
from unpuzzle.testing.game_laws.subject import (
    MOVES_TRIED,
    STEPS,
    LawSubject,
    everywhere,
    layers,
    needs,
    quietly,
    require,
    seen_of,
    solvable,
    spread,
)

SEARCHED = 10
"""The number of levels that are searched for solutions."""
WALKS, STARTS = 3, 12
READABLE = 4.5
"""The least contrast of text (W3C, Web Content Accessibility Guidelines 2.2, 2023)."""
UNPICTURED = "describes no pictures: it has ground() and pieces() where it does"
LONG = 20_000
"""Characters of a long text: nested deeper than the recursion limit."""


def the_game_says_what_it_is(subject: LawSubject) -> None:
    """Require that a game has a name, a title, and names of levels that are printable."""
    game = subject.game
    require_attributes(game)
    is_name = isinstance(game.name, str) and re.fullmatch(r"[a-z0-9]+([-_.][a-z0-9]+)*", game.name)
    require(is_name, f"the name {game.name!r} should be of small letters, digits and hyphens, such as 'lights-out'")
    is_title = isinstance(game.title, str) and game.title.strip() and game.title.isprintable()
    require(is_title, f"the title {game.title!r} should say in one line what the game is")
    for name in game.levels:
        marks = set(name) & set("/. \t\n")
        require(name and not marks, f"level name {name!r} has blanks, '/' or '.', so it could be a file")


def every_level_is_read(subject: LawSubject) -> None:
    """Require that each bundled level can be parsed to a position of this game."""
    for name, text in subject.game.levels.items():
        try:
            position = subject.game.parse(text, name)
        except Exception as error:
            raise AssertionError(f"parse() refuses the bundled level {name!r}: {subject.sentence(error)}") from error
        sound = isinstance(position, Position) and position.game == subject.game
        require(sound, f"parse() of level {name!r} gave {position!r:.60}, which is not a position of this game")


@everywhere()
def the_text_comes_back(subject: LawSubject, position: Position) -> None:
    """Require that `parse(str(position)) == position` for the positions of random walks."""
    text = str(position)
    require(text.endswith("\n"), f"the text {shorten(text, 60)} does not end with a newline")
    again = _parse(subject, text)
    require(again == position, f"parse(str(position)) is not the position with the text\n{text}")
    require(hash(again) == hash(position), f"equal positions have different hashes, at\n{text}")
    require(str(again) == text, f"the text changes when it is read and written again, from\n{text}to\n{again}")


@everywhere(steps=3)
def line_ends_and_byte_order_mark_mean_nothing(subject: LawSubject, position: Position) -> None:
    """Require that line ends, a missing last line end and a byte order mark do not change a level."""
    text = str(position)
    variants = {"with line ends of Windows": text.replace("\n", "\r\n"), "after a byte order mark": "\ufeff" + text}
    if text.endswith("\n") and not text.endswith("\n\n") and text != "\n":
        variants["without the newline at its end"] = text[:-1]
    for how, variant in variants.items():
        require(_parse(subject, variant, how) == position, f"{how} a level is read as another position")


def a_text_is_read_or_refused_with_its_place(subject: LawSubject) -> None:
    """Require that `parse` accepts a text with mistakes, or raises ParseError with file, line and column."""
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


def long_and_deeply_nested_texts_are_read_or_refused(subject: LawSubject) -> None:
    """Require that `parse` reads or rejects very long and deeply nested texts, and does not crash."""
    for letter in [letter for letter in subject.letters if not letter.isspace() and not letter.isalnum()]:
        for text in (letter * LONG, (letter + "\n") * (LONG // 10)):
            try:
                subject.game.parse(text, "long.level")
            except (ParseError, UnsupportedFeature):
                continue
            except Exception as error:
                raise AssertionError(
                    f"parse() failed for a text that repeats {letter!r} {LONG:,} times: {subject.sentence(error)}"
                ) from error


def _parse(subject: LawSubject, text: str, how: str = "") -> Position:
    try:
        return subject.game.parse(text)
    except ParseError as error:
        sentence = f"parse() refuses a level {how}" if how else "parse() refuses the text of a position"
        raise AssertionError(f"{sentence}: {error}") from error


def _read_or_refused(subject: LawSubject, text: str) -> None:
    """Require that a text is read, or is refused with its place."""
    __tracebackhide__ = True
    try:
        position = subject.game.parse(text, "my.level")
    except UnsupportedFeature:
        return
    except ParseError as error:
        _require_place(error, text)
        return
    except Exception as error:
        raise AssertionError(
            f"{subject.sentence(error)}\nThis happened when parse() read the text\n{text!r}"
        ) from error
    sound = isinstance(position, Position)
    require(sound, f"parse(...) gave {position!r:.60}, which is not a position, for the text {text!r}")
    try:
        _use(subject, position)
    except UnsupportedFeature:
        return
    except Exception as error:
        raise AssertionError(
            f"{subject.sentence(error, position)}\nThis happened after parse() accepted the text\n{text!r}"
        ) from error


def _require_place(error: ParseError, text: str) -> None:
    """Require that an error names the file, and a line and column that are in the text."""
    __tracebackhide__ = True
    place = (error.file, error.line, error.column)
    require(error.message.strip(), f"the error for {text!r} has an empty message")
    require(error.file == "my.level", f"the refusal of {text!r} does not name the file that parse() was given: {error}")
    require(error.line and error.column, f"the refusal of {text!r} names no line and column: {error}")
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    require(1 <= (error.line or 0) <= len(lines), f"{place} is not a place of {text!r}")
    line = lines[(error.line or 1) - 1]
    require(1 <= (error.column or 0) <= len(line) + 2, f"{place} is not a place of {text!r}")
    right = error.text is None or error.text.removeprefix("\ufeff").rstrip("\r\n") == line
    require(right, f"the refusal of {text!r} shows {error.text!r} as its line {error.line}")


def _use(subject: LawSubject, position: Position) -> None:
    """Call the main methods of a position, to find methods that raise exceptions."""
    require(_parse(subject, str(position)) == position, "parse(str(position)) is another position")
    require(isinstance(position.draw(), str), "draw() does not return a text")
    position.impossible()
    position.solved()
    for move in position.moves()[:10]:
        str(position.apply(move))
    missing = position.atoms() - set(position.task().problem.init)
    require(not missing, f"the atoms {', '.join(sorted(map(str, missing)))} are not in the task's initial state")


def positions_keep_their_promises(subject: LawSubject) -> None:
    """Require that all methods return results of the right type: positions, numbers, strings, truth values."""
    for start in subject.starts:
        broken = broken_promise(start, 10)
        require(broken is None, f"{broken}\nin or soon after the level\n{start}")


@everywhere()
def moves_are_words_without_blanks(_: LawSubject, position: Position) -> None:
    """Require that no move is listed twice, and that each move is a printable word without blanks."""
    moves = position.moves()
    require(len(set(moves)) == len(moves), f"moves() offers a move twice: {' '.join(moves)}")
    for move in moves:
        fine = move.isprintable() and not any(letter.isspace() for letter in move)
        require(move and fine, f"the move {move!r} is empty, or has blanks or unprintable characters")


def one_letter_moves_tells_the_truth(subject: LawSubject) -> None:
    """Require that all moves are single letters if the game sets `one_letter_moves`."""
    long = ", ".join([repr(move) for move in subject.moves if len(move) != 1][:3])
    lies = subject.game.one_letter_moves and long
    require(not lies, f"one_letter_moves is True, but the move {long} is not one letter: set it to False")


@everywhere()
def a_move_makes_a_new_position(subject: LawSubject, position: Position) -> None:
    """Require that each move leads to a different position, except in games in which moves may have no effect."""
    for move in () if subject.game.idle_moves else position.moves()[:MOVES_TRIED]:
        after = position.apply(move)
        require(after != position, f"apply({move!r}) changes nothing: it should not be among the moves")


@everywhere()
def equal_positions_offer_the_same(subject: LawSubject, position: Position) -> None:
    """Require that equal positions have the same moves, in the same order, at the same costs."""
    again = subject.game.parse(str(position))
    require(
        again.moves() == position.moves(), "moves() differs between a position and the position parsed from its text"
    )
    require(
        again.solved() == position.solved(), "solved() differs between a position and the position parsed from its text"
    )
    for move in position.moves()[:MOVES_TRIED]:
        require(
            again.cost(move) == position.cost(move),
            f"cost({move!r}) differs between a position and the position parsed from its text",
        )
        same = again.apply(move) == position.apply(move)
        require(same, f"apply({move!r}) differs between a position and the position parsed from its text")


def nothing_else_is_a_move(subject: LawSubject) -> None:
    """Require that words that are no legal moves, such as misspelt moves, raise IllegalMove with a reason."""
    moves = subject.moves[:200]
    words = {*moves, "", *[word for move in moves[:10] for word in (move.swapcase(), move * 2, move[:-1], move + "x")]}

    def holds(position: Position) -> None:
        for move in sorted(words - set(position.moves())):
            refusal = _refusal(position, move)
            reason = str(refusal)
            require(reason.strip(), f"the error for the move {move!r} gives no reason")
            require(refusal.move == move, f"the error for the move {move!r} names another move: {shorten(reason)}")

    subject.everywhere(holds, examples=30)


def _refusal(position: Position, move: str) -> IllegalMove:
    """Return the IllegalMove error for a move. Raises AssertionError if the move is accepted."""
    try:
        position.apply(move)
    except IllegalMove as error:
        return error
    except Exception as error:
        said = words_of(error)
        raise AssertionError(f"apply({move!r}) should raise IllegalMove, but it raised {said}") from error
    raise AssertionError(f"apply({move!r}) accepts a move that moves() does not list")


def a_reason_for_impossible_is_right(subject: LawSubject) -> None:
    """Require that no search finds a solution for a position for which `impossible()` returns a reason."""
    doomed = [position for position in subject.starts if position.impossible() is not None]
    for position in spread(doomed, SEARCHED):
        for length, layer in enumerate(layers(position)):
            solved = any(other.solved() for other in layer)
            require(not solved, f"{position.impossible()!r} is wrong: {length} moves solve\n{position}")


@everywhere()
def pictures_show_what_moves_change(_: LawSubject, position: Position) -> None:
    """Require that drawings have printable lines, and differ before and after a move with a visible effect."""
    picture = position.draw()
    of_its_own = offered(position, Pictured) is None
    require(not (of_its_own and picture.endswith("\n")), "the picture ends with a newline")
    lines = picture.split("\n")
    require(all(line.isprintable() for line in lines), f"the picture has characters that do not print: {picture!r}")
    for move in position.moves()[:MOVES_TRIED]:
        after = position.apply(move)
        same = after.draw() == picture and seen_of(after) != seen_of(position)
        require(not same, f"the picture is the same after the move {move!r}:\n{picture}")


def samples_vary(subject: LawSubject) -> None:
    """Require that samples are equal for equal seeds, and differ if the game has more than one position."""
    for seed, sample in enumerate(subject.samples):
        require(sample.game == subject.game, "sample() gave a position of another game")
        require(subject.game.sample(Random(seed)) == sample, f"sample(Random({seed})) gives different positions")
    first = subject.samples[0]
    others = bool(first.moves()) or any(level != first for level in subject.levels.values())
    require(len(set(subject.samples)) > 1 or not others, f"{len(subject.samples)} samples are all the same:\n{first}")


def some_level_can_be_solved(subject: LawSubject) -> None:
    """Require that at least one level has a solution, or is too large to find out."""
    hopeless = all(solvable(position) is False for position in subject.starts)
    require(not hopeless, f"none of the {len(subject.starts)} levels and samples can be solved")


def letters_lie_on_paint_that_they_can_be_read_on(subject: LawSubject) -> None:
    """Require that each text in a picture has a contrast of at least 4.5 with its background, in every theme."""
    for start in spread(subject.starts, STARTS):
        described = offered(start, Pictured) is not None  # otherwise it is text on paper in all positions
        for position in _around(start) if described else [start]:
            for words, role, below in texts(*picture_of(position)):
                least, theme = min((contrast(paint[role], paint[below]), theme) for theme, paint in THEMES.items())
                if least < READABLE:
                    raise AssertionError(
                        f"the text {words!r} in the role {role!r} is on {below!r}, where its contrast in the theme "
                        f"{theme!r} is {least:.1f}, but must be at least {READABLE}; {_readable(below)}; "
                        f"the position of this text is\n{position}"
                    )


def _readable(below: str) -> str:
    """Return a sentence that names the colour roles for text that can be read on a given background."""
    fine = [role for role in WORDS if all(contrast(paint[role], paint[below]) >= READABLE for paint in THEMES.values())]
    return f"on {below!r} text may be {' or '.join(map(repr, fine))}" if fine else f"no text can be read on {below!r}"


@needs(Pictured, UNPICTURED)
def equal_pieces_are_equal_positions(subject: LawSubject) -> None:
    """Require that positions of a level with equal pictures are equal, unless the difference is invisible."""
    for start in _pictured(subject):
        looks: dict[Hashable, Position] = {}
        for position in _around(start):
            pieces = tuple(sorted(picture_of(position)[1]))
            other = looks.setdefault(pieces, position)
            alike = seen_of(other) == seen_of(position)
            require(alike, f"two positions of a level have the same pieces:\n{other}and\n{position}")
        kinds = {seen_of(position): pieces for pieces, position in looks.items()}
        require(len(kinds) == len(looks), f"equal positions have different pieces, after moves from\n{start}")


@needs(Pictured, UNPICTURED)
def a_level_has_one_ground(subject: LawSubject) -> None:
    """Require that no move changes the ground, the fixed part of the picture."""
    for start in _pictured(subject):
        first = picture_of(start)[0]
        for position in _around(start):
            require(picture_of(position)[0] == first, f"the ground changes by moves from\n{start}")


@needs(Pictured, UNPICTURED)
def pieces_are_on_the_board(subject: LawSubject) -> None:
    """Require that each piece is on the board, has a kind, and has a look that the ground defines."""
    for start in _pictured(subject):
        for position in _around(start):
            ground, pieces = picture_of(position)
            for piece in pieces:
                look, row, column, kind = piece
                missing = f"the piece {piece} has a look that the ground does not have, in\n{position}"
                require(look in ground.looks, missing)
                inside = 0 <= row <= ground.rows - 0.5 and 0 <= column <= ground.columns - 0.5
                require(inside, f"the piece {piece} is not on the board, which is {ground.rows} x {ground.columns}")
                require(isinstance(kind, str) and kind, f"the piece {piece} has no kind")


def pictures_are_well_formed(subject: LawSubject) -> None:
    """Require that each picture can be drawn as well-formed SVG."""
    for position in spread(subject.starts, STARTS):
        try:
            expat.ParserCreate().Parse(svg_of(position), True)
        except expat.ExpatError as error:
            raise AssertionError(f"the picture is not XML: {error}; the position is\n{position}") from error


def _pictured(subject: LawSubject) -> list[Position]:
    return [start for start in spread(subject.starts, STARTS) if offered(start, Pictured)]


def _around(start: Position) -> list[Position]:
    """Return the positions on random walks from a start."""
    return [position for seed in range(WALKS) for position in wander(start, Random(seed), STEPS)]
