"""Every bundled puzzle obeys the laws of all games; a new one in translators/ comes under them at once.

Games in PuzzleScript are played by the engine in the core, where there is one: it is much faster than the one in
Python, and `puzzlescript/test_engines.py` holds that both play the same. One game obeys the laws in Python, too: that
of `puzzlescript/test_game.py`.

Each of their levels is translated to PDDL on its own, which takes a second or more in some games: there the laws see
the PDDL of bundled levels and of a few samples, and are told at all other levels that there is none.
`puzzlescript/test_forking.py` holds the translation to many more games.
"""

from __future__ import annotations

import pytest

from support.thorough import PART
from unpuzzle import translators
from unpuzzle.errors import UnsupportedFeature
from unpuzzle.planning import registry
from unpuzzle.puzzlescript.forking.forked import KeptLevels
from unpuzzle.puzzlescript.game import ScriptGame
from unpuzzle.testing import laws


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


@pytest.fixture(autouse=True)
def few_translations(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No PDDL of games where it takes long, but for the laws that look at a few levels of it."""

    def refuse(levels: KeptLevels, state: object, tick: object, most_steps: int | None = None) -> None:
        raise UnsupportedFeature("no PDDL: there would be too many translations", feature="PDDL")

    test = request.node.name
    if any(name in test for name in COSTLY) and not any(law in test for law in SEEING):
        monkeypatch.setattr(KeptLevels, "forked", refuse)


for _name in translators.names():
    globals()[f"test_laws_of_{_name}"] = laws(quickened(translators.find(_name)), share=PART)
