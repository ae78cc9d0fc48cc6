"""The sandbox: it calls untrusted functions in separate processes, which may fail in any manner.

    sandbox = Sandbox(code, "theirs.py", wanted, budget)
    sandbox.load()             {name: how it can be called}; ParseError if the code cannot be used
    sandbox.outcomes(calls)    an `Outcome` for each call, or None if the budget was used up before

A process makes many calls. If one of them ends it, that is its outcome, and the others continue in a new process; a
function that has ended several processes is not called again.

The script of a process (`child.py`) first puts up the kernel's walls (`processes/walls.py`), for good. If Bubblewrap
(https://github.com/containers/bubblewrap) is installed and may make namespaces, the process is *isolated*, too: it sees
no other processes, and only the files that it needs.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unpuzzle.base.availability import has
from unpuzzle.base.errors import ParseError, PlannerFailed, UnsupportedFeature
from unpuzzle.base.outcomes import MEMOUT, TIMEOUT
from unpuzzle.base.run import Limits, Run, current
from unpuzzle.base.values import Record, field
from unpuzzle.processes import walls
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import ProgramEnd, run_program
from unpuzzle.processes.walls import BASIC
from unpuzzle.processes.worker import signal_name
from unpuzzle.untrusted import child
from unpuzzle.untrusted.child import DEEPEST, FRACTION, MOST_BITS, MOST_CHARACTERS, NotPlainError, decode

_CHILD = os.path.abspath(child.__file__)
_NAME = "the sandbox"
_BATCH = 4000
_FLOOD = 1 << 20  # bytes printed past `sys.stdout`
CURE = "--unsafe (in Python, unsafe=True) runs it all the same"
_TIMERS = ("SIGPROF", "SIGALRM", "SIGXCPU")
WALLS_FILE = os.path.abspath(walls.__file__)
LACKING = {
    "limits": "sets no limits to processor time",
    "no_network": "does not keep the code from the network",
    "no_processes": "does not keep the code from starting processes",
    "files_closed": "does not keep the code from your files",
}
"""The missing protection on a system without each wall."""
REQUEST = "request.json"
BUBBLEWRAP = "bwrap"
_SIGNALLED = 128


def run_script(script: str, request: Mapping[str, Any], *, user: str, isolated: bool) -> tuple[ProgramEnd, bool]:
    """Run a script with a request file in a directory; return how the script ended, and whether it was isolated.

    The script gets the path of `walls.py`. It is isolated if that is wanted and Bubblewrap is here.
    """
    isolated = isolated and has("walls") and shutil.which(BUBBLEWRAP) is not None
    with PrivateDirectory({REQUEST: json.dumps({**request, "namespaces": isolated})}, planner=user) as directory:
        start = isolation(directory.path, script) if isolated else [sys.executable]
        end = run_program([*start, "-I", "-S", "-B", script, WALLS_FILE], directory, split=True, bare=True)
    if isolated and end.exit_code is not None and end.exit_code > _SIGNALLED:
        end = end.replace(signal=end.exit_code - _SIGNALLED, exit_code=None)  # how Bubblewrap reports a signal
    return end, isolated


def isolation(folder: str, script: str) -> list[str]:
    """Return the command that runs Python in isolation, as far as the arguments for Python.

    It can write in `folder`, and read the script, Python and the system's libraries.
    """
    # the file of this Python itself, which a virtual environment only links to
    python = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    options = [BUBBLEWRAP, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--dev", "/dev"]
    for path in dict.fromkeys((*walls.needed(), "/etc/ld.so.cache", python, script, WALLS_FILE)):
        options += ["--ro-bind-try", path, path]
    return [*options, "--bind", folder, folder, "--chdir", folder, "--", python]


class Budget(Record):
    """The limits for untrusted code: time, memory and number of processes.

    Attributes:
        call, load, search: seconds of processor time of a call, of loading the code and of a search; of wall clock
            three times `call` more.
        run, total: seconds of wall clock of one process, and of all of them.
        memory: bytes of a process.
        fatal: the number of processes that a function may end before it is not called any more.
    """

    call: float = 1.0
    load: float = 5.0
    search: float = 10.0
    run: float = 20.0
    total: float = 120.0
    memory: int = 512 << 20
    fatal: int = 2


class Outcome(Record):
    """The result of one call of an untrusted function.

    Attributes:
        fault: empty if it returned; else `exception`, `malformed output`, `output limit`, `time limit`, `memory limit`
            or `crash`; with a sentence as `message`, and the `line` of the code or None.
        fields: the answer, as `child.py` writes it: value, again, mutated; path, expanded, generated.
        printed: the number of characters printed.
        acts: attempted forbidden acts.
    """

    fault: str = ""
    message: str = ""
    line: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    printed: int = 0
    acts: list[str] = field(default_factory=list)


class Sandbox:
    """Untrusted code and the processes in which it runs; `unsafe` permits runs without protection."""

    def __init__(self, code: str, name: str, wanted: Sequence[str], budget: Budget, *, unsafe: bool = False) -> None:
        self.budget: Budget = budget
        self.walls: dict[str, bool] = {}
        self.garbage: str = ""
        """The beginning of the output between the answers."""
        self.flooded: bool = False
        self._code, self._name, self._wanted, self._unsafe = code, name, wanted, unsafe
        self._functions: dict[str, Any] = {}
        self._left = budget.total
        self._ended: Counter[str] = Counter()
        self._isolated = True

    def load(self) -> dict[str, Any]:
        """Load the code, and return the parameters of its functions. Raises ParseError, UnsupportedFeature."""
        self._run([])
        return self._functions

    def given_up(self, function: str) -> bool:
        """Return whether a function is no longer called, because it has ended too many processes."""
        return self._ended[function] >= self.budget.fatal

    def outcomes(self, calls: Sequence[dict[str, Any]]) -> list[Outcome | None]:
        """Make calls in as many processes as needed; return the outcome of each call, or None for a call not made."""
        outcomes: list[Outcome | None] = [None] * len(calls)
        waiting = list(range(len(calls)))
        while waiting and self._left > 0:
            waiting = [i for i in waiting if not self.given_up(_function(calls[i]))]
            batch = waiting[:_BATCH]
            answered = self._run([calls[i] for i in batch])
            for number, outcome in answered.items():
                outcomes[batch[number]] = outcome
                self._ended[_function(calls[batch[number]])] += outcome.fault in ("crash", "time limit", "memory limit")
            waiting = [i for i in waiting if outcomes[i] is None]
        return outcomes

    def _run(self, calls: list[dict[str, Any]]) -> dict[int, Outcome]:
        """Make calls in one process; return the outcomes by call number, up to the call that ended the process."""
        if not self._unsafe and not has("walls"):
            sentence = "the code is not run, since only Linux can keep it from your files, processes and the network"
            raise UnsupportedFeature(f"{sentence}; {CURE}", feature="a sandbox")
        word = f"answer-{os.urandom(8).hex()}"
        cut = self._left < self.budget.run
        answers, run = self._answered(word, calls)
        if answers.walls is None and self._isolated and run.limit != TIMEOUT:
            self._isolated = False  # Bubblewrap is here, but may not make namespaces, or Python does not start in them
            answers, run = self._answered(word, calls)
        self.flooded = self.flooded or len(run.log) - len(run.output) > _FLOOD
        self.garbage = (self.garbage + answers.garbage)[:200]
        if cut and run.limit == TIMEOUT and answers.loaded is None:
            return {}  # the last bit of the budget was too little for anything
        self._start(answers, run)
        outcomes = {number: _outcome(answer) for number, answer in answers.of_calls.items()}
        following = max(outcomes, default=-1) + 1
        # Many slow calls may use up the time of a process without any of them being at fault.
        slow = (run.limit == TIMEOUT or _signal(run) == "SIGXCPU") and (following > 0 or cut)
        last = outcomes.get(following - 1)
        given_up = last is not None and last.fault == "memory limit"
        if following < len(calls) and not slow and not given_up:
            outcomes[following] = self._ending(run, calls[following].get("seconds", self.budget.call))
        return outcomes

    def _answered(self, word: str, calls: list[dict[str, Any]]) -> tuple[ProcessAnswers, ProgramEnd]:
        """Make calls in one process; return the answers, and how the process ended."""
        limits = Limits(max(0.1, min(self._left, self.budget.run)), self.budget.memory)
        begin = time.monotonic()
        with Run(limits):
            end, self._isolated = run_script(_CHILD, self._request(word, calls), user=_NAME, isolated=self._isolated)
        self._left -= time.monotonic() - begin
        if end.limit:
            current().look()  # it may be the limit of the run around
        answers = ProcessAnswers(word, self._wanted, calls)
        answers.take(end.output)
        return answers, end

    def _request(self, word: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
        budget = self.budget
        return {
            "code": self._code,
            "name": self._name,
            "word": word,
            "wanted": [] if calls else list(self._wanted),  # to describe functions takes as long as hundreds of calls
            "seconds": budget.call,
            "load_seconds": budget.load,
            "slack": 3 * budget.call,
            "cpu_seconds": budget.run + 1,
            "required": [] if self._unsafe else list(BASIC),
            "calls": calls,
        }

    def _start(self, answers: ProcessAnswers, run: ProgramEnd) -> None:
        """Handle the answers about protection and loading. Raises an error if one of them is missing or bad."""
        if answers.walls is None:
            log = run.log.strip()[-500:]
            raise PlannerFailed(f"{_NAME} could not be set up: it {run.ending()}: {log}", planner=_NAME, log=run.log)
        self.walls = answers.walls
        lacking = [wall for wall in BASIC if not self.walls.get(wall)]
        if lacking and not self._unsafe:
            words = " and ".join(LACKING[wall] for wall in lacking)
            raise UnsupportedFeature(f"the code is not run, since this system {words}; {CURE}", feature="a sandbox")
        loaded = _outcome(answers.loaded) if answers.loaded else self._ending(run, self.budget.load)
        if loaded.fault:
            hint = "; components may import what comes with Python, and nothing else"
            why = loaded.message + (hint if loaded.message.startswith("ModuleNotFoundError") else "")
            raise ParseError(f"the code cannot be loaded: {why}", file=self._name, line=loaded.line)
        if loaded.acts:
            raise ParseError(
                f"loading the code does something that components may not do: {loaded.acts[0]}", file=self._name
            )
        self._functions = loaded.fields["functions"] or self._functions

    def _ending(self, run: ProgramEnd, seconds: float) -> Outcome:
        """Return the outcome of a call that ended its whole process."""
        line = re.search(rf'File "{re.escape(self._name)}", line (\d+)', run.log[len(run.output) :])
        place = int(line[1]) if line else None
        if run.limit == TIMEOUT or _signal(run) in _TIMERS:
            return Outcome("time limit", f"it takes longer than {seconds:g} s", place)
        if run.limit == MEMOUT:
            return Outcome("memory limit", f"it takes more than {self.budget.memory >> 20} MB", place)
        return Outcome("crash", f"it ends the whole process, which {run.ending()}", place)


def _outcome(answer: dict[str, Any]) -> Outcome:
    """Return the outcome of a call from the answer of the sandbox process."""
    error, printed, acts = answer.get("error"), answer.get("printed", 0), answer.get("acts", [])
    fields = {name: value for name, value in answer.items() if name not in ("error", "printed", "acts")}
    if error is None:
        return Outcome(fields=fields, printed=printed, acts=acts)
    message = f"{error['type']}: {error['said']}".rstrip(": ")
    if error["ours"]:
        fault, message = "output limit" if error["type"] == "TooMuchError" else "malformed output", error["said"]
    else:
        fault = "memory limit" if error["type"] == "MemoryError" else "exception"
    return Outcome(fault, message, error["line"], fields, printed, acts)


def _signal(run: ProgramEnd) -> str:
    return "" if run.signal is None else signal_name(run.signal)


def _function(call: dict[str, Any]) -> str:
    return "search" if "search" in call else str(call["function"])


# Read the answers of the sandbox, which malicious code may have written: nothing in them is trusted.
#
# An answer is one line: the word, a blank and an object with the number `i` of its call and exactly the fields of its
# form below, all plain data of a bounded size. Everything else is garbage. The first answer to a call counts.

AnswerForm = dict[str, Callable[[Any], bool]]

WALLS, LOADED = -2, -1
_MOST = 2 * MOST_CHARACTERS + 10_000  # characters of a line: a value, twice, or with the arguments as they were after
_COUNT = 1 << 53
_GARBAGE = 200  # characters


class ProcessAnswers:
    """The answers of a sandbox process: about its protection, about loading the code, and to each call."""

    def __init__(self, word: str, wanted: Sequence[str], calls: Sequence[dict[str, Any]]) -> None:
        self._mark, self._wanted, self._calls = word + " ", wanted, calls
        self.walls: dict[str, bool] | None = None
        self.loaded: dict[str, Any] | None = None
        self.of_calls: dict[int, dict[str, Any]] = {}
        self.garbage: str = ""

    def take(self, output: str) -> None:
        """Divide the output of a process into answers, which are stored, and `garbage`."""
        for line in output.split("\n"):
            garbage, mark, text = line.partition(self._mark)
            if mark and not self._is_answer(text):
                garbage = garbage[:_GARBAGE] + text
            self.garbage = (self.garbage + garbage[:_GARBAGE])[:_GARBAGE]

    def _is_answer(self, text: str) -> bool:
        """Store the answer in a text; return False if the text is not an answer."""
        if len(text) > _MOST:
            return False
        try:
            answer = json.loads(text, parse_constant=_refuse)
            self._store(answer.pop("i"), answer)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, NotPlainError):
            return False
        return True

    def _store(self, number: Any, answer: dict[str, Any]) -> None:
        """Store the answer to the call with this number. Raises NotPlainError for an invalid answer.

        Negative numbers are reports on the walls around the code, and on loading it. Only the first answer to a call
        counts, as the code may send more.
        """
        if type(number) is not int or not WALLS <= number < len(self._calls):
            raise NotPlainError(f"the number {number} is not the number of a call")
        _require_plain(answer)
        if number == WALLS:
            _require(_has(answer, _WALLS))
            self.walls = self.walls or answer["walls"]
        elif number == LOADED:
            _require(_has(answer, _ENDING | {"functions": self._are_functions}) or _is_error(answer))
            self.loaded = self.loaded or answer
        else:
            _require(_is_error(answer) or any(_has(answer, form) for form in _forms(self._calls[number])))
            self.of_calls.setdefault(number, answer)

    def _are_functions(self, value: Any) -> bool:
        return isinstance(value, dict) and all(
            name in self._wanted and (form is None or _has(form, _FUNCTION)) for name, form in value.items()
        )


def _refuse(constant: str) -> Any:
    raise NotPlainError(f"the answer contains the number {constant}, which is not finite")


def _require(true: bool) -> None:
    if not true:
        raise NotPlainError("the text does not have the form of an answer")


def _require_plain(value: Any, depth: int = 0) -> None:
    """Raise NotPlainError for a value that the function `encode` cannot have made."""
    _require(depth <= DEEPEST + 5)  # a value is a few levels deep in its answer
    if isinstance(value, list):
        for part in value:
            _require_plain(part, depth + 1)
    elif isinstance(value, dict):
        if FRACTION in value:
            parts = value[FRACTION]
            _require(len(value) == 1 and type(parts) is list and list(map(type, parts)) == [int, int] and parts[1] > 0)
        for part in value.values():
            _require_plain(part, depth + 1)
    elif isinstance(value, float):
        _require(math.isfinite(value))
    elif isinstance(value, int):
        _require(value.bit_length() <= MOST_BITS)


def _has(value: Any, form: AnswerForm) -> bool:
    """Return whether a value is a dictionary with exactly the fields of `form`, each with a valid value."""
    return isinstance(value, dict) and value.keys() == form.keys() and all(form[name](value[name]) for name in form)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 10_000


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < _COUNT


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _can_be_decoded(value: Any) -> bool:
    decode(value)  # whether it is plain was checked before
    return True


def _is_after(value: Any) -> bool:
    """Return whether a value has the form in which arguments are reported after a call: [positional, named]."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], list) and len(value[0]) > 0


