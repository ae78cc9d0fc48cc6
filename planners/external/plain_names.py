"""Names that every reader of PDDL takes, for what may be called anything."""

from __future__ import annotations

from collections.abc import Iterable

_RESERVED = frozenset(
    "action actions adl all always and assign at axiom condition conditions constants constraints contingent decrease "
    "define derived domain duration effect effects either end equality event exists false fluents forall goal imply "
    "increase init maximize metric minimize not number object objects observe oneof or over parameters precondition "
    "preconditions predicates preference preferences problem process requirements sometime start strips time true "
    "types typing undefined unknown when within".split()
)


class PlainNames:
    """Gives everything a name of its own: a letter, then letters, digits and underscores; never a word of PDDL."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken: set[str] = {*_RESERVED, *taken}

    def name(self, wanted: str, letter: str) -> str:
        """Return a free name as close to this one as possible; `letter` is put first if it does not begin with one."""
        plain = "".join(char if char.isascii() and char.isalnum() else "_" for char in wanted.lower())
        if not plain[:1].isalpha():
            plain = f"{letter}_{plain.lstrip('_')}"
        name, number = plain, 2
        while name in self._taken:
            name, number = f"{plain}_{number}", number + 1
        self._taken.add(name)
        return name
