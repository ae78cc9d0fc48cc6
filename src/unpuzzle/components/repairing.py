"""Let a language model write search components, test them, and tell it what is wrong.

The loop is that of AutoToS (D. Cao, M. Katz, H. Kokel, K. Srinivas, S. Sohrabi, Automating Thought of Search: A Journey
Towards Soundness and Completeness, 2024), with tests on all states of small levels instead of a handful that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from unpuzzle.checking.findings import Report
from unpuzzle.components.asking import NO_CODE, SYSTEM, code_in, feedback, question, refusal
from unpuzzle.components.instances import Instance
from unpuzzle.components.sandbox import Budget
from unpuzzle.components.trying import check_components
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.puzzle.position import Game
from unpuzzle.record import Plain, schema_name

Ask = Callable[[Sequence[dict[str, str]]], str]

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Repair(Plain):
    """What came of asking a model.

    Attributes:
        code: the last code; None if there never was any.
        report: of that code; None if it could not be loaded.
        rounds: how often the model was asked.
        message: the last message to the model; empty if all is right.
    """

    code: str | None
    report: Report | None
    rounds: int
    message: str

    schema = "repair"

    @property
    def right(self) -> bool:
        """Whether the last code passed all tests."""
        return self.report is not None and self.report.right

    def to_dict(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        report = (self.report or Report(None, None, (), {})).to_dict()
        own = {"rounds": self.rounds, "code": self.code, "message": self.message}
        return {**report, "schema": schema_name(self.schema), **own}


def repair(
    game: Game,
    ask: Ask,
    *,
    rounds: int = ROUNDS,
    log: Callable[[dict[str, Any]], None] | None = None,
    budget: Budget | None = None,
    levels: Sequence[Instance] | None = None,
    unsafe: bool = False,
) -> Repair:
    """Ask a model for components of a game, test them, and tell it what is wrong, until nothing is or rounds run out.

    Args:
        ask: gives a model's answer to a conversation, such as `Endpoint(...).ask`.
        rounds: how often it may be asked, at least once.
        log: is called with each exchange, plain data: `round`, `question`, `answer`, `code`, `verdict`.
        levels: what to try it on.
        unsafe: run the code even where the system has not the basic walls of a sandbox.

    Raises UsageError for fewer rounds, and what `ask` raises; the exchange is logged before, with the `error`.
    """
    if rounds < 1:
        raise UsageError(f"rounds must be at least 1, not {rounds}")
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question(game)}]
    done = Repair(None, None, 0, "")
    for number in range(1, rounds + 1):
        entry: dict[str, Any] = {"round": number, "question": messages[-1]["content"]}
        try:
            answer = entry["answer"] = ask(messages)
            done = _tried(game, answer, number, budget, levels, unsafe)
            entry |= {"code": done.code, "verdict": _verdict(done)}
        except BaseException as error:
            entry["error"] = str(error) or type(error).__name__
            raise
        finally:
            if log is not None:
                log(entry)
        if done.right:
            break
        messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": done.message}]
    return done


def _tried(
    game: Game, answer: str, number: int, budget: Budget | None, levels: Sequence[Instance] | None, unsafe: bool
) -> Repair:
    code = code_in(answer)
    if code is None:
        return Repair(None, None, number, NO_CODE)
    try:
        report = check_components(code, game, "answer.py", budget=budget, levels=levels, unsafe=unsafe)
    except ParseError as error:
        return Repair(code, None, number, refusal(str(error)))
    return Repair(code, report, number, "" if report.right else feedback(report))


def _verdict(done: Repair) -> dict[str, Any]:
    if done.report is not None:
        return done.report.to_dict()
    return {"sound": None, "complete": None, "findings": [], "score": {}, "message": done.message}
