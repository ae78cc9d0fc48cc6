"""The command `unpuzzle check PUZZLE LEVEL`: check the PDDL against the rules.

With --heuristic, it checks a heuristic against its claims. `unpuzzle check FILE --game GAME` checks what
somebody wrote for a game: a PDDL domain, or components in Python.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import Any

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.defaults import COMPARED_STATES_OF_EACH, SAMPLES
from unpuzzle.base.errors import Interrupted, ParseError, UsageError, WorkersFailed
from unpuzzle.base.files import Folders, found_files, save_all
from unpuzzle.base.outcomes import ERROR, INTERRUPTED, NO, NO_ANSWER, OF_STATUS, UNSUPPORTED, YES, of_error
from unpuzzle.base.run import phase
from unpuzzle.base.tables import align_columns
from unpuzzle.base.text import count, listed, suggestion
from unpuzzle.base.values import Record, schema_name
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.commands.task_differences import STDIN, DiffRequest, present_diff, problem_of, problems_in_stdin
from unpuzzle.cli.drawing import picture_by_pddl
from unpuzzle.cli.files import levels_of, read_game, read_level, read_text, unplayable
from unpuzzle.cli.lint_warnings import of_domain, of_level, of_task
from unpuzzle.cli.parser import A_PUZZLE, add_limits, flag, operand, option, seed, whole
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.cli.verdicts import add_partial, answer_for, limit_of
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.nodes import Domain, Problem, Task
from unpuzzle.pddl.reading.reader import read_domain, read_problem
from unpuzzle.translators import find
from unpuzzle.untrusted.instances import Instance
from unpuzzle.untrusted.sandbox import LACKING
from unpuzzle.untrusted.trying import SEARCH, check_components
from unpuzzle.verification.domains import DomainReport, check_domain, template
from unpuzzle.verification.heuristics import HeuristicCheck, check_heuristic
from unpuzzle.verification.many_levels import LevelCheck, LevelChecks, check_levels
from unpuzzle.verification.report import Check, Report
from unpuzzle.verification.side_by_side import check, task_of
from unpuzzle.workspace.inputs import GameInput, Input, LevelInput, ReadLevel, RowsSoFar, Show

EXAMPLE = """unpuzzle check boxup 1 --domain my-boxup.pddl
  unpuzzle check sliding-tiles 2x3 --heuristic misplaced
  unpuzzle check my-sokoban.pddl --game sokoban     a domain that somebody wrote for a game
  unpuzzle check my-sokoban.py --game sokoban       components that somebody wrote for a game
  unpuzzle check --game sokoban --template exercise"""
HEURISTIC_STATES = 20_000
CODE, PDDL = ".py", ".pddl"
OF_LEVELS = ("level", "others", "domain", "problem", "heuristic")
OF_DOMAINS = ("problems", "template", "samples", "max_states", "partial", "workers", "scheduler")
OF_CODE = ("code", "unsafe")
"""Options by the thing to check: levels of a puzzle, a domain for a game, components for a game."""
WALLS = {
    "limits": "limits of processor time",
    "no_network": "no network",
    "no_processes": "no processes",
    "files_closed": "no files",
    "namespaces": "its own namespaces",
}
"""Descriptions of the sandbox's working walls."""
LIMITS = {"time limit", "memory limit"}
"""Kinds of findings that only say that there was no answer."""
SHOWN = 3


