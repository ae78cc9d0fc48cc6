"""Linting, formatting and outlines of files with the texts of PuzzleScript games."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Any

from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, nearest
from unpuzzle.model.game_formats import GameFormat, Lint, Part
from unpuzzle.pddl.linting.fault import Code, Edit, Fault, read_codes
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group, Rule, bits
from unpuzzle.puzzlescript.compiling.compiler import check_size, compile_text
from unpuzzle.puzzlescript.compiling.names import read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects
from unpuzzle.puzzlescript.compiling.sections import read_levels
from unpuzzle.puzzlescript.compiling.text import (
    PRELUDE,
    SECTIONS,
    FaultCollector,
    SourceLine,
    TextFault,
    heading_of,
    read_text,
    sections_of,
)
from unpuzzle.puzzlescript.engine.board import DOWN, LEFT, UP, BoardGrid, board_of
from unpuzzle.puzzlescript.engine.states import draws_at
from unpuzzle.puzzlescript.engine.turns import ListRunner, Queue
from unpuzzle.puzzlescript.explaining import mentions, require_same, told
from unpuzzle.puzzlescript.game import ScriptGame, game_of

# Formatting of a game's text: only blanks within lines and between sections change, and nothing in play.
#
#     formatted(text) -> text
#
# Rules get one blank between their parts, legends are put around `=`, headings are capitals between rows of `=`,
# several blank lines become one. Lines with comments keep their blanks, except at the end. The game is compiled before
# and after: if formatting would change the game, less is changed, or nothing.

_FRAME = "========"
_PARTS = re.compile(r"\s*(->|[\[\]|])\s*")
_TEXT = re.compile(r"(?<!\w)message\b", re.IGNORECASE)


def formatted(text: str, file: str | None = None) -> str:
    """Format the text of a game. Raises ParseError if the text is too large."""
    check_size(text, file)
    meaning, plain = _meaning(text), text.replace("\r\n", "\n")
    for layout in (_laid_out, _trimmed):
        after = layout(plain)
        if _meaning(after) == meaning:
            return after.replace("\n", "\r\n") if "\r\n" in text else after
    return text


def _meaning(text: str) -> tuple[object, list[tuple[str, str]]]:
    """Return what matters when two texts of a game are compared: the compiled game and its faults, without lines."""
    faults = FaultCollector(text, None)
    game = compile_text(text, faults)
    told = [(fault.code, re.sub(r"\d+", "", fault.message)) for fault in faults.listed]
    return _without_lines(game), told


def _without_lines(value: Any) -> Any:
    """Return a part of a compiled game with all line numbers removed."""
    if isinstance(value, Compiled):
        parts = (value.rules, value.late, value.levels)
        return value._replace(rules=(), late=(), levels=()), tuple(map(_without_lines, parts))
    if hasattr(value, "line"):
        return value._replace(line=0)
    if hasattr(value, "rules"):
        return value._replace(rules=tuple([rule._replace(line=0) for rule in value.rules]))
    return tuple(map(_without_lines, value)) if isinstance(value, tuple) else value


def _trimmed(text: str) -> str:
    """Remove blanks at the ends of lines, and repeated blank lines."""
    return _spaced([line.rstrip() for line in text.split("\n")])


def _spaced(lines: list[str]) -> str:
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    return "\n".join(kept).strip("\n") + "\n"


def _laid_out(text: str) -> str:
    """Return the text of a game in the usual layout."""
    lines = [line.rstrip() for line in text.split("\n")]
    for section, members in sections_of(text, FaultCollector(text)).items():
        layout = _LAYOUTS.get(section)
        for line in members:
            written = lines[line.number - 1]
            if layout and not line.stray and line.code.rstrip() == written.lower():
                lines[line.number - 1] = layout(written)
    return _spaced(_headed(lines))


def _headed(lines: list[str]) -> list[str]:
    """Return the lines of a game's text with each section's name in capitals, between two rows of `=`."""
    result: list[str] = []
    for at, line in enumerate(lines):
        framed = [0 < number < len(lines) and not lines[number].strip(" =") for number in (at - 1, at + 1)]
        is_row = bool(line) and not line.strip(" =")
        beside = lines[at - 1 : at] + lines[at + 1 : at + 2]
        if heading_of(line) == line.strip().lower() and all(framed):
            result.append(line.strip().upper())
        elif is_row and any(heading_of(each) == each.strip().lower() for each in beside):
            result += ["", _FRAME] if at + 1 < len(lines) and heading_of(lines[at + 1]) else [_FRAME, ""]
        else:
            result.append(line)
    return result


def _rule(line: str) -> str:
    """Return a rule with one blank between its parts, and the text of a message unchanged."""
    message = _TEXT.search(line)
    code, free = (line[: message.start()], line[message.start() :]) if message else (line, "")
    code = _PARTS.sub(r" \1 ", code).replace("] [", "] [")
    return f"{' '.join(code.split())} {free}".strip()


def _words(line: str) -> str:
    return " ".join(line.split())


def _equal(line: str) -> str:
    left, sign, right = line.partition("=")
    return f"{_words(left)} = {_words(right)}" if sign and right.strip() else line


_LAYOUTS: dict[str, Callable[[str], str]] = {
    "legend": _equal,
    "objects": _words,
    "sounds": _words,
    "collisionlayers": lambda line: re.sub(r"\s*,\s*", ", ", _words(line)).rstrip(),
    "rules": _rule,
    "winconditions": _words,
}
"""By section, the layout of a line without a comment."""


# The faults of a game in a form for authors: each slip once, at its place, with its correction.
#
# A slip can have distant effects: with a misspelt section name, all its lines belong to the section before. So obvious
# slips are reported first, and the compiler checks the text with them corrected. Of its faults, the ones caused by
# other faults are left out.

_ARROW = re.compile(r"=+>|→|⇒|--+>|(?<=\])\s*-\s+>")
_GLYPH = re.compile(r"the character (.) is not in the legend")
_MOST_LINES = 100_000
"""The longest text, in lines, that is searched for slips."""


class Slips:
    """The probable typing errors in a game's text; `corrected_text` is the corrected text with the same lines."""

    def __init__(self, text: str) -> None:
        self.faults: list[TextFault] = []
        lines = text.split("\n")
        if len(lines) <= _MOST_LINES:
            self._headings(lines)
            self._arrows(lines)
        self.corrected_text = "\n".join(lines)

    def _headings(self, lines: list[str]) -> None:
        """Correct misspelt names of sections in the text."""
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
                self._correct(lines, number, word, name.upper(), "script-section", f"{word} is not a section")

    def _arrows(self, lines: list[str]) -> None:
        """Correct the arrows of rules that are written in another way than `->`."""
        section = None
        for number, line in enumerate(lines):
            section = heading_of(line) or section
            arrows = _ARROW.findall(line) if section == "rules" and "->" not in line.replace("-->", "") else []
            if len(arrows) == 1 and line.lstrip()[:1] != "=":
                word = arrows[0].strip()
                self._correct(lines, number, word, "->", "script-rule", f"the arrow of a rule is not {word}")

    def _correct(self, lines: list[str], number: int, word: str, right: str, code: str, what: str) -> None:
        at = lines[number].index(word)
        message = f"{what}, did you mean {right}?"
        self.faults.append(TextFault(number + 1, at + 1, "error", message, code, at + 1 + len(word), right))
        lines[number] = lines[number][:at] + right + lines[number][at + len(word) :]


