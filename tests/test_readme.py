"""The README is short and leads on: to commands, tutorials and pages that are there. (`docs/test_examples.py` runs it.)

What it only names is told on pages, for which `docs/test_reference.py` asks for every command, planner and exit code.
"""

import doctest
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

import unpuzzle
from support.modules import ROOT
from unpuzzle.base import outcomes as exits
from unpuzzle.cli import COMMANDS

README = (ROOT / "README.md").read_text()
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def section(text: str, heading: str) -> str:
    """Return the text below a heading, up to the next one of its rank."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def groups() -> dict[str, list[str]]:
    """Return the commands of the README's table, by group."""
    rows = re.findall(r"^\| (solve|understand|make|text|measure|more) \| (.*) \|$", README, re.MULTILINE)
    return {group: re.findall(r"`([\w-]+)`", commands) for group, commands in rows}


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 180


def test_its_six_groups_have_every_command_once() -> None:
    listed = [command for commands in groups().values() for command in commands]
    assert len(groups()) == 6
    assert len(listed) == len(set(listed))
    assert set(listed) == set(COMMANDS)


def test_the_page_about_commands_has_the_same_groups() -> None:
    page = section((ROOT / "docs" / "howto" / "connect" / "command-line.md").read_text(), "All commands")
    parts = re.findall(r"^\*\*(\w+)\*\*\n(.*?)(?=^\*\*|\Z)", page, re.DOTALL | re.MULTILINE)
    found = {title.lower(): set(re.findall(r"^\|.*?`unpuzzle ([\w-]+)", rows, re.MULTILINE)) for title, rows in parts}
    found["more"] |= set(re.findall(r"`unpuzzle (version)`", page))
    assert found == {group: set(commands) for group, commands in groups().items()}


def test_every_exit_code_is_there() -> None:
    for code in sorted(set(exits.OF_STATUS.values()) | {exits.BAD_INPUT}):
        assert f"| {code} |" in README


def test_it_leads_to_every_tutorial_and_to_files_that_are_there() -> None:
    linked = set(re.findall(r"\]\[([\w/.-]+)\]", README))
    assert linked >= {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "tutorials").glob("*.md")}
    assert not [path for path in linked if not (ROOT / path).is_file()]
    assert linked == set(re.findall(r"^\[(.+)\]: ", README, re.MULTILINE))
    anchors = {
        re.sub(r"\W+", "-", title.lower()).strip("-") for title in re.findall(r"^## (.+)$", README, re.MULTILINE)
    }
    assert not [link for link in re.findall(r"\]\((.+?)\)", README) if link.removeprefix("#") not in anchors]


def test_each_of_seven_readers_has_a_command_and_a_page() -> None:
    rows = re.findall(
        r"^\| (?!you have|---)(.+) \| (.+) \| (.+) \|$", section(README, "Where do you start?"), re.MULTILINE
    )
    assert len(rows) == 7
    assert all("](" in command or "`unpuzzle " in command for _, command, _ in rows)
    assert all("][docs/" in page for _, _, page in rows)


def test_shell_words_are_plain() -> None:
    for session in SESSIONS:
        for line in session.splitlines():
            if line.startswith("$ "):
                assert shlex.split(line[2:])


# ---- The face: its docstring is true, and every name that it offers is there


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
HISTORY = {"CHANGELOG.md", "docs/project/history.md"}
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
