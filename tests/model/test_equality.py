"""Positions that are equal and not the same are refused wherever searches and explorers would take them for one."""

from __future__ import annotations

from functools import cached_property
from random import Random
from types import MappingProxyType

import pytest

from support.searches import OPTIMAL, WALKERS
from support.switches import Forgets, ForgetsWithoutPddl, Switch
from unpuzzle import explore, generate, same, solve, survey
from unpuzzle.base.errors import ParseError
from unpuzzle.model.capabilities import Generating, HasHeuristics
from unpuzzle.model.faults import after, attributes_of, only, require_same
from unpuzzle.model.heuristic import NULL
from unpuzzle.model.position import Position, Puzzle
from unpuzzle.model.replaying import replay
from unpuzzle.planners.rules.search import RulesSearch, SearchGraph
from unpuzzle.planners.rules.strategies import bidirectional
from unpuzzle.planning import registry
from unpuzzle.state_space.space import reachable_by_rules
from unpuzzle.untrusted.instances import Instance

START = Switch(1, 0)
BLIND = MappingProxyType({"null": NULL})
BOTH_WAYS = (
    "two equal positions have different facts: after 1 move .L. nothing is true only there; "
    "after 2 moves .L S. .on. is true only there"
)


class Guided(Forgets, HasHeuristics):
    """With a heuristic, for searches that want one."""

    heuristics = BLIND


# ---- whoever merges


@pytest.mark.parametrize("search", ["bfs", "dfs", "ucs", "greedy", "astar", "wastar", "idastar"])
@pytest.mark.parametrize("puzzle", [Guided, ForgetsWithoutPddl])
def test_searches_on_the_rules_refuse_them(search, puzzle):
    """Without that, they proved that there is no solution."""
    if puzzle is ForgetsWithoutPddl and search in ("greedy", "astar", "wastar", "idastar"):
        puzzle = type("Guided", (ForgetsWithoutPddl, HasHeuristics), {"heuristics": BLIND})
    heuristic = "(null)" if search in ("greedy", "astar", "wastar", "idastar") else ""
    with pytest.raises(ParseError, match=r"two equal positions have different (facts|texts)") as told:
        solve(puzzle(1, 0), f"rules:{search}{heuristic}")
    assert told.value.file.endswith("switches.py")
    assert told.value.line is not None


@pytest.mark.parametrize("search", ["bfs", "dfs", "ucs"])
def test_a_key_that_tells_all_is_searched_as_before(search):
    assert solve(START, f"rules:{search}").solved
    assert solve(START, "rules:bfs").moves == ("L", "S", "R", "R", "R")


def test_both_ways_are_told():
    with pytest.raises(ParseError, match=BOTH_WAYS):
        solve(Forgets(1, 0), "rules:bfs")
    with pytest.raises(
        ParseError, match=r"after 1 move .L. the text is '0 0.n'; after 2 moves .L S. the text is '0 1.n'"
    ):
        solve(ForgetsWithoutPddl(1, 0), "rules:bfs")


def test_a_walker_that_comes_back_to_an_equal_position_says_no_loop():
    with pytest.raises(ParseError, match="two equal positions have different"):
        solve(Turning(1, 1), "rules:wall-left")


class Turning(Forgets):
    """Turns the switch whenever the walker comes to the first cell."""

    def moves(self):
        return tuple(move for move in super().moves() if move != "S")

    def apply(self, move):
        after = super().apply(move)
        return type(self)(after.cell, 1 - after.on) if after.cell == 0 else after


def test_a_search_from_both_ends_refuses_them_on_either_side_and_where_it_joins():
    def joined(start, end, steps, back):
        search = RulesSearch(start)
        ahead = search.graph().replace(successors=steps)
        behind = SearchGraph(end, back, start.__eq__, merge=search.merge_behind)
        return bidirectional(ahead, behind, (lambda depth, _: depth,) * 2, shortest=True, meet=search.meet)

    def forward(position):
        return RulesSearch(position).successors(position)

    def nothing(position):
        return ()

    with pytest.raises(ParseError, match=BOTH_WAYS):
        joined(Forgets(1, 0), Forgets(3, 1), forward, lambda position: [("X", position, 1)])
    with pytest.raises(ParseError, match="two equal positions have different facts") as told:
        joined(Forgets(3, 0), Forgets(1, 0), lambda position: [("X", position, 1)] * 50, forward)
    assert "still to play" in str(told.value)
    with pytest.raises(
        ParseError, match=r"at the start nothing is true only there; at the goal \(on\) is true only there"
    ):
        joined(Forgets(3, 0), Forgets(3, 1), nothing, nothing)


def test_exploring_by_the_rules_refuses_them():
    for puzzle in (Forgets, ForgetsWithoutPddl):
        with pytest.raises(ParseError, match="two equal positions have different"):
            reachable_by_rules(puzzle(1, 0))
    with pytest.raises(ParseError, match=BOTH_WAYS):
        reachable_by_rules(Forgets(1, 0))
    with pytest.raises(ParseError, match="two equal positions have different texts"):
        explore(ForgetsWithoutPddl(1, 0))
    assert reachable_by_rules(START).states == 8


def test_exploring_by_the_pddl_merges_nothing():
    assert explore(Forgets(1, 0)).states == explore(START).states == 8


