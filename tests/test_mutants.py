"""`scripts/mutate.py` changes one node of a file, the same one for the same seed, and knows the tests of the file."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

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


def test_an_equivalent_is_known_by_its_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    listed = tmp_path / "mutants.txt"
    diffs = [SCRIPT["difference"]("a.py", TEXT, place) for place in range(len(CHANGED))]
    told = [SCRIPT["told"](diff) for diff in diffs]
    assert "a.py: if word and len(word) < most: => if word or len(word) < most:" in told
    listed.write_text(f"# why\n{told[3]}: a number that nothing depends on\n")
    monkeypatch.setitem(SCRIPT["is_equivalent"].__globals__, "EQUIVALENTS", listed)
    assert [SCRIPT["is_equivalent"](diff) for diff in diffs] == [place == 3 for place in range(len(CHANGED))]


def test_of_a_long_line_only_what_is_around_a_change_is_told() -> None:
    ones, twos = "1, " * 9, ", 2" * 9 + ","
    diff = SCRIPT["difference"]("a.py", f"x = [{'1, ' * 50}a < b{', 2' * 50}]", 50)
    assert SCRIPT["told"](diff) == f"a.py: {ones}a < b{twos} => {ones}a <= b{twos}"


def test_survivors_are_found_again_though_lines_have_moved() -> None:
    name = "src/unpuzzle/editing/formatting.py"
    diff = SCRIPT["difference"](name, (ROOT / name).read_text(), 0)
    row = {"file": name, "place": 9, "outcome": "survived", "diff": diff}
    gone = row | {"diff": [*diff[:2], "-x = 1", "+x = 2"]}
    assert [*SCRIPT["survivors"]([row, row | {"outcome": "killed"}, gone])] == [(ROOT / name, 0)]


def test_equivalents_are_changes_of_what_stands_there_and_have_a_reason() -> None:
    for line in SCRIPT["EQUIVALENTS"].read_text().splitlines()[1:]:
        name, _, rest = line.partition(": ")
        old, _, new = rest.partition(" => ")
        assert old in ast.unparse(ast.parse((ROOT / name).read_text())), line
        assert re.search(r": \w+ \w+", new), line
