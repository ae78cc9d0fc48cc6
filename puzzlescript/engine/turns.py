"""One turn: the player gets a movement, rules are applied, objects move, late rules are applied.

Rules, groups and lists of groups are applied to a board, which finds their matches. The Python engine calls a
`TurnListener` for the events of a turn; without a listener, this costs nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from itertools import accumulate, product
from math import prod
from operator import or_

from unpuzzle.base.run import checkpoint, current, within_limits
from unpuzzle.puzzlescript.compiling.compiled import CANCEL, RESTART, Compiled, Group, Replacement, Rule, bits, has
from unpuzzle.puzzlescript.engine.board import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    BoardGrid,
    CellFinder,
    Match,
    PlayBoard,
    RuleFinder,
)
from unpuzzle.puzzlescript.engine.states import Draws

MOST_RIGID_TRIALS = 50
ACTION_BIT = 0b10000
_AS_RULES = {0b00001: UP, 0b00010: DOWN, 0b00100: LEFT, 0b01000: RIGHT}
"""The direction of a rule for each movement of one layer."""
MOST_PASSES = 200
"""The largest number of passes of a group, which is applied while it changes something; the same for loops."""
ALL = 0b11111
Endless = tuple[int, bool]
"""A group of rules that was cut off while it still changed something: its first line, and whether it is a loop."""
START, INPUT, TURN_OF_AGAIN, BY_RESTART = "start", "input", "again", "restart"
"""The reasons for which a turn begins."""
CANCELLED, UNMOVED, RESTARTED, WON, TO_GO_ON, DONE = "cancel", "no player moved", "restart", "win", "again", ""
"""How a turn ends: taken back by the command `cancel` or since no player moved; left by `restart`; won; followed by a
turn of `again`; or none of these."""


class TurnListener:
    """The base class of listeners, whose methods an engine calls for the events of a turn.

        begins(why, direction, board)     a turn begins: `board` is the board before it
            pushed(board)                 players have got their movement from the input
            applied(rule, matches, board) a rule has changed something; `board` is the board now
            queued(rule)                  a rule has queued its commands
            moved(board)                  movements are done; late rules follow
            broken(groups, board)         bodies of rigid groups could not move: the turn begins again without them
        ends(how, board)                  the turn ends; `board` is the result

    This includes turns of `again`, of the start and of restarts, but not turns that are only tried out.
    """

    __slots__ = ()

    def begins(self, why: str, direction: int | None, board: PlayBoard) -> None:
        """Handle the event that a turn begins."""

    def pushed(self, board: PlayBoard) -> None:
        """Handle the event that the player's objects got their movement from the input."""

    def applied(self, rule: Rule, matches: Sequence[Match], board: PlayBoard) -> None:
        """Handle the event that a rule changed the board; `matches` has the cells that each row of the rule matched."""

    def queued(self, rule: Rule) -> None:
        """Handle the event that a rule added its commands to the queue."""

    def moved(self, board: PlayBoard) -> None:
        """Handle the event that objects have moved, before late rules are applied."""

    def broken(self, groups: Collection[int], board: PlayBoard) -> None:
        """Handle the event that the turn begins again at `board`, because rigid groups could not move all objects."""

    def ends(self, how: str, board: PlayBoard) -> None:
        """Handle the event that a turn ends."""


def endless_message(loop: bool) -> str:
    """Return a warning for a game's author about a group or loop of rules that never ends."""
    what = "the loop that begins with this rule" if loop else "the group of rules that begins here"
    return f"{what} does not come to an end: it was cut off after {MOST_PASSES} passes"


