"""unpuzzle list."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from traceback import extract_tb

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.errors import UnpuzzleError, UsageError
from unpuzzle.planning import registry
from unpuzzle.puzzle.capabilities import heuristics_of
from unpuzzle.puzzle.classes import shown
from unpuzzle.translators import find, hidden, installed, names

EXAMPLE = "unpuzzle list --json"


def arguments(parser: ArgumentParser) -> None:
    """Add nothing."""


def execute(options: Namespace) -> Answer:
    puzzles, broken = {}, {}
    for name in (*names(), *installed()):
        try:
            puzzle = find(name)
            puzzle.title.strip(), heuristics_of(puzzle), " ".join(puzzle.levels)  # all that is shown can be shown
            puzzles[name] = puzzle
        except (Exception, SystemExit) as error:  # importing its file may raise anything
            broken[name] = str(error).splitlines()[0] if isinstance(error, UnpuzzleError) else _fault(error)
    absent = {}
    for kind in (*registry.KINDS, *registry.installed()):
        try:
            absent[kind] = registry.missing(kind)
        except UsageError as error:  # a distribution offers a planner that cannot be loaded
            absent[kind] = str(error)
    shadowed = hidden() | registry.hidden()
    fields = {
        "puzzles": {name: puzzle.title for name, puzzle in puzzles.items()},
        "planners": {kind: {"available": why is None, "message": why or ""} for kind, why in absent.items()},
        "levels": {name: list(puzzle.levels) for name, puzzle in puzzles.items()},
        **({"broken": broken} if broken else {}),
        **({"hidden": shadowed} if shadowed else {}),
    }
    lines = ["puzzles:"]
    for name, puzzle in puzzles.items():
        lines += [f"  {name}: {puzzle.title}", f"    levels: {' '.join(puzzle.levels)}"]
        lines.append(f"    heuristics: {' '.join(heuristics_of(puzzle))}")
    lines += [f"  {name}: broken: {message}" for name, message in broken.items()]
    choose = "its distribution should choose another name"
    lines += [f"  {name}: hidden: {message}; {choose}" for name, message in shadowed.items()]
    lines.append("planners:")
    for kind, why in absent.items():
        usage = kind if why is not None and kind not in registry.KINDS else registry.usage(kind)
        lines.append(f"  {usage.ljust(26)}  {'ready' if why is None else 'missing: ' + why}")
    return Answer(YES, fields, "\n".join(lines))


def _fault(error: BaseException) -> str:
    """Return an exception from a puzzle's file, with its innermost place."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno}: {error.msg}"
    frame = extract_tb(error.__traceback__)[-1]
    return f"{shown(frame.filename)}:{frame.lineno}: {type(error).__name__}: {error}"
