"""What all nodes are: immutable, equal where they mean the same, and aware of where they stand in a text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_set = object.__setattr__


class Source:
    """A text and its name; turns offsets into lines and columns (both from 1)."""

    __slots__ = ("_starts", "name", "text")

    def __init__(self, text: str, name: str | None = None) -> None:
        self.text = text
        self.name = name
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, counted from 1, of the character at `offset`."""
        from bisect import bisect_right

        if self._starts is None:
            starts, end = [0], self.text.find("\n")
            while end >= 0:
                starts.append(end + 1)
                end = self.text.find("\n", end + 1)
            self._starts = starts
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self._starts[number - 1] if self._starts else 0
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


class Span:
    """Where a node stands in its source: offsets `start` (inclusive) to `end` (exclusive)."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def file(self) -> str | None:
        return self.source.name

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __repr__(self) -> str:
        return f"Span({self.file}:{self.line}:{self.column})"


class Node:
    """Base of all nodes: immutable; equality, hash and repr by the fields named in `_fields`."""

    __slots__ = ("_hash", "span")
    _fields: tuple[str, ...] = ()
    _uncompared: tuple[str, ...] = ()

    span: Span | None
    _hash: int | None

    def _fill(self, span: Span | None, *values: Any) -> None:
        """Give the fields their values; several things become a tuple, whatever they come in."""
        _set(self, "_hash", None)
        _set(self, "span", span)
        for name, value in zip(self._fields, values, strict=True):
            _set(self, name, value if type(value) is tuple else as_tuple(value))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields if name not in self._uncompared)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", hash((type(self).__name__, self._key())))
        return self._hash  # type: ignore[return-value]

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in self._fields)
        return f"{type(self).__name__}({values})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Spans stay behind: a copy in another process has no use for the source text.
        return type(self), tuple(getattr(self, name) for name in self._fields)


def as_tuple(value: Any) -> Any:
    """A list, a set or what a generator yields as a tuple; a node, a text or a number as it is."""
    return value if isinstance(value, Node | str) or not hasattr(value, "__iter__") else tuple(value)
