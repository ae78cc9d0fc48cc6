"""The changelog has the form of keepachangelog.com, and its newest version is this one."""

import re
import shutil
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml
from packaging.version import Version

import unpuzzle
from support.modules import ROOT

KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSION = re.compile(r"## \[(Unreleased|[^\]]+)\](?: - (\d{4}-\d\d-\d\d))?")


def faults(text: str) -> list[str]:
    """Return what is wrong with the form of a changelog."""
    wrong, versions, kinds = [], list[str](), list[str]()
    filled = True
    for line in text.splitlines():
        if not line.startswith(("## ", "### ")):
            filled = filled or bool(line.strip())
            continue
        if not filled:
            wrong.append(f"nothing stands above: {line}")
        if line.startswith("### "):
            filled = False
            kinds.append(line[4:])
            if kinds != [kind for kind in KINDS if kind in kinds]:
                wrong.append(f"a kind that is unknown, or not in its order: {line}")
        elif match := VERSION.fullmatch(line):
            versions.append(match[1])
            kinds = []
            if (match[2] is None) != (match[1] == "Unreleased"):
                wrong.append(f"versions have a date, and what is unreleased has none: {line}")
            elif match[2] and date.fromisoformat(match[2]) < date(2026, 1, 1):
                wrong.append(f"a date before the project began: {line}")
        else:
            wrong.append(f"no version: {line}")
    if versions[:1] != ["Unreleased"]:
        wrong.append("Unreleased comes first")
    released = [Version(version) for version in versions[1:]]
    if released != sorted(set(released), reverse=True):
        wrong.append("the newest version comes first")
    return wrong


CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
HISTORY = (ROOT / "docs" / "project" / "history.md").read_text()
GOOD = "# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-12-24\n### Added\n- a\n### Fixed\n- b\n"


def test_the_changelog_has_its_form() -> None:
    assert not faults(CHANGELOG)


def long_sections(text: str) -> list[str]:
    """Return the versions after 1.0 with more than 15 changes, or with a change that takes more than a line."""
    sections = dict(re.findall(r"^## \[(.+?)\](.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE))
    first = {"Unreleased"} if "1.0.0" not in sections else set()
    later = [version for version in sections if version not in first and not version.startswith(("0.", "1.0."))]
    return [
        version
        for version in later
        if len(re.findall(r"^- ", sections[version], re.MULTILINE)) > 15
        or re.search(r"^- .*\n ", sections[version], re.M)
    ]


def test_the_changelog_is_short() -> None:
    """What came before 1.0 is on a page of its own."""
    assert len(CHANGELOG.splitlines()) <= 120
    assert "(docs/project/history.md)" in CHANGELOG
    assert not long_sections(CHANGELOG)


@pytest.mark.parametrize(
    ("changes", "long"), [(15 * "- a\n", []), (16 * "- a\n", ["1.1.0"]), ("- a\n  b\n", ["1.1.0"])]
)
def test_a_version_that_says_too_much_is_seen(changes: str, long: list[str]) -> None:
    text = f"## [Unreleased]\n\n## [1.1.0] - 2027-01-01\n### Fixed\n{changes}\n{GOOD.partition('[Unreleased]')[2]}"
    assert long_sections(text) == long


def test_the_newest_version_is_this_one() -> None:
    newest = next(match for match in VERSION.finditer(CHANGELOG) if match[1] != "Unreleased")
    assert newest[1] == unpuzzle.__version__


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## [Unreleased]\n", ""),
        (" - 2026-12-24", ""),
        ("[Unreleased]", "[Unreleased] - 2026-12-24"),
        ("### Added", "### New"),
        ("### Fixed", "### Added"),
        ("### Added\n- a\n### Fixed\n- b", "### Fixed\n- b\n### Added\n- a"),
        ("- a\n", ""),
        ("## [1.0.0]", "## [0.9.0] - 2026-11-11\n\n## [1.0.0]"),
        ("## [1.0.0] - 2026-12-24", "## 1.0.0"),
    ],
)
def test_another_form_is_seen(old: str, new: str) -> None:
    assert not faults(GOOD)
    assert old in GOOD
    assert faults(GOOD.replace(old, new))


def test_renamed_names_stand_in_a_table_of_two_columns() -> None:
    _, _, rest = HISTORY.partition("#### Renamed names\n")
    rows = [line for line in re.split(r"\n#+ ", rest)[0].splitlines() if line.startswith("|")]
    assert rows[:2] == ["| old | new |", "|---|---|"]
    assert len(rows) > 150
    for row in rows:
        cells = re.split(r"(?<!\\)\|", row)
        assert [bool(cell.strip()) for cell in cells] == [False, True, True, False], row


