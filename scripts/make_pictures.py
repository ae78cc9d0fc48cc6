"""Make the pictures of the README: `python scripts/make_pictures.py`.

They are small, and light or dark as the page is that shows them.
"""

from __future__ import annotations

from pathlib import Path

from unpuzzle import explore, find
from unpuzzle.rendering.animation import animated_svg
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.state_graph import space_svg

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SOLUTIONS = {
    "boxup": ("3", "RDLURRDDLUULDRULDDRRUULD"),
    "sliding-tiles": ("8-medium", "UURDRDLULDRULURRDLLU"),
    "sokoban": ("3", "lUluRddlddrUdrruuruulD"),
    "pacman": ("dots", "NNWWWWWWEESSWWEEEEE"),
    "hanoi": ("3", "AC AB CB AC BA BC AC"),
}
"""By puzzle a level and moves."""
STILL = {"sudoku": "32-clues", "gogen": "sample"}
SPACE = ("boxup", "1")


def pictures() -> dict[str, str]:
    """The text of each file, by its name."""
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


def main() -> None:
    """Write them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text)
        print(f"{FOLDER / name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
