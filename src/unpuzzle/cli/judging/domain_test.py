"""`unpuzzle check DOMAIN.pddl --game GAME`: a domain that somebody wrote for a game; and --template DIR."""

from __future__ import annotations

import os
from argparse import Namespace

from unpuzzle.checking.domains import check_domain
from unpuzzle.checking.templates import template
from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.oddities import of_domain
from unpuzzle.cli.problems import STDIN, problem_of, problems_in_stdin
from unpuzzle.cli.verdicts import answer_for, limit_of
from unpuzzle.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.defaults import SAMPLES
from unpuzzle.errors import ParseError
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import found_files
from unpuzzle.pddl.nodes import Domain, Problem
from unpuzzle.pddl.reading.reader import read_domain, read_problem
from unpuzzle.puzzle.position import Game
from unpuzzle.record import schema_name
from unpuzzle.run import phase
from unpuzzle.translators import find
from unpuzzle.words import count, suggestion

SHOWN = 3


def check_file(file: str, options: Namespace) -> Answer:
    """Compare the domain in a file with the game in the options."""
    with phase("reading the domain"):
        game = find(options.game)
        domain = read_domain(file)
        problems = None if options.problems is None else _problems(file, options, game, domain)
        with ProgressLine(options) as show:
            report = check_domain(
                domain, game, problems, levels=options.levels, seed=options.seed,
                samples=SAMPLES if options.samples is None else options.samples,
                max_states=options.max_states or MAX_STATES, progress=show,
                workers=options.workers or 1, scheduler=options.scheduler)  # fmt: skip
        place = (
            f"the {limit_of(report.status, options)} was reached while level {len(report.score['levels'])} was compared"
        )
        ending = f"{place}: {'there may be others' if report.findings else 'what is left may differ'}"
        rows = report.undecided
        reasons = "; ".join([f"{row['level']}: {row['message']}" for row in rows[:SHOWN]])
        more = f"; and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
        part = f"undecided on {count(len(rows), 'level')} ({reasons}{more})"
        answer = answer_for(report, report.same, report.text, options, ending=ending, part=part)
        answer.warn(of_domain(file))
        return answer


def write_template(options: Namespace) -> Answer:
    """Write the files to fill in. Raises ParseError, and writes nothing, if such files exist."""
    files = template(find(options.game), options.levels, folder=options.template, named=options.game)
    paths = {os.path.join(options.template, name): text for name, text in files.items()}
    there = [path for path in paths if os.path.lexists(path)]
    if there:
        raise ParseError(f"there is already {there[0]}; nothing was written")
    with Folders(options.template):
        save_all(paths, new=True)
    fields = {"schema": schema_name("test-domain"), "status": "written", "files": list(paths)}
    return Answer(YES, fields, "" if options.quiet else "\n".join(paths))


def _problems(file: str, options: Namespace, game: Game, domain: Domain) -> dict[str, Problem]:
    """Read the problems of a folder, which are named after levels. Raises ParseError for other names, or none."""
    if options.problems == "-":
        before = f"{game.name}-"  # as templates name them
        texts = {name.removeprefix(before): text for name, text in problems_in_stdin(options).items()}
        for level in texts:
            _require_level(level, game, STDIN)
        return {level: problem_of(STDIN, text, domain, options) for level, text in texts.items()}
    problems = {}
    for path in found_files(options.problems, ".pddl"):
        level = os.path.basename(path).removesuffix(".pddl")
        if os.path.samefile(path, file):
            continue
        _require_level(level, game, path)
        problems[level] = read_problem(path, domain)
    if not problems:
        raise ParseError(f"{options.problems} has no problem LEVEL.pddl of a bundled level: {', '.join(game.levels)}")
    return problems


def _require_level(level: str, game: Game, file: str) -> None:
    if level not in game.levels:
        hint = suggestion(level, game.levels) or f"; there are {', '.join(game.levels)}"
        raise ParseError(f"'{level}' is not a bundled level of {game.name}{hint}", file=file)
