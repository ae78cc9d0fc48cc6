"""Commands that compare PDDL with PDDL: `diff` compares two tasks; `grade` compares students' domains with a reference.

The problems for `grade` are files of a folder, or the definitions in standard input, one after another:

    cat p1.pddl p2.pddl | unpuzzle grade reference.pddl student.pddl --problems -

A problem in standard input has the name in its definition. Places in messages refer to the whole text.
"""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from unpuzzle.base.defaults import COMPARED_STATES, COMPARED_STATES_OF_EACH
from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.base.files import found_files, is_found
from unpuzzle.base.outcomes import BAD_INPUT, NO, NO_ANSWER, YES
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.tables import align_columns, csv_of_fields
from unpuzzle.base.text import count, listed
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import read_text
from unpuzzle.cli.lint_warnings import of_domain, of_reading
from unpuzzle.cli.parser import add_limits, add_limits_of_each, limits_of, operand, option
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.cli.verdicts import add_csv, add_max_states, add_partial, answer_for, ended_early, limit_of, table_answer
from unpuzzle.pddl.linting.linting import first_error
from unpuzzle.pddl.nodes import Domain, Problem, Task
from unpuzzle.pddl.reading.reader import Reading, parse_problem, read_domain, read_problem
from unpuzzle.verification.bisimulation import NOTHING_COMPARED, same
from unpuzzle.verification.grading import BEHAVES, SAME, UNREADABLE, Grader, GradeRow
from unpuzzle.verification.pointing import point, point_by_names
from unpuzzle.verification.report import DIFFERENT, UNDECIDED, Sameness
from unpuzzle.workspace.inputs import Input, RowsSoFar, Show

EXAMPLE_DIFF = """unpuzzle diff domain.pddl problem.pddl other-domain.pddl other-problem.pddl
  unpuzzle diff mine/p01.pddl theirs/p01.pddl      with the domains beside them"""
STDIN = "<stdin>"
Problems = dict[str, str | None]
"""By name, the text of a problem from standard input, or None for a file."""
_PARTS = re.compile(r";[^\n]*|[()]")
_NAME = re.compile(r"\(\s*define\s*\(\s*problem\s+([^\s()]+)", re.IGNORECASE)
_COMMENT = re.compile(r";[^\n]*")
EXAMPLE_GRADE = """unpuzzle grade solution.pddl class/*.pddl --problems exercise --csv grades.csv
  cat p1.pddl p2.pddl | unpuzzle grade solution.pddl student.pddl --problems -"""
GRADE_SECONDS = 60.0
"""The time for each student."""
GRADE_FIELDS = ("file", "verdict", "action", "literal", "difference")
GRADE_COLUMNS = (*GRADE_FIELDS, "relation")
DOMAIN_FILE = "domain.pddl"
NAMES_SHOWN = 5
"""The most names of a kind that a message shows."""


# The command `diff`.


def arguments_diff(parser: ArgumentParser) -> None:
    for number in "12":
        parser.add_argument(f"domain{number}", metavar=f"DOMAIN{number}", help="a PDDL domain file")
        parser.add_argument(f"problem{number}", metavar=f"PROBLEM{number}", help="a PDDL problem file")
    add_max_states(parser, COMPARED_STATES, "task")
    add_partial(parser)
    add_limits(parser)


class TasksInput(Input):
    """A request to compare two PDDL tasks; `unread` is the limit that was reached before both tasks were read."""

    tasks: tuple[Task, Task] | None
    max_states: int
    unread: LimitReached | None = None

    def call(self, show: Show = None) -> TasksOutcome:
        """Return the relation of the tasks and, for different tasks, the first difference in words.

        An undecided relation has one, too, if equal names mean different things; the tasks may still be equal under
        other names.
        """
        if self.tasks is None:
            status = "timeout" if self.unread is None else self.unread.status
            return TasksOutcome(NOTHING_COMPARED.replace(status=status))
        first, second = self.tasks
        report = same(first, second, max_states=self.max_states)
        names = ("the first", "the second")
        try:
            if report.difference is not None:
                return TasksOutcome(report, point(first, second, report.difference, names=names).sentence)
            undecided = report.complete and not report.exhaustive
            pointer = point_by_names(first, second, names=names) if undecided else None
        except LimitReached:  # the relation is certain, but the place is less exact
            pointer = None
        return TasksOutcome(report, "" if pointer is None else f"with equal names they differ: {pointer.sentence}")


