"""The base classes of planners and of kinds of planners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import listing, shorten, suggestion
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.planning.result import Result

TASK, RULES, CONSTRAINTS, OWN = "task", "rules", "constraints", "own"
TIES = ("fifo", "lifo", "high-g", "low-g", "path-lexicographic")
"""Rules for the order of equally good positions; see `rules.strategies.Frontier`."""
MOVES, PUSHES = "moves", "pushes"
OBJECTIVES = (MOVES, PUSHES, "pushes,moves", "moves,pushes")
"""The figures to minimize: the cost of the moves, the number of pushes (see `walking`), or one and then the other."""


class SearchOptions(Record):
    """The options of one planner call, except the limits.

    Attributes:
        max_expanded: the most states to expand, if the planner counts them; None is no limit. Equal calls end at the
            same state on every machine.
        progress: called now and then with a sentence about the progress, by planners that `report`.
        objective: the figure to minimize, one of `OBJECTIVES`; only planners that support it get it.
    """

    max_expanded: int | None = None
    progress: Callable[[str], None] | None = None
    objective: str = MOVES

    def _require_sense(self) -> None:
        if self.objective not in OBJECTIVES:
            hint = suggestion(self.objective, OBJECTIVES) or f"; the objectives are {listing(OBJECTIVES)}"
            raise UsageError(f"unknown objective {shorten(self.objective)}{hint}")


USUAL = SearchOptions()


class Progress:
    """The latest counts that a search in C++ has reported; each report is also passed on to the function `tell`."""

    def __init__(self, name: str, tell: Callable[[str], None] | None) -> None:
        self.name = name
        self.tell = tell
        self.counts: tuple[int, int, int] = (0, 0, 0)

    def __call__(self, expanded: int, evaluated: int, generated: int, f: int, seconds: float) -> None:
        self.counts = (expanded, evaluated, generated)
        if self.tell is not None:
            self.tell(
                f"{self.name}: {expanded:,} expanded, {generated:,} generated, estimated cost {f}, {seconds:.1f} s"
            )


class Planner:
    """The base class of planners. A planner does not change while it plans, so threads can share it.

    It works in the current run, `unpuzzle.base.run.current()`, and calls `checkpoint` in long loops.

    Attributes:
        name: the requested name, with the configuration.
        reads: the input of `solve`: `task` (a `pddl.Task`), `rules` (a `Position`), `constraints` (a `Position` that
            has them), `own` (a `Position` of a game that names this kind of planner as its `planner`); of several, the
            first that the subject has.
        kind: its real kind, if it replaces the kind in its name.
        objectives: the figures that it can minimize; `solved_optimally` always refers to the requested objective.
        improves: whether `improving` gives ever better plans.
        goes_on: whether `solve` looks for better plans after its first one, so that a limit may end it with plans.
        reports: whether it calls `SearchOptions.progress`.
        counts: whether it has `solutions(position, most)`: up to `most`, each of them once.
        grounds: whether it refuses actions without a cost itself, since it grounds tasks with our core.
        blame: the culprit if the rules refuse its answer, if that is not the planner itself.
        is_default: whether nobody named it, so that `solve` may also ask another planner.
    """

    name: str
    reads: tuple[str, ...] = (TASK,)
    objectives: tuple[str, ...] = (MOVES,)
    improves: bool = False
    goes_on: bool = False
    reports: bool = False
    counts: bool = False
    grounds: bool = False
    blame: str = ""
    kind: str = ""
    is_default: bool = False

    def solve(self, subject: Any, options: SearchOptions = USUAL) -> Result:
        """Return a result whose plan is not yet validated; by default, the last result of `improving`."""
        *_, last = self.improving(subject, options)
        return last

    def improving(self, subject: Any, options: SearchOptions = USUAL) -> Iterator[Result]:
        """Yield increasingly good plans as `intermediate` results, and then the final result.

        Raises UsageError if the planner gives only one plan.
        """
        raise UsageError(f"planner '{self.name}' gives one plan only: choose native to get better and better plans")

    def solutions(self, subject: Any, most: int) -> Iterator[Mapping[str, Any]]:
        """Yield at most `most` solutions of a position's constraints, each a mapping from variables to values.

        Raises LimitReached.
        """
        raise UsageError(f"planner '{self.name}' finds one solution only, and cannot count solutions")

    def require(self, subject: Any) -> None:
        """Raise UsageError if the planner cannot solve this task or position."""


class PlannerKind(ABC):
    """The base class of kinds of planners: a planner's name begins with its kind, such as `native` in `native:bfs`.

    Attributes:
        name: the part of the names before the colon, or all.
        configurations: the possible parts after it, for lists, such as `[:bfs|:astar]`.
        settings: the names of the settings that `make` takes.
        stands_for: another kind that this one may replace on games that name it as their planner.
        fallback: the default planner of such games if this kind is missing.
    """

    name: str
    configurations: str = ""
    settings: tuple[str, ...] = ()
    stands_for: str = ""
    fallback: str = ""

    @property
    @abstractmethod
    def planner(self) -> type[Planner]:
        """The class of the planners of this kind."""

    def make(self, config: str | None, **settings: Any) -> Planner:
        """Return the planner with the configuration `config`, by default without one. Raises UsageError if unknown."""
        make: Any = self.planner
        if self.configurations:
            planner: Planner = make(config, **settings)
        elif config is None:
            planner = make(**settings)
        else:
            raise UsageError(
                f"unknown configuration '{self.name}:{config}': the planner {self.name} has no configurations"
            )
        return planner

    def missing(self) -> str | None:
        """Return a sentence on how to install this kind of planner; None if its planners can run here."""
        return None

    def stand_in(self, name: str) -> Planner | None:
        """Return a planner of this kind that replaces the planner `name` of the kind `stands_for`; None without one."""
        return None
