"""Output of recorded turns as lines of text, as data for JSON and web pages, and as a picture.

Lines show the board before and after a turn in glyphs, side by side; each rule that fires with its line of the text,
and the cells that it changes: `+crate` comes, `-crate` goes, `right crate` gets that movement, `crate does not move` if
it has lost its movement. Rules of one line that fire one after the other share a heading. `strip` draws the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise, zip_longest
from typing import Any

from unpuzzle.base.errors import UsageError
from unpuzzle.base.values import Record
from unpuzzle.drawing import At, Circle, Ground, Path, Pixels, Rect, Shape, Text
from unpuzzle.puzzlescript.compiling.compiled import bits
from unpuzzle.puzzlescript.debugging.recording import (
    COMMANDS,
    MOVEMENT,
    PUSH,
    RIGID,
    RULE,
    BoardTracing,
    CellChange,
    Cells,
    Recorder,
    RuleNames,
    Step,
    Turn,
)
from unpuzzle.puzzlescript.engine.engine import PythonEngine
from unpuzzle.puzzlescript.engine.states import State, StateText
from unpuzzle.puzzlescript.engine.turns import (
    BY_RESTART,
    CANCELLED,
    DONE,
    INPUT,
    RESTARTED,
    START,
    TO_GO_ON,
    TURN_OF_AGAIN,
    UNMOVED,
    WON,
)
from unpuzzle.puzzlescript.painter import Painter
from unpuzzle.puzzlescript.rules import ScriptRules

MOVES = ("up", "down", "left", "right", "action")
ARROWS = "↑↓←→•"
HEADINGS = {
    START: "the start",
    INPUT: "",
    TURN_OF_AGAIN: "a turn of again",
    BY_RESTART: "the turn that a restart begins with",
}
ENDS = {
    CANCELLED: "cancel: everything is as before",
    UNMOVED: "no player moved: everything is as before",
    RESTARTED: "restart",
    WON: "the level is won",
    TO_GO_ON: "again: a turn without input follows",
    DONE: "",
}
MOST_LINES = 12
"""The largest number of cells of a step, and of places of a rule, in lines."""
ACROSS = 4
"""The number of boards in a row."""
MOST_BOARDS = 200
NARROWEST, CAPTION, GAP = 7, 1.0, 0.6
"""In cells: the least width of a board's place, the height of its caption, and the gap between boards."""
LETTER = 0.72
"""The width of a letter as a fraction of its height."""
STEPS = {0: (0, -1), 1: (0, 1), 2: (-1, 0), 3: (1, 0)}
"""The step of each movement: x and y."""
TURNS = {START: "start", TURN_OF_AGAIN: "again", BY_RESTART: "after the restart"}


