"""The faults of a game in a form for authors: each slip once, at its place, with its correction.

A slip can have distant effects: with a misspelt section name, all its lines belong to the section before. So obvious
slips are reported first, and the compiler checks the text with them corrected. Of its faults, the ones caused by other
faults are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from unpuzzle.pddl.judging.fault import Edit, Fault
from unpuzzle.puzzlescript.compiling.faults import Faults, TextFault
from unpuzzle.puzzlescript.compiling.names import read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects
from unpuzzle.puzzlescript.compiling.text import SECTIONS, heading_of, sections_of
from unpuzzle.words import count, nearest

_ARROW = re.compile(r"=+>|→|⇒|--+>|(?<=\])\s*-\s+>")
_GLYPH = re.compile(r"the character (.) is not in the legend")
_MOST_LINES = 100_000
"""Longer texts are not searched for slips."""


class Slips:
    """The slips of a text: `faults`, and `mended`, the corrected text, with the same lines."""

    def __init__(self, text: str) -> None:
        self.faults: list[TextFault] = []
        lines = text.split("\n")
        if len(lines) <= _MOST_LINES:
            self._headings(lines)
            self._arrows(lines)
        self.mended = "\n".join(lines)

    def _headings(self, lines: list[str]) -> None:
        """Correct names of sections that are nearly right, between rows of `=` or alone on their line."""
        present = {heading_of(line) for line in lines}
        missing = [name for name in SECTIONS if name not in present]
        for number, line in enumerate(lines):
            word = line.strip()
            if not missing or not word or heading_of(line) or not _is_framed(lines, number):
                continue
            joined = re.sub(r"[\s_-]+", "", word.lower())
            name = nearest(joined, missing)
            if name is not None:
                missing.remove(name)
                self._mend(lines, number, word, name.upper(), "script-section", f"{word} is not a section")

    def _arrows(self, lines: list[str]) -> None:
        """Correct arrows of rules."""
        section = None
        for number, line in enumerate(lines):
            section = heading_of(line) or section
            arrows = _ARROW.findall(line) if section == "rules" and "->" not in line.replace("-->", "") else []
            if len(arrows) == 1 and line.lstrip()[:1] != "=":
                word = arrows[0].strip()
                self._mend(lines, number, word, "->", "script-rule", f"the arrow of a rule is not {word}")

    def _mend(self, lines: list[str], number: int, word: str, right: str, code: str, what: str) -> None:
        at = lines[number].index(word)
        message = f"{what}, did you mean {right}?"
        self.faults.append(TextFault(number + 1, at + 1, "error", message, code, at + 1 + len(word), right))
        lines[number] = lines[number][:at] + right + lines[number][at + len(word) :]


def _is_framed(lines: list[str], number: int) -> bool:
    """Return whether there is a row of `=` above or below a line."""
    beside = [lines[at].strip() for at in (number - 1, number + 1) if 0 <= at < len(lines)]
    return any(row and not row.strip("=") for row in beside)


def told_once(faults: list[TextFault], text: str) -> list[TextFault]:
    """Return the faults without consequences of others, and only one for each character missing in the legend."""
    lines = text.split("\n")
    meant = {fault.meant for fault in faults if fault.meant}
    defined = {lines[fault.line - 1].partition("=")[0].strip().lower() for fault in faults if fault.meant}
    strange = Counter(match[1] for fault in faults if (match := _GLYPH.match(fault.message)))
    result, told = [], defined.intersection(strange)
    for fault in faults:
        glyph = _GLYPH.match(fault.message)
        alone = fault.code == "script-layers" and "lies in no collision layer" in fault.message
        if (alone and fault.message.split()[2] in meant) or (strange and fault.code == "script-no-player"):
            continue
        if glyph is None:
            result.append(fault)
        elif glyph[1] not in told:
            told.add(glyph[1])
            more = strange[glyph[1]] - 1
            others = f" (also in {count(more, 'more row')})" if more else ""
            result.append(fault._replace(message=fault.message + others))
    return result


def legend_edits(faults: list[TextFault], text: str) -> Mapping[TextFault, Edit]:
    """Return the missing line of the legend, if exactly one character and one object have no partner.

    A character at a single place may be a slip itself, and an object that rules make may need none.
    """
    own = [fault for fault in faults if _GLYPH.match(fault.message)]
    if len(own) != 1 or "more row" not in own[0].message:
        return {}
    scratch = Faults(text)
    sections = sections_of(text, scratch)
    things, synonyms = read_objects(sections["objects"], scratch)
    names = read_names(things, synonyms, sections["legend"], sections["collisionlayers"], scratch)
    without = [
        name
        for name in things
        if name in names.masks and not any(names.masks[name] & each for each in names.glyphs.values())
    ]
    if len(without) != 1 or not sections["legend"]:
        return {}
    lines = text.split("\n")
    last = sections["legend"][-1].number
    (word, *_) = lines[things[without[0]].line - 1].split()
    glyph = text.split("\n")[own[0].line - 1][own[0].column - 1]
    end = len(lines[last - 1]) + 1
    if any(word.lower() in line.code.partition("->")[2].split() for line in sections["rules"]):
        return {}
    return {own[0]: Edit(last, end, last, end, f"\n{glyph} = {word}")}


def as_faults(faults: list[TextFault], edits: Mapping[TextFault, Edit], path: str) -> Iterator[Fault]:
    """Yield the faults of a text as faults of a file, with their corrections."""
    for fault in faults:
        line, start, end = fault.line, fault.column, fault.end_column
        fix, guess = edits.get(fault), None
        message = fault.message
        if fix is not None:
            message += f": write {fix.text.strip()} in LEGEND"
        elif fault.meant is not None:
            edit = Edit(line, start, line, end, fault.meant)
            fix, guess = (edit, None) if fault.sure else (None, edit)
        yield Fault(path, line, start, fault.severity, message, line, end, fault.code, fix, suggestion=guess)
