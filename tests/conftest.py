"""What all tests share: where the test data is, and how hypothesis runs."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from support.annexes import Refusal
from support.clocks import SecondsPerLook
from support.data import DATA, IPC, absence
from support.thorough import THOROUGH
from unpuzzle.base.run import ROOT, current

if TYPE_CHECKING:
    from collections.abc import Iterator

# Started in the background of a shell, or by `nohup`: the programs under test would inherit that signals are ignored.
for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number and signal.getsignal(number) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(number, usual)

# The same examples each time, so that what fails is what was changed; a thorough run looks for new ones.
settings.register_profile(
    "unpuzzle", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=not THOROUGH
)
settings.load_profile("unpuzzle")


REFUSAL = pytest.StashKey[Refusal]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `scripts/test` that choose tests."""
    parser.addoption("--all", action="store_true", help="run the slow tests, too, and those that need a browser")
    parser.addoption("--quick", action="store_true", help="leave them out, even where tests are named")
    parser.addoption("--without", action="append", default=[], metavar="ANNEX", help="see tests/support/annexes.py")
    parser.addoption("--changed", nargs="?", const="HEAD", metavar="BASE", help="run the tests of what has changed")


def pytest_configure(config: pytest.Config) -> None:
    """Run all tests where some are named; by default report no skipped ones, since a clone lacks much."""
    if config.option.without:
        config.stash[REFUSAL] = Refusal(config.option.without)
        config.stash[REFUSAL].install()
    if hasattr(config, "workerinput"):  # which gets its options from here
        return
    if (config.args_source == pytest.Config.ArgsSource.ARGS or config.option.keyword) and not config.option.quick:
        config.option.all = True
    elif not config.option.all:
        config.option.reportchars = config.option.reportchars.replace("a", "fE")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the files of tests that import an annex that is left out; None leaves the choice to pytest."""
    refusal = config.stash.get(REFUSAL, None)
    return True if refusal and collection_path.suffix == ".py" and refusal.concerns(collection_path) else None


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what is left out."""
    if config.option.all:
        return None
    return "left out: slow tests (tests/slow.txt), those that need data, a browser or the site; --all runs them, too"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not to be run."""
    from support import selection

    gone: set[pytest.Item] = set()
    if config.option.changed:
        chosen = selection.concerned_by(selection.changed_files(config.option.changed), {item.path for item in items})
        gone = set() if chosen is None else {item for item in items if item.path not in chosen}
    if not config.option.all:
        gone |= {*selection.left_out(items)}
    gone |= {*selection.repeated_skips(item for item in items if item not in gone)}
    if gone:
        config.hook.pytest_deselected(items=[*gone])
        items[:] = [item for item in items if item not in gone]


def pytest_collection_finish() -> None:
    """What is here by now, stays: collecting garbage (`compare` does so before each run) need not go through it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes of tests, and of what they start, are not kept among the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UNPUZZLE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def settled() -> None:
    """For tests of `compare`, which collects garbage before each run: it need not go through what other tests left."""
    gc.collect()
    gc.freeze()


OPEN_BROWSER = pytest.StashKey[tuple[ExitStack, Any]]()


@pytest.fixture(scope="module")
def browser(pytestconfig: pytest.Config) -> Any:
    """The browser, which files of tests that follow each other share."""
    from support.browser import chromium

    if OPEN_BROWSER not in pytestconfig.stash:
        stack = ExitStack()
        pytestconfig.stash[OPEN_BROWSER] = stack, stack.enter_context(chromium())
    return pytestconfig.stash[OPEN_BROWSER][1]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser before a file of tests without it: they count processes, and may run a loop of their own."""
    if OPEN_BROWSER not in item.config.stash or (nextitem and nextitem.path == item.path):
        return
    here = [other for other in item.session.items if nextitem and other.path == nextitem.path]
    if not any("browser" in getattr(other, "fixturenames", ()) for other in here):
        item.config.stash[OPEN_BROWSER][0].close()
        del item.config.stash[OPEN_BROWSER]


@pytest.fixture(autouse=True)
def _no_run_is_left_open() -> Iterator[None]:
    """Look, after each test, whether the current run is the root again."""
    yield
    assert current() is ROOT


@pytest.fixture
def seconds_per_look(monkeypatch: pytest.MonkeyPatch) -> SecondsPerLook:
    """Time goes by, for limits that are looked at in Python, only by being looked at: a second for each look."""
    clock = SecondsPerLook()
    monkeypatch.setattr("unpuzzle.base.run.perf_counter", clock)
    return clock


@pytest.fixture(scope="session")
def seconds_to_start() -> float:
    """Processor time that the command line needs for next to nothing: what it needs before it is in its work."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "unpuzzle", "solve", "boxup", "1"], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of test data that is not part of the project."""
    if not IPC.is_dir():
        pytest.skip(absence(IPC))
    return DATA
