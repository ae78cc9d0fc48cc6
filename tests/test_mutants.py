"""`scripts/mutate.py` changes one node of a file, the same one for the same seed, and knows the tests of the file."""

from __future__ import annotations

import ast
import runpy

import pytest

from support.modules import ROOT
from support.modules import files as files_of

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "mutate.py"))
TEXT = """
def find(words, most=3):
    \"\"\"Find.\"\"\"
    count = 0
    for word in words:
        if word and len(word) < most:
            count += 1
    return count
"""
CHANGED = [
    "most=4", "pass", "count = 1", "if not (word and len(word) < most)", "word or len(word)", "len(word) <= most",
    "count -= 1", "count += 2",
]  # fmt: skip


def test_each_place_is_changed_once() -> None:
    before = ast.unparse(ast.parse(TEXT))
    texts = [SCRIPT["mutated"](TEXT, place) for place, _ in enumerate(SCRIPT["changes"](ast.parse(TEXT)))]
    assert len(texts) == len(CHANGED)
    assert all(any(change in text for text in texts) and change not in before for change in CHANGED)


def test_a_seed_draws_the_same_mutants_which_have_tests() -> None:
    files = files_of("puzzlescript")
    mutants = SCRIPT["mutants"](files, 20, 1)
    assert mutants == SCRIPT["mutants"](files, 20, 1) != SCRIPT["mutants"](files, 20, 2)
    assert all(SCRIPT["tests_for"](path) for path, _ in mutants)


@pytest.mark.parametrize(("value", "changed"), [("True", "False"), ("x not in y", "x in y"), ("a // b", "a * b")])
def test_changes(value: str, changed: str) -> None:
    assert SCRIPT["mutated"](f"v = {value}", 0) == f"v = {changed}\n"
