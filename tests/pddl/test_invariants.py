"""What lint, invariants and explanations say with certainty holds in all states of treacherous random tasks."""

from __future__ import annotations

import runpy
from collections import Counter

import pytest

from support.modules import ROOT
from support.shifting_tasks import CERTAIN, SHAPES, false_claims, shapes, shifting_task
from support.thorough import THOROUGH
from unpuzzle.checking.reasons import explain
from unpuzzle.pddl.normal_form import invariants
from unpuzzle.planning import registry
from unpuzzle.testing.explanations import faults

NUMBER = 5_000 if THOROUGH else 250

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")


def test_nothing_false_is_said_with_certainty() -> None:
    found: Counter[str] = Counter()
    for seed in range(NUMBER):
        task = shifting_task(seed)
        wrong, claims = false_claims(task, seed)
        assert wrong == [], seed
        found.update(claims)
        found.update(shapes(task))
    assert min(found[shape] for shape in SHAPES) >= NUMBER // 25  # the tasks are treacherous, and much is said of them
    assert min(found[claim] for claim in ("invariant", "exclusion", "goal-impossible", "two-places")) >= NUMBER // 10
    assert all(found[code] for code in CERTAIN)


@pytest.mark.parametrize(
    ("name", "instead", "first"),
    [
        ("_added", lambda *_: (), 0),  # an atom that is deleted and added again
        ("_may_add_both", lambda *_: False, 300),  # two added atoms: rare, since arguments that are equal tell, too
        ("_follows", lambda *_: True, 0),  # a delete whose condition may be false
    ],
)
def test_the_tasks_find_a_wrong_proof(name: str, instead: object, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariants, name, instead)
    assert sum(bool(false_claims(shifting_task(seed), seed)[0]) for seed in range(first, first + 50)) >= 2


def test_explanations_of_them_hold() -> None:
    for seed in range(NUMBER // 10):
        task = shifting_task(seed)
        assert faults(task, explain(task), 1_000) == [], seed


def test_the_script_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    check = runpy.run_path(str(ROOT / "scripts" / "check_invariants.py"))["main"]
    assert check(["--tasks", "20", "--seed", "7000"]) == 0
    assert "0 false claims about 20 tasks" in capsys.readouterr().out
