"""Properties (laws) that every game must have, as tests for pytest.

A test file of a puzzle needs only

    from unpuzzle.testing import laws
    from lights_out import LightsOut

    test_laws = laws(LightsOut)

and pytest reports one test for each law: `test_laws[the_text_comes_back]`. A law looks at the bundled levels, at
random samples and at positions after random moves; a failure is a sentence, with the level and the fewest moves.

subject.py        the game under test: its levels, samples, moves and letters
rules.py          the game has names; texts come back, or are refused with their place; moves make new positions,
                  everything else is refused; samples; pictures
capabilities.py   symmetries, searches from both ends, walkers, points, plain data, constraints, heuristics, subgoals,
                  lines, grades, explanations: as far as the game offers them
language.py       the PDDL is the game, if it has PDDL
making.py         options, generated levels; everything is equal in every process, and after pickling

The laws in `CAUSES` come first: if one is broken, the following ones are skipped, as its failure may explain theirs. A
position that a move changes, for instance, breaks two dozen laws, and none would explain it. Each law here looks only
for its own fault, and lets all others pass.

A law is in `CAUSES`, or a public function of these modules, except subject.py: it takes a `LawSubject` and raises
AssertionError. It requires only promises in the docstrings of `unpuzzle.model`, and knows no puzzle: letters, moves
and actions come from the game itself. Conditional effects, derived predicates, moves of several letters, moves that
cost nothing, many goals, one level, few samples are all lawful. A move that leads to the same position is only lawful
with `idle_moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from inspect import isfunction
from random import Random
from typing import Any

from unpuzzle.base.distances import BothWays, Explorer
from unpuzzle.base.errors import ParseError, UnpuzzleError
from unpuzzle.base.text import shorten
from unpuzzle.model.faults import require_same_after
from unpuzzle.model.position import Game, Position, wander
from unpuzzle.testing.game_laws import capabilities, language, making, rules
from unpuzzle.testing.game_laws.rules import every_level_is_read, positions_keep_their_promises
from unpuzzle.testing.game_laws.subject import MOVES_TRIED, Law, LawSubject, applicable, apply_law, require, spread

AnswersByQuestion = dict[str, object]

STARTS = 16
STEPS = 8
MOVES = 6
"""The number of moves that are tried in a position."""
REPEATED = 20
"""The number of repetitions of a changed answer before a move is blamed."""
STATES = 60
"""The most positions examined from a start, breadth first, with all moves between them."""


def laws(game: Game, *, share: float = 1) -> Callable[..., None]:
    """Return a test function for pytest that tests the laws on a game, one test for each law.

    Laws about features that the game does not have, such as symmetries, are left out.
    `share`, more than 0 and at most 1, is the part of the random examples to try. Raises UnpuzzleError if pytest or
    hypothesis is not installed, TypeError for an argument that is not a game, ValueError for another share.
    """
    if not isinstance(game, Game):
        raise TypeError(f"laws() takes a game: a subclass of Puzzle, or an object of a subclass of Game; not {game!r}")
    if not 0 < share <= 1:
        raise ValueError(f"share must be more than 0 and at most 1, not {share!r}")
    try:
        import hypothesis  # noqa: F401 - the laws need it later
        import pytest
    except ImportError as error:
        lack = f"{error.name} is not installed: pip install pytest hypothesis"
        raise UnpuzzleError(f"the laws need pytest and hypothesis, and {lack}") from None

    subject = LawSubject(game, share)

    @pytest.mark.parametrize("law", [pytest.param(law, id=law.__name__) for law in applicable(game, all_laws())])
    def test_laws(law: Law) -> None:
        __tracebackhide__ = True
        cause = failing(subject, law)
        if cause is not None:
            pytest.skip(f"skipped, since {cause} fails and may be the reason")
        if law not in CAUSES:
            apply_law(law, subject)
        elif (broken := verdict(subject, law)) is not None:
            raise broken

    return test_laws


def all_laws() -> tuple[Law, ...]:
    """Return all laws, those that may explain failures of others (`CAUSES`) first."""
    laws: dict[Law, None] = dict.fromkeys(CAUSES)
    for module in (rules, capabilities, language, making):
        functions = (
            value for value in vars(module).values() if isfunction(value) and value.__module__ == module.__name__
        )
        laws.update((function, None) for function in functions if not function.__name__.startswith("_"))
    return tuple(laws)


def a_move_leaves_its_position_unchanged(subject: LawSubject) -> None:
    """Require that making a move changes neither the position before the move nor any earlier position."""
    for number, text in enumerate(spread(subject.texts, subject.some(STARTS))):
        walked: list[tuple[Position, AnswersByQuestion]] = []
        for position in _walk(subject, text, Random(number)):
            if _answers(position) != (answers := _answers(position)):
                break  # the moves do not change it
            walked.append((position, answers))
            for move in _moves(position)[:MOVES]:
                _try(position.apply, move)
                for earlier, before in walked:
                    _require_unchanged(earlier, before, move, position is earlier)


def _require_unchanged(position: Position, before: AnswersByQuestion, move: str, itself: bool) -> None:
    """Raise AssertionError if a move changed what a position answers."""
    now = _answers(position)
    changed = next((question for question in now if now[question] != before[question]), None)
    # answers that keep changing are changed by chance, not by a move
    if changed is not None and all(_answers(position) == now for _ in range(REPEATED)):
        what = "the position itself" if itself else "a position that came before it"
        old, new = (shorten(str(answers[changed]), 60) for answers in (before, now))
        raise AssertionError(
            f"apply({move!r}) changed {what}: {changed} was {old} and is now {new}; positions "
            "are immutable, so copy what you change, and give the copy to the new position"
        )


def asked_twice_a_position_says_the_same(subject: LawSubject) -> None:
    """Require that the methods of a position return equal values when they are called again."""
    for number, text in enumerate(spread(subject.texts, subject.some(STARTS))):
        for position in _walk(subject, text, Random(number)):
            first, second = _everything(position), _everything(position)
            for question in first:
                one, two = (shorten(str(answers[question]), 80) for answers in (first, second))
                require(
                    first[question] == second[question],
                    f"{question}, called twice, gives different results: {one} and then {two}; a method must change "
                    f"nothing and must not be random; after moves from the level\n{text}",
                )


def equal_positions_have_equal_facts(subject: LawSubject) -> None:
    """Require that positions that compare equal have the same facts."""
    for start in spread(subject.starts, subject.some(STARTS)):
        explorer = Explorer(start, _some_steps, partial(_require_same, start))
        while explorer.depth is not None and len(explorer.edges) < STATES:
            explorer.expand()


def _some_steps(position: Position) -> Iterator[tuple[None, Position, str]]:
    for move in position.moves()[:MOVES_TRIED]:
        yield None, position.apply(move), move


def _require_same(start: Position, first: Position, second: Position, ways: BothWays) -> None:
    try:
        require_same_after(first, second, ways)
    except ParseError as error:
        raise AssertionError(
            f"{error}\nThe level is\n{start}The first position is\n{first}The second position is\n{second}"
        ) from error


CAUSES = (
    every_level_is_read,
    a_move_leaves_its_position_unchanged,
    asked_twice_a_position_says_the_same,
    positions_keep_their_promises,
    equal_positions_have_equal_facts,
)
"""In the order of testing: later laws rely on earlier ones."""


def _walk(subject: LawSubject, text: str, rng: Random) -> Iterator[Position]:
    """Yield the positions of a random walk from a level, given as `text`; nothing if it cannot be parsed."""
    start = _try(subject.game.parse, text)
    steps = iter(()) if start is None else wander(start, rng, STEPS)
    while (position := _try(next, steps, None)) is not None:
        yield position


def _try(ask: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of a call; None if the call raises an exception."""
    try:
        return ask(*arguments)
    except Exception:  # another law reports it
        return None


