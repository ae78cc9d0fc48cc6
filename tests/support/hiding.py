"""Libraries that a test pretends not to be installed."""

from __future__ import annotations

import sys

import pytest


def hide(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make modules of the top level look as if they were not installed, to `import` and to `find_spec`."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