class Shower:
    """A converter of recorded turns to text and to data, for boards of one size."""

    def __init__(self, names: RuleNames, text: StateText, width: int, height: int) -> None:
        self.names = names
        self.text = text
        self.width, self.height = width, height
        self.layer_of: list[int] = names.game.layers_by_object()

    def cell(self, cell: int) -> str:
        """Return the name of a cell, such as `r2c3` for row 2 and column 3."""
        return f"r{cell % self.height + 1}c{cell // self.height + 1}"

    def contents(self, objects: int, moves: int) -> str:
        """Return the contents of a cell as text, each object with its movement: `background right player`."""
        words = [" ".join([*self._moves(number, moves), self.names.game.objects[number]]) for number in bits(objects)]
        return " ".join(words)

    def _moves(self, number: int, moves: int) -> list[str]:
        here = moves >> 5 * self.layer_of[number] & 0b11111
        return [MOVES[bit] for bit in bits(here)]

    def differences(self, change: CellChange) -> str:
        """Describe how a cell changes, as in `-crate +right player`."""
        (before, after), (moved, moves) = change.objects, change.moves
        words = [f"-{self.contents(1 << number, 0)}" for number in bits(before & ~after)]
        words += [f"+{self.contents(1 << number, moves)}" for number in bits(after & ~before)]
        for number in bits(before & after):
            now, earlier = self._moves(number, moves), self._moves(number, moved)
            if now != earlier and (now or earlier != ["action"]):  # which ends without anything that moves
                name = self.names.game.objects[number]
                words.append(f"{' '.join(now)} {name}" if now else f"{name} does not move")
        return " ".join(words)

    # ---- for people

    def lines(self, turn: Turn) -> Iterator[str]:
        """Yield the lines of text about one turn."""
        if HEADINGS[turn.why]:
            yield f"{HEADINGS[turn.why]}:"
        yield from self._boards(turn.before, turn.after)
        steps = [step for step in turn.steps if step.kind != PUSH]
        shown = 0
        for _, group in groupby(steps, key=lambda step: step.alike):
            yield from self._steps(several := list(group), shown)
            shown = several[0].line
        if turn.left_out:
            yield f"  and {turn.left_out:,} more"
        if not turn.left_out and not any(step.kind in (RULE, COMMANDS) for step in steps):
            yield "  no rule fires"
        if ENDS[turn.ends]:
            yield f"  {ENDS[turn.ends]}"

    def _boards(self, before: Cells, after: Cells) -> Iterator[str]:
        """Yield the lines of text for a board, or for two boards side by side if they differ."""
        for row, (left, right) in enumerate(zip_longest(self._rows(before), self._rows(after), fillvalue="")):
            arrow = "->" if row == self.height // 2 else "  "
            yield f"    {left}" if before == after else f"    {left}  {arrow}  {right}"

    def _rows(self, cells: Cells) -> list[str]:
        return self.text.picture(State(self.width, self.height, cells)).split("\n")

    def _steps(self, steps: Sequence[Step], shown: int) -> Iterator[str]:
        """Yield the lines of text about equal steps; the text of the rule in the line `shown` is not repeated."""
        first = steps[0]
        if first.kind == MOVEMENT:
            yield "  movement"
            yield from self._changes(first.changes)
        elif first.kind == RIGID:
            yield f"  all is taken back: bodies of the rigid group from line {first.line} on could not move"
        elif first.kind == COMMANDS:
            source = "" if shown == first.line else f"   {self.names.source(first.line)}"
            yield f"  line {first.line} queues {', '.join(first.commands)}{source}"
        else:
            late = "late line" if first.late else "line"
            yield f"  {late} {first.logged}   {self.names.source(first.line)}"
            for step in steps[:MOST_LINES]:
                yield from self._fired(step)
            if len(steps) > MOST_LINES:
                yield f"      and at {len(steps) - MOST_LINES:,} more"

    def _fired(self, step: Step) -> Iterator[str]:
        places = " and ".join([" ".join(map(self.cell, row)) for row in step.matches])
        yield f"    at {places}"
        yield from self._changes(step.changes)

    def _changes(self, changes: Sequence[CellChange]) -> Iterator[str]:
        pairs = [(self.cell(change.cell), self.differences(change)) for change in changes]
        pairs = [(cell, words) for cell, words in pairs if words]
        for cell, words in pairs[:MOST_LINES]:
            yield f"      {cell}  {words}"
        if len(pairs) > MOST_LINES:
            yield f"      and {len(pairs) - MOST_LINES:,} more"

    # ---- for programs

    def data(self, turn: Turn) -> dict[str, Any]:
        """Return a turn as data for JSON."""
        return {
            "input": turn.input,
            "key": turn.key,
            "why": turn.why,
            "before": self.text.board(turn.before, self.width, self.height),
            "after": self.text.board(turn.after, self.width, self.height),
            "steps": [self._step(step) for step in turn.steps],
            "ends": turn.ends,
            "left_out": turn.left_out,
        }

    def _step(self, step: Step) -> dict[str, Any]:
        """Return a step of a turn as data for JSON."""
        data: dict[str, Any] = {"step": step.kind}
        if step.line:
            data |= {"line": step.line}
        if step.kind in (RULE, COMMANDS):
            data |= {"direction": step.direction, "towards": step.towards, "late": step.late}
        if step.kind == RULE:
            data |= {"cells": [list(map(self.cell, row)) for row in step.matches]}
        if step.kind == COMMANDS:
            data |= {"commands": list(step.commands)}
        if step.kind in (PUSH, RULE, MOVEMENT):
            data |= {"changes": list(map(self._change, step.changes))}
        return data

    def _change(self, change: CellChange) -> dict[str, str]:
        pairs = zip(change.objects, change.moves, strict=True)
        before, after = (self.contents(objects, moves) for objects, moves in pairs)
        return {"cell": self.cell(change.cell), "before": before, "after": after}


