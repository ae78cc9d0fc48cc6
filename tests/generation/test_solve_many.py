"""solve_many(): many small levels at once, with the answers that solve() gives."""

from __future__ import annotations

from random import Random

import pytest

from unpuzzle import Limits, replay, solve, solve_many
from unpuzzle.base.errors import ModelMismatch
from unpuzzle.generation import judging
from unpuzzle.translators.boxup import Boxup, random_level
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles


def boxup_levels(rng: Random, count: int, boxes: str = "xX") -> list[Boxup]:
    levels = []
    for _ in range(count):
        rows, columns = rng.choice(((3, 3), (3, 4), (4, 3), (4, 4)))
        levels.append(Boxup.parse(random_level(rng, rows, columns, boxes, rng.randint(0, rows * columns // 4))))
    return levels


def assert_like_solve(position, judgement) -> None:
    alone = solve(position, "native")
    assert (judgement.status, judgement.cost) == (alone.status, alone.cost)
    assert (judgement.moves is None) == (alone.moves is None)
    assert judgement.solved == alone.solved
    if judgement.moves is not None:
        played = replay(position, judgement.moves)
        assert played.solved
        assert played.cost == judgement.cost


@pytest.mark.parametrize("boxes", ["xX", "xXx", "xXX"])
def test_boxup_levels_of_all_sorts(boxes):
    levels = boxup_levels(Random(1), 40, boxes)
    judgements = solve_many(levels)
    assert len({judgement.status for judgement in judgements}) == 2
    for level, judgement in zip(levels, judgements, strict=True):
        assert_like_solve(level, judgement)


def test_puzzles_and_sizes_mixed():
    rng = Random(2)
    positions = [
        sample
        for puzzle in (Boxup, Pacman, SlidingTiles)
        for sample in [puzzle.sample(rng) for _ in range(8)]
        if solve(sample, "native", limits=Limits(time=1)).status != "timeout"
    ]
    rng.shuffle(positions)
    for position, judgement in zip(positions, solve_many(positions), strict=True):
        assert_like_solve(position, judgement)


def test_threads_change_nothing():
    levels = boxup_levels(Random(3), 60)
    found = [
        [(j.status, j.cost, j.moves, j.expanded, j.generated) for j in solve_many(levels, threads=threads)]
        for threads in (1, 2)
    ]
    assert found[0] == found[1]


def test_limits():
    level = SlidingTiles.parse("14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n")
    assert [j.status for j in solve_many([level] * 3, limits=Limits(time=0.2))] == ["timeout"] * 3
    assert [j.status for j in solve_many([level] * 3, limits=Limits(time=0.002))] == ["timeout"] * 3  # while it grounds
    assert [j.status for j in solve_many([level] * 3, max_expanded=100)] == ["gave_up"] * 3
    assert [j.status for j in solve_many([level] * 2, limits=Limits(memory=10_000_000, held=0))] == ["memout"] * 2


def test_what_the_puzzle_knows_is_not_searched():
    swapped = SlidingTiles.parse("0 1 3\n2 4 5\n")
    assert swapped.impossible() is not None
    [judgement] = solve_many([swapped])
    assert (judgement.status, judgement.expanded, judgement.moves) == ("unsolvable", 0, None)


def test_none():
    assert solve_many([]) == []
    with pytest.raises(ValueError, match="threads must be at least 1, not -1"):
        solve_many([], threads=-1)


def test_a_solution_that_fails_on_the_rules_is_no_judgement(monkeypatch):
    level = Boxup.parse(Boxup.levels["1"])
    monkeypatch.setattr(Boxup, "decode", lambda self, action: "U")
    with pytest.raises(ModelMismatch, match="the PDDL differs from the rules: move 2 is illegal: U"):
        solve_many([level])
    assert judging.solve_many([level], validate=False)[0].solved
