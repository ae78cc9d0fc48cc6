"""Subjects: what a call is about, a PDDL task or a level of a game, as words for a command line.

An argument is a bundled name, a text or, with a root, the name of a file. Names are looked up in what `unpuzzle list`
says here, so that no argument reaches a command as the name of a file that the call did not bring.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import Any

from unpuzzle.agents.bounds import Bounds
from unpuzzle.agents.calls import call
from unpuzzle.agents.commands import Outcome
from unpuzzle.agents.inputs import Inputs, is_path, is_task_text
from unpuzzle.errors import UsageError
from unpuzzle.planning.registry import kind_of
from unpuzzle.words import suggestion

NAME = re.compile(r"[\w.+-]{1,60}")
PLANNERS = ("native", "reference", "rules", "cp-sat", "backtracking")
"""Kinds of planners that agents may name: others start any program, or read files and pages."""


class Known:
    """The puzzles and planners that are here, asked for once."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._lock = asyncio.Lock()
        self._outcome: Outcome | None = None

    async def listing(self) -> dict[str, Any]:
        """Return what `unpuzzle list` prints. Raises UsageError where that fails."""
        async with self._lock:
            if self._outcome is None or self._outcome.verdict != "yes":
                self._outcome = await call(["list"], Inputs(self._bounds), self._bounds, limited=False)
        if self._outcome.verdict != "yes":
            raise UsageError(f"the puzzles cannot be listed: {self._outcome.get('message')}")
        return self._outcome.fields

    async def levels(self, puzzle: str) -> list[str]:
        """Return the names of a puzzle's levels. Raises UsageError for an unknown one."""
        listing = await self.listing()
        _require(puzzle, listing["puzzles"], "puzzle")
        levels: list[str] = listing["levels"].get(puzzle, [])
        return levels


def _require(name: str, known: Iterable[str], what: str) -> None:
    known = list(known)
    if name not in known:
        raise UsageError(f"unknown {what} '{name}'{suggestion(name, known) or '; known are ' + ', '.join(known)}")


def planner_words(name: str) -> list[str]:
    """Return the option for a planner. Raises UsageError for one that agents may not name."""
    if not name:
        return []
    _require(kind_of(name), PLANNERS, "kind of planner")
    return [f"--planner={name}"]


def is_task(domain: str, inputs: Inputs) -> bool:
    """Return whether the argument is a PDDL domain, rather than a game."""
    return is_task_text(domain) or (is_path(domain) and is_task_text(inputs.text(domain)))


async def subject_words(known: Known, inputs: Inputs, game: str, level: str) -> list[str]:
    """Return the words for a game and its level, a domain and its problem included.

    Raises UsageError and ParseError for arguments that name nothing, or files that are not read.
    """
    game = game.strip() if NAME.fullmatch(game.strip()) else game
    if NAME.fullmatch(game) and not is_path(game):
        return [game, _level_words(inputs, level, await known.levels(game))]
    if is_task(game, inputs):
        return [f"./{inputs.add('domain.pddl', game)}", f"./{inputs.add('problem.pddl', level)}"]
    number = level.strip()
    return [f"./{inputs.add('game.txt', game)}", number if number.isdigit() else f"./{inputs.add('level.txt', level)}"]


def _level_words(inputs: Inputs, level: str, names: list[str]) -> str:
    if level.strip() in names:
        return level.strip()
    if NAME.fullmatch(level.strip()) and len(level.strip()) < 16 and not is_path(level):
        _require(level.strip(), names, "level")
    return f"./{inputs.add('level.txt', level)}"
