"""Names for both sides: kept as they are, or simplified if any text may come in.

PDDL does not distinguish capital letters from small ones, and allows no blanks, brackets or semicolons in names; the
other libraries do. `ExactNames` refuses names that are invalid in PDDL; `PlainNames` finds another name, so plans must
be translated back by a table.
"""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.pddl.normal_form.substitution import unused

_RESERVED = frozenset(
    "action actions adl all always and assign at axiom condition conditions constants constraints contingent decrease "
    "define derived domain duration effect effects either end equality event exists false fluents forall goal imply "
    "increase init maximize metric minimize not number object objects observe oneof or over parameters precondition "
    "preconditions predicates preference preferences problem process requirements sometime start strips time true "
    "types typing undefined unknown when within".split()
)


def refused(message: str, feature: str) -> UnsupportedFeature:
    """Return the error for a feature that one side cannot express."""
    return UnsupportedFeature(message, feature=feature)


class PlainNames:
    """Names for arbitrary texts: a letter, then letters, digits and underscores, and no word of PDDL."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken: set[str] = {*_RESERVED, *taken}

    def name(self, text: str, letter: str) -> str:
        """Return a free name as close to this one as possible; `letter` is put first if it does not begin with one."""
        plain = "".join(char if char.isascii() and char.isalnum() else "_" for char in text.lower())
        if not plain[:1].isalpha():
            plain = f"{letter}_{plain.lstrip('_')}"
        name, number = plain, 2
        while name in self._taken:
            name, number = f"{plain}_{number}", number + 1
        self._taken.add(name)
        return name

    def variables(self, taken: Iterable[str]) -> PlainNames:
        """Return names for variables where some are taken."""
        return PlainNames(taken)


class ExactNames:
    """Names kept as they are, in small letters, so that plans need no table. Each kind of thing has names of its own.

    Raises UnsupportedFeature for a name that is invalid in PDDL, and for two that differ only in capital letters.
    """

    def __init__(self) -> None:
        self._taken: dict[str, dict[str, str]] = {}

    def name(self, text: str, letter: str) -> str:
        """Return the name; `letter` stands for the kind of thing."""
        name = text.lower()
        if not sayable(name):
            raise refused(f"PDDL has no name like '{text}'", "names that PDDL cannot say")
        taken = self._taken.setdefault(letter, {})
        if name in taken:
            raise refused(f"'{taken[name]}' and '{text}' are one name in PDDL", "names that differ in capitals")
        taken[name] = text
        return name

    def variables(self, taken: Iterable[str]) -> FreshNames:
        return FreshNames(taken)


class FreshNames:
    """Names of variables: kept if they are valid and free, otherwise changed; they mean nothing outside."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def name(self, text: str, letter: str) -> str:
        """Return the name, with a number if it is taken; `letter` is put before an invalid name."""
        name = text.lower().removeprefix("?")
        if not sayable(name):
            name = PlainNames().name(name, letter)
        fresh = unused(name, self._taken)
        self._taken.add(fresh)
        return fresh


def sayable(name: str) -> bool:
    """Return whether a name in small letters can be written in PDDL."""
    if not name or not name.isascii() or not name.isprintable() or name[0] in ":-?":
        return False
    return not set(" ();") & set(name)


def title(text: str | None, fallback: str) -> str:
    """Return the name of a domain or a problem: it means nothing, so an invalid name is simplified."""
    name = (text or fallback).lower()
    return name if sayable(name) else PlainNames().name(name, fallback[0])
