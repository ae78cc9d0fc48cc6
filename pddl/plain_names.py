"""Names that are valid in PDDL, made from names that other languages allow."""

from __future__ import annotations

from unpuzzle.pddl.normal_form import unused

_RESERVED = frozenset(
    "action actions adl all always and assign at axiom condition conditions constants constraints contingent decrease "
    "define derived domain duration effect effects either end equality event exists false fluents forall goal imply "
    "increase init maximize metric minimize not number object objects observe oneof or over parameters precondition "
    "preconditions predicates preference preferences problem process requirements sometime start strips time true "
    "types typing undefined unknown when within".split()
)


def plain_name(text: str, letter: str) -> str:
    """Return a text as letters, digits and underscores, with `letter` in front if the text begins with no letter."""
    plain = "".join(char if char.isascii() and char.isalnum() else "_" for char in text.lower())
    return plain if plain[:1].isalpha() else f"{letter}_{plain.lstrip('_')}"


def is_pddl_name(name: str) -> bool:
    """Return whether a name in small letters is valid in PDDL."""
    if not name or not name.isascii() or not name.isprintable() or name[0] in ":-?":
        return False
    return not set(" ();") & set(name)


class PlainNames:
    """A maker of different valid PDDL names from arbitrary texts, in letters, digits and underscores."""

    def __init__(self) -> None:
        self._taken: set[str] = {*_RESERVED}

    def name(self, text: str, letter: str) -> str:
        """Return an unused name similar to the text; it begins with `letter` if the text begins with no letter."""
        name = unused(plain_name(text, letter), self._taken, "_")
        self._taken.add(name)
        return name

    def variable(self, text: str, taken: set[str]) -> str:
        """Return a name for a variable that is not in `taken`."""
        return unused(plain_name(text, "v"), _RESERVED | taken, "_")


def title(text: str | None, fallback: str) -> str:
    """Return the name of a domain or a problem; an invalid name is simplified, because nothing refers to it."""
    name = (text or fallback).lower()
    return name if is_pddl_name(name) else PlainNames().name(name, fallback[0])