def _is_framed(lines: list[str], number: int) -> bool:
    """Return whether the line above or below a line is a row of `=`."""
    beside = [lines[at].strip() for at in (number - 1, number + 1) if 0 <= at < len(lines)]
    return any(row and not row.strip("=") for row in beside)


def without_consequences(faults: list[TextFault], text: str) -> list[TextFault]:
    """Remove faults that result from other faults, and all but the first fault about an unknown character."""
    lines = text.split("\n")
    meant = {fault.meant for fault in faults if fault.meant}
    defined = {lines[fault.line - 1].partition("=")[0].strip().lower() for fault in faults if fault.meant}
    strange = Counter(match[1] for fault in faults if (match := _GLYPH.match(fault.message)))
    result, told = [], defined.intersection(strange)
    for fault in faults:
        glyph = _GLYPH.match(fault.message)
        alone = fault.code == "script-layers" and "is in no collision layer" in fault.message
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
    """Return the edit that adds a line to the legend, if one character is unknown and one object has no character.

    A character at a single place may be a slip itself, and an object that rules make may need none.
    """
    own = [fault for fault in faults if _GLYPH.match(fault.message)]
    if len(own) != 1 or "more row" not in own[0].message:
        return {}
    scratch = FaultCollector(text)
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
    """Convert the faults of a game's text to the faults that lint reports for a file, with corrections."""
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


