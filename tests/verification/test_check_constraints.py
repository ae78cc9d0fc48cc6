"""check() compares constraints, too, and solve() blames them where they are wrong."""

from types import MappingProxyType

import pytest

from support.command_line import run, run_json
from unpuzzle import check, count_solutions, find, solve
from unpuzzle.base.errors import ModelMismatch
from unpuzzle.base.run import Limits
from unpuzzle.constraints import Constraints, Relation, given
from unpuzzle.model.capabilities import Constrained
from unpuzzle.model.position import Puzzle
from unpuzzle.verification import side_by_side
from unpuzzle.verification.report import CONSTRAINTS

OTHER = MappingProxyType({"a": "b", "b": "a"})


class Two(Puzzle, Constrained):
    """Two letters to write, a or b each, which must differ: two solutions of two moves."""

    name = "two"
    title = "Two"
    levels = MappingProxyType({"1": "..\n"})
    one_letter_moves = False
    actions = MappingProxyType({"write": "{0}={1}"})
    pddl = """(define (domain two) (:requirements :adl)
      (:types cell letter) (:predicates (empty ?c - cell) (holds ?c - cell ?l - letter) (other ?c ?d - cell))
      (:action write :parameters (?c - cell ?l - letter) :precondition (and (empty ?c)
          (forall (?d - cell) (not (holds ?d ?l))))
        :effect (and (not (empty ?c)) (holds ?c ?l))))"""

    def __init__(self, cells: str) -> None:
        self.cells = cells

    @classmethod
    def parse(cls, text, source=None):
        return cls(text.strip())

    def __str__(self) -> str:
        return f"{self.cells}\n"

    def _key(self):
        return self.cells

    def following(self):
        return {
            f"c{place}={letter}": type(self)(self.cells[:place] + letter + self.cells[place + 1 :])
            for place, there in enumerate(self.cells)
            for letter in "ab"
            if there == "." and letter not in self.cells
        }

    def solved(self) -> bool:
        return "." not in self.cells

    def objects(self):
        return {"cell": ["c0", "c1"], "letter": ["a", "b"]}

    def facts(self):
        return [("empty", f"c{i}") if there == "." else ("holds", f"c{i}", there) for i, there in enumerate(self.cells)]

    def goal_condition(self):
        return [("not", "empty", "c0"), ("not", "empty", "c1")]

    def relations(self):
        return [Relation("all_different", ("c0", "c1"))]

    def constraints(self):
        there = [given(f"c{i}", letter) for i, letter in enumerate(self.cells) if letter != "."]
        return Constraints({"c0": "ab", "c1": "ab"}, [*self.relations(), *there])

    def moves_to(self, solution):
        return [f"{name}={value}" for name, value in solution.items() if self.cells[int(name[1])] == "."]


class TooLoose(Two):
    def relations(self):
        return []


class TooTight(Two):
    def relations(self):
        return [*super().relations(), given("c0", "a")]


class Unsolvable(Two):
    def relations(self):
        return [given("c0", "a"), given("c0", "b")]


class ShortOfMoves(Two):
    def moves_to(self, solution):
        return list(super().moves_to(solution))[:1]


class Dear(Two):
    """A move costs 1, a solution 2; the constraints say 7."""

    def constraints(self):
        return Constraints({"c0": "ab", "c1": "ab"}, self.relations(), {"c0": {"a": 7, "b": 7}})


def test_right_ones_are_part_of_the_game() -> None:
    found = check(Two(".."))
    assert (found.same, found.exhaustive, found.solutions, found.states) == (True, True, 2, 7)
    assert str(found) == (
        "rules, PDDL and constraints are the same game: 7 states and 8 transitions, 2 solutions compared, "
        "all that can be reached"
    )
    assert check(Two("..").apply("c0=a")).solutions == 1
    assert check(find("boxup").parse(find("boxup").levels["1"])).solutions is None


@pytest.mark.parametrize(
    ("puzzle", "moves", "rules", "constraints"),
    [
        (TooLoose, ("c0=a",), "move 2 is illegal: ", "c0=a c1=a solves it: c0=a, c1=a"),
        (TooTight, ("c0=b", "c1=a"), "the puzzle is solved", "none of 1 solutions leads here"),
        (Unsolvable, ("c0=a", "c1=b"), "the puzzle is solved", "none of 0 solutions leads here"),
        (ShortOfMoves, ("c0=a",), "the goal is not reached after the last move", "c0=a solves it: c0=a, c1=b"),
        (Dear, ("c0=a", "c1=b"), "c0=a c1=b costs 2", "it costs 7: c0=a, c1=b"),
    ],
)
def test_wrong_ones_are_a_difference(puzzle, moves, rules, constraints) -> None:
    found = check(puzzle(".."))
    assert (found.same, found.exhaustive, found.difference.kind) == (False, False, CONSTRAINTS)
    assert found.difference.moves == moves
    assert found.difference.rules.startswith(rules)
    assert found.difference.constraints == constraints
    assert str(found).startswith("the constraints differ from the rules after ")
    assert found.difference.picture(puzzle("..")).startswith("the position there, by the rules, after c0=")


