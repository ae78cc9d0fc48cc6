"""Names of `typing` for annotations, for modules that every small task loads.

The module `typing` itself takes 6 ms to import, a fifth of the time in which a tiny task is planned. Annotations are
not evaluated at run time, so any object does for their names. Type checkers read the other branch: for them, the name
`TYPE_CHECKING` is true wherever it comes from.
"""

from __future__ import annotations

__all__ = ["TYPE_CHECKING", "Any", "ClassVar", "Self", "dataclass_transform"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, dataclass_transform
else:
    Any = ClassVar = Self = object

    def dataclass_transform(**_: object) -> object:
        return lambda kind: kind
