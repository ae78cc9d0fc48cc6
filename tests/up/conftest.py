"""unpuzzle is registered as an engine, and unified-planning says where a capturing test can see it."""

import sys

import pytest

import unpuzzle


@pytest.fixture(autouse=True)
def registered():
    up = pytest.importorskip("unified_planning.shortcuts", reason="unified-planning is not installed")
    up.get_environment().credits_stream = sys.stdout
    unpuzzle.register()
