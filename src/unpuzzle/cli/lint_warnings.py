"""The warnings of lint about PDDL files that commands show, each once, beside their verdict on these files.

Correct but doubtful parts of a text (`suspicions`) are shown only if the verdict is unfavourable.
"""

from __future__ import annotations

from os.path import isfile

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.base.run import phase
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.linting.checks import suspicions, warnings
from unpuzzle.pddl.nodes import Domain, Problem, Task
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.syntax import read_text
from unpuzzle.pddl.writer import write
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.workspace.inputs import ReadLevel

OWN = "<level>"
PHASE = "looking for faults"


def of_reading(reading: Reading, *, doubtful: bool) -> list[str]:
    """Return the warnings of lint about the texts that were read; if `doubtful`, also about mere suspicions.

    None are returned if the limits do not suffice: the verdict does not depend on them.
    """
    try:
        return [str(fault) for fault in [*warnings(reading), *(suspicions(reading) if doubtful else [])]]
    except LimitReached:
        return []


def of_domain(path: str) -> list[str]:
    """Return the warnings about the file of a domain; none if the file is invalid, too large or a pipe."""
    try:
        return _of_texts(*read_text(path), None, None, doubtful=False) if isfile(path) else []
    except (OSError, LimitReached, ParseError):
        return []


def of_level(level: ReadLevel, *, doubtful: bool) -> list[str]:
    """Return the warnings about the domain and the problem of a level; none if the game is not PDDL."""
    return of_texts(level.position.game, level.puzzle, level.text, level.source, doubtful=doubtful)


def of_texts(game: Game, puzzle: str, text: str, source: str | None, *, doubtful: bool) -> list[str]:
    """Return the warnings about a game's domain and the text of a problem; none if the game is not PDDL."""
    if not isinstance(game, PddlGame):
        return []
    return _of_texts(_text_of(game.domain()), puzzle, text, source, doubtful=doubtful)


def of_task(task: Task, position: Position, *, own: bool, doubtful: bool) -> list[str]:
    """Return the warnings about the texts of a task; `own` means that the problem was written by the position."""
    problem = task.problem
    domain = _text_of(task.domain), _name_of(task.domain)
    if not own:
        return _of_texts(*domain, _text_of(problem), _name_of(problem), doubtful=doubtful)
    faults = _of_texts(*domain, write(position.task().problem), OWN, doubtful=doubtful)
    return [fault for fault in faults if not fault.startswith(OWN)]


def _text_of(read: Domain | Problem) -> str:
    return "" if read.span is None else read.span.source.text


def _name_of(read: Domain | Problem) -> str | None:
    return None if read.span is None else read.span.file


def _of_texts(
    domain: str, name: str | None, problem: str | None, problem_name: str | None, *, doubtful: bool
) -> list[str]:
    """Return the warnings about the text of a domain and, if given, of a problem."""
    reading = Reading()
    try:
        with phase(PHASE):
            parsed = reading.read_domain(domain, name)
            if problem is not None:
                reading.read_problem(parsed, problem.removeprefix("\ufeff"), problem_name)
            return of_reading(reading, doubtful=doubtful)
    except (LimitReached, ParseError, UnsupportedFeature):  # the verdict does not depend on them
        return []
