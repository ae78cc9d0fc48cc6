"""How check() goes about it: limits, positions that are equal or decode, words for much."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from support.clocks import SecondsPerLook
from unpuzzle import Limits, check
from unpuzzle.checking import comparison
from unpuzzle.checking.report import Check, Difference, listed
from unpuzzle.checking.side_by_side import MAX_STATES
from unpuzzle.errors import Interrupted
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.writer import write
from unpuzzle.puzzle.puzzle import Puzzle
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles

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


def test_without_a_limit_nothing_is_stopped() -> None:
    found = check(Pacman.parse("P.."), limits=Limits())
    assert (found.exhaustive, found.status) == (True, "complete")
    assert MAX_STATES > 20_000


def test_what_was_found_is_kept_when_interrupted() -> None:
    def interrupt(states: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        check(EIGHT, walks=0, progress=interrupt)
    assert isinstance(raised.value, Interrupted)
    found = raised.value.report
    assert (found.same, found.exhaustive, found.states, found.status) == (None, False, 256, "cancelled")


# ---- positions


class Lamp(Puzzle):
    """A walker on a row of cells who switches a lamp; equality forgets the lamp where `forgets` is set."""

    name = "lamp"
    title = "Lamp"
    levels = MappingProxyType({"1": "0 0\n"})
    forgets = False
    pddl = """(define (domain lamp) (:predicates (lit) (dark) (at ?c) (next ?a ?b))
      (:action step :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b))
        :effect (and (not (at ?a)) (at ?b)))
      (:action press :parameters ()
        :effect (and (when (lit) (and (dark) (not (lit)))) (when (dark) (and (lit) (not (dark)))))))"""

    def __init__(self, cell: int, lit: int) -> None:
        self.cell, self.lit = cell, lit

    @classmethod
    def parse(cls, text, source=None):
        return cls(*map(int, text.split()))

    def __str__(self) -> str:
        return f"{self.cell} {self.lit}\n"

    def _key(self):
        return self.cell if self.forgets else (self.cell, self.lit)

    def moves(self):
        return ["A", "B", "P"]  # a step back, a step on, the switch; a list, where a tuple is usual

    def apply(self, move):
        lit = 1 - self.lit if move == "P" else self.lit
        return type(self)((self.cell + {"A": -1, "B": 1, "P": 0}[move]) % 4, lit)

    def solved(self) -> bool:
        return self.cell == 3 and self.lit == 1

    def objects(self):
        return {"object": [f"c{cell}" for cell in range(4)]}

    def statics(self):
        return [("next", f"c{cell}", f"c{(cell + step) % 4}") for cell in range(4) for step in (-1, 1)]

    def facts(self):
        return [("at", f"c{self.cell}"), ("lit",) if self.lit else ("dark",)]

    def goal_condition(self):
        return [("at", "c3"), ("lit",)]

    def decode(self, action):
        """As in textbooks, an action does not say by itself which way it goes."""
        if action.name == "press":
            return "P"
        return "B" if action.arguments[1] == f"c{(self.cell + 1) % 4}" else "A"


def test_a_decode_that_looks_at_its_position_is_asked_each_time() -> None:
    found = check(Lamp(0, 0))
    assert (found.same, found.exhaustive, found.states, found.transitions) == (True, True, 8, 24)


class Forgetful(Lamp):
    """Two positions that are not the same are equal."""

    forgets = True


def test_equal_positions_are_not_taken_at_their_word() -> None:
    """By the rules the lamp is lit, in the PDDL it stays dark; that the positions are equal must not hide it."""
    broken = Forgetful.pddl.replace("(and (lit) (not (dark)))", "(and)")
    task = Task(parse_domain(broken), Lamp(0, 0).task().problem)
    found = check(Forgetful(0, 0), task=task)
    assert found.difference is not None
    assert found.difference.moves == ("P",)
    assert found.difference.rules == "(lit) is true, (dark) is false"
    assert found.difference.pddl == "after (press), (dark) is true, (lit) is false"


def test_combinations_of_moves_may_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    before = check(EIGHT, max_states=300, walks=2)
    monkeypatch.setattr(comparison, "_KEPT", 1)
    assert repr(check(EIGHT, max_states=300, walks=2)) == repr(before)


# ---- words


def test_long_lists_are_cut() -> None:
    assert listed("abc", 3) == "a, b, c"
    assert listed("abcd", 3) == "a, b, c and 1 more"
    assert listed(range(5000), 2) == "0, 1 and 4,998 more"
    assert listed([], 3) == "none"


def test_many_moves_are_cut_in_the_middle() -> None:
    moves = tuple(f"m{number}" for number in range(50))
    said = str(Check(5, 7, exhaustive=False, difference=Difference(moves, "a", "b")))
    assert said.startswith("rules and PDDL differ after 50 moves (m0 m1 ")
    assert " m9 ... m40 " in said
    assert "m20" not in said
    assert "..." not in str(Difference(moves[:20], "a", "b"))


def test_many_atoms_and_actions_are_cut() -> None:
    puzzle = Pacman.parse("P.......")
    found = check(puzzle, task=forgetful(puzzle, "(not (food ?to))", "(forall (?c - cell) (not (food ?c)))"))
    assert found.difference is not None
    assert found.difference.rules == "(food r1c3), (food r1c4), (food r1c5) and 3 more are true"
    assert found.difference.pddl.endswith(
        "after (move r1c1 r1c2), (food r1c3), (food r1c4), (food r1c5) and 3 more are false"
    )


def test_several_actions_are_applicable() -> None:
    class Still(Lamp):
        def moves(self):
            return ("A", "B")

    class Both(Still):
        def decode(self, action):
            return "P" if action.name == "press" else super().decode(action)

    extra = Lamp.pddl.replace("(:action press :parameters ()", "(:action press :parameters (?c)")
    task = Task(parse_domain(extra), Lamp(0, 0).task().problem)
    found = check(Both(0, 0), task=task)
    assert found.difference is not None
    assert found.difference.rules == "P is not among the legal moves, which are A, B"
    assert found.difference.pddl == "P is possible: (press c0), (press c1), (press c2) and 1 more are applicable"


def test_the_position_where_they_part_is_drawn() -> None:
    puzzle = Pacman.parse("P..")
    found = check(puzzle, task=forgetful(puzzle, " (not (food ?to))", ""))
    assert found.difference is not None
    picture = found.difference.picture(puzzle)
    assert picture == f"the position there, by the rules, after E:\n{puzzle.apply('E').draw()}"
    assert Difference((), "a", "b").picture(puzzle) == f"the position there, by the rules:\n{puzzle.draw()}"


def test_where_nothing_was_compared_nothing_is_said_about_it():
    said = str(Check(0, 0, exhaustive=False, status="timeout"))
    assert said == "nothing was compared: the rules were still being put into PDDL"
