"""Recording of play: the board after each input, or every step of each turn.

Boards are there to compare engines of this and other programs (`BoardTracing`). Steps are noted by a listener
(`Recorder`). It keeps a copy of the board after the last step, so that each step has exactly its own changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from unpuzzle.base.errors import ParseError
from unpuzzle.base.values import Record
from unpuzzle.drawing import Ground
from unpuzzle.puzzlescript.compiling.compiled import CANCEL, RESTART, Compiled, Rule
from unpuzzle.puzzlescript.engine.board import DOWN, LEFT, RIGHT, UP, Match, PlayBoard
from unpuzzle.puzzlescript.engine.engine import Engine, Playing
from unpuzzle.puzzlescript.engine.states import State
from unpuzzle.puzzlescript.engine.turns import Endless, TurnListener, endless_message
from unpuzzle.puzzlescript.rules import ScriptRules

Cells = tuple[int, ...]
PUSH, RULE, COMMANDS, MOVEMENT, RIGID = "input", "rule", "commands", "movement", "rigid"
INPUTS = "uldrxtz!"
MOST_STEPS = 100_000
"""The largest number of steps of a play; further ones are only counted."""
TOWARDS = {UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right"}
COMMAND = r"\b(?:cancel|restart|win|again|checkpoint|sfx\d+)\b"


class CellChange(NamedTuple):
    """A cell that one step of a turn changes: its objects and movements before and after, as sets of bits."""

    cell: int
    objects: tuple[int, int]
    moves: tuple[int, int]


class Step(Record):
    """One recorded step of a turn, such as a rule that fired.

    Attributes:
        kind: `input` pushes the players; a `rule` fires; `commands` are queued; objects make their `movement`; or
            bodies of `rigid` rules could not move, so that all is taken back, and the turn begins again without these.
        line: the line of the rule; for `rigid`, of the first rule of the group left out.
        direction: the rule's direction as the reference engine logs it: empty if the line means only one rule.
        towards: the direction of the rule.
        late: whether the rule is a late one.
        matches: the cells on which the rows of the rule match, in the order of its patterns.
        commands: the queued commands, such as `again`, `sfx3` or `message Hello`.
        changes: the cells that are changed.
    """

    kind: str
    line: int = 0
    direction: str = ""
    towards: str = ""
    late: bool = False
    matches: tuple[Cells, ...] = ()
    commands: tuple[str, ...] = ()
    changes: tuple[CellChange, ...] = ()

    @property
    def alike(self) -> tuple[str, int, str, bool]:
        """The attributes that must be equal in steps that are shown together."""
        return self.kind, self.line, self.direction, self.late

    @property
    def logged(self) -> str:
        """The rule's name as PuzzleScript logs it: `31 right`, or `31` if the line has only one rule."""
        return f"{self.line} {self.direction}".strip()


class Turn(Record):
    """One recorded turn, with its steps.

    Attributes:
        input: the number of the input that it belongs to; 0 for the start of a level.
        key: that input.
        why: `start`, `input`, `again` or `restart`.
        before: the cells before it.
        after: the cells after it; before the restart, if it ends with one.
        steps: what happens in it, in order.
        ends: `cancel`, `no player moved`, `restart`, `win`, `again`, or empty.
        left_out: the number of further steps that were not kept.
    """

    input: int
    key: str
    why: str
    before: Cells
    after: Cells
    steps: tuple[Step, ...]
    ends: str
    left_out: int = 0

    @property
    def fired(self) -> list[Step]:
        return [step for step in self.steps if step.kind == RULE]


class RuleNames:
    """The names of a game's rules in traces: the rule's line and, if the line has several rules, the direction."""

    def __init__(self, game: Compiled, source: str) -> None:
        self.game = game
        self.lines: Sequence[str] = source.split("\n")
        numbers = [Counter(rule.line for rule in group.rules) for group in game.rules]
        self._several = {line for lines in numbers for line, number in lines.items() if number > 1}

    def direction(self, rule: Rule) -> str:
        """Return the direction of a rule as PuzzleScript logs it, such as `right`.

        It is empty if no group, except late ones, has several rules of the line.
        """
        return TOWARDS[rule.direction] if rule.line in self._several else ""

    def source(self, line: int) -> str:
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def commands(self, rule: Rule) -> list[str]:
        """Return the commands of a rule as written: `sfx3`, `again`, `message Hello`.

        The compiled rule has them only as bits, which is enough for an engine.
        """
        written = self.source(rule.line).partition("->")[2]
        before, message, words = re.split(r"(\bmessage\b|$)", written, maxsplit=1, flags=re.IGNORECASE)
        names = re.findall(COMMAND, re.sub(r"\([^)]*\)?", "", before).lower())
        return list(dict.fromkeys([*names, *([f"message {words.strip()}"] if message else [])]))


