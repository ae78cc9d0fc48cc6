"""Short names for the types of pytest's fixtures, so that a test's head fits on a line."""

import pytest

Capsys = pytest.CaptureFixture[str]
Monkeypatch = pytest.MonkeyPatch