# The effect of each key in a position, step by step, as short lists for a page, which shows them beside the board.
#
#     turn     [why, ends, steps, left out]
#     step     [kind, line, direction, late, cells, changes, commands]
#     cell     [row, column], from 0
#     change   [row, column, objects before, objects after, movements of the latter, words]
#
# Objects are numbers in `names`, in the order in which they are painted.


class KeyDebugger:
    """A debugger for web pages: it plays each key in a position, and returns the turns that the key causes."""

    def __init__(self, game: ScriptRules) -> None:
        self._game = game
        self._names = RuleNames(game.compiled, game.source)
        self._recorder = Recorder(self._names)
        self._engine = PythonEngine(game.compiled, self._recorder)
        self._lines: set[int] = set()

    def turns(self, position: Any) -> dict[str, list[Any]]:
        """Return the recorded turns that each key causes in a position."""
        state: State = position.state
        self._shower = Shower(self._names, self._game.text, state.width, state.height)
        return {key: self._pressed(state, key) for key in self._game.keys}

    def boards(self, position: Any, key: str, turn: int, step: int) -> tuple[Ground, Ground]:
        """Draw the boards before and after one step of a turn. Raises IndexError if there is no such step."""
        state: State = position.state
        chosen = self._played(state, key)[turn]
        return step_boards(Painter(self._game.compiled), chosen, step, state.width, state.height)

    def head(self) -> dict[str, Any]:
        """Return the names of all objects, and the texts of the rules in the turns returned so far, by line."""
        rules = {str(line): self._names.source(line) for line in sorted(self._lines)}
        return {"names": list(self._game.compiled.objects), "rules": rules}

    def _played(self, state: State, key: str) -> list[Turn]:
        self._recorder.clear()
        self._engine.after(state, key)
        return self._recorder.turns

    def _pressed(self, state: State, key: str) -> list[Any]:
        turns = self._played(state, key)
        return [[turn.why, turn.ends, list(map(self._step, turn.steps)), turn.left_out] for turn in turns]

    def _step(self, step: Step) -> list[Any]:
        if step.line:
            self._lines.add(step.line)
        cells = [self._place(cell) for row in step.matches for cell in row]
        changes = list(map(self._change, step.changes))
        return [step.kind, step.line, step.direction, int(step.late), cells, changes, list(step.commands)]

    def _place(self, cell: int) -> list[int]:
        height = self._shower.height
        return [cell % height, cell // height]

    def _change(self, change: CellChange) -> list[Any]:
        before, after = [list(bits(objects)) for objects in change.objects]
        arrows = "".join(dict.fromkeys(ARROWS[bit % 5] for bit in bits(change.moves[1])))
        return [*self._place(change.cell), before, after, arrows, self._shower.differences(change)]


# Inputs played on a level, with each rule that fires: the output of `trace --fired`.


class RuleTracing(BoardTracing):
    """A play of given inputs on a level, which records every step of the turns.

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
        """Draw the turns recorded so far. Raises UsageError if the picture would be too large."""
        tracer = self._tracer
        return strip(tracer.game.painter, self.turns, tracer.state.width, tracer.state.height)

    def to_dict(self) -> dict[str, Any]:
        """Return the recorded boards and turns as data for JSON."""
        if not self.start:
            return {**super().to_dict(), "turns": [], "rules": {}}
        shower = self.shower()
        lines = sorted({step.line for turn in self.turns for step in turn.steps if step.line})
        rules = {str(line): self.names.source(line) for line in lines}
        return {**super().to_dict(), "turns": list(map(shower.data, self.turns)), "rules": rules}

    def lines(self) -> list[str]:
        """Return the turns recorded so far as lines of text."""
        if not self.start:
            return []
        shower, lines = self.shower(), []
        for number, key in enumerate(("", *self._inputs[: self._played])):
            turns = [turn for turn in self.turns if turn.input == number]
            if number or turns:
                lines.append(f"{number}: {key}" if number else "start")
            lines += [line for turn in turns for line in shower.lines(turn)]
            if number and not turns:
                lines.append("    no turn: the board is restored, or unchanged")
        return lines + self._remarks()


class BoardPanel(Record):
    """One board of a picture: its caption, objects and movements by cell, and the cells with a frame."""

    caption: str
    cells: Cells
    moves: Cells
    framed: frozenset[int] = frozenset()
    first: bool = False


def strip(painter: Painter, turns: Iterable[Turn], width: int, height: int) -> Ground:
    """Draw turns as a picture with a board after each step. Raises UsageError for too many boards.

    It has a small board after each step, with its rule's line, arrows where objects move, and frames:

        1: r            line 42 right       movement            late line 44        a turn begins on a new row
        ┌───────┐       ┌───────┐           ┌───────┐           ┌───────┐
        │ board │       │ board │ …         │ board │           │ board │
    """
    panels = [panel for turn in turns for panel in panels_of(turn)]
    if len(panels) > MOST_BOARDS:
        message = f"the picture would have {len(panels):,} boards: at most {MOST_BOARDS} are allowed; play fewer inputs"
        raise UsageError(message)
    across, down = max(width, NARROWEST) + GAP, height + CAPTION + GAP
    shapes: list[Shape] = []
    row = column = columns = 0
    for number, panel in enumerate(panels):
        if number and (panel.first or column == ACROSS):
            row, column = row + 1, 0
        columns = max(columns, column + 1)
        shapes += _panel(painter, panel, width, height, GAP / 2 + column * across, GAP / 2 + row * down)
        column += 1
    looks = painter.ground(State(width, height, panels[0].cells)).looks if panels else {}
    return Ground((row + 1) * down, columns * across, looks, shapes, margin=0, step=(1, 1))


def step_boards(painter: Painter, turn: Turn, step: int, width: int, height: int) -> tuple[Ground, Ground]:
    """Draw the boards before and after a step of a turn. Raises IndexError if the turn has no such step."""
    chosen = turn.steps[step]
    matched = frozenset([cell for row in chosen.matches for cell in row])
    framed = matched or frozenset([change.cell for change in chosen.changes])
    boards = next(islice(pairwise(_boards(turn)), step, None))
    before, after = [_single(painter, BoardPanel("", *board, framed), width, height) for board in boards]
    return before, after


def _boards(turn: Turn) -> Iterator[tuple[Cells, Cells]]:
    """Yield the objects and movements on the board at the beginning of a turn and after each of its steps."""
    board = begun = turn.before, (0,) * len(turn.before)
    yield board
    for step in turn.steps:
        cells, moves = map(list, begun if step.kind == RIGID else board)
        for change in step.changes:
            cells[change.cell], moves[change.cell] = change.objects[1], change.moves[1]
        board = tuple(cells), tuple(moves)
        begun = board if step.kind == PUSH else begun
        yield board


def _single(painter: Painter, panel: BoardPanel, width: int, height: int) -> Ground:
    """Return the shapes of one board without its caption."""
    looks = painter.ground(State(width, height, panel.cells)).looks
    return Ground(height, width, looks, list(_board(painter, panel, width, height, 0, 0)), margin=0.1, step=(1, 1))


def panels_of(turn: Turn) -> list[BoardPanel]:
    """Return the boards to draw for a turn; the last caption says how the turn ends."""
    panels = list(_panels(turn))
    if turn.ends and turn.after != panels[-1].cells:
        panels.append(BoardPanel(turn.ends, turn.after, tuple([0] * len(turn.after))))
    elif turn.ends:
        panels[-1] = panels[-1].replace(caption=f"{panels[-1].caption}: {turn.ends}")
    return panels


def _panels(turn: Turn) -> Iterator[BoardPanel]:
    """Yield the boards to draw for a turn: one at the beginning, and one for each rule that fires."""
    boards = _boards(turn)
    beginning = BoardPanel(TURNS.get(turn.why, f"{turn.input}: {turn.key}"), *next(boards), first=True)
    steps = [(step, board) for step, board in zip(turn.steps, boards, strict=True) if step.kind != COMMANDS]
    if not steps or steps[0][0].kind != PUSH:
        yield beginning
    for kind, group in groupby(steps, key=lambda pair: pair[0].alike):
        several = list(group)
        step, (cells, moves) = several[-1]
        if kind[0] == PUSH:
            yield beginning.replace(cells=cells, moves=moves)
            continue
        framed = frozenset([cell for step, _ in several for row in step.matches for cell in row])
        yield BoardPanel(_caption(step), cells, moves, framed)


def _caption(step: Step) -> str:
    if step.kind == MOVEMENT:
        return "movement"
    late = "late line" if step.late else "line"
    return f"{late} {step.logged}" if step.kind == RULE else f"taken back: line {step.line}"


def _panel(painter: Painter, panel: BoardPanel, width: int, height: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the shapes of a board and its caption, with the board's upper left corner at `x` and `y`."""
    size = min(0.7, max(width, NARROWEST) / (LETTER * len(panel.caption)))
    yield Text(x, y + CAPTION / 2, panel.caption, size, left=True)
    yield from _board(painter, panel, width, height, x, y + CAPTION)


def _board(painter: Painter, panel: BoardPanel, width: int, height: int, x: float, top: float) -> Iterator[Shape]:
    """Yield the shapes of a board, with its upper left corner at `x` and `y`."""
    state = State(width, height, panel.cells)
    for shape in painter.ground(state).shapes:
        yield _moved(shape, x, top)
    for look, row, column, _ in painter.ground(state).in_order(painter.pieces(state)):
        yield At(row + top, column + x, look)
    for cell, moves in enumerate(panel.moves):
        left, up = x + cell // height, top + cell % height
        for direction in sorted({bit % 5 for bit in bits(moves)}):
            yield from _arrow(direction, left + 0.5, up + 0.5)
        if cell in panel.framed:
            yield Rect(left + 0.05, up + 0.05, 0.9, 0.9, radius=0.15, line="paper", thick=0.2)
            yield Rect(left + 0.05, up + 0.05, 0.9, 0.9, radius=0.15, line="mark", thick=0.1)


def _arrow(direction: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the shapes of an arrow in the middle of a cell; a dot stands for the action key."""
    if direction not in STEPS:
        yield Circle(x, y, 0.2, fill="mark", line="paper", thick=0.06)
        return
    over, down = STEPS[direction]

    def at(along: float, beside: float) -> tuple[float, float]:
        return x + along * over - beside * down, y + along * down + beside * over

    outline = [(-0.3, -0.1), (0, -0.1), (0, -0.27), (0.36, 0), (0, 0.27), (0, 0.1), (-0.3, 0.1)]
    points = [at(along, beside) for along, beside in outline]
    yield Path(points, closed=True, fill="mark", line="paper", thick=0.06)


def _moved(shape: Shape, x: float, y: float) -> Shape:
    """Return a copy of a shape that is moved by `x` columns and `y` rows."""
    if isinstance(shape, At):
        return shape.replace(row=shape.row + y, column=shape.column + x)
    if isinstance(shape, Pixels):
        return shape.replace(x=shape.x + x, y=shape.y + y)
    raise TypeError(f"{shape!r} is not a shape of a ground")