def arguments(parser: ArgumentParser) -> None:
    operand(
        parser, "PUZZLE", f"{A_PUZZLE}; with --game: the FILE to check, .pddl or .py, - for code from standard input"
    )
    about = "a level: its name, a file, or -; of several each is checked in a separate process, and shown in a table"
    operand(parser, "LEVEL", about)
    parser.add_argument("others", metavar="LEVEL", nargs="*", help="more levels to check")
    option(parser, "--domain FILE", "check this PDDL domain instead of the puzzle's own")
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
    option(parser, "--problems DIR", f"{about}standard input; default: the puzzle's own, which must fit the domain")
    about = "with --game, without a FILE: write the texts of the levels into this folder, and skeletons of domain and "
    option(parser, "--template DIR", f"{about}problems to fill in")
    about = f"with --game: number of random levels to compare a domain on, too; default: {SAMPLES}"
    option(parser, "--samples N", about, whole(0))
    flag(parser, "--code", f"with --game: FILE is code, even if its name does not end with {CODE}")
    flag(parser, "--unsafe", "with --game: run code even where the system cannot enclose it in a sandbox")
    about = "levels at a time, each in a separate process, if there are several; default: 1"
    add_limits(parser, workers=about, processes=None)


class CheckInput(LevelInput):
    """A request to compare the rules of a level with the level's PDDL, or with another `task`."""

    max_states: int
    seed: int = 0
    task: Task | None = None
    shows = "{:,} states compared"

    def call(self, show: Show = None) -> CheckOutcome:
        """Compare rules and PDDL; after an interruption, return the comparison so far."""
        most, seed = self.max_states, self.seed
        try:
            return CheckOutcome(check(self.position, task=self.task, max_states=most, seed=seed, progress=show))
        except Interrupted as error:
            if not error.report.states:
                raise
            return CheckOutcome(error.report, error)


class CheckOutcome(Record):
    """The report of a check, and the interruption that ended the check, if any (`ended_by`)."""

    report: Check
    ended_by: Interrupted | None = None

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict()


class HeuristicInput(LevelInput):
    """A request to compare a heuristic with the true costs on a level."""

    heuristic: str
    max_states: int
    shows = "{:,} states found"

    def call(self, show: Show = None) -> HeuristicCheck:
        return check_heuristic(self.position, self.heuristic, max_states=self.max_states, progress=show)


class LevelsCheckInput(GameInput):
    """A request to compare the rules and the PDDL of named levels, in several processes or on a Dask cluster."""

    levels: dict[str, Position]
    max_states: int
    seed: int = 0
    workers: int = 1
    scheduler: str | None = None
    shows = "level {}: {:,} states compared"

    def call(self, show: Show = None) -> LevelsCheckOutcome:
        """Compare all levels; after an interruption, return the table rows so far."""
        rows: list[LevelCheck] = []

        def add(row: LevelCheck) -> None:
            rows.append(row)
            if show is not None:
                show(row.level, row.states)

        with RowsSoFar(rows) as so_far:
            return LevelsCheckOutcome(
                check_levels(
                    self.levels, max_states=self.max_states, seed=self.seed,
                    workers=self.workers, scheduler=self.scheduler, on_row=add,
                )
            )  # fmt: skip
        return LevelsCheckOutcome(LevelChecks(tuple(rows)), so_far.ended_by)


class LevelsCheckOutcome(Record):
    """The table rows of a check of several levels; if `ended_by` is set, some rows are missing."""

    checks: LevelChecks
    ended_by: KeyboardInterrupt | WorkersFailed | None = None

    def to_dict(self) -> dict[str, Any]:
        return self.checks.to_dict() | {"same": self.checks.same, "status": self.checks.status}


class ComparedTask(Record):
    """A task read from files, and the words of the command line that name these files and the level.

    Attributes:
        problem: the file of the problem, None for the level's own.
    """

    puzzle: str
    level: str
    domain: str
    problem: str | None
    task: Task

    def comparing(self) -> str:
        """Return the command lines that compare the task with the level without regard to names."""
        return _comparing(self.puzzle, self.level, self.domain, self.problem or "DIR/problem.pddl")

    def warnings(self, level: ReadLevel, *, doubtful: bool) -> list[str]:
        """Return the warnings of lint about the text of the level and about the PDDL files."""
        of_files = of_task(self.task, level.position, own=self.problem is None, doubtful=doubtful)
        return [*of_level(level, doubtful=doubtful), *of_files]


