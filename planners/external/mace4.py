"""The planner `mace4` (W. McCune, 2003), which finds finite models of formulas by the program Mace4.

It reads positions that state their solutions as models of formulas (`ModelFinding`). The exit status says how a run
ended, and only three endings are answers: as many models as requested, all models, or no model. Models found before a
limit are not a count: with one model found and two requested, it is unknown whether there is another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import ceil
from shutil import which
from time import monotonic
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, ParseError, PlannerFailed
from unpuzzle.base.outcomes import ERROR, LIMITS, MEMOUT, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import current, phase
from unpuzzle.model.capabilities import Constrained, ModelFinding, required
from unpuzzle.model.position import Position
from unpuzzle.planners.external.answers import result_of
from unpuzzle.planning.planner import CONSTRAINTS, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import ProgramEnd, run_program

Solution = dict[str, Hashable]

PROGRAM = "mace4"
ANSWERS = {0: "as many models as requested", 2: "no model", 3: "all models"}
"""The meaning of each exit status with an answer: `max_models`, `exhausted`, `all_models`."""
ENDINGS = {
    1: (ERROR, "refused its input"),
    4: (TIMEOUT, "reached its time limit, with a model"),
    5: (TIMEOUT, "reached its time limit, without a model"),
    6: (MEMOUT, "reached its memory limit, with a model"),
    7: (MEMOUT, "reached its memory limit, without a model"),
    101: (ERROR, "was interrupted"),
    102: (ERROR, "crashed"),
}
"""The meaning of the other exit statuses: `fatal_error`, `max_sec_yes` and `_no`, `max_megs_yes` and `_no`, and
signals.
"""


def missing() -> str | None:
    """Return None if Mace4 is installed, otherwise a sentence that says how to get it."""
    if which(PROGRAM):
        return None
    return "the program 'mace4' is not on the PATH; it is part of LADR: https://www.cs.unm.edu/~mccune/prover9"


class Mace4(Planner):
    """The planner `mace4`, which runs the program Mace4 to find models of formulas."""

    name: str = "mace4"
    reads: tuple[str, ...] = (CONSTRAINTS,)
    counts: bool = True

    def require(self, subject: Any) -> None:
        for capability in (ModelFinding, Constrained):
            required(subject, capability, "cannot be solved by mace4")

    def solve(self, subject: Position, options: SearchOptions = USUAL) -> Result:
        """Return a result with the moves of a solution. Raises DependencyMissing if Mace4 is not installed."""
        start = monotonic()
        with phase("finding models"):
            run, status, message, models = self._find(subject, 1)
        moves = tuple(required(subject, Constrained, "has no moves").moves_to(models[0])) if models else None
        return result_of(run, status, self.name, start, moves=moves, message=message)

    def solutions(self, subject: Position, most: int) -> Iterator[Solution]:
        """Run the program until it has found `most` solutions, or all if there are fewer; then yield them.

        Raises LimitReached, UsageError, DependencyMissing, PlannerFailed.
        """
        with phase("finding models"):
            run, status, message, models = self._find(subject, most)
        if status in LIMITS:
            raise LimitReached(status, message)
        if status == ERROR:
            raise PlannerFailed(message, planner=self.name, log=run.log)
        yield from models

    def _find(self, position: Position, most: int) -> tuple[ProgramEnd, str, str, list[Solution]]:
        """Run the program to find up to `most` models; return how it ended, a status, a sentence, and the models."""
        self.require(position)
        if reason := missing():
            raise DependencyMissing(reason, dependency=PROGRAM)
        formulas = required(position, ModelFinding, "has no formulas")
        left = current().time_left()
        time = [] if left is None else ["-t", str(max(1, ceil(left)))]
        with PrivateDirectory({"puzzle.in": formulas.mace4_input()}, planner=PROGRAM) as directory:
            arguments = [PROGRAM, "-m", str(most), *time, "-f", directory.file("puzzle.in")]
            run = run_program(arguments, directory, split=True)
        return run, *_verdict(run, formulas, most)


class Mace4Kind(PlannerKind):
    """The planner kind `mace4`, which makes planners of the class `Mace4`."""

    name: str = PROGRAM
    planner = Mace4

    def missing(self) -> str | None:
        return missing()


def _verdict(run: ProgramEnd, formulas: ModelFinding, most: int) -> tuple[str, str, list[Solution]]:
    """Return the status, a sentence and the models for a finished run of Mace4."""
    if run.limit:
        return run.limit, f"mace4 {run.ending()}", []
    if run.exit_code not in ANSWERS:
        status, words = ENDINGS.get(run.exit_code or -1, (ERROR, run.ending()))
        return status, f"mace4 {words}", []
    try:
        models = formulas.from_mace4(run.output)
    except ParseError as error:
        return ERROR, f"the output of mace4 cannot be read: {error}", []
    if not {0: len(models) == most, 2: not models, 3: 0 < len(models) <= most}[run.exit_code]:
        message = f"mace4 says that it found {ANSWERS[run.exit_code]}, and printed {len(models)} of {most}"
        return ERROR, message, []
    return (SOLVED_OPTIMALLY, "", models) if models else (UNSOLVABLE, "the formulas have no model", [])
