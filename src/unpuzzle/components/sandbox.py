"""The sandbox: calls functions that somebody else wrote, in processes that may end in any way.

    sandbox = Sandbox(code, "theirs.py", wanted, budget)
    sandbox.load()             {name: how it can be called}; ParseError where the code cannot be used
    sandbox.outcomes(calls)    an `Outcome` for each call, or None where the budget was used up before

A process makes many calls; one that ends it is answered by an outcome of its own, and the others go on in a new
process. A function that has ended several is not called again. Limits and the end of all processes are those of
`unpuzzle.planners.external.process`; what the process may not do is in `walls.py`; what it runs is `child.py`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter

from unpuzzle.components.child import NotPlainError, decode
from unpuzzle.errors import ParseError, PlannerFailed
from unpuzzle.limits import Limits
from unpuzzle.planners.external import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
_NAME = "the sandbox"
_BATCH = 2000
_FLOOD = 1 << 20  # bytes printed past `sys.stdout`
_FIELDS = ("value", "again", "mutated", "path", "expanded", "generated", "ended", "functions", "printed", "acts")
_TIMERS = ("SIGPROF", "SIGALRM", "SIGXCPU")


class Budget:
    """What somebody else's code may take.

    Attributes:
        call, load, search: seconds of processor time of a call, of loading the code and of a search; of wall clock
            three times `call` more.
        run, total: seconds of wall clock of one process, and of all of them.
        memory: bytes of a process.
        fatal: how many processes a function may end before it is not called any more.
    """

    def __init__(
        self,
        call: float = 1.0,
        load: float = 5.0,
        search: float = 10.0,
        run: float = 20.0,
        total: float = 120.0,
        memory: int = 512 << 20,
        fatal: int = 2,
    ) -> None:
        self.call = call
        self.load = load
        self.search = search
        self.run = run
        self.total = total
        self.memory = memory
        self.fatal = fatal


class Outcome:
    """What became of a call.

    Attributes:
        fault: empty if it returned; else `exception`, `malformed output`, `time limit`, `memory limit` or `crash`.
        said: a sentence about the fault.
        line: the line of the code where that was, or None.
        fields: what it returned, as `child.py` has it: value, again, mutated; path, expanded, generated.
        printed: characters.
        acts: what it tried and may not.
    """

    def __init__(self, fault: str = "", said: str = "", line: int | None = None, **fields: Any) -> None:
        self.fault = fault
        self.said = said
        self.line = line
        self.printed: int = fields.pop("printed", 0)
        self.acts: list[str] = fields.pop("acts", [])
        self.fields = fields


class Sandbox:
    """Code that is not trusted, and the processes that run it."""

    def __init__(self, code: str, name: str, wanted: Sequence[str], budget: Budget) -> None:
        self.code = code
        self.name = name
        self.wanted = wanted
        self.budget = budget
        self.walls: dict[str, bool] = {}
        self.functions: dict[str, Any] = {}
        self.garbage = ""
        """What was written between the answers, the beginning of it."""
        self.flooded = False
        self._left = budget.total
        self._ended: Counter[str] = Counter()

    def load(self) -> dict[str, Any]:
        """How each function that was found can be called. Raises ParseError where the code cannot be used."""
        self._run([])
        return self.functions

    def given_up(self, function: str) -> bool:
        """Whether a function has ended so many processes that it is not called any more."""
        return self._ended[function] >= self.budget.fatal

    def outcomes(self, calls: Sequence[dict[str, Any]]) -> list[Outcome | None]:
        """What became of each call; None for those that were not made."""
        found: list[Outcome | None] = [None] * len(calls)
        waiting = list(range(len(calls)))
        while waiting and self._left > 0:
            waiting = [i for i in waiting if not self.given_up(_function(calls[i]))]
            batch = waiting[:_BATCH]
            answered = self._run([calls[i] for i in batch])
            for number, outcome in answered.items():
                found[batch[number]] = outcome
                self._ended[_function(calls[batch[number]])] += outcome.fault in ("crash", "time limit", "memory limit")
            waiting = [i for i in waiting if found[i] is None]
        return found

    def _run(self, calls: list[dict[str, Any]]) -> dict[int, Outcome]:
        """Make calls in one process; the outcomes by number, the last of them perhaps that the process ended."""
        word = f"answer-{os.urandom(8).hex()}"
        limits = Limits(max(0.1, min(self._left, self.budget.run)), self.budget.memory)
        cut = self._left < self.budget.run
        begin = time.monotonic()
        with process.PrivateDirectory({"request.json": self._request(word, calls)}, planner=_NAME) as directory:
            command = [sys.executable, "-I", "-S", "-B", os.path.join(_HERE, "child.py"), _HERE]
            run = process.run(command, directory, limits, split=True, bare=True)
        self._left -= time.monotonic() - begin
        answers = self._answers(run.output, word)
        self.flooded = self.flooded or len(run.log) - len(run.output) > _FLOOD
        if cut and run.timed_out and -1 not in answers:
            return {}  # the last bit of the budget was too little for anything
        self._start(answers, run)
        found = {i: self._outcome(answer) for i, answer in answers.items() if 0 <= i < len(calls)}
        following = max(found, default=-1) + 1
        # Many slow calls may use up the time of a process, and then none of them is to blame.
        slow = (run.timed_out or _signal(run) == "SIGXCPU") and (following > 0 or cut)
        given_up = following > 0 and found[following - 1].fault == "memory limit"
        if following < len(calls) and not slow and not given_up:
            found[following] = self._ending(run, calls[following].get("seconds", self.budget.call))
        return found

    def _request(self, word: str, calls: list[dict[str, Any]]) -> str:
        budget = self.budget
        request = {
            "code": self.code,
            "name": self.name,
            "word": word,
            "wanted": [] if calls else list(self.wanted),  # to describe functions takes as long as hundreds of calls
            "seconds": budget.call,
            "load_seconds": budget.load,
            "slack": 3 * budget.call,
            "cpu_seconds": budget.run + 1,
            "calls": calls,
        }
        return json.dumps(request)

    def _answers(self, output: str, word: str) -> dict[int, dict[str, Any]]:
        """The answers by number; what else was written into their stream is noted."""
        answers = {}
        for line in output.split("\n"):
            before, mark, text = line.partition(word + " ")
            self.garbage = (self.garbage + before)[:200]
            if not mark:
                continue
            try:
                answer = checked(json.loads(text))
                answers[int(answer["i"])] = answer
            except (ValueError, LookupError, TypeError, RecursionError, NotPlainError):
                self.garbage = (self.garbage + text)[:200]
        return answers

    def _start(self, answers: dict[int, dict[str, Any]], run: process.Run) -> None:
        """Take in what a process told before its first call. Raises where it did not come so far."""
        if -2 not in answers:
            log = run.log.strip()[-500:]
            raise PlannerFailed(f"{_NAME} could not be set up: it {run.ending()}: {log}", planner=_NAME, log=run.log)
        self.walls = answers[-2]["walls"]
        loaded = self._outcome(answers[-1]) if -1 in answers else self._ending(run, self.budget.load)
        if loaded.fault:
            raise self._unusable(loaded)
        if loaded.acts:
            raise ParseError(f"loading it does what components may not: {loaded.acts[0]}", file=self.name)
        self.functions = loaded.fields["functions"] or self.functions

    def _unusable(self, loaded: Outcome) -> ParseError:
        said = loaded.said
        if said.startswith("ModuleNotFoundError"):
            said += "; components may import what comes with Python, and nothing else"
        return ParseError(f"the code cannot be loaded: {said}", file=self.name, line=loaded.line)

    def _outcome(self, answer: dict[str, Any]) -> Outcome:
        """An outcome from what the process answered."""
        rest = {name: value for name, value in answer.items() if name in _FIELDS}
        error = answer.get("error")
        if error is None:
            return Outcome(**rest)
        said = f"{error['type']}: {error['said']}".rstrip(": ")
        if error["ours"]:
            fault, said = "output limit" if error["type"] == "TooMuchError" else "malformed output", error["said"]
        else:
            fault = "memory limit" if error["type"] == "MemoryError" else "exception"
        return Outcome(fault, said, error["line"], **rest)

    def _ending(self, run: process.Run, seconds: float) -> Outcome:
        """The outcome of a call that ended its process."""
        line = re.search(rf'File "{re.escape(self.name)}", line (\d+)', run.log[len(run.output) :])
        place = int(line[1]) if line else None
        if run.timed_out or _signal(run) in _TIMERS:
            return Outcome("time limit", f"it takes longer than {seconds:g} s", place)
        if run.out_of_memory:
            return Outcome("memory limit", f"it takes more than {self.budget.memory >> 20} MB", place)
        return Outcome("crash", f"it ends the whole process, which {run.ending()}", place)


def _signal(run: process.Run) -> str:
    return "" if run.signal is None else process.signal_name(run.signal)


def _function(call: dict[str, Any]) -> str:
    return "search" if "search" in call else str(call["function"])


def checked(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer that has all that one has: code that means harm may have written it.

    Raises NotPlainError, or what Python raises for data that is not as it should be.
    """
    form: dict[str, Any] = {"walls": dict} if answer["i"] == -2 else {"printed": int, "acts": list}
    if answer["i"] != -2:
        error = answer.get("error")
        if error is not None:
            _require(error, {"type": str, "said": str, "ours": bool, "line": int | None})
        elif answer["i"] == -1:
            _require_functions(answer["functions"])
        elif "path" in answer:
            form |= {"path": list | None, "expanded": int, "generated": int}
        else:
            (state, *_), _ = answer.get("mutated", [[None], None])
            decode([answer["value"], answer.get("again"), answer.get("mutated"), state])
    _require(answer, form)
    decode(answer.get("path"))
    return answer


def _require(fields: dict[str, Any], form: dict[str, Any]) -> None:
    for name, kind in form.items():
        if not isinstance(fields[name], kind):
            raise TypeError(name)


def _require_functions(functions: dict[str, Any]) -> None:
    for form in functions.values():
        if form is not None:
            _require(form, {"taken": list, "needed": list, "positional": int, "anything": bool})
