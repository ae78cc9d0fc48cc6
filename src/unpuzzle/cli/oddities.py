"""What is strange in PDDL files, to be told above a verdict about them: the warnings of lint, each once.

What a correct text was perhaps not meant to say (`suspicions`) is told only where a verdict is not as hoped.
"""

from __future__ import annotations

from argparse import Namespace

from unpuzzle.cli.parser import deadline_of
from unpuzzle.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.pddl.judging.linting import suspicions, warnings
from unpuzzle.pddl.reading.complaints import read_text
from unpuzzle.pddl.reading.reader import Reading

PDDL = ".pddl"
PHASE = "looking for faults"


def of_reading(reading: Reading, *, doubtful: bool) -> list[str]:
    """Return what is strange in texts that were read; `doubtful`: about a verdict that was not hoped for."""
    return [str(fault) for fault in [*warnings(reading), *(suspicions(reading) if doubtful else [])]]


def of_level(options: Namespace, *, doubtful: bool) -> list[str]:
    """Return what is strange in the domain and the problem that a command played; nothing of other games."""
    if not options.puzzle.lower().endswith(PDDL):
        return []
    text, name = getattr(options, "level_read", (None, None))
    return _of_texts(options, options.puzzle, text, name, doubtful)


def of_files(options: Namespace, domain: str, problem: str | None, *, doubtful: bool) -> list[str]:
    """Return what is strange in files."""
    text, name = (None, None) if problem is None else read_text(problem)
    return _of_texts(options, domain, text, name, doubtful)


def _of_texts(options: Namespace, domain: str, problem: str | None, name: str | None, doubtful: bool) -> list[str]:
    reading = Reading(deadline_of(options, PHASE))
    try:
        parsed = reading.read_domain(*read_text(domain))
        if problem is not None:
            reading.read_problem(parsed, problem.removeprefix("\ufeff"), name)
        return of_reading(reading, doubtful=doubtful)
    except (OSError, LimitReached, ParseError, UnsupportedFeature):  # the verdict stands without them
        return []
