"""A pytest plugin that turns expectations in PDDL files and games into tests, and folders of tasks into fixtures.

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
from functools import partial
from pathlib import Path
from typing import Any

import pytest

LARGEST = 8 << 20
"""The largest file, in bytes, that is searched for expectations."""
MARKS = {".pddl": re.compile(rb";[ \t]*expect:", re.IGNORECASE), ".txt": re.compile(rb"\([ \t]*expect:", re.IGNORECASE)}
"""The marks of expectations, by the ending of a file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's settings to pytest."""
    parser.addini("unpuzzle_time_limit", "seconds of each expectation; default: 60", default="60")
    parser.addini("unpuzzle_memory_limit", "megabytes of each expectation; default: 2048", default="2048")
    parser.addini("unpuzzle_planner", "the planner of expectations; default: the native one", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `pddl_tasks`."""
    about = "pddl_tasks(*patterns): folders, or files by patterns, whose problems the fixture `pddl_task` goes through"
    config.addinivalue_line("markers", about)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return a collector for a file with expectations; None for other files."""
    mark = MARKS.get(file_path.suffix)
    if mark is None or not mark.search(_beginning(file_path)):
        return None
    from unpuzzle.testing.pytest_items import collected

    return collected(file_path, parent)


def _beginning(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else b""
    except OSError:
        return b""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with the fixture `pddl_task` once for each problem file that its marker `pddl_tasks` names."""
    if "pddl_task" not in metafunc.fixturenames:
        return
    marks = list(metafunc.definition.iter_markers("pddl_tasks"))
    patterns = [str(pattern) for mark in marks for pattern in mark.args] or ["."]
    home = Path(str(metafunc.definition.path)).parent
    from unpuzzle.testing.pytest_items import problems, task_at

    paths = sorted({path for pattern in patterns for path in problems(home, pattern, _beginning)})
    if not paths:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid}: there are no problems in {', '.join(patterns)} below {home}"
        )
    names = [str(path.relative_to(home)) if path.is_relative_to(home) else str(path) for path in paths]
    metafunc.parametrize("pddl_task", [partial(task_at, path) for path in paths], ids=names, indirect=True)


@pytest.fixture
def pddl_task(request: pytest.FixtureRequest) -> Any:
    """Return the PDDL task of one problem file and of the domain file that belongs to it."""
    return request.param()
