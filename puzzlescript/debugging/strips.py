"""Turns as one picture: a small board after each step, with its rule's line, arrows where objects move, and frames.

1: r            line 42 right       movement            late line 44        a turn begins on a new row
┌───────┐       ┌───────┐           ┌───────┐           ┌───────┐
│ board │       │ board │ …         │ board │           │ board │
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice, pairwise

from unpuzzle.base.errors import UsageError
from unpuzzle.base.values import Record
from unpuzzle.drawing import At, Circle, Ground, Path, Pixels, Rect, Shape, Text
from unpuzzle.puzzlescript.debugging.recording import COMMANDS, MOVEMENT, PUSH, RIGID, RULE, Cells, Step, Turn
from unpuzzle.puzzlescript.levels.painter import Painter
from unpuzzle.puzzlescript.playing.listening import AGAIN, RESTART, START
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State

ACROSS = 4
"""The number of boards in a row."""
MOST_BOARDS = 200
NARROWEST, CAPTION, GAP = 7, 1.0, 0.6
"""In cells: the least width of a board's place, the height of its caption, and the gap between boards."""
LETTER = 0.72
"""The width of a letter as a fraction of its height."""
STEPS = {0: (0, -1), 1: (0, 1), 2: (-1, 0), 3: (1, 0)}
"""The step of each movement: x and y."""
TURNS = {START: "start", AGAIN: "again", RESTART: "after the restart"}


class Panel(Record):
    """A small board with a caption: objects and movements by cell, and the framed cells."""

    caption: str
    cells: Cells
    moves: Cells
    framed: frozenset[int] = frozenset()
    first: bool = False


def strip(painter: Painter, turns: Iterable[Turn], width: int, height: int) -> Ground:
    """Return the picture of turns. Raises UsageError for more boards than a picture can have."""
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
    """Draw the board before and after a step of a turn. Raises IndexError if the turn has no such step."""
    chosen = turn.steps[step]
    matched = frozenset([cell for row in chosen.matches for cell in row])
    framed = matched or frozenset([change.cell for change in chosen.changes])
    boards = next(islice(pairwise(_boards(turn)), step, None))
    before, after = [_single(painter, Panel("", *board, framed), width, height) for board in boards]
    return before, after


def _boards(turn: Turn) -> Iterator[tuple[Cells, Cells]]:
    """Yield the objects and movements on the board at the beginning of a turn and after each step."""
    board = begun = turn.before, (0,) * len(turn.before)
    yield board
    for step in turn.steps:
        cells, moves = map(list, begun if step.kind == RIGID else board)
        for change in step.changes:
            cells[change.cell], moves[change.cell] = change.objects[1], change.moves[1]
        board = tuple(cells), tuple(moves)
        begun = board if step.kind == PUSH else begun
        yield board


def _single(painter: Painter, panel: Panel, width: int, height: int) -> Ground:
    """Return the picture of one board, without its caption."""
    looks = painter.ground(State(width, height, panel.cells)).looks
    return Ground(height, width, looks, list(_board(painter, panel, width, height, 0, 0)), margin=0.1, step=(1, 1))


def panels_of(turn: Turn) -> list[Panel]:
    """Return the boards of a turn; the caption of the last board says how the turn ends."""
    panels = list(_panels(turn))
    if turn.ends and turn.after != panels[-1].cells:
        panels.append(Panel(turn.ends, turn.after, tuple([0] * len(turn.after))))
    elif turn.ends:
        panels[-1] = panels[-1].replace(caption=f"{panels[-1].caption}: {turn.ends}")
    return panels


def _panels(turn: Turn) -> Iterator[Panel]:
    """Yield the boards of a turn, at its beginning and after each step; all matches of one rule share a board."""
    boards = _boards(turn)
    beginning = Panel(TURNS.get(turn.why, f"{turn.input}: {turn.key}"), *next(boards), first=True)
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
        yield Panel(_caption(step), cells, moves, framed)


def _caption(step: Step) -> str:
    if step.kind == MOVEMENT:
        return "movement"
    late = "late line" if step.late else "line"
    return f"{late} {step.logged}" if step.kind == RULE else f"taken back: line {step.line}"


def _panel(painter: Painter, panel: Panel, width: int, height: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the shapes of a board with its caption, which begins at the given point."""
    size = min(0.7, max(width, NARROWEST) / (LETTER * len(panel.caption)))
    yield Text(x, y + CAPTION / 2, panel.caption, size, left=True)
    yield from _board(painter, panel, width, height, x, y + CAPTION)


def _board(painter: Painter, panel: Panel, width: int, height: int, x: float, top: float) -> Iterator[Shape]:
    """Yield the shapes of a board whose upper left corner is at the given point."""
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
    """Yield the shapes of an arrow in the middle of a cell; the action key is shown as a spot."""
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
    """Return a shape of a background picture, moved to another place."""
    if isinstance(shape, At):
        return shape.replace(row=shape.row + y, column=shape.column + x)
    if isinstance(shape, Pixels):
        return shape.replace(x=shape.x + x, y=shape.y + y)
    raise TypeError(f"{shape!r} is not a shape of a ground")
