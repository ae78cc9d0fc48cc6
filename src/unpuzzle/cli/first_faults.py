"""The first fault of a PDDL file in the words of lint, for commands that refuse the file.

The strict reader stops at the first word that does not fit; lint reads on, so it can often tell the author how to
correct the fault, and where an unclosed bracket was opened.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator

from unpuzzle.cli.answer import of_error
from unpuzzle.cli.files import level_file
from unpuzzle.cli.parser import run_of
from unpuzzle.errors import IllegalMove, LimitReached, ParseError, UnpuzzleError
from unpuzzle.files import read_bytes
from unpuzzle.pddl.judging.fault import ERROR
from unpuzzle.pddl.judging.linting import lint
from unpuzzle.pddl.judging.understanding import fault_of as fault_of_note
from unpuzzle.pddl.node import Source
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.texts import decoded_anyway
from unpuzzle.puzzle.faults import fault_of
from unpuzzle.run import phase
from unpuzzle.translators import find

PDDL, PHASE = ".pddl", "looking for faults"
PAIRS = (("domain", "problem"), ("puzzle", "level"), ("domain1", "problem1"), ("domain2", "problem2"))
"""The names of options that may name a domain and a problem of it."""


def better_told(error: BaseException, options: Namespace) -> ParseError | None:
    """Return the error with the place and message of lint's first error in the same file, if it has one."""
    if type(error) is not ParseError or error.file is None:
        return None
    pair = next((pair for pair in _pairs(options) if error.file in pair), None)
    if pair is None:
        return None
    with run_of(options):  # that of the command has ended
        return first_error(error.file, *pair)


def fault_of_the_game(error: BaseException, options: Namespace) -> ParseError | None:
    """Return the fault of the game in the options, if it caused an unexpected exception."""
    ours = of_error(error) is not None and not isinstance(error, IllegalMove)
    name = getattr(options, "game", None) or getattr(options, "puzzle", None)
    if ours or not isinstance(error, Exception | SystemExit) or not isinstance(name, str):
        return None
    try:
        game = find(name)
    except UnpuzzleError:
        return None
    names = [getattr(options, "level", None) or "-"]
    files = (level_file(game, name, level) for level in names if level != "-")
    return fault_of(error, game, ((level.text, level.source) for file in files for level in file.levels))


def _pairs(options: Namespace) -> Iterator[tuple[str, str | None]]:
    for domain, problem in PAIRS:
        one, other = (getattr(options, name, None) for name in (domain, problem))
        if isinstance(one, str) and one.endswith(PDDL) and os.path.isfile(one):
            yield one, other if isinstance(other, str) and os.path.isfile(other) else None


def first_error(file: str, domain: str, problem: str | None) -> ParseError | None:
    """Return lint's first error in one of two files; None if it has none, or finds none within the limits."""
    try:
        with phase(PHASE):
            text, notes = decoded_anyway(read_bytes(domain))
            texts: dict[str, tuple[str, list[Note]]] = {domain: (text, notes)}
            if problem is not None:
                texts[problem] = decoded_anyway(read_bytes(problem))
            further = None if problem is None else texts[problem][0]
            faults = [fault_of_note(note, Source(texts[file][0], file)) for note in texts[file][1]]
            faults += lint(text, further, domain_name=domain, problem_name=problem)
            own = [fault for fault in faults if fault.file == file]
            fault = next((fault for fault in own if fault.severity == ERROR), None)
            if fault is None:
                return None
            another = next((f"{each.message}: " for each in own if each.code == "domain-name"), "")
            lines = texts[file][0].splitlines()
            line = lines[fault.line - 1] if fault.line and fault.line <= len(lines) else None
            message = another + fault.message
            return ParseError(message, file=file, line=fault.line, column=fault.column, text=line, code=fault.code)
    except (OSError, ValueError, LimitReached):
        return None
