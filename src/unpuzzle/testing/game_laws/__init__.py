"""laws(game): properties of every game, as tests for pytest. A test file of a puzzle needs only

    from unpuzzle.testing import laws
    from lights_out import LightsOut

    test_laws = laws(LightsOut)

and pytest reports one test for each law: `test_laws[the_text_comes_back]`. A law looks at the bundled levels, at
random samples and at positions after random moves; a failure is a sentence, with the level and the fewest moves.

causes.py         laws that are tested first: if one is broken, the following ones are skipped
subject.py        the game under test: its levels, samples, moves and letters
rules.py          the game has names; texts come back, or are refused with their place; moves make new positions,
                  everything else is refused; samples; pictures
capabilities.py   symmetries, searches from both ends, walkers, points, plain data, constraints, heuristics, subgoals,
                  lines, grades, explanations: as far as the game offers them
language.py       the PDDL is the game, if it has PDDL
making.py         options, generated levels; everything is equal in every process, and after pickling

A law is a public function of these modules, except subject.py: it takes a `Subject` and raises AssertionError. It
requires only promises in the docstrings of `unpuzzle.puzzle`, and knows no puzzle: letters, moves and actions come from
the game itself. Conditional effects, derived predicates, moves of several letters, moves that cost nothing, many
goals, one level, few samples are all lawful. A move that leads to the same position is only lawful with `idle_moves`.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.puzzle.position import Game
from unpuzzle.testing.game_laws import capabilities, causes, language, making, rules
from unpuzzle.testing.game_laws.causes import CAUSES, failing, verdict
from unpuzzle.testing.game_laws.subject import Law, Subject, applicable, apply_law


def laws(game: Game, *, share: float = 1) -> Callable[..., None]:
    """Return a test function, collected by pytest as `test_laws`, that takes a law as its parameter.

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

    subject = Subject(game, share)

    @pytest.mark.parametrize("law", [pytest.param(law, id=law.__name__) for law in applicable(game, all_laws())])
    def test_laws(law: Law) -> None:
        __tracebackhide__ = True
        cause = failing(subject, law)
        if cause is not None:
            pytest.skip(f"not looked at, since {cause} fails, and this may come of it")
        if law not in CAUSES:
            apply_law(law, subject)
        elif (broken := verdict(subject, law)) is not None:
            raise broken

    return test_laws


def all_laws() -> tuple[Law, ...]:
    """Return all laws: first the laws with failures that cause other failures, then the other laws by subject."""
    laws: dict[Law, None] = dict.fromkeys(causes.CAUSES)
    for module in (rules, capabilities, language, making):
        functions = (
            value for value in vars(module).values() if isfunction(value) and value.__module__ == module.__name__
        )
        laws.update((function, None) for function in functions if not function.__name__.startswith("_"))
    return tuple(laws)