class TasksOutcome(Record):
    """The relation between two tasks, such as equal; `sentence` describes how the tasks differ."""

    report: Sameness
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict() | ({"sentence": self.sentence} if self.sentence else {})


class DiffRequest(TasksInput):
    """A request to compare two tasks; `partial` accepts an incomplete comparison that found no difference."""

    partial: bool = False
    warnings: tuple[str, ...] = ()


def read_diff(options: Namespace) -> DiffRequest:
    """Read the two tasks; if a limit is reached before both are read, return a request without tasks."""
    readings, tasks = [Reading(), Reading()], []
    pairs = (options.domain1, options.problem1), (options.domain2, options.problem2)
    try:
        with phase("reading the tasks"):
            for reading, (domain, problem) in zip(readings, pairs, strict=True):
                with ReadingPddl(domain, problem):
                    tasks.append(reading.task(domain, problem))
        warnings = [warning for reading in readings for warning in of_reading(reading, doubtful=False)]
    except LimitReached as reached:
        return DiffRequest(None, options.max_states, reached, options.partial)
    return DiffRequest((tasks[0], tasks[1]), options.max_states, None, options.partial, tuple(warnings))


def present_diff(request: DiffRequest, outcome: TasksOutcome, view: View) -> Answer:
    """Return an answer that names the relation between two tasks."""
    report, sentence = outcome.report, outcome.sentence
    text = f"{sentence}\n{report}" if sentence else str(report)
    if report.difference is not None and not view.quiet:
        one, two = report.difference.states
        text += f"\n\nthere, in the first:\n  {one}\nand in the second:\n  {two}"
    # `answer_for` shows the first text after a limit, the second if nothing is decided without one.
    if_limited = f"undecided: the {limit_of(report.status)} was reached, and the rest may differ"
    if_partial = f"undecided: there are more states than {request.max_states:,}"
    if report.exhaustive:  # all states were compared, but perhaps not under all renamings
        if_partial = (
            report.relation if report.relation != UNDECIDED else "undecided: too many pairs of names are possible"
        )
    answer = answer_for(report, report.same, text, request.partial, ending=if_limited, part=if_partial)
    if sentence:
        answer.fields["sentence"] = sentence
    answer.warn(request.warnings)
    return answer


def problems_in_stdin() -> Problems:
    """Return the problems in standard input. Raises ParseError, with the line, for other text or a missing name."""
    text, _ = read_text("-")
    problems: Problems = {}
    for start, end in _definitions(text):
        match = _NAME.match(_COMMENT.sub("", text[start:end]))
        line = text.count("\n", 0, start) + 1
        if match is None:
            raise ParseError("expected '(define (problem NAME) ...)'", file=STDIN, line=line, column=1)
        name = match[1].lower()
        if name in problems:
            raise ParseError(f"there is already a problem '{name}'", file=STDIN, line=line, column=1)
        problems[name] = "\n" * (line - 1) + text[start:end]
    if not problems:
        raise ParseError("there is no problem in standard input", file=STDIN)
    return problems


def problem_of(path: str, text: str | None, domain: Domain) -> Problem:
    """Return the problem in a text (from standard input) or, if the text is None, in a file."""
    return read_problem(path, domain) if text is None else parse_problem(text, domain, STDIN)


