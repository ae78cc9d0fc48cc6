"""A check of the watched files with several commands: faults, and results of solving and comparing the files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from unpuzzle.base.errors import CANCELLED, SOLVED_OPTIMALLY, UNSUPPORTED, verdict_of_status
from unpuzzle.base.run import Limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.puzzle.classes import shown
from unpuzzle.servers.watch.subjects import Job, Subjects
from unpuzzle.workspace.asking import Commands, Reply

LEVELS = 20
"""The number of levels of a puzzle whose limits its survey may need one after the other."""
WAITS = "not asked: there are errors"
"""The words in place of a result."""
CHECKED_STATES = 20_000
"""A larger level is not checked at every save."""


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

    def __str__(self) -> str:
        return f"{self.name}: {self.said}"


class Look(Record):
    """The faults and results of one check of the watched files.

    Attributes:
        missing: files that are watched, or were read by the last look, and are missing.
        linted: the verdict of `lint`.
    """

    faults: tuple[Found, ...] = ()
    results: tuple[LookResult, ...] = ()
    missing: tuple[str, ...] = ()
    linted: str = "yes"


class Looker:
    """Checks files; another thread can stop a check in progress with `cancel`."""

    def __init__(self, subjects: Subjects, time: float, memory: int) -> None:
        self._subjects = subjects
        self._commands = Commands()
        self._time, self._memory = time, memory
        self._limits = Limits()
        self._cancelled = False
        self._read: list[str] = []
        self._linted = "yes"

    def cancel(self) -> None:
        """Stop the check in progress, because a newer file is waiting to be checked."""
        self._cancelled = True
        self._limits.cancel()

    def look(self) -> Look | None:
        """Return the results of a new check of the files; None if the check was cancelled."""
        self._cancelled = False
        wanted = dict.fromkeys([*self._subjects.files, *self._read])
        missing = tuple(shown(path) for path in wanted if not os.path.isfile(path))
        faults = list(self._faults())
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
        return Look(tuple(faults), tuple(results), missing, self._linted)

    def _faults(self) -> Iterator[Found]:
        files, self._linted = self._subjects.linted(), "yes"
        if not files:
            return
        reply = self._ask("lint", *files)
        self._linted = reply.verdict
        for row in reply.get("faults") or []:
            fields = {name: row[name] for name in ("line", "column", "severity", "code", "message")}
            yield Found(shown(row["file"] or files[0]), **fields)
        if "faults" not in reply.fields:
            yield Found(shown(files[0]), None, None, "warning", "lint", _sentence(reply))

    def _results(self, job: Job) -> Iterator[LookResult]:
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
        """Yield the comparison of rules and PDDL for the smallest level, if small enough, unless a save is waiting."""
        sizes: dict[str, int] = {row["level"]: row["states"] for row in rows if row.get("states")}
        if not sizes or self._cancelled or min(sizes.values()) > CHECKED_STATES:
            return
        level = min(sizes, key=lambda name: sizes[name])
        reply = self._ask("check", job.words[1], level)
        if reply.get("status") == UNSUPPORTED and not os.path.isfile(job.files[-1]):  # a puzzle need not have PDDL
            return
        said = _sentence(reply)
        if reply.verdict == "yes":
            said = f"the PDDL is the game (states: {reply.get('states'):,})"
        elif reply.verdict == "no":
            there = reply.get("difference") or {}
            after = f"after {' '.join(there['moves'])}" if there.get("moves") else "at the start"
            said = f"the PDDL is not the game: {after} the rules say {there.get('rules')}, the PDDL {there.get('pddl')}"
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


def _sentence(reply: Reply) -> str:
    return _result(reply.verdict, reply.fields)


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
    return News(
        _without(now.faults, old.faults),
        _without(old.faults, now.faults),
        tuple(changes),
        len(now.faults),
        now.missing,
        now.results,
        before is None,
    )


def _without(faults: tuple[Found, ...], others: tuple[Found, ...]) -> tuple[Found, ...]:
    """Return the faults that are missing from `others`; several equal faults need as many in `others`."""
    left = Counter((fault.file, fault.code, fault.message) for fault in others)
    result = []
    for fault in faults:
        key = (fault.file, fault.code, fault.message)
        left[key] -= 1
        result += [fault] if left[key] < 0 else []
    return tuple(result)
