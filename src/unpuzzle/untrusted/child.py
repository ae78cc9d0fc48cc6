"""The script that runs in the sandbox process and calls the untrusted functions.

    python -I -S -B child.py WALLS       the path of `walls.py`; `request.json` is in the working directory

The request, which is deleted before the code runs, contains the code, its file's name, limits, a word, and the calls.
An answer is a line on the original standard output: the word, a blank and an object with the number of its call `i`. It
is written before the next call begins, so the first call without an answer is the one that ended the process. What the
code prints is discarded and counted. When a call takes too much processor time or wall clock, the kernel ends the
process by a signal, which no `except` can stop. Imports nothing of ours.
"""

from __future__ import annotations

import faulthandler
import json
import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_SUCCESSORS = 20_000
MOST_CHARACTERS = 1 << 20  # of one answer, and printed in one call
DEEPEST = 50
MOST_BITS = 10_000
FRACTION = "$fraction"
FORBIDDEN = (
    *("os.", "shutil.", "subprocess.", "socket.", "ctypes.", "pty.", "webbrowser.", "urllib.", "ftplib."),
    "_thread.start",
)
ALLOWED = ("os.listdir", "os.scandir", "os.walk", "os.fwalk")
TIMED = hasattr(signal, "setitimer")


class NotPlainError(Exception):
    """The exception for a value that is not plain data."""


class TooMuchError(Exception):
    """The exception for code that prints too much or returns too much data."""


def encode(value: Any, depth: int = 0) -> Any:
    """Encode plain data as a JSON value; tuples become lists, and fractions are marked. Raises NotPlainError."""
    if depth > DEEPEST:
        raise NotPlainError("the value is nested too deeply")
    if value is None or type(value) in (str, bool):
        return value
    if type(value) is int:
        if value.bit_length() > MOST_BITS:
            raise NotPlainError("the value contains a number with thousands of digits")
        return value
    if isinstance(value, list | tuple):
        return [encode(part, depth + 1) for part in value]
    if isinstance(value, dict) and all(isinstance(name, str) and name != FRACTION for name in value):
        return {name: encode(part, depth + 1) for name, part in value.items()}
    if type(value).__name__ == "Fraction":
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
            raise NotPlainError("the value contains a number with thousands of digits")
        whole = value.denominator == 1
        return value.numerator if whole else {FRACTION: [value.numerator, value.denominator]}
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotPlainError(f"the value contains the number {value}, which is not finite")
        return int(value) if value == int(value) else value
    raise NotPlainError(f"the value contains an object of type {type(value).__name__}")


def decode(value: Any, depth: int = 0) -> Any:
    """Return plain data from a JSON value that `encode` made. Raises NotPlainError for invalid values."""
    if depth > DEEPEST + 1:
        raise NotPlainError("the value is nested too deeply")
    if isinstance(value, list):
        return [decode(part, depth + 1) for part in value]
    if isinstance(value, dict):
        if FRACTION in value:
            from fractions import Fraction  # late: few games need it, and every process would pay for it

            try:
                return Fraction(*value[FRACTION])
            except (TypeError, ValueError, ZeroDivisionError):
                raise NotPlainError("the value contains something that looks like a fraction but is not one") from None
        return {name: decode(part, depth + 1) for name, part in value.items()}
    return value


def size(value: Any) -> int:
    """Return the approximate number of characters of an encoded value."""
    if isinstance(value, dict):
        return sum(len(name) + size(part) for name, part in value.items())
    return 1 + sum(map(size, value)) if isinstance(value, list) else len(str(value))


