"""What is installed: each part has a status that was looked at, and each lack the command that ends it."""

import ast
import pickle
import re
import subprocess
import sys
import tomllib
from argparse import Namespace
from importlib.metadata import packages_distributions

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from support.hiding import hide
from support.modules import ROOT, product, tree
from unpuzzle import find, generate, installation, solve
from unpuzzle.base.availability import EXTRAS, is_installed, missing, require
from unpuzzle.base.errors import DependencyMissing, PlannerFailed
from unpuzzle.base.run import Limits
from unpuzzle.cli.commands import editors_and_agents
from unpuzzle.experiments.reporting import report
from unpuzzle.experiments.runs import ExperimentRun, Runs
from unpuzzle.installation import TrialRun, examine, has_driver_wheels
from unpuzzle.interop import to_tarski
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result
from unpuzzle.rendering import report_figures
from unpuzzle.rendering.paper import booklet
from unpuzzle.rendering.reports import report_page
from unpuzzle.rendering.saving import KINDS
from unpuzzle.rendering.scenes import Scene
from unpuzzle.servers.studio.server import Studio
from unpuzzle.servers.watch import Saves
from unpuzzle.untrusted.repairing import Endpoint

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


# ---- What an install may have: the table of extras is that of the distribution, and each lack is told by one function


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FOR_TESTS_OF_USERS = {"pytest", "hypothesis"}
"""What `unpuzzle.testing` needs, and whoever writes tests has."""


def _names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


@pytest.mark.parametrize("name", EXTRAS)
def test_an_extra_has_the_libraries_of_the_distribution(name: str) -> None:
    named = {distribution.lower() for _, distribution in EXTRAS[name].libraries}
    assert named == _names(PROJECT["optional-dependencies"][name])


def test_all_has_every_extra() -> None:
    [everything] = PROJECT["optional-dependencies"]["all"]
    assert set(re.findall(r"\w+", everything)) - {"unpuzzle"} == set(EXTRAS)


def test_old_names_of_extras_install_what_they_are_part_of_now() -> None:
    optional = PROJECT["optional-dependencies"]
    old = {
        "report": ["unpuzzle[plots]"],
        "pandas": ["unpuzzle[plots]"],
        "watch": ["unpuzzle[studio]"],
        "completion": [],
    }
    assert {name: optional[name] for name in old} == old
    assert "argcomplete" in _names(PROJECT["dependencies"])
    assert len(EXTRAS) == 10
    assert optional.keys() == EXTRAS.keys() | old.keys() | {"all", "test", "docs", "dev"}


def _third_party(path) -> set[str]:
    """Return the modules of the top level that a file imports and that are neither ours nor Python's."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module).partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"unpuzzle", "annotationlib"}  # which is of Python 3.14


def test_every_library_that_is_imported_is_of_the_base_or_of_an_extra() -> None:
    homes = packages_distributions()
    imported = set().union(*map(_third_party, product().values()))
    assert {"networkx", "matplotlib"} <= imported
    named = _names(PROJECT["dependencies"]) | FOR_TESTS_OF_USERS
    named |= {distribution.lower() for extra in EXTRAS.values() for _, distribution in extra.libraries}
    of = {name: {home.lower().replace("_", "-") for home in homes.get(name, [name])} for name in imported}
    assert not {name for name, distributions in of.items() if not distributions & named}


HELP_OF_ALL = """
import sys
from importlib.abc import MetaPathFinder

class Hidden(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
from unpuzzle.cli import COMMANDS, main
print([name for name in COMMANDS if main([name, "--help"]) != 0], file=sys.stderr)
"""


def test_every_command_has_its_help_without_any_extra() -> None:
    hidden = {library for extra in EXTRAS.values() for library, _ in extra.libraries}
    words = [sys.executable, "-c", HELP_OF_ALL.format(hidden=hidden)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_no_other_place_writes_the_command() -> None:
    writing = set()
    for path in product().values():
        texts = [node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)]
        if any(isinstance(text, str) and "unpuzzle[" in text and "\n" not in text for text in texts):
            writing.add(path.relative_to(ROOT).as_posix())
    assert writing == {"src/unpuzzle/base/availability.py"}


@pytest.mark.parametrize("name", EXTRAS)
def test_what_is_missing_is_told_with_the_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, distribution = EXTRAS[name].libraries[0]
    hide(monkeypatch, module)
    assert not is_installed(module)
    assert missing(name, "this needs", module) == f"this needs {distribution}: pip install 'unpuzzle[{name}]'"
    with pytest.raises(DependencyMissing, match=distribution) as caught:
        require(name, "this needs", module)
    assert caught.value.dependency == distribution


def test_several_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "PIL", "resvg_py")
    assert missing("pictures", "these need", "resvg_py", "PIL") == (
        "these need resvg-py and Pillow: pip install 'unpuzzle[pictures]'"
    )


def test_what_is_there_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["pytest"]
    monkeypatch.setitem(sys.modules, "matplotlib", module)
    assert missing("plots", "plots need") is None
    require("plots", "plots need")


@pytest.mark.parametrize("name", EXTRAS)
def test_the_docs_tell_each_extra(name: str) -> None:
    rows = (ROOT / "docs/start/extras.md").read_text().splitlines()
    [row] = [row for row in rows if row.startswith(f"| `{name}` |")]
    assert EXTRAS[name].gives.partition(",")[0] in row
    assert f"`{EXTRAS[name].command()}`" in row


def level(game: str, name: str):
    found = find(game)
    return found.parse(found.levels[name])


CALLS = {
    "plots": lambda: report_figures.plot([], "a plot"),
    "pandas": lambda: Runs([ExperimentRun("key", "d", "p", "native", "native", "solved", cost=1)]).to_pandas(),
    "report": lambda: report_page(report([ExperimentRun("key", "d", "p", "native", "native", "solved", cost=1)])),
    "pictures": lambda: booklet([], "a booklet"),
    "sat": lambda: solve(level("lights-out", "3x3"), "cp-sat"),
    "exchange": lambda: to_tarski(level("boxup", "1").task()),
    "llm": lambda: Endpoint("http://localhost/v1", "model"),
    "distributed": lambda: generate(find("boxup"), count=1, scheduler="tcp://127.0.0.1:9"),
    "studio": lambda: Studio("."),
    "words": lambda: solve(level("crossword-clues", "mini-1"), "clues"),
    "mcp": lambda: editors_and_agents.read_mcp(Namespace(tools=True)),
    "watch": lambda: Saves([], bool),
    "lsp": lambda: editors_and_agents.read_lsp(Namespace(settings=None, json=False)),
}


@pytest.mark.parametrize("name", EXTRAS)
def test_whatever_needs_an_extra_says_which(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, *dict(EXTRAS[name].libraries))
    with pytest.raises(DependencyMissing) as caught:
        CALLS[name]()
    assert str(caught.value).partition(" (")[0].endswith(EXTRAS[name].command())


@pytest.mark.parametrize("kind", ["png", "gif", "apng", "webp", "pdf"])
def test_pictures_in_memory_need_the_extra_as_those_in_files_do(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, *dict(EXTRAS["pictures"].libraries))
    scene = Scene.of(level("boxup", "1"), "UL")
    with pytest.raises(DependencyMissing, match=re.escape(EXTRAS["pictures"].command())):
        KINDS[f".{kind}"].make(scene)
