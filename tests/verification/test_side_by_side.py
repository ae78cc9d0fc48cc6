"""How check() goes about it: limits, positions that are equal or decode, words for much."""

from itertools import repeat
from operator import length_hint
from random import Random

import pytest

from support.boxup_faults import DOMAIN
from support.clocks import SecondsPerLook
from support.registry import WITH_PDDL
from support.switches import Forgets, Switch
from unpuzzle import translators
from unpuzzle.base.errors import IllegalMove, Interrupted, ParseError
from unpuzzle.base.run import Limits
from unpuzzle.base.text import listed
from unpuzzle.pddl.nodes import Atom, Problem, Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.writer import write
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles
from unpuzzle.verification import side_by_side as comparison
from unpuzzle.verification.report import Check, Difference
from unpuzzle.verification.side_by_side import check, task_of

EIGHT = SlidingTiles.parse(SlidingTiles.levels["8-hard"])


def forgetful(puzzle: Pacman, old: str, new: str) -> Task:
    """The task of a puzzle with other words in its domain."""
    text = write(puzzle.task().domain)
    assert old in text
    return Task(parse_domain(text.replace(old, new)), puzzle.task().problem)


# ---- limits


def test_the_time_limit_ends_with_what_was_found(seconds_per_look: SecondsPerLook) -> None:
    found = check(EIGHT, limits=Limits(time=20_000))
    assert (found.exhaustive, found.difference, found.status) == (False, None, "timeout")
    assert 0 < found.states < 20_000
    assert seconds_per_look.reads <= 20_003
    assert str(found).endswith("compared, breadth first; there may be more")
    assert "status='timeout'" in repr(found)


def test_the_time_limit_ends_random_walks_too(seconds_per_look: SecondsPerLook) -> None:
    found = check(EIGHT, max_states=10, walks=10_000, limits=Limits(time=20_000))
    assert (found.states > 10, found.exhaustive, found.status) == (True, False, "timeout")
    assert found.walks > 0


def test_a_difference_found_in_time_is_reported(seconds_per_look: SecondsPerLook) -> None:
    puzzle = Pacman.parse("P..")
    found = check(puzzle, task=forgetful(puzzle, " (not (food ?to))", ""), limits=Limits(time=1000))
    assert (found.same, found.status) == (False, "complete")


def test_making_the_pddl_ready_is_within_the_limits(seconds_per_look: SecondsPerLook) -> None:
    found = check(EIGHT, limits=Limits(time=5))
    assert (found.states, found.difference, found.status) == (0, None, "timeout")


def test_the_memory_limit_ends_it_too() -> None:
    found = check(EIGHT, limits=Limits(memory=1, held=0))
    assert (found.states, found.difference, found.status) == (0, None, "memout")


def test_what_was_found_is_kept_when_interrupted() -> None:
    def interrupt(states: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        check(EIGHT, walks=0, progress=interrupt)
    assert isinstance(raised.value, Interrupted)
    found = raised.value.report
    assert (found.same, found.exhaustive, found.states, found.status) == (None, False, 256, "cancelled")


# ---- positions


class Textbook(Switch):
    """As in textbooks, an action does not say by itself which way it goes."""

    def decode(self, action):
        if action.name == "turn":
            return "S"
        return "R" if action.arguments[1] == f"c{self.cell + 1}" else "L"


def test_a_decode_that_looks_at_its_position_is_asked_each_time() -> None:
    found = check(Textbook(0, 0))
    assert (found.same, found.exhaustive, found.states, found.transitions) == (True, True, 8, 14)


def test_equal_positions_are_not_taken_at_their_word() -> None:
    """By the rules the switch is on, in the PDDL it stays off; that the positions are equal must not hide it."""
    broken = Forgets.pddl.replace("(when (not (on)) (on))", "")
    task = Task(parse_domain(broken), Switch(0, 0).task().problem)
    found = check(Forgets(0, 0), task=task)
    assert found.difference is not None
    assert found.difference.moves == ("S",)
    assert found.difference.rules == "(on) is true"
    assert found.difference.pddl == "after (turn), (on) is false"


def test_combinations_of_moves_may_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    before = check(EIGHT, max_states=300, walks=2)
    monkeypatch.setattr(comparison, "_KEPT", 1)
    assert repr(check(EIGHT, max_states=300, walks=2)) == repr(before)


# ---- words


def test_long_lists_are_cut() -> None:
    assert listed("abc", 3) == "a, b, c"
    assert listed("abcd", 3) == "a, b, c and 1 more"
    assert listed(range(5000), 2) == "0, 1 and 4,998 more"
    assert listed([], 3) == ""


def test_many_moves_are_cut_in_the_middle() -> None:
    moves = tuple(f"m{number}" for number in range(50))
    said = str(Check(5, 7, exhaustive=False, difference=Difference(moves, "a", "b")))
    assert said.startswith("rules and PDDL differ after 50 moves (m0 m1 ")
    assert " m9 ... m40 " in said
    assert "m20" not in said
    assert "..." not in str(Difference(moves[:20], "a", "b"))


def test_the_position_where_they_part_is_drawn() -> None:
    puzzle = Pacman.parse("P..")
    found = check(puzzle, task=forgetful(puzzle, " (not (food ?to))", ""))
    assert found.difference is not None
    picture = found.difference.picture(puzzle)
    assert picture == f"the position there, by the rules, after E:\n{puzzle.apply('E').draw()}"
    assert Difference((), "a", "b").picture(puzzle) == f"the position there, by the rules:\n{puzzle.draw()}"


def test_where_nothing_was_compared_nothing_is_said_about_it():
    said = str(Check(0, 0, exhaustive=False, status="timeout"))
    assert said == "nothing was compared: the rules were still being translated into PDDL"


# ---- random walks


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
    """The fault is that Pacman cannot turn back in the last cell of a long corridor."""
    puzzle = Pacman.parse("P" + " " * 40 + ".\n")
    task = puzzle.task()
    init = tuple(atom for atom in task.problem.init if atom != Atom("adjacent", ("r1c42", "r1c41")))
    one_way = Task(
        task.domain, Problem(task.problem.name, "pacman", (), task.problem.objects, init, (), task.problem.goal)
    )
    result = check(puzzle, task=one_way, max_states=30, walks=100, steps=200)
    assert result.walks > 0
    assert result.difference.moves == ("E",) * 41
    assert result.difference.pddl == "W is impossible: no applicable action makes it"
    position = puzzle
    for move in result.difference.moves:
        position = position.apply(move)
    assert "W" in position.moves()


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
