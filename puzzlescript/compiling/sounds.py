"""SOUNDS: nothing of it matters to play; what stands there is looked at for faults alone."""

from __future__ import annotations

from unpuzzle.puzzlescript.compiling.rule_text import PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.puzzlescript.compiling.faults import Faults
    from unpuzzle.puzzlescript.compiling.names import Names
    from unpuzzle.puzzlescript.compiling.text import Line

_EVENTS = frozenset(
    "titlescreen startgame cancel endgame startlevel undo restart endlevel showmessage closemessage".split()
    + [f"sfx{number}" for number in range(11)]
)
_HAPPENINGS = frozenset("move action create destroy cantmove".split())


def check_sounds(lines: Sequence[Line], names: Names, faults: Faults) -> None:
    """Notes what is wrong with the sounds: as warnings, since play goes on without them."""
    for line in faults.each(lines):
        words = line.code.replace(")", " ").split()
        for word in words:
            if not (word.isdigit() or word in _EVENTS or word in _HAPPENINGS or word in PREFIXES or names.known(word)):
                hint = faults.unknown(word, _EVENTS, _HAPPENINGS)
                faults.warning(line.number, f"{word} is neither an event nor an object with a sound{hint}", word)
        if not any(word.isdigit() for word in words):
            faults.warning(line.number, "a sound needs a number, from which it is made", words[0])
