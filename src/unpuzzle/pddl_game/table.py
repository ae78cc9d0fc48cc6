"""The picture of a state without picture lines: a table of its facts, by predicate.

clear      b | c
handempty  yes
on         a b
missing    (on b a)

After a move it marks the changes: `+` before facts that became true, `-` before facts that became false.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from unpuzzle.pddl.nodes import Atom

WIDTH = 100
"""The line width; longer lines are broken between two facts."""
MISSING = "missing"
ADDED, GONE, KEPT = "+", "-", ""
ANSI = {ADDED: 32, GONE: 31}
"""The colour of each mark, one of the sixteen of a terminal."""

Marked = tuple[str, str]
"""A mark and the arguments of a fact, `yes` without any."""


def marked_facts(atoms: Collection[Atom], before: Collection[Atom] | None = None) -> dict[str, list[Marked]]:
    """Return the facts by predicate, marked if facts of an earlier state are given."""
    marks = {atom: KEPT if before is None or atom in before else ADDED for atom in atoms}
    marks |= {atom: GONE for atom in before or () if atom not in marks}
    rows: dict[str, list[Marked]] = {}
    for atom in sorted(marks, key=str):
        rows.setdefault(atom.predicate, []).append((marks[atom], " ".join(atom.arguments) or "yes"))
    return rows


def facts_table(
    atoms: Collection[Atom], missing: Iterable[str], before: Collection[Atom] | None = None, colours: bool = False
) -> str:
    """Return the table: lines for each predicate with facts, then the missing goals.

    `before` has the facts of the state before a move; `colours` adds escape sequences to the changes.
    """
    rows = marked_facts(atoms, before)
    lacks = [(KEPT, part) for part in missing] or [(KEPT, "nothing: the goal holds")]
    width = max([len(name) for name in [*rows, MISSING]])
    lines = [line for name, facts in rows.items() for line in _broken(name.ljust(width), facts, " | ", colours)]
    return "\n".join([*lines, *_broken(MISSING.ljust(width), lacks, " ", colours)])


def _broken(name: str, facts: list[Marked], separator: str, colours: bool) -> Iterable[str]:
    """Yield the lines of a predicate, at most `WIDTH` long unless a single fact is longer."""
    line, length = name + "  ", len(name) + 2
    for number, (mark, words) in enumerate(facts):
        fact = mark + words
        if number and length + len(separator) + len(fact) > WIDTH:
            yield line
            line, length = " " * (len(name) + 2), len(name) + 2
        elif number:
            line, length = line + separator, length + len(separator)
        line += f"\033[{ANSI[mark]}m{fact}\033[0m" if colours and mark else fact
        length += len(fact)
    yield line
