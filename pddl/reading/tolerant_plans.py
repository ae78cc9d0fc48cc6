"""Reading plans in other notations, with a note: numbered steps, function calls, steps without brackets.

    1. (move a b)      unstack(c, a)      pick-up a      - (move a b)      Step 3: (move b c)      move a b (1)

`read_plan_anyway` reads one step a line, or JSON: a list of steps, also as the `plan` of an object. Any other line is
an error, such as a sentence or, if a plan is fenced in Markdown, a line without brackets outside the fences. With the
task, a line that can be no step of it is left out with a warning, such as the rest of a planner's output.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from unpuzzle.errors import ParseError
from unpuzzle.limits import ticked
from unpuzzle.pddl.node import Span
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.plans import Timed, in_order_of_times, parse_plan
from unpuzzle.pddl.reading.brackets import Note, merged
from unpuzzle.pddl.reading.lexer import Text
from unpuzzle.pddl.types import Types
from unpuzzle.words import nearest

_WORD = r"[^\s(),;:]+"
_LEAD = re.compile(r"\s*(?:(?:step\s*)?(?:\d+(?:\.\d+)?)\s*[.):]|[-*•]|\d+\s)\s*(?=[(\w])", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(?:step\s*)?(\d+(?:\.\d+)?)", re.IGNORECASE)
_TIME = re.compile(r"\s*(?:step\s*)?(\d+(?:\.\d+)?):", re.IGNORECASE)
_DURATION = re.compile(r"\s*\[\s*(\d+(?:\.\d+)?)\s*\]\s*$")
_COST = re.compile(r"(?<=\s)\(\d+\)\s*$")
_CALL = re.compile(rf"\s*({_WORD})\s*\(([^()]*)\)\s*[.;,]?\s*$")
_BARE = re.compile(rf"\s*\(?\s*({_WORD}(?:[\s,]+{_WORD})*)\s*\)?\s*[.,]?\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
_SENTENCE = re.compile(r"\s*[A-Z][^()]*(?:\s[^()]*[.:!?]|[!?])\s*$")
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), 127, 0xFEFF), " ")
_LISTS = ("plan", "steps", "actions")
_NAMES, _ARGUMENTS = ("action", "name"), ("arguments", "args", "parameters", "params")
XML = "this is XML: a plan has one step a line, such as (move a b)"
NO_LIST = 'this is JSON, but no list of steps: expected ["(move a b)", ...] or [["move", "a", "b"], ...]'


NOTES = {
    "plan-number": "steps have no numbers in a plan file: write {}",
    "plan-call": "a step stands in brackets, with blanks between the names: write {}",
    "plan-brackets": "a step stands in brackets: write {}",
    "plan-json": "this is JSON: in a plan file each step has a line of its own, such as {}",
    "plan-step": "this line is no step of the plan, and is left out",
    "markdown": "this is Markdown around the plan: remove the lines with ```",
}


def read_plan_anyway(
    text: str, name: str | None = None, tick: Callable[[], None] | None = None, task: Task | None = None
) -> tuple[Plan, list[Note]]:
    """Return the steps of a plan that can be understood, and notes; other notations are warnings.

    With a task, lines that can be no step of it are left out, with a warning instead of an error.
    """
    try:
        plan = parse_plan(text, name, limits=tick)
        return plan, _of_times(plan)
    except ParseError:
        pass
    source = Text(text, name)
    start = len(source.text) - len(source.text.lstrip())
    if source.text[start : start + 1] == "<":
        return Plan(span=Span(source, 0, 0)), [Note("plan-step", XML, start, start + 1, None)]
    read = _json_steps(source, start) or _lines(source, tick, None if task is None else _Possible(task))
    try:
        plan = in_order_of_times(read.steps, None, Span(source, 0, 0))
    except ParseError as error:
        plan = Plan(tuple([timed.step for timed in read.steps]), span=Span(source, 0, 0))
        at = next((timed.step.span for timed in read.steps if timed.step.span is not None), Span(source, 0, 0))
        read.notes.append(Note("plan-step", error.message, at.start, at.end, None))
    sure = _keeps(source, read.odd, plan)
    notes = [*read.notes, *(note._replace(sure=sure) for note in _of_kinds(source, read.odd)), *_of_times(plan)]
    return plan, sorted(notes, key=lambda note: note.start)


def _keeps(source: Text, odd: list[Note], plan: Plan) -> bool:
    """Return whether the corrections of all odd lines surely leave the plan as it is: its steps, and their order."""
    numbers = [found for note in odd if (found := _NUMBER.match(source.text, note.start))]
    if any(float(one[1]) >= float(other[1]) for one, other in pairwise(numbers)):
        return False  # perhaps the numbers, and not the lines, say the order
    start, end, text = (merged(source.text, odd).fix if odd else None) or (0, 0, "")
    try:
        corrected = parse_plan(source.text[:start] + text + source.text[end:])
    except ParseError:
        return False
    return (corrected.steps, corrected.together) == (plan.steps, plan.together)


class _Read(NamedTuple):
    """What a text says: its steps, notes on what is odd about each, and other notes."""

    steps: list[Timed]
    odd: list[Note]
    notes: list[Note]


class _Possible:
    """Tells lines that may be meant as a step of a task from others."""

    def __init__(self, task: Task) -> None:
        self._arities = {action.name: len(action.parameters) for action in task.domain.actions}
        self._types = Types(task)

    def step(self, words: list[str]) -> bool:
        """Return whether the words of a line without brackets are a step."""
        return bool(words) and words[0] in self._arities

    def may_be_step(self, content: str) -> bool:
        """Return whether a line has an action with its objects, or begins nearly as one, or a word and objects."""
        lead = _LEAD.match(content)
        words = re.findall(_WORD, content[lead.end() if lead else 0 :].lower())
        if not words:
            return False
        if nearest(words[0], self._arities) is not None and (len(words) == 1 or words[1] in self._types):
            return True
        if len(words) > 1 and all(word in self._types for word in words[1:]):
            return True
        return any(
            words[at] in self._arities and self._objects(words[at + 1 :]) >= max(self._arities[words[at]], 1)
            for at in range(len(words))
        )

    def _objects(self, words: list[str]) -> int:
        """Return how many words are objects, up to the first that is none."""
        return next((at for at, word in enumerate(words) if word not in self._types), len(words))


def _lines(source: Text, tick: Callable[[], None] | None, possible: _Possible | None) -> _Read:
    read = _Read([], [], [])
    lines = source.text.split("\n")
    fenced = sum(_FENCE.match(line) is not None for line in lines) > 1
    inside = not fenced
    start = 0
    for line in ticked(lines, tick):
        content = line.partition(";")[0].rstrip()
        if _FENCE.match(content):
            read.odd.append(_odd("markdown", "", start, start + len(line)))
            inside = not inside or not fenced
        elif content.strip():
            _read_line(source, content, start, inside, possible, read)
        start += len(line) + 1
    return read


def _read_line(source: Text, line: str, start: int, inside: bool, possible: _Possible | None, read: _Read) -> None:
    content = line.translate(_CONTROL)
    words, code, time, duration = _step(content, inside)
    lead = len(content) - len(content.lstrip())
    begin, end = start + min(lead, len(line) - 1), start + len(line)
    if possible is not None and code not in ("", "plan-number") and not possible.step(words):
        words = []
    if words:
        step = GroundAction(words[0], tuple(words[1:]), span=Span(source, begin, end))
        read.steps.append(Timed(step, time, duration))
        right = f"({' '.join(words)})"
        if code:
            read.odd.append(_odd(code, right, begin, end))
    elif possible is not None and not possible.may_be_step(content):
        read.odd.append(_odd("plan-step", f"; {line.strip()}", begin, end))
    else:
        message = f"expected a step such as '(move a b)', found '{(content.split() or [' '])[0]}'"
        fix = None
        if "(" not in content and ")" not in content:  # a sentence, or the output of a program
            message = "this is not a step of a plan: remove the line, or begin it with ';'"
            fix = (begin, begin, "; ")
        read.notes.append(Note("plan-step", message, begin, end, fix, sure=False))


def _json_steps(source: Text, start: int) -> _Read | None:
    """Return the steps of a text in JSON; None for another text."""
    if source.text[start : start + 1] not in ("[", "{"):
        return None
    import json

    try:
        value = json.loads(source.text)
    except (ValueError, RecursionError):
        return None
    end = len(source.text.rstrip())
    steps = _of_json(value)
    if steps is None:
        return _Read([], [], [Note("plan-step", NO_LIST, start, end, None)])
    span = Span(source, start, end)
    timed = [Timed(GroundAction(words[0], tuple(words[1:]), span=span)) for words in steps]
    return _Read(timed, [_odd("plan-json", "\n".join([str(each.step) for each in timed]), start, end)], [])


def _odd(code: str, right: str, start: int, end: int) -> Note:
    """Return the note on a part of a plan in another notation, with the text that is right."""
    return Note(
        code, NOTES[code].format(right.partition("\n")[0] or "(move a b)"), start, end, (start, end, right), "warning"
    )


def _of_json(value: Any) -> list[list[str]] | None:
    """Return the words of each step; None if the value is no list of steps."""
    if isinstance(value, dict):
        return next((_of_json(value[key]) for key in _LISTS if key in value), None)
    if not isinstance(value, list):
        return None
    steps = []
    for each in value:
        words = _step(each)[0] if isinstance(each, str) else each
        if isinstance(each, dict):
            first = next((each[key] for key in _NAMES if key in each), None)
            words = [first, *next((each[key] for key in _ARGUMENTS if isinstance(each.get(key), list)), ())]
        if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
            return None
        steps.append([word.lower() for word in words])
    return steps


def _of_times(plan: Plan) -> list[Note]:
    if not plan.timing or plan.span is None:
        return []
    return [Note("plan-times", plan.timing, plan.span.start, plan.span.start, None, "warning")]


def _of_kinds(source: Text, odd: list[Note]) -> list[Note]:
    """Return a note for each kind of odd notation."""
    kinds = dict.fromkeys(each.code for each in odd)
    return [merged(source.text, [each for each in odd if each.code == code]) for code in kinds]


def _step(line: str, inside: bool = True) -> tuple[list[str], str, str, str]:
    """Return the words of a step, the code of its odd notation, its time and its duration; no words for no step.

    `inside` is False for a line outside the fences around a plan.
    """
    if _SENTENCE.match(line) or not (inside or "(" in line):
        return [], "", "", ""
    code = time = duration = ""
    content = line
    if lead := _LEAD.match(content):
        strict = re.fullmatch(r"\s*\d+(\.\d+)?:\s*", lead[0])
        time = stamp[1] if (stamp := _TIME.match(content)) else ""
        content, code = content[lead.end() :], "" if strict else "plan-number"
    if lasts := _DURATION.search(content):
        content, duration = content[: lasts.start()], lasts[1]
    if "(" in content and not content.lstrip().startswith("("):
        content = _COST.sub("", content)  # as Fast Downward's log has it behind each step
    if call := _CALL.match(content):
        arguments = re.split(r"[\s,]+", call[2].strip().lower()) if call[2].strip() else []
        return [call[1].lower(), *arguments], "plan-call", time, duration
    whole = re.fullmatch(r"\s*\(([^()]*)\)\s*", content)
    bare = _BARE.match(content)
    if bare is None:
        return [], "", "", ""
    words = re.split(r"[\s,]+", bare[1].lower())
    if whole is not None:
        return words, code or ("plan-call" if "," in content else ""), time, duration
    return words, code or "plan-brackets", time, duration
