"""Clearer errors: the first fault that lint finds in a PDDL file, or the fault in a game that caused an exception.

The strict reader stops at the first word that does not fit; lint reads on, so it can often say how to
correct the fault, and where an unclosed bracket was opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from unpuzzle.base.errors import IllegalMove, ParseError, of_error
from unpuzzle.base.type_hints import Self
from unpuzzle.puzzle.position import Game

PDDL = ".pddl"


class Clearer:
    """A context manager that replaces errors of its block by clearer errors."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and (clearer := self.instead_of(error)) is not None:
            raise clearer from error

    def instead_of(self, error: BaseException) -> ParseError | None:
        """Return a clearer error than the given error, or None to keep the given error."""
        raise TypeError(f"{type(self).__name__} does not define instead_of()")


class ReadingPddl(Clearer):
    """A block that reads a domain and perhaps a problem; a ParseError in one becomes the first error of lint."""

    def __init__(self, domain: str, problem: str | None = None) -> None:
        self.domain = domain
        self.problem = problem if problem is not None and os.path.isfile(problem) else None

    def instead_of(self, error: BaseException) -> ParseError | None:
        if type(error) is not ParseError or error.file is None or error.file not in (self.domain, self.problem):
            return None
        if not self.domain.lower().endswith(PDDL) or not os.path.isfile(self.domain):
            return None
        from unpuzzle.pddl.judging.linting import first_error

        return first_error(error.file, self.domain, self.problem)


class PlayingGame(Clearer):
    """A context manager for running a game's code; it reports unexpected exceptions and illegal moves as game faults.

    `levels` are texts with their names.
    """

    def __init__(self, game: Game | None, levels: Iterable[tuple[str, str]] = ()) -> None:
        self.game, self.levels = game, levels

    def instead_of(self, error: BaseException) -> ParseError | None:
        known = of_error(error) is not None and not isinstance(error, IllegalMove)
        if known or self.game is None or not isinstance(error, Exception | SystemExit):
            return None
        from unpuzzle.puzzle.faults import fault_of

        return fault_of(error, self.game, self.levels)