def _compared(options: Namespace, position: Position) -> ComparedTask:
    """Read the task of --domain and --problem. Raises ParseError, with advice if the two files use different names."""
    puzzle, level, domain, problem = options.puzzle, options.level, options.domain, options.problem
    try:
        with ReadingPddl(domain, problem):
            return ComparedTask(puzzle, level, domain, problem, task_of(position, domain, problem))
    except ParseError as error:
        if problem is not None or error.file == domain:
            raise
        pddl = puzzle.lower().endswith(PDDL)
        cure = "--problem names another" if pddl else _comparing(puzzle, level, domain, "PROBLEM")
        message = f"the level's own problem does not fit this domain: {error.message}; {cure}"
        raise ParseError(message, file=error.file, line=error.line, column=error.column, text=error.text) from error


def _comparing(puzzle: str, level: str, domain: str, problem: str) -> str:
    game = f"`unpuzzle pddl {puzzle} {level} --output DIR`"
    diff = f"`unpuzzle diff DIR/domain.pddl DIR/problem.pddl {domain} {problem}`"
    return f"check compares names exactly; to compare up to names, run {game}, then {diff}"


class CheckRequest(CheckInput):
    """A request to check a level; `partial` accepts an incomplete check; `other` is a task from files to compare."""

    partial: bool = False
    other: ComparedTask | None = None


class ClaimsRequest(HeuristicInput):
    """A request to check a heuristic; `partial` accepts an incomplete check that found no fault."""

    partial: bool = False


class ChecksRequest(LevelsCheckInput):
    """A request to check several levels; `partial` accepts an incomplete check that found no difference."""

    partial: bool = False


class SameRequest(DiffRequest):
    """A request to compare a PDDL level with another task; it is used for games that consist of PDDL alone."""

    level: ReadLevel | None = None
    other: ComparedTask | None = None


def read(options: Namespace) -> Input:
    """Read what is to be checked: a level and its PDDL, a heuristic, several levels, or a file written for a game."""
    if options.game is not None:
        return _file_of(options)
    _refuse(options, ("problems", "template", "samples", "levels", *OF_CODE), "is for a file: add --game GAME")
    if options.domain is None and options.problem is not None:
        raise UsageError("--problem needs --domain: name the file of the domain, too")
    if options.domain is not None and options.heuristic is not None:
        raise UsageError("--heuristic uses the rules only: leave out --domain")
    pddl, most = options.puzzle.lower().endswith(PDDL), options.max_states or MAX_STATES
    # A PDDL game has no rules of its own, so a second task or a heuristic must be given.
    if pddl and options.heuristic is None and (options.domain is None or options.others):
        raise UsageError(
            f"there are no rules to compare with: {options.puzzle} is a PDDL domain. --domain FILE compares the task "
            "with another, --game GAME with a puzzle; `diff` compares two tasks, and `lint` finds faults"
        )
    if options.others:
        if options.domain is not None or options.heuristic is not None:
            raise UsageError("--domain and --heuristic work for one level only: name one level")
        game = read_game(options.puzzle)
        named = levels_of(game, options.puzzle, [options.level, *options.others])
        levels = {level.name: level.position(game) for level in named}
        return ChecksRequest.of(options, game=game, levels=levels, max_states=most, workers=options.workers or 1)
    if options.scheduler is not None:
        raise UsageError(
            "--scheduler is for several levels: leave out --scheduler, as one level is checked by this process"
        )
    level = read_level(options.puzzle, options.level)
    if options.heuristic is not None:
        return ClaimsRequest.of(options, level=level, max_states=options.max_states or HEURISTIC_STATES)
    other = None if options.domain is None else _compared(options, level.position)
    if pddl:
        assert other is not None
        tasks = level.position.task(), other.task
        return SameRequest(tasks, most, partial=options.partial, level=level, other=other)
    task = None if other is None else other.task
    return CheckRequest.of(options, level=level, max_states=most, task=task, other=other)


