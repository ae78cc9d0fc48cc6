"""Plan files: one `(action a b)` a line, and the cost in a comment at the end.

The reader accepts comments, blank lines and upper case, and also numbered steps (`0: (move a b)`, `0.000: (move a b)
[1]`), as some planners write them. The last comment like `; cost = 5 (unit cost)` is the cost that the plan claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.nodes import GroundAction, Plan
from unpuzzle.pddl.reading.complaints import parse_error, read_text, tick_of
from unpuzzle.pddl.reading.lexer import Text, TokenSpan, tokens

if TYPE_CHECKING:
    from unpuzzle.limits import Limits
    from unpuzzle.pddl.reading.complaints import Path, Tick

MOST_DIGITS = 100
"""A longer number is no cost. Python refuses to read numbers with some thousands of digits."""


def read_plan(path: Path, *, limits: Limits | Tick | None = None) -> Plan:
    """Read a plan from its file. Raises OSError, ParseError, LimitReached."""
    tick = tick_of(limits, "reading the plan")
    return parse_plan(*read_text(path, tick), limits=tick)


def parse_plan(text: str, name: str | None = None, *, limits: Limits | Tick | None = None) -> Plan:
    """Read a plan from its text. Raises ParseError at the first word that belongs to no step, LimitReached."""
    source, tick = Text(text, name), tick_of(limits, "reading the plan")
    steps: list[GroundAction] = []
    words: list[str] = []
    opened: int | None = None
    for number, word in enumerate(tokens(source, tick)):
        if word in "()":
            if (word == "(") == (opened is not None):
                raise parse_error(f"expected a step such as '(move a b)', found '{word}'", TokenSpan(source, number))
            if opened is not None:
                steps.append(_step(source, opened, words))
            opened, words = (number, []) if opened is None else (None, [])
        elif opened is not None:
            words.append(word)
        elif not _is_decoration(word):
            raise parse_error(f"expected a step such as '(move a b)', found '{word}'", TokenSpan(source, number))
    if opened is not None:
        raise parse_error("this step is never closed: the text ends before its ')'", TokenSpan(source, opened))
    return Plan(tuple(steps), _claimed_cost(source.text), span=TokenSpan(source, 0))


def write_plan(plan: Plan, cost: int | None = None, unit_cost: bool = True) -> str:
    """Return the text of a plan. Its last line gives the cost, if one is given or the plan claims one."""
    lines = [str(step).lower() for step in plan.steps]
    cost = plan.cost if cost is None else cost
    if cost is not None:
        lines.append(f"; cost = {cost} ({'unit' if unit_cost else 'general'} cost)")
    return "".join(f"{line}\n" for line in lines)


def _step(source: Text, opened: int, words: list[str]) -> GroundAction:
    if not words:
        raise parse_error("expected the name of an action, found ')'", TokenSpan(source, opened + 1))
    return GroundAction(words[0], tuple(words[1:]), span=TokenSpan(source, opened))


def _is_decoration(word: str) -> bool:
    """Return whether a word is a step's number or time (`3:`, `0.000:`) or its duration (`[1]`)."""
    inner = word[:-1] if word[-1] == ":" else word[1:-1] if word[0] + word[-1] == "[]" else ""
    return inner.replace(".", "", 1).isdigit()


def _claimed_cost(text: str) -> int | None:
    for line in reversed(text.split("\n")):
        _, _, comment = line.lower().partition(";")
        label, equals, rest = comment.partition("=")
        if equals and label.strip() == "cost":
            word = rest.split(maxsplit=1)[0] if rest.split() else ""
            return int(word) if word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS else None
    return None
