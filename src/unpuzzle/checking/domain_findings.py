"""What is told of a domain that is not the game: findings in its moves and the domain's actions."""

from __future__ import annotations

from unpuzzle.checking.findings import Finding, Report
from unpuzzle.checking.report import ATOMS, COST, IMPOSSIBLE, POSSIBLE, SOLVED, UNSOLVED
from unpuzzle.checking.sameness import GOAL, MISSING
from unpuzzle.result import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.checking.domains import Instance
    from unpuzzle.checking.report import Difference as Named
    from unpuzzle.checking.sameness import Difference
    from unpuzzle.result import Result

NO_GOAL, WRONG_GOAL = "missing goal", "wrong goal"
NO_STEP, WRONG_STEP = "missing action", "superfluous action"
WRONG_COST, WRONG_EFFECT = "wrong cost", "wrong effect"
SOLVABILITY, BEST_COST = "solvability", "cost of the best plan"

UNSOUND = {WRONG_GOAL, WRONG_STEP, WRONG_COST, WRONG_EFFECT}
INCOMPLETE = {NO_GOAL, NO_STEP, WRONG_COST, WRONG_EFFECT}

_NAMED = {
    POSSIBLE: WRONG_STEP,
    IMPOSSIBLE: NO_STEP,
    SOLVED: WRONG_GOAL,
    UNSOLVED: NO_GOAL,
    COST: WRONG_COST,
    ATOMS: WRONG_EFFECT,
}


class Parting:
    """Where a level's rules and the domain's task part: up to names, and by the names, where they are the game's.

    Attributes: `kind`; `moves` to the place that is told, which is the one by names, if there is one.
    """

    def __init__(self, difference: Difference, named: Named | None) -> None:
        self._difference = difference
        self._named = named
        self.kind = _kind(difference) if named is None else _NAMED[named.kind]
        self.moves = difference.moves if named is None else named.moves

    def finding(self, instance: Instance, ours: Result, theirs: Result) -> Finding:
        """The finding, with both plans."""
        difference, named = self._difference, self._named
        actions = f" (in the domain {' '.join(difference.counterparts)})" if difference.moves else ""
        after = f"after {' '.join(difference.moves)}{actions}" if difference.moves else "at the start"
        apart = f"{after}: by the game {difference.first}, by the domain {difference.second}"
        where = f"in the level {instance.name}"
        if named is None:
            state, got, expected, message = (
                difference.states[0],
                difference.second,
                difference.first,
                f"{where} {apart}",
            )
        else:
            state, got, expected = _state(instance, named), named.pddl, named.rules
            shown = f"after {' '.join(named.moves)}" if named.moves else "at the start"
            message = f"{where} {shown}: by the game {expected}, by the domain {got}. Up to names, it shows {apart}"
        return Finding(
            self.kind, self.moves, state, f"{got}; {_planned(theirs)}", f"{expected}; {_planned(ours)}", message
        )


def _state(instance: Instance, named: Named) -> str:
    """The picture of the position where the names tell a difference."""
    position = instance.position
    for move in named.moves:
        position = position.apply(move)
    return position.draw().rstrip("\n")


def _kind(difference: Difference) -> str:
    if difference.kind == GOAL:
        return WRONG_GOAL if difference.first.endswith("no goal") else NO_GOAL
    if "no step costs" in (difference.second if difference.kind == MISSING else difference.first):
        return WRONG_COST
    return NO_STEP if difference.kind == MISSING else WRONG_STEP


def _planned(result: Result) -> str:
    """A plan in words, or that there is none."""
    if result.status == UNSOLVABLE:
        return "there is no solution"
    if not result.solved:
        return "no plan was found in time"
    steps = list(result.moves if result.moves is not None else map(str, result.plan or ()))
    best = "the best plan" if result.status == SOLVED_OPTIMALLY else "a plan"
    return f"{best} costs {result.cost}: {' '.join(steps) or 'nothing to do'}"


def by_figures(instance: Instance, ours: Result, theirs: Result) -> list[Finding]:
    """What solutions and their costs tell of a level that was not compared as a whole."""
    figures: list[tuple[str, object, object]] = []
    if (ours.solved and theirs.status == UNSOLVABLE) or (theirs.solved and ours.status == UNSOLVABLE):
        figures.append((SOLVABILITY, _planned(ours), _planned(theirs)))
    if ours.status == theirs.status == SOLVED_OPTIMALLY and ours.cost != theirs.cost:
        figures.append((BEST_COST, _planned(ours), _planned(theirs)))
    return [
        Finding(
            kind, (), instance.position.draw().rstrip("\n"), got, expected,
            f"in the level {instance.name}, which has too many states to compare each: by the game {expected}, "
            f"by the domain {got}",
        )
        for kind, expected, got in figures
    ]  # fmt: skip


class DomainReport(Report):
    """What a comparison of a domain with a game found: the finding of each kind that takes the fewest moves to see.

    `score` has the number of levels (`tests`), on how many the two are the same (`passed`), how many were compared as a
    whole (`exhaustive`), and in `levels` what is told of each. `stopped` is `timeout` where the time did not suffice.
    `same` is False with a finding, True where all levels were compared as a whole, None where it is undecided.
    """

    def __init__(self, found: Sequence[Finding], rows: Sequence[dict[str, Any]], stopped: str | None = None) -> None:
        self.stopped = stopped
        first: dict[str, Finding] = {}
        for finding in sorted(found, key=lambda finding: len(finding.moves or ())):
            first.setdefault(finding.kind, finding)
        self.undecided = [row for row in rows if row["same"] is None]
        clean = (bool(rows) and all(row["same"] for row in rows) and not found and stopped is None) or None
        super().__init__(
            False if UNSOUND & first.keys() else clean,
            False if INCOMPLETE & first.keys() else clean,
            list(first.values()),
            {
                "tests": len(rows),
                "passed": sum(row["same"] is True for row in rows),
                "exhaustive": sum(row["exhaustive"] for row in rows),
                "levels": list(rows),
            },
        )

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
