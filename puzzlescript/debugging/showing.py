"""Write turns as lines for people, and as data for JSON.

Lines show the board before and after a turn in glyphs, side by side; each rule that fires with its line of the text,
and the cells that it changes: `+crate` comes, `-crate` goes, `right crate` gets that movement, `crate does not move` if
it has lost its movement. Rules of one line that fire one after the other share a heading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

from unpuzzle.puzzlescript.debugging.recording import RuleNames
from unpuzzle.puzzlescript.debugging.steps import COMMANDS, MOVEMENT, PUSH, RIGID, RULE, Cells, Change, Step, Turn
from unpuzzle.puzzlescript.playing import listening
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State, StateText

MOVES = ("up", "down", "left", "right", "action")
HEADINGS = {
    listening.START: "the start",
    listening.INPUT: "",
    listening.AGAIN: "a turn of again",
    listening.RESTART: "the turn that a restart begins with",
}
ENDS = {
    listening.CANCELLED: "cancel: all is as before",
    listening.UNMOVED: "no player moved: all is as before",
    listening.RESTARTED: "restart",
    listening.WON: "the level is won",
    listening.TO_GO_ON: "again: a turn without input follows",
    listening.DONE: "",
}
MOST_LINES = 12
"""The largest number of cells of a step, and of places of a rule, in lines."""


class Shower:
    """Shows turns on boards of one shape."""

    def __init__(self, names: RuleNames, text: StateText, width: int, height: int) -> None:
        self.names = names
        self.text = text
        self.width, self.height = width, height
        self.layer_of: list[int] = names.game.layers_by_object()

    def cell(self, cell: int) -> str:
        """Return the name of a cell: `r2c3`."""
        return f"r{cell % self.height + 1}c{cell // self.height + 1}"

    def contents(self, objects: int, moves: int) -> str:
        """Return the contents of a cell, each object with its movement: `background right player`."""
        words = [" ".join([*self._moves(number, moves), self.names.game.objects[number]]) for number in bits(objects)]
        return " ".join(words)

    def _moves(self, number: int, moves: int) -> list[str]:
        here = moves >> 5 * self.layer_of[number] & 0b11111
        return [MOVES[bit] for bit in bits(here)]

    def differences(self, change: Change) -> str:
        """Return the change of a cell in words: `-crate +right player`."""
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
        if HEADINGS[turn.why]:
            yield f"{HEADINGS[turn.why]}:"
        yield from self._boards(turn.before, turn.after)
        steps = [step for step in turn.steps if step.kind != PUSH]
        shown = 0
        for _, group in groupby(steps, key=lambda step: (step.kind, step.line, step.direction, step.late)):
            yield from self._steps(several := list(group), shown)
            shown = several[0].line
        if turn.left_out:
            yield f"  and {turn.left_out:,} more"
        if not turn.left_out and not any(step.kind in (RULE, COMMANDS) for step in steps):
            yield "  no rule fires"
        if ENDS[turn.ends]:
            yield f"  {ENDS[turn.ends]}"

    def _boards(self, before: Cells, after: Cells) -> Iterator[str]:
        """Yield a board, or two side by side if they differ."""
        for row, (left, right) in enumerate(zip_longest(self._rows(before), self._rows(after), fillvalue="")):
            arrow = "->" if row == self.height // 2 else "  "
            yield f"    {left}" if before == after else f"    {left}  {arrow}  {right}"

    def _rows(self, cells: Cells) -> list[str]:
        return self.text.picture(State(self.width, self.height, cells)).split("\n")

    def _steps(self, steps: Sequence[Step], shown: int) -> Iterator[str]:
        """Yield equal steps in lines; `shown` is the line of the text shown last."""
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

    def _changes(self, changes: Sequence[Change]) -> Iterator[str]:
        pairs = [(self.cell(change.cell), self.differences(change)) for change in changes]
        pairs = [(cell, words) for cell, words in pairs if words]
        for cell, words in pairs[:MOST_LINES]:
            yield f"      {cell}  {words}"
        if len(pairs) > MOST_LINES:
            yield f"      and {len(pairs) - MOST_LINES:,} more"

    # ---- for programs

    def data(self, turn: Turn) -> dict[str, Any]:
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

    def _change(self, change: Change) -> dict[str, str]:
        pairs = zip(change.objects, change.moves, strict=True)
        before, after = (self.contents(objects, moves) for objects, moves in pairs)
        return {"cell": self.cell(change.cell), "before": before, "after": after}
