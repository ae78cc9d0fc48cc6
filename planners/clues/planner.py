"""The planner `clues`, which guesses the answers of a crossword from its clues, each with a confidence.

Such an answer is not proved, so its status is `guessed`.

clues                       all sources that are on this machine
clues:gcide,words           only some of them
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.base.availability import require
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.outcomes import GUESSED
from unpuzzle.base.run import current, phase
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, USAGE, Settings, missing, settings_of
from unpuzzle.planning.planner import OWN, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result

if TYPE_CHECKING:
    from unpuzzle.planners.clues.inference import CluedPosition

EMPTY, BLOCK = ".", "#"


class Clues(Planner):
    """The planner `clues`, which guesses the answers of a crossword from the clues."""

    reads: tuple[str, ...] = (OWN,)
    reports: bool = True

    def __init__(self, config: str | None = None) -> None:
        """Configure the planner by the name of a configuration. Raises UsageError for an unknown name."""
        self.name: str = "clues" if config is None else f"clues:{config}"
        self.settings: Settings = settings_of(config)

    def solve(self, position: CluedPosition, options: SearchOptions = USUAL) -> Result:
        """Return the filled grid with answers and confidence. Raises DependencyMissing without sources of words."""
        require("words", "guessing from clues needs", "numpy")
        from unpuzzle.planners.clues.work import Work  # needs numpy

        began = perf_counter()
        with phase("looking for answers"):
            work = Work(self.settings, options.progress or (lambda _: None))
            try:
                filling = work.fill(position)
                current().look()
            except LimitReached as reached:
                result = Result(reached.status, self.name, message=str(reached), peak_memory=current().peak())
                return result.lasting(search=perf_counter() - began)
            # Letters already in the grid are kept.
            pairs = zip(position.letters, filling.letters, strict=True)
            letters = "".join([there if there != EMPTY else (letter or EMPTY) for there, letter in pairs])
            confidences = [value for value, cell in zip(filling.confidence, letters, strict=True) if cell != BLOCK]
            end = position.with_letters(letters)
            return Result(
                GUESSED,
                self.name,
                solution=end.line(),
                confidence=round(sum(confidences) / len(confidences), 4),
                end=end,
                seconds={**work.seconds, "search": perf_counter() - began},
                peak_memory=current().peak(),
                message="; ".join(work.remarks),
                details=work.fields(filling, letters, position.columns),
            )


class CluesKind(PlannerKind):
    """The planner kind `clues`, which creates planners that guess the answers of a crossword from its clues."""

    name: str = "clues"
    configurations: str = USAGE
    planner = Clues

    def missing(self) -> str | None:
        has_source = any(missing(name) is None for name in SOURCES)
        return None if has_source else f"no source of words is installed; get them with: {INSTALL}"
