"""The compiled C++ extension, under the name `core`; it is None if unpuzzle was installed without it.

Modules that use it import it from here, at their top. They run only after `missing()` has found the core, so for type
checkers it always exists.
"""

from __future__ import annotations

try:
    from unpuzzle.planners.native import _core as core
except ImportError:
    core = None  # type: ignore[assignment]

__all__ = ["core"]
