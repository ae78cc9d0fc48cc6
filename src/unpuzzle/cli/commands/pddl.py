"""unpuzzle pddl PUZZLE LEVEL."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import NO_ANSWER, YES, Answer
from unpuzzle.cli.files import read_level, unplayable
from unpuzzle.cli.parser import add_level, add_limits, flag, option
from unpuzzle.errors import LimitReached, ParseError
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import is_found, require_places
from unpuzzle.pddl.judging.requirements import lacking, requiring
from unpuzzle.pddl.writer import write
from unpuzzle.planning.translating import task_within

EXAMPLE = "unpuzzle pddl boxup 1 -o build/boxup-1"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    about = "write domain.pddl and problem.pddl into this folder; default: standard output"
    option(parser, "-o --output DIR", about)
    flag(parser, "--force", "overwrite the files of another game")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    level = read_level(options.puzzle, options.level, options)
    try:
        task = task_within(level)
    except LimitReached as reached:
        fields = {"status": reached.status, "domain": None, "problem": None, "message": str(reached)}
        return Answer(NO_ANSWER, fields, "", f"unpuzzle: {reached}")
    domain, problem = write(task)
    if task.domain.span is not None:
        # the author's text, with comments, and this level's additional requirements
        domain = requiring(task.domain.span.source.text, lacking(task))
    if level.game.level_ending == ".pddl":  # the picture lines of the problem stay, too
        problem = str(level)
    if options.output is None:
        fields = {"status": "written", "domain": domain, "problem": problem}
        return Answer(YES, fields, f"{domain}\n{problem}", unplayable(level))
    paths = [os.path.join(options.output, name) for name in ("domain.pddl", "problem.pddl")]
    there = [path for path in paths if os.path.lexists(path)]
    if there and not options.force and not _holds(paths[0], domain):  # the domain tells whose files they are
        reason = "of something else; nothing was written (--force writes over it)"
        raise ParseError(f"there is already {there[0]}, {reason}")
    with Folders(options.output):
        require_places(paths, options.output)
        save_all(dict(zip(paths, (domain, problem), strict=True)))
    fields = {"status": "written", "domain": paths[0], "problem": paths[1]}
    return Answer(YES, fields, "" if options.quiet else "\n".join(paths), unplayable(level))


def _holds(path: str, domain: str) -> bool:
    """Return whether a file holds a domain, apart from its requirements, which differ from level to level."""
    if not is_found(path, os.path.dirname(path)):
        return False
    try:
        with open(path, encoding="utf-8") as file:
            texts = (file.read(2 * len(domain) + 1000), domain)
    except (OSError, UnicodeDecodeError):
        return False
    one, other = (re.sub(r"\(:requirements[^()]*\)", "", text, count=1).split() for text in texts)
    return one == other
