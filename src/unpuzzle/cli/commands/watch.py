"""The command `unpuzzle watch FILE...`: whenever a file is saved, show faults, solutions and what changed."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import BAD_INPUT, BROKEN, NO, NO_ANSWER, YES
from unpuzzle.cli.answer import Answer, View, printable
from unpuzzle.cli.parser import add_limits_of_each, flag, option
from unpuzzle.servers.watch import WAITS, Look, Looker, News, Saves, Subjects, fingerprint, news
from unpuzzle.workspace.inputs import Input, Show

EXAMPLE = """unpuzzle watch domain.pddl
  unpuzzle watch my_puzzle.py
  unpuzzle watch --puzzle sokoban levels.sok"""
TIME = 10.0
MEMORY = 2 << 30
CODES = {"yes": YES, "no": NO, "refused": BAD_INPUT, "undecided": NO_ANSWER, "broken": BROKEN}


def arguments(parser: ArgumentParser) -> None:
    about = "PDDL domains and problems, games, puzzles in Python, or with --puzzle files of levels"
    parser.add_argument("files", metavar="FILE", nargs="*", help=about)
    option(parser, "--puzzle NAME", "the puzzle that the levels in the files belong to")
    flag(parser, "--once", "look once, and end")
    add_limits_of_each(parser, "command or level", TIME)


class WatchRequest(Input):
    """A request to check files at every save, or only `once`; with `json`, the changes are written as JSON."""

    subjects: Subjects
    time_limit: float
    memory_limit: int
    once: bool = False
    json: bool = False

    limits_of_each = True

    def call(self, show: Show = None) -> Look:
        """Report the changes at every save, until Ctrl-C; with `once`, return the only report."""
        subjects, looker = self.subjects, Looker(self.subjects, self.time_limit, self.memory_limit)
        if self.once:
            return looker.look() or Look()
        before: Look | None = None
        seen: object = None
        with Saves(subjects.folders(), subjects.concerns, looker.cancel) as saves:
            while True:
                now = fingerprint(subjects.read())
                if now != seen:
                    look = looker.look()
                    if look is None:  # a save came meanwhile
                        saves.wait()
                        continue
                    seen = now
                    _write_news(news(before, look), self.json)
                    before = look
                saves.wait()


def read(options: Namespace) -> WatchRequest:
    """Find the files to be watched."""
    if not options.files:
        raise UsageError("watch needs a file: name at least one file")
    subjects = Subjects(options.files, options.puzzle)
    return WatchRequest.of(options, subjects=subjects, memory_limit=options.memory_limit or MEMORY)


def present(request: WatchRequest, outcome: Look, view: View) -> Answer:
    first = news(None, outcome)
    return Answer(_code(outcome), first, "\n".join(first.lines()))


def _code(look: Look) -> int:
    """Return the exit code of a report: the highest code among `lint`, the commands and missing files."""
    codes = [CODES[result.verdict] for result in look.results if result.said != WAITS]
    codes += [CODES[look.linted], *[BAD_INPUT for _ in look.missing]]
    return max(codes)


def _write_news(news: News, as_json: bool) -> None:
    """Write the changes, as one line of JSON or as lines of text. Raises BrokenPipeError if nobody reads the output."""
    text = json.dumps(news.to_dict()) if as_json else "\n".join([*news.lines(), ""])
    sys.stdout.write(printable(f"{text}\n", sys.stdout.encoding))
    sys.stdout.flush()
