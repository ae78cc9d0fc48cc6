"""unpuzzle grade REFERENCE STUDENT... --problems DIR."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from unpuzzle.checking.grading import BEHAVES, SAME, UNREADABLE, Grader, GradeRow
from unpuzzle.checking.report import DIFFERENT, UNDECIDED
from unpuzzle.cli.answer import BAD_INPUT, NO, NO_ANSWER, YES, Answer
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import save_beside
from unpuzzle.cli.first_faults import first_error
from unpuzzle.cli.oddities import of_domain
from unpuzzle.cli.parser import add_limits_of_each, limits_of, operand, option
from unpuzzle.cli.problems import Problems, problem_of, problems_in_stdin
from unpuzzle.cli.verdicts import add_max_states
from unpuzzle.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.found_files import found_files, is_found
from unpuzzle.lab.tables import align_columns, csv_of
from unpuzzle.pddl.nodes import Domain, Task
from unpuzzle.pddl.reading.reader import read_domain
from unpuzzle.run import Run
from unpuzzle.words import count

EXAMPLE = """unpuzzle grade solution.pddl class/*.pddl --problems exercise --csv grades.csv
  cat p1.pddl p2.pddl | unpuzzle grade solution.pddl student.pddl --problems -"""
TIME_LIMIT = 60.0
FIELDS = ("file", "verdict", "action", "literal", "difference")
COLUMNS = (*FIELDS, "relation")
DOMAIN = "domain.pddl"


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "REFERENCE", "the domain that is right")
    about = f"domains to grade, or folders with a {DOMAIN}"
    parser.add_argument("students", metavar="STUDENT", nargs="+", help=about)
    about = (
        "a folder with problems p*.pddl, or - for problems in standard input; one of the same name beside a student's "
        "domain is taken instead"
    )
    option(parser, "--problems DIR", about, required=True)
    add_max_states(parser, MAX_STATES, "task")
    add_limits_of_each(parser, "student", TIME_LIMIT)
    about = "also write the table into this file; without FILE: print it as CSV instead of the text"
    option(parser, "--csv FILE", about, nargs="?", const="-")
    option(parser, "-o --output FILE", "also write the table into this file, as CSV", dest="csv")


def execute(options: Namespace) -> Answer:
    """Compare each student's domain with the reference on all problems."""
    problems = problems_in_stdin(options) if options.problems == "-" else _problems(options.problems)
    reference = read_domain(options.reference, limits=limits_of(options))
    grader = Grader(_tasks(reference, problems, None, options), max_states=options.max_states)
    rows, warnings = [], _oddities(options.reference, options)
    with ProgressLine(options, "grading {}") as show:
        for student in options.students:
            if show is not None:
                show(student)
            rows.append(_row(student, problems, grader, options))
            warnings += [] if _leads_out(student) else _oddities(_domain_of(student), options)
    answer = _answer(rows, options)
    answer.warn(warnings)
    return answer


def _oddities(domain: str, options: Namespace) -> list[str]:
    with Run(limits_of(options)):
        return of_domain(domain)


def _problems(folder: str) -> Problems:
    """Return the problems of a folder, by the names of their files. Raises OSError, and ParseError without any."""
    names = [name for name in map(os.path.basename, found_files(folder, ".pddl")) if name.startswith("p")]
    if not names:
        raise ParseError(f"{folder} has no problems: files p*.pddl, such as p01.pddl")
    return dict.fromkeys(names)


def _domain_of(student: str) -> str:
    return os.path.join(student, DOMAIN) if os.path.isdir(student) else student


def _leads_out(student: str) -> bool:
    """Return whether the domain in a student's folder is no file there, but a link out of it, a pipe or a device."""
    path = _domain_of(student)
    return path != student and os.path.lexists(path) and not is_found(path, student)


def _row(student: str, problems: Problems, grader: Grader, options: Namespace) -> GradeRow:
    """Return the row of a student; an unreadable file has a row, too."""
    limits = limits_of(options)
    path = _domain_of(student)
    if _leads_out(student):
        return GradeRow(student, UNREADABLE, None, None, f"{path}: no file of this folder: a link, a pipe or a device")
    try:
        domain = read_domain(path, limits=limits)
        tasks = _tasks(domain, problems, os.path.dirname(path), options)
        return grader.grade(student, tasks, limits=limits)
    except LimitReached as reached:
        return GradeRow(student, UNDECIDED, None, None, str(reached))
    except OSError as missing:
        others = [name for name in os.listdir(student) if name.lower() == DOMAIN] if os.path.isdir(student) else []
        there = f"; there is {others[0]}" if others else ""
        why = f"{missing.filename or path}: {missing.strerror or missing}{there}"
        return GradeRow(student, UNREADABLE, None, None, why)
    except (ParseError, UnsupportedFeature) as refused:
        error = refused
        if isinstance(refused, ParseError) and refused.file == path:
            with Run(limits):
                error = first_error(path, path, None) or refused
        place = ":".join(str(part) for part in (error.file, error.line, error.column) if part is not None)
        return GradeRow(student, UNREADABLE, None, None, f"{place}: {error.message}" if place else error.message)


def _tasks(domain: Domain, problems: Problems, own: str | None, options: Namespace) -> dict[str, Task]:
    """Return the tasks of a domain, by problem name; problems in its author's `own` folder come first."""
    tasks = {}
    for name, text in problems.items():
        file = name if text is None else f"{name}.pddl"
        mine = None if own is None else os.path.join(own, file)
        if mine is not None and own is not None and is_found(mine, own):
            problem = problem_of(mine, None, domain, options)
        else:
            problem = problem_of(os.path.join(options.problems, file), text, domain, options)
        tasks[name] = Task(domain, problem)
    return tasks


def _answer(rows: list[GradeRow], options: Namespace) -> Answer:
    csv = csv_of(COLUMNS, [[getattr(row, name) for name in COLUMNS] for row in rows])
    cells = [[getattr(row, name) or "-" for name in FIELDS] for row in rows]
    text = align_columns(FIELDS, cells, FIELDS)
    verdicts = [row.verdict for row in rows]
    if not options.quiet:
        kinds = [verdict for verdict in (SAME, BEHAVES, DIFFERENT, UNREADABLE, UNDECIDED) if verdict in verdicts]
        parts = ", ".join(f"{verdicts.count(kind):,} {kind}" for kind in kinds)
        text += f"\n\n{count(len(rows), 'file')}: {parts}"
    codes = {DIFFERENT: NO, UNREADABLE: BAD_INPUT, UNDECIDED: NO_ANSWER, BEHAVES: NO_ANSWER}
    code = next((code for verdict, code in codes.items() if verdict in verdicts), YES)
    answer = Answer(code, rows, csv if options.csv == "-" else text)
    if options.csv not in (None, "-"):
        save_beside(answer, options.csv, lambda: csv)
    return answer
