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
from unpuzzle.puzzlescript.debugging.steps import Change, Step, Turn
from unpuzzle.puzzlescript.debugging.strips import step_boards, strip
from unpuzzle.puzzlescript.levels.painter import Painter
from unpuzzle.puzzlescript.playing.engine import PythonEngine
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.playing.tracing import BoardTracing
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


# Inputs played on a level, with each rule that fires: the output of `trace --fired`.


class RuleTracing(BoardTracing):
    """A play of inputs on one level, with all turns recorded step by step.

    Attributes besides those of `BoardTracing`: `names`, the names of rules.
    """

    def __init__(self, game: ScriptRules, level: str, inputs: str, seed: str = "1") -> None:
        self.names: RuleNames = RuleNames(game.compiled, game.source)
        self._recorder = Recorder(self.names)
        self._played = 0
        super().__init__(game, level, inputs, PythonEngine(game.compiled, self._recorder), seed)

    @property
    def turns(self) -> list[Turn]:
        return self._recorder.turns

    def _press(self, count: int, key: str) -> None:
        self._recorder.follow(count, key)
        self._played = count
        super()._press(count, key)

    def shower(self) -> Shower:
        tracer = self._tracer
        return Shower(self.names, tracer.game.text, tracer.state.width, tracer.state.height)

    def picture(self) -> Ground:
        """Return the turns so far as a picture. Raises UsageError if it is too large."""
        tracer = self._tracer
        return strip(tracer.game.painter, self.turns, tracer.state.width, tracer.state.height)

    def to_dict(self) -> dict[str, Any]:
        """Return the data of `BoardTracing` with the turns, and the lines of the rules that fire or queue commands."""
        if not self.start:
            return {**super().to_dict(), "turns": [], "rules": {}}
        shower = self.shower()
        lines = sorted({step.line for turn in self.turns for step in turn.steps if step.line})
        rules = {str(line): self.names.source(line) for line in lines}
        return {**super().to_dict(), "turns": list(map(shower.data, self.turns)), "rules": rules}

    def lines(self) -> list[str]:
        """Return the turns so far in lines for people."""
        if not self.start:
            return []
        shower, lines = self.shower(), []
        for number, key in enumerate(("", *self._inputs[: self._played])):
            turns = [turn for turn in self.turns if turn.input == number]
            if number or turns:
                lines.append(f"{number}: {key}" if number else "start")
            lines += [line for turn in turns for line in shower.lines(turn)]
            if number and not turns:
                lines.append("    no turn: the board is taken back, or stays")
        return lines + self._remarks()
