"""`scripts/mutate.py` changes one node of a file, the same one for the same seed, and knows the tests of the file."""

import ast
import re
import runpy
from pathlib import Path

import pytest

from support.adl_texts import adl_texts
from support.modules import ROOT
from support.modules import files as files_of
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.external.fast_downward_mutexes import without_false_mutexes

MUTATE = runpy.run_path(str(ROOT / "scripts" / "mutate.py"))
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
    texts = [MUTATE["mutated"](TEXT, place) for place, _ in enumerate(MUTATE["changes"](ast.parse(TEXT)))]
    assert len(texts) == len(CHANGED)
    assert all(any(change in text for text in texts) and change not in before for change in CHANGED)


def test_a_seed_draws_the_same_mutants_which_have_tests() -> None:
    files = files_of("puzzlescript")
    mutants = MUTATE["mutants"](files, 20, 1)
    assert mutants == MUTATE["mutants"](files, 20, 1) != MUTATE["mutants"](files, 20, 2)
    assert all(MUTATE["tests_for"](path) for path, _ in mutants)


@pytest.mark.parametrize(("value", "changed"), [("True", "False"), ("x not in y", "x in y"), ("a // b", "a * b")])
def test_changes(value: str, changed: str) -> None:
    assert MUTATE["mutated"](f"v = {value}", 0) == f"v = {changed}\n"


def test_an_equivalent_is_known_by_its_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    listed = tmp_path / "mutants.txt"
    diffs = [MUTATE["difference"]("a.py", TEXT, place) for place in range(len(CHANGED))]
    told = [MUTATE["told"](diff) for diff in diffs]
    assert "a.py: if word and len(word) < most: => if word or len(word) < most:" in told
    listed.write_text(f"# why\n{told[3]}: a number that nothing depends on\n")
    monkeypatch.setitem(MUTATE["is_equivalent"].__globals__, "EQUIVALENTS", listed)
    assert [MUTATE["is_equivalent"](diff) for diff in diffs] == [place == 3 for place in range(len(CHANGED))]


def test_of_a_long_line_only_what_is_around_a_change_is_told() -> None:
    ones, twos = "1, " * 9, ", 2" * 9 + ","
    diff = MUTATE["difference"]("a.py", f"x = [{'1, ' * 50}a < b{', 2' * 50}]", 50)
    assert MUTATE["told"](diff) == f"a.py: {ones}a < b{twos} => {ones}a <= b{twos}"


def test_survivors_are_found_again_though_lines_have_moved() -> None:
    name = "src/unpuzzle/servers/lsp/language_features.py"
    diff = MUTATE["difference"](name, (ROOT / name).read_text(), 0)
    row = {"file": name, "place": 9, "outcome": "survived", "diff": diff}
    gone = row | {"diff": [*diff[:2], "-x = 1", "+x = 2"]}
    assert [*MUTATE["survivors"]([row, row | {"outcome": "killed"}, gone])] == [(ROOT / name, 0)]


def test_equivalents_are_changes_of_what_stands_there_and_have_a_reason() -> None:
    for line in MUTATE["EQUIVALENTS"].read_text().splitlines()[1:]:
        name, _, rest = line.partition(": ")
        old, _, new = rest.partition(" => ")
        assert old in ast.unparse(ast.parse((ROOT / name).read_text())), line
        assert re.search(r": \w+ \w+", new), line


# ---- The script that compares planners on random tasks, on a few of them


COMPARE = runpy.run_path(str(ROOT / "scripts" / "compare" / "compare_planners.py"))


def test_some_tasks_of_the_thousands_that_the_script_takes() -> None:
    for first in (0, COMPARE["LOOSE"], COMPARE["SHARED"]):
        counts, differences = COMPARE["chunk"](first, 20, COMPARE["OURS"])
        assert not differences
        assert {name for name, _ in counts} == {*COMPARE["OURS"], "rewritten for Fast Downward"}


def test_fast_downward_errs_in_tasks_with_shared_parameters_that_are_not_rewritten() -> None:
    if fast_downward.missing() is not None:
        pytest.skip("Fast Downward is not installed")
    by_fast_downward, task_of = COMPARE["by_fast_downward"], COMPARE["task_of"]
    subjects = [task_of(COMPARE["SHARED"] + number) for number in (4, 10, 27, 32)]
    assert all(by_fast_downward(subject)[0] == SOLVED_OPTIMALLY for subject in subjects)
    by_fast_downward.__globals__["without_false_mutexes"] = lambda subject: (subject, {})
    try:
        assert all(by_fast_downward(subject)[0] == UNSOLVABLE for subject in subjects)
    finally:
        by_fast_downward.__globals__["without_false_mutexes"] = without_false_mutexes


def test_loose_tasks_have_what_others_lack() -> None:
    texts = [adl_texts(seed) for seed in range(60)]
    assert texts == [adl_texts(seed) for seed in range(60)]
    domains = "".join(domain for domain, _ in texts)
    for part in ("(either ", "- u)", "e - b b - a", "(a ?", "(or )"):
        assert part in domains, part
    tasks = [parse_task(*each) for each in texts]
    declared = [{predicate.name: predicate.parameters for predicate in task.domain.predicates} for task in tasks]
    assert any(
        axiom.head.parameters
        and [p.types for p in axiom.head.parameters] != [p.types for p in parameters[axiom.head.name]]
        for task, parameters in zip(tasks, declared, strict=True)
        for axiom in task.domain.axioms
    )


def test_fast_downward_answers_tasks_with_and_without_axioms() -> None:
    if fast_downward.missing() is not None:
        pytest.skip("Fast Downward is not installed")
    statuses = {COMPARE["by_fast_downward"](COMPARE["task_of"](seed))[0] for seed in range(1, 5)}
    assert statuses <= {SOLVED_OPTIMALLY, UNSOLVABLE}


def test_a_difference_is_seen() -> None:
    agree = COMPARE["agree"]
    assert agree(
        {"a": ("solved_optimally", 3), "b": ("solved_optimally", 3), "c": ("solved", 5), "d": ("unsupported", None)}
    )
    assert agree({"a": ("timeout", None), "b": ("unsolvable", None)})
    assert not agree({"a": ("solved_optimally", 3), "b": ("solved_optimally", 4)})
    assert not agree({"a": ("unsolvable", None), "b": ("solved", 4)})