class Queue:
    """The commands and events that rules produce in one turn.

    Attributes: `commands`, as bits; `cancel_has_company`, whether a rule with `cancel` has other commands, too;
    `endless`, the groups and loops that were cut off. `draws` gives random numbers; a `listener`, if there is one, is
    called for each event.
    """

    __slots__ = ("cancel_has_company", "commands", "draws", "endless", "listener")

    def __init__(self, endless: set[Endless], draws: Draws, listener: TurnListener | None = None) -> None:
        self.draws: Draws = draws
        self.listener: TurnListener | None = listener
        self.endless: set[Endless] = endless
        self.commands: int = 0
        self.cancel_has_company: bool = False

    def anew(self) -> Queue:
        """Return an empty queue, with which the turn is tried again."""
        return Queue(self.endless, self.draws, self.listener)

    def add(self, rule: Rule) -> None:
        """Add a rule's commands to the queue; `cancel` prevents all others, `restart` all except `cancel`."""
        new = rule.commands
        if self.commands & CANCEL or (self.commands & RESTART and not new & CANCEL):
            return
        if new & (CANCEL | RESTART):
            self.commands = 0
            self.cancel_has_company = rule.distinct_commands > 1
        self.commands |= new
        if self.listener is not None:
            self.listener.queued(rule)


class RuleRunner(RuleFinder):
    """A rule, prepared to be applied to boards of one size."""

    def __init__(self, rule: Rule, grid: BoardGrid, layer_of: Sequence[int], finders: dict[int, CellFinder]) -> None:
        super().__init__(rule, grid, finders)
        self.layer_of = layer_of
        cells = [cell for row in rule.rows for cell in row if cell is not None]
        self.moving: tuple[int, ...] = tuple({bit for cell in cells for bit in bits(cell.moves_present)})
        """Movements that must exist somewhere: without one of them the rule cannot match."""

    def matches(self, board: PlayBoard) -> list[list[Match]] | None:
        """Return the matches of each row of the rule; None if a row has no match."""
        rows = []
        for row in self.rows:
            rows.append(row.matches(board))
            if not rows[-1]:
                return None
        return board.settle(self, rows)

    def run(self, board: PlayBoard, queue: Queue) -> bool:
        """Apply the rule to all of its matches; return whether the board changed."""
        rows = self.matches(board)
        if rows is None:
            return False
        changed = False
        if self.rule.has_right:
            first, check = True, current().check
            for combination in combinations(rows):
                check()
                if first or all(row.holds(board, match) for row, match in zip(self.rows, combination, strict=True)):
                    changed |= self.apply(board, combination, queue)
                first = False
        if self.rule.commands:
            queue.add(self.rule)
        return changed

    def apply(self, board: PlayBoard, combination: Sequence[Match], queue: Queue) -> bool:
        """Replace the cells of one match of each row; return whether the board changed."""
        changed = False
        for row, match in zip(self.rows, combination, strict=True):
            for finder, cell in zip(row.cells, match, strict=True):
                replacement = finder.pattern.replacement
                if replacement is not None:
                    changed |= self._replace(board, cell, replacement, queue.draws)
        if changed and queue.listener is not None:
            queue.listener.applied(self.rule, combination, board)
        return changed

    def _replace(self, board: PlayBoard, cell: int, new: Replacement, draws: Draws) -> bool:
        """Change a matched cell as the rule says; return whether the cell changed."""
        clear, put = new.clear, new.set
        moves_clear, moves_set = new.moves_clear | new.moves_layers, new.moves_set
        if new.random_objects:
            choices = list(bits(new.random_objects))
            drawn = choices[draws.below(len(choices))]
            put |= 1 << drawn
            layer = self.layer_of[drawn]
            clear |= sum(1 << number for number, other in enumerate(self.layer_of) if other == layer)
            moves_clear |= ALL << 5 * layer
        for bit in bits(new.random_directions):
            if bit % 5 == 0:
                moves_set |= 1 << bit + draws.below(4)
        marked = self.rule.rigid_group > 0 and self._mark(board, cell, new.moves_layers)
        before = board.at(cell, clear | put)
        objects = before & ~clear | put
        moves = board.moves[cell] & ~moves_clear | moves_set
        if objects == before and moves == board.moves[cell]:
            return marked
        board.put(cell, objects, moves)
        return True

    def _mark(self, board: PlayBoard, cell: int, layers: int) -> bool:
        """Mark layers of a cell as moved by this rule's rigid group; return False if one of them is marked already."""
        here = board.rigid.get(cell, 0)
        if not layers or here & layers:
            return False
        board.rigid[cell] = here | sum(self.rule.rigid_group << bit for bit in bits(layers) if bit % 5 == 0)
        return True


