"""The warnings of lint about PDDL files, shown beside a verdict about them, each once.

Correct but doubtful parts of a text (`suspicions`) are shown only if the verdict is unfavourable.
"""

from __future__ import annotations

from os.path import isfile

from unpuzzle.cli.files import ReadLevel
from unpuzzle.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.pddl.judging.task_warnings import suspicions, warnings
from unpuzzle.pddl.nodes import Domain
from unpuzzle.pddl.reading.complaints import read_text
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.writer import write
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.puzzle.position import Position
from unpuzzle.run import phase

OWN = "<level>"
PHASE = "looking for faults"


def of_reading(reading: Reading, *, doubtful: bool) -> list[str]:
    """Return the warnings about texts that were read; `doubtful`: for an unfavourable verdict, with suspicions.

    None are returned if the limits do not suffice: the verdict stands without them.
    """
    try:
        return [str(fault) for fault in [*warnings(reading), *(suspicions(reading) if doubtful else [])]]
    except LimitReached:
        return []


def of_domain(path: str) -> list[str]:
    """Return the warnings about a domain's file; none if it is refused, too large for the limits, or a pipe."""
    try:
        return _of_texts(*read_text(path), None, None, doubtful=False) if isfile(path) else []
    except (OSError, LimitReached, ParseError):
        return []


def of_level(level: ReadLevel, *, doubtful: bool) -> list[str]:
    """Return the warnings about the domain and the problem that a command played; none for other games."""
    game = level.position.game
    if not isinstance(game, PddlGame):
        return []
    return _of_texts(_text_of(game.domain()), level.puzzle, level.text, level.source, doubtful=doubtful)


def of_task(
    domain: tuple[str, str], problem: tuple[str, str] | None, position: Position, *, doubtful: bool
) -> list[str]:
    """Return the warnings about two texts with their names; without a problem, of a domain with a position's own."""
    if problem is not None:
        return _of_texts(*domain, *problem, doubtful=doubtful)
    faults = _of_texts(*domain, write(position.task().problem), OWN, doubtful=doubtful)
    return [fault for fault in faults if not fault.startswith(OWN)]


def _text_of(domain: Domain) -> str:
    return "" if domain.span is None else domain.span.source.text


def _of_texts(domain: str, name: str, problem: str | None, problem_name: str | None, *, doubtful: bool) -> list[str]:
    reading = Reading()
    try:
        with phase(PHASE):
            parsed = reading.read_domain(domain, name)
            if problem is not None:
                reading.read_problem(parsed, problem.removeprefix("\ufeff"), problem_name)
            return of_reading(reading, doubtful=doubtful)
    except (LimitReached, ParseError, UnsupportedFeature):  # the verdict stands without them
        return []
