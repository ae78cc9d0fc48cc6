"""Twenty domains of the planning competitions as games: the laws of games, and the same counts by every way to count.

The rules of a PDDL game are the compiled semantics; what is compared with them are the native core and the reference
semantics, which share no code with them.
"""

from __future__ import annotations

import pytest

import unpuzzle
from support.data import IPC, needs_ipc
from unpuzzle.errors import LimitReached
from unpuzzle.pddl import read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.by_rules import reachable_by_rules
from unpuzzle.testing.game_laws import all_laws
from unpuzzle.testing.game_laws.subject import Law, Subject, apply_law
from unpuzzle.translators import find

pytestmark = needs_ipc

SPACES = {
    "blocks/probBLOCKS-4-0": 125,
    "caldera-opt18-adl/p01": 4024,
    "elevators-opt08-strips/p01": 215_750,
    "gripper/prob01": 256,
    "logistics00/probLOGISTICS-4-0": 941_192,
    "miconic-fulladl/f3-2": 162,
    "miconic-simpleadl/s3-1": 108,
    "openstacks-opt08-adl/p01": 3383,
    "pegsol-opt11-strips/p01": 408,
    "philosophers/p01-phil2": 206,
    "psr-middle/p01-s17-n2-l2-f30": 8032,
    "scanalyzer-08-strips/p01": 46_080,
    "sokoban-opt11-strips/p01": 22_368,
    "storage/p05": 1460,
    "tidybot-opt11-strips/p01": 7040,
    "trucks/p01": 101_112,
    "woodworking-opt08-strips/p01": 16_875,
}
"""How many states there are in all, as the native core counts them without a game."""
LARGE = ("assembly/prob01", "optical-telegraphs/p01-opt2", "visitall-opt14-strips/p-05-5")
"""Tasks with too many states to count here."""
GAMES = (*SPACES, *LARGE)
PLAYED = 500
"""Spaces of so many states are counted by the rules, too, and compared by `check`."""
COMPARED = 60
"""So many states of each game, nearest first, are compared with the reference semantics."""


def start(name: str) -> Position:
    """The first state of a task of the data, as a position of its domain's game."""
    game = find(str(IPC / name / "domain.pddl"))
    return game.parse(game.levels["problem"])


def test_they_are_of_twenty_domains() -> None:
    assert len({name.partition("/")[0] for name in GAMES}) == 20


@pytest.fixture(scope="module")
def subjects() -> dict[str, Subject]:
    """The games under the laws, each made once, since subjects remember what they looked at."""
    return {}


@pytest.mark.parametrize("law", [pytest.param(law, id=law.__name__) for law in all_laws()])
@pytest.mark.parametrize("name", GAMES)
def test_laws(name: str, law: Law, subjects: dict[str, Subject]) -> None:
    if name not in subjects:
        subjects[name] = Subject(find(str(IPC / name / "domain.pddl")), 0.1)
    apply_law(law, subjects[name])
