"""Every bundled puzzle obeys the laws of all games; a new one in translators/ comes under them at once.

Games in PuzzleScript are played by the engine in the core, where there is one: it is much faster than the one in
Python, and `puzzlescript/test_engines.py` holds that both play the same. One game obeys the laws in Python, too: that
of `puzzlescript/test_game.py`.
"""

from __future__ import annotations

import pytest

from support.thorough import PART
from unpuzzle import planners, translators
from unpuzzle.solving import engine_of
from unpuzzle.testing import laws
from unpuzzle.translators._puzzlescript.game import ScriptGame


@pytest.mark.parametrize("name", translators.names())
def test_a_bundled_puzzle_is_found(name):
    assert translators.find(name).name == name


def quickened(game):
    """The game, played by the engine in the core."""
    if isinstance(game, ScriptGame) and planners.missing("native") is None:
        game.engine = engine_of("native", game.compiled)
    return game


for _name in translators.names():
    globals()[f"test_laws_of_{_name}"] = laws(quickened(translators.find(_name)), share=PART)
