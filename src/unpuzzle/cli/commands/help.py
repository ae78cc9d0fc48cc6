"""The command `unpuzzle help [COMMAND | FILE | PUZZLE]`: explain a command, a file or a puzzle.

`unpuzzle`, `unpuzzle --help` and `unpuzzle FILE` are answered here, too.
"""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence

from unpuzzle.base.errors import UnpuzzleError, UsageError
from unpuzzle.base.files import found_files, is_of_people
from unpuzzle.base.outcomes import BAD_INPUT, YES
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.commands import COMMANDS, GROUPS, RENAMED, TO_TRY
from unpuzzle.cli.files import level_file, read_any_text, read_text
from unpuzzle.cli.parser import HelpAsked, flag, operand, option_parser
from unpuzzle.cli.refusals import PlayingGame
from unpuzzle.pddl.matching import DOMAIN, PLAN, PROBLEM, domain_beside, kind_of_file, read_text_of
from unpuzzle.translators import find, installed, names
from unpuzzle.workspace.inputs import Input, Show
from unpuzzle.workspace.kinds import CODE, GAME, kind_and_puzzle

EXAMPLE = """unpuzzle help solve
  unpuzzle help levels.sok      what can be done with it; so does `unpuzzle levels.sok`"""
PURPOSE = (
    "A puzzle's rules are written twice, in Python and in PDDL, and compared state by state. You get PDDL that every",
    "planner loads, an optimal plan, the moves, a picture, and evidence that all of them agree.",
)
OPTIONS = {"-h": "help", "--help": "help", "-V": "version", "--version": "version"}
"""The commands behind options in place of a command."""


def command_for(words: Sequence[str]) -> list[str]:
    """Return the command line that words without a command mean. Raises UsageError if the meaning is unclear."""
    if not words:
        return ["help", "--first"]
    first = words[0]
    if first in OPTIONS:
        return [OPTIONS[first], *words[1:]]
    if os.path.exists(first) or _is_puzzle(first):
        return ["help", *words]
    if first.startswith("-"):
        raise UsageError(f"a command must come first, before {shorten(first, 40)}")
    if any(mark in first for mark in "./"):
        raise UsageError(f"{shorten(first, 60)} is neither a file that exists nor a command")
    raise UsageError(f"unknown command {shorten(first, 40)}{suggestion(first, [*COMMANDS, *RENAMED])}")


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "SUBJECT", "a command, a file or a puzzle; default: the list of commands", nargs="?")
    flag(parser, "--first", "show five commands to begin with, as `unpuzzle` alone does")


class HelpRequest(Input):
    """A request for help on a command, file or puzzle (`subject`); without it, on all commands or the `first` ones."""

    subject: str | None = None
    first: bool = False

    def call(self, show: Show = None) -> SubjectUses | str | None:
        """Return the help text of a command, the uses of a file or a puzzle, or None without a subject."""
        if self.subject is None:
            return None
        if self.subject in COMMANDS:
            try:
                option_parser(self.subject, [])[1].print_help()
            except HelpAsked as request:
                return str(request)
        return SubjectUses(self.subject, *uses_of(self.subject))


class SubjectUses(Record):
    """The kind of a file or a puzzle, and the commands `to_try` on it, each with a purpose."""

    subject: str
    kind: str
    to_try: Mapping[str, str]


def read(options: Namespace) -> HelpRequest:
    """Read the subject of the help. Raises UsageError if it is not a command, a file or a puzzle."""
    word = options.subject
    subject = RENAMED[word][0] if word in RENAMED else word
    if not (subject is None or subject in COMMANDS or os.path.exists(subject) or _is_puzzle(subject)):
        raise UsageError(f"{shorten(subject, 40)} is not a command, a file or a puzzle{suggestion(subject, COMMANDS)}")
    return HelpRequest.of(options, subject=subject)


def present(request: HelpRequest, outcome: SubjectUses | str | None, view: View) -> Answer:
    """Return the help of a command, the uses of a file or a puzzle, or the list of commands."""
    if outcome is None:
        return _first_steps() if request.first else _overview()
    if isinstance(outcome, str):
        return Answer(YES, {"help": outcome}, outcome)
    uses = outcome.to_try
    lines = [*uses] if view.quiet else [f"{outcome.subject}: {outcome.kind}", *_columns(uses)]
    return Answer(YES, outcome, "\n".join(lines))


def _first_steps() -> Answer:
    tries = {f"unpuzzle {words}": about for words, about in TO_TRY.items()}
    last = "`unpuzzle --help` lists all commands, `unpuzzle doctor` shows what is installed."
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


Uses = dict[str, str]
"""The purpose of each command line."""
PDDL, RUNS = ".pddl", ".jsonl"
KINDS = {DOMAIN: "a PDDL domain", PROBLEM: "a PDDL problem", PLAN: "a plan", GAME: "a game"}


