"""Inputs played on a level, with each rule that fires: what `trace --rules` shows."""

from __future__ import annotations

from typing import Any

from unpuzzle.drawing import Ground
from unpuzzle.puzzlescript.debugging.recording import Recorder, RuleNames
from unpuzzle.puzzlescript.debugging.showing import Shower
from unpuzzle.puzzlescript.debugging.steps import Turn
from unpuzzle.puzzlescript.playing.engine import PythonEngine
from unpuzzle.puzzlescript.playing.tracing import Tracing
from unpuzzle.puzzlescript.rules import ScriptRules


class RuleTracing(Tracing):
    """A play of inputs on one level, of which all turns are noted, step by step.

    Attributes besides those of `Tracing`: `names`, which knows how rules are named.
    """

    def __init__(self, game: ScriptRules, level: str, inputs: str, seed: str = "1") -> None:
        self.names: RuleNames = RuleNames(game.compiled, game.source)
        self._recorder = Recorder(self.names)
        super().__init__(game, level, inputs, PythonEngine(game.compiled, self._recorder), seed)

    @property
    def turns(self) -> list[Turn]:
        """The turns so far."""
        return self._recorder.turns

    def _press(self, count: int, key: str) -> None:
        self._recorder.follow(count, key)
        super()._press(count, key)

    def shower(self) -> Shower:
        """Return what shows the turns."""
        tracer = self._tracer
        return Shower(self.names, tracer.game.text, tracer.state.width, tracer.state.height)

    def picture(self) -> Ground:
        """Return the turns so far as a picture. Raises UsageError where that is too large."""
        from unpuzzle.puzzlescript.debugging.strips import strip

        tracer = self._tracer
        return strip(tracer.game.painter, self.turns, tracer.state.width, tracer.state.height)

    def to_dict(self) -> dict[str, Any]:
        """Return what `Tracing` does, with the turns, and the lines of the rules that fire or queue commands."""
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
        shower, lines, last = self.shower(), [], None
        if not any(turn.input == 0 for turn in self.turns):
            lines.append("start: no turn without input")
        for turn in self.turns:
            if turn.input != last:
                lines.append(f"{turn.input}: {turn.key}" if turn.input else "start")
                last = turn.input
            lines += shower.lines(turn)
        return lines + self._remarks()
