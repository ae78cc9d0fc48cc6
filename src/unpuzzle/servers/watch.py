"""Watch files: check them whenever they are saved, and report what has changed since the last check.

Files that belong together are watched together: the domain of a problem, the problems of a domain, the `.pddl` file of
a puzzle. A check asks commands in child processes, which load edited code anew, keep limits, and cannot hurt the one
that watches: a PDDL problem is planned, of a domain all its problems; of a game in a file, or a puzzle in Python, all
levels are solved, and of a puzzle in Python the smallest level is checked against its PDDL. A thread waits for saves,
so that the main thread receives signals, and checks can be cancelled.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from stat import S_ISREG
from typing import Any
from zlib import crc32

from unpuzzle.base import availability
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import found_files, is_found
from unpuzzle.base.outcomes import CANCELLED, SOLVED_OPTIMALLY, UNSUPPORTED, verdict_of_status
from unpuzzle.base.platform_facts import opened_at_once
from unpuzzle.base.run import Limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.model.classes import shown
from unpuzzle.pddl.matching import DOMAIN, PROBLEM, PddlText, domain_beside, read_text_of
from unpuzzle.pddl_game.game import ProblemFiles
from unpuzzle.translators import format_of
from unpuzzle.workspace.asking import Commands, Reply

LEVELS = 20
"""The number of levels of a puzzle whose limits its survey may need one after the other."""
WAITS = "not run: there are errors"
"""The words in place of a result."""
CHECKED_STATES = 20_000
"""A larger level is not checked at every save."""
MOST_PROBLEMS = 20
"""The most problems of a domain that is watched alone."""
DEBOUNCE, STEP = 400, 50
"""Milliseconds: a burst of changes is one save if it ends within the first, with pauses shorter than the second."""
PATIENCE = 0.2
"""The seconds after which the main thread checks for signals, on systems that do not wake it for them."""


class Job(Record):
    """A command in a check: the `name` of its result, its words, and files that must be free of errors before it runs.

    If something is missing for the command, there are no words, and `missing` says what.
    """

    name: str
    words: tuple[str, ...]
    files: tuple[str, ...] = ()
    missing: str = ""


class Subjects:
    """The watched files, as absolute paths, and the puzzle to which watched files of levels belong."""

    def __init__(self, names: Sequence[str], puzzle: str | None = None) -> None:
        self.files = [os.path.abspath(name) for name in names]
        self.puzzle = os.path.abspath(puzzle) if puzzle and os.path.isfile(puzzle) else puzzle
        for name, path in zip(names, self.files, strict=True):
            if os.path.isdir(path):
                raise UsageError(f"{name} is a folder: name the files to watch")
            if not os.path.isdir(os.path.dirname(path)):
                raise UsageError(f"{name}: this folder does not exist")
            if puzzle is None and not path.lower().endswith((".pddl", ".py")) and format_of(path) is None:
                raise UsageError(f"{name} is neither PDDL nor a game; if it has levels, add --puzzle NAME")

    def present(self) -> list[str]:
        return [path for path in self.files if os.path.isfile(path)]

    def folders(self) -> list[str]:
        """Return the folders of the files; folders are watched because editors replace files to save them."""
        others = [self.puzzle] if self.puzzle and os.path.isabs(self.puzzle) else []
        return sorted({os.path.dirname(path) for path in [*self.files, *others, *self.linted()]})

    def linted(self) -> list[str]:
        """Return the files that `lint` checks, each file once, with domains first."""
        paths = [path for path in self.present() if self.puzzle is None and not path.endswith(".py")]
        needed = [path for job in self.jobs() for path in job.files if not path.endswith(".py")]
        paths += [path for path in needed if is_found(path, os.path.dirname(path))]
        return sorted(dict.fromkeys(paths), key=lambda path: _text(path).kind != DOMAIN)

    def read(self) -> list[str]:
        """Return the files on which the results depend; for a puzzle in Python, all Python files in its folder."""
        folders = {os.path.dirname(path) for path in [*self.files, self.puzzle or ""] if path.endswith(".py")}
        code = sorted(path for folder in folders for path in found_files(folder, ".py", quiet=True))
        return list(dict.fromkeys([*self.files, *self.linted(), *([self.puzzle] if self.puzzle else []), *code]))

    def concerns(self, path: str) -> bool:
        """Return whether a change of a file may change the results of a check."""
        path = os.path.abspath(path)
        related = [each for each in (path, *self.files) if each.lower().endswith((".pddl", ".py"))]
        return path in (*self.files, self.puzzle) or (len(related) > 1 and related[0] == path)

    def jobs(self) -> Iterator[Job]:
        """Yield the commands of a check, for the files that exist."""
        problems = self._present(PROBLEM)
        for path in self.present():
            name = os.path.basename(path)
            if self.puzzle is not None:
                yield Job(name, ("solve", self.puzzle, path))
            elif path in problems:
                try:
                    domain = self._domain_of(path)
                except (UsageError, ParseError, OSError) as error:
                    yield Job(name, (), (path,), str(error))
                else:
                    yield Job(name, ("plan", domain, path), (domain, path))
            elif not path.lower().endswith(".pddl"):
                yield Job(name, ("survey", path), (path, f"{path.removesuffix('.py')}.pddl"))
            elif not problems:
                for problem in self._problems_of(path):
                    yield Job(os.path.basename(problem), ("plan", path, problem), (path, problem))

    def _present(self, kind: str) -> list[str]:
        return [path for path in self.present() if _text(path).kind == kind]

    def _domain_of(self, problem: str) -> str:
        given = self._present(DOMAIN)
        return given[0] if len(given) == 1 else os.path.abspath(domain_beside(problem))

    def _problems_of(self, domain: str) -> list[str]:
        name = _text(domain).defines
        return [] if name is None else ProblemFiles(name, domain).paths()[:MOST_PROBLEMS]


def _text(path: str) -> PddlText:
    """Return the text of a PDDL file; an empty text without a kind if the file is not PDDL or cannot be read."""
    if path.lower().endswith(".pddl"):
        with suppress(ParseError, OSError):
            return read_text_of(path)
    return PddlText(path, "")


class Found(Record):
    """A fault of a watched file, identified by file, `code` and `message`, because edits may move the line."""

    file: str
    line: int | None
    column: int | None
    severity: str
    code: str
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message} [{self.code}]"


class LookResult(Record):
    """A result of one command in a check of the watched files.

    Attributes:
        name: of the problem, the level or the check.
        verdict: `yes`, `no`, `refused`, `undecided` or `broken`.
        said: in words, such as `cost 7`.
    """

    name: str
    verdict: str
    said: str


class Look(Record):
    """The faults and results of one check of the watched files; `linted` is the verdict of `lint` on them."""

    faults: tuple[Found, ...] = ()
    results: tuple[LookResult, ...] = ()
    missing: tuple[str, ...] = ()
    linted: str = "yes"


class Looker:
    """A checker of the watched files; another thread can call `cancel` to stop a check."""

    def __init__(self, subjects: Subjects, time: float, memory: int) -> None:
        self._subjects = subjects
        self._commands = Commands()
        self._time, self._memory = time, memory
        self._limits = Limits()
        self._cancelled = False
        self._read: list[str] = []

    def cancel(self) -> None:
        """Stop the check in progress, because a newer file is waiting to be checked."""
        self._cancelled = True
        self._limits.cancel()

    def look(self) -> Look | None:
        """Return the results of a new check of the files; None if the check was cancelled."""
        self._cancelled = False
        wanted = dict.fromkeys([*self._subjects.files, *self._read])  # also what has been deleted since the last look
        missing = tuple(shown(path) for path in wanted if not os.path.isfile(path))
        linted, faults = self._lint(self._subjects.linted())
        wrong = {fault.file for fault in faults if fault.severity == "error"}
        results: list[LookResult] = []
        for job in self._subjects.jobs():
            if self._cancelled:
                break
            if not wrong.isdisjoint(map(shown, job.files)):
                results.append(LookResult(job.name, "refused", WAITS))
            elif job.missing:
                results.append(LookResult(job.name, "refused", f"not asked: {job.missing}"))
            else:
                results += self._results(job)
        if self._cancelled:
            return None
        self._read = self._subjects.linted()
        return Look(faults, tuple(results), missing, linted)

    def _lint(self, files: list[str]) -> tuple[str, tuple[Found, ...]]:
        """Return the verdict of `lint` on the files, and their faults."""
        if not files:
            return "yes", ()
        reply = self._ask("lint", *files)
        if "faults" not in reply.fields:
            said = _result(reply.verdict, reply.fields)
            return reply.verdict, (Found(shown(files[0]), None, None, "warning", "lint", said),)
        names = ("line", "column", "severity", "code", "message")
        rows = [(shown(row["file"] or files[0]), *[row[name] for name in names]) for row in reply.get("faults")]
        return reply.verdict, tuple([Found(*row) for row in rows])

    def _results(self, job: Job) -> Iterator[LookResult]:
        """Yield the results of one command, for each of its levels."""
        reply = self._ask(*job.words)
        rows = reply.get("rows") if job.words[0] == "survey" else reply.get("levels")
        if not rows:
            yield LookResult(job.name, reply.verdict, _result(reply.verdict, reply.fields))
            return
        for row in rows:
            name = str(row.get("level") or row.get("name") or row.get("number"))
            verdict = verdict_of_status(row.get("status"))
            yield LookResult(f"{job.name}, level {name}", verdict, _result(verdict, row))
        if job.words[1].endswith(".py"):
            yield from self._checked(job, rows)

    def _checked(self, job: Job, rows: list[dict[str, Any]]) -> Iterator[LookResult]:
        """Yield the comparison of rules and PDDL for the smallest level, unless too large or a save is waiting."""
        sizes: dict[str, int] = {row["level"]: row["states"] for row in rows if row.get("states")}
        if not sizes or self._cancelled or min(sizes.values()) > CHECKED_STATES:
            return
        level = min(sizes, key=lambda name: sizes[name])
        reply = self._ask("check", job.words[1], level)
        if reply.get("status") == UNSUPPORTED and not os.path.isfile(job.files[-1]):  # a puzzle need not have PDDL
            return
        said = _result(reply.verdict, reply.fields)
        if reply.verdict == "yes":
            said = f"the PDDL is the game (states: {reply.get('states'):,})"
        elif reply.verdict == "no":
            there = reply.get("difference") or {}
            after = f"after {' '.join(there['moves'])}" if there.get("moves") else "at the start"
            said = f"the PDDL differs from the rules {after}: rules: {there.get('rules')}; PDDL: {there.get('pddl')}"
        yield LookResult(f"{job.name}, check of level {level}", reply.verdict, said)

    def _ask(self, command: str, *words: str) -> Reply:
        if self._cancelled:
            return Reply("undecided", {"status": CANCELLED, "message": "there is something newer"})
        self._limits = Limits(self._time, self._memory)
        return self._commands.ask([command, *words], self._limits, each=LEVELS if command == "survey" else 1)


def _result(verdict: str, fields: dict[str, Any]) -> str:
    """Return the result of solving, in words."""
    cost = fields.get("cost")
    if verdict == "yes" and cost is not None:
        return f"cost {cost}" if fields.get("status") == SOLVED_OPTIMALLY else f"cost {cost}, perhaps not the least"
    if verdict == "no":
        return "unsolvable"
    place = [str(each) for each in map(fields.get, ("file", "line", "column")) if each is not None]
    where = f"{shown(place[0])}{''.join(f':{part}' for part in place[1:])}: " if place else ""
    return f"{verdict} ({fields.get('status')}): {where}{fields.get('message') or ''}".rstrip(": ")


# Changes: the differences between a look and the one before it.
#
# A fault is the same as long as its file, code and sentence are: it may move with the lines around it.


class Change(Record):
    """A changed result; `before` is empty for a new result, `after` is empty for a result that no longer exists."""

    name: str
    before: str
    after: str

    def __str__(self) -> str:
        if not self.after:
            return f"{self.name}: no longer has a result (was {self.before})"
        return f"{self.name}: {self.after}" + (f", was {self.before}" if self.before else "")


class News(Record):
    """The changes since the last check of the files.

    Attributes:
        new_faults, faults_gone: since the last look.
        changes: of results, including new and removed ones.
        faults: the number of faults now.
        missing: files that are watched, or were read by the last look, and are missing.
        results: all present results.
        first: whether this is the first look.
    """

    new_faults: tuple[Found, ...]
    faults_gone: tuple[Found, ...]
    changes: tuple[Change, ...]
    faults: int
    missing: tuple[str, ...]
    results: tuple[LookResult, ...]
    first: bool = False

    schema = "watch"

    def lines(self) -> list[str]:
        lines = [f"{name}: is not there" for name in self.missing]
        lines += [f"{'' if self.first else 'new: '}{fault}" for fault in self.new_faults]
        lines += [f"gone: {fault}" for fault in self.faults_gone]
        lines += map(str, self.changes)
        if not lines:
            return ["no faults" if self.first else f"nothing new ({count(self.faults, 'fault')})"]
        return lines


def news(before: Look | None, now: Look) -> News:
    """Return the changes since the last check; after the first check, everything is new."""
    old = Look() if before is None else before
    results = {result.name: result.said for result in now.results}
    were = {result.name: result.said for result in old.results}
    changes = [Change(name, were.get(name, ""), said) for name, said in results.items() if were.get(name) != said]
    changes += [Change(name, said, "") for name, said in were.items() if name not in results]
    gone, new = _without(old.faults, now.faults), _without(now.faults, old.faults)
    return News(new, gone, tuple(changes), len(now.faults), now.missing, now.results, before is None)


def _without(faults: tuple[Found, ...], others: tuple[Found, ...]) -> tuple[Found, ...]:
    """Return the faults that are not in `others`; a fault that occurs n times needs n equal ones there."""
    left = Counter((fault.file, fault.code, fault.message) for fault in others)
    result = []
    for fault in faults:
        key = (fault.file, fault.code, fault.message)
        left[key] -= 1
        result += [fault] if left[key] < 0 else []
    return tuple(result)


class Saves:
    """A context manager in which a thread watches folders; that thread calls `on_save` for each save."""

    def __init__(
        self, folders: Sequence[str], concerns: Callable[[str], bool], on_save: Callable[[], None] = lambda: None
    ) -> None:
        availability.require("studio", "watching files needs", "watchfiles")
        self._folders, self._concerns, self._on_save = folders, concerns, on_save
        self._queue: SimpleQueue[BaseException | None] = SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="unpuzzle-saves", daemon=True)

    def __enter__(self) -> Saves:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(2.0)

    def wait(self) -> None:
        """Return after the next save. Raises OSError if watching is impossible, or becomes impossible."""
        while True:
            try:
                error = self._queue.get(timeout=PATIENCE)
            except Empty:
                continue
            while not self._queue.empty():
                error = self._queue.get() or error
            if error is not None:
                raise error
            return

    def _watch(self) -> None:
        """Report each save; after a failure also report once a second, because a save may have been missed."""
        from watchfiles import watch

        settings: dict[str, Any] = {"debounce": DEBOUNCE, "step": STEP, "rust_timeout": 1_000, "recursive": False}
        settings |= {"watch_filter": lambda _, path: self._concerns(path), "stop_event": self._stop}
        failed = False
        while not self._stop.is_set():
            try:
                for changes in watch(*self._folders, yield_on_timeout=failed, **settings):
                    self._queue.put(None)
                    if changes:
                        self._on_save()
            except RuntimeError:  # of a change of a file whose name is no text; saves meanwhile are missed
                failed = True
                self._stop.wait(PATIENCE)
            except BaseException as error:
                self._queue.put(error if isinstance(error, OSError) else OSError(f"watching ended: {error}"))
                return


def fingerprint(paths: Iterable[str]) -> dict[str, tuple[int, int] | None]:
    """Return, by path, the length and a checksum of each file; None for a missing file."""
    prints: dict[str, tuple[int, int] | None] = {}
    for path in paths:
        try:
            with open(path, "rb", opener=opened_at_once) as file:
                data = file.read() if S_ISREG(os.fstat(file.fileno()).st_mode) else b""
        except OSError:
            prints[path] = None
        else:
            prints[os.path.abspath(path)] = (len(data), crc32(data))
    return prints
