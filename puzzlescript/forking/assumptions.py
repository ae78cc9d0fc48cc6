"""Assumptions about the start of every turn, which are true because no turn breaks them.

    added      only these objects come to cells where they are not when the level begins
    removed    only these leave a cell on which they are when the level begins
    more       of all others there are never more on the board than when the level begins
    fewer      of all others there are never fewer
    quiet      rules that match nowhere between two turns, so that only cells which this turn has changed matter to them

All are guessed from some plays on the level, which is quick; then every path is checked against them. A path that
breaks one ends the search for paths: the assumptions are weakened, and the search begins again. In the end no path
breaks any, so by induction they hold in every reachable position of the level.

`tracked` objects, first of all players, need no assumption: their possible places are found path by path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.forking.counted import CountedEngine
from unpuzzle.puzzlescript.forking.unknown import Answer, UnknownBoard
from unpuzzle.puzzlescript.playing.applying import RuleRunner
from unpuzzle.puzzlescript.playing.board import PlayBoard, board_of
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.playing.turning import Turner

STATES_PLAYED = 60
MOST_ASKED = 30
"""An object asked for in more cells than this is asked for all over the board."""
STEPS_WANDERED, STEPS_OF_A_WALK = 1_500, 100


class BrokenError(Exception):
    """The error for a turn that breaks an assumption; the assumptions have already been weakened."""


class Assumptions:
    """The assumptions about every turn of a level, described in the module's docstring."""

    def __init__(self, game: Compiled, turner: Turner, start: State) -> None:
        self.game = game
        self.start: tuple[int, ...] = start.cells
        self.added: int = 0
        self.removed: int = 0
        self.more: int = 0
        self.fewer: int = 0
        self.tracked: int = game.player
        """Players, and objects that move with them: their places are known on every path."""
        self.given_up: bool = False
        """Whether a key was given up in a play, since `again` went on for too long."""
        self.single: int = 0
        """Other changing objects, never seen twice on a board."""
        runners = [rule for part in (turner.rules, turner.late) for group in part.groups for rule in group.rules]
        simple = [rule for rule in runners if len(rule.rows) == 1 and not rule.moving]
        self.quiet: dict[int, RuleRunner] = {id(rule): rule for rule in simple}
        """Rules with one row and without movements that match nowhere between two turns."""
        self._hush(board_of(start.cells, game))

    def play(self, engine: CountedEngine, start: State, keys: Sequence[str]) -> None:
        """Weaken the assumptions that are broken in a breadth-first exploration of some positions."""
        boards = {start.cells}
        waiting = [start]
        for state in waiting:
            for after in engine.successors(state, keys):
                if after is None:
                    self.given_up = True
                    return
                if after.cells in boards:
                    continue
                boards.add(after.cells)
                self._weaken(after.cells)
                if len(waiting) < STATES_PLAYED:
                    waiting.append(after)
                    self._hush(engine.plain(after.cells))
        self._track([state.cells for state in waiting])

    def wander(self, engine: CountedEngine, start: State, keys: Sequence[str]) -> None:
        """Weaken the assumptions that are broken in random plays, which lead farther from the start."""
        random, state = Random(0), start
        for step in range(STEPS_WANDERED):
            if step % STEPS_OF_A_WALK == 0:
                state = start
            after = engine.after(state, random.choice(keys))
            if after is not None and after.cells != state.cells:
                state = after
                self._weaken(after.cells)
                self._hush(engine.plain(after.cells))

    def _track(self, boards: Sequence[Sequence[int]]) -> None:
        """Begin to track the changing objects whose places follow from the places of the players."""
        player = self.game.player
        stands = [tuple([(c, cell & player) for c, cell in enumerate(board) if cell & player]) for board in boards]
        for number in bits(self.changing):
            if all(sum(cell >> number & 1 for cell in board) < 2 for board in boards):
                self.single |= 1 << number
            if self.more >> number & 1 or sum(cell >> number & 1 for cell in self.start) > 2:
                continue
            places = {
                (stand, tuple([c for c, cell in enumerate(board) if cell >> number & 1]))
                for stand, board in zip(stands, boards, strict=True)
            }
            if len(places) == len(set(stands)) < len(boards):
                self.tracked |= 1 << number

    def follow(self, trails: Sequence[Sequence[Answer]]) -> None:
        """Raise BrokenError if the turns of most keys depend on where a single object is, all over the board.

        From then on it is tracked. Otherwise each of its places would be combined with each place of the players;
        tracked, only pairs that really occur. This assumes nothing: a bad guess only costs work.
        """
        followed = 0
        for number in bits(self.single & ~self.tracked):
            asked = [sum(number == each for _, each, _ in trail) > MOST_ASKED for trail in trails]
            followed |= (2 * sum(asked) > len(asked)) << number
        if followed:
            self.tracked |= followed
            raise BrokenError

    def _hush(self, board: PlayBoard) -> bool:
        """Remove from `quiet` the rules that match on a board; return whether there were such rules."""
        loud = [number for number, rule in self.quiet.items() if rule.matches(board) is not None]
        for number in loud:
            del self.quiet[number]
        return bool(loud)

    def _weaken(self, cells: Sequence[int]) -> None:
        balance: Counter[int] = Counter()
        for old, new in zip(self.start, cells, strict=True):
            if old != new:
                self.added |= new & ~old
                self.removed |= old & ~new
                _count(balance, old, new)
        self._rebalance(balance)

    def _rebalance(self, balance: Mapping[int, int]) -> None:
        for number, difference in balance.items():
            if difference > 0:
                self.more |= 1 << number
            if difference < 0:
                self.fewer |= 1 << number

    @property
    def changing(self) -> int:
        return (self.added | self.removed) & ~self.tracked

    def require(self, changes: Sequence[tuple[int, int, int]], board: UnknownBoard) -> None:
        """Weaken the assumptions, and raise BrokenError, if a turn that ends with `board` breaks an assumption.

        `changes` are cells with their objects before and after the turn, as far as known.
        """
        before = (self.added, self.removed, self.more, self.fewer)
        balance: Counter[int] = Counter()
        for cell, old, new in changes:
            self.added |= new & ~old & ~self.start[cell]
            self.removed |= old & ~new & self.start[cell]
            _count(balance, old, new)
        self._rebalance(balance)
        if self._hush(board) or before != (self.added, self.removed, self.more, self.fewer):
            raise BrokenError


def _count(balance: Counter[int], old: int, new: int) -> None:
    balance.update(bits(new & ~old))
    balance.subtract(bits(old & ~new))
