"""The figures of reports against values that were worked out by hand."""

from math import log

import pandas as pd
import pytest
from scipy.stats import t

from support.runs import every_kind, made, noisy
from unpuzzle.base.errors import UsageError
from unpuzzle.experiments.differences import Changes, interval, sign_test, wilcoxon_test
from unpuzzle.experiments.measures import COVERAGE, Grid, agile, par10, satisficing
from unpuzzle.experiments.reporting import report
from unpuzzle.experiments.runs import LAST_LAYER, BetterPlan, ExperimentRun
from unpuzzle.rendering.report_tables import domain_table, score_over_time, solved_after


def scores(runs: list[ExperimentRun]) -> dict[str, dict[str, float]]:
    return {row.name: dict(row.scores) for row in report(runs).planners}


def test_the_formulas_are_those_of_the_competitions() -> None:
    costs = pd.DataFrame({"cost": [20.0, 10, 0, None], "best": [10.0, 10, 0, 10], "solved": [True, True, True, False]})
    assert satisficing(costs).tolist() == [0.5, 1, 1, 0]
    times = pd.DataFrame({"time": [0.2, 1, 300, 400, 5], "limit": 300.0, "solved": [True, True, True, True, False]})
    assert agile(times).tolist() == [1, 1, 0, 0, 0]
    assert par10(times).tolist() == [0.2, 1, 300, 400, 3000]
    assert agile(pd.DataFrame({"time": [10.0], "limit": 1000.0, "solved": True}))[0] == pytest.approx(2 / 3)


def test_scores_are_sums_over_tasks() -> None:
    runs = [
        *(made("a", "p1", cost=10, seconds=0.5), made("a", "p2", cost=20, seconds=10), made("a", "p3", "timeout")),
        *(
            made("b", "p1", "solved_optimally", cost=8, seconds=1),
            made("b", "p2", "memout"),
            made("b", "p3", "gave_up"),
        ),
    ]
    found = scores(runs)
    times = {"a": (0.5 + 10 + 10 * 100) / 3, "b": (1 + 2 * 10 * 100) / 3}
    par = {name: pytest.approx(seconds) for name, seconds in times.items()}
    assert found["a"] == {"coverage": 2, "satisficing": 8 / 10 + 1, "agile": 1.5, "optimal": 0, "par10": par["a"]}
    assert found["b"] == {"coverage": 1, "satisficing": 1, "agile": 1, "optimal": 1, "par10": par["b"]}


def test_a_proof_that_there_is_no_plan_is_an_answer_in_par10_unless_a_plan_refutes_it() -> None:
    runs = [made("a", "p1", "unsolvable", seconds=2), made("a", "p2", seconds=4), made("b", "p1", "timeout")]
    assert (scores(runs)["a"]["par10"], scores(runs)["a"]["coverage"]) == (3, 1)
    assert scores(runs)["b"]["par10"] == 10 * 100
    refuted = [made("a", "p1", "unsolvable", seconds=2), made("b", "p1", seconds=4)]
    assert (scores(refuted)["a"]["par10"], scores(refuted)["b"]["par10"]) == (10 * 100, 4)


def test_a_task_that_is_repeated_counts_by_the_mean_of_its_runs() -> None:
    runs = [made(repetition=0), made("a", "p1", "timeout", repetition=1), made(repetition=2)]
    assert scores(runs)["a"]["coverage"] == pytest.approx(2 / 3)
    runs += [made("a", "p2", repetition=number) for number in range(3)]
    assert scores(runs)["a"]["coverage"] == pytest.approx(5 / 3)


def test_an_invalid_plan_solves_nothing_and_has_an_outcome_of_its_own() -> None:
    made_report = report([made(valid=False, cost=3), made("b", cost=9)])
    first, second = made_report.planners
    assert first.outcomes == {"invalid_plan": 1}
    assert (first.scores["coverage"], second.scores["satisficing"]) == (0, 1)
    assert [fault.kind for fault in made_report.faults] == ["invalid_plan"]


def test_statuses_are_never_mixed() -> None:
    kinds = ("gave_up", "timeout", "memout", "unsupported", "error", "cancelled", "guessed", "unsolvable")
    [row] = report([made("a", kind, kind) for kind in kinds]).planners
    assert row.outcomes == dict.fromkeys(kinds, 1)


