"""Laws about the form and results of moves, about texts that are no moves, and about samples and pictures.

If a game describes its pictures, they distinguish positions, and every back-end can draw them.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from xml.parsers import expat

from unpuzzle.base.errors import IllegalMove
from unpuzzle.base.text import shorten, words_of
from unpuzzle.drawing import WORDS
from unpuzzle.drawing.covering import texts
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.faults import broken_promise
from unpuzzle.puzzle.position import Position, wander
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.svg import svg_of
from unpuzzle.rendering.themes import THEMES, contrast
from unpuzzle.testing.game_laws.subject import (
    MOVES_TRIED,
    STEPS,
    Subject,
    everywhere,
    layers,
    needs,
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


def positions_keep_their_promises(subject: Subject) -> None:
    """Require that all methods return results of the right type: positions, numbers, strings, truth values."""
    for start in subject.starts:
        broken = broken_promise(start, 10)
        require(broken is None, f"{broken}\nin or soon after the level\n{start}")


@everywhere()
def moves_are_words_without_blanks(_: Subject, position: Position) -> None:
    """Require that no move is offered twice, and that each is a printable word without blanks."""
    moves = position.moves()
    require(len(set(moves)) == len(moves), f"moves() offers a move twice: {' '.join(moves)}")
    for move in moves:
        fine = move.isprintable() and not any(letter.isspace() for letter in move)
        require(move and fine, f"the move {move!r} is empty, or has blanks or unprintable characters")


def one_letter_moves_tells_the_truth(subject: Subject) -> None:
    """Require that each move is a single letter if the game writes moves without blanks."""
    long = ", ".join([repr(move) for move in subject.moves if len(move) != 1][:3])
    lies = subject.game.one_letter_moves and long
    require(not lies, f"one_letter_moves is True, but {long} has not one letter; set it False")


@everywhere()
def a_move_makes_a_new_position(subject: Subject, position: Position) -> None:
    """Require that each move leads to a different position, except in games with idle moves."""
    for move in () if subject.game.idle_moves else position.moves()[:MOVES_TRIED]:
        after = position.apply(move)
        require(after != position, f"apply({move!r}) changes nothing: it should not be among the moves")


@everywhere()
def equal_positions_offer_the_same(subject: Subject, position: Position) -> None:
    """Require that equal positions have the same moves, in the same order, at the same costs."""
    again = subject.game.parse(str(position))
    require(again.moves() == position.moves(), "a position and the one of its text offer different moves")
    require(again.solved() == position.solved(), "solved() differs between a position and the one of its text")
    for move in position.moves()[:MOVES_TRIED]:
        require(again.cost(move) == position.cost(move), f"cost({move!r}) differs from that after its text is read")
        same = again.apply(move) == position.apply(move)
        require(same, f"apply({move!r}) differs between a position and the one of its text")


def nothing_else_is_a_move(subject: Subject) -> None:
    """Require that moves of other positions, and words similar to moves, raise IllegalMove with a reason."""
    moves = subject.moves[:200]
    words = {*moves, "", *[word for move in moves[:10] for word in (move.swapcase(), move * 2, move[:-1], move + "x")]}

    def holds(position: Position) -> None:
        for move in sorted(words - set(position.moves())):
            refusal = _refusal(position, move)
            reason = str(refusal)
            require(reason.strip(), f"the refusal of the move {move!r} gives no reason")
            require(refusal.move == move, f"the refusal of {move!r} names another move: {shorten(reason)}")

    subject.everywhere(holds, examples=30)


def _refusal(position: Position, move: str) -> IllegalMove:
    try:
        position.apply(move)
    except IllegalMove as error:
        return error
    except Exception as error:
        said = words_of(error)
        raise AssertionError(f"apply({move!r}) should raise IllegalMove, but it raised {said}") from error
    raise AssertionError(f"apply({move!r}) makes a position, although moves() does not offer it")


def a_reason_for_impossible_is_right(subject: Subject) -> None:
    """Require that no search solves a position that the game declares impossible for a stated reason."""
    doomed = [position for position in subject.starts if position.impossible() is not None]
    for position in spread(doomed, SEARCHED):
        for length, layer in enumerate(layers(position)):
            solved = any(other.solved() for other in layer)
            require(not solved, f"{position.impossible()!r} is wrong: {length} moves solve\n{position}")


@everywhere()
def pictures_show_what_moves_change(_: Subject, position: Position) -> None:
    """Require that a drawing has printable lines, and that each visible change of a move changes the drawing."""
    picture = position.draw()
    of_its_own = offered(position, Pictured) is None
    require(not (of_its_own and picture.endswith("\n")), "the picture ends with a newline")
    lines = picture.split("\n")
    require(all(line.isprintable() for line in lines), f"the picture has characters that do not print: {picture!r}")
    for move in position.moves()[:MOVES_TRIED]:
        after = position.apply(move)
        same = after.draw() == picture and seen_of(after) != seen_of(position)
        require(not same, f"the picture is the same after the move {move!r}:\n{picture}")


def samples_vary(subject: Subject) -> None:
    """Require that samples are equal for equal seeds, and differ if the game has more than one position."""
    for seed, sample in enumerate(subject.samples):
        require(sample.game == subject.game, "sample() gave a position of another game")
        require(subject.game.sample(Random(seed)) == sample, f"sample(Random({seed})) gives different positions")
    first = subject.samples[0]
    others = bool(first.moves()) or any(level != first for level in subject.levels.values())
    require(len(set(subject.samples)) > 1 or not others, f"{len(subject.samples)} samples are all the same:\n{first}")


def some_level_can_be_solved(subject: Subject) -> None:
    """Require that some level has a solution, or is too large for a search to decide."""
    hopeless = all(solvable(position) is False for position in subject.starts)
    require(not hopeless, f"none of the {len(subject.starts)} levels and samples can be solved")


def letters_lie_on_paint_that_they_can_be_read_on(subject: Subject) -> None:
    """Require that text has a contrast of at least 4.5 with the colour below it, in every theme."""
    for start in spread(subject.starts, STARTS):
        described = offered(start, Pictured) is not None  # otherwise it is text on paper in all positions
        for position in _around(start) if described else [start]:
            for words, role, below in texts(*picture_of(position)):
                least, theme = min((contrast(paint[role], paint[below]), theme) for theme, paint in THEMES.items())
                if least < READABLE:
                    raise AssertionError(
                        f"the text {words!r} in the role {role!r} is on {below!r}, where its contrast in the theme "
                        f"{theme!r} is {least:.1f}, and it takes {READABLE}; {_readable(below)}, in\n{position}"
                    )


def _readable(below: str) -> str:
    """Return a sentence that names the colour roles for readable text on a background role."""
    fine = [role for role in WORDS if all(contrast(paint[role], paint[below]) >= READABLE for paint in THEMES.values())]
    return f"on {below!r} text may be {' or '.join(map(repr, fine))}" if fine else f"no text can be read on {below!r}"


@needs(Pictured, UNPICTURED)
def equal_pieces_are_equal_positions(subject: Subject) -> None:
    """Require that different positions of a level have different pictures, unless the difference is invisible."""
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
def a_level_has_one_ground(subject: Subject) -> None:
    """Require that no move changes the ground, the fixed part of the picture."""
    for start in _pictured(subject):
        first = picture_of(start)[0]
        for position in _around(start):
            require(picture_of(position)[0] == first, f"the ground changes by moves from\n{start}")


@needs(Pictured, UNPICTURED)
def pieces_are_on_the_board(subject: Subject) -> None:
    """Require that each piece is on the board, has a kind, and has an image (look) that the ground defines."""
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


def pictures_are_well_formed(subject: Subject) -> None:
    """Require that each picture as SVG is well-formed XML, also in games that define no pictures."""
    for position in spread(subject.starts, STARTS):
        try:
            expat.ParserCreate().Parse(svg_of(position), True)
        except expat.ExpatError as error:
            raise AssertionError(f"the picture is not XML: {error}, of\n{position}") from error


def _pictured(subject: Subject) -> list[Position]:
    return [start for start in spread(subject.starts, STARTS) if offered(start, Pictured)]


def _around(start: Position) -> list[Position]:
    """Return the positions on random walks from a start."""
    return [position for seed in range(WALKS) for position in wander(start, Random(seed), STEPS)]
