"""States as plain data: what the games show, how it may be spelled, and what comes with it."""

from __future__ import annotations

from itertools import islice

import pytest

from support.registry import WITH_MOVES
from unpuzzle import translators
from unpuzzle.components.instances import Instance, _levels, instances, key, places_of, state_of
from unpuzzle.puzzle.capabilities import ForComponents, offered


@pytest.mark.parametrize(
    ("game", "text", "state", "arguments", "assumed"),
    [
        ("sokoban", "-####\n##.@#\n# $*#\n#####\n", [" ####", "##.@#", "# $*#", "#####"], {}, ()),
        ("sliding-tiles", "1 2 5\n3 4 0\n", [[1, 2, 5], [3, 4, 0]], {"goal": [[0, 1, 2], [3, 4, 5]]}, ("goal",)),
        ("sliding-tiles", "1 0\ngoal\n* 0\n", [[1, 0]], {"goal": [[None, 0]]}, ()),
        (
            "blocksworld",
            "b a\nd\nhand c\ngoal\na b\n",
            {"towers": [["b", "a"], ["d"]], "hand": "c"},
            {"goal": [["a", "b"]]},
            (),
        ),
        ("hanoi", "A: 2 1\nB:\nC:\n", "A: 2 1\nB:\nC:\n", {}, ()),
    ],
)
def test_states_are_plain_data(game: str, text: str, state: object, arguments: object, assumed: object) -> None:
    position = translators.find(game).parse(text)
    assert state_of(position) == state
    special = offered(position, ForComponents)
    assert (special.component_arguments() if special else {}) == arguments
    assert tuple(special.assumed_arguments() if special else ()) == assumed


@pytest.mark.parametrize(
    ("game", "text", "other", "same"),
    [
        ("sokoban", "@$.\n", ["@$."], True),
        ("sokoban", "@-$.\n", ["@_$."], True),
        ("sokoban", "@-$.\n", ["@$ ."], False),
        ("blocksworld", "a\nb c\ngoal\na\n", {"hand": None, "towers": [["b", "c"], ["a"]]}, True),
        ("blocksworld", "a\nb c\ngoal\na\n", {"hand": None, "towers": [["c", "b"], ["a"]]}, False),
        ("blocksworld", "a\nb c\ngoal\na\n", {"hand": None, "towers": [["b", "c"], ["a"], []]}, False),
        ("sliding-tiles", "1 0\n", [[1, 0.0]], False),
    ],
)
def test_a_state_may_be_spelled_in_several_ways(game: str, text: str, other: object, same: bool) -> None:
    position = translators.find(game).parse(text)
    assert (key(position, other) == key(position, state_of(position))) == same


@pytest.mark.parametrize("name", WITH_MOVES)
def test_data_that_are_no_state_are_no_other_spelling(name: str) -> None:
    position = instances_of_one(name)[0].start
    state = key(position, state_of(position))
    for data in (None, 3, "x", [], {}, [[]], [3], {"towers": 3}, {"towers": [3]}, {"towers": [[3]]}):
        assert key(position, data) != state


def instances_of_one(name: str) -> list[Instance]:
    game = translators.find(name)
    return [Instance("first", game.parse(next(iter(game.levels.values()))), 0, 1)]


def test_places_near_the_start_come_first_and_states_once() -> None:
    game = translators.find("sliding-tiles")
    one, other = (Instance("it", game.parse(text), 0) for text in ("1 0\n2 3\n", "0 1\n2 3\n"))
    places = places_of([one, other])
    assert len(places) == 12 == len(one.ways), "both levels have the same states"
    assert [len(place.way) for place in places] == sorted(len(place.way) for place in places)
    assert sum(not place.way for place in places) == 2


def test_instances_are_the_same_for_the_same_seed() -> None:
    game = translators.find("sokoban")
    one, other = ([(each.name, list(each.ways.items())) for each in instances(game, 3)] for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("game", "names"), [("crossword", ["level 1", "level 2"]), ("boxup", ["level 1", "sample 0"])])
def test_levels_have_the_names_that_findings_show(game: str, names: list[str]) -> None:
    assert [name for name, _ in islice(_levels(translators.find(game), 0), 2)] == names
