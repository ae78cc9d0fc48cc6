"""Node, the base class of all parts of a task: immutable, compared by content, with its place in a text."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from unpuzzle.base.type_hints import TYPE_CHECKING, Any, Self, dataclass_transform
from unpuzzle.base.values import Immutable, arguments

if TYPE_CHECKING:
    from dataclasses import KW_ONLY


_set = object.__setattr__
_SINGLE = frozenset((tuple, str, int))
"""Types of values that a node stores unchanged."""


class Source:
    """A text with a name, which converts offsets to lines and columns."""

    def __init__(self, text: str, name: str | None = None) -> None:
        self.text: str = text
        self.name: str | None = name
        self._starts: list[int] = []

    @property
    def lines(self) -> list[int]:
        """The offsets at which lines begin; all common line ends are recognized."""
        if not self._starts:
            text = self.text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in self.text else self.text
            self._starts = [*accumulate([len(line) + 1 for line in text.split("\n")], initial=0)][:-1]
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both from 1, of the character at an offset."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, limited to the end of the text."""
        return min(self.lines[min(line, len(self.lines)) - 1] + column - 1, len(self.text))

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        end = self.lines[number] if number < len(self.lines) else len(self.text)
        return self.text[self.lines[number - 1] : end].rstrip("\r\n")


class Span:
    """The place of a node in its source: offsets `start` (inclusive) to `end` (exclusive)."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source: Source = source
        self.start: int = start
        self.end: int = end

    @property
    def file(self) -> str | None:
        """The name of the source; None for a source without a name."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The text of the node in its source."""
        return self.source.text[self.start : self.end]

    def __repr__(self) -> str:
        return f"Span({self.file}:{self.line}:{self.column})"


@dataclass_transform(frozen_default=True)
class _Fields(Immutable):
    """The fields and constructor of `Node`, a base class without the declaration of `span`."""

    __slots__ = ("_hash", "span")
    _hash: int | None
    span: Span | None

    def __init__(self, *values: Any, span: Span | None = None, **named: Any) -> None:
        if named or len(values) != len(self._fields):
            values = arguments(type(self), values, named)
        self._fill(span, *values)

    def _fill(self, span: Span | None, *values: Any) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        for name, value in zip(self._fields, values, strict=True):
            _set(self, name, value if type(value) in _SINGLE else as_tuple(value))

    def replace(self, **changes: Any) -> Self:
        """Return a copy of the node with some fields changed, at the same place."""
        values = [changes.pop(name) if name in changes else getattr(self, name) for name in self._fields]
        return type(self)(*values, **changes, span=self.span)

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", super().__hash__())
        return self._hash  # type: ignore[return-value]

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in self._fields)
        return f"{type(self).__name__}({values})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Spans stay behind: a copy in another process has no use for the source text.
        return type(self), tuple(getattr(self, name) for name in self._fields)


class Node(_Fields):
    """The base class of nodes: annotated names are fields, as in `Record`, and `span=` is the place in a text.

    Nodes are immutable; equality, hash and repr use the fields, without the span. A hash is computed once.
    """

    if TYPE_CHECKING:
        _: KW_ONLY
        span: Span | None = None


def as_tuple(value: Any) -> Any:
    """Return an iterable as a tuple; return a node, a text, or a value that is not iterable unchanged."""
    return value if isinstance(value, Node | str) or not hasattr(value, "__iter__") else tuple(value)
