"""The script that compares planners on random tasks, on a few of them."""

from __future__ import annotations

import runpy

from support.modules import ROOT

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "compare_planners.py"))


def test_some_tasks_of_the_thousands_that_the_script_takes() -> None:
    counts, differences = SCRIPT["chunk"](0, 20, ("fast-downward",))
    assert not differences
    assert {name for name, _ in counts} == set(SCRIPT["OURS"])


def test_a_difference_is_seen() -> None:
    agree = SCRIPT["agree"]
    assert agree(
        {"a": ("solved_optimally", 3), "b": ("solved_optimally", 3), "c": ("solved", 5), "d": ("unsupported", None)}
    )
    assert not agree({"a": ("solved_optimally", 3), "b": ("solved_optimally", 4)})
    assert not agree({"a": ("unsolvable", None), "b": ("solved", 4)})
