"""The child process in which an engine of unified-planning runs: what is made of its answers, and how it ends."""

import json
import os
import subprocess
import sys

import pytest

from support.roads import COSTS, UNIT, run
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import (
    ERROR,
    GAVE_UP,
    MEMOUT,
    SOLVED,
    SOLVED_OPTIMALLY,
    STATUSES,
    TIMEOUT,
    UNSOLVABLE,
    UNSUPPORTED,
)
from unpuzzle.planners.external import up
from unpuzzle.planning import registry


@pytest.fixture
def child(monkeypatch, tmp_path):
    """Has the family run this module instead of its own."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(text):
        (tmp_path / "our_child.py").write_text(f"import json, os, sys, time\ndef main(): pass\n{text}")
        monkeypatch.setattr(up, "_CHILD", "our_child")
        monkeypatch.setattr(up, "_is_installed", lambda module: True)

    return install


def answers(**fields):
    return f"open('answer.json', 'w').write({json.dumps(fields)!r})\n"


def test_time_limit_ends_a_hanging_child_and_its_children(child, time_is_up_when, tmp_path):
    said = tmp_path / "said"
    child(
        "import subprocess\nsubprocess.Popen(['sleep', '1000'])\nprint('so far', flush=True)\n"
        f"open({str(said)!r}, 'w').close()\ntime.sleep(1000)\n"
    )
    result = run("symk", UNIT, time_is_up_when(said.exists))
    assert (result.status, result.message, result.log) == (TIMEOUT, "up:symk reached its time limit", "so far\n")


STEPS = [["go", "a", "d"]]
OUTCOMES = [
    ("SOLVED_OPTIMALLY", STEPS, SOLVED_OPTIMALLY),
    ("SOLVED_SATISFICING", STEPS, SOLVED),
    ("INTERMEDIATE", STEPS, SOLVED),
    ("TIMEOUT", STEPS, SOLVED),
    ("SOLVED_OPTIMALLY", None, ERROR),
    ("SOLVED_OPTIMALLY", [["go", "a", "b"]], ERROR),
    ("SOLVED_OPTIMALLY", [["jump", "a", "b"]], ERROR),
    ("UNSOLVABLE_PROVEN", None, UNSOLVABLE),
    ("UNSOLVABLE_INCOMPLETELY", None, GAVE_UP),
    ("TIMEOUT", None, TIMEOUT),
    ("MEMOUT", None, MEMOUT),
    ("UNSUPPORTED_PROBLEM", None, UNSUPPORTED),
    ("INTERNAL_ERROR", None, ERROR),
]


@pytest.mark.parametrize(("said", "plan", "status"), OUTCOMES)
def test_statuses(child, said, plan, status):
    child(answers(status=said, plan=plan, engine="Pyperplan"))
    result = run("symk", UNIT)
    assert result.status == status
    assert (result.plan is None) == (status not in (SOLVED, SOLVED_OPTIMALLY))
    assert bool(result.message) == (not result.solved or said == "TIMEOUT")


def test_every_status_of_unified_planning_has_a_meaning():
    from unified_planning.engines import PlanGenerationResultStatus

    assert set(up.STATUSES) == {status.name for status in PlanGenerationResultStatus}
    assert {status for status, _ in up.STATUSES.values()} <= set(STATUSES)


def test_a_broken_program_has_proved_nothing(child):
    child(answers(status="UNSOLVABLE_PROVEN", plan=None, complaint="Traceback\nValueError: oh") + "sys.exit(3)\n")
    result = run("symk", UNIT)
    assert result.status == ERROR
    assert "ValueError: oh" in result.message
    child(answers(status="UNSOLVABLE_PROVEN", plan=None, complaint="x") + "print('MemoryError')\nsys.exit(3)\n")
    assert run("symk", UNIT).status == MEMOUT


def test_a_child_that_breaks(child):
    child("print('before')\nraise ValueError('broken')\n")
    result = run("symk", UNIT)
    assert result.status == ERROR
    assert result.message == "up:symk ended with exit code 1: ValueError: broken"
    assert "before" in result.log
    child("raise MemoryError\n")
    assert run("symk", UNIT).status == MEMOUT


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's limit of an address space")
@pytest.mark.parametrize(("megabytes", "noted"), [(60, True), (2000, False)])
def test_libraries_that_cannot_be_loaded_for_lack_of_memory(megabytes, noted, tmp_path):
    """Whatever their errors are: `hashlib` without its libraries is an ImportError that names no memory."""
    (tmp_path / "task.pickle").touch()
    start = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({megabytes << 20},) * 2)\n"
        "sys.modules['unified_planning'] = None; sys.argv[1:] = ['']\n"
        f"from {up._CHILD.rpartition('.')[0]} import up_child; up_child.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", start], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "out of memory" in done.stderr) == (1, noted), done.stderr


def test_a_plan_without_the_metric_is_not_optimal(child):
    child(answers(status="SOLVED_OPTIMALLY", plan=STEPS, metric_ignored=True))
    result = run("symk", COSTS)
    assert (result.status, result.cost) == (SOLVED, 10)
    assert "did not minimize" in result.message


def test_engines_that_only_the_child_knows(child):
    child(answers(engines=["mine", "symk"], status="SOLVED_SATISFICING", plan=STEPS))
    assert run("mine", UNIT).status == SOLVED
    with pytest.raises(UsageError, match="did you mean 'mine'"):
        registry.find("up:minee")


def test_the_child_sees_neither_our_folder_nor_our_variables(child, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    child("print(json.dumps([sys.path, sorted(os.environ)]))\n" + answers(status="TIMEOUT", plan=None))
    path, variables = json.loads(run("symk", UNIT).log)
    assert "/nowhere" not in path
    assert os.path.dirname(up.__file__) not in path
    assert not [name for name in variables if name.startswith("PYTHON")]


# --- a package that takes long to load -----------------------------------------------------------------------------

START = """
import sys
from unpuzzle.planners.external.up_child import ConfigSpaceLater
sys.modules["ConfigSpace"] = ConfigSpaceLater()
from unified_planning.engines import Engine
from unified_planning.shortcuts import get_environment
get_environment().factory  # which looks through all modules
assert "scipy.stats" not in sys.modules and "ConfigSpace.api" not in sys.modules
"""


@pytest.mark.parametrize(
    "use",
    [
        "assert len(Engine.get_configuration_space()) == 0",
        "import ConfigSpace.hyperparameters; assert ConfigSpace.Float('x', (0, 1)).upper == 1",
    ],
)
def test_the_package_for_settings_is_loaded_where_it_is_used(use):
    pytest.importorskip("unified_planning")
    subprocess.run([sys.executable, "-c", START + use], check=True)
