"""Exploration of a level by the engine in Python: the rules that fire in it, and in its shortest solutions.

Positions are numbered breadth-first, from the start on. Play ends when the level is won. A rule fires if it changes
something or queues a command, even in a turn that is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits, tick, ticking
from unpuzzle.puzzlescript.compiling.compiled import Rule
from unpuzzle.puzzlescript.playing.board import Match, PlayBoard, board_of, holds
from unpuzzle.puzzlescript.playing.engine import PythonEngine
from unpuzzle.puzzlescript.playing.listening import Listener
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.rules import ScriptRules
from unpuzzle.record import Record

Lines = frozenset[int]


class LevelCoverage(Record):
    """The rules that fire in a level.

    Attributes:
        level: its name.
        whole: whether all reachable positions were seen.
        reason: the reason if not.
        states: the number of positions seen.
        fired: lines of the rules that fired.
        in_some: lines that fire in some shortest solution; None where none is known.
        in_all: lines that fire in every shortest solution; None where none is known.
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
        """Whether all win conditions hold at the start: the first turn wins, if it keeps them."""
        return bool(self.conditions) and all(self.conditions)


class Fired(Listener):
    """Notes the lines of the rules that fire since `take`, and the objects seen."""

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
        """Return the lines since the last call."""
        lines = frozenset(self.lines)
        self.lines.clear()
        return lines


class Explorer:
    """Explores a level, position by position, each once."""

    def __init__(self, game: ScriptRules) -> None:
        self.game = game
        self.fired = Fired()
        self.engine = PythonEngine(game.compiled, self.fired)
        self.states: list[State] = []
        self.numbers: dict[State, int] = {}
        self.edges: list[list[tuple[int, Lines]]] = []
        self.depth: list[int] = []
        self.at_start: Lines = frozenset()
        self.all: set[int] = set()
        self.reason: str = game.compiled.overlooked()[0]

    def explore(self, level: State, max_states: int | None, progress: Callable[[int], None] | None) -> None:
        """Visit all positions, or as many as limits allow; known positions are kept, whatever is raised."""
        for cell in level.cells:
            self.fired.objects |= cell
        start = self.engine.started(level)
        self.at_start = self._take()
        if start is None:
            self.reason = "it begins with turns of `again` that never end"
            return
        self._number(start, 0)
        for number, state in enumerate(self.states):
            tick()
            if max_states is not None and number >= max_states:
                self.reason = f"it has more positions than {max_states:,}"
                return
            if progress is not None and number % 64 == 0:
                progress(number)
            self.edges.append([] if state.won else list(self._following(state, number)))

    def _following(self, state: State, number: int) -> Iterable[tuple[int, Lines]]:
        for key in self.game.keys:
            after = self.engine.after(state, key)
            lines = self._take()
            if after is None:
                self.reason = "turns of `again` follow a key without end"
            else:
                yield self._number(after, self.depth[number] + 1), lines

    def _number(self, state: State, depth: int) -> int:
        number = self.numbers.setdefault(state, len(self.numbers))
        if number == len(self.states):
            self.states.append(state)
            self.depth.append(depth)
            for cell in set(state.cells):
                self.fired.objects |= cell
        return number

    def _take(self) -> Lines:
        lines = self.fired.take()
        self.all |= lines
        return lines

    def in_solutions(self) -> tuple[Lines | None, Lines | None]:
        """Return the rules that fire in some shortest solution, and the rules that fire in every one, by line.

        Both are None unless all positions up to the distance of the nearest goal were seen.
        """
        shortest = min([self.depth[number] for number, state in enumerate(self.states) if state.won], default=None)
        if shortest is None:
            return None, None
        expanded = len(self.edges)
        # States are expanded in the order of their depth, so the first one that was not bounds all the others.
        if expanded < len(self.depth) and self.depth[expanded] < shortest:
            return None, None
        # By state on a shortest solution: the rules that fire after it in some such solution, and in every one.
        goals = [number for number, state in enumerate(self.states) if state.won and self.depth[number] == shortest]
        some: dict[int, Lines] = dict.fromkeys(goals, frozenset())
        every = dict(some)
        for number in reversed(range(expanded)):  # deeper states have larger numbers, so they are done already
            if number in some or self.depth[number] >= shortest:
                continue
            deeper = self.depth[number] + 1
            onward = [edge for edge in self.edges[number] if edge[0] in some and self.depth[edge[0]] == deeper]
            if onward:
                some[number] = frozenset().union(*[lines | some[after] for after, lines in onward])
                every[number] = frozenset.intersection(*[lines | every[after] for after, lines in onward])
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
    """Explore a level of the game, or a level given as text; results within the limits are kept."""
    explorer = Explorer(game)
    level = game.text.read(text, name)[0] if text else game.levels.states[game.levels[name].strip()]
    if game.has_restart:
        level = level._replace(target=level.target or level.cells)
    if game.chance is None:
        try:
            with ticking(Deadline(limits or Limits(), "exploring")):
                explorer.explore(level, max_states, progress)
        except LimitReached as reached:
            explorer.reason = str(reached)
    some, every = explorer.in_solutions()
    board = board_of(level.cells, game.compiled)
    names = game.compiled.objects
    return LevelCoverage(
        level=name,
        whole=not explorer.reason,
        reason=explorer.reason,
        states=len(explorer.numbers),
        fired=tuple(sorted(explorer.all)),
        in_some=None if some is None else tuple(sorted(some)),
        in_all=None if every is None else tuple(sorted(every)),
        objects=tuple([names[bit] for bit in bits(explorer.fired.objects)]),
        conditions=tuple([holds(win, board) for win in game.compiled.wins]),
    )
