"""The contract of `unpuzzle.processes`: each kind of process, and each way in which it ends.

The process (`support/victim.py`) is deaf to SIGTERM and has started another one. Whatever ends it, both are gone then,
and no file is left. Its owner (`support/process_owner.py`) is a process of its own, which is signalled or killed.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from support import process_owner
from support.waiting import is_gone, wait_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="death signals and process groups")

LIMITED = {"time": {"time": 0.7}, "cpu": {"cpu": 0.5}, "memory": {"memory": 300 << 20}}
"""The limits of a process that reaches one."""
ENDS = {
    "return": dict.fromkeys(process_owner.KINDS, "42"),
    "die": dict.fromkeys(process_owner.KINDS, "broken"),
    "time": dict.fromkeys(process_owner.KINDS, "timeout"),
    "memory": dict.fromkeys(process_owner.KINDS, "memout"),
    "cpu": dict.fromkeys(sorted({*process_owner.KINDS} - {"pool"}), "timeout"),  # a pool has no such limit
    "cancel": dict.fromkeys(process_owner.KINDS, "cancelled"),
}
"""By what the process does, or what happens to it, the status that its owner is told, by kind."""
BETWEEN = {"program": 2, "sandbox": 2, "worker": 1, "parallel": 1}
"""By kind, how far above the process stands who ends it when its owner is killed: guardian, or server."""


class Owner:
    """An owner of a process, and the processes that it has started, by what they say."""

    def __init__(self, kind: str, folder: Path, what: str, before: Callable[[], None] | None = None) -> None:
        self.said, self.scratch = folder / "said", folder / "scratch"
        self.scratch.mkdir()
        words = [kind, str(self.said), what, json.dumps(LIMITED.get(what, {}))]
        self.popen = subprocess.Popen(
            [sys.executable, process_owner.__file__, *words],
            env={**os.environ, "TMPDIR": str(self.scratch)},
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=before,
        )

    def pids(self) -> list[int]:
        return [int(word) for word in self.said.read_text().split()] if self.said.exists() else []

    def wait_until_begun(self, number: int = 2) -> None:
        wait_until(lambda: len(self.pids()) >= number or self.popen.poll() is not None, "the process has begun")
        assert len(self.pids()) >= number, self.popen.communicate()

    def told(self) -> str:
        """The status that the owner was told."""
        return self.popen.communicate()[0].strip()

    def nothing_is_left(self) -> None:
        wait_until(lambda: all(map(is_gone, self.pids())), f"{self.pids()} end")
        wait_until(lambda: not list(self.scratch.iterdir()), "no file is left")

    def close(self) -> None:
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        if self.popen.stdout is not None:
            self.popen.stdout.close()
        for pid in self.pids():
            with suppress(psutil.NoSuchProcess):
                psutil.Process(pid).kill()


@pytest.fixture
def owner_of(tmp_path: Path) -> Iterator[Callable[..., Owner]]:
    owners: list[Owner] = []

    def begin(kind: str, what: str, before: Callable[[], None] | None = None) -> Owner:
        owners.append(Owner(kind, tmp_path, what, before))
        return owners[0]

    yield begin
    for owner in owners:
        owner.close()


@pytest.mark.parametrize(("kind", "what"), [(kind, what) for what, kinds in ENDS.items() for kind in kinds])
def test_its_end_is_told_and_nothing_is_left(kind: str, what: str, owner_of: Callable[..., Owner]) -> None:
    owner = owner_of(kind, what)
    assert owner.told() == ENDS[what][kind]
    assert len(owner.pids()) == 2
    owner.nothing_is_left()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
@pytest.mark.parametrize("kind", process_owner.KINDS)
def test_it_ends_with_its_owner(kind: str, name: str, owner_of: Callable[..., Owner]) -> None:
    owner = owner_of(kind, "sleep")
    owner.wait_until_begun()
    owner.popen.send_signal(getattr(signal, name))
    owner.told()
    owner.nothing_is_left()


@pytest.mark.parametrize("kind", BETWEEN)
def test_it_ends_when_who_watches_it_is_killed(kind: str, owner_of: Callable[..., Owner]) -> None:
    """A call is made once more, and broken the second time."""
    owner = owner_of(kind, "sleep")
    for number in range(1, 3 if kind in ("worker", "parallel") else 2):
        owner.wait_until_begun(2 * number)
        watching = psutil.Process(owner.pids()[-2])
        for _ in range(BETWEEN[kind]):
            watching = psutil.Process(watching.ppid())
        watching.kill()
    assert owner.told() == "broken"
    owner.nothing_is_left()


def _fill_the_disk() -> None:
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        *(("program", "PlannerFailed"), ("sandbox", "PlannerFailed")),
        *(("worker", "OSError"), ("parallel", "OSError"), ("pool", "OSError")),
    ],
)
def test_a_full_disk_is_told(kind: str, told: str, owner_of: Callable[..., Owner]) -> None:
    """A program needs a directory; a function is told when it writes."""
    owner = owner_of(kind, "return", _fill_the_disk)
    assert owner.told() == told
    owner.nothing_is_left()