def test_a_survey_says_so_in_the_row():
    (row,) = survey(ForgetsWithoutPddl)
    assert (row.status, row.solvable) == ("bad_input", None)
    assert "two equal positions have different texts" in row.message


def test_the_instances_of_components_refuse_them_and_same_asks_their_task():
    with pytest.raises(ParseError, match=BOTH_WAYS):
        Instance("1", Forgets(1, 0), 0)
    assert same(START, START.task()).exhaustive
    assert same(Forgets(1, 0), START.task()).exhaustive


def test_generating_by_the_rules_refuses_them():
    class Made(ForgetsWithoutPddl, Generating):
        planner = "rules:bfs"
        options = MappingProxyType({})

        @classmethod
        def generate(cls, rng: Random, options):
            return cls(rng.randrange(4), 0)

    with pytest.raises(ParseError, match="two equal positions have different texts"):
        generate(Made, count=1, candidates=4, workers=1)


# ---- moves that are kept for a moment


class Following(Forgets):
    """Tells all moves at once."""

    def following(self):
        return {move: super(Following, self).apply(move) for move in super().moves()}

    moves = Position.__dict__["moves"]
    apply = Position.__dict__["apply"]


def test_the_moves_of_a_position_are_not_those_of_an_equal_one():
    class Told(Forgets):
        moves = Position.__dict__["moves"]
        apply = Position.__dict__["apply"]

        def following(self):
            steps = {"L": -1, "R": 1}
            return {move: type(self)(self.cell + step, self.on) for move, step in steps.items()}

    one, other = Told(1, 0), Told(1, 1)
    assert one == other
    assert one.moves() == other.moves() == ("L", "R")
    assert (one.apply("R").on, other.apply("R").on) == (0, 1)


# ---- what is the same


def alike(one, other):
    return attributes_of(type(one))(one, other)


def never():
    raise AssertionError("nothing is to be told")


class Slotted(Puzzle):
    """A position with slots, one of which is filled in later."""

    __slots__ = ("__private", "late", "place")

    parse = classmethod(lambda cls, text, source=None: cls(int(text)))

    def __init__(self, place: int) -> None:
        self.place = place
        self.__private = place

    def __str__(self) -> str:
        return f"{self.place}\n"

    def moves(self):
        return ()

    def apply(self, move):
        raise NotImplementedError

    def solved(self) -> bool:
        return False


def test_attributes_decide_where_they_are_equal():
    one, other = Slotted(1), Slotted(1)
    assert not alike(one, other)  # nothing is in `late`, so it is not soon seen
    require_same(one, other, never)
    one.late = other.late = 5
    assert alike(one, other)
    other.late = 6
    assert not alike(one, other)
    require_same(one, other, never)  # the text is the same
    assert alike(Switch(1, 1), Switch(1, 1))
    assert not alike(Switch(1, 0), Switch(1, 1))


def test_what_is_kept_for_later_is_no_difference():
    class Caching(Switch):
        @cached_property
        def square(self) -> int:
            return self.cell**2

    one, other = Caching(2, 0), Caching(2, 0)
    assert one.square == 4
    assert alike(one, other)


def test_values_that_cannot_be_compared_are_compared_by_what_they_say():
    class Array:
        def __eq__(self, other):
            raise ValueError("which of them?")

        __hash__ = None

    one, other = Switch(1, 0), Switch(1, 0)
    one.array, other.array = Array(), Array()
    assert not alike(one, other)
    require_same(one, other, never)


@pytest.mark.parametrize(
    ("method", "value", "said"),
    [
        ("moves", lambda self: ("R",) if self.on else ("L",), "moves: here the moves are L; there the moves are R"),
        ("cost", lambda self, move: 1 + self.on, "different costs: here the costs are L: 1 R: 1; there"),
        ("solved", lambda self: bool(self.on), "goals: here the position is not solved; there the position is solved"),
    ],
)  # fmt: skip
def test_the_same_facts_do_not_suffice(method, value, said):
    same = {"facts": lambda self: [("at", f"c{self.cell}")], "__str__": lambda self: f"{self.cell}\n"}
    kind = type("Odd", (Forgets,), {method: value, **same})
    with pytest.raises(ParseError, match=said):
        require_same(kind(1, 0), kind(1, 1), lambda: ("here", "there"))


def test_much_is_cut():
    assert only([]) == "nothing is true only there"
    assert only("abcd") == "a, b, c and 1 more is true only there"
    assert after(()) == "at the start"
    assert after([str(number) for number in range(50)]).startswith("after 50 moves (0 1 2 3 4 5 6 7 8 9 ... 40 41 ")


def test_replays_do_not_mix_equal_positions():
    assert replay(Forgets(1, 0), "LSRRR").solved


def test_every_search_is_held_here():
    """A new search on the rules must refuse them, too; walkers and those from both ends have tests of their own."""
    held = {"bfs", "dfs", "ucs", "greedy", "astar", "wastar", "idastar"}
    from unpuzzle.planners.rules.planner import ALGORITHMS

    others = {name for name in ALGORITHMS if name.startswith(("bidirectional", "dfs-"))}
    assert held | others | set(WALKERS) == set(ALGORITHMS)
    assert {name.partition("=")[0] for name in OPTIMAL} <= held | others
    assert registry.missing("rules") is None
