"""Answers of the tools, as classes; agents see the JSON schemas of these classes before a call.

Each answer begins with a verdict. A `no` is certain; a limit leads to `undecided`; a text with faults is `refused`, and
has all its faults, each with place, code and, where it is known, the correction.

The functions make an answer of the JSON object of a command.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field

from unpuzzle.base.outcomes import MEMOUT
from unpuzzle.workspace.asking import Reply

Verdict = Literal["yes", "no", "refused", "undecided", "broken"]
NEXT = {
    "undecided": "ask again with more `seconds` (up to the limit of the server), or ask about a smaller task",
    "broken": "the sentence says what is missing or what failed; another planner may work",
}
SMALLER = "ask about a smaller task: the server gives no more memory"
CORRECT = (
    "fix the faults (`correction` says how, where it is known, and `suggestion` what may have been meant), "
    "call `lint` until there are none, then call again"
)


class Correction(BaseModel):
    """A change to a text that corrects a fault; lines and columns count from 1, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str = Field(description="the text that replaces the text from start to end")


class Fault(BaseModel):
    """A fault of a text."""

    file: str | None = Field(description="the text's name: domain.pddl, problem.pddl, plan.txt, game.txt, or a file")
    line: int | None
    column: int | None
    severity: Literal["error", "warning"]
    code: str = Field(description="the kind of the fault, such as unknown-type")
    message: str
    correction: Correction | None = Field(None, description="a correction that is certainly right")
    suggestion: Correction | None = Field(None, description="a possible correction: check it before you apply it")


class Answer(BaseModel):
    """The base class of the answers of tools, with the fields that every answer has."""

    verdict: Verdict = Field(
        description="yes or no: certain; refused: a text or an argument is wrong, see `faults` and `message`; "
        "undecided: a limit was reached, or only a part was looked at; broken: a planner or the tool failed"
    )
    status: str = Field("", description="the reason, in a word such as solved_optimally, unsolvable, bad_input")
    message: str = Field("", description="a sentence that explains the verdict")
    next_step: str = Field("", description="what the caller should do next")
    warnings: list[str] = Field(default_factory=list)
    faults: list[Fault] = Field(default_factory=list)


class LintAnswer(Answer):
    """The faults of texts; the verdict is `yes` if there are only warnings or no faults."""

    errors: int = 0
    corrected: dict[str, str] = Field(default_factory=dict, description="the texts with all known corrections, by name")


class PlanAnswer(Answer):
    """A plan; the verdict is `yes` for a validated plan, and `no` if it is proved that there is no plan."""

    plan: list[str] | None = Field(None, description="the actions of the plan, in PDDL")
    moves: list[str] | None = Field(None, description="the moves of the plan, if a level of a puzzle was solved")
    cost: int | None = None
    optimal: bool = Field(False, description="whether it is proved that no plan costs less")
    planner: str = ""
    expanded: int | None = None
    seconds: float | None = None


class ValidateAnswer(Answer):
    """The verdict on a plan: whether it is valid."""

    cost: int | None = None
    step: int | None = Field(None, description="the number of the first step that is not applicable, from 1")
    reason: str = ""
    false_conditions: list[str] = Field(default_factory=list)
    mending: str = Field("", description="the change that would make the plan valid, where one is known")


class Excuse(BaseModel):
    """A change to a task that makes a plan possible."""

    add: list[str] = Field(default_factory=list, description="facts to add to the initial state")
    delete: list[str] = Field(default_factory=list, description="facts to take out of the initial state")
    drop: list[str] = Field(default_factory=list, description="goals to leave out")


class ExplainAnswer(Answer):
    """Why there is no plan, or what the next step is; the verdict is `yes` if this was found out, plan or not."""

    solvable: bool | None = Field(None, description="whether there is a plan: false is certain")
    kind: str = ""
    reasons: list[str] = Field(default_factory=list)
    excuses: list[Excuse] = Field(default_factory=list)
    step: str | None = Field(None, description="the next step, where there is a plan")
    move: str | None = Field(None, description="the move of a puzzle that makes this step")
    game: dict[str, Any] = Field(default_factory=dict, description="the puzzle's own explanation of the level")


