"""Moves of PDDL games as texts without blanks: `unstack:a:b` means (unstack a b), `noop` means (noop).

A colon or a percent sign in a name is written `%3a` or `%25`, so that every move means one action.
"""

from __future__ import annotations

from unpuzzle.pddl.nodes import GroundAction

_ESCAPES = (("%", "%25"), (":", "%3a"))


def move_of(action: GroundAction) -> str:
    return ":".join([_escaped(word) for word in (action.name, *action.arguments)])


def action_of(move: str) -> GroundAction:
    name, *arguments = [_unescaped(word) for word in move.split(":")]
    return GroundAction(name, tuple(arguments))


def _escaped(word: str) -> str:
    for mark, code in _ESCAPES:
        word = word.replace(mark, code)
    return word


def _unescaped(word: str) -> str:
    for mark, code in reversed(_ESCAPES):
        word = word.replace(code, mark)
    return word
