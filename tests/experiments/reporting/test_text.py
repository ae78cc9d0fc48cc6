"""The text of a report and the tables of its figures, as a whole."""

import re

import pytest

from support.golden import assert_golden
from support.runs import LIMITS, made, noisy
from unpuzzle.experiments.comparing import runs_csv, runs_table
from unpuzzle.experiments.reading import properties_of
from unpuzzle.experiments.reporting import names_of, report
from unpuzzle.experiments.runs import BetterPlan, ExperimentRun
from unpuzzle.rendering.report_tables import report_text, tables_of

HERE, THERE = {"machine": {"name": "here"}}, {"machine": {"name": "there"}}


def older() -> list[ExperimentRun]:
    """Two planners, of which one had a shorter limit than later, and 23 tasks that were solved."""
    runs = [made("slow", f"p{n:02}", cost=10 + n, seconds=2.0 * n, domain="road", key=f"o{n}") for n in range(1, 24)]
    return [*runs, *(made("fast", f"p{n:02}", seconds=1.0, limits={"time": 5.0}, key=f"f{n}") for n in range(3))]


def newer() -> list[ExperimentRun]:
    """Each outcome; other limits and versions; plans that become better; and fewer tasks for some planners."""
    runs = [made("slow", f"p{n:02}", "timeout", domain="road", key=f"n{n}", seconds=100, **HERE) for n in range(1, 23)]
    kinds = ("gave_up", "memout", "unsupported", "error", "cancelled", "guessed", "unsolvable", "solved_optimally")
    runs += [made("mixed", f"q{n}", kind, key=f"m{n}", **THERE) for n, kind in enumerate(kinds)]
    plans = (BetterPlan(0.5, 14), BetterPlan(3.0, 12))
    runs.append(made("slow", "p23", cost=12, seconds=5.0, domain="road", key="n23", plans=plans, plan=("a",) * 12))
    runs.append(made("fast", "p23", "solved_optimally", cost=8, seconds=20.0, domain="road", key="n24", expanded=1234))
    for number, (limits, version) in enumerate((({"cpu": 300.0, "memory": 2**31}, "1"), (LIMITS, "1"), (LIMITS, "2"))):
        more = {"limits": limits, "versions": {"unpuzzle": version}, "peak_memory": 20 << 20}
        runs.append(made("twin", "p01", valid=number > 0, cost=11 + number, domain="road", key=f"t{number}", **more))
    return [*runs, runs[-1], *(made(f"one-{n}", "p01", domain="road", key=f"one{n}") for n in range(3))]


@pytest.mark.parametrize(
    ("name", "runs", "before"),
    [
        ("alone", newer(), []),
        ("compared", newer(), older()),
        ("again", older(), older()[:20]),
        ("back", older(), newer()),
    ],
)
def test_a_report_as_text(name: str, runs: list[ExperimentRun], before: list[ExperimentRun]) -> None:
    made_report = report(runs, compare=before)
    parts = [report_text(made_report, quiet=True), report_text(made_report)]
    assert parts[1].startswith(parts[0])
    if name != "again":
        tables = tables_of(made_report) | {"table": runs_table(runs), "csv": runs_csv(runs)}
        tables["properties"] = properties_of(runs, names_of(made_report.grid))
        parts += [f"-- {each}\n{text}" for each, text in tables.items()]
    # The last digits of roots and logarithms differ between systems.
    text = re.sub(r"\d+\.\d{9,}", lambda match: f"{float(match[0]):.6g}", "\n".join(parts[1:]))
    assert_golden(f"report-{name}", text)


def test_a_report_of_repeated_runs_as_text() -> None:
    before, now = noisy({"a": 1, "b": 1, "c": 1}), noisy({"a": 2, "b": 1.0, "c": 0.5}, seed=5)
    lost = [run.replace(status="timeout", cost=None) if run.task == "p3" and run.planner == "b" else run for run in now]
    assert_golden("report-repeated", report_text(report(lost, compare=before)))
