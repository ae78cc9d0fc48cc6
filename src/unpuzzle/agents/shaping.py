"""Shaping: from the JSON object of a command to the answer of a tool."""

from __future__ import annotations

from typing import Any, TypeVar

from unpuzzle.agents.answers import Answer, Correction, Difference, Excuse, Fault
from unpuzzle.agents.commands import Outcome

A = TypeVar("A", bound=Answer)
NEXT = {
    "undecided": "ask again with more `seconds` (up to the limit of the server), or ask about a smaller task",
    "broken": "the sentence says what is missing or what failed; another planner may do",
}
CHANGES = {"correction": "fix", "suggestion": "suggestion"}
"""Changes of a text that mend a fault, by the name that faults give them in JSON."""
CORRECT = (
    "mend the faults (`correction` says how, where it is known, and `suggestion` what may have been meant), "
    "call `lint` until there are none, then call again"
)


def shaped(kind: type[A], outcome: Outcome, next_step: str = "", /, **fields: Any) -> A:
    """Return an answer with what every answer has, and these fields."""
    get = outcome.get
    return kind(
        verdict=outcome.verdict,  # type: ignore[arg-type]  # one of `commands.VERDICTS`
        status=get("status") or "",
        message=placed(outcome),
        next_step=next_step or NEXT.get(outcome.verdict, ""),
        warnings=get("warnings") or [],
        **fields,
    )


def refused(kind: type[A], message: str, next_step: str = "") -> A:
    """Return an answer to arguments that are wrong."""
    return kind(verdict="refused", status="bad_input", message=message, next_step=next_step)


def placed(outcome: Outcome) -> str:
    place = [str(each) for each in map(outcome.get, ("file", "line", "column")) if each is not None]
    message = str(outcome.get("message") or "")
    return f"{':'.join(place)}: {message}" if message and place and outcome.verdict == "refused" else message


def faults_of(rows: list[dict[str, Any]]) -> list[Fault]:
    shared = ("file", "line", "column", "severity", "code", "message")
    faults = []
    for row in rows:
        changes: dict[str, Any] = {name: row[key] and Correction(**row[key]) for name, key in CHANGES.items()}
        faults.append(Fault(**{name: row[name] for name in shared}, **changes))
    return faults


def difference_of(data: dict[str, Any] | None) -> Difference | None:
    """Return the difference that `check` or `same` tells."""
    if data is None:
        return None
    first = data.get("rules") or data.get("first") or ""
    second = data.get("pddl") or data.get("constraints") or data.get("second") or ""
    return Difference(moves=list(map(str, data.get("moves") or [])), first=str(first), second=str(second))


def excuse_of(data: dict[str, Any]) -> Excuse:
    """Return a change that `explain` tells."""
    return Excuse(add=data["add"], delete=data["delete"], drop=data["drop"])


def mending_of(data: dict[str, Any] | None) -> str:
    """Return the change that `validate` tells, in words."""
    if data is None:
        return ""
    actions, step = " ".join(data["actions"]), data["step"]
    words = {
        "leave_out": f"leave out step {step}",
        "insert": f"put {actions} before step {step}",
        "go_on": f"replace step {step} and all after it by {actions}",
    }
    return words.get(data["kind"], f"{data['kind']} at step {step}: {actions}")
