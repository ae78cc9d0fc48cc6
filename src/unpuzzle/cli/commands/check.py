"""unpuzzle check PUZZLE LEVEL: the PDDL against the rules or, with --heuristic, a heuristic against its claims.

`unpuzzle check FILE --game GAME` checks what somebody wrote for a game: a PDDL domain, or components in Python.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import Any

from unpuzzle.checking.heuristics import check_heuristic
from unpuzzle.checking.many_levels import LevelCheck, LevelChecks, check_levels
from unpuzzle.checking.side_by_side import check, task_of
from unpuzzle.cli.answer import INTERRUPTED, NO, OF_STATUS, Answer, of_error
from unpuzzle.cli.drawing import picture_by_pddl
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import levels_of, read_game, read_level, unplayable
from unpuzzle.cli.judging.component_test import check_code
from unpuzzle.cli.judging.diff import compared
from unpuzzle.cli.judging.domain_test import check_file, write_template
from unpuzzle.cli.numbers import seed, whole
from unpuzzle.cli.oddities import PDDL, of_files, of_level
from unpuzzle.cli.parser import A_PUZZLE, add_limits, flag, operand, option
from unpuzzle.cli.verdicts import add_partial, answer_for, limit_of
from unpuzzle.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.defaults import COMPARED_STATES_OF_EACH, SAMPLES
from unpuzzle.errors import Interrupted, ParseError, UsageError, WorkersFailed
from unpuzzle.lab.tables import align_columns
from unpuzzle.pddl.nodes import Task
from unpuzzle.puzzle.position import Position
from unpuzzle.result import ERROR, UNSUPPORTED
from unpuzzle.words import count, listed

EXAMPLE = """unpuzzle check boxup 1 --domain my-boxup.pddl
  unpuzzle check sliding-tiles 2x3 --heuristic misplaced
  unpuzzle check my-sokoban.pddl --game sokoban     a domain that somebody wrote for a game
  unpuzzle check my-sokoban.py --game sokoban       components that somebody wrote for a game
  unpuzzle check --game sokoban --template exercise"""
HEURISTIC_STATES = 20_000
CODE = ".py"
OF_LEVELS = ("level", "others", "domain", "problem", "heuristic")
OF_DOMAINS = ("problems", "template", "samples", "max_states", "partial", "workers", "scheduler")
OF_CODE = ("code", "unsafe")
"""Options by what is checked: levels of a puzzle, a domain for a game, components for a game."""


def arguments(parser: ArgumentParser) -> None:
    operand(
        parser, "PUZZLE", f"{A_PUZZLE}; with --game: the FILE to check, .pddl or .py, - for code from standard input"
    )
    about = "a level: its name, a file, or -; of several each is checked in a process of its own, and shown in a table"
    operand(parser, "LEVEL", about)
    parser.add_argument("others", metavar="LEVEL", nargs="*", help="more levels")
    option(parser, "--domain FILE", "check this PDDL domain instead of ours")
    option(parser, "--problem FILE", "with --domain: this PDDL problem instead of the level's")
    option(parser, "--heuristic NAME", "check a heuristic instead: is it as admissible and consistent as it claims?")
    about = f"the most states to compare; default: {MAX_STATES:,}, with --heuristic {HEURISTIC_STATES:,}, with --game "
    option(parser, "--max-states N", f"{about}{COMPARED_STATES_OF_EACH:,} of each level", whole())
    option(parser, "--seed N", "seed of random levels, and of the random walks beyond --max-states", seed, default=0)
    add_partial(parser)
    option(parser, "--game GAME", "check a FILE that somebody wrote for this puzzle: its domain, or its components")
    about = "with --game: the bundled levels to compare on, of code also files, or - for standard input; default: all"
    option(parser, "--levels LEVEL", about, nargs="*")
    about = "with --game: a folder with problems LEVEL.pddl for bundled levels, or - for problems named LEVEL in "
    option(parser, "--problems DIR", f"{about}standard input; default: our own problems, which must fit the domain")
    about = "with --game, without a FILE: write the texts of the levels into this folder, and skeletons of domain and "
    option(parser, "--template DIR", f"{about}problems to fill in")
    about = f"with --game: number of random levels to compare a domain on, too; default: {SAMPLES}"
    option(parser, "--samples N", about, whole(0))
    flag(parser, "--code", f"with --game: FILE is code, even if its name does not end with {CODE}")
    flag(parser, "--unsafe", "with --game: run code even where the system has no walls for a sandbox")
    about = "levels at a time, each in a process of its own, where there are several; default: 1"
    add_limits(parser, workers=about, processes=None)


def execute(options: Namespace) -> Answer:
    """Compare rules and PDDL, or a heuristic and the true costs, or test what somebody wrote for a game."""
    if options.game is not None:
        return _check_file(options)
    _refuse(options, ("problems", "template", "samples", "levels", *OF_CODE), "is for a file: add --game GAME")
    if options.domain is None and options.problem is not None:
        raise UsageError("--problem needs --domain")
    if options.domain is not None and options.heuristic is not None:
        raise UsageError("--heuristic looks at the rules only: leave out --domain")
    if options.puzzle.lower().endswith(PDDL) and options.heuristic is None:
        return _check_tasks(options)
    if options.others:
        return _check_levels(options)
    if options.scheduler is not None:
        raise UsageError("--scheduler is for several levels: one level is checked by this process")
    position = read_level(options.puzzle, options.level, options)
    return _check(position, options) if options.heuristic is None else _check_heuristic(position, options)


def _check_file(options: Namespace) -> Answer:
    """Check a file that somebody wrote for a game, or write the files to fill in."""
    file = options.puzzle
    _refuse(options, OF_LEVELS, "is for levels of a puzzle, not for a file")
    if (file is None) == (options.template is None):
        raise UsageError("--game needs a FILE to check, or --template DIR for one to be written")
    if file is None:
        return write_template(options)
    if not options.code and file != "-" and not file.lower().endswith(CODE):
        _refuse(options, OF_CODE, "is for code")
        return check_file(file, options)
    _refuse(options, (*OF_DOMAINS, "time_limit", "cpu_limit", "memory_limit"), "is for a domain, not for code")
    if options.levels == []:
        raise UsageError("--levels needs at least one level")
    return check_code(file, options)


def _refuse(options: Namespace, names: Iterable[str], reason: str) -> None:
    """Raise UsageError for options that do not go with what is checked."""
    for name in names:
        if getattr(options, name) not in (None, False, []):
            shown = "LEVEL" if name in ("level", "others") else f"--{name.replace('_', '-')}"
            raise UsageError(f"{shown} {reason}")


def _check(position: Position, options: Namespace) -> Answer:
    """Compare rules and PDDL; if interrupted or out of time, answer with the results so far."""
    task = None if options.domain is None else _task(position, options)
    most, interruption = options.max_states or MAX_STATES, None
    with ProgressLine(options, "{:,} states compared") as progress:
        try:
            report = check(position, task=task, max_states=most, seed=options.seed, progress=progress)
        except Interrupted as error:
            report, interruption = error.report, of_error(error)
            if not report.states:
                raise
    text = str(report)
    if report.difference is not None and not options.quiet:
        text += f"\n\n{report.difference.picture(position)}{picture_by_pddl(report.difference, position)}"
    why = "interrupted" if interruption else f"the {limit_of(report.status, options)} was reached"
    # A difference is certain, whatever ended the comparison.
    rest = "there may be a shorter way to a difference" if report.difference else "what is left may differ"
    ending, part = f"{why} after {count(report.states, 'state')}: {rest}", "undecided: not all states were compared"
    answer = answer_for(report, report.same, text, options, ending=ending, part=part)
    if interruption:
        answer.code, answer.fields["status"] = interruption
    answer.complain(unplayable(position))
    hint = "" if task is None or report.difference is None else _hint(position, task, options)
    if hint:
        answer.fields["hint"] = hint
        answer.complain(f"unpuzzle: {hint}")
    doubtful = report.difference is not None
    answer.warn(of_level(options, doubtful=doubtful))
    if options.domain is not None:
        answer.warn(of_files(options, options.domain, options.problem, position, doubtful=doubtful))
    return answer


def _check_tasks(options: Namespace) -> Answer:
    """Compare two PDDL tasks, since a PDDL domain as a puzzle has no rules but its own; see `same`."""
    if options.domain is None or options.others:
        raise UsageError(
            f"there are no rules to compare with: {options.puzzle} is a PDDL domain. --domain FILE compares the task "
            "with another, --game GAME with a puzzle; `diff` compares two tasks, and `lint` finds faults"
        )
    options.max_states = options.max_states or MAX_STATES
    position = read_level(options.puzzle, options.level, options)
    answer = compared(position.task(), _task(position, options), options)
    doubtful = answer.code == NO
    answer.warn(of_level(options, doubtful=doubtful))
    answer.warn(of_files(options, options.domain, options.problem, position, doubtful=doubtful))
    return answer


def _check_levels(options: Namespace) -> Answer:
    """Compare rules and PDDL on several levels; if interrupted, answer with the results so far."""
    if options.domain is not None or options.heuristic is not None:
        raise UsageError("--domain and --heuristic are for one level")
    game = read_game(options.puzzle, options)
    named = levels_of(game, options.puzzle, [options.level, *options.others], options)
    levels = {level.name: level.position(game, options) for level in named}
    rows: list[LevelCheck] = []
    code = None
    try:
        with ProgressLine(options, "level {}: {:,} states compared") as show:

            def tell(row: LevelCheck) -> None:
                rows.append(row)
                if show is not None:
                    show(row.level, row.states)

            checks = check_levels(
                levels, max_states=options.max_states or MAX_STATES, seed=options.seed,
                workers=options.workers or 1, scheduler=options.scheduler, on_row=tell,
            )  # fmt: skip
    except (KeyboardInterrupt, WorkersFailed) as error:
        if not rows:
            raise
        code, _ = of_error(error) or (INTERRUPTED, "")
        checks = LevelChecks(tuple(rows))
    cells = [
        [row.level, "-" if row.same is None else "yes" if row.same else "no", row.status, f"{row.states:,}"]
        for row in checks.levels
    ]
    text = align_columns(("level", "same", "status", "states"), cells, ("level", "same", "status"))
    undecided = [row for row in checks.levels if row.same is None]
    ending = part = f"undecided on {count(len(undecided), 'level')}"
    answer = answer_for(checks, checks.same, text, options, ending=ending, part=part)
    answer.fields |= {"same": checks.same, "status": checks.status}
    for row in checks.levels:
        if row.difference is not None or row.message:
            answer.complain(f"unpuzzle: level {row.level}: {row.message or str(row.difference).partition(chr(10))[0]}")
    broken = [OF_STATUS[row.status] for row in undecided if row.status in (ERROR, UNSUPPORTED)]
    answer.code = code if code is not None else max(broken, default=answer.code) if checks.same is None else answer.code
    return answer


def _task(position: Position, options: Namespace) -> Task:
    """Read the task of --domain and --problem.

    Raises ParseError; if names may be the cause, it tells how to compare.
    """
    try:
        return task_of(position, options.domain, options.problem)
    except ParseError as error:
        if options.problem is not None or error.file == options.domain:
            raise
        cure = "--problem names another" if options.puzzle.lower().endswith(PDDL) else _comparing(options, "PROBLEM")
        message = f"the level's own problem does not fit this domain: {error.message}; {cure}"
        raise ParseError(message, file=error.file, line=error.line, column=error.column, text=error.text) from error


def _hint(position: Position, task: Task, options: Namespace) -> str:
    """Return advice for a domain with names of its own; empty for one with the game's names."""
    domains = position.task().domain, task.domain
    ours, theirs = ({*_names(domain.actions), *_names(domain.predicates)} for domain in domains)
    foreign = sorted(theirs - ours)
    if not foreign or ours <= theirs:
        return ""
    comparing = _comparing(options, "DIR/problem.pddl")
    return f"the domain has names that the game's does not have ({listed(foreign, 3)}); {comparing}"


def _names(declared: Iterable[Any]) -> list[str]:
    return [each.name for each in declared]


def _comparing(options: Namespace, problem: str) -> str:
    """Return the commands that compare up to names; `problem` is the problem to compare on without --problem."""
    game = f"`unpuzzle pddl {options.puzzle} {options.level} --output DIR`"
    diff = f"`unpuzzle diff DIR/domain.pddl DIR/problem.pddl {options.domain} {options.problem or problem}`"
    return f"check compares by names; up to names it is {game}, then {diff}"


def _check_heuristic(position: Position, options: Namespace) -> Answer:
    most = options.max_states or HEURISTIC_STATES
    with ProgressLine(options, "{:,} states found") as progress:
        report = check_heuristic(position, options.heuristic, max_states=most, progress=progress)
    ending = f"undecided: the {limit_of(report.status, options)} was reached after {count(report.states, 'state')}"
    part = f"undecided: there are more than {count(report.states, 'state')}"
    return answer_for(report, report.holds, str(report), options, ending=ending, part=part)
