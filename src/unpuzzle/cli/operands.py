"""Arguments that may be left out: the domain of a problem, and the only level of a game.

unpuzzle solve p01.pddl                    solve DOMAIN p01.pddl, with the domain beside the problem
unpuzzle diff one/p01.pddl two/p01.pddl    the same of both
unpuzzle solve game.txt                    solve game.txt 1, if that is its only level
"""

from __future__ import annotations

import os
from argparse import Action, Namespace
from collections.abc import Sequence

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.run import phase
from unpuzzle.base.text import cut, listing
from unpuzzle.pddl.matching import PROBLEM, domain_beside, read_text_of
from unpuzzle.pddl_game.game import ProblemFiles
from unpuzzle.translators import find

PDDL = ".pddl"
SHOWN = 300
"""The most characters of the names of levels that a message shows."""


def complete(options: Namespace, operands: Sequence[Action]) -> None:
    """Fill in the arguments that a command line leaves out: the domain of a problem, or the only level of a game.

    Raises UsageError if some are still missing, ParseError for a faulty game, LimitReached.
    """
    if getattr(options, "game", None) is not None:  # `check FILE --game` has no level
        return
    _add_domains(options, operands)
    missing = [operand for operand in operands if getattr(options, operand.dest) is None]
    if missing and missing[0].dest in ("level", "levels", "problem") and missing[0] is operands[1]:
        first = missing.pop(0)
        together = bool(first.nargs) and getattr(options, "output", None) is not None
        levels = _levels(str(getattr(options, operands[0].dest)), str(first.metavar), together)
        setattr(options, first.dest, levels if first.nargs else levels[0])
    if missing:
        names = listing([str(operand.metavar) for operand in missing])
        raise UsageError(f"{names} {'is' if len(missing) == 1 else 'are'} missing")


def _add_domains(options: Namespace, operands: Sequence[Action]) -> None:
    """Insert the domain before each problem without one, unless that makes too many arguments."""
    values: list[str] = []
    for operand in operands:
        value = getattr(options, operand.dest)
        values += value if isinstance(value, list) else [] if value is None else [value]
    rest: list[str] = [*values]
    given: dict[str, object] = {}
    for operand in operands:
        if operand.nargs:
            given[operand.dest], rest = rest or operand.default, []
        elif rest and operand.dest.startswith(("domain", "puzzle")) and _is_problem(rest[0]):
            given[operand.dest] = domain_beside(rest[0])
        else:
            given[operand.dest] = rest.pop(0) if rest else None
    if not rest:
        vars(options).update(given)


def _is_problem(path: str) -> bool:
    try:
        return path.lower().endswith(PDDL) and os.path.isfile(path) and read_text_of(path).kind == PROBLEM
    except (ParseError, OSError):
        return False


def _levels(puzzle: str, what: str, together: bool) -> list[str]:
    """Return the only level of a game, or all its levels if `together`; for a PDDL domain, return its problem files.

    Raises UsageError if there are more, or none.
    """
    with phase(f"reading the game {puzzle}"):
        game = find(puzzle)
    levels = list(game.levels)
    if levels and (together or len(levels) == 1):
        return game.levels.paths() if isinstance(game.levels, ProblemFiles) else levels
    if not levels:
        raise UsageError(f"{what} is missing, and {puzzle} has no levels of its own: name a file of levels")
    raise UsageError(f"{what} is missing; {puzzle} has the levels {cut(', '.join(levels), SHOWN)}")
