"""Addresses come from contact.toml alone, and are left out while there are none."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from support.modules import ROOT

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
    monkeypatch.syspath_prepend(ROOT / "scripts")
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
    assert "\n[docs/lint.md]: https://example.org/docs/lint.html\n" in readme
    assert "\n[CITATION.cff]: https://example.org/code/blob/main/CITATION.cff\n" in readme
    assert '<img src="https://example.org/code/raw/main/docs/pictures/hanoi.svg?sanitize=true" width=' in readme
    links = re.findall(r'^\[.+\]: (.*)$|<img src="(.*?)"', readme, re.MULTILINE)
    assert len(links) > 30
    assert not [link for pair in links for link in pair if link and not link.startswith("https://")]
    (clone / "contact.toml").write_text(FULL.replace('documentation = "https://example.org/docs"', ""))
    contact.main([], clone)
    assert "\n[docs/lint.md]: https://example.org/code/blob/main/docs/lint.md\n" in (clone / "README.md").read_text()


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
