"""Errors about a place in a task, made from the span of a node; and the name that was probably meant."""

from __future__ import annotations

from unpuzzle.errors import ParseError, UnsupportedFeature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from unpuzzle.pddl.nodes import Span


def parse_error(message: str, span: Span | None = None) -> ParseError:
    """A ParseError at `span`; a node that was not read from a text has none."""
    return ParseError(message, **_place(span))


def unsupported(message: str, feature: str, span: Span | None = None) -> UnsupportedFeature:
    return UnsupportedFeature(message, feature=feature, **_place(span))


def _place(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {}
    line = span.line
    return {"file": span.file, "line": line, "column": span.column, "text": span.source.line(line)}


def meant(name: str, names: Iterable[str]) -> str:
    """`, did you mean 'block'?` if one of `names` is near to `name`, else nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(names), n=1)
    return f", did you mean '{near[0]}'?" if near else ""
