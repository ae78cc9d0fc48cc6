"""Names of searches on the rules: what is understood, and what is refused in words."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from support.searches import figures, run
from unpuzzle.base.errors import UsageError
from unpuzzle.model import NULL, heuristic_of
from unpuzzle.planners.rules.planner import ALGORITHMS, RANDOM, TABLE, Rules
from unpuzzle.planning import registry
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ("nosuch", "unknown configuration 'rules:nosuch'; it must be one of dfs, bfs, ucs"),
        ("", "unknown configuration 'rules:'; it must be one of dfs"),
        ("astra", "unknown configuration 'rules:astra', did you mean 'astar'?"),
        ("bfs(manhattan)", "'rules:bfs(manhattan)': a heuristic in parentheses is possible only for greedy, astar,"),
        ("astar(manhattan", "a heuristic in parentheses is possible only for"),
        ("astar()", "a heuristic in parentheses is possible only for"),
        ("astar=2", "'rules:astar=2': only wastar (a weight) and mouse (a seed) take a number"),
        ("wastar=0.5", "wastar takes a weight from 1 to 1000, such as 1.5"),
        ("wastar=", "wastar takes a weight"),
        ("wastar=1001", "wastar takes a weight"),
        ("wastar=nan", "wastar takes a weight"),
        ("wastar=1e2", "wastar takes a weight"),
        ("wastar=²", "wastar takes a weight"),
        ("wastar=-1", "wastar takes a weight"),
        ("mouse=1.5", "mouse takes a seed, a whole number"),
        ("mouse=-1", "mouse takes a seed, a whole number"),
        ("mouse=" + "9" * 10_000, "mouse takes a seed, a whole number"),
    ],
)
def test_bad_names_are_refused(config, sentence):
    with pytest.raises(UsageError) as caught:
        registry.find(f"rules:{config}")
    assert sentence in str(caught.value)


def test_good_names():
    assert registry.find("rules").name == "rules:bfs"
    assert registry.find("rules:mouse=7").seed == 7
    assert registry.find("rules:mouse").seed == 0
    planner = registry.find("rules:wastar=1.5(manhattan)")
    assert (planner.algorithm, planner.weight, planner.heuristic) == ("wastar", 1.5, "manhattan")
    assert registry.find("rules:wastar").weight == 2
    assert all(name in registry.usage("rules") for name in ALGORITHMS)
    assert RANDOM == ("mouse",)
    assert all(TABLE[name].about == about for name, about in ALGORITHMS.items())


@pytest.mark.parametrize(
    ("search", "position", "sentence"),
    [
        ("wall-left", SlidingTiles.parse("1 0\n"), "sliding-tiles has no directions for mouse and wall followers"),
        ("mouse", Boxup.parse(Boxup.levels["1"]), "boxup has no directions for mouse and wall followers"),
        ("bidirectional-bfs", Boxup.parse(Boxup.levels["1"]), "this level of boxup has no single known goal"),
        ("bidirectional-bfs", Pacman.parse("P..\n"), "this level of pacman has no single known goal"),
        ("bidirectional-greedy", SlidingTiles.parse(SlidingTiles.levels["corner"]), "has no single known goal"),
        ("bidirectional-greedy-aimed(dots)", Pacman.parse("P.\n"), "the heuristic 'dots' does not do"),
        ("astar(manhatten)", Pacman.parse("P.\n"), "pacman has no heuristic 'manhatten', did you mean 'manhattan'?"),
        ("astar(xyz)", Pacman.parse("P.\n"), "pacman has no heuristic 'xyz'; the heuristics are manhattan, "),
        (
            "greedy(manhattan-with-blank)",
            SlidingTiles.parse("1 0\ngoal\n* 1\n"),
            "the heuristic 'manhattan-with-blank' does not fit this level: the goal does not say",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_words(search, position, sentence):
    with pytest.raises(UsageError) as caught:
        run(search, position)
    assert sentence in str(caught.value)


def test_a_goal_without_moves_to_undo_is_refused():
    class OneWay(Pacman):
        __slots__ = ()
        name = "one-way"

        def predecessors(self):
            return None

    with pytest.raises(UsageError, match="a bidirectional search undoes moves, and one-way does not define how"):
        run("bidirectional-bfs", OneWay.parse("P.\n"))


def test_unknown_ties_are_refused():
    with pytest.raises(UsageError, match="unknown ties 'high_g', did you mean 'high-g'"):
        Rules("astar", ties="high_g")
    with pytest.raises(UsageError, match="rules:bfs has none"):
        registry.find("rules:bfs", ties="lifo")
    with pytest.raises(UsageError, match="planner 'native' has no setting 'ties'"):
        registry.find("native", ties="lifo")


def test_the_default_heuristic_is_the_first_that_says_something():
    level = Pacman.parse("P.\n")
    assert heuristic_of(level) is level.heuristics["manhattan"]
    assert heuristic_of(level, "null") is NULL

    class Plain(Pacman):
        __slots__ = ()
        heuristics = MappingProxyType({"null": NULL})

    assert heuristic_of(Plain.parse("P.\n")) is NULL
    assert figures("astar(null)", level) == figures("ucs", level)
