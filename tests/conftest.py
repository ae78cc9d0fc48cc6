"""What all tests share: where the test data is, and how hypothesis runs."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support.data import DATA, absence

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    # Started in the background of a shell: the programs under test would inherit that Ctrl-C is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of test data that is not part of the project."""
    if not DATA.is_dir():
        pytest.skip(absence(DATA))
    return DATA