def test_there_is_no_agile_score_without_a_limit() -> None:
    made_report = report([made(limits={})])
    assert not {"agile", "par10"} & {*made_report.planners[0].scores}
    assert any("no agile score, and no PAR10" in note for note in made_report.notes)


def test_optimal_costs_of_other_objectives_are_not_least_costs() -> None:
    assert scores([made(status="solved_optimally", objective="pushes")])["a"]["optimal"] == 0


def test_ratios_are_of_the_tasks_that_both_solved() -> None:
    runs = [made("a", f"p{n}", seconds=2.0) for n in range(6)]
    runs += [made("b", f"p{n}", seconds=2.0 * factor) for n, factor in enumerate((0.5, 1, 2, 4, 8))]
    runs.append(made("b", "p5", "timeout", seconds=100))
    [time] = [each for each in report(runs).ratios if each.measure == "cpu"]
    assert (time.first, time.second, time.tasks) == ("a", "b", 5)
    assert time.geometric_mean == pytest.approx(2)
    assert time.median == pytest.approx(2)
    assert (time.less, time.equal, time.more) == (1, 1, 3)
    assert (time.low, time.high, time.noise) == (None, None, None)  # nothing was repeated


def test_a_task_counts_by_the_geometric_mean_of_its_runs() -> None:
    grid = Grid.of([made(seconds=1), made(seconds=4), made(seconds=0), made("a", "p1", "timeout", seconds=100)])
    assert grid.values(grid.clock)["a"]["d", "p1"] == pytest.approx((1 * 4 * 0.001) ** (1 / 3))


def test_time_is_never_a_mixture() -> None:
    other = ExperimentRun("k", "d", "p1", "b", "b", "solved", wall=3.0, seconds={"total": 2.0})
    assert Grid.of([made(), made("b")]).clock.name == "cpu"
    assert Grid.of([made(), other]).clock.name == "wall"
    assert (
        Grid.of([other, ExperimentRun("l", "d", "p1", "c", "c", "solved", seconds={"total": 2.0})]).clock.name
        == "total"
    )


def test_noise_is_told_from_differences() -> None:
    runs = noisy({"a": 1.0, "b": 1.0, "c": 1.5})
    verdicts = {(each.first, each.second): each for each in report(runs).ratios if each.measure == "cpu"}
    assert verdicts["a", "b"].noise is True
    assert verdicts["a", "c"].noise is False
    low, high = verdicts["a", "c"].low, verdicts["a", "c"].high
    assert low is not None
    assert high is not None
    assert 1 < low < verdicts["a", "c"].geometric_mean < high
    assert report(runs).ratios == report(runs).ratios


def test_planners_that_are_alike_seldom_differ_by_more_than_noise() -> None:
    false = 0
    for seed in range(60):
        [ratio] = [each for each in report(noisy({"a": 1, "b": 1}, seed=seed)).ratios if each.measure == "cpu"]
        false += ratio.noise is False
    assert false <= 8  # 3 are to be expected of 60 at 95%; 9 or more would come once in 400 times


@pytest.mark.parametrize("shape", [{"repeat": 1}, {"tasks": 4}])
def test_nothing_is_claimed_of_too_little(shape: dict[str, int]) -> None:
    made_report = report(noisy({"a": 1, "b": 3}, **shape))
    assert {each.noise for each in made_report.ratios} == {None}
    assert {row.tied for row in made_report.planners} == {None}


def test_a_single_task_without_repetition_is_enough_to_claim_nothing() -> None:
    runs = [*noisy({"a": 1, "b": 3}), made("a", "once"), made("b", "once")]
    assert {each.noise for each in report(runs).ratios if each.measure == "cpu"} == {None}


def test_the_best_planner_is_not_told_from_one_as_good() -> None:
    runs = noisy({"a": 1, "b": 1.001, "c": 4}, spread=0.3)
    rows = {row.name: row.tied for row in report(runs).planners}
    assert "agile" in (rows["a"] or ()) + (rows["b"] or ())
    assert "agile" not in (rows["c"] or ())


def test_profiles_rise_with_better_plans() -> None:
    plans = (BetterPlan(1.0, 20), BetterPlan(2.0, 12), BetterPlan(3.0, 10))
    grid = Grid.of([made(plans=plans, cost=10, seconds=5.0), made("b", cost=10, seconds=4.0)])
    assert score_over_time(grid, "a") == ((1, 2, 3), (0.5, pytest.approx(10 / 12), pytest.approx(1)))
    assert score_over_time(grid, "b") == ((4,), (1,))
    assert solved_after(grid, "a") == ((5,), (1,))


