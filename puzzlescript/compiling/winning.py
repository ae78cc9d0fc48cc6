"""WINCONDITIONS: `all X on Y`, `some X`, `any X`, `no X on Y`."""

from __future__ import annotations

from unpuzzle.puzzlescript.compiling.compiled import WinCondition
from unpuzzle.puzzlescript.compiling.text import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.puzzlescript.compiling.faults import Faults
    from unpuzzle.puzzlescript.compiling.names import Names
    from unpuzzle.puzzlescript.compiling.text import Line

_QUANTIFIERS = {"no": -1, "some": 0, "any": 0, "all": 1}


def read_wins(lines: Sequence[Line], names: Names, faults: Faults) -> tuple[WinCondition, ...]:
    """The conditions that must all hold."""
    found = [_condition(line, line.code.split(), names, faults) for line in faults.each(lines) if not line.stray]
    return tuple([condition for condition in found if condition is not None])


def _condition(line: Line, parts: list[str], names: Names, faults: Faults) -> WinCondition | None:
    """The condition of a line; `on Y` counts only if nothing else stands there, be it what means nothing anywhere.

    One of another form is an error, and holds nevertheless as far as it goes; an unknown quantifier means some.
    """
    words = [part for part in parts if part.strip(")") and part not in SECTIONS]
    is_right = _check_form(line, words or parts, faults)
    if len(parts) < 2:
        return None
    first, second = parts[1], parts[3] if len(parts) == 4 else None
    used = dict.fromkeys([first, *([] if second is None else [second]), *(words[1::2] if is_right else [])])
    unknown = [word for word in used if not names.known(word)]
    if is_right:
        for word in unknown:
            faults.error(line.number, f"{word} is not defined{faults.unknown(word, *names.kinds())}", word)
    if unknown:
        return None
    if is_right and (len(words) == 3 or len(parts) != len(words)):
        told = f"this is read as `{words[0]} {first}`: a win condition is `all X on Y`, `some X`, `no X`"
        faults.warning(line.number, told)
    return WinCondition(
        quantifier=_QUANTIFIERS.get(parts[0], 0),
        first_is_aggregate=first in names.aggregates,
        second_is_aggregate=second in names.aggregates,
        first=names.masks[first],
        anything=second is None,
        second=0 if second is None else names.masks[second],
    )


def _check_form(line: Line, words: list[str], faults: Faults) -> bool:
    """Whether a condition has the right form; if not, that is noted."""
    if words[0] not in _QUANTIFIERS:
        told = f"a win condition begins with all, some, any or no, not with {words[0]}"
        faults.error(line.number, told, words[0])
        return False
    if len(words) not in (2, 3, 4) or words[2:3] not in ([], ["on"]):
        faults.error(line.number, "a win condition is `all X on Y`, `some X`, `no X`")
        return False
    return True
