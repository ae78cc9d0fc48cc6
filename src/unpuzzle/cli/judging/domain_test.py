"""`unpuzzle check DOMAIN.pddl --game GAME`: check somebody's domain for a game, or write files (--template DIR)."""

from __future__ import annotations

import os
from argparse import Namespace

from unpuzzle.base.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.base.defaults import SAMPLES
from unpuzzle.base.errors import YES, ParseError
from unpuzzle.base.files import Folders, found_files, save_all
from unpuzzle.base.run import phase
from unpuzzle.base.text import count, suggestion
from unpuzzle.base.values import schema_name
from unpuzzle.checking.domains import DomainReport, check_domain, template
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.clearer_errors import ReadingPddl
from unpuzzle.cli.judging.grade import STDIN, problem_of, problems_in_stdin
from unpuzzle.cli.lint_warnings import of_domain
from unpuzzle.cli.verdicts import answer_for, limit_of
from unpuzzle.pddl.nodes import Domain, Problem
from unpuzzle.pddl.reading.reader import read_domain, read_problem
from unpuzzle.puzzle.position import Game
from unpuzzle.translators import find
from unpuzzle.workspace.commands.input import GameInput, Show

SHOWN = 3


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
        samples=SAMPLES if options.samples is None else options.samples, max_states=options.max_states or MAX_STATES,
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
            raise ParseError(f"there is already {there[0]}; nothing was written")
        with Folders(self.folder):
            save_all(paths, new=True)
        return paths

    def answer(self, paths: dict[str, str], view: View) -> Answer:
        fields = {"schema": schema_name("test-domain"), "status": "written", "files": list(paths)}
        return Answer(YES, fields, "" if view.quiet else "\n".join(paths))


def _problems(file: str, folder: str, game: Game, domain: Domain) -> dict[str, Problem]:
    """Read the problems in a folder, named after levels. Raises ParseError for other names or no problems."""
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
            f"{folder} has no problem LEVEL.pddl of a bundled level; the levels are {', '.join(game.levels)}"
        )
    return problems


def _require_level(level: str, game: Game, file: str) -> None:
    if level not in game.levels:
        hint = suggestion(level, game.levels) or f"; the levels are {', '.join(game.levels)}"
        raise ParseError(f"'{level}' is not a bundled level of {game.name}{hint}", file=file)
