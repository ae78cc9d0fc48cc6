"""The picture of a state that needs no word about pictures: a table of its facts, by predicate.

clear      b | c
handempty  yes
on         a b
missing    (on b a)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from unpuzzle.pddl.nodes import Atom

WIDTH = 100
"""Longer lines are broken between two facts."""
MISSING = "missing"


def facts_table(atoms: Collection[Atom], missing: Iterable[str]) -> str:
    """Return the table: lines for each predicate that is true of something, then the goals that are missing."""
    rows: dict[str, list[str]] = {}
    for atom in sorted(atoms, key=str):
        rows.setdefault(atom.predicate, []).append(" ".join(atom.arguments) or "yes")
    lacks = list(missing)
    width = max([len(name) for name in [*rows, MISSING]])
    lines = [line for name, facts in rows.items() for line in _broken(name.ljust(width), facts, " | ")]
    return "\n".join([*lines, *_broken(MISSING.ljust(width), lacks or ["nothing: the goal holds"], " ")])


def _broken(name: str, facts: list[str], separator: str) -> Iterable[str]:
    line = name + "  " + facts[0]
    for fact in facts[1:]:
        if len(line) + len(separator) + len(fact) > WIDTH:
            yield line
            line = " " * len(name) + "  " + fact
        else:
            line += separator + fact
    yield line