def test_a_run_of_a_repeated_task_is_a_part_of_it() -> None:
    grid = Grid.of([made(seconds=3), made(seconds=2), made(seconds=9, status="timeout"), made("a", "p2", seconds=1)])
    assert solved_after(grid, "a") == ((1, 2, 3), pytest.approx((1, 4 / 3, 5 / 3)))


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"limits": {"time": 10.0, "cpu": None, "memory": None}}, "10 s of wall clock"),
        ({"versions": {"unpuzzle": "2.0"}}, "unpuzzle 2.0"),
        ({"objective": "pushes"}, "pushes"),
        ({"configuration": "a:lmcut"}, "a:lmcut"),
    ],
)
def test_other_limits_and_versions_are_another_planner(change: dict[str, object], word: str) -> None:
    made_report = report([made(), made(task="p2"), made(**change), made("b")])
    names = [row.name for row in made_report.planners]
    assert len(names) == len(set(names)) == 3
    assert any(word in name for name in names)
    assert "b" in names
    assert any("different limits, versions or settings" in note for note in made_report.notes)


def test_contradictions_come_first() -> None:
    runs = [
        *(made("c", "p0", "error", message="segfault"), made("c", "p1", "error", message="segfault")),
        *(made("a", "p1", "solved_optimally", cost=5), made("b", "p1", "solved_optimally", cost=6)),
        *(made("a", "p2", "unsolvable"), made("b", "p2", cost=3)),
        *(made("a", "p3", "solved_optimally", cost=7), made("b", "p3", cost=6)),
        made("b", "p4", valid=False),
    ]
    made_report = report(runs)
    assert [(fault.kind, fault.task, len(fault.keys)) for fault in made_report.faults] == [
        ("contradiction", "p1", 2),
        ("contradiction", "p2", 2),
        ("contradiction", "p3", 2),
        ("invalid_plan", "p4", 1),
        ("error", "", 2),
    ]
    assert "5 (a), 6 (b)" in made_report.faults[0].text
    assert made_report.is_faulty


def test_runs_that_agree_have_no_faults() -> None:
    runs = [
        made("a", status="solved_optimally", cost=5),
        made("b", cost=5),
        made("c", cost=9),
        made("d", status="timeout"),
    ]
    made_report = report(runs)
    assert not made_report.faults
    assert not made_report.is_faulty


def test_a_run_that_stands_twice_counts_once() -> None:
    run = made()
    made_report = report([run, run, made("b")])
    assert made_report.runs == 2
    assert any("twice" in note for note in made_report.notes)


def test_coverage_is_told_by_domain() -> None:
    runs = [made("a", "p1", domain="x"), made("a", "p2", "timeout", domain="x"), made("b", "p1", domain="y")]
    assert [(row.name, row.tasks, row.coverage) for row in report(runs).domains] == [
        ("x", 2, {"a": 1}),
        ("y", 1, {"b": 1}),
    ]


def test_what_noise_explains_is_told_by_domain() -> None:
    luck = {"a": (1, 1, 1, 1, 1, 1), "b": (1, 1, 0, 1, 1, 1), "c": (0, 0, 0, 0, 0, 0)}
    runs = [
        made(planner, f"p{task}", "solved" if solved else "timeout", domain="x", repetition=repetition)
        for planner, those in luck.items()
        for task, solved in enumerate(those)
        for repetition in range(2)
    ]
    few = [made(planner, "p1", domain="y", repetition=repetition) for planner in "ab" for repetition in range(2)]
    once = [made("a", f"p{task}", domain="z") for task in range(6)] + [
        made("b", f"p{task}", domain="z") for task in range(6)
    ]
    assert {row.name: row.tied for row in report([*runs, *few, *once]).domains} == {"x": ("b",), "y": None, "z": None}


def test_what_is_as_good_as_the_best_is_not_marked_as_noise() -> None:
    solved = {"a": "111111", "b": "111111", "c": "110111"}
    runs = [
        made(name, f"p{task}", "solved" if letter == "1" else "timeout", repetition=repetition)
        for name, those in solved.items()
        for task, letter in enumerate(those)
        for repetition in range(2)
    ]
    made_report = report(runs)
    assert made_report.domains[0].tied == ("b", "c")
    table = domain_table(made_report, COVERAGE)
    assert table.shown()[0] == ["d", "6", "6", "6", "5≈"]


