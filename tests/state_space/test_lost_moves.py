"""Where players get lost: traps and their proofs are those that an exhaustive search of the rules alone finds."""

import pickle
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from support.lost import Whole
from support.thorough import THOROUGH
from unpuzzle import explore, find
from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.state_space.dead_ends import (
    CONFINED,
    CORRAL,
    FROZEN,
    MOST_PAIRS,
    NOWHERE,
    OPTIMAL_WAYS,
    SEARCHED,
    Shortfall,
    find_shortfall,
    find_traps,
    reason_of,
)
from unpuzzle.translators.sokoban import Sokoban

LEVELS = 1000 if THOROUGH else 25
"""Of each game."""
ROOM = Sokoban.levels["1"]


def checked(position, most=200):
    """Compare the traps of a level with those that a search of the rules finds; return their kinds, None if large."""
    whole = Whole(position)
    if not whole.complete:
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


HOLES = """title Holes
========
OBJECTS
========
Background
Gray

Wall
Brown

Player
Blue

Crate
Orange

Hole
Black

=======
LEGEND
=======
. = Background
# = Wall
P = Player
C = Crate
O = Hole

=======
SOUNDS
=======

================
COLLISIONLAYERS
================
Background
Hole
Player, Wall, Crate

======
RULES
======
[ > Player | Crate ] -> [ > Player | > Crate ]
[ > Player | Hole ] -> cancel
late [ Crate Hole ] -> [ ]

==============
WINCONDITIONS
==============
No Hole

=======
LEVELS
=======
#######
#.....#
#P.C.O#
#.....#
#######
"""


def test_the_crate_that_is_stuck_is_named_and_not_the_hole_that_stays_open(tmp_path: Path) -> None:
    (tmp_path / "holes.txt").write_text(HOLES)
    game = find(str(tmp_path / "holes.txt"))
    level = game.parse(game.levels["0"])
    traps = find_traps(explore(level))
    assert traps.total == 4
    for trap in traps.traps:
        assert (trap.kind, [kind for kind, _ in trap.stuck]) == (CONFINED, ["crate"])
        assert "hole" not in reason_of(trap, level, traps.walks)


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


# ---- What of its goal an unsolvable level can reach: as a search of the rules says that looks at every position


TWO_ROOMS = "######\n#. $.#\n#@$# #\n#    #\n######\n"
"""Each of two goals can have a box, never both."""


def goals_of(name, position):
    """The parts of a goal, told by cells of the picture: which cells must have a box, in words, and a test of each."""
    if name == "sokoban":
        cells = position.where(".+*")
        if len(cells) != len(position.where("$*")):
            return None
        return {f"(box {position.names[cell]})": lambda p, cell=cell: p.cells[cell] in "$*" for cell in cells}
    game, state = position.game.compiled, position.state
    mark, crate = (1 << [each.lower() for each in game.objects].index(name) for name in ("mark", "crate"))
    cells = [cell for cell, objects in enumerate(state.cells) if objects & mark]
    if len(cells) != sum(bool(objects & crate) for objects in state.cells):
        return None
    places = {cell: f"row {cell % state.height + 1}, column {cell // state.height + 1}" for cell in cells}
    return {
        f"crate on mark in {place}": lambda p, cell=cell: p.state.cells[cell] & crate > 0
        for cell, place in places.items()
    }


