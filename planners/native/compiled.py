"""The compiled core, `core`; None where it was not compiled when unpuzzle was installed.

Modules that compute with it import it from here, at their top. They are used only after `missing()` has said that it is
there, so for type checkers it always is.
"""

from __future__ import annotations

try:
    from unpuzzle.planners.native import _core as core
except ImportError:
    core = None  # type: ignore[assignment]

__all__ = ["core"]