def test_costs_that_differ_where_all_should_be_the_same() -> None:
    class Uneven(Two):
        def cost(self, move):
            return 3 if move == "c0=b" else 1

        pddl = Two.pddl  # which has no costs: only the constraints are looked at

    compared = side_by_side.Solutions(Uneven(".."))
    compared.compare(True)
    assert compared.difference.constraints == "all solutions cost the same"
    assert compared.difference.rules == "c0=a c1=b costs 2, c0=b c1=a costs 4"


def test_the_least_cost_is_compared() -> None:
    class LastFirst(Two):
        """To begin with the first letter costs more, and that is how the solutions are written."""

        def cost(self, move):
            return 5 if (self.cells, move[1]) == ("..", "0") else 1

    compared = side_by_side.Solutions(LastFirst(".."))
    compared.compare(True)
    assert compared.difference.constraints == "no solution costs less than 6"
    assert compared.difference.rules.endswith(" solves it, and costs 2")


def test_what_is_not_compared_as_a_whole_is_undecided(monkeypatch) -> None:
    monkeypatch.setattr(side_by_side, "MOST_SOLUTIONS", 1)
    assert (check(Two("..")).same, check(Two("..")).solutions) == (None, 1)
    monkeypatch.setattr(side_by_side, "MOST_SOLUTIONS", 2)
    assert check(Two("..")).same is True
    assert check(TooTight(".."), max_states=2, walks=0).same is None
    assert check(TooLoose(".."), max_states=2, walks=0).same is False
    monkeypatch.setattr(side_by_side, "MOST_NODES", 0)
    assert (check(Two("..")).same, check(Two("..")).exhaustive) == (None, False)


def test_a_domain_of_somebody_else_is_compared_with_the_rules_alone() -> None:
    assert check(TooTight(".."), task=Two("..").task()).same is True


@pytest.mark.parametrize("planner", ["backtracking", "cp-sat"])
def test_solve_says_whose_fault_it_is(planner) -> None:
    result = solve(TooLoose(".."), planner)
    if result.status != "error":  # it happened to find one that is right
        assert result.valid
    result = solve(ShortOfMoves(".."), planner)
    assert (result.status, result.moves) == ("error", None)
    assert result.message.startswith(
        "the constraints differ from the rules: the goal is not reached after the last move ("
    )
    assert result.message.endswith("; `check` finds the difference")
    assert solve(Dear(".."), planner).message.startswith(
        "the constraints differ from the rules: by them the moves cost 7, by the rules 2 ("
    )
    assert solve(Two(".."), planner).valid
    with pytest.raises(ModelMismatch, match="the constraints differ from the rules: the goal is not reached"):
        count_solutions(ShortOfMoves(".."), planner=planner, limits=Limits())


def test_a_search_that_gives_no_solution_is_blamed_itself(monkeypatch) -> None:
    from unpuzzle.planners import constraint

    monkeypatch.setattr(constraint._BacktrackingFinder, "best", lambda finder, model: {"c0": "a", "c1": "a"})
    result = solve(Two(".."), "backtracking")
    assert result.status == "error"
    assert result.message.startswith(
        "backtracking gave values that are not a solution: the relation all_different of c0, c1"
    )


def test_the_command_says_no(tmp_path, capsys) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        "from unpuzzle.constraints import Relation\nfrom unpuzzle.translators.sudoku import Sudoku\n\n"
        "class Wrong(Sudoku):\n    name = 'wrong'\n    levels = {'1': '12343412.14343..\\n'}\n\n"
        "    def constraints(self):\n        found = super().constraints()\n"
        "        kept = [each for each in found.relations if each.name]\n        return found.with_relations(kept)\n"
    )
    code, answer = run_json(capsys, "check", str(file), "1")
    assert (code, answer["same"], answer["difference"]["pddl"]) == (1, False, None)
    assert "solves it" in answer["difference"]["constraints"]
    code, out, _ = run(capsys, "check", str(file), "1")
    assert code == 1
    assert out.startswith("the constraints differ from the rules ")
    code, _, err = run(capsys, "solve", str(file), "1", "--planner", "backtracking")
    assert code == 4
    assert "the constraints differ from the rules: move " in err