class ScriptFormat(GameFormat):
    """The format of files with PuzzleScript games, whose names end in .txt."""

    read_text = staticmethod(read_text)
    formatted = staticmethod(formatted)
    told = staticmethod(told)
    mentions = staticmethod(mentions)
    require_same = staticmethod(require_same)

    def is_game_text(self, text: str) -> bool:
        """Return whether a text has the sections of a game."""
        lines = {line.strip().lower() for line in text.split("\n")}
        return {"objects", "collisionlayers", "rules"} <= lines

    def game_in(self, text: str, path: str) -> ScriptGame:
        check_size(text, path)
        return game_of(text, os.path.splitext(os.path.basename(path))[0], path)

    def lines_of_levels(self, game: ScriptGame) -> Mapping[str, tuple[str, int, int]]:
        """Return, for each level, the message before the level, and the level's first and last line."""
        lines: dict[str, tuple[str, int, int]] = {}
        message = ""
        for number, level in enumerate(game.compiled.levels):
            if level.width:
                lines[str(number)] = message, level.line, level.line + level.height - 1
            message = "" if level.width or len(level.text) > LONGEST_TITLE else level.text
        return lines

    def lint_text(self, text: str, path: str) -> Lint:
        check_size(text, path)
        slips = Slips(text)
        faults = faults_of(slips.corrected_text, path)
        listed = without_consequences(faults.listed, slips.corrected_text)
        gone = Counter(fault.severity for fault in faults.listed) - Counter(fault.severity for fault in listed)
        number = Counter(faults.count) - gone + Counter(fault.severity for fault in slips.faults)
        listed = sorted([*slips.faults, *listed], key=lambda fault: (fault.line, fault.column or 0))
        data = list(as_faults(listed, legend_edits(listed, slips.corrected_text), path))
        return data, {severity: number[severity] for severity in faults.count}

    def codes(self) -> dict[str, Code]:
        return read_codes(os.path.join(os.path.dirname(__file__), "compiling", "codes.txt"))

    def outline(self, text: str) -> list[Part]:
        """Return the outline of a text: its sections with their parts."""
        faults = FaultCollector(text)
        sections = sections_of(text, faults)
        things, synonyms = read_objects(sections["objects"], faults)
        names = read_names(things, synonyms, sections["legend"], sections["collisionlayers"], faults)
        lines = text.split("\n")
        insides = {
            "objects": [
                Part(lines[thing.line - 1].strip(), OBJECT, thing.line, thing.line, " ".join(thing.colours))
                for thing in things.values()
            ],
            "rules": [Part(line.original.strip(), RULE, line.number, line.number) for line in sections["rules"]],
            "levels": _levels(sections["levels"], read_levels(sections["levels"], names, (0, 0), faults)),
        }
        starts = _starts(lines, list(sections))
        result = []
        for (name, line), (_, after) in pairwise([*starts, ("", len(lines) + 2)]):
            inside = tuple(_with_ends(insides.get(name, []), after - 1))
            detail = f"{len(inside)}" if inside else ""
            result.append(Part(name.upper(), SECTION, line, max(line, after - 2), detail, inside))
        return result


