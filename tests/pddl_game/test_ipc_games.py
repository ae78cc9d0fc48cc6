"""Twenty domains of the planning competitions as games: the laws of games, and the same counts by every way to count.

The rules of a PDDL game are the compiled semantics. What they are compared with shares no code with them: the native
core, and the reference semantics.
"""

from itertools import islice

import pytest

import unpuzzle
from support.data import IPC, needs_ipc
from support.river import CROSSING, RIVER
from support.thorough import some_of
from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_domain, read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.state_space.space import reachable_by_rules
from unpuzzle.testing.game_laws import all_laws
from unpuzzle.testing.game_laws.subject import Law, LawSubject, applicable, apply_law
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
"""How many states there are in all, as the native core counted them in the task, without a game."""
LARGE = ("assembly/prob01", "optical-telegraphs/p01-opt2", "visitall-opt14-strips/p-05-5")
"""Tasks with too many states to count here."""
GAMES = (*SPACES, *LARGE)
PLAYED = 500
"""Spaces of so many states are counted by the rules, too, and compared by `check`."""
COMPARED = 40
"""So many states of each game, nearest first, are compared with the reference semantics."""
SHARE = 0.05
"""The part of the random examples that laws try here: texts of these levels are long, and there are twenty games."""
LAWS = applicable(PddlGame(parse_domain(RIVER), {"1": CROSSING}), all_laws())
"""The laws of games without pictures: what else they have follows from the kind of game."""


def start(name: str) -> Position:
    """The first state of a task of the data, as a position of its domain's game."""
    game = find(str(IPC / name / "domain.pddl"))
    return game.parse(game.levels["problem"])


def nearest(position: Position) -> dict[Position, dict[str, Position]]:
    """The positions after each move, of the positions nearest to one."""
    following: dict[Position, dict[str, Position]] = {}
    queue = [position]
    for place in queue:
        if place not in following:
            following[place] = {move: place.apply(move) for move in place.moves()}
            queue += following[place].values()
        if len(following) == COMPARED:
            break
    return following


def test_they_are_of_twenty_domains() -> None:
    assert len({name.partition("/")[0] for name in GAMES}) == 20


@pytest.fixture(scope="module")
def subjects() -> dict[str, LawSubject]:
    """The games under the laws, each made once, since subjects remember what they looked at."""
    return {}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", some_of(GAMES))
def test_laws(name: str, law: Law, subjects: dict[str, LawSubject]) -> None:
    if name not in subjects:
        subjects[name] = LawSubject(find(str(IPC / name / "domain.pddl")), SHARE)
    apply_law(law, subjects[name])


@pytest.mark.parametrize("name", SPACES)
def test_explore_counts_the_states_of_the_task(name: str) -> None:
    position = start(name)
    explored = unpuzzle.explore(position)
    assert (explored.status, explored.states) == ("complete", SPACES[name])
    if explored.states > 50_000:  # the figures below take long to work out
        return
    space = unpuzzle.reachable(read(IPC / name / "domain.pddl", IPC / name / "problem.pddl"))
    assert (space.states, space.transitions) == (explored.states, explored.transitions)
    assert sum(space.goals) == explored.goals


@pytest.mark.parametrize("name", [name for name, states in SPACES.items() if states <= PLAYED])
def test_rules_and_check_count_the_same(name: str) -> None:
    position = start(name)
    report = unpuzzle.check(position)
    assert (report.same, report.exhaustive, report.states) == (True, True, SPACES[name])
    assert reachable_by_rules(position).states == SPACES[name]


@pytest.mark.parametrize("name", GAMES)
def test_the_reference_semantics_has_the_same_moves_and_states(name: str) -> None:
    position = start(name)
    semantics = Semantics(position.task())
    statics = semantics.initial - position.atoms()
    for place, following in islice(nearest(position).items(), COMPARED):
        state = statics | place.atoms()
        actions = semantics.applicable(state)
        assert [place.decode(action) for action in actions] == list(following)
        assert place.solved() == semantics.solved(state)
        for action in actions:
            after = following[place.decode(action)]
            assert after.atoms() == semantics.fluents(semantics.apply(state, action))
            assert place.cost(place.decode(action)) == semantics.cost(action)
