"""Choosing among moves that are actions with arguments, such as `unstack:a:b`, in a terminal.

They are listed by action, with numbers. A player writes a number, a move, its words (`unstack a b`), or unique
beginnings of some of them (`u a`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.pddl_game.spelling import action_of, move_of
from unpuzzle.puzzle.position import Position
from unpuzzle.words import shorten

SHOWN, WIDTH = 60, 96
"""The most moves that are listed, and the length of a line."""
NAMED = 12
"""The most moves that a message names."""


def are_actions(position: Position, moves: Sequence[str]) -> bool:
    """Return whether moves are actions, in a PDDL domain or with arguments."""
    return isinstance(position, PddlPosition) or any(":" in move for move in moves)


def listed(moves: Sequence[str]) -> str:
    """Return the moves with their numbers, in lines for each action."""
    if not moves:
        return "no action is applicable here"
    rows: dict[str, list[str]] = {}
    for number, move in enumerate(moves[:SHOWN], 1):
        action = action_of(move)
        rows.setdefault(action.name, []).append(" ".join((f"[{number}]", *action.arguments)))
    width = max(map(len, rows))
    lines = [line for name, cells in rows.items() for line in _broken(name, width, cells)]
    more = len(moves) - SHOWN
    return "\n".join(
        [*lines, *([f"and {more:,} more: write the words of one, or their beginnings"] if more > 0 else [])]
    )


def _broken(name: str, width: int, cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines of one action, the first of which has its name."""
    line = name.ljust(width)
    for cell in cells:
        if len(line) + len(cell) + 2 > WIDTH and line.strip():
            yield line
            line = " " * width
        line += f"  {cell}"
    yield line


def chosen(word: str, moves: Sequence[str]) -> list[str]:
    """Return the moves that fit a number, or beginnings of words."""
    if word.isdecimal() and word.isascii():
        number = int(word)
        return [moves[number - 1]] if 0 < number <= min(len(moves), SHOWN) else []
    parts = word.lower().split(":")
    fitting = [move for move in moves if _begins(parts, move.lower().split(":"))]
    exact = [move for move in fitting if move.lower().split(":")[: len(parts)] == parts]
    return exact if len(exact) == 1 else fitting


def _begins(parts: Sequence[str], words: Sequence[str]) -> bool:
    return len(parts) <= len(words) and all(word.startswith(part) for part, word in zip(parts, words, strict=False))


def ambiguous(word: str, moves: Sequence[str]) -> str:
    """Return a sentence about a word that fits several moves."""
    more = ", ..." if len(moves) > NAMED else ""
    return f"{shorten(word)} may be {', '.join(map(words_of, moves[:NAMED]))}{more}: write more of it"


def why_not(word: str, position: Position) -> str:
    """Return why a word is not a move in a position, with the possible moves."""
    action = action_of(word.lower())
    named = isinstance(position, PddlPosition) and any(
        schema.name == action.name and len(schema.parameters) == len(action.arguments)
        for schema in position.game.domain().actions
    )
    if named:
        try:
            position.apply(word.lower())
        except IllegalMove as error:
            return str(error)
    return f"no move here is, or begins with, {shorten(words_of(word))}"


def words_of(move: str) -> str:
    """Return a move as listed: `unstack a b`."""
    action = action_of(move)
    return " ".join((action.name, *action.arguments))


def words_in(line: str, position: Position, commands: Sequence[str]) -> list[str]:
    """Return the moves and commands in a line: `(unstack a b)`, `unstack a b`, or several of them without blanks."""
    if "(" in line:
        try:
            return list(position.game.read_moves(line))
        except ParseError:
            return [line.strip()]
    words = line.split()
    plain = len(words) > 1 and not any(":" in word or word.isdecimal() or word.lower() in commands for word in words)
    return [move_of(GroundAction(words[0], tuple(words[1:])))] if plain else words
