"""Explanations of tasks without a plan name the cause."""

from __future__ import annotations

import pytest

from support.causes import CAUSES
from unpuzzle.checking.reasons import explain
from unpuzzle.pddl import parse_task
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")


@pytest.mark.parametrize("cause", CAUSES)
def test_an_explanation_names_the_cause(cause: str) -> None:
    domain, problem, words = CAUSES[cause]
    explanation = explain(parse_task(domain, problem))
    assert explanation.solvable is False
    assert words in str(explanation)
