"""First texts, for a folder that has none: what the page offers under *New*."""

from __future__ import annotations

from typing import Any

from unpuzzle.errors import UsageError
from unpuzzle.pddl.writer import write
from unpuzzle.translators import bundled_files, find, names

PDDL_GAME = "hanoi"
COLLECTED = "sokoban"


def beginnings() -> list[dict[str, str]]:
    """Return the possible beginnings of a new file: a title, a file name, and the argument of `first_text`."""
    games = [{"title": f"Game like {name}", "path": f"{name}.txt", "beginning": name} for name in bundled_files()]
    levels = [
        {"title": f"Level of {name}", "path": f"{name}-level.txt", "beginning": name}
        for name in names()
        if name not in bundled_files() and name != COLLECTED
    ]
    return [
        {"title": "Sokoban levels", "path": "levels.sok", "beginning": COLLECTED},
        {"title": "PDDL domain", "path": "domain.pddl", "beginning": "domain"},
        {"title": "PDDL problem", "path": "problem.pddl", "beginning": "problem"},
        *games,
        *levels,
    ]


def first_text(beginning: str) -> str:
    """Return the text of a beginning. Raises UsageError for an unknown one."""
    if beginning in ("domain", "problem"):
        task = _first_level(PDDL_GAME).task()
        return str(write(task.domain if beginning == "domain" else task.problem))
    if beginning in bundled_files():
        with open(bundled_files()[beginning], encoding="utf-8") as file:
            return file.read()
    if beginning not in names():
        raise UsageError(f"there is no example {beginning!r}")
    text = str(next(iter(find(beginning).levels.values())))
    return text if beginning != COLLECTED else f"; My first level\n\n{text}"


def _first_level(name: str) -> Any:
    game = find(name)
    return game.parse(next(iter(game.levels.values())))
