"""Commands that run as on the command line, but each in a separate process with limits enforced from outside.

    with Commands() as commands:
        reply = commands.ask(["plan", "domain.pddl", "problem.pddl"], Limits(time=10), {"domain.pddl": text, ...})
        reply.verdict, reply.fields, reply.text

So all interfaces give the same answers: editors, agents and watching get what the command line writes. A command works
in a separate folder with the files, so it cannot harm the caller. It gets the limits as options and respects them
itself; its process is ended if it runs a little longer. Processes wait for the next command, which saves the time that
a new one takes to start.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from threading import Lock
from typing import Any, Self

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.outcomes import BROKEN, ERROR, of_error, verdict_of, verdict_of_error
from unpuzzle.base.run import Limits
from unpuzzle.base.values import Record, field
from unpuzzle.processes.parallel import Workers, is_over
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.worker import REACHED, Call
from unpuzzle.table import load

GRACE, OWN = 5.0, 1 << 30
"""Seconds and bytes that a process gets beyond the limits of its command, for Python and its libraries."""
ANSWER = 8 << 20
"""The most bytes of JSON in an answer, unless the caller sets fewer."""

MEANINGS = {
    "yes": "yes",
    "no": "no",
    "refused": "this input is refused",
    "undecided": "no answer within the limits",
    "broken": "it broke",
}
"""A few words for people, by verdict."""


class Reply(Record):
    """The answer of a command.

    Attributes:
        verdict: `yes`, `no`, `refused`, `undecided` or `broken`.
        code: the exit code, None if a limit ended the process.
        fields: its JSON object; for a list of rows an object with `rows`.
        text: its output on stdout and stderr.
        files: the texts of the requested files that it wrote.
    """

    verdict: str
    fields: dict[str, Any]
    code: int | None = None
    text: str = ""
    files: dict[str, str] = field(default_factory=dict)

    def get(self, name: str, other: Any = None) -> Any:
        return self.fields.get(name, other)


class Commands:
    """A runner of commands that several threads can use at the same time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[Workers] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that wait for further commands."""
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
        """Return the answer of a command that is run in a folder with these files; `limits.cancel()` ends the command.

        `each` is the number of parts to which the limits apply, such as levels. `made` is the pattern of files that the
        command writes. An answer of more than `most` bytes is refused. A failing command never raises here.
        """
        options = [] if limits.time is None else ["--time-limit", f"{limits.time:g}"]
        options += [] if limits.memory is None else ["--memory-limit", str(limits.memory)]
        try:
            with PrivateDirectory(files or {}, planner="unpuzzle") as directory:
                time = None if limits.time is None else limits.time * each + grace
                memory = None if limits.memory is None else limits.memory + OWN
                data = pickle.dumps(([words[0], *options, *words[1:]], most))
                call = Call(__name__, answer.__name__, data, time, memory=memory, folder=directory.path)
                reply = self._made(call, is_over(limits))
                return reply.replace(files=directory.read(made)) if made else reply
        except UnpuzzleError as error:
            _, status = of_error(error) or (BROKEN, ERROR)
            return Reply(verdict_of_error(error), {"status": status, "message": str(error)})

    def _made(self, call: Call, over: Callable[[], str]) -> Reply:
        """Make a call in a waiting process, or in a new process; a process that did not finish is not used again."""
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
    """Load the modules that most commands need, once, before the first command."""
    load("command line", "answer")


def answer(_: object, words: Sequence[str], most: int) -> Reply:
    """Return the answer of a command that runs in this process."""
    code, fields, text = load("command line", "answer")(words)
    fields = fields if isinstance(fields, dict) else {"rows": fields}
    size = len(json.dumps(fields))
    if size > most:
        message = f"the answer has {size:,} bytes, more than {most:,}: ask for less"
        return Reply("broken", {"status": "too_large", "message": message})
    return Reply(verdict_of(code, fields.get("status")), fields, code, text)