_WALLS: AnswerForm = {"walls": lambda walls: isinstance(walls, dict) and all(map(_is_flag, walls.values()))}
_ENDING: AnswerForm = {"printed": _is_number, "acts": lambda acts: _are_texts(acts) and len(acts) <= 3}
_ERROR: AnswerForm = {
    "type": _is_text,
    "said": _is_text,
    "line": lambda line: line is None or _is_number(line),
    "function": lambda name: name is None or _is_text(name),
    "ours": _is_flag,
}
_FUNCTION: AnswerForm = {"taken": _are_texts, "needed": _are_texts, "positional": _is_number, "anything": _is_flag}


def _is_error(answer: dict[str, Any]) -> bool:
    return _has(answer, _ENDING | {"error": lambda error: _has(error, _ERROR)})


def _forms(call: dict[str, Any]) -> list[AnswerForm]:
    """Return the forms that a valid answer to a call may have."""
    if "search" in call:
        counts = _ENDING | {"expanded": _is_number, "generated": _is_number}
        counts["path"] = lambda path: path is None or (isinstance(path, list) and len(path) > 0)
        return [counts, counts | {"ended": _is_flag}]
    form = _ENDING | {"value": (lambda value: isinstance(value, list)) if call.get("many") else _can_be_decoded}
    if call.get("twice"):
        form |= {"again": form["value"]}
    return [form, form | {"mutated": _is_after}]
