"""Answers side by side: of two optima the smaller refutes the other, and a plan refutes "unsolvable"."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from support.thorough import at_most
from unpuzzle import compare
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, STATUSES, UNSOLVABLE
from unpuzzle.cli import main
from unpuzzle.experiments.comparing import ComparisonRow
from unpuzzle.experiments.experimenting import experiment
from unpuzzle.experiments.reporting import report
from unpuzzle.experiments.runs import ExperimentRun, read_runs, settle, settle_tasks
from unpuzzle.model.position import Position
from unpuzzle.planning.planner import OBJECTIVES
from unpuzzle.planning.walking import weigh
from unpuzzle.translators import find

LIFT = '''"""A lift: up costs 2, down 1; a locked lobby makes the direct way to the roof cost more than the detour."""

from unpuzzle import IllegalMove, Puzzle
from unpuzzle.model.capabilities import HasHeuristics
from unpuzzle.model.heuristic import Heuristic

WAYS = {"ground": {"express": ("roof", 20), "stairs": ("first", 2)}, "first": {"lift": ("roof", 4)}, "roof": {}}


class Lift(Puzzle, HasHeuristics):
    name, title, levels, one_letter_moves = "lift", "A lift", {"1": "ground"}, False
    heuristics = {
        "sure": Heuristic("sure", "0 on the roof", lambda p: p.place != "roof", True, True),
        "liar": Heuristic("liar", "avoids stairs", lambda p: 50 * (p.place == "first"), True, True),
    }

    def __init__(self, place):
        self.place = place

    @classmethod
    def parse(cls, text, source=None):
        return cls(text.strip())

    def __str__(self):
        return self.place + "\\n"

    def moves(self):
        return tuple(WAYS[self.place])

    def apply(self, move):
        if move not in WAYS[self.place]:
            raise IllegalMove("not here", move=move)
        return Lift(WAYS[self.place][move][0])

    def cost(self, move):
        return WAYS[self.place][move][1]

    def solved(self):
        return self.place == "roof"
'''


@pytest.fixture
def lift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Position:
    """A level on which A* with a heuristic that claims too much finds 20; nothing on its path shows that."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lift.py").write_text(LIFT)
    game = find("./lift.py")
    return game.parse(game.levels["1"])


LIAR = "refuted by ucs, whose plan costs 6: it is false that liar is admissible"


def test_the_smaller_of_two_optima_refutes_the_other(lift: Position) -> None:
    rows = compare(lift, ["ucs", "astar(liar)", "idastar(liar)", "astar(sure)"])
    assert [(row.cost, row.status, row.refuted_by) for row in rows] == [
        (6, SOLVED_OPTIMALLY, None),
        (20, SOLVED, "ucs"),
        (20, SOLVED, "ucs"),
        (6, SOLVED_OPTIMALLY, None),
    ]
    assert [row.message for row in rows] == ["", LIAR, LIAR, ""]
    assert {row.condition for row in rows} == {None}, "ucs has proved what A* finds"
    alone = compare(lift, ["astar(liar)", "astar(sure)", "greedy(sure)"])
    assert [row.condition for row in alone] == [None, "sure is admissible", None]
    assert alone[0].message == LIAR.replace("ucs", "astar(sure)")