class Recorder(TurnListener):
    """A listener of an engine that records every step of each turn."""

    __slots__ = (
        "_begun",
        "_cells",
        "_input",
        "_late",
        "_left_out",
        "_moves",
        "_queued",
        "_room",
        "_steps",
        "names",
        "turns",
    )

    def __init__(self, names: RuleNames) -> None:
        self.names: RuleNames = names
        self._input = 0, ""
        self.clear()

    def clear(self) -> None:
        """Delete the recorded turns."""
        self.turns: list[Turn] = []
        self._room = MOST_STEPS

    def follow(self, number: int, key: str) -> None:
        """Record the following turns as turns that a given input causes."""
        self._input = number, key

    def begins(self, why: str, direction: int | None, board: PlayBoard) -> None:
        self._begun = why, tuple(board.cells)
        self._steps: list[Step] = []
        self._left_out = 0
        self._restore(board)

    def pushed(self, board: PlayBoard) -> None:
        changes = self._changes(range(len(board.cells)), board)
        if changes:
            self._add(Step(PUSH, changes=changes))

    def applied(self, rule: Rule, matches: Sequence[Match], board: PlayBoard) -> None:
        if not self._has_room():
            return
        cells = tuple(map(tuple, matches))
        changes = self._changes(dict.fromkeys(cell for row in cells for cell in row), board)
        direction, towards = self.names.direction(rule), TOWARDS[rule.direction]
        self._steps.append(Step(RULE, rule.line, direction, towards, self._late, cells, changes=changes))

    def queued(self, rule: Rule) -> None:
        if rule.commands & (CANCEL | RESTART):
            self._queued.clear()
        new = [name for name in self.names.commands(rule) if _kind(name) not in self._queued]
        self._queued.update(map(_kind, new))
        if new:
            step = Step(COMMANDS, rule.line, self.names.direction(rule), TOWARDS[rule.direction], self._late)
            self._add(Step(step.kind, step.line, step.direction, step.towards, step.late, commands=tuple(new)))

    def moved(self, board: PlayBoard) -> None:
        changes = self._changes(range(len(board.cells)), board)
        if changes:
            self._add(Step(MOVEMENT, changes=changes))
        self._late = True

    def broken(self, groups: Collection[int], board: PlayBoard) -> None:
        for group in sorted(groups):
            self._add(Step(RIGID, self.names.game.rules[group].rules[0].line))
        self._restore(board)

    def ends(self, how: str, board: PlayBoard) -> None:
        why, before = self._begun
        turn = Turn(*self._input, why, before, tuple(board.cells), tuple(self._steps), how, self._left_out)
        self.turns.append(turn)

    def _has_room(self) -> bool:
        """Count one more step, and return whether it may still be recorded."""
        self._room -= 1
        self._left_out += self._room < 0
        return self._room >= 0

    def _add(self, step: Step) -> None:
        if self._has_room():
            self._steps.append(step)

    def _restore(self, board: PlayBoard) -> None:
        """Return the recorder to a board on which no rule of the turn has been applied yet."""
        self._cells, self._moves = list(board.cells), list(board.moves)
        self._queued: set[str] = set()
        self._late = False

    def _changes(self, cells: Iterable[int], board: PlayBoard) -> tuple[CellChange, ...]:
        """Return what has changed in the given cells since the last step."""
        changes = []
        for cell in cells:
            objects, moves = (self._cells[cell], board.cells[cell]), (self._moves[cell], board.moves[cell])
            if objects[0] != objects[1] or moves[0] != moves[1]:
                changes.append(CellChange(cell, objects, moves))
                self._cells[cell], self._moves[cell] = objects[1], moves[1]
        return tuple(changes)