def _file_of(options: Namespace) -> Input:
    """Read a file written for a game; with --template, return the request to write templates of such files."""
    file = options.puzzle
    _refuse(options, OF_LEVELS, "is for levels of a puzzle, not for a file")
    if (file is None) == (options.template is None):
        raise UsageError("--game needs a FILE to check, or --template DIR to write a template")
    if file is None:
        return TemplateRequest(find(options.game), options.levels, options.template, options.game)
    if not options.code and file != "-" and not file.lower().endswith(CODE):
        _refuse(options, OF_CODE, "is for code")
        return domain_request(file, options)
    _refuse(options, (*OF_DOMAINS, "time_limit", "cpu_limit", "memory_limit"), "is for a domain, not for code")
    if options.levels == []:
        raise UsageError("--levels needs at least one level")
    return code_request(file, options)


def _refuse(options: Namespace, names: Iterable[str], reason: str) -> None:
    """Raise UsageError for options that do not apply to this kind of check."""
    for name in names:
        if vars(options)[name] not in (None, False, []):
            shown = "LEVEL" if name in ("level", "others") else f"--{name.replace('_', '-')}"
            raise UsageError(f"{shown} {reason}")


def present(request: Input, outcome: Any, view: View) -> Answer:
    """Return the answer with the verdict and all findings."""
    if isinstance(request, SameRequest):
        answer = present_diff(request, outcome, view)
        assert request.level is not None
        assert request.other is not None
        answer.warn(request.other.warnings(request.level, doubtful=answer.code == NO))
        return answer
    if isinstance(request, CheckRequest):
        return _of_level(request, outcome, view)
    if isinstance(request, ChecksRequest):
        return _of_levels(request, outcome)
    if isinstance(request, ClaimsRequest):
        states = count(outcome.states, "state")
        ending = f"undecided: the {limit_of(outcome.status)} was reached after {states}"
        part = f"undecided: there are more than {states}"
        return answer_for(outcome, outcome.holds, str(outcome), request.partial, ending=ending, part=part)
    answer_of_file: Answer = request.answer(outcome, view)  # type: ignore[attr-defined]
    return answer_of_file


def _of_level(request: CheckRequest, outcome: CheckOutcome, view: View) -> Answer:
    """Return the answer of a check of one level."""
    report, position, other = outcome.report, request.position, request.other
    text = str(report)
    if report.difference is not None and not view.quiet:
        text += f"\n\n{report.difference.picture(position)}{picture_by_pddl(report.difference, position)}"
    why = "interrupted" if outcome.ended_by else f"the {limit_of(report.status)} was reached"
    # A difference is certain, whatever ended the comparison.
    rest = "there may be a shorter way to a difference" if report.difference else "the rest may differ"
    ending, part = f"{why} after {count(report.states, 'state')}: {rest}", "undecided: not all states were compared"
    answer = answer_for(report, report.same, text, request.partial, ending=ending, part=part)
    if outcome.ended_by is not None and (code := of_error(outcome.ended_by)) is not None:
        answer.code, answer.fields["status"] = code
    answer.complain(unplayable(position))
    doubtful = report.difference is not None
    hint = _hint(position, other) if other is not None and doubtful else ""
    if hint:
        answer.fields["hint"] = hint
        answer.complain(f"unpuzzle: {hint}")
    if other is not None:
        answer.warn(other.warnings(request.level, doubtful=doubtful))
    else:
        answer.warn(of_level(request.level, doubtful=doubtful))
    return answer


