"""Blocksworld: the operators of the competitions, texts, goals that leave blocks out."""

from __future__ import annotations

from random import Random

import pytest

from unpuzzle import solve
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.translators.blocksworld import Blocksworld
from unpuzzle.verification.side_by_side import check


def test_sussmans_anomaly():
    level = Blocksworld.parse(Blocksworld.levels["sussman"])
    plan = "unstack:c:a put-down:c pick-up:b stack:b:c pick-up:a stack:a:b".split()
    for move in plan:
        assert not level.solved()
        level = level.apply(move)
    assert level.solved()
    assert solve(Blocksworld.parse(Blocksworld.levels["sussman"]), "rules:bfs").cost == 6


def test_moves_and_their_actions():
    level = Blocksworld.parse("a b\nc\ngoal\na\n")
    assert level.moves() == ("unstack:b:a", "pick-up:c")
    held = level.apply("pick-up:c")
    assert str(held) == "a b\nhand c\ngoal\na\n"
    assert held.moves() == ("stack:c:b", "put-down:c")
    assert held.apply("put-down:c") == level
    assert level.decode(GroundAction("unstack", ("b", "a"))) == "unstack:b:a"
    for arguments in (("b",), ("b", "a", "c")):
        with pytest.raises(ParseError, match="the number of arguments of unstack must be 2"):
            level.decode(GroundAction("unstack", arguments))
    with pytest.raises(IllegalMove):
        level.apply("stack:b:a")


def test_the_order_of_towers_means_nothing():
    assert Blocksworld.parse("b\na c\ngoal\nc\nb a\n") == Blocksworld.parse("a c\nb\ngoal\nb a\nc\n")


def test_blocks_that_the_goal_leaves_out_may_be_anywhere():
    level = Blocksworld.parse("a b c\nd\ngoal\na b\n")
    assert level.solved()
    assert level.apply("unstack:c:b").solved()
    assert check(level).same
    assert not Blocksworld.parse("d a b\ngoal\na b\n").solved()


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("a b\n", "there is no line 'goal'", 1, 1),
        ("a b\ngoal\n", "nothing below 'goal'", 2, 1),
        ("a b\ngoal\na c\n", "the goal contains block 'c', which is not in the start", 3, 3),
        ("a b\nc a\ngoal\na\n", "block 'a' is listed twice; first at 1:1", 2, 3),
        ("a b\nhand a\ngoal\na\n", "block 'a' is listed twice", 2, 6),
        ("a\nhand\ngoal\na\n", "'hand' is followed by a block", 2, 1),
        ("a\nhand b c\ngoal\na\n", "there are two held blocks, but only one is allowed: at 2:6 and 2:8", 2, 8),
        ("a\nhand b\nhand c\ngoal\na\n", "there is a second 'hand', but only one is allowed", 3, 1),
        ("a B\ngoal\na\n", "'B' is not the name of a block", 1, 3),
        ("a b:c\ngoal\na\n", "'b:c' is not the name of a block", 1, 3),
        ("a\ngoal\nhand a\n", "'hand' begins a separate line", 3, 1),
        ("a goal\ngoal\na\n", "'goal' begins a separate line", 1, 3),
    ],
)
def test_what_is_no_level_is_refused(text, message, line, column):
    with pytest.raises(ParseError) as caught:
        Blocksworld.parse(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_only_the_hand_may_have_blocks():
    level = Blocksworld.parse("hand a\ngoal\na\n")
    assert level.moves() == ("put-down:a",)
    assert level.draw().startswith("hand: a")
    assert level.apply("put-down:a").solved()


def test_levels_with_loose_blocks():
    level = Blocksworld.generate(Random(3), {"blocks": 5, "loose": 3})
    assert len(level.objects()["block"]) == 5
    assert sum(map(len, level.goal)) == 2
    assert sum(map(len, Blocksworld.generate(Random(3), {"blocks": 2, "loose": 9}).goal)) == 1


def test_the_domain_is_that_of_the_competitions():
    from unpuzzle.pddl.nodes import Domain

    domain = Blocksworld.domain()
    assert isinstance(domain, Domain)
    assert [action.name for action in domain.actions] == ["pick-up", "put-down", "stack", "unstack"]
    assert {p.name for p in domain.predicates} == {"on", "ontable", "clear", "handempty", "holding"}