# ---- Addresses come from contact.toml alone, and are left out while there are none


FULL = """
homepage = "https://example.org/unpuzzle/"
documentation = "https://example.org/docs"
repository = "https://example.org/code"
issues = "https://example.org/issues"
email = "team@example.org"
security = "safe@example.org"
"""


@pytest.fixture
def contact(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts" / "releasing")
    import contact

    return contact


@pytest.fixture
def clone(contact, tmp_path: Path) -> Path:
    for name in (*contact.BLOCKS, "contact.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_file_is_up_to_date(contact) -> None:
    assert not contact.stale(ROOT)


def test_addresses_are_written_where_they_are_needed(contact, clone: Path, capsys) -> None:
    (clone / "contact.toml").write_text(FULL)
    assert contact.main(["--check"], clone) == 1
    assert contact.stale(clone)
    assert contact.main([], clone) == 0
    assert set(capsys.readouterr().out.split()) == set(contact.BLOCKS)
    assert contact.main(["--check"], clone) == 0
    project = tomllib.loads((clone / "pyproject.toml").read_text())["project"]
    assert project["authors"] == [{"name": "unpuzzle developers", "email": "team@example.org"}]
    assert project["urls"]["Homepage"] == "https://example.org/unpuzzle"
    assert project["urls"]["Changelog"] == "https://example.org/code/blob/main/CHANGELOG.md"
    assert project["scripts"]["unpuzzle"]
    assert yaml.safe_load((clone / "CITATION.cff").read_text())["repository-code"] == "https://example.org/code"
    forms = yaml.safe_load((clone / ".github/ISSUE_TEMPLATE/config.yml").read_text())
    assert forms["contact_links"][0]["url"] == "mailto:safe@example.org"
    assert "Tell it in private, to safe@example.org" in (clone / "SECURITY.md").read_text()
    assert "\n[0.9.0]: https://example.org/code/releases/tag/v0.9.0\n" in (clone / "CHANGELOG.md").read_text()


def test_nothing_in_the_readme_is_relative_where_there_are_addresses(contact, clone: Path) -> None:
    """It is the page on the package index, which has no other files."""
    (clone / "contact.toml").write_text(FULL)
    contact.main([], clone)
    readme = (clone / "README.md").read_text()
    assert "\n[docs/howto/pddl/lint.md]: https://example.org/docs/howto/pddl/lint.html\n" in readme
    assert "\n[CITATION.cff]: https://example.org/code/blob/main/CITATION.cff\n" in readme
    assert '<img src="https://example.org/code/raw/main/docs/pictures/hanoi.svg?sanitize=true" width=' in readme
    links = re.findall(r'^\[.+\]: (.*)$|<img src="(.*?)"', readme, re.MULTILINE)
    assert len(links) > 30
    assert not [link for pair in links for link in pair if link and not link.startswith("https://")]
    (clone / "contact.toml").write_text(FULL.replace('documentation = "https://example.org/docs"', ""))
    contact.main([], clone)
    assert (
        "\n[docs/howto/pddl/lint.md]: https://example.org/code/blob/main/docs/howto/pddl/lint.md\n"
        in (clone / "README.md").read_text()
    )


def test_without_addresses_nothing_is_left_of_them(contact, clone: Path) -> None:
    (clone / "contact.toml").write_text(FULL)
    contact.main([], clone)
    (clone / "contact.toml").write_text("".join(f'{line.split(" = ")[0]} = ""\n' for line in FULL.strip().split("\n")))
    contact.main([], clone)
    assert not [name for name in contact.BLOCKS if "example.org" in (clone / name).read_text()]
    assert (clone / "README.md").read_text() == (ROOT / "README.md").read_text()
    project = tomllib.loads((clone / "pyproject.toml").read_text())["project"]
    assert (project["authors"], "urls" in project) == ([{"name": "unpuzzle developers"}], False)


def test_a_name_that_nothing_uses_is_refused(contact, clone: Path) -> None:
    (clone / "contact.toml").write_text('chat = "https://example.org"\n')
    with pytest.raises(SystemExit, match="nothing uses chat"):
        contact.main([], clone)


def test_a_block_that_is_gone_is_told(contact, clone: Path) -> None:
    path = clone / "CITATION.cff"
    path.write_text(path.read_text().replace("end of contact", "the end"))
    with pytest.raises(SystemExit, match="there is no block 'contact citation'"):
        contact.main([], clone)
