"""The 45 varied tasks of the international planning competitions: read, written, read again, linted."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from support.counting import calls
from support.data import IPC, needs_ipc
from unpuzzle.pddl import lint, parse_task, read, write

TASKS = sorted(path.parent for path in IPC.glob("*/*/domain.pddl"))
NAMES = [str(path.relative_to(IPC)) for path in TASKS]
QUICK = """
    blocks/probBLOCKS-4-0 miconic-fulladl/f1-0 psr-middle/p01-s17-n2-l2-f30 storage/p01 assembly/prob01
    """.split()

pytestmark = needs_ipc


def files(folder):
    return folder / "domain.pddl", folder / "problem.pddl"


def test_all_are_there():
    assert len(TASKS) == 45


@pytest.mark.parametrize("folder", TASKS, ids=NAMES)
def test_read_written_and_read_again(folder):
    task = read(*files(folder))
    texts = write(task)
    assert parse_task(*texts) == task
    assert write(parse_task(*texts)) == texts


@pytest.mark.parametrize("folder", TASKS, ids=NAMES)
def test_lint_finds_no_errors(folder):
    """The competition's tasks are right, if not always tidy."""
    domain, problem = (path.read_text() for path in files(folder))
    assert [str(fault) for fault in lint(domain, problem) if fault.severity == "error"] == []


@pytest.mark.parametrize("folder", TASKS, ids=NAMES)
def test_lint_is_content_with_what_we_write(folder):
    """What remains are the warnings about the model itself."""
    faults = lint(*write(read(*files(folder))))
    tidy = ("requirement", "initial value", "not declared", "is of the domain", "initial state")
    assert [str(fault) for fault in faults if any(word in fault.message for word in tidy)] == []


@pytest.mark.parametrize("folder", TASKS, ids=NAMES)
def test_reading_takes_a_few_calls_a_word(folder):
    words = sum(len(path.read_text().split()) for path in files(folder))
    read(*files(folder))  # loads what is loaded late
    assert calls(read, *files(folder)) < 30 * words


@pytest.mark.parametrize("name", QUICK)
def test_fast_downward_makes_the_same_of_what_we_write(name, tmp_path):
    found = importlib.util.find_spec("up_fast_downward")
    if found is None or found.origin is None:
        pytest.skip("up-fast-downward is not installed")
    driver = Path(found.origin).parent / "downward" / "fast-downward.py"
    for path, text in zip(files(tmp_path), write(read(*files(IPC / name))), strict=True):
        path.write_text(text)

    def figures(folder):
        command = [sys.executable, str(driver), "--translate", "--sas-file", "out.sas", *map(str, files(folder))]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
        lines = [line for line in done.stdout.split("\n") if line.startswith("Translator") and "memory" not in line]
        assert lines
        return lines

    assert figures(tmp_path) == figures(IPC / name)


@pytest.mark.parametrize("name", ["blocks/probBLOCKS-4-0", "termes-opt18-strips/p01", "woodworking-opt08-strips/p01"])
def test_other_readers_take_what_we_write(name, tmp_path):
    planning, tarski = pytest.importorskip("unified_planning.io"), pytest.importorskip("tarski.io")
    task = read(*files(IPC / name))
    for path, text in zip(files(tmp_path), write(task), strict=True):
        path.write_text(text)
    paths = [str(path) for path in files(tmp_path)]
    assert len(planning.PDDLReader().parse_problem(*paths).actions) == len(task.domain.actions)
    assert len(tarski.FstripsReader(raise_on_error=True).read_problem(*paths).actions) == len(task.domain.actions)
