"""Ask commands, as a command line would, each in a process of its own within limits that hold from outside.

    with Commands() as commands:
        reply = commands.ask(["plan", "domain.pddl", "problem.pddl"], Limits(time=10), {"domain.pddl": text, ...})
        reply.verdict, reply.fields, reply.text

So all doors say the same: editors, agents and watching get what the command line writes. A command works in a folder of
its own that has the files, so that nothing it does can harm the caller. It gets the limits as options and keeps them
itself, and the process that it works in is ended a little later. Processes wait for the next command: it is answered
without the time that a new one takes to start.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from threading import Lock
from typing import Any, Self

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import BROKEN, ERROR, of_error, verdict_of, verdict_of_error
from unpuzzle.base.values import Record, field
from unpuzzle.processes.own_python import REACHED
from unpuzzle.processes.parallel import Workers, is_over
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.worker import Call
from unpuzzle.table import load

GRACE, OWN = 5.0, 1 << 30
"""Seconds and bytes that a process has beyond the limits of its command, for Python and its libraries."""
ANSWER = 8 << 20
"""The most bytes of JSON that a command may answer, unless somebody asks for fewer."""

MEANINGS = {
    "yes": "yes",
    "no": "no",
    "refused": "this input is refused",
    "undecided": "no answer within the limits",
    "broken": "it broke",
}
"""By verdict a few words for people."""


class Reply(Record):
    """What a command answered.

    Attributes:
        verdict: `yes`, `no`, `refused`, `undecided` or `broken`.
        code: the exit code, None where a limit ended the process.
        fields: its JSON object; of a list of rows an object with `rows`.
        text: what it wrote to stdout and stderr.
        files: the texts of files that it wrote, where they were asked for.
    """

    verdict: str
    fields: dict[str, Any]
    code: int | None = None
    text: str = ""
    files: dict[str, str] = field(default_factory=dict)

    def get(self, name: str, other: Any = None) -> Any:
        return self.fields.get(name, other)


class Commands:
    """Asks commands; threads may ask at the same time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[Workers] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.__exit__()

    def ask(
        self,
        words: Sequence[str],
        limits: Limits,
        files: Mapping[str, str] | None = None,
        *,
        each: int = 1,
        grace: float = GRACE,
        made: str = "",
        most: int = ANSWER,
    ) -> Reply:
        """Return the answer of a command in a folder that has some files; `limits.cancel()` ends it.

        `each` is the number of parts that the limits are for, such as levels. `made` is the pattern of files that the
        command writes. An answer of more than `most` bytes is refused. Never raises because of what the command does.
        """
        command = [words[0], *_options(limits), *words[1:]]
        try:
            with PrivateDirectory(files or {}, planner="unpuzzle") as directory:
                time = None if limits.time is None else limits.time * each + grace
                memory = None if limits.memory is None else limits.memory + OWN
                data = pickle.dumps((command, most))
                call = Call(__name__, answer.__name__, data, time, memory=memory, folder=directory.path)
                reply = self._made(call, is_over(limits))
                return reply.replace(files=directory.read(made)) if made else reply
        except UnpuzzleError as error:
            _, status = of_error(error) or (BROKEN, ERROR)
            return Reply(verdict_of_error(error), {"status": status, "message": str(error)})

    def _made(self, call: Call, over: Callable[[], str]) -> Reply:
        """Make a call in a process that waits, or in a new one; one that did not come to an end is not used again."""
        with self._lock:
            worker = self._waiting.pop() if self._waiting else None
        with ExitStack() as stack:
            if worker is None:
                worker = Workers(1)
                worker.__enter__()
            stack.push(worker.__exit__)
            outcomes = [outcome for _, outcome in worker.results([(0, call)], over)]
            if outcomes and outcomes[0].answer is not None:
                with self._lock:
                    self._waiting.append(worker)
                stack.pop_all()
        status = outcomes[0].limit if outcomes else over()
        if status:
            return Reply("undecided", {"status": status, "message": REACHED[status]})
        reply: Reply = outcomes[0].value()
        return reply


def prepare() -> None:
    """Load what most commands need, once, before the first one."""
    load("command line", "answer")


def answer(_: object, words: Sequence[str], most: int) -> Reply:
    """Return the answer of a command, in a process that exists for it."""
    code, fields, text = load("command line", "answer")(words)
    fields = fields if isinstance(fields, dict) else {"rows": fields}
    size = len(json.dumps(fields))
    if size > most:
        return _broken("too_large", f"the answer has {size:,} bytes, more than {most:,}: ask for less")
    return Reply(verdict_of(code, fields.get("status")), fields, code, text)


def _options(limits: Limits) -> list[str]:
    """Return the options of a command for limits of time and memory."""
    time = [] if limits.time is None else ["--time-limit", f"{limits.time:g}"]
    return time if limits.memory is None else [*time, "--memory-limit", str(limits.memory)]


def _broken(status: str, message: str) -> Reply:
    return Reply("broken", {"status": status, "message": message})