def _moves(position: Position) -> tuple[str, ...]:
    moves = _try(position.moves)
    return moves if isinstance(moves, tuple) else ()


def _answers(position: Position) -> AnswersByQuestion:
    """Return a position's text, moves and atoms, and whether it is solved, each by the name of its method."""
    answers = {"its text": _try(position.__str__), "solved()": _try(position.solved)}
    return answers | {"moves()": _try(position.moves), "atoms()": _try(position.atoms)}


def _everything(position: Position) -> AnswersByQuestion:
    """Return the results of a position's main methods; None replaces a result of a wrong type."""
    asked: dict[str, tuple[type, Callable[[], Any]]]
    asked = {"str()": (str, position.__str__), "hash()": (int, position.__hash__), "solved()": (bool, position.solved)}
    asked |= {"moves()": (tuple, position.moves), "impossible()": (str, position.impossible)}
    asked |= {"draw()": (str, position.draw), "atoms()": (frozenset, position.atoms)}
    for move in _moves(position)[:MOVES]:
        asked[f"cost({move!r})"] = int, partial(position.cost, move)
        asked[f"apply({move!r})"] = Position, partial(position.apply, move)
    answers = ((question, kind, _try(ask)) for question, (kind, ask) in asked.items())
    return {question: answer if isinstance(answer, kind) else None for question, kind, answer in answers}


def failing(subject: LawSubject, law: Law) -> str | None:
    """Return the name of the first broken law in `CAUSES` that precedes `law`; None if no such law is broken."""
    earlier = CAUSES[: CAUSES.index(law)] if law in CAUSES else CAUSES
    return next((cause.__name__ for cause in earlier if verdict(subject, cause) is not None), None)


def verdict(subject: LawSubject, cause: Law) -> AssertionError | None:
    """Return the failure of a law in `CAUSES`, tested only once for each game; None if the law holds."""
    import pytest

    if cause not in subject.verdicts:
        try:
            apply_law(cause, subject)
            subject.verdicts[cause] = None
        except pytest.skip.Exception:
            subject.verdicts[cause] = None
        except AssertionError as error:
            subject.verdicts[cause] = error
    return subject.verdicts[cause]
