"""Substitutes for names of `typing` in annotations; importing `typing` itself would slow down every command.

The module `typing` itself takes 6 ms to import, a fifth of the time in which a tiny task is planned. Annotations are
not evaluated at run time, so any object does for their names. Type checkers read the other branch: for them, the name
`TYPE_CHECKING` is true wherever it comes from.
"""

from __future__ import annotations

__all__ = ["TYPE_CHECKING", "Any", "BinaryIO", "ClassVar", "NoReturn", "Protocol", "Self", "TypeVar"]
__all__ += ["dataclass_transform"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, ClassVar, NoReturn, Protocol, Self, TypeVar, dataclass_transform
else:
    Any = BinaryIO = ClassVar = NoReturn = Protocol = Self = object

    def TypeVar(name: str, **_: object) -> str:
        return name

    def dataclass_transform(**_: object) -> object:
        return lambda kind: kind
