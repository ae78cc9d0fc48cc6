"""Reading and writing of plan files: one `(action a b)` on each line, and the cost in a comment at the end.

The reader accepts comments, blank lines and upper case, and also steps with times (`0: (move a b)`, `0.000: (move a b)
[1]`), as some planners write them. The last comment like `; cost = 5 (unit cost)` is the cost that the plan claims.

Steps are taken in the order of their times. A plan of PDDL without durations is a sequence, so steps that overlap are
refused. Steps that begin at the same time have no order: `Plan.together` names them, and `validate` tries every order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from unpuzzle.base.files import save_file
from unpuzzle.base.run import Limits, Run
from unpuzzle.pddl.formulas import Span
from unpuzzle.pddl.nodes import GroundAction, Plan
from unpuzzle.pddl.syntax import Path, Text, TokenSpan, parse_error, read_text, tokens

MOST_DIGITS = 100
"""Longer numbers are neither costs nor times. Python refuses to read numbers with some thousands of digits."""
IN_ORDER = "the times of the steps agree with their order"
REORDERED = "the steps are taken in the order of their times, which is not the order of the text"
SOME_TIMES = "some steps have no time: the steps are taken in the order of the text"


def read_plan(path: Path, *, limits: Limits | None = None) -> Plan:
    """Read a plan from a file. Raises OSError, ParseError, LimitReached."""
    with Run(limits, "reading the plan"):
        return parse_plan(*read_text(path))


def parse_plan(text: str, name: str | None = None, *, limits: Limits | None = None) -> Plan:
    """Read a plan from a text.

    Raises ParseError at the first word that belongs to no step, and for steps that overlap in time; LimitReached.
    """
    with Run(limits, "reading the plan"):
        source = Text(text, name)
        return in_order_of_times(_steps(source), _claimed_cost(source.text), TokenSpan(source, 0))


def _steps(source: Text) -> list[Timed]:
    """Return the steps in a plan text, in the order of the text."""
    steps: list[Timed] = []
    words: list[str] = []
    opened: int | None = None
    start, stamp = "", 0
    for number, word in enumerate(tokens(source)):
        if word in "()":
            if (word == "(") == (opened is not None):
                raise parse_error(f"expected a step such as '(move a b)', found '{word}'", TokenSpan(source, number))
            if opened is None and not start and steps and steps[-1].start:
                between = source.text[source.offsets(number - 1)[1] : source.offsets(number)[0]]
                start = "" if "\n" in between else steps[-1].start  # `0: (a) (b)`, steps at the same time
            if opened is not None:
                steps.append(Timed(_step(source, opened, words), start))
                start = ""
            opened, words = (number, []) if opened is None else (None, [])
        elif opened is not None:
            words.append(word)
        elif _is_number(word[:-1]) and word[-1] == ":" and not start:
            start, stamp = word[:-1], number
        elif steps and _is_number(word[1:-1]) and word[0] + word[-1] == "[]":
            steps[-1] = steps[-1]._replace(duration=word[1:-1])
        else:
            raise parse_error(f"expected a step such as '(move a b)', found '{word}'", TokenSpan(source, number))
    if opened is not None:
        raise parse_error("this step is never closed: the text ends before its ')'", TokenSpan(source, opened))
    if start:
        raise parse_error(
            f"expected a step such as '(move a b)' after its time, found '{start}:'", TokenSpan(source, stamp)
        )
    return steps


class Timed(NamedTuple):
    """A step of a plan with its start time and duration as strings, which are empty if they are missing."""

    step: GroundAction
    start: str = ""
    duration: str = ""


def in_order_of_times(steps: Sequence[Timed], cost: int | None, span: Span) -> Plan:
    """Return a plan with the given steps, sorted by their start times.

    Raises ParseError if they overlap, or if steps without a time leave the order open.
    """
    if not any(timed.start for timed in steps):
        return Plan(tuple([timed.step for timed in steps]), cost, span=span)

    from fractions import Fraction  # which loads `decimal`; most plans have no times

    starts = [Fraction(timed.start) for timed in steps if timed.start]
    if len(starts) < len(steps):
        if all(one < other for one, other in pairwise(starts)):
            return Plan(tuple([timed.step for timed in steps]), cost, timing=SOME_TIMES, span=span)
        lacking = next(timed.step for timed in steps if not timed.start)
        raise parse_error(f"{lacking} has no time, but other steps have, and the times are not in the text's order",
                          lacking.span)  # fmt: skip
    anew = [at for at in range(1, len(starts)) if starts[at] < starts[at - 1]]
    if anew and all(starts[at] == starts[0] == min(starts) for at in anew):
        message = f"the times start again at {steps[anew[0]].step}: is this more than one plan? Keep one of them"
        raise parse_error(message, steps[anew[0]].step.span)
    order = sorted(range(len(steps)), key=starts.__getitem__)  # stable: equal times stay in the order of the text
    ends = [starts[number] + Fraction(steps[number].duration or 0) for number in order]
    together: list[tuple[int, int]] = []
    latest = 0
    for place, (one, other) in enumerate(pairwise(order)):
        latest = max(latest, place, key=ends.__getitem__)
        if starts[one] == starts[other]:
            begin = together.pop()[0] if together and together[-1][1] == place + 1 else place
            together.append((begin, place + 2))
        elif ends[latest] > starts[other]:
            first, second = steps[order[latest]], steps[other]
            message = f"{second.step} begins at {second.start}, before {first.step} ends"
            raise parse_error(f"{message}: steps of a plan must not overlap", second.step.span)
    plain = order == sorted(order) and not together
    if plain and all(timed.start.isdigit() and Fraction(timed.duration or 1) == 1 for timed in steps):
        timing = ""  # numbers of steps
    else:
        timing = IN_ORDER if order == sorted(order) else REORDERED
    return Plan(tuple([steps[number].step for number in order]), cost, tuple(together), timing, span=span)


def write_plan(plan: Plan, cost: int | None = None, unit_cost: bool = True) -> str:
    """Return the text of a plan; the last line states `cost` or, if `cost` is None, the plan's own cost."""
    lines = [str(step).lower() for step in plan.steps]
    cost = plan.cost if cost is None else cost
    if cost is not None:
        lines.append(f"; cost = {cost} ({'unit' if unit_cost else 'general'} cost)")
    return "".join(f"{line}\n" for line in lines)


def save_plan(path: str, plan: Plan, *, cost: int | None = None, unit_cost: bool = True) -> None:
    """Write a plan to a file; if writing fails, no partial file remains. Raises OSError."""
    save_file(path, write_plan(plan, cost=cost, unit_cost=unit_cost))


def _step(source: Text, opened: int, words: list[str]) -> GroundAction:
    if not words:
        raise parse_error("expected the name of an action, found ')'", TokenSpan(source, opened + 1))
    return GroundAction(words[0], tuple(words[1:]), span=TokenSpan(source, opened))


def _is_number(word: str) -> bool:
    """Return whether a word is a number, such as `3` or `0.001`: a step's number, time or duration."""
    return len(word) <= MOST_DIGITS and word.replace(".", "", 1).isdigit()


def _claimed_cost(text: str) -> int | None:
    """Return the cost in the last comment such as `; cost = 7`; None if there is no such comment."""
    for line in reversed(text.split("\n")):
        _, _, comment = line.lower().partition(";")
        label, equals, rest = comment.partition("=")
        if equals and label.strip() == "cost":
            word = rest.split(maxsplit=1)[0] if rest.split() else ""
            return int(word) if word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS else None
    return None