def _of_levels(request: ChecksRequest, outcome: LevelsCheckOutcome) -> Answer:
    """Return the answer of a check of several levels, with a table."""
    checks = outcome.checks
    cells = [
        [row.level, "-" if row.same is None else "yes" if row.same else "no", row.status, f"{row.states:,}"]
        for row in checks.levels
    ]
    text = align_columns(("level", "same", "status", "states"), cells, ("level", "same", "status"))
    undecided = [row for row in checks.levels if row.same is None]
    ending = part = f"undecided on {count(len(undecided), 'level')}"
    answer = answer_for(checks, checks.same, text, request.partial, ending=ending, part=part)
    answer.fields |= {"same": checks.same, "status": checks.status}
    for row in checks.levels:
        if row.difference is not None or row.message:
            answer.complain(f"unpuzzle: level {row.level}: {row.message or str(row.difference).partition(chr(10))[0]}")
    broken = [OF_STATUS[row.status] for row in undecided if row.status in (ERROR, UNSUPPORTED)]
    if outcome.ended_by is not None:
        answer.code, _ = of_error(outcome.ended_by) or (INTERRUPTED, "")
    elif checks.same is None:
        answer.code = max(broken, default=answer.code)
    return answer


def _hint(position: Position, other: ComparedTask) -> str:
    """Return advice if a domain lacks names that the game uses and has others instead; else an empty text."""
    domains = position.task().domain, other.task.domain
    ours, theirs = ({*_names(domain.actions), *_names(domain.predicates)} for domain in domains)
    unknown = sorted(theirs - ours)
    if not unknown or ours <= theirs:
        return ""
    return f"the domain has names that the game's does not have ({listed(unknown, 3)}); {other.comparing()}"


def _names(declared: Iterable[Any]) -> list[str]:
    return [each.name for each in declared]


# What somebody wrote for a game: a domain in PDDL, or components in Python.


class DomainRequest(GameInput):
    """A request to compare somebody's domain with a game, on the given problems or on the game's own problems."""

    file: str
    domain: Domain
    problems: dict[str, Problem] | None
    levels: list[str] | None
    samples: int
    max_states: int
    seed: int
    workers: int
    scheduler: str | None
    partial: bool

    def call(self, show: Show = None) -> DomainReport:
        with phase("reading the domain"):
            return check_domain(
                self.domain, self.game, self.problems, levels=self.levels, seed=self.seed, samples=self.samples,
                max_states=self.max_states, progress=show, workers=self.workers, scheduler=self.scheduler,
            )  # fmt: skip

    def answer(self, report: DomainReport, view: View) -> Answer:
        place = f"the {limit_of(report.status)} was reached while level {len(report.score['levels'])} was compared"
        ending = f"{place}: {'there may be others' if report.findings else 'the rest may differ'}"
        rows = report.undecided
        reasons = "; ".join([f"{row['level']}: {row['message']}" for row in rows[:SHOWN]])
        more = f"; and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
        part = f"undecided on {count(len(rows), 'level')} ({reasons}{more})"
        answer = answer_for(report, report.same, report.text, self.partial, ending=ending, part=part)
        answer.warn(of_domain(self.file))
        return answer


def domain_request(file: str, options: Namespace) -> DomainRequest:
    """Read a domain and, if given, the problems of the levels."""
    with phase("reading the domain"):
        game = find(options.game)
        with ReadingPddl(file):
            domain = read_domain(file)
        problems = None if options.problems is None else _problems(file, options.problems, game, domain)
    return DomainRequest.of(
        options, file=file, game=game, domain=domain, problems=problems, workers=options.workers or 1,
        samples=SAMPLES if options.samples is None else options.samples,
        max_states=options.max_states or COMPARED_STATES_OF_EACH,
    )  # fmt: skip


class TemplateRequest(GameInput):
    """A request to write files to be filled in for a game; `named` is the game's name in the command line."""

    levels: list[str] | None
    folder: str
    named: str

    def call(self, show: Show = None) -> dict[str, str]:
        """Write the files; return their texts by path. Raises ParseError, without writing, if a file exists."""
        files = template(self.game, self.levels, folder=self.folder, named=self.named)
        paths = {os.path.join(self.folder, name): text for name, text in files.items()}
        there = [path for path in paths if os.path.lexists(path)]
        if there:
            raise ParseError(f"nothing was written, as the file {there[0]} exists already: name another folder")
        with Folders(self.folder):
            save_all(paths, new=True)
        return paths

    def answer(self, paths: dict[str, str], view: View) -> Answer:
        fields = {"schema": schema_name("test-domain"), "status": "written", "files": list(paths)}
        return Answer(YES, fields, "" if view.quiet else "\n".join(paths))