def _definitions(text: str) -> list[tuple[int, int]]:
    """Return start and end of each outermost pair of brackets; an unclosed pair ends at the end of the text."""
    places, depth, start = [], 0, 0
    for part in _PARTS.finditer(text):
        if part[0] == "(":
            start = part.start() if depth == 0 else start
            depth += 1
        elif part[0] == ")":
            depth -= 1
            if depth == 0:
                places.append((start, part.end()))
            elif depth < 0:
                line = text.count("\n", 0, part.start()) + 1
                column = part.start() - (text.rfind("\n", 0, part.start()) + 1) + 1
                raise ParseError("this ')' closes no open bracket", file=STDIN, line=line, column=column)
    return [*places, (start, len(text))] if depth else places


# The command `grade`.


def arguments_grade(parser: ArgumentParser) -> None:
    operand(parser, "REFERENCE", "the correct domain")
    about = f"domains to grade, or folders with a {DOMAIN_FILE}"
    parser.add_argument("students", metavar="STUDENT", nargs="+", help=about)
    about = (
        "a folder with problems p*.pddl, or - for problems in standard input; one of the same name beside a student's "
        "domain is taken instead"
    )
    option(parser, "--problems DIR", about, required=True)
    add_max_states(parser, COMPARED_STATES_OF_EACH, "task")
    add_limits_of_each(parser, "student", GRADE_SECONDS)
    add_csv(parser)


class GradeRequest(Input):
    """A request to grade domains of students."""

    students: Sequence[str]
    problems: Problems
    folder: str
    reference: Mapping[str, Task]
    warnings: Sequence[str]
    limits: Limits
    max_states: int = COMPARED_STATES_OF_EACH
    csv: str | None = None

    limits_of_each = True
    shows = "grading {}"

    def call(self, show: Show = None) -> RowsSoFar:
        """Compare each student's domain with the reference; return the rows, each with warnings on the domain."""
        grader = Grader(self.reference, max_states=self.max_states)
        with RowsSoFar() as so_far:
            for student in self.students:
                if show is not None:
                    show(student)
                row = self._row(student, grader)
                with Run(self.limits):
                    so_far.rows.append((row, [] if _is_unsafe(student) else of_domain(_domain_of(student))))
        return so_far

    def _row(self, student: str, grader: Grader) -> GradeRow:
        """Return the table row of a student, even if the file cannot be read."""
        path, domain = _domain_of(student), None
        if _is_unsafe(student):
            return GradeRow(
                student, UNREADABLE, None, None, f"{path} is not a file in this folder, but a link, a pipe or a device"
            )
        try:
            with Run(self.limits):
                domain = read_domain(path)
                tasks = _tasks(domain, self.problems, self.folder, os.path.dirname(path))
                return grader.grade(student, tasks)
        except LimitReached as reached:
            return GradeRow(student, UNDECIDED, None, None, str(reached))
        except OSError as missing:
            others = (
                [name for name in os.listdir(student) if name.lower() == DOMAIN_FILE] if os.path.isdir(student) else []
            )
            there = f"; there is {others[0]}" if others else ""
            why = f"{missing.filename or path}: {missing.strerror or missing}{there}"
            return GradeRow(student, UNREADABLE, None, None, why)
        except (ParseError, UnsupportedFeature) as refused:
            error = refused
            if isinstance(refused, ParseError) and refused.file == path:
                with Run(self.limits):
                    error = first_error(path, path) or refused
            place = ":".join(str(part) for part in (error.file, error.line, error.column) if part is not None)
            why = f"{place}: {error.message}" if place else error.message
            if domain is not None and os.path.dirname(refused.file or "") != os.path.dirname(path):
                reference = next(iter(self.reference.values())).domain
                why = f"{_other_names(reference, domain)}{why}"
            return GradeRow(student, UNREADABLE, None, None, why)


