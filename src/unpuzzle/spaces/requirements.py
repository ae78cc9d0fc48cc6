"""Requirements on levels: words such as `unique`, and bounds on numbers such as `traps>=3` or `lines=1`.

    required = requirement("traps=2..5")
    required.met_by(figures)            True, False, or None if unknown

`figures` are values by name, from a survey's row or a generated level.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf
from typing import Any

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.base.values import Record
from unpuzzle.spaces.difficulty import MEASURES

SOLVABLE, UNIQUE, NO_DEAD_ENDS = "solvable", "unique", "no-dead-ends"
REQUIREMENTS = (SOLVABLE, UNIQUE, NO_DEAD_ENDS)
"""The requirements in a word: a solution, exactly one, no way to get stuck."""
LINES = "optimal_lines"
SHORT = {"lines": LINES, "plans": "optimal_plans"}
BOUNDED = ("cost", "states", "dead_ends", "optimal_plans", LINES, *MEASURES)
"""The figures that may have bounds."""
_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?"
_BOUNDS = re.compile(rf"([a-z_-]+)(?:(>=|<=|=)({_NUMBER})|=({_NUMBER})?\.\.({_NUMBER})?)")


class Requirement(Record):
    """A requirement on a level: a word in `REQUIREMENTS`, or bounds for the measure with this name."""

    text: str
    name: str
    least: float = -inf
    most: float = inf

    def met_by(self, figures: Mapping[str, Any]) -> bool | None:
        """Return whether a level with these figures meets the requirement; None if unknown."""
        if self.name == SOLVABLE or figures["solvable"] is False:
            solvable: bool | None = figures["solvable"]
            return solvable
        if self.name == UNIQUE:
            unique: bool | None = figures["unique"]
            return unique
        if self.name == NO_DEAD_ENDS:
            return None if figures["dead_ends"] is None else figures["dead_ends"] == 0
        return self._holds(figures)

    def _holds(self, figures: Mapping[str, Any]) -> bool | None:
        value = figures[self.name]
        if value is not None:
            return bool(self.least <= value <= self.most)
        if self.name == LINES and figures["least_lines"] is not None:  # there may be more
            low = figures["least_lines"]
            return False if low > self.most else True if low >= self.least and self.most == inf else None
        return False if has_none(self.name, figures) else None


def has_none(name: str, figures: Mapping[str, Any]) -> bool:
    """Return whether a measure cannot exist for a level: pushes without a walker, a trap's duration without a trap."""
    if figures["lost"] is None or figures["traps"] is None:  # not measured, or unsolvable
        return False
    return name in ("pushes", "shortest_trap") or (name == "trap_lasts" and not figures["fatal_choices"])


def requirement(text: str) -> Requirement:
    """Return the requirement that a text denotes. Raises UsageError for an unknown requirement."""
    if text in REQUIREMENTS:
        return Requirement(text, text)
    if (match := _BOUNDS.fullmatch(text)) is None:
        name = re.split("[<>=]", text)[0]
        if text.replace("-", "_") in (*BOUNDED, *SHORT):
            raise UsageError(f"the figure '{text}' needs bounds, such as {text}=1..")
        hint = suggestion(name, (*REQUIREMENTS, *BOUNDED, *SHORT)) if name == text else ""
        raise UsageError(f"a level can be required to be {choices()}, not {shorten(text)}{hint}")
    name = match[1].replace("-", "_")
    name = SHORT.get(name, name)
    if name not in BOUNDED:
        hint = suggestion(match[1], (*BOUNDED, *SHORT)) or f"; the figures are {', '.join(BOUNDED)}"
        raise UsageError(f"a level has no figure {shorten(match[1])}{hint}")
    return Requirement(text, name, *_bounds(text, match))


def _bounds(text: str, match: re.Match[str]) -> tuple[float, float]:
    relation, number, first, last = match[2], match[3], match[4], match[5]
    if relation is None:
        least, most = (float(first) if first else -inf), (float(last) if last else inf)
        if not (first or last) or least > most:
            raise UsageError(f"bounds must be LEAST..MOST, LEAST.. or ..MOST, such as traps=2..5, not {shorten(text)}")
        return least, most
    return -inf if relation == "<=" else float(number), inf if relation == ">=" else float(number)


def choices() -> str:
    """Return a description of the possible requirements."""
    return f"{', '.join(REQUIREMENTS)}, or to have a figure within bounds, such as lines=1 or traps=3.."
