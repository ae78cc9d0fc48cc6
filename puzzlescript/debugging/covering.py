"""Rule coverage: which rules of a game fire in its levels, and which never do.

If all positions of all levels were seen, a rule that did not fire never does; otherwise it was only not seen to fire.
An impossible rule (`possible`) never fires, however large the levels are.

Levels are explored by the engine in Python. Positions are numbered breadth-first, from the start on. Play ends when the
level is won. A rule fires if it changes something or queues a command, even in a turn that is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

from unpuzzle.base.distances import Explorer
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run, checkpoint
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Replacement, Rule, bits
from unpuzzle.puzzlescript.engine.board import Match, PlayBoard, board_of, holds
from unpuzzle.puzzlescript.engine.engine import PythonEngine
from unpuzzle.puzzlescript.engine.states import State
from unpuzzle.puzzlescript.engine.turns import TurnListener
from unpuzzle.puzzlescript.rules import ScriptRules

Lines = frozenset[int]


class LevelCoverage(Record):
    """The result of exploring one level: the rules that fired, and the objects seen.

    Attributes:
        level: its name.
        whole: whether all reachable positions were seen.
        reason: the reason if not.
        states: the number of positions seen.
        fired: lines of the rules that fired.
        in_some: lines that fire in some shortest solution; None if none is known.
        in_all: lines that fire in every shortest solution; None if none is known.
        objects: the objects seen on some cell, even within turns.
        conditions: whether each win condition holds at the start.
    """

    level: str
    whole: bool
    reason: str
    states: int
    fired: tuple[int, ...]
    in_some: tuple[int, ...] | None
    in_all: tuple[int, ...] | None
    objects: tuple[str, ...]
    conditions: tuple[bool, ...]

    @property
    def begins_solved(self) -> bool:
        """Whether all win conditions already hold when the level begins."""
        return bool(self.conditions) and all(self.conditions)


class FiredRules(TurnListener):
    """A listener of an engine that collects the lines of all rules that fire, and all objects that occur."""

    __slots__ = ("lines", "objects")

    def __init__(self) -> None:
        self.lines: set[int] = set()
        self.objects: int = 0

    def applied(self, rule: Rule, matches: Sequence[Match], board: PlayBoard) -> None:
        self.lines.add(rule.line)
        for row in matches:
            for cell in row:
                self.objects |= board.cells[cell]

    def queued(self, rule: Rule) -> None:
        self.lines.add(rule.line)

    def take(self) -> Lines:
        """Return the lines of the rules that have fired since the last call."""
        lines = frozenset(self.lines)
        self.lines.clear()
        return lines


class CoveringExplorer:
    """An exploration of one level that records which rules fire in each turn."""

    def __init__(self, game: ScriptRules) -> None:
        self.game = game
        self.fired = FiredRules()
        self.engine = PythonEngine(game.compiled, self.fired)
        self.reached: Explorer | None = None
        self._seen = 0  # states whose objects are known
        self.at_start: Lines = frozenset()
        self.all: set[int] = set()
        self.reason: str = ""

    def explore(self, level: State, max_states: int | None, progress: Callable[[int], None] | None) -> None:
        """Visit all positions of a level, at most `max_states`; an error leaves the results so far."""
        self._record_objects(level)
        start = self.engine.started(level)
        self.at_start = self._take()
        if start is None:
            self.reason = "it begins with turns of `again` that never end"
            return
        self.reached = Explorer(start, self._following)
        while self.reached.depth is not None:
            checkpoint()
            number = len(self.reached.edges)
            if max_states is not None and number >= max_states:
                self.reason = f"it has more positions than {max_states:,}"
                return
            if progress is not None and number % 64 == 0:
                progress(number)
            self.reached.expand()
            self._record_new_states()  # now, since it would take long beyond a limit to see them all

    def _following(self, state: State) -> Iterator[tuple[Lines, State, str]]:
        """Yield the states that follow a state, each with the rules that fired and the key."""
        for key in () if state.won else self.game.keys:
            after = self.engine.after(state, key)
            lines = self._take()
            if after is None:
                self.reason = "turns of `again` follow a key without end"
            else:
                yield lines, after, key

    def _record_objects(self, state: State) -> None:
        """Record the objects in the cells of a state as seen."""
        self.fired.objects |= reduce(or_, state.cells, 0)

    def _record_new_states(self) -> int:
        """Record the objects in all states reached since the last call; return the number of states reached in all."""
        states = [] if self.reached is None else self.reached.states
        for state in states[self._seen :]:
            self._record_objects(state)
        self._seen = len(states)
        return self._seen

    def seen(self) -> tuple[int, int]:
        """Return the number of states that were seen, and the set of all objects in them."""
        return self._record_new_states(), self.fired.objects

    def _take(self) -> Lines:
        lines = self.fired.take()
        self.all |= lines
        return lines

    def in_solutions(self) -> tuple[Lines | None, Lines | None]:
        """Return two sets of rule lines: rules that fire in some shortest solution, and rules that fire in all.

        Both are None unless all positions up to the distance of the nearest goal were seen.
        """
        reached = self.reached
        won = [] if reached is None else [number for number, state in enumerate(reached.states) if state.won]
        if reached is None or not won:
            return None, None
        depths, expanded = reached.depths, len(reached.edges)
        shortest = depths[won[0]]  # states are numbered by their depth
        if reached.depth is not None and reached.depth < shortest:
            return None, None
        # By state on a shortest solution: the rules that fire after it in some such solution, and in every one.
        goals = [number for number in won if depths[number] == shortest]
        some: dict[int, Lines] = dict.fromkeys(goals, frozenset())
        every = dict(some)
        for number in reversed(range(expanded)):  # deeper states have larger numbers, so they are done already
            if number in some or depths[number] >= shortest:
                continue
            edges, deeper = reached.edges[number], depths[number] + 1
            onward = [(lines, after) for lines, after, _ in edges if after in some and depths[after] == deeper]
            if onward:
                some[number] = frozenset().union(*[lines | some[after] for lines, after in onward])
                every[number] = frozenset.intersection(*[lines | every[after] for lines, after in onward])
        return some[0] | self.at_start, every[0] | self.at_start


def cover_level(
    game: ScriptRules,
    name: str,
    text: str = "",
    *,
    limits: Limits | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> LevelCoverage:
    """Explore a level of the game, or a level given as text; if a limit ends this, return the results so far."""
    explorer = CoveringExplorer(game)
    level = game.text.read(text, name)[0] if text else game.levels.states[game.levels[name].strip()]
    if game.has_restart:
        level = level._replace(target=level.target or level.cells)
    explorer.reason = game.compiled.overlooked(level[:3])[0]
    if game.chance is None:
        try:
            with Run(limits, "exploring"):
                explorer.explore(level, max_states, progress)
        except LimitReached as reached:
            explorer.reason = str(reached)
    some, every = explorer.in_solutions()
    states, objects = explorer.seen()
    board = board_of(level.cells, game.compiled)
    names = game.compiled.objects
    return LevelCoverage(
        level=name,
        whole=not explorer.reason,
        reason=explorer.reason,
        states=states,
        fired=tuple(sorted(explorer.all)),
        in_some=None if some is None else tuple(sorted(some)),
        in_all=None if every is None else tuple(sorted(every)),
        objects=tuple([names[bit] for bit in bits(objects)]),
        conditions=tuple([holds(win, board) for win in game.compiled.wins]),
    )


class Coverage(Record):
    """The combined results of exploring the levels of a game: rules that fire and objects that occur.

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
    """A run that explores a game's levels one by one; `coverage` returns the results at any time."""

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
        """Explore the levels. Raises ParseError if the text of a level is not readable."""
        for name, text in self._levels.items():
            tell = None if self._progress is None else partial(self._progress, name)
            row = cover_level(self._game, name, text, limits=self._limits, max_states=self._max_states, progress=tell)
            self.rows.append(row)

    def coverage(self) -> Coverage:
        """Return the combined results of the levels explored so far."""
        return combine_results(self._game, self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the results so far as data for JSON."""
        return self.coverage().to_dict()

    def lines(self) -> list[str]:
        """Return the results so far as lines of text."""
        return list(lines_of(self.coverage()))


def combine_results(game: ScriptRules, rows: Sequence[LevelCoverage]) -> Coverage:
    """Return the combined results of exploring several levels."""
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
    """Yield the results as lines of text: each rule with the levels in which it fires."""
    rows = coverage.levels
    for line, text in coverage.rules.items():
        yield f"line {line}  {text}"
        fired = [row.level for row in rows if line in row.fired]
        if line in coverage.never:
            yield "    never fires" + ("" if coverage.whole else ": no level has what it needs, and no rule makes it")
        elif not fired:
            yield "    was not seen to fire"
        else:
            yield f"    fires in {_listed(fired)}{_in_solutions(line, rows)}"
    for name in coverage.absent:
        yield f"object {name} never appears"
    for name in coverage.not_seen_objects:
        yield f"object {name} was not seen"
    for name in coverage.begin_solved:
        yield f"level {name}: all win conditions hold at the start"
    for row in rows:
        if not row.whole:
            yield f"level {row.level}: the exploration is incomplete ({count(row.states, 'position')}): {row.reason}"


def _in_solutions(line: int, rows: Sequence[LevelCoverage]) -> str:
    """Return a phrase that says in which levels' shortest solutions a rule fires."""
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
    """The objects, movements and rules that may occur in a game; found without playing, so some never occur.

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
    """Return the movements that a rule may give to objects at random, as a set of bits."""
    return reduce(or_, [0b01111 << bit for bit in bits(new.random_directions) if bit % 5 == 0], 0)
