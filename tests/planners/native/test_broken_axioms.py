"""Special methods where their axioms are violated on purpose: not used there, and everywhere as good as all states.

`scripts/compare/check_symmetries.py` tries 20,000 examples of each method.
"""

from __future__ import annotations

from random import Random

import pytest

from support import broken_axioms
from support.broken_axioms import LAWS, tried
from support.thorough import THOROUGH

EXAMPLES = 200
RARELY = 40
"""In a sample each axiom is violated at least once in so many examples."""


@pytest.mark.parametrize("name", LAWS)
def test_broken_axioms_are_seen_and_answers_are_right(name: str) -> None:
    law = LAWS[name]
    counts, faults = tried(law, EXAMPLES * (10 if THOROUGH else 1), 0)
    assert faults == []
    assert [axiom for axiom in law.axioms if counts[axiom] * RARELY < counts["examples"]] == []


def test_a_wrong_symmetry_is_seen_in_some_state() -> None:
    """What was planted is kept by the whole task, and by no task that is called broken."""
    rng, seen = Random(1), 0
    for _ in range(30):
        planted, task = broken_axioms.symmetric(rng, axioms=False)
        elements = [broken_axioms.as_symmetry(element, planted.stored) for element in planted.group]
        assert all(broken_axioms.keeps(element, broken_axioms.space(task)) for element in elements)
        dearer = broken_axioms.space(broken_axioms.Breaker(rng, planted).broken(task, "costs"))
        seen += not all(broken_axioms.keeps(element, dearer) for element in elements)
    assert seen > 10
