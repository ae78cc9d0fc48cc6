"""One turn: push of the player, rules, movement, late rules; repeated without the groups whose rigid bodies could not
move.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from unpuzzle.base.run import current, within_limits
from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.playing.applying import ALL, ListRunner, Queue
from unpuzzle.puzzlescript.playing.board import DOWN, LEFT, RIGHT, UP, Grid, PlayBoard
from unpuzzle.puzzlescript.playing.sets import bits, has

MOST_RIGID_TRIALS = 50
ACTION_BIT = 0b10000
_AS_RULES = {0b00001: UP, 0b00010: DOWN, 0b00100: LEFT, 0b01000: RIGHT}
"""The direction of a rule for each movement of one layer."""


class Turner:
    """Plays turns of a game on boards of one size."""

    def __init__(self, game: Compiled, width: int, height: int) -> None:
        self.game = game
        self.grid: Grid = Grid(width, height)
        self.rules: ListRunner = ListRunner(game.rules, game, self.grid)
        self.late: ListRunner = ListRunner(game.late, game, self.grid)
        self.layer_of: list[int] = game.layers_by_object()
        self.player_numbers: tuple[int, ...] = tuple(bits(game.player))

    def run(self, board: PlayBoard, direction: int | None, queue: Queue) -> tuple[PlayBoard, Queue, list[int]]:
        """Make a turn; return the board after it, its queue, and the cells of the pushed players.

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
        """Apply rules and movement repeatedly, until all objects of each rigid group can move."""
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
        """Push the players in a direction; return the cells of the players."""
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
        """Move objects until nothing can move, and stop the rest; return the rigid groups that were stopped."""
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
        """Move the objects of a cell, layer by layer; return whether anything moved."""
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