def faults_of(text: str, file: str | None = None) -> FaultCollector:
    """Return the faults in the text of a game, in the order of lines.

    They include the compiler's faults, levels without a player, and rules that loop without end.
    """
    check_size(text, file)
    faults = FaultCollector(text, file)
    game = compile_text(text, faults)
    if game is not None:
        for level in game.levels:
            if level.width and not game.has_player(level.cells):
                faults.warning("script-no-player", level.line, "this level has no player", 1)
        if not any(level.width for level in game.levels):
            faults.error("script-level", faults.last_line, "the game has no level", 1)
        for line in endless_groups(game):
            faults.warning(
                "script-endless", line, "this group of rules undoes what it does: it is cut off after 200 passes"
            )
    faults.listed.sort(key=lambda fault: (fault.line, fault.column or 0))
    return faults


LONGEST_TITLE = 40
MOST_RULES = 50
"""The largest group that is tried: larger ones come from rules with many expansions, and take long."""


MOST_TRIED = 5_000
"""Rules that are tried in all; the groups after them are not: each rule takes about a millisecond."""


def endless_groups(game: Compiled) -> Iterator[int]:
    """Yield the first line of each group of rules that, on a small board, is applied without end."""
    left = MOST_TRIED
    for group in (*game.rules, *game.late):
        if group.random or len(group.rules) > min(MOST_RULES, left):
            continue
        left -= len(group.rules)
        if any(_loops_forever(group, rule, game) for rule in group.rules):
            yield group.rules[0].line


def _loops_forever(group: Group, rule: Rule, game: Compiled) -> bool:
    """Return whether a group of rules is applied without end on the smallest board that `rule` matches."""
    checkpoint()
    row = rule.rows[0]
    if len(rule.rows) > 1 or not rule.has_right or None in row:
        return False
    if any(new.random_objects or new.random_directions for _, new in rule.replacements()):
        return False
    cells = [cell for cell in row if cell is not None]
    shape = (1, len(cells)) if rule.direction in (UP, DOWN) else (len(cells), 1)
    runner = ListRunner([group._replace(jump=-1)], game, BoardGrid(*shape))
    cells = cells[::-1] if rule.direction in (UP, LEFT) else cells
    board = board_of([_objects(cell, game) for cell in cells], game)
    for number, cell in enumerate(cells):
        board.put(number, board.cells[number], cell.moves_present)
    queue = Queue(set(), draws_at("", 0).copy())
    runner.run(board, queue)
    return bool(queue.endless)


def _objects(cell: CellPattern, game: Compiled) -> int:
    """Return a set of objects that matches a cell pattern."""
    objects = cell.present
    for members in cell.any:
        if not objects & members:
            layers = reduce(or_, [layer for layer in game.layers if layer & objects], 0)
            objects |= next((1 << number for number in bits(members & ~layers)), 0)
    if not objects & game.background_layer:
        objects |= game.background & ~cell.missing
    return objects


SECTION, OBJECT, RULE, LEVEL, MESSAGE = "section", "object", "rule", "level", "message"


def _starts(lines: list[str], names: list[str]) -> list[tuple[str, int]]:
    """Return the names of the sections in a text, each with the line in which the section begins."""
    starts, free = [], set(names) - {PRELUDE}
    for number, line in enumerate(lines, 1):
        name = heading_of(line)
        if name in free and line.strip().lower() == name:
            free.discard(name)
            starts.append((name, number))
    return starts


def _with_ends(parts: list[Part], end: int) -> list[Part]:
    """Give each part a last line: the line before the next part, or `end` for the last part."""
    after = [*(part.line - 1 for part in parts[1:]), end - 2]
    return [part._replace(end_line=max(part.end_line, last)) for part, last in zip(parts, after, strict=False)]


def _levels(lines: list[SourceLine], levels: tuple[object, ...]) -> list[Part]:
    """Return the levels and messages of a game, numbered from 0, as parts of the outline."""
    parts = []
    for number, level in enumerate(levels):
        line, width, height, words = level.line, level.width, level.height, level.text  # type: ignore[attr-defined]
        if width:
            size = f"{width} × {height}"
            parts.append(Part(f"level {number}", LEVEL, line, line + height - 1, size, (), str(number)))
        else:
            parts.append(Part(words or "message", MESSAGE, line, line))
    return parts
