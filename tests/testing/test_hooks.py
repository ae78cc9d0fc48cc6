"""The hooks for pre-commit, run as it runs them: on the files that are committed and match."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from support.modules import ROOT
from unpuzzle.pddl import parse_domain
from unpuzzle.testing.__main__ import main

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
DOMAIN = (ROOT / "docs/files/river/domain.pddl").read_text()
PROBLEM = (ROOT / "docs/files/river/p1.pddl").read_text()


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
def river(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p1.pddl").write_text(PROBLEM)
    (tmp_path / "notes.txt").write_text("not a game\n")
    return tmp_path


def test_what_is_right_may_be_committed(river: Path) -> None:
    assert [commit(hook, river)[0] for hook in HOOKS] == [0, 0, 0]
    (river / "p1.pddl").write_text(f"{PROBLEM}; expect: cost 7\n")
    assert [commit(hook, river)[0] for hook in HOOKS] == [0, 0, 0]


def test_files_are_laid_out_before_a_commit(river: Path) -> None:
    laid_out = (river / "domain.pddl").read_text()
    (river / "domain.pddl").write_text(laid_out.replace("\n", "   \n", 3))
    assert commit("unpuzzle-format", river)[0] == 0
    once = (river / "domain.pddl").read_text()
    assert "   \n" not in once
    assert parse_domain(once) == parse_domain(laid_out)
    assert commit("unpuzzle-format", river)[0] == 0
    assert (river / "domain.pddl").read_text() == once


def test_faults_and_unmet_expectations_end_a_commit(river: Path) -> None:
    (river / "p1.pddl").write_text(f"{PROBLEM.replace('goat', 'gaot', 1)}; expect: cost 7\n")
    code, printed = commit("unpuzzle-lint", river)
    assert (code, "gaot" in printed or "goat" in printed) == (1, True)
    code, printed = commit("unpuzzle-expectations", river)
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
def test_exit_codes(comments: list[str], code: int, river: Path) -> None:
    (river / "p1.pddl").write_text(PROBLEM + "".join(f"; expect: {comment}\n" for comment in comments))
    assert main([str(river / "domain.pddl"), str(river / "p1.pddl")]) == code
