"""Words for messages: near misses, numbers with their nouns, lists, texts cut short. A leaf without imports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'block'?` if one of the known words is a near miss, else an empty text."""
    near = nearest(word, known)
    return f", did you mean '{near}'?" if near else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like another; None if all are too different."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1)), None)


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 cell`, `2,000 cells`, `2 pushes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def with_article(noun: str) -> str:
    """Return `an action`, `a block`."""
    return f"an {noun}" if noun[0] in "aeiouAEIOU" else f"a {noun}"


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return words as in a sentence: `a`, `a and b`, `a, b and c`."""
    *others, final = [*words] or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def cut(text: str, width: int = 20) -> str:
    """Return a text with everything beyond a width replaced by `...`."""
    return text if len(text) <= width else text[: width - 3] + "..."


def shorten(text: str, width: int = 20) -> str:
    """Return a text in quotes, cut if it is too long for a sentence."""
    return repr(cut(text, width))
