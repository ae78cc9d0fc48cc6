"""Where players get lost: traps and their proofs are those that an exhaustive search of the rules alone finds."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from support.lost import Whole
from support.thorough import THOROUGH
from unpuzzle import explore, find
from unpuzzle.errors import UsageError
from unpuzzle.limits import Limits
from unpuzzle.spaces.lost_moves import CONFINED, CORRAL, FROZEN, NOWHERE, OPTIMAL_WAYS, SEARCHED, find_traps, reason_of
from unpuzzle.translators.sokoban import Sokoban

LEVELS = 1000 if THOROUGH else 25
"""Of each game."""
ROOM = Sokoban.levels["1"]


def checked(position, most=200):
    """Compare the traps of a level with those that a search of the rules finds; return their kinds, None if large."""
    whole = Whole(position)
    if not whole.small:
        return None
    exploration = explore(position)
    traps = find_traps(exploration, most=most)
    origin, expected = whole.first_traps()
    assert (traps.origin, traps.total, traps.status) == (origin, len(expected), "complete")
    assert len(traps.traps) == min(most, len(expected))
    depths = [len(trap.moves) for trap in traps.traps]
    nearest = sorted(min(whole.depth[before] for before in befores) for befores in expected.values())
    assert depths == nearest[:most]
    for trap in traps.traps:
        before = exploration.position(trap.before)
        after = before.apply(trap.move)
        assert before in expected[after]
        assert len(trap.moves) == whole.depth[before]
        assert trap.states == len(whole.reach(after))
        assert trap.goes_on == whole.goes_on(after)
        assert_proof(whole, trap, before, after)
    return [trap.kind for trap in traps.traps]


def assert_proof(whole, trap, before, after):
    frozen, confined, area = whole.frozen(after), whole.confined(after), whole.corral(before, after)
    kind = FROZEN if frozen else CONFINED if confined else CORRAL if area else SEARCHED
    assert trap.kind == kind
    assert set(trap.stuck) == (frozen or confined)
    if kind == CONFINED:
        area = {place for piece in confined for _, place in whole.places(after, piece)}
    assert set(trap.area) == (area if kind in (CONFINED, CORRAL) else set())


@pytest.mark.parametrize("name", ["sokoban", "storeroom"])
def test_traps_are_those_of_an_exhaustive_search(name: str) -> None:
    rng, game, kinds = Random(name), find(name), []
    tried = 0
    while tried < LEVELS:
        found = checked(game.sample(rng))
        tried += found is not None
        kinds += found or []
    assert {FROZEN, CONFINED} <= set(kinds)


def test_a_door_that_shuts_is_a_corral() -> None:
    game = find("boxup")
    level = game.parse(game.levels["3"])
    assert CORRAL in (checked(level) or [])
    traps = find_traps(explore(level))
    (corral,) = [trap for trap in traps.traps if trap.kind == CORRAL]
    assert corral.area == ((2, 2),)
    assert "can never be entered again" in reason_of(corral, level, traps.walks)
    assert traps.to_dict()["traps"][traps.traps.index(corral)]["area"] == [[3, 3]]


def test_of_a_small_room() -> None:
    traps = find_traps(explore(Sokoban.parse(ROOM)))
    assert (traps.origin, traps.total, traps.walks) == (OPTIMAL_WAYS, 3, True)
    rows = [("".join(trap.moves), trap.move, trap.kind, trap.goes_on) for trap in traps.traps]
    assert rows == [("L", "U", CONFINED, 1), ("uulld", "R", CONFINED, 3), ("Lruul", "D", FROZEN, 0)]
    assert reason_of(traps.traps[2], Sokoban.parse(ROOM), True).endswith("no push is possible after it")
    assert pickle.loads(pickle.dumps(traps)) == traps
    data = traps.to_dict()
    assert data["schema"] == "unpuzzle/traps/1"
    assert data["traps"][2]["stuck"] == [{"thing": "a box", "place": [4, 3]}]


def test_a_level_without_traps_and_one_that_is_lost() -> None:
    tiles = find("sliding-tiles")
    free = find_traps(explore(tiles.parse(tiles.levels["2x3"])))
    assert (free.origin, free.total, free.traps, free.walks) == (NOWHERE, 0, (), False)
    lost = find_traps(explore(Sokoban.parse("#####\n#$@.#\n#####\n")))
    assert (lost.origin, lost.total, lost.traps) == (NOWHERE, 0, ())


def test_a_pddl_game_tells_facts() -> None:
    game = find("blocksworld")
    assert find_traps(explore(game.parse(game.levels["swap"]))).total == 0


def test_only_complete_explorations_of_positions_will_do() -> None:
    level = Sokoban.parse(ROOM)
    for exploration in (explore(level, max_states=3), explore(level.task())):
        with pytest.raises(UsageError, match="complete exploration"):
            find_traps(exploration)


def test_a_limit_keeps_what_was_found() -> None:
    limits = Limits()
    limits.cancel()
    traps = find_traps(explore(Sokoban.parse(ROOM)), limits=limits)
    assert (traps.status, traps.total, traps.traps) == ("cancelled", None, ())
