"""The face: its docstring is true, and every name that it offers is there."""

from __future__ import annotations

import doctest
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import unpuzzle
from support.modules import ROOT


def test_the_docstring_of_the_package_is_true():
    result = doctest.testmod(unpuzzle, optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 5
    assert result.failed == 0


@pytest.mark.parametrize("name", unpuzzle.__all__)
def test_every_name_is_there(name):
    assert getattr(unpuzzle, name) is not None
    assert name in dir(unpuzzle)


def test_the_docstring_names_what_is_offered():
    offered = re.findall(r"^    (\w+)\(", unpuzzle.__doc__, re.MULTILINE)
    assert len(offered) > 10
    assert set(offered) <= set(unpuzzle.__all__)


def test_an_unknown_name_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'solev'"):
        _ = unpuzzle.solev


# ---- The version is told once: in one module, from which the build, the command line and the docs take it


TELLS = "src/unpuzzle/version.py"
HISTORY = {"CHANGELOG.md", "docs/history.md"}
"""Files that name versions of the past, of which the newest is this one."""
KINDS = (".py", ".md", ".toml", ".yml", ".cff", ".txt", ".in", "")


def test_the_build_takes_it_from_the_module() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in settings["project"]["dynamic"]
    assert settings["tool"]["scikit-build"]["metadata"]["version"]["input"] == TELLS


def test_the_build_reads_this_version(monkeypatch: pytest.MonkeyPatch) -> None:
    regex = pytest.importorskip("scikit_build_core.metadata.regex")
    monkeypatch.chdir(ROOT)
    assert regex.dynamic_metadata("version", {"input": TELLS}) == unpuzzle.__version__


def test_no_other_file_tells_it() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no clone")
    version = re.escape(unpuzzle.__version__)
    word = re.compile(rf"(unpuzzle|version)[\W_]{{1,9}}{version}")
    paths = [ROOT / name for name in listed.stdout.split("\n") if Path(name).suffix in KINDS]
    telling = {path for path in paths if path.is_file() and word.search(path.read_text(errors="replace"))}
    assert {path.relative_to(ROOT).as_posix() for path in telling} - HISTORY == {TELLS}