def test_of_many_planners_all_are_compared_with_the_best() -> None:
    runs = [made(f"planner {n}", f"p{task}") for n in range(14) for task in range(n + 1)]
    pairs = {(each.first, each.second) for each in report(runs).ratios}
    assert len(pairs) == 13
    assert {first for first, _ in pairs} == {"planner 13"}


def test_a_report_needs_runs_and_has_plain_data() -> None:
    with pytest.raises(UsageError):
        report([])
    data = report(every_kind()).to_dict()
    assert data["schema"] == "unpuzzle/report/1"
    assert not [name for name in data if name.startswith("_")]


def test_logarithms_have_a_floor() -> None:
    grid = Grid.of([made(expanded=0), made("b", expanded=8)])
    measure = next(each for each in grid.figures if each.name == "expanded")
    assert grid.by_task(measure)["a"]["d", "p1"] == 0
    assert grid.by_task(measure)["b"]["d", "p1"] == log(8)


def test_the_interval_is_the_one_of_students_t() -> None:
    differences = pd.Series([0.1, 0.3, -0.2, 0.4, 0.5, 0.2])
    half = t.ppf(0.975, 5) * differences.std() / 6**0.5
    expected = (differences.mean() - half, differences.mean() + half)
    assert interval(differences, pd.Series([True] * 6)) == pytest.approx(expected)
    assert interval(differences, pd.Series([True] * 5 + [False])) is None
    assert interval(differences[:4], pd.Series([True] * 4)) is None
    assert interval(pd.Series([0.5] * 5), pd.Series([True] * 5)) == (0.5, 0.5)


def test_the_tests_give_the_p_values_of_their_tables() -> None:
    """Of six pairs that all differ in one direction, 2 / 2**6 for both; worked out by hand."""
    assert sign_test(6, 0) == sign_test(0, 6) == pytest.approx(2 / 64)
    assert sign_test(1, 5) == pytest.approx(2 * 7 / 64)
    assert wilcoxon_test(pd.Series([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])) == pytest.approx(2 / 64)
    assert wilcoxon_test(pd.Series([-0.1, 0.2, 0.3, 0.4, 0.5, 0.6])) == pytest.approx(4 / 64)
    assert (sign_test(0, 0), wilcoxon_test(pd.Series([0.0, 1e-12]))) == (None, None)


def test_a_ratio_has_both_tests_without_repetitions() -> None:
    speeds = {"a": 1.0, "b": 2.0}
    runs = [made(name, f"p{n}", seconds=(n + 1) * speed) for n in range(6) for name, speed in speeds.items()]
    [time] = [each for each in report(runs).ratios if each.measure == "cpu"]
    assert (time.noise, time.sign) == (None, pytest.approx(2 / 64))
    assert time.wilcoxon is not None
    assert time.wilcoxon < 0.05


def test_every_measure_is_told_by_domain() -> None:
    runs = [
        *(made("a", "p1", domain="x", seconds=2, expanded=100), made("b", "p1", domain="x", seconds=8, expanded=10)),
        *(made("a", "p2", domain="x", seconds=8, expanded=400), made("b", "p2", domain="x", seconds=2, expanded=40)),
        *(made("a", "p3", domain="x", seconds=9), made("b", "p3", "timeout", domain="x", seconds=100)),
        *(made("a", "p1", domain="y", seconds=4), made("b", "p1", "memout", domain="y")),
    ]
    told = {(each.measure, each.domain): (each.tasks, each.values) for each in report(runs).measures}
    assert told["coverage", "x"] == (3, {"a": 3, "b": 2})
    assert told["coverage", None] == (4, {"a": 4, "b": 2})
    assert told["cpu", "x"] == (2, {"a": pytest.approx(4), "b": pytest.approx(4)})
    assert told["cpu", "y"] == (1, {"a": pytest.approx(4)})
    assert told["expanded", None] == (2, {"a": pytest.approx(200), "b": pytest.approx(20)})
    assert told["par10", "y"] == (1, {"a": 4, "b": 1000})


def test_attributes_are_measures() -> None:
    runs = [made("a", attributes={LAST_LAYER: 5, "memo": 2.5, "word": "x"}), made("b", attributes={LAST_LAYER: 20})]
    made_report = report(runs)
    assert {measure.name for measure in made_report.grid.figures} >= {LAST_LAYER, "memo"}
    [ratio] = [each for each in made_report.ratios if each.measure == LAST_LAYER]
    assert ratio.geometric_mean == pytest.approx(4)


