"""compare(): rows as published, random runs summed up, what does not fit refused before anything runs."""

import pickle
from csv import DictReader
from io import StringIO
from itertools import count
from random import Random
from typing import Any

import pytest

import unpuzzle
from support.data import MAZES, needs_mazes
from support.registry import WITH_PDDL
from unpuzzle import DependencyMissing, Limits, ParseError, UsageError, compare, translators
from unpuzzle.experiments import comparing
from unpuzzle.experiments.comparing import (
    FIELDS,
    MORE_FIELDS,
    Comparison,
    ComparisonRow,
    comparison_csv,
    comparison_table,
    fitting,
)
from unpuzzle.model import Puzzle
from unpuzzle.model.capabilities import score_of
from unpuzzle.planners.rules.planner import TABLE
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result

pytestmark = pytest.mark.usefixtures("settled")
needs_core = pytest.mark.skipif(registry.missing("native") is not None, reason="the native core is not here")


def level(puzzle: str, name: str) -> Puzzle:
    kind = translators.find(puzzle)
    return kind.parse(kind.levels[name])


def maze(name: str) -> Puzzle:
    return translators.find("pacman").parse((MAZES / f"{name}.lay").read_text(), name)


FACTS = {
    "bigMaze": {
        "bfs": (210, 620),
        "astar": (210, 549),
        "greedy": (210, 466),
        "bidirectional-bfs": (210, 596),
        "bidirectional-greedy": (210, 532),
        "dfs": (210, 390),
    },
    "mediumMaze": {"bfs": (68, 269), "astar": (68, 221), "dfs": (130, 146)},
    "tinyMaze": {
        "bfs": (8, 15),
        "astar": (8, 14),
        "greedy": (8, 8),
        "bidirectional-bfs": (8, 12),
        "bidirectional-greedy": (8, 8),
        "dfs": (10, 15),
    },
}


@needs_mazes
@pytest.mark.parametrize("name", FACTS)
def test_published_figures(name: str) -> None:
    rows = compare(maze(name), FACTS[name], heuristic="manhattan")
    assert {row.algorithm: (row.cost, row.expanded) for row in rows} == FACTS[name]
    for row in rows:
        assert row.cost is not None
        assert (row.steps, row.score) == (row.cost, 510 - row.cost)
        assert row.frontier is not None
        assert row.generated is not None


@needs_mazes
@needs_core
def test_algorithms_and_planners_stand_in_one_table() -> None:
    rows = compare(maze("mediumMaze"), ["bfs", "wall-left", "wall-right"], planners=["native", "native:blind"])
    assert [row.algorithm for row in rows] == ["bfs", "wall-left", "wall-right", "native", "native:blind"]
    assert [row.cost for row in rows] == [68, None, 152, 68, 68]
    assert [row.score for row in rows] == [442, None, 358, 442, 442]
    loop = rows[1]
    assert (loop.status, loop.steps) == ("gave_up", None)
    assert "loop" in loop.message
    text = comparison_table(rows)
    lines = text.splitlines()
    assert lines[0].split() == "algorithm status cost steps expanded generated frontier seconds score".split()
    assert lines[1].split()[:5] == ["bfs", "solved_optimally", "68", "68", "269"]
    assert lines[2].split()[:4] == ["wall-left", "gave_up", "-", "-"]
    assert len({len(line) for line in lines}) == 1


@needs_mazes
def test_the_mouse_over_many_seeds() -> None:
    rows = compare(maze("tinyMaze"), ["mouse"], seeds=40)
    least, median, most = rows
    assert [row.algorithm for row in rows] == ["mouse (least)", "mouse (median)", "mouse (most)"]
    assert [row.which for row in rows] == ["least", "median", "most"]
    assert {row.seeds for row in rows} == {40}
    single = [compare(maze("tinyMaze"), [f"mouse={seed}"])[0].steps for seed in range(40)]
    ranked = sorted(step for step in single if step is not None)
    assert [least.steps, median.steps, most.steps] == [ranked[0], ranked[19], ranked[39]]
    for row in rows:
        assert row.seed is not None
        assert single[row.seed] == row.steps
        assert row.planner == f"rules:mouse={row.seed}"


def test_one_seed_is_one_row() -> None:
    rows = compare(level("pacman", "room"), ["mouse", "mouse=0"], seeds=1)
    assert [(row.algorithm, row.which, row.seed) for row in rows] == [("mouse", None, 0), ("mouse=0", None, None)]
    assert rows[0].steps == rows[1].steps


