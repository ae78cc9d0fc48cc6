"""Every block of code on every page runs, and prints what the page says."""

import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.modules import ROOT
from support.our_names import is_made
from unpuzzle import find, pddl

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "make" / "examples.py"))
ABOVE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
PAGES = [*(ROOT / name for name in ABOVE), *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if {"_made", "files"}.isdisjoint(page.parts) and not is_made(page)]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if "```" in page.read_text()], ids=name)
def test_the_examples_of_a_page(page: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make" / "examples.py"), str(page)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stdout + shown.stderr


def test_what_is_not_run_has_its_reason() -> None:
    blocks = [block for page in PAGES for block in SCRIPT["blocks"](page)]
    assert all(
        len(block.note("not run")) >= 10 for block in blocks if any(kind == "not run" for kind, _ in block.notes)
    )


def block_of(page: str, kind: str) -> str:
    """Return the text of the only block of its kind on a page."""
    [text] = [block.text for block in SCRIPT["blocks"](ROOT / "docs" / page) if block.kind == kind]
    return str(text)


def test_blocks_that_are_no_sessions() -> None:
    storeroom = find("storeroom")
    domain, _ = pddl.write(storeroom.parse(storeroom.levels["3"]).task())
    assert " ".join(block_of("ideas/puzzlescript-to-pddl.md", "pddl").split()) in " ".join(domain.split())
    project = tomllib.loads(block_of("howto/levels/own-puzzle.md", "toml"))["project"]
    assert list(project["entry-points"]) == ["unpuzzle.puzzles"]


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
    command = [sys.executable, str(ROOT / "scripts" / "make" / "examples.py"), str(tmp_path / "page.md")]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bool(shown.returncode) == bool(wrong), shown.stdout + shown.stderr
    assert wrong in shown.stderr


STEPS = """<!-- installs: a library -->
```sh
touch installed
```
<!-- not run: there is no sun here -->
```sh
false
```
<!-- reached: the goal -->
```console
$ ls installed
```
"""


def test_what_a_block_installs_is_left_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(STEPS)
    command = [sys.executable, str(ROOT / "scripts" / "make" / "examples.py"), "--show", str(tmp_path / "page.md")]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert shown.returncode == 1
    assert "No such file" in shown.stderr
    assert "not run: installs a library (page.md:2)" in shown.stdout


def test_steps_to_a_goal_are_counted(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(STEPS.replace("$ ls installed", "$ ls installed\ninstalled\n$ echo"))
    command = [
        sys.executable,
        str(ROOT / "scripts" / "make" / "examples.py"),
        "--show",
        "--install",
        str(tmp_path / "page.md"),
    ]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    assert "not run: there is no sun here (page.md:6)" in shown.stdout
    assert "reached: the goal: 2 blocks, 3 commands, " in shown.stdout
    assert "page.md: 2 blocks, 3 commands, " in shown.stdout


def test_a_newcomer_follows_all_tutorials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    newcomer = __import__("newcomer")
    pages = newcomer.tutorials(ROOT / "docs" / "index.md")
    assert {page.name for page in pages} == {path.name for path in (ROOT / "docs" / "tutorials").glob("*.md")}
    assert pages[0].name == "first-puzzle.md"
    first = [kind for block in SCRIPT["blocks"](pages[0]) for kind, _ in block.notes]
    assert first.count("reached") == 2


def test_a_newcomer_has_the_unpuzzle_that_was_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    newcomer = __import__("newcomer")

    class Elsewhere:
        folder = tmp_path

        def run(self, command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
            return subprocess.run([sys.executable, *command[1:]], capture_output=True, text=True, check=True)

    with pytest.raises(SystemExit, match="not the one that was installed"):
        newcomer.require_installed(Elsewhere())
