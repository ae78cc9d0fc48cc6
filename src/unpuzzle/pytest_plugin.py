"""A plugin of pytest: expectations in PDDL files and games become tests, and folders of tasks become fixtures.

pytest loads it automatically if unpuzzle is installed, so it imports nothing of ours before the first file with an
expectation. `unpuzzle.testing.expectations` lists the possible expectations. One that is met passes; one that is not
met fails; an undecided one (a limit, a missing domain) is an error.

    @pytest.mark.pddl_tasks("tasks")            a folder beside the test, or files such as "tasks/p*.pddl"
    def test_all(pddl_task): ...                once for each problem: a `pddl.Task`

Settings, in the table of pytest: `unpuzzle_time_limit` (seconds of each test, 60), `unpuzzle_memory_limit` (megabytes,
2048) and `unpuzzle_planner`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from unpuzzle.found_files import is_found
from unpuzzle.limits import Limits
from unpuzzle.pddl.reading.reader import read
from unpuzzle.testing.expectations import Expectation, domain_beside, expectations, judge

LARGEST = 8 << 20
"""The largest file, in bytes, that is searched for expectations."""
MARKS = {".pddl": re.compile(rb";[ \t]*expect:", re.IGNORECASE), ".txt": re.compile(rb"\([ \t]*expect:", re.IGNORECASE)}
"""The marks of expectations, by the ending of a file."""
PROBLEM = re.compile(rb"\(\s*define\s*\(\s*problem\b", re.IGNORECASE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings."""
    parser.addini("unpuzzle_time_limit", "seconds of each expectation; default: 60", default="60")
    parser.addini("unpuzzle_memory_limit", "megabytes of each expectation; default: 2048", default="2048")
    parser.addini("unpuzzle_planner", "the planner of expectations; default: the native one", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    about = "pddl_tasks(*patterns): folders, or files by patterns, whose problems the fixture `pddl_task` goes through"
    config.addinivalue_line("markers", about)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file with expectations."""
    mark = MARKS.get(file_path.suffix)
    if mark is None or not mark.search(_beginning(file_path)):
        return None
    root = parent.config.rootpath
    if not is_found(str(file_path), str(root if file_path.is_relative_to(root) else file_path.parent)):
        return None
    file: pytest.Collector = ExpectationFile.from_parent(parent, path=file_path)
    return file


def _beginning(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else b""
    except OSError:
        return b""


class ExpectationFile(pytest.File):
    """A file with expectations."""

    def collect(self) -> Iterator[ExpectationItem]:
        """Yield a test for each expectation, in the order of lines."""
        text = self.path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        seen: dict[str, int] = {}
        for each in expectations(str(self.path), text):
            number = seen[each.text] = seen.get(each.text, 0) + 1
            name = each.text if number == 1 else f"{each.text} ({number})"
            item: ExpectationItem = ExpectationItem.from_parent(self, name=name, expectation=each)
            yield item


class ExpectationItem(pytest.Item):
    """One expectation as a test: judged in its setup, so that an undecided one is an error and not a failure."""

    def __init__(self, *, expectation: Expectation, **settings: Any) -> None:
        super().__init__(**settings)
        self.expectation = expectation
        self.unmet = ""

    def setup(self) -> None:
        """Judge the expectation. Ends with an error if it is undecided."""
        planner = self.config.getini("unpuzzle_planner") or None
        judgement = judge(str(self.path), self.expectation, limits_of(self.config), planner)
        if judgement.met is None:
            pytest.fail(f"{self._expected()}\nundecided: {judgement.said}", pytrace=False)
        self.unmet = "" if judgement.met else judgement.said

    def runtest(self) -> None:
        """Fail if the result differs."""
        if self.unmet:
            pytest.fail(f"{self._expected()}\nbut: {self.unmet}", pytrace=False)

    def _expected(self) -> str:
        return f"{self.path.name}:{self.expectation.line}: expected: {self.expectation.text}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the place of the comment."""
        return self.path, self.expectation.line - 1, f"{self.path.name}: {self.name}"


def limits_of(config: pytest.Config) -> Limits:
    """Return the limits of each test. Raises UsageError of pytest for invalid numbers."""
    numbers = {}
    for name in ("time", "memory"):
        text = config.getini(f"unpuzzle_{name}_limit")
        try:
            numbers[name] = float(text)
        except ValueError:
            raise pytest.UsageError(f"unpuzzle_{name}_limit must be a number, not '{text}'") from None
    return Limits(numbers["time"], int(numbers["memory"] * (1 << 20)))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test with the fixture `pddl_task` each problem of its marker."""
    if "pddl_task" not in metafunc.fixturenames:
        return
    marks = list(metafunc.definition.iter_markers("pddl_tasks"))
    patterns = [str(pattern) for mark in marks for pattern in mark.args] or ["."]
    home = Path(str(metafunc.definition.path)).parent
    paths = sorted({path for pattern in patterns for path in _matching(home, pattern)})
    if not paths:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: no problems in {', '.join(patterns)} below {home}")
    names = [str(path.relative_to(home)) if path.is_relative_to(home) else str(path) for path in paths]
    metafunc.parametrize("pddl_task", paths, ids=names, indirect=True)


def _matching(home: Path, pattern: str) -> Iterator[Path]:
    place = home / pattern
    for path in place.glob("*.pddl") if place.is_dir() else home.glob(pattern):
        root = home if path.is_relative_to(home) else path.parent
        if is_found(str(path), str(root)) and PROBLEM.search(_beginning(path)):
            yield path


@pytest.fixture
def pddl_task(request: pytest.FixtureRequest) -> Any:
    """Return the task of one problem, with the domain beside it."""
    path = str(request.param)
    return read(domain_beside(path), path)