def test_on_the_command_line(lift: Position, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "./lift.py", "1", "--algorithms"]
    assert main([*words, "ucs", "astar(liar)"]) == 1
    out, err = capsys.readouterr()
    assert [line.split()[1] for line in out.splitlines()[1:]] == [SOLVED_OPTIMALLY, SOLVED]
    assert f"unpuzzle: astar(liar): solved: {LIAR}" in err
    assert main([*words, "astar(liar)", "ucs", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [(row["status"], row["refuted_by"], row["message"]) for row in rows] == [
        (SOLVED, "ucs", LIAR),
        (SOLVED_OPTIMALLY, None, ""),
    ]
    assert main([*words, "astar(sure)", "idastar(sure)"]) == 0
    assert "unpuzzle: astar(sure), idastar(sure): optimal if sure is admissible\n" in capsys.readouterr().err
    assert main([*words, "astar(sure)", "ucs"]) == 0
    assert "optimal if" not in capsys.readouterr().err
    assert main(["solve", "./lift.py", "1", "--planner", "rules:astar(sure)", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["condition"]) == (SOLVED_OPTIMALLY, "sure is admissible")
    assert answer["message"] == "optimal if sure is admissible"


def test_in_experiments_and_reports(lift: Position) -> None:
    runs = experiment(lift, ["rules:ucs", "rules:astar(liar)", "rules:astar(sure)"])
    assert [(run.status, run.refuted_by) for run in runs] == [
        (SOLVED_OPTIMALLY, None),
        (SOLVED, "rules:ucs"),
        (SOLVED_OPTIMALLY, None),
    ]
    assert "it is false that liar is admissible" in runs[1].message
    raw = read_runs("runs.jsonl")
    assert [run.status for run in raw] == [SOLVED_OPTIMALLY] * 3, "the file says what the planners said"
    assert [run.condition for run in raw] == [None, "liar is admissible", "sure is admissible"]
    figures = report(raw)
    assert figures.is_faulty
    by_name = {row.configuration: row for row in figures.planners}
    assert [by_name[run.configuration].scores["optimal"] for run in raw] == [1, 0, 1]
    assert by_name["rules:astar(liar)"].outcomes == {SOLVED: 1}
    assert report([raw[2]]).planners[0].scores["optimal"] == 0, "under a condition nothing is proved"


def random_row(rng: Random, number: int, objective: str) -> ComparisonRow:
    status = rng.choice((*[SOLVED_OPTIMALLY] * 9, *STATUSES))
    solved = status in (SOLVED, SOLVED_OPTIMALLY)
    cost, pushes = (rng.randint(3, 4), rng.randint(0, 1)) if solved else (None, None)
    condition = rng.choice((None, "h is admissible")) if status in (SOLVED_OPTIMALLY, UNSOLVABLE) else None
    return ComparisonRow(
        f"row {number}", status, cost, cost, 1, 1, 1, 0.0, None, "planner", pushes=pushes, objective=objective,
        condition=condition, message=f"optimal if {condition}" if condition else "",
    )  # fmt: skip


def test_no_table_claims_two_things() -> None:
    rng, seen = Random(3), Counter[str]()
    for _ in range(at_most(4000)):
        objective = rng.choice(OBJECTIVES)
        rows = [random_row(rng, number, objective) for number in range(rng.randint(1, 5))]
        settled = settle(rows)
        plans = [weigh(objective, row.cost, row.pushes or 0) for row in settled if row.cost is not None]
        optima = [row for row in settled if row.status == SOLVED_OPTIMALLY]
        assert all(weigh(objective, row.cost or 0, row.pushes or 0) == min(plans) for row in optima)
        assert not plans or all(row.status != UNSOLVABLE for row in settled)
        proved = any(row.condition is None for row in optima)
        assert all(row.condition is None for row in optima) or not proved
        for before, after in zip(rows, settled, strict=True):
            seen["refuted"] += after.refuted_by is not None
            seen["proved"] += before.condition is not None and after.condition is None and not after.refuted_by
            assert (before.cost, before.pushes) == (after.cost, after.pushes), "the plan stands"
            if after.refuted_by:
                assert (before.status, after.status) in [(SOLVED_OPTIMALLY, SOLVED), (UNSOLVABLE, GAVE_UP)]
                refuter = next(row for row in settled if f"refuted by {row.algorithm}, " in after.message)
                assert refuter.cost is not None
                assert not refuter.refuted_by
            elif before.status != SOLVED_OPTIMALLY:
                assert before == after
        assert settle(settled) == settled
    assert min(seen["refuted"], seen["proved"]) > 50, seen


def test_runs_of_other_tasks_and_objectives_refute_nothing() -> None:
    run = ExperimentRun("k", "d", "t", "one", "native", SOLVED_OPTIMALLY, cost=5, pushes=3)
    others = [run.replace(task="u", cost=4), run.replace(domain="e", cost=4), run.replace(objective="pushes", cost=9)]
    invalid = run.replace(cost=4, valid=False)
    assert settle_tasks([run, *others, invalid]) == [run, *others, invalid]
    settled = settle_tasks([run, run.replace(planner="two", cost=4)])
    assert [each.status for each in settled] == [SOLVED, SOLVED_OPTIMALLY]
    assert settled[0].message == "refuted by two, whose plan costs 4: the proof of one is wrong"


def test_a_report_names_the_fewer_pushes() -> None:
    run = ExperimentRun("k", "d", "t", "one", "native", SOLVED_OPTIMALLY, cost=5, pushes=3, objective="pushes")
    figures = report([run, run.replace(key="l", planner="two", cost=9, pushes=2)])
    assert [fault.text for fault in figures.faults] == [
        "one: refuted by two, whose plan costs 9, 2 pushes: the proof of one is wrong"
    ]
