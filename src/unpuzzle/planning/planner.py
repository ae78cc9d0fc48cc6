"""Planner: what all planners have, and what each of them declares of itself."""

from __future__ import annotations

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.result import Result

TASK, RULES, CONSTRAINTS, OWN, SCRIPT = "task", "rules", "constraints", "own", "script"
TIES = ("fifo", "lifo", "high-g", "low-g", "path-lexicographic")
"""Which of several equally good positions is first; see `rules.best_first`."""


class Planner:
    """The base of all planners.

    Attributes:
        name: as it is asked for, with the configuration.
        reads: what `solve` takes: `task` (a `pddl.Task`), `rules` (a `Position`), `constraints` or `script` (a
            `Position` that has constraints, or rules that are data), `own` (a `Position` of a game that names this
            kind of planner as its `planner`); of several, the first that the subject has.
        improves: whether `improving` gives ever better plans.
        reports: whether it calls `progress`, if that is set, with a sentence about how far it is.
        breaks_ties: whether `ties` may be set, to one of `TIES`.
        counts: whether it has `solutions(position, most, limits)`: up to so many, each of them once.
        grounds: whether it refuses actions without a cost itself, since it grounds tasks with our core.
        blame: what is wrong where the rules refuse its answer, if that is not the planner itself.
        max_expanded: how many states it may expand before it gives up, where it counts them; None is no limit.
    """

    name: str
    reads: tuple[str, ...] = (TASK,)
    improves: bool = False
    reports: bool = False
    breaks_ties: bool = False
    counts: bool = False
    grounds: bool = False
    blame: str = ""
    max_expanded: int | None = None
    progress: Callable[[str], None] | None = None
    ties: str

    def solve(self, subject: Any, limits: Limits) -> Result:
        """A result whose plan has not been validated yet."""
        raise TypeError(f"{type(self).__name__} does not define solve()")

    def improving(self, subject: Any, limits: Limits) -> Iterator[Result]:
        """Ever better plans, `intermediate`, and then the last word. Raises ParseError if there is one plan only."""
        raise ParseError(f"planner '{self.name}' gives one plan only: anytime planning needs the native planner")

    def solutions(self, subject: Any, most: int, limits: Limits) -> Iterator[dict[str, Any]]:
        """Up to `most` solutions of a position's constraints, values by variable. Raises LimitReached."""
        raise ParseError(f"planner '{self.name}' finds one solution only, and cannot count them")

    def require(self, subject: Any) -> None:
        """Raises ParseError where the planner does not fit a subject, before anything runs."""
