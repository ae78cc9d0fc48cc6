"""Pictures that must not change unnoticed: in a terminal, character for character; and as PNG.

`scripts/golden` renews both. The PNG files come from the bundled font, so they are the same on every machine but for
the rounding of another release of resvg.
"""

import json
import os
import re
import runpy
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from support.registry import EVERY_KIND
from unpuzzle import Position, find
from unpuzzle.rendering.saving import render
from unpuzzle.rendering.scenes import Scene

GOLDEN = Path(__file__).parents[1] / "golden" / "pictures"
TEXTS = GOLDEN / "text.json"
LEVELS = [(name, level) for name in EVERY_KIND for level in find(name).levels]
RENEW = bool(os.environ.get("UNPUZZLE_RENEW_GOLDEN"))
MOVES = 6
PICTURES = [
    ("boxup", "6", "light"),
    ("boxup", "6", "dark"),
    ("boxup", "6", "print"),
    ("sliding-tiles", "8-easy", "light"),
    ("pacman", "dots", "dark"),
    ("sokoban", "4", "light"),
    ("hanoi", "3", "light"),
    ("lights-out", "4x3", "dark"),
    ("blocksworld", "in-hand", "light"),
    ("sudoku", "4x4", "print"),
    ("gogen", "four", "light"),
    ("crossword", "given", "light"),
]


def start_of(name: str, level: str) -> Position:
    game = find(name)
    return game.parse(game.levels[level])


def walked(position: Position) -> Position:
    """Where some random moves lead."""
    rng = Random(1)
    for _ in range(MOVES):
        if moves := position.moves():
            position = position.apply(rng.choice(moves))
    return position


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_text(name: str, level: str) -> None:
    golden = json.loads(TEXTS.read_text())
    start = start_of(name, level)
    found = [position.draw().split("\n") for position in (start, walked(start))]
    if RENEW:
        golden.setdefault(name, {})[level] = found
        TEXTS.write_text(json.dumps(golden, ensure_ascii=False, indent=0, sort_keys=True) + "\n")
    there = golden[name][level]
    assert found[: len(there)] == there  # where moves end before that, there is one picture


@pytest.mark.parametrize(("name", "level", "theme"), PICTURES)
def test_png(name: str, level: str, theme: str) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    file = GOLDEN / f"{name}-{level}-{theme}.png"
    found = render(Scene.of(start_of(name, level), theme=theme, pixels=32), ".png")
    if RENEW:
        file.write_bytes(found)
    here, there = (image.open(BytesIO(data)).convert("RGB") for data in (found, file.read_bytes()))
    assert here.size == there.size
    chops = pytest.importorskip("PIL.ImageChops")
    other = sum(chops.difference(here, there).convert("L").histogram()[16:])
    assert other <= here.width * here.height / 500, f"{other} pixels differ from {file.name}"


# ---- The pictures of the README and of some pages are those that their script makes


ROOT = Path(__file__).parents[2]


def test_they_are_as_the_script_makes_them() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make" / "make_pictures.py"))["pictures"]()
    there = {path.name: path.read_text() for path in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert sorted(made) == sorted(there)
    different = [name for name, text in made.items() if there[name] != text]
    assert not different, "run scripts/make/make_pictures.py"
    assert all(len(text) < 10_000 for text in made.values())


def test_pages_show_all_of_them_and_say_what_they_are() -> None:
    readme = (ROOT / "README.md").read_text()
    shown = re.findall(r'<img src="\S*docs/pictures/([\w-]+\.svg)\S*" width="\d+" alt="[^"]+">', readme)
    for page in ("show/pictures", "levels/constraints"):
        text = (ROOT / "docs" / "howto" / f"{page}.md").read_text()
        shown += re.findall(r"!\[[^\]]+\]\(\.\./\.\./pictures/([\w-]+\.svg)\)", text)
    assert sorted(shown) == sorted(path.name for path in (ROOT / "docs" / "pictures").glob("*.svg"))


def test_those_of_pddl_are_as_the_script_makes_them() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make" / "make_pictures.py"))["pddl_pictures"]()
    there = {path.name: path.read_text() for path in (ROOT / "docs" / "pddl_pictures").glob("*.svg")}
    assert sorted(made) == sorted(there)
    different = [name for name, text in made.items() if there[name] != text]
    assert not different, "run scripts/make/make_pictures.py"
    assert all(len(text) < 13_000 for text in made.values())


def test_the_page_about_pddl_shows_all_of_them() -> None:
    page = (ROOT / "docs" / "howto" / "show" / "pddl-pictures.md").read_text()
    shown = re.findall(r"!\[[^\]]+\]\(\.\./\.\./pddl_pictures/([^)]+)\)", page)
    assert sorted(shown) == sorted(path.name for path in (ROOT / "docs" / "pddl_pictures").glob("*.svg"))
