"""Libraries that a test pretends not to be installed, and modules that it takes away again."""

import sys
from pathlib import Path

import pytest


def hide(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make modules of the top level look as if they were not installed, to `import` and to `find_spec`."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def forget(folder: Path) -> None:
    """Unload the modules of a folder, which goes with its test, and no others: some can be loaded only once."""
    for name, module in [*sys.modules.items()]:
        if Path(getattr(module, "__file__", None) or "/").is_relative_to(folder):
            del sys.modules[name]
