"""The plugin of pytest, in runs of their own: expectations in files, the fixture for tasks, what it imports."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from support.modules import ROOT
from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import Limits
from unpuzzle.pddl import parse_domain
from unpuzzle.testing.__main__ import main
from unpuzzle.testing.expectations import FORMS, Judgement, domain_beside, expectations, judge

DOMAIN = (ROOT / "docs/files/river/domain.pddl").read_text()
PROBLEM = (ROOT / "docs/files/river/p1.pddl").read_text()
STOREROOM = (ROOT / "puzzlescript/games/storeroom.txt").read_text()


def run(folder: Path, *words: str) -> tuple[dict[str, str], str]:
    """Run pytest in a folder; return the outcome of each test by its name, and all that was printed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "-v", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    outcomes = {}
    for line in done.stdout.splitlines():
        name, _, rest = line.rpartition(" [")
        if rest.endswith("%]") and "::" in name:
            test, _, outcome = name.rstrip().rpartition(" ")
            outcomes[test.strip()] = outcome
    return outcomes, done.stdout


@pytest.fixture
def river(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p1.pddl").write_text(PROBLEM)
    return tmp_path


def expecting(folder: Path, text: str, **limits: float) -> Judgement:
    """Judge one expectation about the river."""
    path = folder / "p1.pddl"
    path.write_text(f"; expect: {text}\n{PROBLEM}")
    [expectation] = expectations(str(path), path.read_text())
    return judge(str(path), expectation, Limits(**limits))


def test_met_unmet_and_undecided_are_three_things(river: Path) -> None:
    comments = ["cost 7", "7 moves", "solvable", "no faults", "cost 8", "unsolvable", "fault unknown-type", "csot 7"]
    (river / "p1.pddl").write_text(PROBLEM + "".join(f"; expect: {comment}\n" for comment in comments))
    outcomes, printed = run(river)
    assert [outcomes[f"p1.pddl::{comment}"] for comment in comments] == [*["PASSED"] * 4, *["FAILED"] * 3, "ERROR"]
    assert "expected: cost 8\nbut: the cheapest solution costs 7: (row left right goat)" in printed
    assert "expected: csot 7\nundecided: unknown expectation 'csot 7', did you mean 'cost'?" in printed
    assert "Traceback" not in printed


def test_faults_are_expected_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(
        DOMAIN.replace("?t - thing", "?t - thnig", 1) + "; expect: fault unknown-type\n"
    )
    assert "thnig" in (tmp_path / "domain.pddl").read_text()
    (tmp_path / "p1.pddl").write_text(PROBLEM + "; expect: cost 7\n")
    outcomes, printed = run(tmp_path)
    assert outcomes == {"domain.pddl::fault unknown-type": "PASSED", "p1.pddl::cost 7": "FAILED"}
    assert "the file cannot be read" in printed


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("cost 7", True),
        ("COST 7", True),
        ("cost 6", False),
        ("valid plan.txt", True),
        ("invalid plan.txt", False),
        ("valid missing.txt", None),
        ("", None),
    ],
)
def test_what_can_be_expected(text: str, met: bool | None, river: Path) -> None:
    steps = "goat wolf cabbage".split()
    rows = [f"(row left right {steps[0]})", "(row right left farmer)", f"(row left right {steps[1]})"]
    rows += ["(row right left goat)", "(row left right cabbage)", "(row right left farmer)", "(row left right goat)"]
    (river / "plan.txt").write_text("\n".join(rows))
    assert expecting(river, text).met is met


def test_a_solution_that_is_not_proved_best_decides_nothing(river: Path) -> None:
    path = river / "p1.pddl"
    for text, met in (("cost 7", None), ("solvable", True), ("unsolvable", False), ("cost 100", False)):
        path.write_text(f"{PROBLEM}; expect: {text}\n")
        [expectation] = expectations(str(path), path.read_text())
        judgement = judge(str(path), expectation, planner="native:gbfs(goalcount)")
        assert {judgement: judgement.met} == {judgement: met}, text


def test_a_limit_leaves_it_undecided(river: Path) -> None:
    for text in ("cost 7", "unsolvable", "no faults"):
        judgement = expecting(river, text, time=1e-9)
        assert judgement.met is None
        assert "limit" in judgement.said or "timeout" in judgement.said


def test_the_domain_is_looked_for_by_its_name(river: Path) -> None:
    (river / "other.pddl").write_text(DOMAIN)
    assert expecting(river, "cost 7").met  # domain.pddl comes first
    (river / "domain.pddl").rename(river / "another.pddl")
    judgement = expecting(river, "cost 7")
    assert judgement.met is None
    assert "another.pddl, other.pddl" in judgement.said
    (river / "another.pddl").unlink()
    (river / "other.pddl").rename(river.parent / f"{river.name}.pddl")
    (river / "tasks").mkdir()
    (river / f"../{river.name}.pddl").rename(river / "above.pddl")
    assert expecting(river / "tasks", "cost 7").met
    (river / "above.pddl").unlink()
    (river / "p1.pddl").unlink()
    assert expecting(river / "tasks", "cost 7").met is None
    (river / "p1.pddl").write_bytes(b"\0")
    with pytest.raises(ParseError, match=r"p1\.pddl:1:1: this is a binary file"):
        domain_beside(str(river / "p1.pddl"))


