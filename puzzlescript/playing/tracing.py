"""Inputs played on a level, with the board after each input, to compare engines of this and other programs."""

from __future__ import annotations

from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.drawing import Ground
from unpuzzle.puzzlescript.playing.applying import Endless, endless_message
from unpuzzle.puzzlescript.playing.engine import Engine, Playing
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.rules import ScriptRules

INPUTS = "uldrxtz!"


class Tracer:
    """A run through levels, one after the other; `number` is the level's number, or None for a level from elsewhere."""

    def __init__(self, game: ScriptRules, engine: Engine, seed: str, messages: bool) -> None:
        self.game: ScriptRules = game
        self._engine, self._seed, self._messages = engine, seed, messages
        self.drawn: int = 0
        self.number: int | None = None

    def begin(self, number: int) -> None:
        """Start a level of the game."""
        self.number = number
        self.play(State(*self.game.compiled.levels[number][:3]), fresh=True)

    def play(self, state: State, fresh: bool) -> None:
        """Play from a state; with `fresh`, the level is started first."""
        self.state: State = state._replace(seed=self._seed, drawn=self.drawn)
        self.session: Playing = self._engine.play(self.state, self._messages)
        if fresh:
            self.session.start()

    def go_on(self) -> bool:
        """Start the next level; return whether there is a next level."""
        levels = self.game.compiled.levels
        following = () if self.number is None else range(self.number + 1, len(levels))
        number = next((n for n in following if levels[n].width), None)
        if number is not None:
            self.drawn = self.session.outcome().drawn
            self.begin(number)
        return number is not None

    def board(self) -> str:
        return self.game.text.board(self.session.outcome().cells, self.state.width, self.state.height)


class BoardTracing:
    """A play of inputs on a level, given by number, name or text; its results are available at any time.

    With `through`, the next level follows a won one, without messages. The input that wins or never ends is the last
    one, and its board is left out.

    Attributes: `start`, the first board; `boards`, the board after each input, empty if unchanged; `won`, the number of
    the input that won; `capped`, whether turns of `again` never ended; `endless`, the groups of rules and loops that
    were cut off, each with the number of the input, 0 for the start.
    """

    def __init__(
        self, game: ScriptRules, level: str, inputs: str, engine: Engine, seed: str = "1", through: bool = False
    ) -> None:
        for column, key in enumerate(inputs, 1):
            if key not in INPUTS:
                message = f"{key!r} is not an input; the inputs are {' '.join(INPUTS)}"
                raise ParseError(message, file="input", column=column, text=inputs)
        self._tracer = Tracer(game, engine, seed, messages=not through)
        self._level, self._inputs, self._through = level, inputs, through
        self.start: str = ""
        self.boards: list[str] = []
        self.won: int | None = None
        self.capped: bool = False
        self.endless: list[tuple[int, Endless]] = []

    @property
    def valid(self) -> bool | None:
        """Return None because a trace only shows boards."""
        return None

    def run(self) -> None:
        """Play the inputs. Raises ParseError for an unknown level, and LimitReached at a limit."""
        tracer = self._tracer
        number = tracer.game.levels.number(self._level)
        if number is not None:
            tracer.begin(number)
        else:
            tracer.play(*tracer.game.text.read(self._level, None))
        self.start, last = tracer.board(), ""
        self._note(0)
        for count, key in enumerate(self._inputs, 1):
            if self.ended:
                return
            self._press(count, key)
            won = self._note(count)
            if not self.capped and won and not (self._through and tracer.go_on()):
                self.won = count
            if not self.ended:
                board = tracer.board()
                self.boards.append("" if board == last else board)
                last = board

    def _press(self, count: int, key: str) -> None:
        """Play the input that has the given number."""
        self._tracer.session.press(key)

    def _note(self, count: int) -> bool:
        """Record the groups that were cut off after an input, or at the start (0); return whether the level is won."""
        outcome = self._tracer.session.outcome()
        self.endless += [(count, each) for each in sorted(outcome.endless)]
        self.capped = outcome.capped
        return outcome.won

    @property
    def ended(self) -> bool:
        """Whether the play is over: won, or given up."""
        return self.capped or self.won is not None

    def picture(self) -> Ground | None:
        """Return None because boards are shown as text."""
        return None

    def place(self) -> str:
        """Return a phrase that describes the progress of the play."""
        return f"input {len(self.boards) + 1}" if self.start else "the turns that the level begins with"

    def to_dict(self) -> dict[str, Any]:
        """Return the boards so far as data for JSON."""
        loops = [{"input": n, "line": line, "message": endless_message(loop)} for n, (line, loop) in self.endless]
        boards = {"start": self.start, "boards": list(self.boards), "won": self.won, "capped": self.capped}
        return {**boards, "loops": loops}

    def lines(self) -> list[str]:
        """Return the boards so far as lines for people; empty before the first board."""
        if not self.start:
            return []
        lines = [f"start  {self.start}"]
        boards = zip(self._inputs, self.boards, strict=False)
        lines += [f"{number}: {key}  {board or '='}" for number, (key, board) in enumerate(boards, 1)]
        return lines + self._remarks()

    def _remarks(self) -> list[str]:
        """Return lines about the end of the play, and about the groups that were cut off."""
        lines = []
        if self.won is not None:
            lines.append(f"input {self.won} wins")
        if self.capped:
            lines.append(f"input {len(self.boards) + 1} causes turns of `again` that never end")
        for number, (line, loop) in self.endless:
            when = f"input {number}" if number else "the start"
            lines.append(f"in {when}, line {line}: {endless_message(loop)}")
        return lines
