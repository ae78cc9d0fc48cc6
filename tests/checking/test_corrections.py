"""`lint --fix` restores what was meant, or leaves the fault: planted slips of all kinds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from support.planted_slips import KINDS, NAMED, meaning, slips
from support.thorough import THOROUGH
from unpuzzle.checking.linted_files import DOMAIN, PROBLEM, ListedFile, lint_files, mended

FAULTY = Path(__file__).parents[1] / "pddl" / "faulty"
TASKS = {
    name: tuple((FAULTY / f"{name}.{kind}.pddl").read_text() for kind in (DOMAIN, PROBLEM))
    for name in ("river", "logistics", "lights")
}
NUMBER = 2_000 if THOROUGH else 120


def fixed(texts):
    """The texts after the corrections of `lint --fix`."""
    files = [ListedFile("d.pddl", texts[0], DOMAIN), ListedFile("p.pddl", texts[1], PROBLEM)]
    after, _ = mended(files, lambda files: lint_files(files, texts_only=True))
    return tuple(file.text for file in after)


def test_corrections_restore_what_was_meant_or_leave_the_fault() -> None:
    rng, planted, restored = Random(43), Counter[str](), Counter[str]()
    while planted.total() < NUMBER:
        for kind in KINDS:
            texts = TASKS[rng.choice(list(TASKS))]
            faulty = slips(rng, texts, kind)
            if faulty is None:
                continue
            planted[kind] += 1
            after = meaning(fixed(faulty))
            assert after in (None, meaning(texts)), (kind, faulty)
            restored[kind] += after is not None
    assert all(planted[kind] for kind in KINDS), planted
    mending, all_named = (sum(counts[kind] for kind in NAMED) for counts in (restored, planted))
    assert mending >= 0.9 * all_named, (restored, planted)
    assert restored["unequal"] == planted["unequal"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(not (at ?t ?from)) (at ?t ?to)", "(not (at ?t ?from) (at ?t ?to))"),  # delete both, or a bracket too late?
        ("(:action load", "(:derived (seen depot) (and)) (:action load"),
        ("?from ?to - place ?c - city", "?from ?to - place base - city"),
        (":action load", ":actio n load"),  # blanks in the midst of words, of which each part may be corrected
        ("?t - truck", "?t - truc k"),
        (":predicates", ":predicate s"),
        ("load\n    :parameters", "load:parameters"),
    ],
)
def test_what_may_be_meant_otherwise_is_left(right: str, wrong: str) -> None:
    domain, problem = TASKS["logistics"]
    domain = domain.replace("(:predicates", "(:constants base - city)\n  (:predicates (seen ?x)")
    faulty = domain.replace(right, wrong), problem
    assert faulty[0] != domain
    assert fixed(faulty) == faulty