def test_a_planner_that_was_declared_optimal_has_an_optimal_score() -> None:
    fields = {"status": "solved_optimally", "condition": "x is an optimal planner, as was declared"}
    runs = [made("a", configuration="command:x {domain} {problem} {optimal}", **fields), made("b", task="p2", **fields)]
    assert {name: each["optimal"] for name, each in scores(runs).items()} == {"a": 1, "b": 0}


def test_warm_runs_are_not_mixed_with_others() -> None:
    """Rows of older versions do not say how they began, and are read as they always were."""
    runs = [made(task="p1"), made(task="p2", process="fresh"), made(task="p1", process="warm")]
    made_report = report(runs)
    assert [(row.name, row.runs) for row in made_report.planners] == [("a (warm)", 1), ("a (without)", 2)]
    notes = "\n".join(made_report.notes)
    assert "1 run began in a warm copy: its start does not count" in notes
    assert "How 1 run of an older version began is unknown" in notes
    driven = report([made(includes="the driver of Fast Downward")])
    assert "The times of a include the driver of Fast Downward." in driven.notes


# ---- An experiment against an older one


def compared(old: list[ExperimentRun], new: list[ExperimentRun]) -> Changes:
    changes = report(new, compare=old).changes
    assert changes is not None
    return changes


def kinds(changes: Changes) -> list[tuple[str, str]]:
    return [(change.kind, change.task) for change in changes.tasks]


def test_equal_runs_have_no_changes() -> None:
    runs = noisy({"a": 1.0})
    changes = compared(runs, noisy({"a": 1.0}))
    assert not changes.tasks
    assert not changes.is_worse
    assert changes.paces[0].ratio == 1


def test_what_is_lost_and_dearer_comes_first() -> None:
    old = [made(task="p1"), made(task="p2", status="timeout"), made(task="p3", cost=5), made(task="p4", cost=9)]
    new = [made(task="p1", status="timeout"), made(task="p2"), made(task="p3", cost=6), made(task="p4", cost=8)]
    changes = compared(old, new)
    assert kinds(changes) == [("lost", "p1"), ("dearer", "p3"), ("gained", "p2"), ("cheaper", "p4")]
    assert changes.is_worse
    assert not compared([*new[1:2], new[3]], [*new[1:2], new[3]]).is_worse


def test_a_part_of_the_runs_may_be_chance() -> None:
    old = [made(repetition=number) for number in range(3)]
    new = [made(repetition=0), made(repetition=1), made(status="timeout", repetition=2)]
    changes = compared(old, new)
    assert kinds(changes) == [("rarer", "p1")]
    assert not changes.is_worse


def test_slower_by_more_than_noise() -> None:
    changes = compared(noisy({"a": 1, "b": 1}), noisy({"a": 2, "b": 1.0}, seed=5))
    paces = {pace.planner: pace for pace in changes.paces}
    assert paces["a"].noise is False
    assert 1.8 < (paces["a"].ratio or 0) < 2.2
    assert paces["b"].noise is True
    assert ("slower", "p3") in [(change.kind, change.task) for change in changes.tasks if change.planner == "a"]
    assert changes.is_worse
    assert not compared(noisy({"a": 2}), noisy({"a": 1}, seed=5)).is_worse


def test_nothing_is_said_of_noise_without_repetitions() -> None:
    changes = compared(noisy({"a": 1}, repeat=1), noisy({"a": 5}, repeat=1))
    assert [pace.noise for pace in changes.paces] == [None]
    assert not changes.tasks
    assert not changes.is_worse


def test_planners_are_matched_by_their_labels() -> None:
    old = [made(versions={"unpuzzle": "1"}), made("gone")]
    new = [made(versions={"unpuzzle": "2"}, limits={"time": 5.0}), made("new")]
    changes = compared(old, new)
    assert [pace.planner for pace in changes.paces] == ["a"]
    assert changes.notes == (
        "a had other limits in the older experiment",
        "new is not in the older experiment",
        "gone is in the older experiment only",
    )


def test_answers_that_contradict_older_ones_are_faults() -> None:
    old = [made(status="solved_optimally", cost=5), made("b", "p2", "error")]
    made_report = report([made(status="solved_optimally", cost=6)], compare=old)
    assert [fault.kind for fault in made_report.faults] == ["contradiction"]
    assert "5 (a (older)), 6 (a)" in made_report.faults[0].text