class Difference(BaseModel):
    """The first difference of two descriptions: the moves that lead to it, and what each description says there."""

    moves: list[str] = Field(default_factory=list)
    first: str = Field("", description="what the rules, or the first task, say")
    second: str = Field("", description="what the PDDL, or the second task, says")


class CheckAnswer(Answer):
    """Whether two descriptions are the same game: `no` with the shortest difference, `yes` if all was compared."""

    states: int | None = None
    transitions: int | None = None
    exhaustive: bool = False
    relation: str = Field("", description="of two tasks, one of: identical, renamed, same behaviour, different, ...")
    difference: Difference | None = None


class ExploreAnswer(Answer):
    """The states and solutions of a level; the verdict is `yes` if all states were explored."""

    solvable: bool | None = None
    states: int | None = None
    transitions: int | None = None
    goals: int | None = None
    dead_ends: int | None = None
    cost: int | None = Field(None, description="the cost of the cheapest solution")
    optimal_plans: int | None = None
    states_by_depth: list[int] = Field(default_factory=list)
    hardest_level: str = Field("", description="the state that is farthest from a goal, as a level")
    hardest_cost: int | None = None


class DrawAnswer(Answer):
    """A picture; if a move is illegal, the verdict is `no` and the picture shows the position before that move."""

    picture: str = Field("", description="the picture as text")
    svg: str = Field("", description="the picture as SVG, if `svg` was true")
    step: int | None = Field(None, description="the number of the first illegal move, from 1")


class Puzzle(BaseModel):
    """An available puzzle, and the names of its levels."""

    name: str
    title: str
    levels: list[str]


class PuzzlesAnswer(Answer):
    """The available puzzles and planners."""

    puzzles: list[Puzzle] = Field(default_factory=list)
    planners: list[str] = Field(default_factory=list)
    seconds: float = Field(0.0, description="the limits of a call")
    reads_files: bool = Field(False, description="whether arguments may be names of files below the server's root")


A = TypeVar("A", bound=Answer)


def shaped(kind: type[A], reply: Reply, next_step: str = "", /, **fields: Any) -> A:
    """Return an answer with the given fields; its other fields are read from a command's output."""
    said = {name: value for name in kind.model_fields if (value := reply.get(name)) is not None}
    next_step = next_step or (SMALLER if reply.get("status") == MEMOUT else NEXT.get(reply.verdict, ""))
    own = {"verdict": reply.verdict, "message": placed(reply), "next_step": next_step, "faults": []}
    return kind(**{**said, **own, **fields})


def refused(kind: type[A], message: str, next_step: str = "") -> A:
    """Return the answer that refuses wrong arguments."""
    return kind(verdict="refused", status="bad_input", message=message, next_step=next_step)


def placed(reply: Reply) -> str:
    place = [str(each) for each in map(reply.get, ("file", "line", "column")) if each is not None]
    message = str(reply.get("message") or "")
    return f"{':'.join(place)}: {message}" if message and place and reply.verdict == "refused" else message


def faults_of(rows: list[dict[str, Any]]) -> list[Fault]:
    return [Fault(**row, correction=row["fix"]) for row in rows]


def of_unsolvable(explained: dict[str, Any]) -> dict[str, str]:
    """Return the message and the next step for a task that has no plan; nothing for other tasks."""
    if explained.get("solvable") is not False:
        return {}
    changes = [
        f"{words} {' and '.join(excuse[name])}"
        for excuse in explained["excuses"]
        for name, words in (("add", "add"), ("delete", "take out"), ("drop", "leave out the goal"))
        if excuse.get(name)
    ]
    reasons = "; ".join(reason["text"] for reason in explained["reasons"])
    return {
        "message": f"there is no plan: {reasons}" if reasons else "there is no plan",
        "next_step": f"if the task is wrong, this would make a plan possible: {'; '.join(changes)}" if changes else "",
    }


def mending_of(data: dict[str, Any] | None) -> str:
    """Return, in words, the change that `validate` suggests."""
    if data is None:
        return ""
    actions, step = " ".join(data["actions"]), data["step"]
    words = {
        "leave_out": f"leave out step {step}",
        "insert": f"put {actions} before step {step}",
        "go_on": f"replace step {step} and all after it by {actions}",
    }
    return words.get(data["kind"], f"{data['kind']} at step {step}: {actions}")