def checked_shortfalls(name, position):
    """Compare what an unsolvable level falls short of with a search; return it, None for other levels."""
    goals = goals_of(name, position)
    whole = Whole(position)
    if not whole.complete or whole.goals or not goals:
        return None
    shortfall = find_shortfall(explore(position))
    assert shortfall.states == len(whole.after)
    held = {p: {text for text, holds in goals.items() if holds(p)} for p in whole.after}
    assert {part.text for part in shortfall.parts} == set(goals)
    for part in shortfall.parts:
        depths = [whole.depth[p] for p, texts in held.items() if part.text in texts]
        assert part.reachable == bool(depths)
        assert part.moves is None or len(part.moves) == min(depths)

    def together(names):
        return any(set(names) <= texts for texts in held.values())

    alone = [part.text for part in shortfall.parts if part.reachable]
    pairs = {frozenset(pair) for pair in combinations(alone, 2) if not together(pair)}
    if pairs or len(alone) < len(goals) or len(goals) == 1:
        assert {frozenset(names) for names in shortfall.apart} <= pairs
        assert len(shortfall.apart) == min(len(pairs), MOST_PAIRS)
    else:
        (names,) = shortfall.apart
        assert not together(names)
        assert all(together(set(names) - {name}) for name in names)
    most = max(map(len, held.values()))
    nearest = shortfall.nearest
    position = position.game.parse(nearest.level)
    assert len(nearest.missing) == len(goals) - most
    assert set(nearest.missing) == set(goals) - held[position]
    assert whole.depth[position] == len(nearest.moves)
    assert len(nearest.moves) == min(whole.depth[p] for p, texts in held.items() if len(texts) == most)
    return shortfall


@pytest.mark.parametrize("name", ["sokoban", "storeroom"])
def test_it_is_what_an_exhaustive_search_says(name: str) -> None:
    rng, game, tried, apart = Random(name), find(name), 0, 0
    while tried < LEVELS:
        shortfall = checked_shortfalls(name, game.sample(rng))
        tried += shortfall is not None
        apart += bool(shortfall is not None and shortfall.apart)
    assert apart


def test_two_goals_of_which_only_one_can_be_had() -> None:
    shortfall = find_shortfall(explore(Sokoban.parse(TWO_ROOMS)))
    assert [part.reachable for part in shortfall.parts] == [True, True]
    assert shortfall.apart == (("(box r2c2)", "(box r2c5)"),)
    assert shortfall.nearest.missing == ("(box r2c2)",)
    assert "never both: (box r2c2); (box r2c5)" in str(shortfall)
    assert "1 of 2 parts is missing: (box r2c2)" in str(shortfall)
    assert pickle.loads(pickle.dumps(shortfall)) == shortfall
    assert shortfall.to_dict()["nearest"]["moves"] == ["u", "r", "R"]


def test_what_can_never_be_reached() -> None:
    shortfall = find_shortfall(explore(Sokoban.parse("###\n#*#\n#$#\n# #\n#+#\n###\n")))
    assert shortfall.sentences() == [
        "all 2 positions that can be reached were searched, and none is solved",
        "(box r5c2): can never be reached, regardless of the other parts of the goal",
        "can be reached alone: (box r2c2)",
    ]


def test_a_goal_without_parts_is_not_divided() -> None:
    shortfall = find_shortfall(explore(Sokoban.parse("#####\n#$@.#\n#####\n")))
    assert len(shortfall.parts) == 1
    assert len(shortfall.sentences()) == 1
    assert shortfall.sentences([("known",)]) == []


def test_larger_sets_from_which_nothing_can_be_left_out() -> None:
    game = find("lights-out")
    shortfall = find_shortfall(explore(game.parse(game.levels["unsolvable"])))
    (names,) = shortfall.apart
    assert len(names) == 8
    assert f"never all {len(names)} together" in str(shortfall)


def test_solvable_levels_and_parts_of_spaces_are_refused() -> None:
    solvable, lost = Sokoban.parse(Sokoban.levels["1"]), Sokoban.parse(TWO_ROOMS)
    for exploration in (explore(solvable), explore(lost, max_states=3), explore(lost.task())):
        with pytest.raises(UsageError, match="unsolvable position"):
            find_shortfall(exploration)


def test_limits_hold() -> None:
    limits = Limits()
    limits.cancel()
    with pytest.raises(LimitReached):
        find_shortfall(explore(Sokoban.parse(TWO_ROOMS)), limits=limits)


def test_a_single_position_says_that_nothing_moves() -> None:
    empty = find("sokoban").parse("####\n#@$#\n#.##\n####\n")
    shortfall = find_shortfall(explore(empty))
    assert isinstance(shortfall, Shortfall)
    assert shortfall.states == 2