def test_levels_of_games_say_what_they_expect(tmp_path: Path) -> None:
    head, _, levels = STOREROOM.partition("LEVELS\n")
    first, rest = levels.lstrip("=\n").split("\n", 1)
    text = f"{head}LEVELS\n=======\n\n(expect: solvable)\n{first}\n{rest}\n\n(expect: 3 moves)\n"
    (tmp_path / "game.txt").write_text(text)
    (tmp_path / "notes.txt").write_text("I (expect nothing)\n")
    outcomes, printed = run(tmp_path)
    assert outcomes == {"game.txt::solvable": "PASSED", "game.txt::3 moves": "ERROR"}
    assert "no level follows this comment" in printed


def test_the_fixture_goes_through_the_problems_of_a_folder(river: Path) -> None:
    (river / "p2.pddl").write_text(PROBLEM)
    (river / "test_it.py").write_text(
        "import pytest\nfrom unpuzzle.testing import assert_solvable\n"
        "@pytest.mark.pddl_tasks('p2*.pddl')\ndef test_some(pddl_task):\n    assert_solvable(pddl_task, cost=7)\n"
        "def test_all(pddl_task):\n    assert pddl_task.problem\n"
    )
    outcomes, _ = run(river, "--strict-markers")
    names = ["test_some[p2.pddl]", "test_all[p1.pddl]", "test_all[p2.pddl]"]
    assert outcomes == {f"test_it.py::{name}": "PASSED" for name in names}


def test_nothing_of_ours_loads_before_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing is expected\n")
    (tmp_path / "conftest.py").write_text(
        "import sys\ndef pytest_unconfigure():\n"
        "    print('LOADED', sorted(name for name in sys.modules if name.partition('.')[0] == 'unpuzzle'))\n"
    )
    _, printed = run(tmp_path, "--collect-only", "-s")
    own = "'unpuzzle', 'unpuzzle.base', 'unpuzzle.base.type_hints', 'unpuzzle.pytest_plugin', 'unpuzzle.table'"
    assert f"LOADED [{own}]" in printed


def test_the_docs_list_all_forms() -> None:
    page = (ROOT / "docs/howto/pddl/expectations.md").read_text()
    for form in FORMS.split(", "):
        assert f"`{form}`" in page, form


# ---- The hooks for pre-commit, run as it runs them: on the files that are committed and match


HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}


def commit(hook: str, folder: Path) -> tuple[int, str]:
    """Run a hook on all files of a folder; return its exit code and what it printed."""
    files = [path.name for path in sorted(folder.iterdir()) if re.search(HOOKS[hook]["files"], path.name)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [*shlex.split(HOOKS[hook]["entry"]), *files]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p1.pddl").write_text(PROBLEM)
    (tmp_path / "notes.txt").write_text("not a game\n")
    return tmp_path


def test_what_is_right_may_be_committed(repository: Path) -> None:
    assert [commit(hook, repository)[0] for hook in HOOKS] == [0, 0, 0]
    (repository / "p1.pddl").write_text(f"{PROBLEM}; expect: cost 7\n")
    assert [commit(hook, repository)[0] for hook in HOOKS] == [0, 0, 0]


def test_files_are_laid_out_before_a_commit(repository: Path) -> None:
    laid_out = (repository / "domain.pddl").read_text()
    (repository / "domain.pddl").write_text(laid_out.replace("\n", "   \n", 3))
    assert commit("unpuzzle-format", repository)[0] == 0
    once = (repository / "domain.pddl").read_text()
    assert "   \n" not in once
    assert parse_domain(once) == parse_domain(laid_out)
    assert commit("unpuzzle-format", repository)[0] == 0
    assert (repository / "domain.pddl").read_text() == once


def test_faults_and_unmet_expectations_end_a_commit(repository: Path) -> None:
    (repository / "p1.pddl").write_text(f"{PROBLEM.replace('goat', 'gaot', 1)}; expect: cost 7\n")
    code, printed = commit("unpuzzle-lint", repository)
    assert (code, "gaot" in printed or "goat" in printed) == (1, True)
    code, printed = commit("unpuzzle-expectations", repository)
    assert (code, "p1.pddl:8: expected: cost 7" in printed) == (1, True)


@pytest.mark.parametrize(
    ("comments", "code"),
    [
        ([], 0),
        (["cost 7"], 0),
        (["cost 7", "cost 8"], 1),
        (["nonsense"], 3),
        (["cost 8", "nonsense"], 1),
        (["nonsense", "cost 8"], 1),
    ],
)
def test_exit_codes(comments: list[str], code: int, repository: Path) -> None:
    (repository / "p1.pddl").write_text(PROBLEM + "".join(f"; expect: {comment}\n" for comment in comments))
    assert main([str(repository / "domain.pddl"), str(repository / "p1.pddl")]) == code


@pytest.mark.parametrize("number", ["inf", "nan", "-1", "0", "many"])
def test_a_limit_is_a_number_above_0(river: Path, number: str) -> None:
    (river / "p1.pddl").write_text(f"{PROBLEM}; expect: solvable\n")
    (river / "pytest.ini").write_text(f"[pytest]\nunpuzzle_memory_limit = {number}\n")
    _, printed = run(river)
    assert f"unpuzzle_memory_limit must be a number above 0, not '{number}'" in printed
    assert "OverflowError" not in printed
