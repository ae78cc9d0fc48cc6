"""What is wrong with a domain that is not the game, as findings with the game's moves and the domain's actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unpuzzle.checking.findings import Finding, Report
from unpuzzle.checking.report import ATOMS, COST, IMPOSSIBLE, POSSIBLE, SOLVED, UNSOLVED, Difference
from unpuzzle.checking.sameness import GOAL, MISSING, GameDifference
from unpuzzle.pddl.nodes import Task
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.result import GAVE_UP, SOLVED_OPTIMALLY, UNSOLVABLE, Result
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count

NO_GOAL, WRONG_GOAL = "missing goal", "wrong goal"
NO_STEP, WRONG_STEP = "missing action", "superfluous action"
WRONG_COST, WRONG_EFFECT = "wrong cost", "wrong effect"
SOLVABILITY, BEST_COST = "solvability", "cost of the best plan"

UNSOUND = {WRONG_GOAL, WRONG_STEP, WRONG_COST, WRONG_EFFECT}
INCOMPLETE = {NO_GOAL, NO_STEP, WRONG_COST, WRONG_EFFECT}

_KINDS = {
    POSSIBLE: WRONG_STEP,
    IMPOSSIBLE: NO_STEP,
    SOLVED: WRONG_GOAL,
    UNSOLVED: NO_GOAL,
    COST: WRONG_COST,
    ATOMS: WRONG_EFFECT,
}


@dataclass(frozen=True, slots=True)
class DomainLevel:
    """A level to compare on: its name, its position, and the task of the domain for it."""

    name: str
    position: Position
    task: Task

    def picture(self, moves: Sequence[str] = ()) -> str:
        """Return the picture of the position after moves."""
        return replay(self.position, moves).position.draw().rstrip("\n")


class Parting:
    """Where rules and task differ, by its `kind` and the `moves` to it: in the game's names or, without those, up to
    names.
    """

    def __init__(self, difference: GameDifference, by_names: Difference | None) -> None:
        self._difference = difference
        self._by_names = by_names
        self.kind: str = _kind(difference) if by_names is None else _KINDS[by_names.kind]
        self.moves: tuple[str, ...] = difference.moves if by_names is None else by_names.moves

    def finding(self, level: DomainLevel, ours: Result, theirs: Result) -> Finding:
        """Return the finding, with both plans."""
        difference, by_names = self._difference, self._by_names
        actions = f" (in the domain {' '.join(difference.counterparts)})" if difference.moves else ""
        after = f"after {' '.join(difference.moves)}{actions}" if difference.moves else "at the start"
        apart = f"{after}: by the game {difference.first}, by the domain {difference.second}"
        where = f"in the level {level.name}"
        if by_names is None:
            state, got, expected = difference.states[0], difference.second, difference.first
            message = f"{where} {apart}"
        else:
            state, got, expected = level.picture(by_names.moves), by_names.pddl, by_names.rules
            place = f"after {' '.join(by_names.moves)}" if by_names.moves else "at the start"
            message = f"{where} {place}: by the game {expected}, by the domain {got}. Up to names, it shows {apart}"
        got, expected = f"{got}; {_planned(theirs)}", f"{expected}; {_planned(ours)}"
        return Finding(self.kind, self.moves, state, got, expected, message)


def _kind(difference: GameDifference) -> str:
    if difference.kind == GOAL:
        return WRONG_GOAL if difference.first.endswith("no goal") else NO_GOAL
    if "no step costs" in (difference.second if difference.kind == MISSING else difference.first):
        return WRONG_COST
    return NO_STEP if difference.kind == MISSING else WRONG_STEP


def _planned(result: Result) -> str:
    """Say what a plan costs, or that there is none."""
    if result.status == UNSOLVABLE:
        return "there is no solution"
    if not result.solved:
        return "no plan was found in time"
    steps = list(result.moves if result.moves is not None else map(str, result.plan or ()))
    best = "the best plan" if result.status == SOLVED_OPTIMALLY else "a plan"
    return f"{best} costs {result.cost}: {' '.join(steps) or 'nothing to do'}"


def by_figures(level: DomainLevel, ours: Result, theirs: Result) -> list[Finding]:
    """Return the findings of a level that was too large to be compared: what solutions and their costs tell."""
    figures: list[tuple[str, object, object]] = []
    if (ours.solved and theirs.status == UNSOLVABLE) or (theirs.solved and ours.status == UNSOLVABLE):
        figures.append((SOLVABILITY, _planned(ours), _planned(theirs)))
    if ours.status == theirs.status == SOLVED_OPTIMALLY and ours.cost != theirs.cost:
        figures.append((BEST_COST, _planned(ours), _planned(theirs)))
    return [
        Finding(
            kind, (), level.picture(), got, expected,
            f"in the level {level.name}, which has too many states to compare each: by the game {expected}, "
            f"by the domain {got}",
        )
        for kind, expected, got in figures
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class DomainReport(Report):
    """What the comparison of a domain with a game found: of each kind the finding that takes the fewest moves to see.

    `score` has the number of levels (`tests`), on how many the two are the same (`passed`), how many were compared as a
    whole (`exhaustive`), and in `levels` what is told of each. `status` is `complete` where all levels were compared,
    `gave_up` where some were too large for that, or the limit that ended the comparison.
    """

    status: str = COMPLETE

    schema = "test-domain"

    @property
    def undecided(self) -> list[dict[str, Any]]:
        """What is told of the levels on which it is not known whether domain and game are the same."""
        return [row for row in self.score["levels"] if row["same"] is None]

    @property
    def same(self) -> bool | None:
        """Whether the domain is the game on all levels; None where it is undecided."""
        return False if self.findings else self.sound and self.complete

    @property
    def text(self) -> str:
        """The verdict, then all findings, for people and language models."""
        score = self.score
        compared = f"{score['passed']} of {count(score['tests'], 'level')} the same, "
        compared += f"{score['exhaustive']} compared in all states"
        verdict = "this is not the game" if self.findings else "no difference from the game was found, up to names"
        return "\n".join([f"{verdict}: {compared}\n", *(finding.text for finding in self.findings)])


def report_of(findings: Sequence[Finding], rows: Sequence[dict[str, Any]], limit: str | None = None) -> DomainReport:
    """Return the report on a domain; `limit` is the status of a limit that ended the comparison."""
    first: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda finding: len(finding.moves or ())):
        first.setdefault(finding.kind, finding)
    clean = (bool(rows) and all(row["same"] for row in rows) and not findings and limit is None) or None
    score = {
        "tests": len(rows),
        "passed": sum(row["same"] is True for row in rows),
        "exhaustive": sum(row["exhaustive"] for row in rows),
        "levels": list(rows),
    }
    sound, complete = (False if kinds & first.keys() else clean for kinds in (UNSOUND, INCOMPLETE))
    decided = all(row["same"] is not None for row in rows)
    return DomainReport(sound, complete, (*first.values(),), score, limit or (COMPLETE if decided else GAVE_UP))
