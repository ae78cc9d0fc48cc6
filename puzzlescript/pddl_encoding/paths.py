"""The paths of a level: what each key does, and under which conditions.

A path is one way through a turn: the players' cells and the key, the answers to all questions that rules asked on the
way, and the changes in the end. The turn is made by the engine itself (`engine.engine.Play`); for another path it is
run again from the start, on a board with the answers of a path so far, the last one reversed. The paths of one key and
one set of players exclude each other, and one of them is always open.

The placements of the players are found on the way: the initial one, and every placement that a path leads to. What is
assumed about the start of every turn (`Assumptions`) is checked on every path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from random import Random
from typing import NamedTuple

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.puzzlescript.compiling.compiled import (
    AGAIN,
    CHECKPOINT,
    MESSAGE,
    RESTART,
    WIN,
    Compiled,
    WinCondition,
    bits,
)
from unpuzzle.puzzlescript.engine.board import PlayBoard, board_of
from unpuzzle.puzzlescript.engine.engine import Play
from unpuzzle.puzzlescript.engine.states import State
from unpuzzle.puzzlescript.engine.turns import RuleRunner, Turner
from unpuzzle.puzzlescript.pddl_encoding.boards import NO_DRAWS, Answer, Answers, CountedEngine, Effort, UnknownBoard

Players = tuple[tuple[int, int], ...]
"""The cells with a player, in ascending order, each with its player objects."""

PER_CELL, PER_RULE = 1, 6
"""Steps of effort: to copy a cell of a board, and to examine a rule in a turn."""

MORE_PATHS = 8
STATES_PLAYED = 60
MOST_ASKED = 30
"""An object asked for in more cells than this is asked for all over the board."""
STEPS_WANDERED, STEPS_OF_A_WALK = 1_500, 100


class BrokenError(Exception):
    """The error for a turn that disproves an assumption about the level; the assumption is already corrected."""


class Assumptions:
    """Assumptions that hold in all positions of a level, such as which objects never move, until disproved.

        added      only these objects come to cells where they are not when the level begins
        removed    only these leave a cell on which they are when the level begins
        more       of all others there are never more on the board than when the level begins
        fewer      of all others there are never fewer
        never_matching   rules that match nowhere between two turns, so only cells changed in a turn matter to them

    All are guessed from some plays on the level, which is quick; then every path is checked against them. A path that
    breaks one ends the search for paths: the assumptions are weakened, and the search begins again. In the end no path
    breaks any, so by induction they hold in every reachable position of the level.

    `tracked` objects, first of all players, need no assumption: their possible places are found path by path.
    """

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
        self.never_matching: dict[int, RuleRunner] = {id(rule): rule for rule in simple}
        """Rules with one row and without movements that match nowhere between two turns."""
        self._drop_matching_rules(board_of(start.cells, game))

    def play(self, engine: CountedEngine, start: State, keys: Sequence[str]) -> None:
        """Play breadth-first from the start of the level, and drop all assumptions that a position disproves."""
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
                    self._drop_matching_rules(engine.plain(after.cells))
        self._track([state.cells for state in waiting])

    def play_randomly(self, engine: CountedEngine, start: State, keys: Sequence[str]) -> None:
        """Play at random from the start of the level, and drop all assumptions that a position disproves."""
        random, state = Random(0), start
        for step in range(STEPS_WANDERED):
            if step % STEPS_OF_A_WALK == 0:
                state = start
            after = engine.after(state, random.choice(keys))
            if after is not None and after.cells != state.cells:
                state = after
                self._weaken(after.cells)
                self._drop_matching_rules(engine.plain(after.cells))

    def _track(self, boards: Sequence[Sequence[int]]) -> None:
        """Select objects to track as the player is tracked: their cells depend only on the cells of the player."""
        player = self.game.player
        placements = [tuple([(c, cell & player) for c, cell in enumerate(board) if cell & player]) for board in boards]
        for number in bits(self.changing):
            if all(sum(cell >> number & 1 for cell in board) < 2 for board in boards):
                self.single |= 1 << number
            if self.more >> number & 1 or sum(cell >> number & 1 for cell in self.start) > 2:
                continue
            places = {
                (placement, tuple([c for c, cell in enumerate(board) if cell >> number & 1]))
                for placement, board in zip(placements, boards, strict=True)
            }
            if len(places) == len(set(placements)) < len(boards):
                self.tracked |= 1 << number

    def follow(self, trails: Sequence[Sequence[Answer]]) -> None:
        """Track a single object if the effect of most keys depends on its cell; then raise BrokenError to begin again.

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

    def _drop_matching_rules(self, board: PlayBoard) -> bool:
        """Remove the rules that match on a board from `never_matching`; return whether there were any."""
        loud = [number for number, rule in self.never_matching.items() if rule.matches(board) is not None]
        for number in loud:
            del self.never_matching[number]
        return bool(loud)

    def _weaken(self, cells: Sequence[int]) -> None:
        """Drop the assumptions that a position with the given cells disproves."""
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
        """Drop the assumptions that a turn disproves, and raise BrokenError if there are any; `board` is its result.

        `changes` are cells with their objects before and after the turn, as far as known.
        """
        before = (self.added, self.removed, self.more, self.fewer)
        balance: Counter[int] = Counter()
        for cell, old, new in changes:
            self.added |= new & ~old & ~self.start[cell]
            self.removed |= old & ~new & self.start[cell]
            _count(balance, old, new)
        self._rebalance(balance)
        if self._drop_matching_rules(board) or before != (self.added, self.removed, self.more, self.fewer):
            raise BrokenError


