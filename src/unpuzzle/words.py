"""Words for messages: near misses, numbers with their nouns, lists, texts cut short. A leaf without imports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ALIKE = 0.6
"""The least ratio of two words that are like each other; 1 for equal ones."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'block'?` if one of the known words is a near miss, else an empty text."""
    near = nearest(word, known)
    return f", did you mean '{near}'?" if near else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like another; None if all are too different.

    The result is the first one of `difflib.get_close_matches`, which compares all words in full. Here the words are
    compared in the order of an upper bound, and the rest is skipped once no bound can beat the best word.
    """
    from difflib import SequenceMatcher

    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    letters = frozenset(word)
    bounds = []
    for other in known:
        # An upper bound of the ratio: a letter that the other word lacks is not matched.
        lacking = len(letters.difference(other))
        bound = 2 * min(len(word) - lacking, len(other)) / ((len(word) + len(other)) or 1)
        if bound >= ALIKE:
            bounds.append((bound, other))
    best: tuple[float, str] = (ALIKE, "")
    for bound, other in sorted(bounds, reverse=True):
        if bound < best[0]:
            break
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= best[0] and matcher.quick_ratio() >= best[0]:
            best = max(best, (matcher.ratio(), other))
    return best[1] or None


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
