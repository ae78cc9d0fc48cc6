"""Draw every bundled puzzle, for light and dark pages, and insert the pictures into their page."""

from __future__ import annotations

from pathlib import Path

from made import make
from sphinx.application import Sphinx

from unpuzzle import find
from unpuzzle.rendering import save
from unpuzzle.translators import names

SHOWN = {"sliding-tiles": "8-medium", "pacman": "dots", "sokoban": "3", "boxup": "3", "sudoku": "32-clues"}
SHOWN |= {"gogen": "sample", "crossword": "5x5", "blocksworld": "six", "hanoi": "5", "storeroom": "3"}
"""By puzzle the level that is drawn; of others the first one."""
PAGE = "start/puzzles"
PLACE = "<!-- pictures of all puzzles: the site has them here -->"
"""The page, and the line that the pictures replace."""
THEMES = ("light", "dark")


def level_of(name: str) -> str:
    """Return the name of the level that the picture of a puzzle shows."""
    return SHOWN.get(name) or next(iter(find(name).levels))


def draw(folder: Path) -> None:
    """Draw a level of each puzzle."""
    for name in names():
        game, level = find(name), level_of(name)
        for theme in THEMES:
            save(game.parse(game.levels[level]), str(folder / f"{name}-{theme}.svg"), theme=theme)


def entry(name: str) -> str:
    """Return the text of the page about a puzzle."""
    game, level = find(name), level_of(name)
    title, _, rest = game.title.partition(":")
    lines = [f"## {title}" if rest else f"## {name}", ""]
    lines += [f"{(rest or title).strip().capitalize()}. `unpuzzle solve {name} {level}`", ""]
    for theme in THEMES:
        alt = f"{title}, level {level}"
        lines += [
            f"```{{image}} ../_made/made/puzzles/{name}-{theme}.svg",
            f":class: only-{theme} board",
            f":alt: {alt}",
            "```",
        ]
    return "\n".join(lines) + "\n"


def show(app: Sphinx, page: str, source: list[str]) -> None:
    """Insert the pictures into their page."""
    if page == PAGE:
        source[0] = source[0].replace(PLACE, "\n".join(map(entry, names())))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the drawing of pictures, which runs before Sphinx looks for pictures."""
    app.connect("builder-inited", lambda app: make(app, "puzzles", draw))
    app.connect("source-read", show)
    return {"parallel_read_safe": True}
