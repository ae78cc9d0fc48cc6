"""check() within limits, by random walks, and on files of the user's."""

from __future__ import annotations

from itertools import repeat
from operator import length_hint
from random import Random

import pytest

from support.boxup_faults import DOMAIN
from support.registry import WITH_PDDL
from unpuzzle import translators
from unpuzzle.checking.report import Check, Difference
from unpuzzle.checking.side_by_side import check, task_of
from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.limits import Limits
from unpuzzle.pddl.nodes import Atom, Problem, Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.writer import write
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles

# ---- limits


def test_up_to_the_limit_and_beyond_it_random_walks():
    puzzle = SlidingTiles.parse(SlidingTiles.levels["8-hard"])
    result = check(puzzle, max_states=500, walks=10, steps=20)
    assert result.same is None
    assert not result.exhaustive
    assert result.walks == 10
    assert 500 < result.states <= 500 + 10 * 20
    assert "breadth first, then 10 random walks; there may be more" in str(result)
    again = check(puzzle, max_states=500, walks=10, steps=20)
    assert (result.states, result.transitions) == (again.states, again.transitions)
    assert check(puzzle, max_states=500, walks=10, steps=20, seed=1).states != result.states
    none = check(puzzle, max_states=500, walks=0)
    assert (none.states, none.exhaustive) == (500, False)


def test_exactly_as_many_states_as_the_limit_is_exhaustive():
    puzzle = Boxup.parse(Boxup.levels["1"])
    assert check(puzzle, max_states=140).exhaustive
    assert not check(puzzle, max_states=139, walks=0).exhaustive
    assert check(puzzle, max_states=139, walks=0).states == 139


def test_moves_without_an_end_end_at_a_limit():
    """They are taken one by one, so that neither time nor memory run out among them."""
    limits, left = Limits(), repeat("N", 10_000_000)

    def moves():
        limits.cancel()
        return left

    endless = type("Endless", (Pacman,), {"moves": lambda self: moves()})
    puzzle = endless.parse("P .\n")
    assert check(puzzle, limits=limits).status == "cancelled"
    assert length_hint(left) > 0


def test_a_random_walk_finds_what_lies_deep():
    """The fault shows where Pacman turns back in the last cell of a long corridor."""
    puzzle = Pacman.parse("P" + " " * 40 + ".\n")
    text = write(puzzle.task().domain).replace("(not (food ?to))", "(food ?from)")
    result = check(puzzle, task=Task(parse_domain(text), puzzle.task().problem), max_states=20, walks=100, steps=50)
    assert not result.same
    task = puzzle.task()
    init = tuple(atom for atom in task.problem.init if atom != Atom("adjacent", ("r1c42", "r1c41")))
    one_way = Task(
        task.domain, Problem(task.problem.name, "pacman", (), task.problem.objects, init, (), task.problem.goal)
    )
    result = check(puzzle, task=one_way, max_states=30, walks=100, steps=200)
    assert result.walks > 0
    assert result.difference.moves == ("E",) * 41
    assert result.difference.pddl == "W is impossible: no applicable action stands for it"
    position = puzzle
    for move in result.difference.moves:
        position = position.apply(move)
    assert "W" in position.moves()


def test_progress_is_told():
    told = []
    check(SlidingTiles.parse(SlidingTiles.levels["8-hard"]), max_states=1000, walks=0, progress=told.append)
    assert told == [256, 512, 768]


def test_a_limit_of_nothing_is_refused():
    with pytest.raises(ValueError, match="max_states must be at least 1, not 0"):
        check(Boxup.parse(Boxup.levels["1"]), max_states=0)


def test_results_are_readable():
    assert (
        str(Check(1, 0, exhaustive=True))
        == "rules and PDDL are the same game: 1 state and 0 transitions compared, all that can be reached"
    )
    assert "difference=Difference(moves=('U',), rules='a', pddl='b'" in repr(
        Check(5, 7, exhaustive=False, difference=Difference(("U",), "a", "b"))
    )
    assert str(Difference(("U", "L"), "a", "b")) == "rules and PDDL differ after 2 moves (U L)\n  rules: a\n  PDDL:  b"


# ---- files of the user's


def test_a_domain_file_with_the_puzzles_own_problem(tmp_path):
    path = tmp_path / "mine.pddl"
    path.write_text(DOMAIN.replace("(not (at ?from))", "", 1))
    puzzle = Boxup.parse(Boxup.levels["1"])
    assert not check(puzzle, task=task_of(puzzle, str(path))).same
    path.write_text(DOMAIN)
    assert check(puzzle, task=task_of(puzzle, str(path))).same


def test_a_domain_file_with_a_problem_file(tmp_path):
    (tmp_path / "d.pddl").write_text(DOMAIN)
    puzzle, other = (Boxup.parse(Boxup.levels[name]) for name in "12")
    for position, same in ((puzzle, True), (other, False)):
        (tmp_path / "p.pddl").write_text(write(position.task().problem))
        assert check(puzzle, task=task_of(puzzle, str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))).same is same


def test_a_domain_that_does_not_fit_is_a_sentence(tmp_path):
    puzzle = Boxup.parse(Boxup.levels["1"])
    with pytest.raises(ParseError, match="problem of boxup for"):
        task_of(puzzle, SlidingTiles.domain().span.file)
    with pytest.raises(OSError, match="nowhere"):
        task_of(puzzle, str(tmp_path / "nowhere.pddl"))


def test_other_names_are_a_difference_not_a_crash(tmp_path):
    text = DOMAIN.replace("carry-large", "haul").replace("walk", "stroll")
    (tmp_path / "d.pddl").write_text(text)
    puzzle = Boxup.parse(Boxup.levels["1"])
    difference = check(puzzle, task=task_of(puzzle, str(tmp_path / "d.pddl"))).difference
    assert difference.rules == "the legal moves are U, D, R"
    assert "(stroll r2c2 " in difference.pddl
    assert "is not a move of this puzzle: the actions are walk, " in difference.pddl
    maze = Pacman.parse("P.")
    (tmp_path / "d.pddl").write_text(write(maze.task().domain).replace("(at ", "(is-at "))
    (tmp_path / "p.pddl").write_text(write(maze.task().problem).replace("(at ", "(is-at "))
    difference = check(maze, task=task_of(maze, str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))).difference
    assert difference.moves == ()
    assert "(at r1c1)" in difference.rules
    assert "(is-at r1c1)" in difference.pddl


@pytest.mark.parametrize("name", WITH_PDDL)
def test_a_puzzle_against_another_ones_task(name):
    position = translators.find(name).sample(Random(3))
    for other in WITH_PDDL:
        if other != name:
            assert not check(position, task=translators.find(other).sample(Random(4)).task()).same


def test_a_rule_that_answers_differently_each_time_is_no_crash():
    class Odd(Pacman):
        __slots__ = ()

        def moves(self):
            return (*super().moves(), "X")

        def apply(self, move):
            if move == "X":
                raise IllegalMove("X: never", move=move)
            return super().apply(move)

    difference = check(Odd.parse("P.")).difference
    assert difference.rules == "X is legal"