def test_runs_that_do_not_arrive_are_the_longest() -> None:
    start = level("pacman", "perfect")
    lengths = sorted(row.steps or 0 for seed in range(5) for row in compare(start, [f"mouse={seed}"]))
    assert lengths[0] > 0
    rows = compare(start, ["mouse"], seeds=5, limits=Limits(time=1e-9))
    assert [row.status for row in rows] == ["timeout"] * 3
    assert all(row.seeds == 5 and row.steps is None and row.score is None for row in rows)


def test_heuristics_are_those_asked_for() -> None:
    start = level("sliding-tiles", "2x3")
    by_default, by_name, blind, uniform = compare(start, ["astar", "astar(manhattan)", "astar(null)", "ucs"])
    assert by_default.expanded == by_name.expanded
    assert blind.expanded == uniform.expanded
    assert (by_name.expanded or 0) < (blind.expanded or 0)
    one, other = compare(start, ["astar", "astar(manhattan)"], heuristic="misplaced")
    assert one.planner == "rules:astar(misplaced)"
    assert other.planner == "rules:astar(manhattan)"
    assert one.algorithm == "astar"


def test_all_that_fit_are_the_default() -> None:
    names, reasons = fitting(level("sliding-tiles", "2x3"))
    assert {"dfs", "bfs", "ucs", "astar", "idastar", "bidirectional-bfs"} <= set(names)
    assert {"mouse", "wall-left", "wall-right"} <= set(reasons)
    assert set(names) | set(reasons) == set(TABLE)
    rows = compare(level("sliding-tiles", "2x3"))
    assert [row.algorithm for row in rows] == names
    assert {row.cost for row in rows if row.status == "solved_optimally"} == {21}
    assert all(row.score is None for row in rows)
    assert "score" not in comparison_table(rows)


@pytest.mark.parametrize("puzzle", WITH_PDDL)
def test_all_that_fit_agree_on_random_levels(puzzle: str) -> None:
    """Whether there is a solution, and what the best one costs: one answer from the rules and from the PDDL."""
    solved = 0
    for seed in range(6):
        start = translators.find(puzzle).sample(Random(seed))
        # Where nothing can be found, the mouse and IDA*, which remember nothing, may go on for ever.
        names = [name for name in fitting(start)[0] if name not in ("mouse", "idastar")]
        rows = compare(start, names, planners=["reference"])
        costs = {row.cost for row in rows if row.status == "solved_optimally"}
        if costs:
            rows += compare(start, ["idastar"])
        assert len({row.cost for row in rows if row.status == "solved_optimally"}) == len(costs) <= 1
        assert all(row.cost >= min(costs) for row in rows if row.cost is not None)
        assert {row.status for row in rows} <= ({"solved", "solved_optimally", "gave_up"} if costs else {"unsolvable"})
        solved += bool(costs)
    assert solved >= 2