def combinations(rows: Sequence[Sequence[Match]]) -> Iterable[Sequence[Match]]:
    """Return all combinations of one match for each row; the match of the first row changes fastest."""
    if len(rows) == 1:
        return [(match,) for match in rows[0]]
    return (combination[::-1] for combination in product(*rows[::-1]))


class GroupRunner:
    """A group of rules, prepared to be applied to boards of one size."""

    def __init__(self, group: Group, rules: list[RuleRunner]) -> None:
        self.group = group
        self.rules = rules

    def run(self, board: PlayBoard, queue: Queue) -> bool:
        """Apply the rules of the group again and again until nothing changes; return whether the board changed."""
        if self.group.random:
            return self._run_one(board, queue)
        changed = False
        for _ in range(MOST_PASSES):
            passed = False
            for rule in self.rules:
                if all(map(board.moving.__getitem__, rule.moving)):
                    passed |= rule.run(board, queue)
            if not passed:
                break
            changed = True
        else:
            queue.endless.add((self.group.rules[0].line, False))
        return changed

    def _run_one(self, board: PlayBoard, queue: Queue) -> bool:
        """Apply one of the group's rules at one match; both are chosen at random."""
        candidates = [(rule, matches) for rule in self.rules if (matches := rule.matches(board)) is not None]
        if not candidates:
            return False
        ends = list(accumulate([prod(map(len, matches)) for _, matches in candidates]))
        place = queue.draws.below(ends[-1])
        index = bisect_right(ends, place)
        place -= ends[index - 1] if index else 0
        rule, matches = candidates[index]
        combination = []
        for row in matches:  # of very many combinations the others are not made
            place, number = divmod(place, len(row))
            combination.append(row[number])
        changed = rule.rule.has_right and rule.apply(board, combination, queue)
        if rule.rule.commands:
            queue.add(rule.rule)
        return changed


class ListRunner:
    """A game's groups of late rules, or its other groups, prepared to be applied to boards of one size."""

    def __init__(self, groups: Sequence[Group], game: Compiled, grid: BoardGrid) -> None:
        layer_of = game.layers_by_object()
        finders: dict[int, CellFinder] = {}
        self.groups: list[GroupRunner] = [
            GroupRunner(group, [RuleRunner(rule, grid, layer_of, finders) for rule in group.rules]) for group in groups
        ]

    def run(self, board: PlayBoard, queue: Queue, banned: Collection[int] = ()) -> None:
        """Apply the groups in order; repeat a loop of groups while it changes the board."""
        place = jumps = 0
        changed = False
        while place < len(self.groups):
            checkpoint()
            group = self.groups[place]
            if place not in banned:
                changed |= group.run(board, queue)
            if changed and group.group.jump >= 0:
                place, changed = group.group.jump, False
                jumps += 1
                if jumps > MOST_PASSES:
                    queue.endless.add((self.groups[place].group.rules[0].line, True))
                    break
            else:
                place += 1


