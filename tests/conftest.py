"""What all tests share: where the test data is, and how hypothesis runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of test data that is not part of the project: `$UNPUZZLE_DATA`, or `../shared/data`."""
    folder = Path(os.environ.get("UNPUZZLE_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no test data: $UNPUZZLE_DATA is not set and {folder} does not exist")
    return folder
