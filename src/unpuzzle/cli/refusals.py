"""Errors as answers: each error becomes one sentence, with fields for JSON and an exit code.

The strict reader of PDDL stops at the first word that does not fit; lint reads on, so it can often say how to correct
the fault, and where an unclosed bracket was opened (`ReadingPddl`). An exception in a game's code becomes a fault of
the game (`PlayingGame`).

Any other error is a bug in unpuzzle: a report with its traceback is written to a file, for the developers. The report
says nothing about the user. It names only modules of Python, unpuzzle and libraries; the command and the names of its
options; the kind of system and the versions. The error's own message is kept, without paths.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from unpuzzle.base.errors import IllegalMove, LimitReached, ParseError, UsageError
from unpuzzle.base.outcomes import BROKEN, FAULT, of_error
from unpuzzle.base.type_hints import Self
from unpuzzle.base.values import schema_name
from unpuzzle.cli.answer import Answer, complain
from unpuzzle.cli.commands import COMMANDS
from unpuzzle.model.position import Game
from unpuzzle.version import __version__

SHOWN = 200
"""The most characters of an error's message in a sentence."""
ENTRIES = 40
"""The number of entries kept at each end of a traceback; others are only counted."""
OUTSIDE = "a file of the user"
PATH = r"""(?:[A-Za-z]:)?[^\s'":,;()=]*[\\/][^\s'":,;()]*"""
PDDL = ".pddl"


def refusal(error: BaseException, words: Sequence[str] = ()) -> Answer:
    """Return the answer for an error that ended a command line; `words` are the words of this command line."""
    error = _cause(error)
    if (ending := of_error(error)) is None:
        return _bug_answer(error, words)
    code, status = ending
    message = str(error)
    if isinstance(error, KeyboardInterrupt):
        message = f"interrupted: {error}" if str(error) else "interrupted"
    elif isinstance(error, MemoryError):
        message = "the memory ran out"
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
        if isinstance(error, FileNotFoundError) and os.path.isfile(near := f"{error.filename}{PDDL}"):
            message += f"; did you mean {near}?"
    answer = Answer(code, _fields(error, status, message), complaint=f"unpuzzle: {message}")
    if isinstance(error, UsageError):
        known = words and words[0] in COMMANDS
        answer.complain(
            f"`unpuzzle {words[0]} --help` shows its arguments" if known else "`unpuzzle --help` lists the commands"
        )
    return answer


def _cause(error: BaseException) -> BaseException:
    """Return an error or, if a signal during a lock operation caused this error, the exception for the signal.

    `Condition.wait` releases its lock one step before the `try` that takes it back. A signal that arrives in between
    makes the `with` around it release the lock once more, and that fails.
    """
    cause = error.__context__
    of_a_lock = isinstance(error, RuntimeError) and str(error).endswith("lock")
    return cause if of_a_lock and isinstance(cause, KeyboardInterrupt | LimitReached) else error


def _fields(error: BaseException, status: str, message: str) -> dict[str, object]:
    """Return the JSON fields of an error: its status, its message, and its place in a file."""
    file = getattr(error, "file", getattr(error, "filename", None))
    return {
        "schema": schema_name("error"),
        "status": status,
        "message": getattr(error, "message", message),
        "file": file if file is None or isinstance(file, str) else str(file),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }


def _bug_answer(error: BaseException, words: Sequence[str]) -> Answer:
    """Return the answer about a bug in unpuzzle; if its traceback cannot be saved, write it to stderr."""
    version = ".".join(map(str, sys.version_info[:3]))
    head = f"unpuzzle {__version__}, Python {version}, {sys.platform}: {_command(words)}\n"
    text = head + "\n".join(_tracebacks(error))
    path = save_report(text)
    message = f"this is a bug in unpuzzle: {name_of(error)}"
    where = "which is above" if path is None else f"which is in {path}"
    advice = f"please report it to the authors of unpuzzle with its traceback, {where}"
    if path is None:
        complain(text)
    fields = _fields(error, FAULT, message) | {"file": None, "line": None, "column": None, "report": path}
    return Answer(BROKEN, fields, complaint=f"unpuzzle: {message}; {advice}")


def name_of(error: BaseException) -> str:
    """Return the class of an error and the beginning of its message, on one line and without paths of the user."""
    message = " ".join(re.sub(PATH, "(a path)", str(error)).split())
    return f"{type(error).__name__}: {message[:SHOWN]}".rstrip(": ")


