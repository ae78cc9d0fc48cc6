"""unpuzzle help [COMMAND | FILE | PUZZLE]; also `unpuzzle`, `unpuzzle --help` and `unpuzzle FILE`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence

from unpuzzle.cli.answer import BAD_INPUT, YES, Answer
from unpuzzle.cli.commands import COMMANDS, GROUPS, TO_TRY
from unpuzzle.cli.parser import HelpAsked, flag, operand, option_parser
from unpuzzle.cli.renamed import RENAMED
from unpuzzle.cli.uses import uses_of
from unpuzzle.errors import UsageError
from unpuzzle.translators import installed, names
from unpuzzle.words import shorten, suggestion

EXAMPLE = """unpuzzle help solve
  unpuzzle help levels.sok      what can be done with it; so does `unpuzzle levels.sok`"""
PURPOSE = (
    "A puzzle's rules are written twice, in Python and in PDDL, and compared state by state. You get PDDL that every",
    "planner loads, an optimal plan, the moves, a picture, and evidence that all of them agree.",
)
OPTIONS = {"-h": "help", "--help": "help", "-V": "version", "--version": "version"}
"""The commands behind options in place of a command."""


def command_for(words: Sequence[str]) -> list[str]:
    """Return the command line for words that begin with no command. Raises UsageError if they mean none."""
    if not words:
        return ["help", "--first"]
    first = words[0]
    if first in OPTIONS:
        return [OPTIONS[first], *words[1:]]
    if os.path.exists(first) or _is_puzzle(first):
        return ["help", *words]
    if first.startswith("-"):
        raise UsageError(f"a command comes first, before {shorten(first, 40)}")
    if any(mark in first for mark in "./"):
        raise UsageError(f"there is no file {shorten(first, 60)}, and no such command")
    raise UsageError(f"unknown command {shorten(first, 40)}{suggestion(first, [*COMMANDS, *RENAMED])}")


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "SUBJECT", "a command, a file or a puzzle; default: the list of commands", nargs="?")
    flag(parser, "--first", "show five commands to begin with, as `unpuzzle` alone does")


def execute(options: Namespace) -> Answer:
    """Show the help of a command, what can be done with a file or a puzzle, or all commands."""
    subject = options.subject
    if subject is None:
        return _first_steps() if options.first else _overview()
    subject = RENAMED[subject][0] if subject in RENAMED else subject
    if subject in COMMANDS:
        try:
            option_parser(subject, [])[1].print_help()
        except HelpAsked as asked:
            return Answer(YES, {"help": str(asked)}, str(asked))
    if os.path.exists(subject) or _is_puzzle(subject):
        kind, uses = uses_of(subject)
        lines = list(uses) if options.quiet else [f"{subject}: {kind}", *_columns(uses)]
        return Answer(YES, {"subject": subject, "kind": kind, "to_try": uses}, "\n".join(lines))
    raise UsageError(f"{shorten(subject, 40)} is no command, no file and no puzzle{suggestion(subject, COMMANDS)}")


def _first_steps() -> Answer:
    tries = {f"unpuzzle {words}": about for words, about in TO_TRY.items()}
    last = "`unpuzzle --help` lists all commands, `unpuzzle doctor` tells what is installed."
    lines = [*PURPOSE, "", "five commands to try:", *_columns(tries), "", last]
    return Answer(BAD_INPUT, {"commands": COMMANDS, "to_try": tries}, "\n".join(lines))


def _overview() -> Answer:
    """Return the list of commands, in groups."""
    lines = ["usage: unpuzzle COMMAND ...", "", *PURPOSE, ""]
    for title, commands in GROUPS.items():
        lines += [f"{title}:", *_columns(commands, max(map(len, COMMANDS))), ""]
    lines += [
        "`unpuzzle help COMMAND` shows a command's arguments and an example, `unpuzzle FILE` what can be done with a",
        "file. To begin with: unpuzzle solve boxup 1",
    ]
    groups = {title: list(commands) for title, commands in GROUPS.items()}
    return Answer(YES, {"commands": COMMANDS, "groups": groups}, "\n".join(lines))


def _columns(rows: Mapping[str, str], width: int = 0) -> Iterator[str]:
    width = width or max(map(len, rows), default=0)
    for name, about in rows.items():
        yield f"  {name.ljust(width)}  {about}"


def _is_puzzle(name: str) -> bool:
    return name in names() or name in installed()
