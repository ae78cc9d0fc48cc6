"""Answers: what the tools return, as classes whose JSON schemas agents see before they call.

Each answer begins with a verdict. A `no` is certain; what a limit ended is `undecided`; a text with faults is `refused`
and has all its faults, each with place, code and, where it is known, the correction.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

Verdict = Literal["yes", "no", "refused", "undecided", "broken"]


class Correction(BaseModel):
    """A change of a text that mends a fault; lines and columns count from 1, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str = Field(description="what to put between these two places")


class Fault(BaseModel):
    """One fault of a text."""

    file: str | None = Field(description="which of the texts: domain.pddl, problem.pddl, plan.txt, game.txt, a file")
    line: int | None
    column: int | None
    severity: Literal["error", "warning"]
    code: str = Field(description="the kind of the fault, such as unknown-type")
    message: str
    correction: Correction | None = Field(None, description="it can be nothing else that was meant")
    suggestion: Correction | None = Field(None, description="what may have been meant: judge before you make it")


class Answer(BaseModel):
    """What every answer has."""

    verdict: Verdict = Field(
        description="yes or no: certain; refused: a text or an argument is wrong, see `faults` and `message`; "
        "undecided: a limit was reached, or only a part was looked at; broken: a planner or the tool failed"
    )
    status: str = Field("", description="why, in one word, such as solved_optimally, unsolvable, timeout, bad_input")
    message: str = Field("", description="a sentence about it")
    next_step: str = Field("", description="what to do now")
    warnings: list[str] = Field(default_factory=list)
    faults: list[Fault] = Field(default_factory=list)


class LintAnswer(Answer):
    """The faults of texts: `yes` where there are no errors."""

    errors: int = 0
    corrected: dict[str, str] = Field(
        default_factory=dict, description="by text the text with all known corrections made, where there are some"
    )


class PlanAnswer(Answer):
    """A plan: `yes` with one, that was validated; `no` where it is proved that there is none."""

    plan: list[str] | None = Field(None, description="the actions in PDDL")
    moves: list[str] | None = Field(None, description="the moves, of a puzzle's level")
    cost: int | None = None
    optimal: bool = Field(False, description="whether it is proved that no plan costs less")
    planner: str = ""
    expanded: int | None = None
    seconds: float | None = None


class ValidateAnswer(Answer):
    """Whether a plan is valid."""

    cost: int | None = None
    step: int | None = Field(None, description="the number of the first step that is not applicable, from 1")
    reason: str = ""
    false_conditions: list[str] = Field(default_factory=list)
    mending: str = Field("", description="the change that would make the plan valid, where one is known")


class Excuse(BaseModel):
    """A change of the task after which it has a plan."""

    add: list[str] = Field(default_factory=list, description="facts to add to the initial state")
    delete: list[str] = Field(default_factory=list, description="facts to take out of the initial state")
    drop: list[str] = Field(default_factory=list, description="goals to leave out")


class ExplainAnswer(Answer):
    """Why there is no plan: `yes` where it is explained."""

    solvable: bool | None = None
    kind: str = ""
    reasons: list[str] = Field(default_factory=list)
    excuses: list[Excuse] = Field(default_factory=list)
    step: str | None = Field(None, description="the next step, where there is a plan")
    game: dict[str, Any] = Field(default_factory=dict, description="what a puzzle says about its own level")


class Difference(BaseModel):
    """The first difference: after which moves, and what either side says there."""

    moves: list[str] = Field(default_factory=list)
    first: str = Field("", description="what the rules, or the first task, say")
    second: str = Field("", description="what the PDDL, or the second task, says")


class CheckAnswer(Answer):
    """Whether two descriptions are the same game: `no` with the shortest difference; `yes` only where all was seen."""

    states: int | None = None
    transitions: int | None = None
    exhaustive: bool = False
    relation: str = Field("", description="of two tasks: identical, renamed, same behaviour, different, ...")
    difference: Difference | None = None


class ExploreAnswer(Answer):
    """All that can happen in a level: `yes` where all was seen."""

    solvable: bool | None = None
    states: int | None = None
    transitions: int | None = None
    goals: int | None = None
    dead_ends: int | None = None
    cost: int | None = Field(None, description="of the cheapest solution")
    optimal_plans: int | None = None
    states_by_depth: list[int] = Field(default_factory=list)
    hardest_level: str = Field("", description="the state that is farthest from a goal, as a level")
    hardest_cost: int | None = None


class DrawAnswer(Answer):
    """A picture: `no` where a move is illegal, with what comes before it."""

    picture: str = Field("", description="as text")
    svg: str = Field("", description="as SVG, if asked for")
    step: int | None = Field(None, description="the number of the first illegal move, from 1")


class Puzzle(BaseModel):
    """A puzzle that is here, and the names of its levels."""

    name: str
    title: str
    levels: list[str]


class PuzzlesAnswer(Answer):
    """The puzzles and planners that are here."""

    puzzles: list[Puzzle] = Field(default_factory=list)
    planners: list[str] = Field(default_factory=list)
    seconds: float = Field(0.0, description="the most that a call may take")
    reads_files: bool = Field(False, description="whether arguments may be names of files below the server's root")
