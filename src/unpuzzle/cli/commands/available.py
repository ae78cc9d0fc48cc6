"""Commands that say what is available: `list` the puzzles, their levels and the planners; `version` which release."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from traceback import extract_tb

from unpuzzle.base.errors import UnpuzzleError, UsageError
from unpuzzle.base.outcomes import YES
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.model.capabilities import heuristics_of
from unpuzzle.model.classes import shown
from unpuzzle.model.position import Game
from unpuzzle.planning import registry
from unpuzzle.translators import find, hidden, installed, names
from unpuzzle.version import __version__
from unpuzzle.workspace.inputs import Question

EXAMPLE_LIST = "unpuzzle list --json"
EXAMPLE_VERSION = "unpuzzle version"


def arguments_list(parser: ArgumentParser) -> None:
    """Add no arguments, because the command has none."""


class Listing(Record):
    """The puzzles and planners of this installation.

    Attributes:
        puzzles: the games by name.
        planners: by kind why it cannot be used, or None.
        broken: by the name of a puzzle why it cannot be read.
        hidden: by a name that is taken, what else has this name.
    """

    puzzles: Mapping[str, Game]
    planners: Mapping[str, str | None]
    broken: Mapping[str, str]
    hidden: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        planners = {kind: {"available": why is None, "message": why or ""} for kind, why in self.planners.items()}
        return {
            "puzzles": {name: puzzle.title for name, puzzle in self.puzzles.items()},
            "planners": planners,
            "levels": {name: list(puzzle.levels) for name, puzzle in self.puzzles.items()},
            **{name: dict(rows) for name in ("broken", "hidden") if (rows := getattr(self, name))},
        }


def read_list(options: Namespace) -> Question:
    return Question(puzzles_and_planners)


def puzzles_and_planners() -> Listing:
    """Return the usable puzzles, the faults of the unusable ones, and all planners with what is missing to run them."""
    puzzles, broken = {}, {}
    for name in (*names(), *installed()):
        try:
            puzzle = find(name)
            puzzle.title.strip(), heuristics_of(puzzle), " ".join(puzzle.levels)  # all that is shown can be shown
            puzzles[name] = puzzle
        except (Exception, SystemExit) as error:  # importing its file may raise anything
            broken[name] = str(error).splitlines()[0] if isinstance(error, UnpuzzleError) else _fault(error)
    planners = {kind: _missing_reason(kind) for kind in (*registry.KINDS, *registry.installed())}
    return Listing(puzzles, planners, broken, hidden() | registry.hidden())


def present_list(request: Question, outcome: Listing, view: View) -> Answer:
    """Return the answer with the puzzles, their levels and heuristics, and the planners."""
    lines = ["puzzles:"]
    for name, puzzle in outcome.puzzles.items():
        lines += [f"  {name}: {puzzle.title}", f"    levels: {' '.join(puzzle.levels)}"]
        lines.append(f"    heuristics: {' '.join(heuristics_of(puzzle))}")
    lines += [f"  {name}: broken: {message}" for name, message in outcome.broken.items()]
    choose = "its distribution should choose another name"
    lines += [f"  {name}: hidden: {message}; {choose}" for name, message in outcome.hidden.items()]
    lines.append("planners:")
    for kind, why in outcome.planners.items():
        usage = kind if why is not None and kind not in registry.KINDS else registry.usage(kind)
        lines.append(f"  {usage.ljust(26)}  {'ready' if why is None else 'missing: ' + why}")
    return Answer(YES, outcome, "\n".join(lines))


def _missing_reason(kind: str) -> str | None:
    """Return the reason why planners of a kind cannot be used; None if they can be used."""
    try:
        return registry.missing(kind)
    except UsageError as error:  # a distribution offers a planner that cannot be loaded
        return str(error)


def _fault(error: BaseException) -> str:
    """Return a text about an exception that a puzzle's file raised, with the place of the innermost line of code."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno}: {error.msg}"
    frame = extract_tb(error.__traceback__)[-1]
    return f"{shown(frame.filename)}:{frame.lineno}: {type(error).__name__}: {error}"


def arguments_version(parser: ArgumentParser) -> None:
    """Add no arguments, because the command has none."""


def read_version(options: Namespace) -> Question:
    return Question(lambda: __version__)


def present_version(request: Question, outcome: str, view: View) -> Answer:
    return Answer(YES, {"version": outcome}, outcome if view.quiet else f"unpuzzle {outcome}")
