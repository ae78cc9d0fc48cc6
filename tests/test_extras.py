"""What an install may have: the table of extras is that of the distribution, and each lack is told by one function."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from argparse import Namespace
from importlib.metadata import packages_distributions

import pytest

from support.hiding import hide
from support.modules import ROOT, product, tree
from unpuzzle import find, generate, solve
from unpuzzle.cli.services import lsp, mcp
from unpuzzle.components.endpoint import Endpoint
from unpuzzle.errors import DependencyMissing
from unpuzzle.exchange import to_tarski
from unpuzzle.extras import EXTRAS, is_installed, missing, require
from unpuzzle.lab import plotting
from unpuzzle.lab.reporting import report
from unpuzzle.lab.runs import Run, Runs
from unpuzzle.rendering.booklet import booklet
from unpuzzle.rendering.report import report_page
from unpuzzle.rendering.saving import KINDS
from unpuzzle.rendering.scenes import Scene
from unpuzzle.studio.server import Studio
from unpuzzle.watching.saves import Saves

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


def test_no_other_place_writes_the_command() -> None:
    writing = set()
    for path in product().values():
        texts = [node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)]
        if any(isinstance(text, str) and "unpuzzle[" in text and "\n" not in text for text in texts):
            writing.add(path.relative_to(ROOT).as_posix())
    assert writing == {"src/unpuzzle/extras.py"}


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
    rows = (ROOT / "docs/extras.md").read_text().splitlines()
    [row] = [row for row in rows if row.startswith(f"| `{name}` |")]
    assert EXTRAS[name].gives.partition(",")[0] in row
    assert f"`{EXTRAS[name].command()}`" in row


def level(game: str, name: str):
    found = find(game)
    return found.parse(found.levels[name])


CALLS = {
    "plots": lambda: plotting.plot([], "a plot"),
    "pandas": lambda: Runs([Run("key", "d", "p", "native", "native", "solved", cost=1)]).to_pandas(),
    "report": lambda: report_page(report([Run("key", "d", "p", "native", "native", "solved", cost=1)])),
    "pictures": lambda: booklet([], "a booklet"),
    "sat": lambda: solve(level("lights-out", "3x3"), "cp-sat"),
    "exchange": lambda: to_tarski(level("boxup", "1").task()),
    "llm": lambda: Endpoint("http://localhost/v1", "model"),
    "distributed": lambda: generate(find("boxup"), count=1, scheduler="tcp://127.0.0.1:9"),
    "studio": lambda: Studio("."),
    "words": lambda: solve(level("crossword-clues", "mini-1"), "clues"),
    "mcp": lambda: mcp.execute(Namespace(tools=True)),
    "watch": lambda: Saves([], bool),
    "lsp": lambda: lsp.execute(Namespace(settings=None, json=False)),
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
