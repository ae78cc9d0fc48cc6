"""Laws about moves: what they are, what they make, and that nothing else is a move; about pictures and samples."""

from __future__ import annotations

from random import Random

from unpuzzle.errors import IllegalMove
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.faults import broken_promise
from unpuzzle.puzzle.position import Position
from unpuzzle.testing.game_laws.pictures import seen_of
from unpuzzle.testing.game_laws.subject import MOVES_TRIED, Subject, layers, require, solvable, spread
from unpuzzle.words import shorten

SEARCHED = 10
"""Levels that are searched for solutions."""


def positions_keep_their_promises(subject: Subject) -> None:
    """Every method returns what it must: positions, numbers, strings, truth values."""
    for start in subject.starts:
        broken = broken_promise(start, 10)
        require(broken is None, f"{broken}\nin or soon after the level\n{start}")


def moves_are_words_without_blanks(subject: Subject) -> None:
    """Each is offered once, and can be printed in a line of moves."""

    def holds(position: Position) -> None:
        moves = position.moves()
        require(len(set(moves)) == len(moves), f"moves() offers a move twice: {' '.join(moves)}")
        for move in moves:
            fine = move.isprintable() and not any(letter.isspace() for letter in move)
            require(move and fine, f"the move {move!r} is empty, or has blanks or unprintable characters")

    subject.everywhere(holds)


def one_letter_moves_tells_the_truth(subject: Subject) -> None:
    """Moves that are written run together must be of one letter each."""
    long = [move for move in subject.moves if len(move) != 1]
    lies = subject.game.one_letter_moves and long
    require(
        not lies, f"one_letter_moves is True, but {', '.join(map(repr, long[:3]))} has not one letter; set it False"
    )


def a_move_makes_a_new_position(subject: Subject) -> None:
    """It leads elsewhere."""

    def holds(position: Position) -> None:
        for move in position.moves()[:MOVES_TRIED]:
            after = position.apply(move)
            require(after != position, f"apply({move!r}) changes nothing: it should not be among the moves")

    subject.everywhere(holds)


def equal_positions_offer_the_same(subject: Subject) -> None:
    """Whichever way a position was reached, its moves are the same, in the same order, at the same costs."""

    def holds(position: Position) -> None:
        again = subject.game.parse(str(position))
        require(again.moves() == position.moves(), "a position and the one of its text offer different moves")
        require(again.solved() == position.solved(), "solved() differs between a position and the one of its text")
        for move in position.moves()[:MOVES_TRIED]:
            require(again.cost(move) == position.cost(move), f"cost({move!r}) differs from that after its text is read")
            same = again.apply(move) == position.apply(move)
            require(same, f"apply({move!r}) differs between a position and the one of its text")

    subject.everywhere(holds)


def nothing_else_is_a_move(subject: Subject) -> None:
    """Moves of other positions, and words that only look like moves, are refused by IllegalMove with a reason."""
    known = subject.moves[:200]
    words = {*known, "", *[word for move in known[:10] for word in (move.swapcase(), move * 2, move[:-1], move + "x")]}

    def holds(position: Position) -> None:
        for move in sorted(words - set(position.moves())):
            refusal = _refusal(position, move)
            require(refusal, f"apply({move!r}) makes a position, although moves() does not offer it")
            require(str(refusal).strip(), f"the refusal of the move {move!r} gives no reason")
            require(
                refusal and refusal.move == move, f"the refusal of {move!r} names another move: {shorten(str(refusal))}"
            )

    subject.everywhere(holds, examples=30)


def _refusal(position: Position, move: str) -> IllegalMove | None:
    try:
        position.apply(move)
    except IllegalMove as error:
        return error
    except Exception as error:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise AssertionError(f"apply({move!r}) should raise IllegalMove, but it raised {said}") from error
    return None


def a_reason_for_impossible_is_right(subject: Subject) -> None:
    """Where a position says why it cannot be solved, a search does not solve it."""
    doomed = [position for position in subject.starts if position.impossible() is not None]
    for position in spread(doomed, SEARCHED):
        for length, layer in enumerate(layers(position)):
            solved = any(other.solved() for other in layer)
            require(not solved, f"{position.impossible()!r} is wrong: {length} moves solve\n{position}")


def pictures_show_what_moves_change(subject: Subject) -> None:
    """A picture is printable lines, and another one after each move that changes what is seen."""

    def holds(position: Position) -> None:
        picture = position.draw()
        of_its_own = offered(position, Pictured) is None
        require(not (of_its_own and picture.endswith("\n")), "the picture ends with a newline")
        lines = picture.split("\n")
        require(all(line.isprintable() for line in lines), f"the picture has characters that do not print: {picture!r}")
        for move in position.moves()[:MOVES_TRIED]:
            after = position.apply(move)
            same = after.draw() == picture and seen_of(after) != seen_of(position)
            require(not same, f"the picture is the same after the move {move!r}:\n{picture}")

    subject.everywhere(holds)


def samples_vary(subject: Subject) -> None:
    """They are equal for equal seeds, and not one and the same if the game has more than one position."""
    for seed, sample in enumerate(subject.samples):
        require(sample.game == subject.game, "sample() gave a position of another game")
        require(subject.game.sample(Random(seed)) == sample, f"sample(Random({seed})) gives different positions")
    first = subject.samples[0]
    others = bool(first.moves()) or any(level != first for level in subject.levels.values())
    require(len(set(subject.samples)) > 1 or not others, f"{len(subject.samples)} samples are all the same:\n{first}")


def some_level_can_be_solved(subject: Subject) -> None:
    """A game in which nothing is ever solved has nothing to say; what is too large to be searched does not count."""
    hopeless = all(solvable(position) is False for position in subject.starts)
    require(not hopeless, f"none of the {len(subject.starts)} levels and samples can be solved")


LAWS = (
    positions_keep_their_promises,
    moves_are_words_without_blanks,
    one_letter_moves_tells_the_truth,
    a_move_makes_a_new_position,
    equal_positions_offer_the_same,
    nothing_else_is_a_move,
    a_reason_for_impossible_is_right,
    pictures_show_what_moves_change,
    samples_vary,
    some_level_can_be_solved,
)
