"""Words for messages: near misses, numbers with their nouns, texts cut short. A leaf without imports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def suggestion(word: str, known: Iterable[str]) -> str:
    """`, did you mean 'block'?` if one of the known words is a near miss, else nothing."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1)
    return f", did you mean '{near[0]}'?" if near else ""


def count(number: int, noun: str) -> str:
    """`1 cell`, `2,000 cells`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shorten(text: str, width: int = 20) -> str:
    """A text in quotes, cut where it is too long for a sentence."""
    return repr(text if len(text) <= width else text[: width - 3] + "...")
