"""Every block of code on every page runs, and prints what the page says."""

from __future__ import annotations

import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.modules import ROOT
from support.our_names import is_made
from unpuzzle import find, pddl

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "examples.py"))
ABOVE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
PAGES = [*(ROOT / name for name in ABOVE), *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if {"_made", "files"}.isdisjoint(page.parts) and not is_made(page)]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if "```" in page.read_text()], ids=name)
def test_the_examples_of_a_page(page: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "examples.py"), str(page)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stdout + shown.stderr


def test_what_is_not_run_has_its_reason() -> None:
    blocks = [block for page in PAGES for block in SCRIPT["blocks"](page)]
    assert all(
        len(block.note("not run")) >= 10 for block in blocks if any(kind == "not run" for kind, _ in block.notes)
    )
    excepted = [block.text for block in blocks if block.page.name == "README.md" and block.note("not run")]
    for beginning in SCRIPT["OF_README"]:
        assert any(text.startswith(beginning) for text in excepted), beginning


def test_blocks_of_the_readme_that_are_no_sessions() -> None:
    texts = {block.kind: block.text for block in SCRIPT["blocks"](ROOT / "README.md")}
    storeroom = find("storeroom")
    domain, _ = pddl.write(storeroom.parse(storeroom.levels["3"]).task())
    assert " ".join(texts["pddl"].split()) in " ".join(domain.split())
    assert list(tomllib.loads(texts["toml"])["project"]["entry-points"]) == ["unpuzzle.puzzles"]


GOOD = "```console\n$ echo one; echo two\none\ntwo\n```\n```python\n>>> 1 + 1\n2\n\n```\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (GOOD, ""),
        (GOOD.replace("\ntwo\n", "\n...\n"), ""),
        (GOOD.replace("two\n`", "three\n`"), "page.md:1"),
        (GOOD.replace("\n2\n", "\n3\n"), "page.md:6"),
        ("```sh\nfalse\n```\n", "page.md:1"),
        ("```sh\nexit 0\n```\n", ""),
        ("```python\nassert False\n```\n", "AssertionError"),
        ("```json\n{}\n```\n", "that nothing runs"),
        ("```\nplain\n```\n", "that nothing runs"),
        ("<!-- not run: it is only a list -->\n```\nplain\n```\n", ""),
        ("<!-- file: a.txt -->\n```text\nx\n```\n```console\n$ cat a.txt\nx\n```\n", ""),
        ("```{code-block} text\n:caption: a.txt\nx\n```\n```console\n$ cat a.txt\nx\n```\n", ""),
        ("```console\n$ cat b.txt\nx\n$ wc -l b.txt\n1 b.txt\n```\n", ""),
        ("<!-- before: echo y > a.txt -->\n\nText.\n\n```console\n$ cat a.txt\ny\n```\n", ""),
        ("```console\n$ echo took 1.25 s\ntook 0.02 s\n```\n", ""),
    ],
)
def test_what_is_wrong_is_seen(text: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(text)
    command = [sys.executable, str(ROOT / "scripts" / "examples.py"), str(tmp_path / "page.md")]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bool(shown.returncode) == bool(wrong), shown.stdout + shown.stderr
    assert wrong in shown.stderr
