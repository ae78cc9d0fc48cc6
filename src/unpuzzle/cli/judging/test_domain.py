"""unpuzzle test-domain DOMAIN.pddl --game NAME, and --template DIR."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.numbers import seed, whole
from unpuzzle.cli.oddities import of_domain
from unpuzzle.cli.parser import add_limits, deadline_of, option
from unpuzzle.cli.problems import STDIN, problem_of, problems_in_stdin
from unpuzzle.cli.progress import ProgressLine
from unpuzzle.cli.verdicts import add_max_states, add_partial, answer_for, limit_of
from unpuzzle.cli.workers import add_scheduler
from unpuzzle.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.defaults import SAMPLES
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import found_files
from unpuzzle.words import count, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.limits import Deadline
    from unpuzzle.pddl.nodes import Domain, Problem
    from unpuzzle.puzzle.position import Game

SHOWN = 3
EXAMPLE = """unpuzzle test-domain my-sokoban.pddl --game sokoban
  unpuzzle test-domain --game sokoban --template exercise"""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("domain", metavar="DOMAIN", nargs="?", help="a PDDL domain file")
    option(parser, "--game NAME", "the puzzle: a name, or a file", required=True)
    about = (
        "a folder with problems LEVEL.pddl for bundled levels, or - for problems named LEVEL in standard input; "
        "default: our own problems, which must fit the domain"
    )
    option(parser, "--problems DIR", about)
    about = "instead, write the texts of the levels into this folder, and skeletons of domain and problems to fill in"
    option(parser, "--template DIR", about)
    option(parser, "--levels LEVEL", "the bundled levels to compare on; default: all", nargs="*")
    option(
        parser,
        "--samples N",
        f"number of random levels to compare on, too; default: {SAMPLES}",
        whole(0),
        default=SAMPLES,
    )
    option(parser, "--seed N", "seed of the random levels", seed, default=0)
    add_max_states(parser, MAX_STATES, "level")
    add_scheduler(parser, "levels at a time, each in a process of its own; default: 1")
    add_partial(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Compare a domain with a game, or write files to fill in."""
    from unpuzzle.checking.domains import check_domain
    from unpuzzle.pddl.reading.reader import read_domain
    from unpuzzle.translators import find

    if (options.domain is None) == (options.template is None):
        raise UsageError("test-domain needs a DOMAIN to test, or --template DIR for one to be written")
    if options.template is not None:
        return _write_template(options)
    deadline = deadline_of(options, "reading the domain")
    game = find(options.game, deadline)
    domain = read_domain(options.domain, limits=deadline)
    problems = None if options.problems is None else _problems(options, game, domain, deadline)
    with ProgressLine(options) as show:
        report = check_domain(
            domain, game, problems, levels=options.levels, samples=options.samples, seed=options.seed,
            max_states=options.max_states, limits=deadline, progress=show,
            workers=options.workers, scheduler=options.scheduler,
        )  # fmt: skip
    place = f"the {limit_of(report.status, options)} was reached while level {len(report.score['levels'])} was compared"
    ending = f"{place}: {'there may be others' if report.findings else 'what is left may differ'}"
    rows = report.undecided
    reasons = "; ".join([f"{row['level']}: {row['message']}" for row in rows[:SHOWN]])
    more = f"; and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    part = f"undecided on {count(len(rows), 'level')} ({reasons}{more})"
    answer = answer_for(report, report.same, report.text, options, ending=ending, part=part)
    answer.warn(of_domain(options.domain, deadline.limits))
    return answer


def _write_template(options: Namespace) -> Answer:
    """Write the files to fill in. Raises ParseError, and writes nothing, if such files exist."""
    from unpuzzle.checking.templates import template
    from unpuzzle.translators import find

    files = template(find(options.game), options.levels, folder=options.template, named=options.game)
    paths = {os.path.join(options.template, name): text for name, text in files.items()}
    there = [path for path in paths if os.path.lexists(path)]
    if there:
        raise ParseError(f"there is already {there[0]}; nothing was written")
    with Folders(options.template):
        save_all(paths, new=True)
    fields = {"status": "written", "files": list(paths)}
    return Answer(YES, fields, "" if options.quiet else "\n".join(paths))


def _problems(options: Namespace, game: Game, domain: Domain, deadline: Deadline) -> dict[str, Problem]:
    """Read the problems of a folder, which are named after levels. Raises ParseError for other names, or none."""
    from unpuzzle.pddl.reading.reader import read_problem

    if options.problems == "-":
        before = f"{game.name}-"  # as templates name them
        texts = {name.removeprefix(before): text for name, text in problems_in_stdin(options).items()}
        for level in texts:
            _require_level(level, game, STDIN)
        return {level: problem_of(STDIN, text, domain, options) for level, text in texts.items()}
    problems = {}
    for path in found_files(options.problems, ".pddl"):
        level = os.path.basename(path).removesuffix(".pddl")
        if os.path.samefile(path, options.domain):
            continue
        _require_level(level, game, path)
        problems[level] = read_problem(path, domain, limits=deadline)
    if not problems:
        raise ParseError(f"{options.problems} has no problem LEVEL.pddl of a bundled level: {', '.join(game.levels)}")
    return problems


def _require_level(level: str, game: Game, file: str) -> None:
    if level not in game.levels:
        hint = suggestion(level, game.levels) or f"; there are {', '.join(game.levels)}"
        raise ParseError(f"'{level}' is not a bundled level of {game.name}{hint}", file=file)
