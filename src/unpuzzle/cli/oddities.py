"""Oddities of PDDL files, shown before a verdict about them: the warnings of lint, each once.

Correct but doubtful parts of a text (`suspicions`) are shown only if the verdict is unfavourable.
"""

from __future__ import annotations

from argparse import Namespace
from os.path import isfile

from unpuzzle.cli.parser import phase_of
from unpuzzle.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.pddl.judging.task_warnings import suspicions, warnings
from unpuzzle.pddl.reading.complaints import read_text
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.writer import write
from unpuzzle.puzzle.position import Position
from unpuzzle.run import phase

PDDL, OWN = ".pddl", "<level>"
PHASE = "looking for faults"


def of_reading(reading: Reading, *, doubtful: bool) -> list[str]:
    """Return the oddities of texts that were read; `doubtful`: for an unfavourable verdict, with suspicions.

    None are returned if the limits do not suffice: the verdict stands without them.
    """
    try:
        return [str(fault) for fault in [*warnings(reading), *(suspicions(reading) if doubtful else [])]]
    except LimitReached:
        return []


def of_domain(domain: str) -> list[str]:
    """Return the oddities of a domain's text; none if it is refused, too large for the limits, or a pipe."""
    reading = Reading()
    if not isfile(domain):  # a pipe is read only once
        return []
    try:
        with phase(PHASE):
            reading.read_domain(*read_text(domain))
            return of_reading(reading, doubtful=False)
    except (OSError, LimitReached, ParseError, UnsupportedFeature):
        return []


def of_level(options: Namespace, *, doubtful: bool) -> list[str]:
    """Return the oddities of the domain and problem that a command played; none for other games."""
    if not options.puzzle.lower().endswith(PDDL):
        return []
    text, name = getattr(options, "level_read", (None, None))
    return _of_texts(options, options.puzzle, text, name, doubtful)


def of_files(options: Namespace, domain: str, problem: str | None, position: Position, *, doubtful: bool) -> list[str]:
    """Return the oddities of a domain and a problem; without one, of the domain with a position's own problem."""
    if problem is not None:
        return _of_texts(options, domain, *read_text(problem), doubtful)
    faults = _of_texts(options, domain, write(position.task().problem), OWN, doubtful)
    return [fault for fault in faults if not fault.startswith(OWN)]


def _of_texts(options: Namespace, domain: str, problem: str | None, name: str | None, doubtful: bool) -> list[str]:
    reading = Reading()
    if not isfile(domain):
        return []
    try:
        with phase_of(options, PHASE):
            parsed = reading.read_domain(*read_text(domain))
            if problem is not None:
                reading.read_problem(parsed, problem.removeprefix("\ufeff"), name)
            return of_reading(reading, doubtful=doubtful)
    except (OSError, LimitReached, ParseError, UnsupportedFeature):  # the verdict stands without them
        return []
