"""Make the pictures of the README and of docs/howto/show/pddl-pictures.md: `python scripts/make/make_pictures.py`.

They are small, and light or dark like the page that shows them.
"""

from __future__ import annotations

from pathlib import Path

from unpuzzle import explore, find
from unpuzzle.pddl import parse_domain
from unpuzzle.pddl_game.fact_pictures import ObjectGraph
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.rendering.analysis import space_svg
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import animated_svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SOLUTIONS = {
    "boxup": ("3", "RDLURRDDLUULDRULDDRRUULD"),
    "sliding-tiles": ("8-medium", "UURDRDLULDRULURRDLLU"),
    "sokoban": ("3", "lUluRddlddrUdrruuruulD"),
    "pacman": ("dots", "NNWWWWWWEESSWWEEEEE"),
    "hanoi": ("3", "AC AB CB AC BA BC AC"),
}
"""By puzzle, a level and moves."""
STILL = {"sudoku": "32-clues", "gogen": "sample"}
SPACE = ("boxup", "1")
DOMAINS = FOLDER.parent / "pddl_pictures"
"""A folder for each domain, with its problem."""
PLANS = {
    "blocksworld": ("sussman", "unstack:c:a put-down:c pick-up:b stack:b:c pick-up:a stack:a:b"),
    "hanoi": (
        "three",
        "move:d1:d2:right move:d2:d3:middle move:d1:right:d2 move:d3:left:right move:d1:d2:left move:d2:middle:d3 "
        "move:d1:left:d2",
    ),
    "logistics": (
        "two-cities",
        "load:p1:truck1:office drive:truck1:office:cdg:paris unload:p1:truck1:cdg load:p2:truck2:depot "
        "drive:truck2:depot:fco:rome unload:p2:truck2:fco load:p1:plane:cdg fly:plane:cdg:fco unload:p1:plane:fco "
        "load:p2:plane:fco load:p1:truck2:fco drive:truck2:fco:depot:rome unload:p1:truck2:depot fly:plane:fco:cdg "
        "unload:p2:plane:cdg",
    ),
    "river": (
        "crossing",
        "row:left:right:goat row:right:left:farmer row:left:right:wolf row:right:left:goat row:left:right:cabbage "
        "row:right:left:farmer row:left:right:goat",
    ),
    "sokoban": (
        "garden",
        "walk:box:rue:east push:b2:rue:ivy:hop:east walk:ivy:rue:west push:b1:rue:fir:elm:north walk:fir:bay:west "
        "walk:bay:oak:north push:b1:oak:elm:ash:east",
    ),
}
"""By domain a problem and a plan."""


def pictures() -> dict[str, str]:
    """Return the text of each file, by its name."""
    files = {}
    for name, (level, moves) in SOLUTIONS.items():
        game = find(name)
        played = moves.split() if " " in moves else tuple(moves)
        files[f"{name}.svg"] = animated_svg(Scene.of(game.parse(game.levels[level]), played))
    for name, level in STILL.items():
        game = find(name)
        files[f"{name}.svg"] = animated_svg(Scene.of(game.parse(game.levels[level])))
    game = find(SPACE[0])
    files["states.svg"] = space_svg(explore(game.parse(game.levels[SPACE[1]])))
    return files


def pddl_pictures() -> dict[str, str]:
    """Return the text of each file about PDDL, by its name: plans as films, a table of facts, a graph of objects."""
    files = {}
    for name, (problem, plan) in PLANS.items():
        game = find(str(DOMAINS / name / "domain.pddl"))
        files[f"{name}.svg"] = animated_svg(Scene.of(game.parse(game.levels[problem]), plan.split()))
    problem, plan = PLANS["blocksworld"]
    text = (DOMAINS / "blocksworld" / "domain.pddl").read_text()
    game = PddlGame(parse_domain("".join([line for line in text.splitlines(True) if "picture:" not in line])))
    start = game.parse((DOMAINS / "blocksworld" / f"{problem}.pddl").read_text())
    files["table.svg"] = animated_svg(Scene.of(start, plan.split()))
    game = find(str(DOMAINS / "logistics" / "domain.pddl"))
    graph = ObjectGraph(game.parse(game.levels["two-cities"]).task())
    files["graph.svg"] = animated_svg(Scene((graph,)))
    return files


def main() -> None:
    """Write all pictures."""
    for folder, files in ((FOLDER, pictures()), (DOMAINS, pddl_pictures())):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text)
            print(f"{folder / name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