def _count(balance: Counter[int], old: int, new: int) -> None:
    balance.update(bits(new & ~old))
    balance.subtract(bits(old & ~new))


class TurnPath(NamedTuple):
    """One possible course of a turn: its key, its conditions on the board, and the cells that it changes.

    `added` and `removed` are objects by cell. `checked`: win conditions were tested after the last turn; `commanded`:
    it won by the command.
    """

    key: str
    players: Players
    answers: tuple[Answer, ...]
    added: tuple[tuple[int, int], ...]
    removed: tuple[tuple[int, int], ...]
    after: Players
    checked: bool
    commanded: bool


class ForkingPlay(Play):
    """Play on a partly known board, by which a level is translated."""

    def __init__(self, forker: Forker, board: UnknownBoard) -> None:
        super().__init__(forker.turner, board, NO_DRAWS)
        self.forker = forker
        self.checked: bool = False
        self.commanded: bool = False
        self.target: tuple[int, ...] = ()
        """The board after a restart: empty until a checkpoint; no restart may use it."""

    def _turn(self, direction: int | None, why: str, may_win: bool = True) -> None:
        self.forker.effort.spend(self.forker.per_turn)
        super()._turn(direction, why, may_win)

    def _restart(self) -> None:
        sentence = "this rule restarts the level, which depends on more than the rules of a turn can test"
        self.forker.refuse(RESTART, sentence)

    def _is_won(self, commands: int, changed: bool) -> bool:
        self.checked = True
        if commands & WIN and not commands & MESSAGE:
            self.commanded = True
            return True
        goes_on = bool(commands & AGAIN) and changed and self._has_effect_without_input()
        return goes_on and bool(self.game.wins) and all(map(self._holds, self.game.wins))

    def _holds(self, win: WinCondition) -> bool:
        """Return whether a win condition holds, with assumptions about as few cells as possible."""
        for cell in range(len(self.board.cells)):
            if self._has(cell, win.first, win.first_is_aggregate):
                on = win.anything or self._has(cell, win.second, win.second_is_aggregate)
                if on != (win.quantifier > 0):
                    return win.quantifier == 0
        return win.quantifier != 0

    def _has(self, cell: int, objects: int, whole: bool) -> bool:
        """Return whether a cell has all of the objects, or any if `whole` is False, with few assumptions."""
        for number in bits(objects):
            there = bool(self.board.at(cell, 1 << number) >> number & 1)
            if there != whole:
                return there
        return whole


