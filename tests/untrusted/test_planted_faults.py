"""Components with one planted fault: it is found, called by its name, and shown where the fewest moves lead to it."""

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from support.components import (
    BLOCKSWORLD,
    CROSSWORD,
    OVERWRITING_CROSSWORD,
    SLIDING_TILES,
    SOKOBAN,
    TWENTY_FOUR,
    planted,
)
from support.registry import WITH_MOVES
from unpuzzle import translators
from unpuzzle.base.errors import ParseError
from unpuzzle.model.capabilities import ForComponents, offered
from unpuzzle.untrusted.child import decode, encode
from unpuzzle.untrusted.instances import Instance, _levels, instances, key, places_of, state_of
from unpuzzle.untrusted.sandbox import Budget
from unpuzzle.untrusted.trying import check_components, functions_of
from unpuzzle.verification.report import Report

BUDGET = Budget(call=0.2, fatal=1, search=2.0, memory=256 << 20)
TILES_LEVEL = "3 1 2\n4 5 0\n"
SOKOBAN_LEVEL = "######\n#  . #\n# $  #\n#  @ #\n######\n"

FAULT = "    # fault\n"


def here(condition: str, act: str) -> tuple[str, str]:
    """A fault of successors that shows in some states only."""
    return FAULT, f"    if {condition}:\n        {act}\n"


def tried(game: str, code: str, *texts: str) -> Report:
    found = translators.find(game)
    return check_components(
        code, found, "theirs.py", budget=BUDGET, levels=[Instance("it", found.parse(t), 0) for t in texts]
    )


def corner(state: Any) -> bool:
    return bool(state[0][0] == 0)


TILES = {
    "missing successor": (*here("rows[0][0] == 0", "found.pop()"), corner),
    "extra successor": (*here("rows[0][0] == 0", "found.append([row[::-1] for row in rows])"), corner),
    "goal accepted": ("zip(state, goal)", "zip(state[:1], goal)", lambda s: s[0] == [0, 1, 2] and s[1] != [3, 4, 5]),
    "goal refused": ("return all(", "return state[0][0] and all(", lambda s: s == [[0, 1, 2], [3, 4, 5]]),
    "mutated input": (*here("rows[0][0] == 0", "state[0].reverse()"), corner),
    "exception": (*here("rows[1][0] == 0", "rows[y + 1]"), lambda s: s[1][0] == 0),
    "time limit": (*here("rows[0][0] == 0", "while True: pass"), corner),
    "memory limit": (*here("rows[0][0] == 0", "bytes(1 << 40)"), corner),
    "wrong cost": ("return 1", "return 1 if state[0][0] else 2", corner),
    "order dependence": (*here("str(state) in seen or seen.add(str(state))", "found.pop()"), lambda s: True),
}


def both(state: Any) -> bool:
    """A 24, and something besides."""
    return 24 in state and len(state) > 1


NUMBERS = {
    "missing successor": (*here("24 in state", "found = [after for after in found if after != [23]]"), both),
    "extra successor": (*here("24 in state", "found.append([99])"), both),
    "goal accepted": ("state == [24]", "24 in state", both),
    "goal refused": ("state == [24]", "state == 24", lambda s: s == [24]),
    "mutated input": (*here("24 in state and len(state) > 1", "state.reverse()"), both),
    "exception": ("if b != 0:", "if True:", lambda s: 0 in s and len(s) > 1),
    "time limit": (*here("24 in state and len(state) > 1", "while True: pass"), both),
    "memory limit": (*here("24 in state and len(state) > 1", "bytes(1 << 40)"), both),
    "wrong cost": ("return 1", "return 1 + (24 in state)", both),
    "order dependence": (*here("str(state) in seen or seen.add(str(state))", "found.clear()"), lambda s: True),
}


def nearest(game: str, text: str, shows: Callable[[Any], bool]) -> int:
    """How few moves lead to a state in which a fault shows, by a search of this test's own."""
    layer, seen, depth = [translators.find(game).parse(text)], set(), 0
    while layer:
        if any(shows(state_of(position)) for position in layer):
            return depth
        seen.update(layer)
        layer = list({after for position in layer for after in position.following().values()} - seen)
        depth += 1
    raise AssertionError("the fault never shows")


CASES = [("sliding-tiles", TILES_LEVEL, SLIDING_TILES, kind, *case) for kind, case in TILES.items()]
CASES += [("24", "1 12 12\n", TWENTY_FOUR, kind, *case) for kind, case in NUMBERS.items()]


@pytest.mark.parametrize(
    ("game", "text", "code", "kind", "old", "new", "shows"), CASES, ids=[f"{case[0]}: {case[3]}" for case in CASES]
)
def test_a_planted_fault_is_named_where_the_fewest_moves_lead(
    game: str, text: str, code: str, kind: str, old: str, new: str, shows: Callable[[Any], bool]
) -> None:
    report = tried(game, planted(code, old, new), text)
    found = next(finding for finding in report.findings if finding.kind == kind)
    assert found.moves is not None
    assert len(found.moves) == nearest(game, text, shows)
    position = translators.find(game).parse(text)
    for move in found.moves:
        position = position.apply(move)
    assert found.state == state_of(position)
    assert shows(found.state)
    others = {finding.kind for finding in report.findings} - {kind, "search"}
    assert not others, report.text
    assert report.sound == {"extra successor": False, "goal accepted": False, "exception": None, "time limit": None,
                            "memory limit": None}.get(kind, True)  # fmt: skip
    assert report.complete == {"missing successor": False, "goal refused": False, "exception": None,
                               "time limit": None, "memory limit": None}.get(kind, True)  # fmt: skip
    assert not report.right
    assert report.score["passed"] < report.score["tests"]


