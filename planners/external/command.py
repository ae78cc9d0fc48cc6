"""The planner `command:TEMPLATE`, which runs any program; the template is a command line with `{domain}` and so on.

    command:my-planner --quick {domain} {problem} {plan}

`{domain}` and `{problem}` are the files that the program reads. The plan is read from `{plan}` (or `{plan}.1`,
`{plan}.2`, ...), or, without `{plan}`, from its standard output: the lines with actions, `(move a
b)`, also numbered as in `3: (move a b)`, or with the plan's `; cost`, but no sections of PDDL, `(:requirements :adl)`.
Of several plans the valid one of least cost counts, the last among equals. A printed plan ends with its `; cost`,
before a line such as `Plan 2:`, and before a smaller number of a step; other comments end none. A line may have several
steps. Sequences that move a terminal's cursor or colour its text are left out.
The template is split into words as in a shell, but no shell runs. The backslashes in paths of Windows stay.

The program runs in its own directory. Its name and all words of the template that are files in the caller's directory
become full paths, so that `command:./plan.py {domain} {problem}` works as expected.

The claims of an unknown program are no proof: with a plan the status is `solved`, without a plan and without a fault it
is `gave_up`. If the program says that there is no plan, and our own search confirms it (`confirm_unsolvable`), the
status is `unsolvable`. A word `{optimal}` in the template, which the program does not get, declares that it ends with a
cheapest plan: then the status is `solved_optimally` where it ends well, under the condition that this is so.
"""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Iterator

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import ERROR, GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Run, driven, phase, within_limits
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external.answers import (
    as_they_come,
    best_plan,
    confirm_unsolvable,
    cost_of,
    reading_after,
    result_of,
)
from unpuzzle.planning.planner import USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import Look, ProgramEnd, run_program

_FILES = {"{domain}": "domain.pddl", "{problem}": "problem.pddl", "{plan}": "plan"}
OPTIMAL = "{optimal}"
"""The word that declares that the plans of a program are optimal."""
QUOTING = frozenset("\"'\\")
"""The characters for which a template has to be split as in a shell."""
_LITERAL = re.compile(r"'[^']*'|\\+(?=[\w.{~%@+-])")
"""A part in single quotes, or backslashes before characters that need none, as in Windows' paths."""
_PRINTED = re.compile(
    r"^[ \t]*+(?:((?:[\d.: \t]*+\((?!\s*:)[^()\n]*+\)(?:[\d. \t]*+\[[^]\n]*+\])?+)++)[\d. \t]*+(?:;.*)?"
    r"|[\d.: \t]*(;[ \t]*cost\b.*)"
    r"|[^\w;\n]*+(?:(?:new|next|best) )?(?:plan|solution)\b.*)$",
    re.M | re.I,
)
"""A line of steps, the cost of a plan, or the header of one. Possessive, since lines may be long."""
_STEP = re.compile(r"([\d.]*+)[: \t]*+(\([^()]*+\))")
_NOISE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"  # control sequences, such as colours
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*+(?:\x07|\x1b\\|\x9c)"  # strings, such as titles
    r"|\x1b[ -/]*+[0-~]"  # other escape sequences, such as character sets
    r"|\ufffd[\d;:?]++[A-Za-z]"  # a control sequence that began with a single byte, which is no UTF-8
    r"|[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffd]"
)
"""The pattern of sequences that terminals do not show (ECMA-48)."""
_UNSOLVABLE = re.compile(r"\bunsolvable\b|\bnot solvable\b|\bno (?:plan|solution)s?\b|\bcannot be solved\b", re.I)