def _other_names(reference: Domain, domain: Domain) -> str:
    """Return in words the reference's names that a student's domain lacks, and those it has instead; may be empty."""
    parts = []
    for what in ("types", "constants", "predicates", "functions"):
        ours, theirs = ({each.name for each in getattr(one, what)} for one in (reference, domain))
        if lacking := sorted(ours - theirs):
            names, others = [listed(map(repr, each), NAMES_SHOWN) for each in (lacking, sorted(theirs - ours))]
            parts.append(
                f"no {what.removesuffix('s' * (len(lacking) == 1))} {names}{f', but {others}' if others else ''}"
            )
    if not parts:
        return ""
    cure = "to compare it up to names, put problems with its names beside it"
    return f"its names differ from the reference: it has {'; '.join(parts)}; {cure}; "


def read_grade(options: Namespace) -> GradeRequest:
    """Read the reference and the problems; each student's domain is read later, within limits of its own."""
    folder = options.problems
    problems = problems_in_stdin() if folder == "-" else _problems(folder)
    reference = _tasks(read_domain(options.reference), problems, folder)
    return GradeRequest.of(
        options, problems=problems, folder=folder, reference=reference,
        warnings=of_domain(options.reference), limits=limits_of(options, each=True),
    )  # fmt: skip


def present_grade(request: GradeRequest, outcome: RowsSoFar, view: View) -> Answer:
    """Return the answer with the finished rows of the table."""
    rows = [row for row, _ in outcome.rows]
    text = align_columns(
        GRADE_FIELDS, [[getattr(row, name) or "-" for name in GRADE_FIELDS] for row in rows], GRADE_FIELDS
    )
    verdicts = [row.verdict for row in rows]
    if not view.quiet:
        kinds = [verdict for verdict in (SAME, BEHAVES, DIFFERENT, UNREADABLE, UNDECIDED) if verdict in verdicts]
        parts = ", ".join(f"{verdicts.count(kind):,} {kind}" for kind in kinds)
        text += f"\n\n{count(len(rows), 'file')}: {parts}"
    code, complaint = ended_early(outcome.ended_by, "the files that were not reached are not in the table")
    if code is None:
        codes = {DIFFERENT: NO, UNREADABLE: BAD_INPUT, UNDECIDED: NO_ANSWER, BEHAVES: NO_ANSWER}
        code = next((code for verdict, code in codes.items() if verdict in verdicts), YES)
    answer = table_answer(code, rows, text, csv_of_fields(GRADE_COLUMNS, rows), request.csv)
    answer.complain(complaint)
    answer.warn(request.warnings)
    for _, warnings in outcome.rows:
        answer.warn(warnings)
    return answer


def _problems(folder: str) -> Problems:
    """Return the problems of a folder by file name. Raises OSError, and ParseError if the folder has no problems."""
    names = [name for name in map(os.path.basename, found_files(folder, ".pddl")) if name.startswith("p")]
    if not names:
        raise ParseError(f"the folder {folder} has no problem files; their names must look like p01.pddl")
    return dict.fromkeys(names)


def _domain_of(student: str) -> str:
    return os.path.join(student, DOMAIN_FILE) if os.path.isdir(student) else student


def _is_unsafe(student: str) -> bool:
    """Return whether a student's domain file is unsafe to read: a link that leaves the folder, a pipe or a device."""
    path = _domain_of(student)
    return path != student and os.path.lexists(path) and not is_found(path, student)


def _tasks(domain: Domain, problems: Problems, folder: str, own: str | None = None) -> dict[str, Task]:
    """Return the tasks of a domain by problem name; problems in the author's folder `own` come before others."""
    tasks = {}
    for name, text in problems.items():
        file = name if text is None else f"{name}.pddl"
        mine = None if own is None else os.path.join(own, file)
        if mine is not None and own is not None and is_found(mine, own):
            problem = problem_of(mine, None, domain)
        else:
            problem = problem_of(os.path.join(folder, file), text, domain)
        tasks[name] = Task(domain, problem)
    return tasks
