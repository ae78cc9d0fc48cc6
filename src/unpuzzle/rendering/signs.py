"""Which facts stand for which piece. Nobody says it: it is learned from states whose facts and pieces are known.

The **sign** of a piece is a fact that holds in just those states that have the piece or, if there is none, a few facts
that hold together in just those; a piece that every state has needs no sign. Sets of states are bit masks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

Fact = TypeVar("Fact", bound=Hashable)
Thing = TypeVar("Thing", bound=Hashable)


def mark(states: dict[Thing, int], things: Iterable[Thing], number: int) -> None:
    """Add the state with a number to the states of each thing."""
    for thing in things:
        states[thing] = states.get(thing, 0) | 1 << number


def learn_signs(
    pieces: Mapping[Thing, int],
    facts: Mapping[Fact, int],
    everywhere: int,
    *,
    several: bool = True,
    tick: Callable[[], None] = lambda: None,
) -> dict[Thing, tuple[Fact, ...]]:
    """Return the signs of pieces; pieces without one are left out.

    Given are the states that have each piece, those in which each fact holds, and all states. Of facts that hold in the
    same states the first is preferred; `several` allows signs of several facts; `tick` is called for each piece.
    """
    single: dict[int, tuple[Fact, ...]] = {everywhere: ()}
    for fact, states in facts.items():
        single.setdefault(states, (fact,))
    signs = {}
    for piece, states in pieces.items():
        tick()
        sign = single.get(states) or (_together(states, facts, everywhere) if several and states != everywhere else ())
        if sign or states == everywhere:
            signs[piece] = sign
    return signs


def _together(states: int, facts: Mapping[Fact, int], everywhere: int) -> tuple[Fact, ...]:
    """Return facts that hold together in just these states, each of which rules out most others; () if none do."""
    candidates = [(fact, where) for fact, where in facts.items() if where & states == states and where != everywhere]
    left, sign = everywhere, []
    while left != states and candidates:
        fact, where = min(candidates, key=lambda item: (item[1] & left).bit_count())
        if where & left == left:
            return ()
        sign.append(fact)
        left &= where
    return tuple(sign) if left == states else ()
