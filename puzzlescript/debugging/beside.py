"""The effect of each key in a position, step by step, as short lists for a page, which shows them beside the board.

    turn     [why, ends, steps, left out]
    step     [kind, line, direction, late, cells, changes, commands]
    cell     [row, column], from 0
    change   [row, column, objects before, objects after, movements of the latter, words]

Objects are numbers in `names`, in the order in which they are painted.
"""

from __future__ import annotations

from typing import Any

from unpuzzle.drawing import Ground
from unpuzzle.puzzlescript.debugging.recording import Recorder, RuleNames
from unpuzzle.puzzlescript.debugging.showing import Shower
from unpuzzle.puzzlescript.debugging.steps import Change, Step
from unpuzzle.puzzlescript.debugging.strips import step_boards
from unpuzzle.puzzlescript.levels.painter import Painter
from unpuzzle.puzzlescript.playing.engine import PythonEngine
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.rules import ScriptRules

ARROWS = "↑↓←→•"


class KeyDebugger:
    """Computes the effects of keys in positions of a game, as pages show them."""

    def __init__(self, game: ScriptRules) -> None:
        self._game = game
        self._names = RuleNames(game.compiled, game.source)
        self._recorder = Recorder(self._names)
        self._engine = PythonEngine(game.compiled, self._recorder)
        self._lines: set[int] = set()

    def turns(self, position: Any) -> dict[str, list[Any]]:
        """Return by key the turns that it causes."""
        state: State = position.state
        self._shower = Shower(self._names, self._game.text, state.width, state.height)
        return {key: self._pressed(state, key) for key in self._game.keys}

    def boards(self, position: Any, key: str, turn: int, step: int) -> tuple[Ground, Ground]:
        """Draw the board before and after a step of what a key does. Raises IndexError where there is no such step."""
        state: State = position.state
        self._recorder.clear()
        self._engine.after(state, key)
        turns = list(self._recorder.turns)
        return step_boards(Painter(self._game.compiled), turns[turn], step, state.width, state.height)

    def head(self) -> dict[str, Any]:
        """Return the names of objects, and the lines of all rules returned so far."""
        rules = {str(line): self._names.source(line) for line in sorted(self._lines)}
        return {"names": list(self._game.compiled.objects), "rules": rules}

    def _pressed(self, state: State, key: str) -> list[Any]:
        self._recorder.clear()
        self._engine.after(state, key)
        return [
            [turn.why, turn.ends, [self._step(step) for step in turn.steps], turn.left_out]
            for turn in self._recorder.turns
        ]

    def _step(self, step: Step) -> list[Any]:
        if step.line:
            self._lines.add(step.line)
        cells = [self._place(cell) for row in step.matches for cell in row]
        changes = list(map(self._change, step.changes))
        return [step.kind, step.line, step.direction, int(step.late), cells, changes, list(step.commands)]

    def _place(self, cell: int) -> list[int]:
        height = self._shower.height
        return [cell % height, cell // height]

    def _change(self, change: Change) -> list[Any]:
        before, after = [list(bits(objects)) for objects in change.objects]
        arrows = "".join(dict.fromkeys(ARROWS[bit % 5] for bit in bits(change.moves[1])))
        return [*self._place(change.cell), before, after, arrows, self._shower.differences(change)]