class Sink:
    """A substitute for standard output that counts the characters and discards them."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.characters: int = 0

    def write(self, text: str) -> int:
        self.characters += len(text)
        if self.characters > MOST_CHARACTERS:
            raise TooMuchError("the code printed more than a million characters")
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False


class Acts:
    """An audit hook that prevents untrusted code from starting processes, using the network or changing files."""

    def __init__(self) -> None:
        self.attempts: list[str] = []
        self.watching = False

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.watching:
            return
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes or (event.startswith(FORBIDDEN) and event not in ALLOWED):
            name = "open a file to write" if writes else event
            self.attempts.append(name)
            raise PermissionError(f"search components may not do this: {name}")


class Runner:
    """A runner that loads the untrusted code of one request and makes the requested calls."""

    def __init__(self, request: dict[str, Any], channel: int) -> None:
        self.request = request
        self.name: str = request["name"]
        self.channel = channel
        self.sink: Sink = Sink()
        sys.stdout = sys.stderr = self.sink
        self.acts: Acts = Acts()
        self.names: dict[str, Any] = {}

    def run(self) -> None:
        """Load the code, then make the requested calls."""
        sys.addaudithook(self.acts)
        loaded = self.guarded(self.load, self.request["load_seconds"])
        self.tell({"i": -1, **loaded})
        for i, call in enumerate(self.request["calls"]):
            answer = self.guarded(partial(self.call, call), call.get("seconds", self.request["seconds"]))
            self.tell({"i": i, **answer})
            if answer.get("error", {}).get("type") == "MemoryError":
                return  # the memory may still be in use

    def guarded(self, work: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any]:
        """Return the result or the exception of a function, what it printed, and which forbidden acts it tried."""
        self.sink.characters = 0
        self.acts.attempts = []
        set_timers(seconds, seconds + self.request["slack"])
        self.acts.watching = True
        try:
            answer = work()
        except BaseException as error:  # the timers raise here, too, and untrusted code may raise anything
            answer = {"error": self.place(error)}
        self.acts.watching = False
        set_timers(0, 0)
        return {**answer, "printed": self.sink.characters, "acts": self.acts.attempts[:3]}

    def place(self, error: BaseException) -> dict[str, Any]:
        """Return an exception as data: its type, its message, and the line of the tested code that raised it."""
        line, function, step = getattr(error, "lineno", None), None, error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == self.name:
                line, function = step.tb_lineno, step.tb_frame.f_code.co_name
            step = step.tb_next
        try:
            said = str(error)[:500]
        except BaseException:
            said = "(which cannot be shown)"
        ours = isinstance(error, NotPlainError | TooMuchError)
        kind = type(error).__name__[:100]
        return {"type": kind, "said": said, "line": line, "function": function and function[:100], "ours": ours}

    def load(self) -> dict[str, Any]:
        """Run the untrusted code, and return the parameters of the wanted functions."""
        self.names.update({"__name__": "components", "__file__": self.name, "__builtins__": __builtins__})
        exec(compile(self.request["code"], self.name, "exec", dont_inherit=True), self.names)  # noqa: S102
        functions = {name: self.names[name] for name in self.request["wanted"] if name in self.names}
        return {"functions": {name: parameters(function) for name, function in functions.items()}}

    def call(self, call: dict[str, Any]) -> dict[str, Any]:
        """Make a call, and a second call if requested, with equal arguments; return the results."""
        if "search" in call:
            return self.search(call)
        answer = self.once(call)
        if call.get("twice"):
            answer["again"] = self.once(call)["value"]
        return answer

    def once(self, call: dict[str, Any]) -> dict[str, Any]:
        """Make a call once; return its value, and its arguments if the function has changed them."""
        arguments, named = decode(call["arguments"]), decode(call["named"])
        value = self.names[call["function"]](*arguments, **named)
        if call.get("many"):
            value = list(listed(value))
        answer: dict[str, Any] = {"value": encode(value)}
        after = [[attempt(part) for part in arguments], attempt(named)]
        if after != [call["arguments"], call["named"]]:
            answer["mutated"] = after
        if size(answer) > MOST_CHARACTERS:
            raise TooMuchError("the answer has more than a million characters")
        return answer

    def search(self, call: dict[str, Any]) -> dict[str, Any]:
        """Search for a goal with the untrusted functions, breadth first or depth first."""
        successors, is_goal = (self.names[name] for name in call["search"])
        named, goal_named = decode(call["named"]), decode(call["goal_named"])
        start = call["arguments"][0]
        before: dict[str, str | None] = {json.dumps(start, sort_keys=True): None}
        frontier, expanded, generated = [json.dumps(start, sort_keys=True)], 0, 0
        position, deep = 0, call["deep"]
        while position < len(frontier) and expanded < call["budget"]:
            state = frontier.pop() if deep else frontier[position]
            position += not deep
            if is_goal(decode(json.loads(state)), **goal_named):
                return {"path": way(before, state), "expanded": expanded, "generated": generated}
            expanded += 1
            for successor in listed(successors(decode(json.loads(state)), **named)):
                generated += 1
                text = json.dumps(encode(successor), sort_keys=True)
                if text not in before:
                    before[text] = state
                    frontier.append(text)
        return {"path": None, "expanded": expanded, "generated": generated, "ended": position >= len(frontier)}

    def tell(self, answer: dict[str, Any]) -> None:
        data = (self.request["word"] + " " + json.dumps(answer) + "\n").encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(self.channel, data) :]


def way(before: dict[str, str | None], state: str | None) -> list[Any]:
    """Return the states on the path from the start to `state`."""
    path = []
    while state is not None:
        path.append(json.loads(state))
        state = before[state]
    return path[::-1]


def listed(value: Any) -> Iterator[Any]:
    """Yield the successors in the value that a function returned. Raises NotPlainError, TooMuchError."""
    if isinstance(value, str | dict) or not hasattr(value, "__iter__"):
        kind = "None" if value is None else f"a {type(value).__name__}"
        raise NotPlainError(f"successors must be a list, not {kind}")
    for number, successor in enumerate(value):
        if number >= MOST_SUCCESSORS:
            raise TooMuchError(f"there are more than {MOST_SUCCESSORS} successors")
        yield successor


def attempt(value: Any) -> Any:
    """Return a value as JSON; if it is not plain data, return a sentence that says so."""
    try:
        return encode(value)
    except NotPlainError as error:
        return f"no plain data: {error}"


def parameters(function: Any) -> dict[str, Any] | None:
    """Return the names of a function's parameters, and those without a default; None if it is no function."""
    from inspect import Parameter, signature

    if not callable(function):
        return None
    taken: list[str] = []
    needed: list[str] = []
    positional, anything = 0, False
    for one in signature(function).parameters.values():
        if one.kind == Parameter.VAR_KEYWORD:
            anything = True
        elif one.kind == Parameter.VAR_POSITIONAL:
            positional += 2
        else:
            positional += one.kind != Parameter.KEYWORD_ONLY
            taken.append(one.name)
            if one.default is Parameter.empty:
                needed.append(one.name)
    return {"taken": taken, "needed": needed, "positional": positional, "anything": anything}


