"""Recognisers of walkers and folded variables: true whatever axiom a task breaks, by the laws of `walker_laws`."""

from __future__ import annotations

from collections import Counter

import pytest

from support.thorough import THOROUGH
from support.walker_laws import LAWS

TASKS = {"walker": 400, "folded variable": 300, "pushes": 300}


@pytest.mark.parametrize("name", LAWS)
def test_a_recogniser(name: str) -> None:
    """`scripts/compare/check_walkers.py` tries 20,000 tasks of each."""
    law, counts, faults = LAWS[name], Counter[str](), []
    tasks = 20_000 if THOROUGH else TASKS[name]
    for seed in range(1_000_000, 1_000_000 + tasks):
        case = law.check(seed)
        counts.update(case.broken)
        counts["recognised"] += case.recognised
        faults += [f"seed {seed}: {fault}" for fault in case.faults]
    assert not faults
    assert counts["recognised"] >= tasks / 20
    for axiom in law.axioms:  # or the law says nothing about it
        assert counts[axiom] >= tasks / 40, axiom
