"""News: the differences between a look and the one before it.

A fault is the same as long as its file, code and sentence are: it may move with the lines around it.
"""

from __future__ import annotations

from collections import Counter

from unpuzzle.record import Record
from unpuzzle.watching.looks import Found, Look, LookResult
from unpuzzle.words import count


class Change(Record):
    """A result that is new or another one; `before` is empty for a new one, `after` for one that is no more."""

    name: str
    before: str
    after: str

    def __str__(self) -> str:
        if not self.after:
            return f"{self.name}: no longer has a result (was {self.before})"
        return f"{self.name}: {self.after}" + (f", was {self.before}" if self.before else "")


class News(Record):
    """The news of a look.

    Attributes:
        new_faults, faults_gone: since the look before.
        changes: of results, new ones and those that are no more included.
        faults: how many there are now.
        missing: files that are watched, or were read by the look before, and are not there.
        results: all of them, as they are now.
        first: whether there was no look before.
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
    """Return the news of a look; everything is new in the first one."""
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
    """Return the faults that are not among others, each as often as it is there more often."""
    left = Counter((fault.file, fault.code, fault.message) for fault in others)
    result = []
    for fault in faults:
        key = (fault.file, fault.code, fault.message)
        left[key] -= 1
        result += [fault] if left[key] < 0 else []
    return tuple(result)