class Command(Planner):
    """The planner `command`, which runs any program by a template of its command line."""

    def __init__(self, template: str | None) -> None:
        """Parse the template of a command line. Raises UsageError for a faulty template."""
        template = template or ""
        self.name: str = f"command:{template}"
        self._words = _words(template)
        self._is_optimal = OPTIMAL in template
        self._prints = "{plan}" not in template
        self.improves: bool = True
        self.goes_on: bool = True  # a program with a plan may hang, or look for a better one

    def improving(self, subject: Task, options: SearchOptions = USUAL) -> Iterator[Result]:
        """Yield the plans in a program's files or in its standard output, as soon as they appear.

        They are not validated yet. Raises DependencyMissing if the program does not exist.
        """

        def solve(look: Look) -> Result:
            return self._solve(subject, look)

        plans = as_they_come(self.name, "plan*", subject, solve, _printed if self._prints else None)
        return driven(Run(phase="looking for plans"), plans)

    def _solve(self, subject: Task, look: Look) -> Result:
        start = time.monotonic()
        domain, problem = write(subject)
        files = {_FILES["{domain}"]: domain, _FILES["{problem}"]: problem}
        with PrivateDirectory(files, planner=self.name) as directory:
            program, *words = self._words
            words = [os.path.abspath(word) if os.path.isfile(word) else word for word in words]
            arguments = [program, *(_filled(word, directory) for word in words)]
            run = run_program(arguments, directory, split=True, look=look)
            plan, fault = None, ""
            with phase("reading the program's plan"), reading_after(run):
                texts = {f"standard output.{number}": text for number, text in enumerate(_printed(run.output))}
                if not self._prints:
                    texts = directory.read("plan") | directory.read("plan.[0-9]*")
                plan, fault = best_plan(texts, cost_of(subject), cut=run.cut)
        status, message = _verdict(run, plan, fault)
        if plan is None and not (run.limit or fault) and _UNSOLVABLE.search(_NOISE.sub("", run.log)):
            judgement = confirm_unsolvable(subject, "the program says that there is no plan")
            if UNSOLVABLE in judgement or status == GAVE_UP:
                status, message = judgement
        result = result_of(run, status, self.name, start, plan=plan, message=message)
        if self._is_optimal and status == SOLVED and not message:  # it ended well
            condition = f"{os.path.basename(self._words[0])} is an optimal planner, as was declared"
            return result.replace(status=SOLVED_OPTIMALLY, condition=condition)
        return result


class CommandKind(PlannerKind):
    """The planner kind `command`, which makes a planner from a command line."""

    name: str = "command"
    configurations: str = ":TEMPLATE"
    planner = Command


def words_of(template: str) -> list[str]:
    """Return the words of a command line as a shell splits it, but keep backslashes, as in Windows paths.

    `{optimal}` is none of them. Raises ValueError for quotes without an end.
    """
    words = template.split()
    if set(template) & QUOTING:
        words = shlex.split(_LITERAL.sub(lambda part: part[0] if part[0][0] == "'" else part[0] * 2, template))
    return [word for word in words if word != OPTIMAL]


def _words(template: str) -> list[str]:
    """Return the words of a template. Raises UsageError if `{domain}` or `{problem}` is missing."""
    try:
        words = words_of(template)
    except ValueError as error:
        raise UsageError(f"the command {template!r} cannot be split into words: {error}") from error
    for name in ("{domain}", "{problem}"):
        if not any(name in word for word in words[1:]):
            raise UsageError(f"the command {template!r} lacks {name}; e.g. my-planner {{domain}} {{problem}} {{plan}}")
    return words


def _printed(output: str) -> list[str]:
    """Return the texts of the plans in a program's output. Raises LimitReached at the limits of the current run.

    One without steps counts if there is no other.
    """
    plans: list[list[str]] = [[]]
    last = 0.0
    for line in within_limits(_PRINTED.finditer(_NOISE.sub("", output).replace("\r", "\n"))):
        steps, cost = line.groups()
        if not (steps or cost):
            plans.append([])
        for number, step in _STEP.findall(steps or ""):
            time = float(number) if re.fullmatch(r"\d+\.?\d*", number) else last
            if time < last:
                plans.append([])
            plans[-1].append(step)
            last = time
        if cost:
            plans[-1].append(cost)
            plans.append([])
        last = last if steps else 0.0
    texts = ["\n".join(lines) for lines in plans if lines]
    return [text for text in texts if text[0] == "("] or texts[-1:]


def _filled(word: str, directory: PrivateDirectory) -> str:
    for name, file in _FILES.items():
        word = word.replace(name, directory.file(file))
    return word


def _verdict(run: ProgramEnd, plan: Plan | None, fault: str) -> tuple[str, str]:
    """Return the status and a sentence for a finished program, given its plan or the fault of its plan."""
    if plan is not None:
        success = run.exit_code == 0 and not run.limit
        return SOLVED, "" if success else f"the program wrote a plan, then {run.ending()}"
    if run.limit:
        return run.limit, f"the program {run.ending()}"
    if fault:
        return ERROR, f"the program's output is not a plan: {fault}"
    if run.exit_code == 0:
        return GAVE_UP, "the program ended without a plan; its output about the task is not a proof"
    return ERROR, f"the program {run.ending()}"
