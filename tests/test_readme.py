"""The README is short and leads on: to commands, tutorials and pages that are there. (`docs/test_examples.py` runs it.)

What it only names is told on pages, for which `docs/test_reference.py` asks for every command, planner and exit code.
"""

from __future__ import annotations

import re
import shlex

from support.modules import ROOT
from unpuzzle.cli import COMMANDS
from unpuzzle.cli import answer as exits

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
    page = section((ROOT / "docs" / "howto" / "command-line.md").read_text(), "Which command does it?")
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
