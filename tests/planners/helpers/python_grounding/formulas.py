"""Ground formulas: True, False, a literal (`f` is fact number f true, `~f` is it false), `(AND, ...)` or `(OR, ...)`.

They are simplified as they are made, and keep the order of first mention: equal input gives equal formulas.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

AND, OR = "and", "or"
Formula = bool | int | tuple[str, "tuple[Formula, ...]"]
Conjunction = tuple[int, ...]
"""Literals, each once, none with its opposite."""


def join(connective: str, parts: Iterator[Formula]) -> Formula:
    """The conjunction or disjunction of formulas, simplified."""
    absorbing = connective == OR
    kept: dict[Formula, None] = {}
    for part in parts:
        if part is True or part is False:
            if part is absorbing:
                return absorbing
        elif isinstance(part, tuple) and part[0] == connective:
            kept.update(dict.fromkeys(part[1]))
        else:
            kept[part] = None
    if any(isinstance(part, int) and ~part in kept for part in kept):
        return absorbing
    if len(kept) == 1:
        return next(iter(kept))
    return (connective, tuple(kept)) if kept else not absorbing


def disjuncts(formula: Formula, most: int) -> list[Conjunction] | None:
    """The disjunctive normal form, or None if it has more than `most` disjuncts."""
    if formula is True:
        return [()]
    if formula is False:
        return []
    if isinstance(formula, int):
        return [(formula,)]
    assert isinstance(formula, tuple)
    if formula[0] == OR:
        found: dict[Conjunction, None] = {}
        for part in formula[1]:
            inner = disjuncts(part, most)
            if inner is None:
                return None
            found.update(dict.fromkeys(inner))
            if len(found) > most:
                return None
        return list(found)
    result: list[Conjunction] = [()]
    for part in formula[1]:
        inner = disjuncts(part, most)
        if inner is None or len(result) * len(inner) > most:
            return None
        result = [both for one in result for other in inner if (both := _both(one, other)) is not None]
    return result


def _both(one: Conjunction, other: Conjunction) -> Conjunction | None:
    """The union of two conjunctions, or None if they contradict each other."""
    if any(~literal in one for literal in other):
        return None
    return one + tuple([literal for literal in other if literal not in one])
