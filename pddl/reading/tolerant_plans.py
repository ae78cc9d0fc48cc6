"""Reading plans in other notations, with a note: numbered steps, function calls, steps without brackets.

    1. (move a b)      unstack(c, a)      pick-up a      - (move a b)      Step 3: (move b c)

`read_plan_anyway` reads one step a line; any other line is an error, such as a sentence or, if a plan is fenced in
Markdown, a line without brackets outside the fences.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from unpuzzle.errors import ParseError
from unpuzzle.limits import ticked
from unpuzzle.pddl.node import Span
from unpuzzle.pddl.nodes import GroundAction, Plan
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.lexer import Text

_WORD = r"[^\s(),;:]+"
_LEAD = re.compile(r"\s*(?:(?:step\s*)?\d+(?:\.\d+)?\s*[.):]|[-*•]|\d+\s)\s*(?=[(\w])", re.IGNORECASE)
_CALL = re.compile(rf"\s*({_WORD})\s*\(([^()]*)\)\s*[.;,]?\s*$")
_BARE = re.compile(rf"\s*\(?\s*({_WORD}(?:[\s,]+{_WORD})*)\s*\)?\s*(?:\[[\d.]+\])?\s*[.,]?\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
_SENTENCE = re.compile(r"\s*[A-Z][^()]*(?:\s[^()]*[.:!?]|[!?])\s*$")


class Odd(NamedTuple):
    """A step in another notation: the fault, and the step as written in a plan file."""

    code: str
    message: str
    start: int
    end: int
    right: str


NOTES = {
    "plan-number": "steps have no numbers in a plan file: write {}",
    "plan-call": "a step stands in brackets, with blanks between the names: write {}",
    "plan-brackets": "a step stands in brackets: write {}",
    "markdown": "this is Markdown around the plan: remove the lines with ```",
}


def read_plan_anyway(
    text: str, name: str | None = None, tick: Callable[[], None] | None = None
) -> tuple[Plan, list[Note]]:
    """Return the steps of a plan that can be understood, and notes; other notations are warnings."""
    try:
        return parse_plan(text, name, limits=tick), []
    except ParseError:
        pass
    source = Text(text, name)
    steps: list[GroundAction] = []
    odd: list[Odd] = []
    notes: list[Note] = []
    lines = source.text.split("\n")
    fenced = sum(_FENCE.match(line) is not None for line in lines) > 1
    inside = not fenced
    start = 0
    for line in ticked(lines, tick):
        end = start + len(line)
        content = line.partition(";")[0].rstrip()
        if _FENCE.match(content):
            odd.append(Odd("markdown", NOTES["markdown"], start, end, ""))
            inside = not inside or not fenced
        elif content.strip():
            words, code = _step(content, inside)
            lead = len(content) - len(content.lstrip())
            if not words:
                message = f"expected a step such as '(move a b)', found '{content.split()[0]}'"
                fix = None
                if "(" not in content and ")" not in content:  # a sentence, or the output of a program
                    message = "this is not a step of a plan: remove the line, or begin it with ';'"
                    fix = (start + lead, start + lead, "; ")
                notes.append(Note("plan-step", message, start + lead, start + len(content), fix))
            else:
                span = Span(source, start + lead, start + len(content))
                steps.append(GroundAction(words[0], tuple(words[1:]), span=span))
                right = f"({' '.join(words)})"
                if code:
                    odd.append(Odd(code, NOTES[code].format(right), start + lead, start + len(content), right))
        start = end + 1
    return Plan(tuple(steps), span=Span(source, 0, 0)), sorted(
        notes + _of_kinds(source, odd), key=lambda note: note.start
    )


def _of_kinds(source: Text, odd: list[Odd]) -> list[Note]:
    """Return a note for each kind of odd notation: at its first place, with an edit of all."""
    notes = []
    for code in dict.fromkeys(each.code for each in odd):
        own = [each for each in odd if each.code == code]
        fixed, at = "", own[0].start
        for each in own:
            fixed += source.text[at : each.start] + each.right
            at = each.end
        more = f", and {len(own) - 1} more like it" if len(own) > 1 else ""
        fix = (own[0].start, own[-1].end, fixed)
        notes.append(Note(code, own[0].message + more, own[0].start, own[0].end, fix, "warning"))
    return notes


def _step(line: str, inside: bool = True) -> tuple[list[str], str]:
    """Return the words of a step, and the code of its odd notation; no words if the line is no step.

    `inside` is False for a line outside the fences around a plan.
    """
    if _SENTENCE.match(line) or not (inside or "(" in line):
        return [], ""
    code = ""
    content = line
    if lead := _LEAD.match(content):
        strict = re.fullmatch(r"\s*\d+(\.\d+)?:\s*", lead[0])
        content, code = content[lead.end() :], "" if strict else "plan-number"
    call = _CALL.match(content)
    if call:
        return [call[1].lower(), *re.split(r"[\s,]+", call[2].strip().lower())] if call[2].strip() else [
            call[1].lower()
        ], "plan-call"
    whole = re.fullmatch(r"\s*\(([^()]*)\)\s*(\[[\d.]+\])?\s*", content)
    bare = _BARE.match(content)
    if bare is None:
        return [], ""
    words = re.split(r"[\s,]+", bare[1].lower())
    if whole is not None:
        return words, code or ("plan-call" if "," in content else "")
    return words, code or "plan-brackets"
