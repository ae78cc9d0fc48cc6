"""Plans executed on a level of a PDDL game, with the changes of each step, for `unpuzzle trace`.

step 1  (pick-up b)                          cost 1
  - (clear b) (handempty) (ontable b)        no longer true
  + (holding b)                              true now
  missing (on b a)                           goals
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import count, listed
from unpuzzle.pddl.judging.plan_faults import read_with_notes
from unpuzzle.pddl.nodes import GroundAction, Plan
from unpuzzle.pddl.tracing import Trace, TraceStep, trace_plan
from unpuzzle.pddl_game.spelling import action_of
from unpuzzle.puzzle.position import Game

MOST_SHOWN = 12
"""Facts on one line of text; JSON has all."""


@dataclass
class PlanTracing:
    """A plan on a level; if `states`, data and text include the state after each step."""

    game: Game
    level: str
    moves: str
    states: bool = False
    trace: Trace | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return True

    @property
    def valid(self) -> bool:
        """Whether the plan solves the level."""
        return self.trace is not None and self.trace.valid

    def run(self) -> None:
        """Execute the plan. Raises ParseError for an invalid problem or plan."""
        task = self.game.parse(self.game.levels.get(self.level, self.level)).task()
        plan: Plan | list[GroundAction]
        plan = [] if "(" in self.moves else [action_of(move) for move in self.game.read_moves(self.moves)]
        names = {action.name for action in task.domain.actions}
        if not plan or not names.issuperset(step.name for step in plan):  # a plan in some notation, or other text
            plan, odd = read_with_notes(self.moves, None, task)
            self.notes = [str(fault) for fault in odd]
        self.trace = trace_plan(task, plan)

    def picture(self) -> None:
        """Return None, because a plan is shown only as text."""

    def place(self) -> str:
        return "the plan"

    def to_dict(self) -> dict[str, Any]:
        return {} if self.trace is None else self.trace.to_dict(states=self.states)

    def lines(self) -> list[str]:
        """Return the steps and the verdict as lines of text."""
        if self.trace is None:
            return []
        lines = [*self.notes]
        lines += [line for number, step in enumerate(self.trace.steps, 1) for line in self._step(number, step)]
        verdict = self.trace.verdict
        if verdict.valid:
            return [*lines, f"valid: cost {verdict.cost}"]
        parts = [f"  {part}" for part in (*verdict.false, *verdict.missing)]
        return [*lines, f"invalid: {verdict.reason}", *parts]

    def _step(self, number: int, step: TraceStep) -> list[str]:
        rows = [("-", step.deleted), ("+", step.added)]
        lines = [f"step {number}  {step.action}  cost {step.cost}"]
        lines += [f"  {sign} {listed(atoms, MOST_SHOWN, ' ')}" for sign, atoms in rows if atoms]
        lines += [f"  when {fired.condition}: {_effects(fired)}" for fired in step.fired]
        if step.derived:
            lines.append(f"  derived {listed(step.derived, MOST_SHOWN, ' ')}")
        if self.states:
            lines.append(f"  state {listed(step.state, MOST_SHOWN, ' ')}")
        return [*lines, f"  missing {listed(step.missing, MOST_SHOWN, ' ')}" if step.missing else "  all goals hold"]


def _effects(fired: Any) -> str:
    changes = [*(f"+ {atom}" for atom in fired.adds), *(f"- {atom}" for atom in fired.deletes)]
    return ", ".join(changes) or count(0, "change")


def require_no_rules(**options: object) -> None:
    """Raise UsageError for options that only games with their own rules have."""
    for name, value in options.items():
        if value:
            raise UsageError(f"--{name} is for games that are played by their own rules; a PDDL domain has none")
