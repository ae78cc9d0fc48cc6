"""The test items of the pytest plugin: expectations in files, and planning problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest

from unpuzzle.base.files import is_found
from unpuzzle.base.run import Limits
from unpuzzle.pddl.matching import domain_beside
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import read
from unpuzzle.testing.expectations import Expectation, expectations, judge

PROBLEM = re.compile(rb"\(\s*define\s*\(\s*problem\b", re.IGNORECASE)


def collected(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return a pytest collector for a file with expectations; None for a file without any."""
    root = parent.config.rootpath
    if not is_found(str(path), str(root if path.is_relative_to(root) else path.parent)):
        return None
    file: pytest.Collector = ExpectationFile.from_parent(parent, path=path)
    return file


class ExpectationFile(pytest.File):
    """The pytest collector of a file with expectations."""

    def collect(self) -> Iterator[ExpectationItem]:
        """Yield a test for each expectation, in the order of the lines."""
        text = self.path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        seen: dict[str, int] = {}
        for each in expectations(str(self.path), text):
            number = seen[each.text] = seen.get(each.text, 0) + 1
            name = each.text if number == 1 else f"{each.text} ({number})"
            item: ExpectationItem = ExpectationItem.from_parent(self, name=name, expectation=each)
            yield item


class ExpectationItem(pytest.Item):
    """The pytest test of one expectation; an undecided expectation is an error, not a failure."""

    def __init__(self, *, expectation: Expectation, **settings: Any) -> None:
        super().__init__(**settings)
        self.expectation = expectation
        self.unmet = ""

    def setup(self) -> None:
        """Check the expectation; raise an error if it remains undecided."""
        planner = self.config.getini("unpuzzle_planner") or None
        judgement = judge(str(self.path), self.expectation, limits_of(self.config), planner)
        if judgement.met is None:
            pytest.fail(f"{self._expected()}\nundecided: {judgement.said}", pytrace=False)
        self.unmet = "" if judgement.met else judgement.said

    def runtest(self) -> None:
        """Fail if the result differs from the expectation."""
        if self.unmet:
            pytest.fail(f"{self._expected()}\nbut: {self.unmet}", pytrace=False)

    def _expected(self) -> str:
        return f"{self.path.name}:{self.expectation.line}: expected: {self.expectation.text}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file and line of the expectation's comment, and the name of the test."""
        return self.path, self.expectation.line - 1, f"{self.path.name}: {self.name}"


def limits_of(config: pytest.Config) -> Limits:
    """Return the limits of each test from the pytest options. Raises pytest's UsageError for invalid numbers."""
    numbers = {}
    for name in ("time", "memory"):
        text = config.getini(f"unpuzzle_{name}_limit")
        try:
            numbers[name] = float(text)
            if not 0 < numbers[name] < inf:
                raise ValueError
        except ValueError:
            raise pytest.UsageError(f"unpuzzle_{name}_limit must be a number above 0, not '{text}'") from None
    return Limits(numbers["time"], int(numbers["memory"] * (1 << 20)))


def problems(home: Path, pattern: str, text_of: Callable[[Path], bytes]) -> Iterator[Path]:
    """Yield the problem files in a folder, or those that match a pattern."""
    place = home / pattern
    for path in place.glob("*.pddl") if place.is_dir() else home.glob(pattern):
        root = home if path.is_relative_to(home) else path.parent
        if is_found(str(path), str(root)) and PROBLEM.search(text_of(path)):
            yield path


def task_at(path: Path) -> Task:
    """Return the task of a problem file, with the domain that `domain_beside` finds."""
    return read(domain_beside(str(path)), str(path))
