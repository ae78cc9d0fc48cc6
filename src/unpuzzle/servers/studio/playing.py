"""Play a level by the game's rules, one key at a time; show the rules that fired, and hints.

A request has all moves so far, so that nothing is lost when a process ends. The session of the level that was played
last is kept: the next move then takes one step of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unpuzzle.base.errors import LimitReached, UnpuzzleError
from unpuzzle.base.run import Limits, Run
from unpuzzle.playing.session import Guide, Session
from unpuzzle.playing.web_page import debugger_of
from unpuzzle.processes.pool import Data, Tell
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.servers.studio.judging import pictured
from unpuzzle.servers.studio.texts import open_text

MOST_STATES, SECONDS = 3_000, 0.4
"""The limits beyond which a level gets no count of remaining moves."""
MOST_CHOICES = 200
MOST_STEPS = 200
_SESSIONS: dict[tuple[Any, ...], Session] = {}


def play(request: Data, tell: Tell) -> Data:
    """Make the moves of a request, then one more input: a move, a direction like `up`, `undo`, `restart` or `hint`."""
    session = _session(request)
    word = request.get("word", "")
    before = session.position
    news = session.obey(word) if word else ""
    if word == "hint" and session.hint:  # said, and to be made by another word
        news = f"a best move: {session.hint}"
    answer = _shown(session) | {"news": news or "", "hint": session.hint}
    if request.get("rules") and word:
        answer["rules"] = _rules(before, session, word)
    return answer


def _session(request: Data) -> Session:
    """Return a session for the level of a request, in which the moves of the request have been made."""
    key = tuple(request.get(name, "") for name in ("path", "text", "puzzle", "version", "level"))
    session = _SESSIONS.get(key)
    if session is None:
        position = open_text(request).level(request["level"]).position()
        session = Session(position, _guide(position), lambda _: "")
        _SESSIONS.clear()
        _SESSIONS[key] = session
    wanted = tuple(request.get("moves", ()))
    if session.history[: len(wanted)] == wanted:
        session.at = len(wanted)
    elif session.history != wanted:
        session.at = 0
        for move in wanted:
            session.obey(move)
    session.hint = None
    return session


def _guide(position: Position) -> Guide:
    try:
        with Run(Limits(time=SECONDS), "exploring"):
            return Guide.of(position, max_states=MOST_STATES)
    except (LimitReached, UnpuzzleError):
        return Guide(position)


def _shown(session: Session) -> dict[str, Any]:
    position = session.position
    left = session.guide.left(position)
    return pictured(position) | {
        "moves": list(session.history),
        "spent": session.spent(),
        "choices": list(position.moves())[:MOST_CHOICES],
        "directed": session.directed,
        "deeds": session.deeds,
        "solved": position.solved(),
        "left": left if left is not None and left >= 0 else None,
        "lost": left == -1,
    }


# ---- which rules fired


def step(request: Data, tell: Tell) -> Data:
    """Draw the board before and after one step of a turn."""
    position = _session(request).position
    debugger = debugger_of(position)
    try:
        if debugger is None:
            raise IndexError
        boards = debugger.boards(position, str(request["key"]), int(request["turn"]), int(request["step"]))
    except (IndexError, KeyError, TypeError, ValueError):
        return {"error": "there is no such step here"}
    names = ("before", "after")
    return {
        name: picture_svg(board, (), label=f"the board {name} this step")
        for name, board in zip(names, boards, strict=True)
    }


def _rules(before: Position, session: Session, word: str) -> dict[str, Any] | None:
    """Return the turns that a key caused, with the rules that fired; None for a game without such rules."""
    debugger = debugger_of(before)
    if debugger is None:
        return None
    moved = session.at > 0 and session.position is not before and word not in ("undo", "redo", "restart", "hint")
    key = (
        session.history[-1]
        if moved
        else {"up": "u", "left": "l", "down": "d", "right": "r", "act": "x"}.get(word, word)
    )
    turns = debugger.turns(before).get(key)
    if turns is None:
        return None
    sources = debugger.head()["rules"]
    moves = list(session.history[:-1] if moved else session.history)
    return {"key": key, "moves": moves, "turns": [_turn(turn, sources) for turn in turns]}


def _turn(turn: list[Any], sources: dict[str, str]) -> dict[str, Any]:
    why, ends, steps, left_out = turn
    told = [_step(number, step, sources) for number, step in enumerate(steps[:MOST_STEPS])]
    shown = [each for each in told if each is not None]
    return {"why": why, "ends": ends, "steps": shown, "left": left_out + max(0, len(steps) - MOST_STEPS)}


def _step(number: int, step: list[Any], sources: dict[str, str]) -> dict[str, Any] | None:
    kind, line, direction, late, _, changes, commands = step
    if kind not in ("rule", "movement", "commands", "rigid"):
        return None
    words = {
        "movement": "movement",
        "rigid": "taken back: rigid bodies could not move",
        "commands": f"queues {', '.join(commands)}",
    }.get(kind, f"{'late ' if late else ''}{direction}".strip())
    return {
        "number": number,
        "drawn": bool(changes),
        "line": line or None,
        "words": words,
        "rule": sources.get(str(line), ""),
        "changes": list(_changes(changes)),
    }


def _changes(changes: list[Any]) -> Iterator[str]:
    for row, column, _, _, _, words in changes[:12]:
        if words:
            yield f"r{row + 1}c{column + 1} {words}"
    if len(changes) > 12:
        yield f"and {len(changes) - 12} more"
