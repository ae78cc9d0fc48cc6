"""The tests themselves: none asserts how long something takes, and each stands for itself."""

import re
from pathlib import Path

import pytest

from support.asserted_times import asserted_times

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.py"))

MAY_READ_A_CLOCK = {
    "support/clocks.py": "a clock that is true until it leaps",
    "support/waiting.py": "waits for what must happen, with a hundred times the patience that it needs",
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HERE)))
def test_no_test_asserts_how_long_something_takes(file: Path) -> None:
    found = asserted_times(file.read_text())
    assert bool(found) == (file.relative_to(HERE).as_posix() in MAY_READ_A_CLOCK), found


@pytest.mark.parametrize(
    "line",
    [
        "begin = time.perf_counter()",
        "begin = time.time()",
        "begin = time.process_time_ns()",
        "from time import monotonic as now; now()",
        "assert timeit.timeit(work) < 1",
        "assert result.seconds < 3",
        "assert 3 > result.seconds",
        "assert 0 < result.seconds['total'] < 2 + 1",
        "assert answer['seconds']['total'] <= 5",
        "assert float(row['seconds']) < 2",
    ],
)
def test_asserted_times_are_seen(line: str) -> None:
    assert asserted_times(line)


@pytest.mark.parametrize(
    "line",
    [
        "assert result.seconds >= 0.3",
        "assert 0 < result.seconds['search'] <= result.seconds['total']",
        "assert result.cpu_seconds <= result.seconds + 0.1",
        "time.sleep(0.1)",
        "limits = Limits(time=3)",
        "assert position.time < 3",
    ],
)
def test_what_holds_on_every_machine_is_allowed(line: str) -> None:
    assert not asserted_times(line)


def test_hypothesis_sets_no_deadline() -> None:
    """A single example may take as long as it takes."""
    from hypothesis import settings

    assert settings().deadline is None
    assert not [file.name for file in FILES if re.search(r"\bdeadline=(?!None\b|\(\?)", file.read_text())]
