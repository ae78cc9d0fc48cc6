"""WINCONDITIONS: `all X on Y`, `some X`, `any X`, `no X on Y`."""

from __future__ import annotations

from unpuzzle.translators._puzzlescript.compiled import WinCondition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.translators._puzzlescript.faults import Faults
    from unpuzzle.translators._puzzlescript.names import Names
    from unpuzzle.translators._puzzlescript.text import Line

_QUANTIFIERS = {"no": -1, "some": 0, "any": 0, "all": 1}


def read_wins(lines: Sequence[Line], names: Names, faults: Faults) -> tuple[WinCondition, ...]:
    """The conditions that must all hold."""
    found = [_condition(line, line.code.split(), names, faults) for line in faults.each(lines) if not line.stray]
    return tuple([condition for condition in found if condition is not None])


def _condition(line: Line, parts: list[str], names: Names, faults: Faults) -> WinCondition | None:
    """The condition of a line; what follows `on` counts only if nothing else stands there, not even a stray `)`."""
    words = [part for part in parts if part.strip(")")]
    if words[0] not in _QUANTIFIERS:
        faults.error(line.number, f"a win condition begins with all, some, any or no, not with {words[0]}", words[0])
        return None
    if len(words) not in (2, 3, 4) or words[2:3] not in ([], ["on"]):
        faults.error(line.number, "a win condition is `all X on Y`, `some X`, `no X`")
        return None
    if len(words) == 3 or len(parts) != len(words):
        faults.warning(
            line.number, f"this is read as `{' '.join(words[:2])}`: a win condition is `all X on Y`, `some X`"
        )
    unknown = [word for word in words[1::2] if not names.known(word)]
    for word in unknown:
        faults.error(line.number, f"{word} is not defined{faults.unknown(word, *names.kinds())}", word)
    if unknown:
        return None
    first, second = words[1], words[3] if len(parts) == 4 else None
    return WinCondition(
        quantifier=_QUANTIFIERS[words[0]],
        first_is_aggregate=first in names.aggregates,
        second_is_aggregate=second in names.aggregates,
        first=names.masks[first],
        anything=second is None,
        second=0 if second is None else names.masks[second],
    )
