"""Texts for messages: similar words, numbers with nouns, lists, shortened texts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from operator import gt

ALIKE = 0.6
"""The least ratio at which two words are alike; the ratio of equal words is 1."""
_MOST_KEPT = 5_000
"""The number of results that a vocabulary keeps."""
_NEGATING = ("un", "in", "dis", "non", "not", "no")
"""Prefixes that make a word mean the opposite."""
_KEYS = {
    letter: (row, column + shift)
    for row, (letters, shift) in enumerate((("qwertyuiop", 0.0), ("asdfghjkl", 0.25), ("zxcvbnm", 0.75)))
    for column, letter in enumerate(letters)
}
"""The place of each letter on a keyboard."""
_MIXED_UP = [*map(set, ("-_", "cs", "ck", "sz", "iy"))]
"""Signs on the same key, and letters that sound alike."""
_LONG = 6
"""The least number of letters of a long word."""


def words_of(error: BaseException) -> str:
    """Return the class name and the message of an exception as one text."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'block'?` if a known word is similar to `word`, else an empty text."""
    near = nearest(word, known)
    return f", did you mean '{near}'?" if near else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar to `word`; None if no known word is similar enough."""
    return Vocabulary(known).nearest(word)


def corrected(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that a misspelt word must mean; None if no word or several words are likely.

    Surely: by one slip (a letter doubled, lost, swapped, mistaken for one next to it on the keyboard or of like sound,
    too many inside a long word, or an `s` at the end), in no digit and no prefix that negates, where no other known
    word is within two changes (of a word up to four letters, one). So `unlocked` is no misspelling of `locked`, nor
    `room3` of `room2`, nor `on-truck` of `in-truck`.
    """
    most = 2 if len(word) > 4 else 1  # two changes make any short word of any other
    near = [other for other in known if abs(len(other) - len(word)) <= most and distance(word, other) <= most]
    return near[0] if len(near) == 1 and _is_slip(word, near[0]) else None


def distance(word: str, other: str) -> int:
    """Return the edit distance of two words (add, drop or replace a letter, swap two); exact below 3."""
    if len(set(word) ^ set(other)) > 4:  # nearly always, and quicker
        return 3
    before, row = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted)))
            if i > 1 and j > 1 and word[i - 2 : i] == wanted + other[j - 2]:
                row[j] = min(row[j], earlier[j - 2] + 1)
    return row[-1]


def _is_slip(word: str, right: str) -> bool:
    """Return whether `word` is `right` with one typing error, but no wrong digit or negating prefix such as `un`."""
    at = next((at for at, (letter, other) in enumerate(zip(word, right, strict=False)) if letter != other), -1)
    at = min(len(word), len(right)) if at < 0 else at
    wrong, meant = word[at : at + 1], right[at : at + 1]
    before, after = ([word.startswith(prefix) for prefix in _NEGATING] for word in (right, word))
    negates = any(map(gt, after, before)) or (word.startswith(("on", "is")) and any(map(gt, before, after)))
    if negates or wrong.isdigit() or meant.isdigit():
        return False
    if len(word) < len(right):
        return word[at:] == right[at + 1 :]
    if len(word) > len(right):
        doubled = wrong == word[at - 1 : at] or wrong + meant == "s"
        return word[at + 1 :] == right[at:] and (doubled or 0 < at < len(right) >= _LONG)
    if word[at + 1 :] != right[at + 1 :]:
        return word[at:] == right[at + 1 : at + 2] + meant + right[at + 2 :] and not right[at + 1].isdigit()
    alone = not (right[max(at - 1, 0) : at] + right[at + 1 : at + 2]).strip("-_")  # as in `pos-x`
    keys = [_KEYS[letter] for letter in (wrong, meant) if letter in _KEYS]
    beside = len(keys) == 2 and all(abs(a - b) <= 1 for a, b in zip(*keys, strict=True))
    return not alone and (beside or {wrong, meant} in _MIXED_UP)