def names_in(path: str) -> dict[str, Any]:
    """Run a Python file without importing it as a module, and return the names that it defines."""
    names: dict[str, Any] = {"__name__": "walls"}
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), names)  # noqa: S102
    return names


def set_timers(processor: float, clock: float) -> None:
    """Set timers that end this process after some seconds of processor time and of wall-clock time; 0 sets none.

    Without such timers, as on Windows, only the parent process ends it.
    """
    if TIMED:
        signal.setitimer(signal.ITIMER_PROF, processor)
        signal.setitimer(signal.ITIMER_REAL, clock)


def main(walls: str) -> None:
    """Answer the request in `request.json`; `walls` is the file with the code that restricts this process."""
    with open("request.json", encoding="utf-8") as file:
        request = json.load(file)
    os.unlink("request.json")
    channel = os.dup(1)
    os.dup2(2, 1)  # output past `sys.stdout` does not count as answers
    if TIMED:
        for number in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
            faulthandler.register(number, file=2, all_threads=False, chain=True)  # says the line; the signal kills
    faulthandler.enable(file=2)
    standing: dict[str, bool] = names_in(walls)["close"](request)
    runner = Runner(request, channel)
    runner.tell({"i": -2, "walls": standing})
    if all(standing[wall] for wall in request["required"]):
        runner.run()
    os.kill(
        os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM)
    )  # do not wait for threads or exit handlers of the code


if __name__ == "__main__":
    main(sys.argv[1])
