"""Values of a domain's functions, for costs that depend on what an action does."""

from __future__ import annotations

import pytest

from unpuzzle import check, find, pddl, solve
from unpuzzle.base.errors import ParseError

HILLS = '''from unpuzzle.translators.shared import GridPuzzle

COSTS = {".": 1, "~": 7, "@": 1}


class Hills(GridPuzzle):
    name = "hills"
    title = "Hills: walk to the right end; a hill is dear"
    levels = {"1": "@~.\\n...\\n", "2": "@~~~.\\n.....\\n"}
    symbols = {".": "floor", "~": "a hill", "@": "the walker", "&": "the walker on a hill"}
    single = {"walker": "@&"}
    directions = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    actions = {"go": lambda p, a, b: {10: "d", -10: "u", 1: "r", -1: "l"}[int(b[1] + b[3]) - int(a[1] + a[3])]}
    predicates = {"@": ("at",), "&": ("at",)}
    pddl = """(define (domain hills)
      (:requirements :strips :typing :action-costs)
      (:types cell)
      (:predicates (at ?c - cell) (next ?a ?b - cell))
      (:functions (total-cost) - number (toil ?a ?b - cell) - number)
      (:action go :parameters (?a ?b - cell)
        :precondition (and (at ?a) (next ?a ?b))
        :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (toil ?a ?b)))))"""

    @property
    def walker(self):
        return self.where("@&")[0]

    def height(self, cell):
        return 7 if self.cells[cell] in "~&" else 1

    def following(self):
        left = {self.walker: "~" if self.cells[self.walker] == "&" else "."}
        steps = self.around[self.walker].items()
        return {move: self.changed({**left, to: "&" if self.cells[to] == "~" else "@"}) for move, to in steps}

    def cost(self, move):
        return self.height(self.around[self.walker][move])

    def solved(self):
        return self.walker % self.columns == self.columns - 1

    def steps(self):
        return [(cell, to) for cell in range(len(self.cells)) for to in self.around[cell].values()]

    def statics(self):
        return [("next", self.names[cell], self.names[to]) for cell, to in self.steps()]

    def values(self):
        return [("toil", self.names[cell], self.names[to], self.height(to)) for cell, to in self.steps()]

    def goal_condition(self):
        from unpuzzle.pddl.nodes import Atom, Or

        rows = len(self.cells) // self.columns
        return Or([Atom("at", (self.names[row * self.columns + self.columns - 1],)) for row in range(rows)])
'''


def game(tmp_path, text=HILLS):
    (tmp_path / "hills.py").write_text(text)
    return find(tmp_path / "hills.py")


def test_costs_may_come_from_a_function(tmp_path):
    hills = game(tmp_path)
    for name, cost in (("1", 3), ("2", 5)):
        level = hills.parse(hills.levels[name])
        assert (solve(level).cost, solve(level, "rules:ucs").cost, solve(level, "reference").cost) == (cost,) * 3
        report = check(level)
        assert (report.same, report.exhaustive) == (True, True)
    task = hills.parse(hills.levels["1"]).task()
    assert "(= (toil r1c1 r1c2) 7)" in pddl.write(task)[1]
    assert pddl.parse_task(*pddl.write(task)) == task


def test_a_wrong_value_is_a_difference(tmp_path):
    hills = game(tmp_path, HILLS.replace("self.height(to)) for", "1) for"))
    report = check(hills.parse(hills.levels["1"]))
    assert not report.same
    assert "cost" in str(report)


@pytest.mark.parametrize("value", ["0.5", "-1", "True", "None", "'7'"])
def test_a_value_that_is_no_whole_number_is_refused_with_its_line(value, tmp_path):
    text = HILLS.replace("self.height(to)) for", f"{value}) for")
    line = text[: text.index("def values")].count("\n") + 1
    hills = game(tmp_path, text)
    with pytest.raises(
        ParseError, match="which is not a function, its arguments, and a whole number, 0 or more"
    ) as caught:
        hills.parse(hills.levels["1"]).task()
    assert caught.value.line == line
