"""The pictures of the README, of pages beside it and of docs/pddl_pictures.md are those that their script makes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_they_are_as_the_script_makes_them() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))["pictures"]()
    there = {path.name: path.read_text() for path in (ROOT / "docs" / "pictures").iterdir()}
    assert sorted(made) == sorted(there)
    different = [name for name, text in made.items() if there[name] != text]
    assert not different, "run scripts/make_pictures.py"
    assert all(len(text) < 10_000 for text in made.values())


def test_pages_show_all_of_them_and_say_what_they_are() -> None:
    readme = (ROOT / "README.md").read_text()
    shown = re.findall(r'<img src="\S*docs/pictures/([\w-]+\.svg)\S*" width="\d+" alt="[^"]+">', readme)
    for page in ("pictures", "constraints"):
        text = (ROOT / "docs" / "howto" / f"{page}.md").read_text()
        shown += re.findall(r"!\[[^\]]+\]\(\.\./pictures/([\w-]+\.svg)\)", text)
    assert sorted(shown) == sorted(path.name for path in (ROOT / "docs" / "pictures").iterdir())


def test_those_of_pddl_are_as_the_script_makes_them() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))["pddl_pictures"]()
    there = {path.name: path.read_text() for path in (ROOT / "docs" / "pddl_pictures").glob("*.svg")}
    assert sorted(made) == sorted(there)
    different = [name for name, text in made.items() if there[name] != text]
    assert not different, "run scripts/make_pictures.py"
    assert all(len(text) < 13_000 for text in made.values())


def test_the_page_about_pddl_shows_all_of_them() -> None:
    page = (ROOT / "docs" / "pddl_pictures.md").read_text()
    shown = re.findall(r"!\[[^\]]+\]\(pddl_pictures/([^)]+)\)", page)
    assert sorted(shown) == sorted(path.name for path in (ROOT / "docs" / "pddl_pictures").glob("*.svg"))
