"""The rules that fire in the levels of a game, and the rules that never do.

If all positions of all levels were seen, a rule that did not fire never does; otherwise it was only not seen to fire.
An impossible rule (`possible`) never fires, however large the levels are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

from unpuzzle.limits import Limits
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Replacement, Rule
from unpuzzle.puzzlescript.debugging.exploring import LevelCoverage, cover_level
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.rules import ScriptRules
from unpuzzle.record import Record
from unpuzzle.words import count


class Coverage(Record):
    """The rules that fire in the levels of a game.

    Attributes:
        levels: the explored levels.
        whole: whether they are all levels of the game, and all positions of each were seen.
        rules: the text of each rule, by line.
        never: lines of rules that never fire in any level, which is proved.
        not_seen: lines of rules that were not seen to fire, and may fire.
        absent: objects that are never there, which is proved.
        not_seen_objects: objects that were not seen, and may be there.
        begin_solved: levels in which all win conditions hold at the start.
    """

    levels: tuple[LevelCoverage, ...]
    whole: bool
    rules: Mapping[int, str]
    never: tuple[int, ...]
    not_seen: tuple[int, ...]
    absent: tuple[str, ...]
    not_seen_objects: tuple[str, ...]
    begin_solved: tuple[str, ...]

    schema = "rules"


class RuleCovering:
    """Levels to be explored, each within limits; the results so far are available at any time."""

    def __init__(
        self,
        game: ScriptRules,
        levels: Mapping[str, str] | None = None,
        *,
        limits: Limits | None = None,
        max_states: int | None = None,
        progress: Callable[[str, int], None] | None = None,
    ) -> None:
        self._game = game
        self._levels = dict.fromkeys(game.levels, "") if levels is None else levels
        self._limits, self._max_states, self._progress = limits, max_states, progress
        self.rows: list[LevelCoverage] = []

    def run(self) -> None:
        """Explore the levels. Raises ParseError for an unreadable level text."""
        for name, text in self._levels.items():
            tell = None if self._progress is None else partial(self._progress, name)
            row = cover_level(self._game, name, text, limits=self._limits, max_states=self._max_states, progress=tell)
            self.rows.append(row)

    def coverage(self) -> Coverage:
        """Return the joint result of the levels so far."""
        return summed_up(self._game, self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the same as data for JSON."""
        return self.coverage().to_dict()

    def lines(self) -> list[str]:
        """Return the same in lines for people."""
        return list(lines_of(self.coverage()))


def summed_up(game: ScriptRules, rows: Sequence[LevelCoverage]) -> Coverage:
    """Return the joint result of several levels."""
    numbers = {game.levels.number(row.level) for row in rows}
    whole = all(row.whole for row in rows) and {int(name) for name in game.levels} <= numbers
    fired = {line for row in rows for line in row.fired}
    lines = sorted({rule.line for rule in game.compiled.all_rules()} - fired)
    seen = {name for row in rows for name in row.objects}
    layers = game.compiled.layers_by_object()
    others = [
        name for name, layer in zip(game.compiled.objects, layers, strict=True) if layer >= 0 and name not in seen
    ]
    possible = Possible(game.compiled)
    there = {game.compiled.objects[number] for number in bits(possible.objects)}
    source = game.source.split("\n")
    return Coverage(
        levels=tuple(rows),
        whole=whole,
        rules={rule.line: source[rule.line - 1].strip() for rule in game.compiled.all_rules()},
        never=tuple([line for line in lines if whole or line not in possible.lines]),
        not_seen=tuple([line for line in lines if not whole and line in possible.lines]),
        absent=tuple([name for name in others if whole or name not in there]),
        not_seen_objects=tuple([name for name in others if not whole and name in there]),
        begin_solved=tuple([row.level for row in rows if row.begins_solved]),
    )


def lines_of(coverage: Coverage) -> Iterator[str]:
    """Yield the results in lines for people: each rule with the levels where it fires."""
    rows = coverage.levels
    for line, text in coverage.rules.items():
        yield f"line {line}  {text}"
        fired = [row.level for row in rows if line in row.fired]
        if line in coverage.never:
            yield "    never fires" + (
                "" if coverage.whole else ": no level has what it looks for, and no rule makes it"
            )
        elif not fired:
            yield "    was not seen to fire"
        else:
            yield f"    fires in {_listed(fired)}{_in_solutions(line, rows)}"
    for name in coverage.absent:
        yield f"object {name} is never there"
    for name in coverage.not_seen_objects:
        yield f"object {name} was not seen"
    for name in coverage.begin_solved:
        yield f"level {name}: all win conditions hold at the start"
    for row in rows:
        if not row.whole:
            yield f"level {row.level}: not all was seen, only {count(row.states, 'position')}: {row.reason}"


def _in_solutions(line: int, rows: Sequence[LevelCoverage]) -> str:
    """Return words about the levels where a rule fires in shortest solutions."""
    known = [row for row in rows if row.in_some is not None and row.in_all is not None]
    every = [row.level for row in known if line in (row.in_all or ())]
    some = [row.level for row in known if line in (row.in_some or ()) and row.level not in every]
    parts = [f"in every shortest solution of {_listed(every)}"] if every else []
    parts += [f"in some of {_listed(some)}"] if some else []
    if not parts and known:
        parts = [
            "in no shortest solution" + ("" if len(known) == len(rows) else f" of {_listed(r.level for r in known)}")
        ]
    return "; " + ", ".join(parts) if parts else ""


def _listed(levels: Iterable[str]) -> str:
    names = list(levels)
    return f"level{'s' * (len(names) > 1)} {', '.join(names)}"


# An overestimate of everything possible in a game: objects, movements, and rules that may match.
#
# It begins with the objects in the levels and the pushes of players, and adds the effects of all rules whose patterns
# could match, each cell by itself, until nothing changes. So it may contain too much, but never too little: everything
# outside is proved impossible.

ALL = 0b11111


class Possible:
    """The objects, movements and rules that are possible in a game.

    Attributes: `objects` and `moves`, as sets (`compiled`), that some cell may have; `lines` of rules that may match.
    """

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self.objects: int = reduce(or_, [cell for level in game.levels for cell in level.cells], 0)
        self.moves: int = 0
        self.lines: set[int] = set()
        layers = game.layers_by_object()
        for number in bits(game.player):
            if layers[number] >= 0:
                self.moves |= ALL << 5 * layers[number]
        waiting = game.all_rules()
        while True:
            found = [rule for rule in waiting if self._may_match(rule)]
            if not found:
                return
            waiting = [rule for rule in waiting if not self._may_match(rule)]
            for rule in found:
                self._add(rule)

    def _may_match(self, rule: Rule) -> bool:
        return all(self._may_hold(cell) for row in rule.rows for cell in row if cell is not None)

    def _may_hold(self, cell: CellPattern) -> bool:
        if cell.present & ~self.objects or cell.moves_present & ~self.moves:
            return False
        return all(members & self.objects for members in cell.any)

    def _add(self, rule: Rule) -> None:
        self.lines.add(rule.line)
        for _, new in rule.replacements():
            self.objects |= new.set | new.random_objects
            self.moves |= new.moves_set | _drawn(new)


def _drawn(new: Replacement) -> int:
    """Return the movements that a replacement may draw: its layers are given as bits 0 and 2."""
    return reduce(or_, [0b01111 << bit for bit in bits(new.random_directions) if bit % 5 == 0], 0)