class Turner:
    """A player of turns of one game, on boards of one size."""

    def __init__(self, game: Compiled, width: int, height: int) -> None:
        self.game = game
        self.grid: BoardGrid = BoardGrid(width, height)
        self.rules: ListRunner = ListRunner(game.rules, game, self.grid)
        self.late: ListRunner = ListRunner(game.late, game, self.grid)
        self.layer_of: list[int] = game.layers_by_object()
        self.player_numbers: tuple[int, ...] = tuple(bits(game.player))

    def run(self, board: PlayBoard, direction: int | None, queue: Queue) -> tuple[PlayBoard, Queue, list[int]]:
        """Play a turn; return the board after it, the queued commands, and the cells of the players.

        The board is changed. `direction` counts up, down, left, right, action; None is a turn without input.
        """
        players = [] if direction is None else self._push(board, direction)
        if queue.listener is not None:
            queue.listener.pushed(board)
        if not self.game.rigid_groups:
            self.rules.run(board, queue)
            self.move(board)
        else:
            board, queue, done = self._run_rigid(board, queue)
            if not done:
                return board, queue, players
        if queue.listener is not None:
            queue.listener.moved(board)
        self.late.run(board, queue)
        return board, queue, players

    def _run_rigid(self, start: PlayBoard, queue: Queue) -> tuple[PlayBoard, Queue, bool]:
        """Apply the rules and move; repeat without the rigid groups that could not move all their objects."""
        banned: set[int] = set()
        for _ in range(MOST_RIGID_TRIALS):
            board, queue = start.copy(), queue.anew()
            self.rules.run(board, queue, banned)
            broken = self.move(board)
            if not broken:
                return board, queue, True
            broken = {self.game.rigid_groups[number - 1] for number in broken}
            banned |= broken
            if queue.listener is not None:
                queue.listener.broken(broken, start)
        return start.copy(), queue.anew(), False

    def _push(self, board: PlayBoard, direction: int) -> list[int]:
        """Give the player's objects a movement in a direction; return their cells."""
        cells = reduce(or_, [board.where[number] for number in self.player_numbers], 0)
        whole = self.game.player_is_aggregate
        players = [cell for cell in bits(cells) if not whole or has(board.cells[cell], self.game.player, True)]
        for cell in within_limits(players):
            moves = board.moves[cell]
            for number in bits(board.cells[cell] & self.game.player):
                moves |= 1 << 5 * self.layer_of[number] + direction
            board.put(cell, board.cells[cell], moves)
        return players

    def move(self, board: PlayBoard) -> set[int]:
        """Move objects until none can move; return the rigid groups whose objects could not all move."""
        moved, check = True, current().check
        while moved:
            moved = False
            moving = reduce(or_, board.moving, 0)
            for cell in bits(moving):
                check()
                moved |= self._move_from(board, cell)
        broken: set[int] = set()
        for cell in bits(moving):  # all that is left, since nothing has moved
            stuck = board.moves[cell]
            for layer in range(len(self.game.layers)):
                if stuck >> 5 * layer & ALL and (group := board.rigid.get(cell, 0) >> 5 * layer & ALL):
                    broken.add(group)
                    break
            board.put(cell, board.cells[cell], 0)
        return broken

    def _move_from(self, board: PlayBoard, cell: int) -> bool:
        """Move those objects of a cell that can move; return whether any moved."""
        moved = False
        moves = board.moves[cell]
        while moves:
            layer = ((moves & -moves).bit_length() - 1) // 5
            direction = moves >> 5 * layer & ALL
            moves ^= direction << 5 * layer
            if self._step(board, cell, layer, direction):
                board.put(cell, board.cells[cell], board.moves[cell] & ~(direction << 5 * layer))
                moved = True
        return moved

    def _step(self, board: PlayBoard, cell: int, layer: int, direction: int) -> bool:
        """Move the object of a layer from a cell to the next cell, if it is free; return whether this succeeded."""
        if direction == ACTION_BIT:
            return True
        mask, towards = self.game.layers[layer], _AS_RULES.get(direction)
        if towards is None or self.grid.room(cell, towards) == 1:
            return False
        target = cell + self.grid.steps[towards]
        if board.at(target, mask) & mask:
            return False
        going = board.at(cell, mask) & mask
        board.put(cell, board.cells[cell] & ~mask, board.moves[cell])
        board.put(target, board.cells[target] | going, board.moves[target])
        return True
