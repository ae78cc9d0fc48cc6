"""The command `unpuzzle pddl PUZZLE LEVEL`: write a level as PDDL files."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace

from unpuzzle.base.errors import LimitReached, ParseError
from unpuzzle.base.files import Folders, is_found, require_places, save_all
from unpuzzle.base.outcomes import NO_ANSWER, YES
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import read_level, unplayable
from unpuzzle.cli.parser import add_level, add_limits, flag, option
from unpuzzle.model.replaying import task_within
from unpuzzle.pddl.writer import lacking, requiring, write
from unpuzzle.workspace.inputs import LevelInput, Show

EXAMPLE = "unpuzzle pddl boxup 1 -o build/boxup-1"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    about = "write domain.pddl and problem.pddl into this folder; default: standard output"
    option(parser, "-o --output DIR", about)
    flag(parser, "--force", "overwrite the files of another game")
    add_limits(parser)


class PddlRequest(LevelInput):
    """A request to write a level as PDDL, into a folder if one is given."""

    folder: str | None = None
    force: bool = False

    def call(self, show: Show = None) -> tuple[str, str] | LimitReached:
        """Return the texts of domain and problem, or the limit that was reached before they were complete."""
        try:
            task = task_within(self.position)
        except LimitReached as reached:
            return reached
        domain, problem = write(task)
        if task.domain.span is not None:
            # the author's text, with comments, and this level's additional requirements
            domain = requiring(task.domain.span.source.text, lacking(task))
        if self.position.game.level_ending == ".pddl":  # the picture lines of the problem stay, too
            problem = str(self.position)
        return domain, problem


def read(options: Namespace) -> PddlRequest:
    level = read_level(options.puzzle, options.level, options.obstacles)
    return PddlRequest(level, options.output, options.force)


def present(request: PddlRequest, outcome: tuple[str, str] | LimitReached, view: View) -> Answer:
    """Return the texts of domain and problem, or write them into the folder."""
    if isinstance(outcome, LimitReached):
        fields = {"status": outcome.status, "domain": None, "problem": None, "message": str(outcome)}
        return Answer(NO_ANSWER, fields, "", f"unpuzzle: {outcome}")
    domain, problem = outcome
    complaint = unplayable(request.position)
    if request.folder is None:
        fields = {"status": "written", "domain": domain, "problem": problem}
        return Answer(YES, fields, f"{domain}\n{problem}", complaint)
    paths = [os.path.join(request.folder, name) for name in ("domain.pddl", "problem.pddl")]
    there = [path for path in paths if os.path.lexists(path)]
    if there and not request.force and not _holds(paths[0], domain):  # the domain shows whose files they are
        reason = "exists already, with other contents; nothing was written (--force overwrites it)"
        raise ParseError(f"the file {there[0]} {reason}")
    with Folders(request.folder):
        require_places(paths, request.folder)
        save_all(dict(zip(paths, outcome, strict=True)))
    fields = {"status": "written", "domain": paths[0], "problem": paths[1]}
    return Answer(YES, fields, "" if view.quiet else "\n".join(paths), complaint)


def _holds(path: str, domain: str) -> bool:
    """Return whether a file contains this domain; requirements may differ, because they depend on the level."""
    if not is_found(path, os.path.dirname(path)):
        return False
    try:
        with open(path, encoding="utf-8") as file:
            texts = (file.read(2 * len(domain) + 1000), domain)
    except (OSError, UnicodeDecodeError):
        return False
    one, other = (re.sub(r"\(:requirements[^()]*\)", "", text, count=1).split() for text in texts)
    return one == other
