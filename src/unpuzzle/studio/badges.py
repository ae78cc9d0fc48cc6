"""The answer about a level in a few words: badges, each with a tone and an explanation.

Only proved facts are stated: everything else is `not known`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unpuzzle.puzzle.amounts import cost_in_words, pushing
from unpuzzle.puzzle.position import Position
from unpuzzle.result import Result
from unpuzzle.spaces.surveying import SurveyRow
from unpuzzle.words import count

GOOD, BAD, CARE, QUIET = "good", "bad", "care", "quiet"
"""Tones: as it should be, certainly wrong, worth a look, nothing to say."""
Badge = dict[str, str]


def badge(tone: str, text: str, about: str) -> Badge:
    """Return a badge as data for the page."""
    return {"tone": tone, "text": text, "about": about}


def of_result(position: Position, result: Result) -> list[Badge]:
    """Return the badges for a search: least moves, or that there is no solution."""
    if result.status == "unsolvable":
        return [badge(BAD, "no solution", "It is proved that no moves solve this level.")]
    if result.cost is None:
        return []
    if result.status != "solved_optimally":
        return [badge(CARE, f"at most {result.cost}", f"It can be solved at a cost of {result.cost}; less may do.")]
    return [_least(position, result.cost)]


def _least(position: Position, cost: int) -> Badge:
    words = cost_in_words(position, cost)
    return badge(GOOD, words, f"The best solution: {words}.")


def of_row(position: Position, row: SurveyRow) -> list[Badge]:
    """Return the badges for a level, the most important first."""
    if row.solvable is False:
        return [badge(BAD, "no solution", "It is proved that no moves solve this level.")]
    if row.solvable is None:
        return [badge(QUIET, "not known", f"Whether it can be solved is not known: {row.message or row.status}.")]
    first = [badge(CARE, "solvable", "It can be solved; the best solution is not known.")]
    return [*(first if row.cost is None else [_least(position, row.cost)]), *_further(row, pushing(position))]


def _further(row: SurveyRow, pushes: bool) -> Iterator[Badge]:
    if pushes and row.pushes is not None:
        about = "The fewest moves that do more than walk, among the best solutions."
        yield badge(QUIET, count(row.pushes, "push", "pushes"), about)
    yield _ways(row)
    yield _traps(row)
    if row.states is not None and row.complete:
        yield badge(QUIET, count(row.states, "position"), "All positions that can be reached.")


def _ways(row: SurveyRow) -> Badge:
    what = "solution" if row.constrained else "best way"
    about = "Walking, and the order of things that do not touch, make no difference."
    if row.unique:
        return badge(GOOD, f"one {what}", f"There is exactly one. {about}" if not row.constrained else "Exactly one.")
    if row.unique is None:
        return badge(QUIET, f"{what}s not counted", f"How many there are is not known. {row.message}".strip())
    number = row.optimal_lines
    if row.constrained or number is None:
        return badge(CARE, f"several {what}s", "There is more than one.")
    return badge(CARE, f"{number:,} {what}s", f"So many best solutions differ. {about}")


def _traps(row: SurveyRow) -> Badge:
    if row.dead_ends is None:
        return badge(QUIET, "traps not known", "Not all positions were seen.")
    if not row.dead_ends:
        return badge(GOOD, "no dead ends", "From every position that can be reached the goal can be reached, too.")
    about = f"In {row.dead_ends:,} of {row.states:,} positions the goal is out of reach."
    if row.shortest_trap is not None:
        about += f" The first can come after {count(row.shortest_trap, 'move')}."
    if not row.traps:
        return badge(CARE, "dead ends", f"{about} None is one step from the best ways.")
    return badge(CARE, count(row.traps, "trap"), f"{about} So often at least one step from a best way ruins it.")


def facts(row: SurveyRow) -> dict[str, Any]:
    names = ("solvable", "cost", "pushes", "unique", "optimal_lines", "traps", "dead_ends", "states", "status")
    return {name: getattr(row, name) for name in names}
