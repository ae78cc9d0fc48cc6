"""Planners by name: built in, offered by installed distributions, and those that games bring."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.hiding import forget
from unpuzzle import solve, translators
from unpuzzle.base.errors import UsageError
from unpuzzle.cli import main
from unpuzzle.planning import registry
from unpuzzle.puzzlescript.searching import planner as own
from unpuzzle.solving import default_planner
from unpuzzle.table import offers

HANOI = translators.find("hanoi").parse("A: 1\nB:\nC:")
SCRIPT = translators.find("storeroom")
LEVEL = SCRIPT.parse(SCRIPT.levels["1"])

WALKER = """
from unpuzzle.planning.planner import RULES, Planner, PlannerKind
from unpuzzle.base.outcomes import SOLVED
from unpuzzle.planning.planner import Result

class Walker(Planner):
    reads = (RULES,)
    def __init__(self, config=None):
        self.name = "walker" if config is None else f"walker:{config}"
    def solve(self, subject, options):
        return Result(SOLVED, self.name, moves=("AC",))

class WalkerKind(PlannerKind):
    name = "walker"
    configurations = "[:slow]"
    planner = Walker
"""


UNFINISHED = """
from unpuzzle.planning.planner import PlannerKind

class Unfinished(PlannerKind):
    name = "gone"
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a distribution that offers planners, with the modules that it needs."""

    def installed(*entries: str, **modules: str) -> None:
        info = tmp_path / "some_planners-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-planners\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[unpuzzle.planners]\n" + "\n".join(entries) + "\n")
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))

    yield installed
    forget(tmp_path)


def test_an_installed_planner_is_like_a_built_in_one(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("walker = installed_walker:WalkerKind", installed_walker=WALKER)
    assert registry.installed() == ("walker",)
    result = solve(HANOI, "walker:slow")
    assert (result.status, result.planner, result.cost, result.valid) == ("solved", "walker:slow", 1, True)
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["planners"]["walker"] == {"available": True, "message": ""}
    assert main(["list"]) == 0
    assert "  walker[:slow] " in capsys.readouterr().out


def test_a_kind_needs_nothing_but_its_name_and_its_planner(install: Callable[..., None]) -> None:
    """Register a kind without configurations."""
    bare = WALKER.replace('    configurations = "[:slow]"\n', "")
    install("bare = installed_bare:WalkerKind", installed_bare=bare)
    assert registry.missing("bare") is None
    assert registry.usage("bare") == "bare"
    assert solve(HANOI, "bare").solved


def test_a_built_in_planner_hides_an_installed_one(install: Callable[..., None]) -> None:
    install("native = module_that_is_gone", "twice = one", "twice = two")
    assert "native" not in registry.installed()
    assert registry.hidden() == {
        "native": "the entry point 'module_that_is_gone' is not used: native is a built-in planner",
        "twice": "of the entry points 'one' and 'two' only the last is used",
    }
    assert offers(registry.GROUP).keys() == {"native", "twice"}
    assert solve(HANOI, "native").solved


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("gone = module_that_is_gone", "cannot be loaded: ModuleNotFoundError"),
        ("gone = installed_other", "is not a subclass of PlannerKind"),
        ("gone = installed_other:Unfinished", "cannot be loaded: TypeError"),
    ],
)
def test_an_installed_planner_that_is_broken_is_told(
    entry: str, sentence: str, install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install(entry, installed_other=UNFINISHED)
    with pytest.raises(UsageError, match=sentence):
        registry.find("gone")
    assert main(["list", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)["planners"]["gone"]
    assert not answer["available"]
    assert sentence in answer["message"]


def test_an_unknown_planner_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown planner 'natve', did you mean 'native'"):
        registry.find("natve")


# ---- the planner that a game brings


def test_a_game_brings_its_own_planner() -> None:
    assert default_planner(LEVEL) == "puzzlescript"
    result = solve(LEVEL)
    assert (result.planner, result.status) == ("puzzlescript", "solved_optimally")
    with pytest.raises(UsageError, match="made for puzzlescript, not hanoi"):
        solve(HANOI, "puzzlescript:bfs")


@pytest.mark.parametrize("config", ["", ":bfs", ":gbfs", ":gbfs(goalcount)", ":wastar=2", ":idastar", ":distance"])
def test_it_stands_in_for_another_under_the_name_that_was_asked_for(config: str) -> None:
    result, by_rules = solve(LEVEL, f"native{config}"), solve(LEVEL, f"puzzlescript{config}")
    assert (result.planner, by_rules.planner) == (f"native{config}", f"puzzlescript{config}")
    assert (result.status, result.moves, result.expanded) == (by_rules.status, by_rules.moves, by_rules.expanded)
    assert result.plan is None


def test_it_does_not_stand_in_with_settings_that_the_other_does_not_have() -> None:
    with pytest.raises(UsageError, match="planner 'native:gbfs' has no setting 'ties'"):
        registry.find("native:gbfs", SCRIPT, ties="lifo")


@pytest.mark.parametrize("name", ["native:lmcut", "native:orbits", "native:lazywastar", "reference"])
def test_where_it_does_not_the_task_is_read(name: str) -> None:
    result = solve(LEVEL, name)
    assert (result.planner, result.solved) == (name, True)
    assert result.plan is not None


def test_where_it_is_missing_its_module_names_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "missing", lambda: "the core was not compiled")
    assert default_planner(LEVEL) == "rules:bfs"
    assert solve(LEVEL).planner == "rules:bfs"
    assert default_planner(HANOI) == "native"