@pytest.mark.parametrize(
    ("puzzle", "name", "options", "said"),
    [
        ("pacman", "room", {"algorithms": ["asta"]}, "did you mean 'astar'"),
        ("pacman", "room", {"planners": ["nativ"]}, "did you mean 'native'"),
        ("pacman", "room", {"heuristic": "manhatan"}, "did you mean 'manhattan'"),
        ("pacman", "room", {"algorithms": ["astar(misplaced)"]}, "misplaced"),
        ("pacman", "dots", {"algorithms": ["bidirectional-bfs"]}, "goal"),
        ("sliding-tiles", "2x3", {"algorithms": ["wall-left"]}, "compass"),
        ("sliding-tiles", "2x3", {"planners": ["rules:wall-left"]}, "compass"),
        ("pacman", "room", {"planners": ["rules:astar(misplaced)"]}, "misplaced"),
        ("boxup", "1", {"planners": ["subgoals"]}, "defines no subgoals"),
        ("sliding-tiles", "2x3", {"algorithms": ["bfs"], "heuristic": "farthest"}, "no heuristic 'farthest'"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_runs(
    puzzle: str, name: str, options: dict[str, Any], said: str
) -> None:
    rows: list[ComparisonRow] = []
    with pytest.raises((ParseError, UsageError)) as caught:
        compare(level(puzzle, name), ["bfs", *options.pop("algorithms", [])], on_row=rows.append, **options)
    assert said in str(caught.value)
    assert rows == []


def test_a_missing_planner_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.native.planner.NativeKind.missing", lambda self: "install it")
    rows: list[ComparisonRow] = []
    with pytest.raises(DependencyMissing, match="install it"):
        compare(level("boxup", "1"), ["bfs"], planners=["native"], on_row=rows.append)
    assert rows == []


def test_a_planner_that_turns_out_to_be_missing_is_one_bad_row() -> None:
    rows = compare(
        level("boxup", "1"), ["bfs"], planners=["command:no-such-program {domain} {problem} {plan}", "reference"]
    )
    assert [row.status for row in rows] == ["solved_optimally", "error", "solved_optimally"]
    assert "no-such-program" in rows[1].message


def test_a_name_that_only_the_program_knows_to_be_wrong() -> None:
    if registry.missing("fast-downward") is not None:
        pytest.skip(registry.missing("fast-downward") or "")
    with pytest.raises(UsageError, match="has no alias 'nosuch'"):
        compare(level("boxup", "1"), planners=["fast-downward:nosuch", "reference"])
    rows = compare(level("boxup", "1"), planners=["reference", "fast-downward:nosuch"])
    assert [row.status for row in rows] == ["solved_optimally", "error"]
    assert "has no alias 'nosuch'" in rows[1].message


def test_rows_come_as_they_are_known_and_interrupts_lose_none(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, rows = count(1), list[ComparisonRow]()
    real = unpuzzle.solve

    def solve(*args: Any, **named: Any) -> Result:
        if next(runs) == 5:
            raise KeyboardInterrupt
        return real(*args, **named)

    monkeypatch.setattr("unpuzzle.experiments.comparing.solve", solve)
    with pytest.raises(KeyboardInterrupt):
        compare(level("pacman", "room"), ["bfs", "mouse", "dfs"], seeds=20, on_row=rows.append)
    assert [row.algorithm for row in rows] == ["bfs", "mouse (least)", "mouse (median)", "mouse (most)"]
    assert {row.seeds for row in rows} == {None, 3}


def test_progress_tells_what_runs() -> None:
    told: list[str] = []
    compare(level("pacman", "room"), ["bfs", "mouse"], seeds=2, progress=told.append)
    assert told == ["1 of 2: bfs", "2 of 2: mouse, seed 0", "2 of 2: mouse, seed 1"]


def test_csv_is_read_back() -> None:
    rows = compare(level("pacman", "room"), ["bfs", "astar(manhattan)", "mouse"], seeds=3)
    lines = list(DictReader(StringIO(comparison_csv(rows))))
    assert [line["algorithm"] for line in lines] == [row.algorithm for row in rows]
    for line, row in zip(lines, rows, strict=True):
        assert (line["status"], line["cost"], line["expanded"]) == (row.status, str(row.cost), str(row.expanded))
        assert line["seed"] == ("" if row.seed is None else str(row.seed))
        assert float(line["seconds"]) == row.seconds


# ---- scores


def test_pacman_keeps_score_and_the_others_do_not() -> None:
    dots = translators.find("pacman").parse("P..\n")
    assert [dots.level_score(moves) for moves in ("", "E", "EE", "EEWE")] == [0, 9, 518, 516]
    assert score_of(level("sliding-tiles", "2x3"), "") is None
    assert score_of(level("boxup", "1"), "") is None


# ---- tasks, and rows as values


@needs_core
def test_planners_of_a_task_stand_in_one_table() -> None:
    task = level("boxup", "1").task()
    rows = compare(task, planners=["native", "reference"])
    assert [(row.algorithm, row.cost, row.steps, row.score) for row in rows] == [
        ("native", 5, 5, None),
        ("reference", 5, 5, None),
    ]
    assert [row.algorithm for row in compare(task)] == ["native"]
    with pytest.raises(UsageError, match="algorithms on the rules need a position"):
        compare(task, ["bfs"])
    with pytest.raises(UsageError, match="takes a position or a PDDL task, not a str"):
        compare("text")  # type: ignore[arg-type]


def test_rows_are_values() -> None:
    rows = compare(level("boxup", "1"), ["bfs"])
    again = pickle.loads(pickle.dumps(rows))
    assert again == rows
    assert type(again) is type(rows)
    assert list(rows[0].to_dict()) == ["schema", *FIELDS, *MORE_FIELDS]
    assert rows[0].to_dict()["schema"] == "unpuzzle/compare/1"
    with pytest.raises(AttributeError):
        rows[0].cost = 3  # type: ignore[misc]


def test_only_what_comes_first_may_refuse_whoever_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    late: list[bool] = []

    def each(function: object, jobs: list[Any], *_: object, **__: object) -> tuple[()]:
        late.extend(job[-1] for job in jobs)
        return ()

    monkeypatch.setattr(comparing, "each", each)
    monkeypatch.setattr(comparing, "compete", lambda *job: late_alone.append(job[4]))
    late_alone: list[bool] = []
    for workers in (1, 2):
        assert compare(level("sliding-tiles", "2x3"), ["bfs", "ucs", "astar"], workers=workers) == Comparison(())
    assert late == late_alone == [False, True, True]