def _command(words: Sequence[str]) -> str:
    """Return the command and the names of its options, without their values."""
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    names = [option for option in options if option[2:].replace("-", "").isalpha()]
    return " ".join(["unpuzzle", *[word for word in words[:1] if word in COMMANDS], *names])


def _tracebacks(error: BaseException) -> Iterator[str]:
    """Yield the traceback of an error and of each error that caused it, beginning with the first cause."""
    from traceback import extract_tb

    chain = [error]
    while (before := chain[0].__cause__ or chain[0].__context__) is not None and before not in chain:
        chain.insert(0, before)
    for one in chain:
        calls = [(_place(call.filename), call) for call in extract_tb(one.__traceback__)]
        entries = [f"  {place}:{call.lineno}, {call.name}" for place, call in calls]
        for number, (place, call) in enumerate(calls):
            if call.line and place != OUTSIDE:  # the line only of installed code
                entries[number] += f"\n    {call.line}"
        if len(entries) > 2 * ENTRIES:
            entries[ENTRIES:-ENTRIES] = [f"  ... {len(entries) - 2 * ENTRIES:,} more"]
        yield "\n".join(["", *entries, f"{type(one).__module__}.{name_of(one)}", ""])


def _place(path: str) -> str:
    """Return the module name of a file, if the file belongs to Python, unpuzzle or a library."""
    in_a_library = f"{os.sep}site-packages{os.sep}" in path
    for name, module in [*sys.modules.items()]:
        installed = in_a_library or name.partition(".")[0] in {*sys.stdlib_module_names, "unpuzzle"}
        if installed and getattr(module, "__file__", None) == path:
            return name
    return path if path.startswith("<frozen ") else OUTSIDE


def save_report(text: str) -> str | None:
    """Write a report into a new file, readable only by its owner; return its name, or None if that fails."""
    from tempfile import mkstemp  # most errors are not bugs in unpuzzle, and should be reported quickly

    try:
        number, path = mkstemp(prefix="unpuzzle-fault-", suffix=".txt", text=True)
    except OSError:
        return None
    try:
        with open(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        os.unlink(path)
        return None
    return path


class Clearer:
    """A base class of context managers that replace errors of their block by clearer errors."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and (clearer := self.instead_of(error)) is not None:
            raise clearer from error

    def instead_of(self, error: BaseException) -> ParseError | None:
        """Return a clearer error than the given error, or None to keep the given error."""
        raise TypeError(f"{type(self).__name__} does not define instead_of()")


class ReadingPddl(Clearer):
    """A context manager for reading PDDL files; a ParseError becomes the first error that lint finds in them.

    If a file is surely something else, such as a plan, the error says so; `plan` is the file of a plan, if any.
    """

    def __init__(self, domain: str, problem: str | None = None, plan: str | None = None) -> None:
        self.domain = domain
        self.problem = problem if problem is not None and os.path.isfile(problem) else None
        self.plan = plan if plan is not None and os.path.isfile(plan) else None

    def instead_of(self, error: BaseException) -> ParseError | None:
        if type(error) is not ParseError or error.file is None or error.file not in (self.domain, self.problem):
            return None
        if not os.path.isfile(self.domain):
            return None
        from unpuzzle.pddl.linting.linting import first_error
        from unpuzzle.pddl.matching import misplaced_plan

        wrong = misplaced_plan({"domain": self.domain, "problem": self.problem, "plan": self.plan})
        if wrong is not None:
            return wrong
        return first_error(error.file, self.domain, self.problem) if self.domain.lower().endswith(PDDL) else None


class PlayingGame(Clearer):
    """A context manager for running a game's code; it reports unexpected exceptions and illegal moves as game faults.

    `levels` are texts with their names.
    """

    def __init__(self, game: Game | None, levels: Iterable[tuple[str, str]] = ()) -> None:
        self.game, self.levels = game, levels

    def instead_of(self, error: BaseException) -> ParseError | None:
        known = of_error(error) is not None and not isinstance(error, IllegalMove)
        if known or self.game is None or not isinstance(error, Exception | SystemExit):
            return None
        from unpuzzle.model.faults import fault_of

        return fault_of(error, self.game, self.levels)