def _problems(file: str, folder: str, game: Game, domain: Domain) -> dict[str, Problem]:
    """Read the problem files in a folder, which are named like levels. Raises ParseError for other or no files."""
    if folder == "-":
        before = f"{game.name}-"  # as templates name them
        texts = {name.removeprefix(before): text for name, text in problems_in_stdin().items()}
        for level in texts:
            _require_level(level, game, STDIN)
        return {level: problem_of(STDIN, text, domain) for level, text in texts.items()}
    problems = {}
    for path in found_files(folder, ".pddl"):
        level = os.path.basename(path).removesuffix(".pddl")
        if os.path.samefile(path, file):
            continue
        _require_level(level, game, path)
        problems[level] = read_problem(path, domain)
    if not problems:
        raise ParseError(
            f"the folder {folder} has no file LEVEL.pddl for a bundled level; the levels are {', '.join(game.levels)}"
        )
    return problems


def _require_level(level: str, game: Game, file: str) -> None:
    if level not in game.levels:
        hint = suggestion(level, game.levels) or f"; the levels are {', '.join(game.levels)}"
        raise ParseError(f"'{level}' is not a bundled level of {game.name}{hint}", file=file)


class CodeRequest(GameInput):
    """A request to test search components for a game, on `levels` or, if this is None, on default levels."""

    code: str
    name: str
    levels: list[Instance] | None
    seed: int
    unsafe: bool

    def call(self, show: Show = None) -> Report:
        return check_components(self.code, self.game, self.name, levels=self.levels, seed=self.seed, unsafe=self.unsafe)

    def answer(self, report: Report, view: View) -> Answer:
        return Answer(_code(report), report, _text(report, view.quiet))


def code_request(file: str, options: Namespace) -> CodeRequest:
    """Read search components from a file, and the levels on which to test them."""
    game = find(options.game)
    code, name = read_text(file)
    levels = None
    if options.levels is not None:
        starts = [(each, read_level(options.game, each).position) for each in options.levels]
        levels = [Instance(f"level {each}", start, options.seed + i) for i, (each, start) in enumerate(starts)]
    return CodeRequest.of(options, game=game, code=code, name=name, levels=levels)


def _code(report: Report) -> int:
    """Return the exit code for a report on components: unknown if its only findings are calls that reached a limit."""
    if report.right:
        return YES
    kinds = {finding.kind for finding in report.findings}
    open_to_doubt = kinds - LIMITS <= {SEARCH} and kinds & LIMITS  # a search fails after a call without an answer
    return NO_ANSWER if open_to_doubt and False not in (report.sound, report.complete) else NO


def _text(report: Report, quiet: bool) -> str:
    """Return the report and its score as text, and which protections the sandbox could not use."""
    if quiet:
        return report.text
    score = report.score
    tests, states, levels, games = (count(score[f"{noun}s"], noun) for noun in ("test", "state", "level", "game"))
    expanded = count(score["expanded"], "state")
    lines = [
        report.text,
        f"{score['passed']} of {tests} passed, on {states} of {levels} (all states of {score['exhaustive']} of them)",
        f"{score['solved']} of {games} solved: {expanded} expanded, {score['generated']} generated",
    ]
    active = [words for name, words in WALLS.items() if score["sandbox"].get(name)]
    lines.append(f"the sandbox: {', '.join(active) or 'none'}")
    lines += [f"note: this system {lack}" for name, lack in LACKING.items() if not score["sandbox"].get(name)]
    return "\n".join(lines)
