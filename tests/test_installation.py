"""What is installed: each part has a status that was looked at, and each lack the command that ends it."""

from __future__ import annotations

import pickle
import sys
import tomllib

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from support.hiding import hide
from support.modules import ROOT
from unpuzzle import installation
from unpuzzle.errors import PlannerFailed
from unpuzzle.extras import EXTRAS
from unpuzzle.installation import TrialRun, examine, has_driver_wheels
from unpuzzle.limits import Limits
from unpuzzle.planning import registry
from unpuzzle.result import Result

NEEDED = [Requirement(line) for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]]


def part(name: str, found: installation.Installation | None = None) -> installation.Part:
    return next(part for part in (found or examine()).parts if part.name == name)


@pytest.mark.skipif(registry.missing("native") is not None, reason="the core was not compiled")
def test_a_whole_installation_is_healthy() -> None:
    found = examine()
    assert (found.healthy, found.trial.agree) == (True, True)
    assert {part.status for part in found.of("base")} == {"works"}
    assert {run.cost for run in found.trial.runs} == {24}
    assert {"native", "reference"} <= {run.planner for run in found.trial.runs}
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.to_dict()["schema"] == "unpuzzle/doctor/1"


def test_the_base_is_what_the_distribution_needs() -> None:
    libraries = {distribution for _, distribution, _ in installation.LIBRARIES}
    assert libraries | {"up-fast-downward"} == {requirement.name for requirement in NEEDED}


@pytest.mark.parametrize(
    ("system", "machine"), [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("win32", "AMD64")]
)
def test_fast_downward_is_of_the_base_where_the_distribution_says_so(system: str, machine: str) -> None:
    marker = next(requirement.marker for requirement in NEEDED if requirement.name == "up-fast-downward")
    assert marker is not None
    here = default_environment() | {"sys_platform": system, "platform_machine": machine}
    assert has_driver_wheels(system, machine) == marker.evaluate(here)


@pytest.mark.parametrize("module", [module for module, _, _ in installation.LIBRARIES])
def test_a_library_of_the_base_that_is_missing(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = module.replace("_", "-")
    hide(monkeypatch, module)
    found = examine()
    assert found.healthy is False
    assert (part(name, found).status, part(name, found).command) == ("missing", f"pip install {name}")


def test_a_library_that_cannot_be_imported_is_broken(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "networkx.py").write_text("raise RuntimeError('half\\nof it is gone')")
    monkeypatch.delitem(sys.modules, "networkx", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    broken = part("networkx")
    assert (broken.status, broken.message) == ("broken", "RuntimeError: half of it is gone")
    assert broken.command == "pip install --force-reinstall networkx"


def test_without_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "unpuzzle.planners.native._core")
    monkeypatch.setattr(registry, "missing", lambda name: "gone" if name == "native" else None)
    found = examine()
    assert (found.healthy, part("core", found).status) == (False, "missing")
    assert "pip install" in str(part("core", found).command)
    assert "native" not in {run.planner for run in found.trial.runs}


def test_without_fast_downward(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.external.fast_downward.find_spec", lambda name: None)
    monkeypatch.setattr(installation, "has_driver_wheels", lambda *_: False)
    found = examine()
    assert found.healthy is (registry.missing("native") is None)
    assert (part("Fast Downward", found).kind, part("Fast Downward", found).status) == ("other", "missing")
    monkeypatch.setattr(installation, "has_driver_wheels", lambda *_: True)
    assert examine().healthy is False


@pytest.mark.parametrize("name", EXTRAS)
def test_an_extra_that_is_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = [module for module, _ in EXTRAS[name].libraries]
    hide(monkeypatch, *modules[:1])
    extra = part(name)
    assert (extra.status, extra.command) == ("missing", f"pip install 'unpuzzle[{name}]'")
    assert (EXTRAS[name].libraries[0][1] in extra.message) == (len(modules) > 1)


@pytest.mark.parametrize(
    ("manager", "package", "command"),
    [
        ("apt-get", "g++", "sudo apt-get install g++"),
        ("dnf", "g++", "sudo dnf install gcc-c++"),
        ("apk", "bubblewrap", "sudo apk add bubblewrap"),
        (None, "g++", None),
    ],
)
def test_a_program_comes_by_the_manager_that_is_here(
    manager: str | None, package: str, command: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "which", lambda name: f"/bin/{name}" if name == manager else None)
    monkeypatch.setattr(sys, "platform", "linux")
    name = "C++ compiler" if package == "g++" else "Bubblewrap"
    others = {part.name: part for part in installation._others()}
    assert (others[name].status, others[name].command) == ("missing", command)


def test_a_compiler_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "which", lambda name: None)
    monkeypatch.setattr(sys, "platform", "darwin")
    others = {part.name: part for part in installation._others()}
    assert others["C++ compiler"].command == "xcode-select --install"
    assert "Bubblewrap" not in others


@pytest.mark.parametrize(
    ("runs", "agree"),
    [
        ([("native", "solved_optimally", 5), ("reference", "solved_optimally", 5)], True),
        ([("native", "solved_optimally", 5), ("reference", "solved_optimally", 6)], False),
        ([("native", "solved_optimally", 5), ("reference", "timeout", None)], None),
        ([("native", "solved", 5), ("reference", "timeout", None)], False),
        ([("native", "error", None), ("reference", "solved_optimally", 5)], False),
        ([("native", "solved_optimally", 5)], None),
        ([], None),
    ],
)
def test_planners_agree_where_all_found_the_same_cost(
    runs: list[tuple[str, str, int | None]], agree: bool | None
) -> None:
    assert installation._agreement(tuple(TrialRun(*run) for run in runs)) is agree


def test_planners_that_differ_make_it_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = iter(range(5, 9))
    monkeypatch.setattr(
        installation, "solve", lambda *_, **__: Result("solved_optimally", "p", cost=next(costs), valid=True)
    )
    found = examine()
    assert (found.healthy, found.trial.agree) == (False, False)


def test_a_planner_that_raises_makes_it_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_, **__):
        raise PlannerFailed("it\nbroke", planner="p")

    monkeypatch.setattr(installation, "solve", broken)
    found = examine()
    assert found.healthy is False
    assert {run.message for run in found.trial.runs} == {"it broke"}
    assert part("Fast Downward").status == "broken"


def test_a_trial_that_did_not_end_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "solve", lambda *_, **__: Result("timeout", "p", message="late"))
    assert examine(limits=Limits(time=0.001)).healthy is (None if registry.missing("native") is None else False)


def test_planners_that_are_missing_are_told_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    reasons = {"mace4": "no program", "clues": "no words; get them with: pip install words"}
    monkeypatch.setattr(registry, "missing", reasons.get)
    others = {part.name: part for part in installation._others()}
    assert (others["planner mace4"].message, others["planner mace4"].command) == ("no program", None)
    assert (others["planner clues"].message, others["planner clues"].command) == ("no words", "pip install words")
    assert "planner native" not in others
