"""Plan files that programs leave: one, or several of which the last is the best (`plan.1`, `plan.2`, ...)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from unpuzzle.errors import ParseError
from unpuzzle.pddl.nodes import Plan


def best_plan(texts: Mapping[str, str], tick: Callable[[], None] | None = None) -> tuple[Plan | None, str]:
    """Return the last plan that can be read, or None; and the fault of the last one that cannot be read.

    A program that is ended in the middle of writing leaves half a file, so an earlier one may be the best. A blank file
    is none: many programs create it before they search. (The empty plan has at least a comment.) `tick` is called
    often, and may raise to end the reading.
    """
    from unpuzzle.pddl.plans import parse_plan

    fault = ""
    for name in sorted(texts, key=_number, reverse=True):
        if texts[name].strip():
            try:
                return parse_plan(texts[name], name, limits=tick), fault
            except ParseError as error:
                fault = fault or str(error).partition("\n")[0]  # a sentence has no caret
    return None, fault


def _number(name: str) -> int:
    digits = name.rpartition(".")[2]
    return int(digits) if digits.isdecimal() else -1
