"""Inputs played on a level, with each rule that fires: the output of `trace --fired`."""

from __future__ import annotations

from typing import Any

from unpuzzle.drawing import Ground
from unpuzzle.puzzlescript.debugging.recording import Recorder, RuleNames
from unpuzzle.puzzlescript.debugging.showing import Shower
from unpuzzle.puzzlescript.debugging.steps import Turn
from unpuzzle.puzzlescript.debugging.strips import strip
from unpuzzle.puzzlescript.playing.engine import PythonEngine
from unpuzzle.puzzlescript.playing.tracing import BoardTracing
from unpuzzle.puzzlescript.rules import ScriptRules


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