@pytest.mark.parametrize(
    ("game", "code", "texts"),
    [
        ("sliding-tiles", SLIDING_TILES, [TILES_LEVEL, "0 1\n3 2\ngoal\n1 *\n* *\n"]),
        ("sokoban", SOKOBAN, [SOKOBAN_LEVEL, "@$-\n--.\n"]),
        ("24", TWENTY_FOUR, ["3 3 8 8\n"]),
        ("blocksworld", BLOCKSWORLD, ["a b\nc\ngoal\nc a\n", "a\nhand b\ngoal\nb\n"]),
    ],
)
def test_right_components_pass_all_tests(game: str, code: str, texts: list[str]) -> None:
    report = tried(game, code, *texts)
    assert report.right, report.text
    assert report.score["passed"] == report.score["tests"] > 50
    assert report.score["solved"] == report.score["games"] > 0
    assert report.score["exhaustive"] == report.score["levels"] == len(texts)


def test_a_goal_test_that_takes_no_goal_is_asked_about_the_usual_goal_alone() -> None:
    code = planted(SLIDING_TILES, "def is_goal(state, goal):", "def is_goal(state):\n    goal = [[0, 1], [2, 3]]")
    usual, other = "1 0\n2 3\n", "1 0\n2 3\ngoal\n3 *\n* *\n"
    assert tried("sliding-tiles", code, usual, other).right
    report = tried("sliding-tiles", planted(code, "goal = [[0, 1], [2, 3]]", "goal = [[1, 3], [2, 0]]"), usual)
    assert {finding.kind for finding in report.findings} == {"goal accepted", "goal refused", "search"}


def test_a_fault_of_walks_beyond_the_nearest_states_is_found() -> None:
    game = translators.find("sliding-tiles")
    level = Instance("large", game.parse("1 2 3 4\n5 6 7 8\n9 10 11 0\n"), 0, 200)
    assert not level.exhaustive
    far = "rows[0][0] == 0"
    report = check_components(planted(SLIDING_TILES, *here(far, "found.pop()")), game, budget=BUDGET, levels=[level])
    [found] = report.findings
    assert found.kind == "missing successor"
    assert corner(found.state)
    assert report.complete is False


def test_successors_that_are_the_state_itself_or_come_twice_count_not() -> None:
    code = planted(SLIDING_TILES, FAULT, "    found += found + [rows, tuple(rows)]\n")
    assert tried("sliding-tiles", code, TILES_LEVEL).right


def test_a_crossword_function_that_overwrites_letters_is_unsound_and_a_consistent_one_right() -> None:
    game = translators.find("crossword")
    levels = instances(game)[1:2]
    assert levels[0].exhaustive
    report = check_components(OVERWRITING_CROSSWORD, game, budget=BUDGET, levels=levels)
    assert (report.sound, report.complete) == (False, True)
    found = report.findings[0]
    assert found.kind == "extra successor"
    changed = [(old, new) for rows in zip(found.state, found.got, strict=True) for old, new in zip(*rows, strict=True)]
    assert any(old is not None and old != new for old, new in changed), "a letter is overwritten"
    assert found.moves == (), "in a level in which letters are given that is so from the start"
    assert check_components(CROSSWORD, game, budget=BUDGET, levels=levels).right


@pytest.mark.parametrize("name", WITH_MOVES)
def test_states_of_every_game_are_plain_and_tell_positions_apart(name: str) -> None:
    game = translators.find(name)
    texts = list(game.levels.values())[:1]
    level = Instance("first", game.parse(texts[0]), 0, 50)
    places = places_of([level])
    assert len(places) == len(level.ways), "no two positions look the same"
    for place in places[:10]:
        assert encode(decode(json.loads(json.dumps(place.state)))) == place.state
        assert all(moves and cost >= 0 for moves, _, cost in place.successors().values())


def test_division_that_is_not_exact_is_found() -> None:
    report = tried("24", planted(TWENTY_FOUR, "a, b = Fraction(a), Fraction(b)", "pass"), "3 8\n")
    assert {finding.kind for finding in report.findings} == {"extra successor", "missing successor"}
    assert report.to_dict()["findings"][0]["expected"][-1] == ["8/3"], "fractions are text in JSON"
    assert "Fraction(8, 3)" in report.text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((), "besides the state boxes has none"), (("goal", "size"), "besides the state there are goal, size")],
)
def test_what_could_be_asked_for_is_named(arguments: tuple[str, ...], said: str) -> None:
    form = {"positional": 2, "taken": ["state", "depth"], "needed": ["state", "depth"], "anything": False}
    with pytest.raises(ParseError, match=f"needs the argument 'depth', but {said}"):
        functions_of({"successors": form, "is_goal": form}, "boxes", arguments, "theirs.py")


# ---- States as plain data: what the games show, how it may be spelled, and what comes with it


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
