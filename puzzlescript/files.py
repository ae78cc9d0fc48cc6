"""Files with games in PuzzleScript: linting and outlines, and what else `GameFormat` asks for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from operator import or_

from unpuzzle.errors import ParseError
from unpuzzle.pddl.judging.codes import Code, read_codes
from unpuzzle.pddl.judging.fault import Fault
from unpuzzle.puzzle.game_formats import GameFormat, Lint, Part
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group, Rule
from unpuzzle.puzzlescript.compiling.compiler import check_size, compile_text
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects
from unpuzzle.puzzlescript.compiling.sections import read_levels
from unpuzzle.puzzlescript.compiling.text import PRELUDE, Line, heading_of, read_text, sections_of
from unpuzzle.puzzlescript.explaining.naming import mentions, require_same
from unpuzzle.puzzlescript.explaining.telling import told
from unpuzzle.puzzlescript.formatting import formatted
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.playing.applying import ListRunner, Queue
from unpuzzle.puzzlescript.playing.board import DOWN, LEFT, UP, Grid, board_of
from unpuzzle.puzzlescript.playing.draws import draws_at
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.slips import Slips, as_faults, legend_edits, told_once
from unpuzzle.run import checkpoint


class ScriptFormat(GameFormat):
    """PuzzleScript, the language of files that end in .txt."""

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
        """Return by name of each level its title, a short message before it, and its first and last line."""
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
        faults = faults_of(slips.mended, path)
        listed = told_once(faults.listed, slips.mended)
        gone = Counter(fault.severity for fault in faults.listed) - Counter(fault.severity for fault in listed)
        number = Counter(faults.count) - gone + Counter(fault.severity for fault in slips.faults)
        listed = sorted([*slips.faults, *listed], key=lambda fault: (fault.line, fault.column or 0))
        data = list(as_faults(listed, legend_edits(listed, slips.mended), path))
        lines = text.split("\n")
        shown = [_shown(fault, path, lines) for fault in data]
        return data, shown, {severity: number[severity] for severity in faults.count}

    def codes(self) -> dict[str, Code]:
        return read_codes(os.path.join(os.path.dirname(__file__), "compiling", "codes.txt"))

    def outline(self, text: str) -> list[Part]:
        """Return the sections of a text in their order, with their parts."""
        faults = Faults(text)
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


def _shown(fault: Fault, path: str, lines: list[str]) -> str:
    """Return a fault as a text for people."""
    message = f"{fault.severity}: {fault.message} [{fault.code}]"
    text = lines[fault.line - 1] if fault.line and fault.line <= len(lines) else ""
    return str(ParseError(message, file=path, line=fault.line, column=fault.column, text=text))


def faults_of(text: str, file: str | None = None) -> Faults:
    """Return the faults of a game, in the order of lines.

    They include the compiler's faults, levels without a player, and rules that loop without end.
    """
    check_size(text, file)
    faults = Faults(text, file)
    game = compile_text(text, faults)
    if game is not None:
        for level in game.levels:
            if level.width and not game.has_player(level.cells):
                faults.warning("script-no-player", level.line, "this level has no player", 1)
        if not any(level.width for level in game.levels):
            faults.error("script-level", faults.last_line, "the game has no level", 1)
        for line in undoing(game):
            faults.warning(
                "script-endless", line, "this group of rules undoes what it does: it is cut off after 200 passes"
            )
    faults.listed.sort(key=lambda fault: (fault.line, fault.column or 0))
    return faults


LONGEST_TITLE = 40
MOST_RULES = 50
"""Larger groups are not tried: they come from rules with many expansions, and take long."""


MOST_TRIED = 5_000
"""Rules that are tried in all; the groups after them are not: each rule takes about a millisecond."""


def undoing(game: Compiled) -> Iterator[int]:
    """Yield the line of each group that undoes itself on some tiny board."""
    left = MOST_TRIED
    for group in (*game.rules, *game.late):
        if group.random or len(group.rules) > min(MOST_RULES, left):
            continue
        left -= len(group.rules)
        if any(_goes_round(group, rule, game) for rule in group.rules):
            yield group.rules[0].line


def _goes_round(group: Group, rule: Rule, game: Compiled) -> bool:
    """Return whether the group is cut off on the smallest board that one of its rules matches."""
    checkpoint()
    row = rule.rows[0]
    if len(rule.rows) > 1 or not rule.has_right or None in row:
        return False
    if any(new.random_objects or new.random_directions for _, new in rule.replacements()):
        return False
    cells = [cell for cell in row if cell is not None]
    shape = (1, len(cells)) if rule.direction in (UP, DOWN) else (len(cells), 1)
    runner = ListRunner([group._replace(jump=-1)], game, Grid(*shape))
    cells = cells[::-1] if rule.direction in (UP, LEFT) else cells
    board = board_of([_objects(cell, game) for cell in cells], game)
    for number, cell in enumerate(cells):
        board.put(number, board.cells[number], cell.moves_present)
    queue = Queue(set(), draws_at("", 0).copy())
    runner.run(board, queue)
    return bool(queue.endless)


def _objects(cell: CellPattern, game: Compiled) -> int:
    """Return the objects that a cell pattern requires: for each property, its first member that fits."""
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
    """Return the lines of the sections' headings."""
    starts, free = [], set(names) - {PRELUDE}
    for number, line in enumerate(lines, 1):
        name = heading_of(line)
        if name in free and line.strip().lower() == name:
            free.discard(name)
            starts.append((name, number))
    return starts


def _with_ends(parts: list[Part], end: int) -> list[Part]:
    """Return parts with their last lines: up to the next one, or to the end of the section."""
    after = [*(part.line - 1 for part in parts[1:]), end - 2]
    return [part._replace(end_line=max(part.end_line, last)) for part, last in zip(parts, after, strict=False)]


def _levels(lines: list[Line], levels: tuple[object, ...]) -> list[Part]:
    """Return levels and messages; both are counted, from 0."""
    parts = []
    for number, level in enumerate(levels):
        line, width, height, words = level.line, level.width, level.height, level.text  # type: ignore[attr-defined]
        if width:
            size = f"{width} × {height}"
            parts.append(Part(f"level {number}", LEVEL, line, line + height - 1, size, (), str(number)))
        else:
            parts.append(Part(words or "message", MESSAGE, line, line))
    return parts
