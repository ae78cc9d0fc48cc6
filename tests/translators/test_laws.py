"""Every bundled puzzle obeys the laws of all games; a new one in translators/ comes under them at once.

Games in PuzzleScript are played by the engine in the core, where there is one: it is much faster than the one in
Python, and `puzzlescript/test_engines.py` holds that both play the same. One game obeys the laws in Python, too: that
of `puzzlescript/test_game.py`.

Each of their levels is translated to PDDL on its own, which takes a second or more in some games: there only the laws
in `SEEING` see the PDDL, those about PDDL alone are left out, and to all others there is none.
`puzzlescript/test_pddl_encoding.py` holds the translation to many more games.
"""

from __future__ import annotations

import pytest

from support.thorough import PART
from unpuzzle import translators
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.planning import registry
from unpuzzle.puzzlescript.game import ScriptGame
from unpuzzle.puzzlescript.pddl_encoding.forked import KeptLevels
from unpuzzle.testing import laws
from unpuzzle.testing.game_laws import language


@pytest.mark.parametrize("name", translators.names())
def test_a_bundled_puzzle_is_found(name):
    assert translators.find(name).name == name


def quickened(game):
    """The game, played by the engine in the core."""
    if isinstance(game, ScriptGame) and registry.missing("native") is None:
        return ScriptGame(game.source, game.name, game.file, engine="native")
    return game


COSTLY = ("falling-crates", "grass-fire", "long-loads", "three-alike")
SEEING = ("the_pddl_of_bundled_levels_is_the_game", "levels_are_the_same_in_every_process")
GUESSED = "crossword-clues"
"""The game without moves, since solving its levels is guessing; the laws of such a game follow."""
WITHOUT_MOVES = (
    "every_level_is_read",
    "a_move_leaves_its_position_unchanged",
    "asked_twice_a_position_says_the_same",
    "positions_keep_their_promises",
    "equal_positions_have_equal_facts",
    "the_game_says_what_it_is",
    "a_text_is_read_or_refused_with_its_place",
    "long_and_deeply_nested_texts_are_read_or_refused",
    "a_reason_for_impossible_is_right",
    "pictures_are_well_formed",
    "a_game_comes_back_from_a_pickle",
)


@pytest.fixture(autouse=True)
def few_translations(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No PDDL of games where it takes long, but for the laws that look at a few levels of it."""

    def refuse(levels: KeptLevels, state: object, most_steps: int | None = None) -> None:
        raise UnsupportedFeature("no PDDL: there would be too many translations", feature="PDDL")

    test = request.node.name
    if any(name in test for name in COSTLY) and not any(law in test for law in SEEING):
        monkeypatch.setattr(KeptLevels, "forked", refuse)


def is_tested(name: str, law: str) -> bool:
    """Whether a law has something to look at in a bundled game."""
    if name == GUESSED:
        return law in WITHOUT_MOVES
    return name not in COSTLY or law in SEEING or not hasattr(language, law)


for _name in translators.names():
    _test = laws(quickened(translators.find(_name)), share=PART)
    [_laws] = vars(_test)["pytestmark"]
    _laws.args[1][:] = [law for law in _laws.args[1] if is_tested(_name, law.id)]
    globals()[f"test_laws_of_{_name}"] = _test