def _kind(command: str) -> str:
    """Return the first word of a command, such as `message`; each turn queues one command of a kind."""
    return command.partition(" ")[0]


class Tracer:
    """A play through a game's levels; `number` is the level's number, or None for a level given as text."""

    def __init__(self, game: ScriptRules, engine: Engine, seed: str, messages: bool) -> None:
        self.game: ScriptRules = game
        self._engine, self._seed, self._messages = engine, seed, messages
        self.drawn: int = 0
        self.number: int | None = None

    def begin(self, number: int) -> None:
        """Begin a level of the game, given by its number."""
        self.number = number
        self.play(State(*self.game.compiled.levels[number][:3]), fresh=True)

    def play(self, state: State, fresh: bool) -> None:
        """Play on from a state; if `fresh` is true, a level begins in this state."""
        self.state: State = state._replace(seed=self._seed, drawn=self.drawn)
        self.session: Playing = self._engine.play(self.state, self._messages)
        if fresh:
            self.session.start()

    def go_on(self) -> bool:
        """Begin the next level of the game; return False if there is none."""
        levels = self.game.compiled.levels
        following = () if self.number is None else range(self.number + 1, len(levels))
        number = next((n for n in following if levels[n].width), None)
        if number is not None:
            self.drawn = self.session.outcome().drawn
            self.begin(number)
        return number is not None

    def board(self) -> str:
        return self.game.text.board(self.session.outcome().cells, self.state.width, self.state.height)

    def now(self) -> State:
        return self.state._replace(cells=self.session.outcome().cells)


class BoardTracing:
    """A play of given inputs on a level, which records the board after each input.

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
        self._states: list[State] = []
        self.won: int | None = None
        self.capped: bool = False
        self.endless: list[tuple[int, Endless]] = []

    @property
    def valid(self) -> bool | None:
        """Return None, because a trace of boards is not checked."""
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
        self._states.append(tracer.now())
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
                self._states.append(tracer.now())
                last = board

    def _press(self, count: int, key: str) -> None:
        """Play one input; `count` is the number of the input, from 1."""
        self._tracer.session.press(key)

    def _note(self, count: int) -> bool:
        """Record the endless rules met at input number `count` (0: at the start); return whether the level is won."""
        outcome = self._tracer.session.outcome()
        self.endless += [(count, each) for each in sorted(outcome.endless)]
        self.capped = outcome.capped
        return outcome.won

    @property
    def ended(self) -> bool:
        """Whether the play has ended: the level is won, or an input had turns without end."""
        return self.capped or self.won is not None

    def picture(self) -> Ground | None:
        """Return None, because boards are shown only as text."""
        return None

    def place(self) -> str:
        """Return a phrase that says how far the play has come."""
        return f"input {len(self.boards) + 1}" if self.start else "the turns that the level begins with"

    def to_dict(self) -> dict[str, Any]:
        """Return the boards recorded so far as data for JSON."""
        loops = [{"input": n, "line": line, "message": endless_message(loop)} for n, (line, loop) in self.endless]
        boards = {"start": self.start, "boards": list(self.boards), "won": self.won, "capped": self.capped}
        return {**boards, "loops": loops}

    def lines(self) -> list[str]:
        """Return the boards recorded so far as lines of text."""
        if not self.start:
            return []
        lines = ["start", self._shown(self.start, self._states[0])]
        for number, (key, board) in enumerate(zip(self._inputs, self.boards, strict=False), 1):
            before, state = self._states[number - 1 : number + 1]
            same = state == before
            lines += [f"{number}: {key}  nothing changes"] if same else [f"{number}: {key}", self._shown(board, state)]
        return lines + self._remarks()

    def _shown(self, board: str, state: State) -> str:
        """Return a board as rows of level characters; unchanged if some cell has no character."""
        rows = self._tracer.game.text.picture(state)
        return board if "?" in rows else rows

    def _remarks(self) -> list[str]:
        """Return lines that say how the play ended, and which groups of rules are endless."""
        lines = []
        if self.won is not None:
            lines.append(f"input {self.won} wins")
        if self.capped:
            lines.append(f"input {len(self.boards) + 1} causes turns of `again` that never end")
        for number, (line, loop) in self.endless:
            when = f"input {number}" if number else "the start"
            lines.append(f"in {when}, line {line}: {endless_message(loop)}")
        return lines