class Forker:
    """A search for all possible courses of a turn (paths) in a level; `assumed` are its assumptions.

    `assumed` are the assumptions before each turn; BrokenError is raised if a turn breaks them.
    """

    def __init__(self, game: Compiled, state: State, turner: Turner, assumed: Assumptions, effort: Effort) -> None:
        self.game = game
        self.state = state
        self.turner = turner
        self.assumed = assumed
        self.effort = effort
        self.has_restart: bool = game.has_restart()
        self.count: int = 0
        """The number of paths found, until the search is complete or an assumption is broken."""
        self._last: int | None = None
        """The number of paths at which the search ends after a broken assumption."""
        self.same_layer: list[int] = [game.layers[layer] if layer >= 0 else 0 for layer in game.layers_by_object()]
        self.per_turn: int = PER_CELL * len(state.cells) + PER_RULE * len(game.all_rules())

    def refuse(self, command: int, sentence: str) -> None:
        """Raise UnsupportedFeature about the first rule that has the given command."""
        line = next((rule.line for rule in self.game.all_rules() if rule.commands & command), None)
        raise UnsupportedFeature(
            f"this level cannot be written as PDDL: {sentence}", feature="PDDL", file=self.effort.file, line=line
        )

    def refuse_again(self) -> None:
        """Raise UnsupportedFeature about a key after which turns of `again` may never end."""
        self.refuse(AGAIN, "after this rule `again` may go on for too long")

    def paths(self, keys: Sequence[str]) -> list[TurnPath]:
        """Return the possible courses of a turn for each key and for all cells that the player can reach."""
        self.numbers: list[tuple[int, int | None]] = self._numbers()
        self._counted = sum(1 << n for n, (least, most) in enumerate(self.numbers) if least or most is not None)
        self._blank = self._without_players()
        waiting = [self.players_of(self.state.cells)]
        placements = set(waiting)
        complete = []
        self.count = 0
        self._last = None
        while waiting:
            players = waiting.pop()
            board = self._board_with(players)
            iterators = [self._paths(players, key, board) for key in keys]
            firsts = [next(paths) for paths in iterators]
            self.assumed.follow([path.answers for path in firsts])  # before the other paths: it may restart the search
            for first, others in zip(firsts, iterators, strict=True):
                for path in chain((first,), others):
                    complete.append(path)
                    self.count += 1
                    if self._last is not None and self.count >= self._last:  # an assumption was disproved before
                        raise BrokenError
                    if path.after not in placements:
                        placements.add(path.after)
                        waiting.append(path.after)
        if self._last is not None:
            raise BrokenError
        return complete

    def players_of(self, cells: Sequence[int]) -> Players:
        """Return the cells of the player on a board, each with the player's objects in it."""
        mask = self.assumed.tracked
        return tuple([(cell, objects & mask) for cell, objects in enumerate(cells) if objects & mask])

    def _require(self, changes: Sequence[tuple[int, int, int]], board: UnknownBoard) -> None:
        """Check a turn against the assumptions; once one is disproved, only a few more paths are checked."""
        try:
            self.assumed.require(changes, board)
        except BrokenError:
            self._last = self._last or self.count + self.count // 8 + MORE_PATHS

    def _players_on(self, board: UnknownBoard) -> Players:
        mask = self.assumed.tracked
        cells = reduce(or_, [board.surely[number] for number in bits(mask)], 0)
        return tuple([(cell, board.cells[cell] & mask) for cell in bits(cells)])

    def _paths(self, players: Players, key: str, start: UnknownBoard) -> Iterator[TurnPath]:
        """Yield the possible courses of a turn for a key; each is an earlier one with one opposite assumption."""
        waiting: list[list[Answer]] = [[]]
        while waiting:
            prefix = waiting.pop()
            answers = self._answers(self.assumed.never_matching)
            board = start.start(answers)
            for answer in prefix:
                answers.tell(*answer)
            path = self._path(players, key, board, answers)
            for place in range(len(prefix), len(path.answers)):
                cell, number, _ = path.answers[place]
                waiting.append([*path.answers[:place], (cell, number, True)])
            answers.close()
            yield path

    def _answers(self, never_matching: Mapping[int, object]) -> Answers:
        return Answers(self.same_layer, never_matching, self.numbers, self._counted, self.effort)

    def _board_with(self, players: Players) -> UnknownBoard:
        """Return a board on which only the static objects and the player are known."""
        answers = self._answers({})
        board = self._blank.start(answers)
        for cell, objects in players:
            board.place(cell, objects, self.mates_of(objects))
        for number in bits(self.assumed.changing):
            answers.count(number)
        answers.close()
        return board

    def certain(self) -> tuple[list[int], list[int]]:
        """Return two lists by cell, without the player: objects that never change, and objects that may come or go."""
        assumed, player = self.assumed, self.assumed.tracked
        static = [cell & ~assumed.removed & ~player for cell in self.state.cells]
        may = [(assumed.removed & cell | assumed.added & ~cell) & ~player for cell in self.state.cells]
        return static, [objects & ~self.mates_of(here) for objects, here in zip(may, static, strict=True)]

    def mates_of(self, objects: int) -> int:
        return reduce(or_, [self.same_layer[number] for number in bits(objects)], 0)

    def _numbers(self) -> list[tuple[int, int | None]]:
        """Return the least and the greatest number of each object on the board; None if there is no greatest."""
        fewer, more = self.assumed.fewer | self.assumed.tracked, self.assumed.more | self.assumed.tracked
        counts = [sum(cell >> number & 1 for cell in self.state.cells) for number in range(len(self.game.objects))]
        return [(0 if fewer >> n & 1 else count, None if more >> n & 1 else count) for n, count in enumerate(counts)]

    def _without_players(self) -> UnknownBoard:
        """Return a board on which only the static objects are known, without the player."""
        static, unknown = self.certain()
        sure = board_of(static, self.game)
        where = board_of([here | may for here, may in zip(static, unknown, strict=True)], self.game).where
        answers = self._answers({})
        board = UnknownBoard(PlayBoard(sure.cells, sure.moves, where, sure.moving), sure.where, unknown, answers)
        answers.close()
        return board

    def _path(self, players: Players, key: str, board: UnknownBoard, answers: Answers) -> TurnPath:
        """Play a key on a partly known board, and return the course of the turn."""
        play = ForkingPlay(self, board)
        play.press(key)
        if play.capped:
            self.refuse_again()
        if play.target and self.has_restart:
            self.refuse(CHECKPOINT, "this rule changes the board to which a restart leads, which PDDL leaves out")
        assert isinstance(play.board, UnknownBoard)
        pairs = [(cell, board.cells[cell], play.board.cells[cell]) for cell in bits(play.board.touched)]
        changes = [(cell, before, after) for cell, before, after in pairs if before != after]
        added = tuple([(cell, number) for cell, before, after in changes for number in bits(after & ~before)])
        removed = tuple([(cell, number) for cell, before, after in changes for number in bits(before & ~after)])
        if changes:
            self._require(changes, play.board)
        placement, ending = self._players_on(play.board), (play.checked, play.commanded)
        return TurnPath(key, players, tuple(answers.trail), added, removed, placement, *ending)