def uses_of(subject: str) -> tuple[str, Uses]:
    """Return the kind of a file or puzzle, and the commands for it. Raises UsageError for an unknown kind."""
    if not os.path.exists(subject):
        return "a puzzle", _of_game(subject)
    named = subject if not subject.startswith("-") else os.path.join(os.curdir, subject)
    lint = _lines(("lint", named, "find all faults"))
    if os.path.isdir(subject):
        if not any(found_files(named, PDDL, enters=is_of_people, quiet=True)):
            raise UsageError(f"there is no PDDL file in the folder {subject}; name a file")
        return "a folder", lint | _lines(("format", named, "--diff", "show how its files would be laid out"))
    if subject.endswith(RUNS):
        return "runs of an experiment", _lines(("report", named, "scores, what is wrong, what has changed"))
    text = read_any_text(subject)
    kind, named_by = kind_and_puzzle(named, text)
    kind = PLAN if kind_of_file(named, text) == PLAN and kind not in (GAME, CODE) else kind
    if kind in KINDS:
        make = {PROBLEM: _of_problem, PLAN: _of_plan}.get(kind, _of_game)
        try:
            return KINDS[kind], lint | make(named)
        except UnpuzzleError:  # `lint` reports its faults, or that there is no domain
            return KINDS[kind], lint
    if kind == CODE:
        return ("search components", _of_code(named)) if "def successors" in text else ("a puzzle", _of_game(named))
    puzzle = named_by or _puzzle_of(named)
    if not puzzle:
        raise UsageError(f"{subject} is neither PDDL, a game, a puzzle, runs of an experiment nor a level of a puzzle")
    return f"a level, or several, of {puzzle}", _of_level(puzzle, named)


def _lines(*rows: tuple[str, ...]) -> Uses:
    """Return command lines with their purposes; a row has a command, its arguments and, at the end, the purpose."""
    return {shlex.join(["unpuzzle", *words]): about for *words, about in rows}


def _of_level(puzzle: str, level: str) -> Uses:
    """Return the commands for a file with levels."""
    stems = [os.path.splitext(os.path.basename(each))[0] for each in (puzzle, level)]
    return _lines(
        ("solve", puzzle, level, "an optimal solution"),
        ("draw", puzzle, level, "how it looks"),
        ("survey", puzzle, level, "can it be solved, in how many moves, where can one get stuck?"),
        ("play", puzzle, level, "-o", f"{'-'.join(stems)}.html", "a page to play it on"),
    )


def _of_game(named: str) -> Uses:
    """Return the commands for a game, with its first playable level as the example."""
    game = find(named)
    with PlayingGame(game):
        playable = (level for level, text in game.levels.items() if game.parse(text).moves())
        level = next(playable, None)
    if level is None:
        return {}
    check = () if named.endswith((PDDL, ".txt")) else (("check", named, level, "is the PDDL the game?"),)
    return _of_level(named, level) | _lines(*check)


def _of_problem(problem: str) -> Uses:
    """Return the commands for a PDDL problem. Raises ParseError if its domain cannot be found."""
    find(domain_beside(problem)).parse(read_text(problem)[0])
    return _lines(
        ("solve", problem, "an optimal plan"),
        ("plan", problem, "-o", "plan.txt", "the plan into a file"),
        ("draw", problem, "how it looks"),
        ("explore", problem, "all that can happen in it"),
        ("explain", problem, "why there is no plan, or what each step is for"),
    )


def _of_plan(plan: str) -> Uses:
    """Return the commands for a plan file; the problem must be in the same folder, preferably with the same name."""
    beside = found_files(os.path.dirname(plan), PDDL, quiet=True)
    problems = [path for path in beside if read_text_of(path).kind == PROBLEM]
    stem = os.path.basename(plan).split(".")[0]
    for problem in sorted(problems, key=lambda path: os.path.basename(path).split(".")[0] != stem)[:1]:
        domain_beside(problem)
        return _lines(("validate", problem, plan, f"is it valid for {os.path.basename(problem)}?"))
    return {}


def _of_code(code: str) -> Uses:
    """Return the commands for a file of search components; the name of the file must contain the name of the game."""
    stem = os.path.basename(code).replace("_", "-")
    tests = [("check", code, "--game", name, "is it right?") for name in names() if name in stem]
    return _lines(*tests[:1], ("help", "check", "how to test them: --game GAME"))


def _puzzle_of(level: str) -> str | None:
    """Return the bundled puzzle that can read a file as levels; of several, the one that finds the fewest levels."""
    readers: dict[str, int] = {}
    for name in names():
        try:
            game = find(name)
            readers[name] = len([each.position(game) for each in level_file(game, name, level).levels])
        except (UnpuzzleError, OSError):
            continue
    best = [name for name in readers if readers[name] == min(readers.values())]
    return best[0] if len(best) == 1 else None
