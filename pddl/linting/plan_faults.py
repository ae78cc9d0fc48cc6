"""Faults of plan files: unknown actions and objects, and steps that are not written as `(action a b)`.

    1. (move a b)      unstack(c, a)      pick-up a      - (move a b)      Step 3: (move b c)      move a b (1)

`read_plan_tolerantly` reads one step a line, or JSON: a list of steps, also as the `plan` of an object. Any other line
is an error, such as a sentence or, if a plan is fenced in Markdown, a line without brackets outside the fences. With
the task, a line that can be no step of it is left out with a warning, such as the rest of a planner's output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import nearest
from unpuzzle.pddl.formulas import Source, Span
from unpuzzle.pddl.linting.fault import ERROR, Fault, fault_at
from unpuzzle.pddl.linting.understanding import fault_of
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.plans import Timed, in_order_of_times, parse_plan
from unpuzzle.pddl.reading.brackets import Note, merged
from unpuzzle.pddl.syntax import Text, parse_error, without_comments
from unpuzzle.pddl.world import Schemas, Types

AS_STEPS = ("plan-number", "plan-call", "plan-brackets")
"""Codes of lines that are read as steps, though without the task they may be sentences."""
_WORD = r"[^\s(),;:]+"
_LEAD = re.compile(r"\s*(?:(?:step\s*)?(\d+(?:\.\d+)?)(?:\s*[.):]|\s+-\s)|[-*•+]|(\d+)\s)\s*(?=[(\w])", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(?:step\s*)?(\d+(?:\.\d+)?)", re.IGNORECASE)
_TIME = re.compile(r"\s*(?:step\s*)?(\d+(?:\.\d+)?)\s*:", re.IGNORECASE)
_DURATION = re.compile(r"\s*\[\s*(?:d:)?(\d+(?:\.\d+)?)\s*\]?\s*$", re.IGNORECASE)  # LPG adds `; C:0.1]`
_COST = re.compile(r"(?<=\s)\(\d+\)\s*$")
_CALL = re.compile(rf"\s*({_WORD})\s*\(([^()]*)\)\s*[.;,]?\s*$")
_BARE = re.compile(rf"\s*\(?\s*({_WORD}(?:[\s,]+{_WORD})*)\s*\)?\s*[.,]?\s*$")
_LOG = re.compile(r"\s*\[t=[^\]]*\]|\*\*|`(?!``)")
"""Text beside steps: the time at which Fast Downward wrote a line, and marks of Markdown."""
_NO_NAME = re.compile("[,'\"]|^\\d+$")
_BRACKETS = re.compile(r"\([^()]*\)")
_JSON_IN_FENCE = re.compile(r"```\w*\s*\n(\s*[\[{][^`]*)```")
_COST_LINE = re.compile(r"^\s*;\s*cost\s*=", re.IGNORECASE | re.MULTILINE)
_CONSTRAINT = re.compile(r"\s*\w+\s*<\s*\w+\s*$")
_MARKS = "*`'\"[]{}<>|=.!?"
_FENCE = re.compile(r"\s*(```|~~~)")
_SENTENCE = re.compile(r"\s*[A-Z][^()]*(?:\s[^()]*[.:!?]|[!?])\s*$")
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), 127, 0xFEFF), " ")
_LISTS = ("plan", "steps", "actions")
_NAMES, _ARGUMENTS = ("action", "name", "step"), ("arguments", "args", "parameters", "params")
_STARTS, _DURATIONS = ("time", "start", "start_time", "step"), ("duration",)
XML = "this is XML: a plan has one step a line, such as (move a b)"
NO_LIST = 'this is JSON, but not a list of steps: expected ["(move a b)", ...] or [["move", "a", "b"], ...]'
NOTES = {
    "plan-number": "steps have no numbers in a plan file: write {}",
    "plan-call": "a step must be in brackets, with blanks between the names: write {}",
    "plan-brackets": "a step must be in brackets: write {}",
    "plan-json": "this is JSON: in a plan file each step has its own line, such as {}",
    "plan-step": "this line is not a step of the plan and is ignored",
    "markdown": "this is Markdown around the plan: remove the lines with ```",
}


def lint_plan(text: str, name: str | None = None, task: Task | None = None) -> list[Fault]:
    """Return the faults of a plan; if `task` is given, also report unknown names and wrong arguments in steps."""
    plan, notes = read_plan_tolerantly(text, name)
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    wrong: dict[str, Fault] = {}
    if task is not None:
        schemas = Schemas(task.domain.actions, Types(task))
        for step in within_limits(plan.steps):
            try:
                schemas.bind(step)
            except ParseError as error:
                if step.span is not None and error.message not in wrong:
                    wrong[error.message] = fault_at(step.span, ERROR, "plan-action", error.message)
    if wrong or (task is None and not _is_uniform(plan, notes)):  # perhaps a line is no step
        notes = [note._replace(sure=note.sure and note.code not in AS_STEPS) for note in notes]
    faults = [*(fault_of(note, source, note.severity) for note in notes), *wrong.values()]
    return sorted(faults, key=lambda fault: (fault.line or 0, fault.column or 0))


def _is_uniform(plan: Plan, notes: Sequence[Note]) -> bool:
    """Return whether all steps have the same notation and have arguments, so that no step is a sentence of prose."""
    kinds = {note.code for note in notes}.intersection(AS_STEPS)
    plain = {step.span.source.text.startswith("(", step.span.start) for step in plan.steps if step.span is not None}
    return len(kinds) < 2 and len(plain) < 2 and all(step.arguments for step in plan.steps)


def read_with_notes(text: str, name: str | None = None, task: Task | None = None) -> tuple[Plan, list[Fault]]:
    """Read a plan; return it with warnings about steps that are not written as `(action a b)`.

    Raises ParseError for a line that is no step; with a task, only for one that may be meant as a step of it.
    """
    plan, notes = read_plan_tolerantly(text, name, task)
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    errors = [note for note in notes if note.severity == ERROR]
    if errors and (task is not None or errors[0].fix is not None):
        raise parse_error(errors[0].message, Span(source, errors[0].start, errors[0].end), errors[0].code)
    if errors:
        return parse_plan(text, name), []
    left_out = next((note for note in notes if note.code == "plan-step"), None)
    if left_out is not None and not plan.steps:
        raise parse_error("no line of this text is a step of a plan", Span(source, left_out.start, left_out.end))
    return plan, [fault_of(note, source, note.severity) for note in notes]


def read_plan_tolerantly(text: str, name: str | None = None, task: Task | None = None) -> tuple[Plan, list[Note]]:
    """Read all steps of a plan that are readable; return them with notes about the faults of the plan's text.

    With a task, lines that can be no step of it are left out, with a warning instead of an error.
    """
    try:
        plan = parse_plan(text, name)
        # `parse_plan` takes any words for names; with quotes, commas or bare numbers it may be another notation.
        if not any(_NO_NAME.search(" ".join((step.name, *step.arguments))) for step in plan.steps):
            return plan, [*_of_times(plan), *_note_on_several_plans(plan)]
    except ParseError:
        pass
    source = Text(text, name)
    start = len(source.text) - len(source.text.lstrip())
    if source.text[start : start + 1] == "<":
        return Plan(span=Span(source, 0, 0)), [Note("plan-step", XML, start, start + 1, None)]
    possible = None if task is None else _Possible(task)
    read = _json_steps(source, start, possible) or _lines(source, possible)
    try:
        _require_ascending(read)
        plan = in_order_of_times(read.steps, None, Span(source, 0, 0))
    except ParseError as error:
        plan = Plan(tuple([timed.step for timed in read.steps]), span=Span(source, 0, 0))
        at = next((timed.step.span for timed in read.steps if timed.step.span is not None), Span(source, 0, 0))
        read.notes.append(Note("plan-step", error.message, at.start, at.end, None))
    sure = _preserves_steps(source, read.odd, plan)
    for code in dict.fromkeys(note.code for note in read.odd):  # one note for each kind of unusual notation
        together = merged(source.text, [note for note in read.odd if note.code == code])
        read.notes.append(together._replace(sure=sure))
    notes = [*read.notes, *_of_times(plan), *_note_on_several_plans(plan)]
    return plan, sorted(notes, key=lambda note: note.start)


def _preserves_steps(source: Text, odd: list[Note], plan: Plan) -> bool:
    """Return whether the corrections of the unusual notation in a plan leave the steps and their order unchanged."""
    numbers = [found for note in odd if (found := _NUMBER.match(source.text, note.start))]
    if any(float(one[1]) >= float(other[1]) for one, other in pairwise(numbers)):
        return False  # perhaps the numbers, and not the lines, say the order
    start, end, text = (merged(source.text, odd).fix if odd else None) or (0, 0, "")
    try:
        corrected = parse_plan(source.text[:start] + text + source.text[end:])
    except ParseError:
        return False
    return (corrected.steps, corrected.together) == (plan.steps, plan.together)


class _Step(NamedTuple):
    """One line of a plan: the words of its step, a code for its notation, and the step's time and duration.

    `number` is the number of a step in a list, `bare` whether the step has no brackets.
    """

    words: list[str]
    code: str = ""
    time: str = ""
    duration: str = ""
    number: str = ""
    bare: bool = False

    def timed(self, span: Span) -> Timed:
        return Timed(GroundAction(self.words[0], tuple(self.words[1:]), span=span), self.time, self.duration)


class _Read(NamedTuple):
    """The parsed lines of a plan: steps, notes about unusual notation, other notes, and the numbers of the steps."""

    steps: list[Timed]
    odd: list[Note]
    notes: list[Note]
    numbers: list[str]


def _require_ascending(read: _Read) -> None:
    """Raise ParseError if the step numbers in the text are not in ascending order."""
    numbers = [float(number) for number in read.numbers]
    if len(set(numbers)) > 1 and any(one >= other for one, other in pairwise(numbers)):
        message = f"the steps are numbered {', '.join(read.numbers[:5])}{', ...' if len(numbers) > 5 else ''}"
        raise ParseError(f"{message}: should the steps be in the order of the numbers or of the text?")


class _Possible:
    """A test whether a line of a plan may be meant as a step of a given task."""

    def __init__(self, task: Task) -> None:
        self._arities = {action.name: len(action.parameters) for action in task.domain.actions}
        self._types = Types(task)

    def step(self, words: list[str]) -> bool:
        """Return whether the words of a line without brackets are an action and its objects."""
        if not words or words[0] not in self._arities:
            return False
        unknown = [word for word in words[1:] if word not in self._types]
        near = all(nearest(word, self._types.order) for word in unknown)
        return not unknown or (near and len(words) == self._arities[words[0]] + 1)

    def may_be_step(self, content: str) -> bool:
        """Return whether a line may be meant as a step: it has an action, perhaps misspelt, or names objects."""
        lead = _LEAD.match(content)
        words = re.findall(_WORD, content[lead.end() if lead else 0 :].lower())
        words = [word if word in self._arities or word in self._types else word.strip(_MARKS) for word in words]
        words = [word for word in words if word]
        if not words or words[0] in self._arities:
            return bool(words)
        if nearest(words[0], self._arities) is not None and (len(words) == 1 or words[1] in self._types):
            return True
        if len(words) > 1 and all(word in self._types for word in words[1:]):
            return True
        return any(
            words[at] in self._arities and self._objects(words[at + 1 :]) >= max(self._arities[words[at]], 1)
            for at in range(len(words))
        )

    def _objects(self, words: list[str]) -> int:
        """Return how many words at the beginning of `words` are names of objects."""
        return next((at for at, word in enumerate(words) if word not in self._types), len(words))


def _lines(source: Text, possible: _Possible | None) -> _Read:
    """Read all lines of a plan; in a text with Markdown code fences, only the lines between the fences."""
    read = _Read([], [], [], [])
    bare = without_comments(source.text)
    lines = _BRACKETS.sub(lambda step: step[0].replace("\n", " "), bare).split("\n")
    fenced = sum(_FENCE.match(line) is not None for line in lines) > 1
    inside = not fenced
    start = 0
    for line in within_limits(lines):
        content = line.rstrip()
        if _FENCE.match(content):
            read.odd.append(_notation_note("markdown", "", start, start + len(line)))
            inside = not inside or not fenced
        elif content.strip():
            _read_line(source, content, start, inside, possible, read)
        start += len(line) + 1
    return read


def _read_line(source: Text, line: str, start: int, inside: bool, possible: _Possible | None, read: _Read) -> None:
    """Read one line of a plan, and add its step or its fault to `read`."""
    content = line.translate(_CONTROL)
    lead = len(content) - len(content.lstrip())
    content = " ".join(content.split())  # patterns look at a run of blanks from each of its places
    read_step = _step(content, inside)
    words, code = read_step.words, read_step.code
    begin, end = start + min(lead, len(line) - 1), start + len(line)
    if possible is not None and (read_step.bare or code == "plan-call") and not possible.step(words):
        words = []
    if words:
        read.steps.append(read_step.timed(Span(source, begin, end)))
        read.numbers.extend(filter(None, (read_step.number,)))
        right = f"({' '.join(words)})"
        if code:
            read.odd.append(_notation_note(code, right, begin, end))
    elif _CONSTRAINT.match(content):
        message = "this is a partial order: a plan has its steps in the order in which they are carried out"
        read.notes.append(Note("plan-step", message, begin, end, None))
    elif possible is not None and not possible.may_be_step(content):
        read.odd.append(_notation_note("plan-step", f"; {line.strip()}", begin, end))
    else:
        message = f"expected a step such as '(move a b)', found '{(content.split() or [' '])[0]}'"
        fix = None
        if "(" not in content and ")" not in content:  # a sentence, or the output of a program
            message = "this is not a step of a plan: remove the line, or begin it with ';'"
            fix = (begin, begin, "; ")
        read.notes.append(Note("plan-step", message, begin, end, fix, sure=False))


def _json_steps(source: Text, start: int, possible: _Possible | None) -> _Read | None:
    """Return the steps of a plan in JSON, perhaps in a Markdown code block; None if the text is not JSON."""
    import json

    fenced = _JSON_IN_FENCE.search(source.text)
    if source.text[start : start + 1] not in ("[", "{") and fenced is None:
        return None

    try:
        value = json.loads(source.text if fenced is None else fenced[1])
    except (ValueError, RecursionError):
        return None
    end = len(source.text.rstrip())
    steps = _steps_of_json(value)
    if steps is None or (possible is not None and any(each.bare and not possible.step(each.words) for each in steps)):
        return _Read([], [], [Note("plan-step", NO_LIST, start, end, None)], [])
    timed = [each.timed(Span(source, start, end)) for each in steps]
    odd = [_notation_note("plan-json", "\n".join([str(each.step) for each in timed]), start, end)]
    return _Read(timed, odd, [], [each.number for each in steps if each.number])


def _notation_note(code: str, right: str, start: int, end: int) -> Note:
    """Return the note about a part of a plan that has an unusual notation; `right` is the usual notation."""
    return Note(
        code, NOTES[code].format(right.partition("\n")[0] or "(move a b)"), start, end, (start, end, right), "warning"
    )


def _steps_of_json(value: Any) -> list[_Step] | None:
    """Return the steps that a JSON value lists; None if the value is not a list of steps."""
    if isinstance(value, dict):
        return next((_steps_of_json(value[key]) for key in _LISTS if key in value), None)
    if not isinstance(value, list):
        return None
    steps = []
    for each in value:
        step = (
            _step_of_json_object(each)
            if isinstance(each, dict)
            else _Step(each)
            if isinstance(each, list)
            else _step(str(each))
        )
        words = None if step is None else step.words
        if step is None or not words or not all(isinstance(word, str) and word for word in words):
            return None
        steps.append(step._replace(words=[word.lower() for word in words]))
    return steps


def _step_of_json_object(value: dict[str, Any]) -> _Step | None:
    """Return the step that a JSON object describes; None if a part of the object has no clear meaning."""
    named = next((key for key in _NAMES if isinstance(value.get(key), str)), "")
    step = _step(value.get(named, ""))
    given = [key for key in _ARGUMENTS if key in value]
    times = [next((key for key in keys if key in value and key != named), "") for keys in (_STARTS, _DURATIONS)]
    start, lasting = (str(value.get(key, "")) for key in times)
    arguments = value[given[0]] if given else []
    unknown = value.keys() - {named, *given, *times} if not given and len(step.words) == 1 else ()
    numbers = all(re.fullmatch(r"-?\d{1,99}(\.\d{1,99})?|", number) for number in (start, lasting))
    if unknown or not numbers or not isinstance(arguments, list) or (arguments and len(step.words) > 1):
        return None
    return step._replace(words=[*step.words, *arguments], time=start or step.time, duration=lasting or step.duration)


def _of_times(plan: Plan) -> list[Note]:
    if not plan.timing or plan.span is None:
        return []
    return [Note("plan-times", plan.timing, plan.span.start, plan.span.start, None, "warning")]


def _note_on_several_plans(plan: Plan) -> list[Note]:
    """Return a list with one note if the text contains several plans, each with its cost; else an empty list."""
    assert plan.span is not None
    text = plan.span.source.text
    ends = [found.end() for found in _COST_LINE.finditer(text)]
    if not any(without_comments(text[one:other]).strip() for one, other in pairwise(ends)):
        return []
    message = "this text contains more than one plan, each followed by its cost: keep one of them"
    return [Note("plan-step", message, ends[0], ends[0], None)]


def _step(line: str, inside: bool = True) -> _Step:
    """Parse one line of a plan; the result has no words if the line is not a step.

    `inside` is False for a line outside the fences around a plan.
    """
    content = _LOG.sub(" ", line)
    if _SENTENCE.match(content) or not (inside or "(" in content):
        return _Step([])
    code = time = duration = number = ""
    if lead := _LEAD.match(content):
        strict = re.fullmatch(r"\s*\d+(\.\d+)?:\s*", lead[0])
        time = stamp[1] if (stamp := _TIME.match(content)) else ""
        number = "" if time else lead[1] or lead[2] or ""
        content, code = content[lead.end() :], "" if strict else "plan-number"
    if lasts := _DURATION.search(content):
        content, duration = content[: lasts.start()], lasts[1]
    if "(" in content and not content.lstrip().startswith("("):
        content = _COST.sub("", content)  # as Fast Downward's log has it behind each step
    if call := _CALL.match(content):
        return _Step([call[1].lower(), *_words(call[2])], "plan-call", time, duration, number)
    whole = re.fullmatch(r"\s*\(([^()]*)\)\s*", content)
    bare = _BARE.match(content)
    if whole is not None:
        return _Step(
            _words(whole[1]), code or ("plan-call" if _NO_NAME.search(content) else ""), time, duration, number
        )
    words = [] if bare is None else _words(bare[1])
    return _Step(words, code or "plan-brackets", time, duration, number, bare=True)


def _words(text: str) -> list[str]:
    return [name for word in re.split(r"[\s,]+", text.lower()) if (name := word.strip("'\""))]