class Vocabulary:
    """A set of known words that finds the known word most similar to a misspelt word.

    The result is the first one of `difflib.get_close_matches`, which compares all words in full. Here the bits of
    `_having` say which known words have a letter a first, second, ... time, so a few operations on whole numbers count
    the common letters of a word and all known ones. Only those with enough of them are compared in full.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known = list(known)
        self._having: dict[tuple[str, int], int] = {}
        self._sizes: dict[int, int] = {}
        self._found: dict[str, str | None] = {}
        for at, word in enumerate(self._known):
            self._sizes[len(word)] = self._sizes.get(len(word), 0) | 1 << at
            for letter in _numbered(word):
                self._having[letter] = self._having.get(letter, 0) | 1 << at

    def nearest(self, word: str) -> str | None:
        """Return the known word that is most similar to `word`; None if no known word is similar enough."""
        if word in self._found:
            return self._found[word]
        if len(self._found) == _MOST_KEPT:
            self._found.clear()
        self._found[word] = near = self._search(word)
        return near

    def _search(self, word: str) -> str | None:
        """Return the known word most similar to `word`; words whose bound is too low are not compared."""
        bounds = sorted(self._bounds(word), reverse=True)
        if not bounds:
            return None
        from difflib import SequenceMatcher

        matcher = SequenceMatcher()
        matcher.set_seq2(word)
        best: tuple[float, str] = (ALIKE, "")
        for bound, words in bounds:
            left = words
            while left and bound >= best[0]:
                at = left.bit_length() - 1
                left ^= 1 << at
                matcher.set_seq1(self._known[at])
                best = max(best, (matcher.ratio(), self._known[at]))
        return best[1] or None

    def _bounds(self, word: str) -> Iterator[tuple[float, int]]:
        """Yield upper bounds of the similarity to `word`, each with the set of known words (as bits) that it bounds."""
        sizes = {
            size: words
            for size, words in self._sizes.items()
            if 2 * min(len(word), size) / ((len(word) + size) or 1) >= ALIKE
        }
        if not sizes:
            return
        lacking = [(1 << len(self._known)) - 1]  # by number: the words in which so many of the letters are missing
        for letter in _numbered(word):
            lacking.append(0)
            for number in range(len(lacking) - 1, 0, -1):
                moved = lacking[number - 1] & ~self._having.get(letter, 0)
                lacking[number] |= moved
                lacking[number - 1] ^= moved
        for number, words in enumerate(lacking):
            for size, of_size in sizes.items():
                bound = 2 * (len(word) - number) / (len(word) + size)
                if bound >= ALIKE and words & of_size:
                    yield bound, words & of_size


def _numbered(word: str) -> Iterator[tuple[str, int]]:
    """Yield each letter of a word with the number of earlier occurrences of this letter."""
    for at, letter in enumerate(word):
        yield letter, word.count(letter, 0, at)


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with a noun in the right form: `1 cell`, `2,000 cells`, `2 pushes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def unused(name: str, used: Container[str], between: str = " ") -> str:
    """Return a name or, if it is used, the name with the first number from 2 on that makes it unused."""
    number, free = 2, name
    while free in used:
        number, free = number + 1, f"{name}{between}{number}"
    return free


def with_article(noun: str) -> str:
    """Return a noun with the indefinite article: `an action`, `a block`."""
    return f"an {noun}" if noun[0] in "aeiouAEIOU" else f"a {noun}"


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    *others, final = [*words] or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def cut(text: str, width: int = 20) -> str:
    """Return a text of at most `width` characters; the cut part is replaced by `...`."""
    return text if len(text) <= width else text[: width - 3] + "..."


def shorten(text: str, width: int = 20) -> str:
    """Return a text in quotation marks, cut to at most `width` characters."""
    return repr(cut(text, width))


def listed(things: Iterable[object], most: int, by: str = ", ") -> str:
    """Return the list `a, b, c`, shortened to `a, b and 7 more` if there are more than `most` items."""
    words = list(map(str, things))
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return by.join(words[:most]) + more
