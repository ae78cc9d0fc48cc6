"""unpuzzle list."""

from __future__ import annotations

from unpuzzle.puzzle.capabilities import heuristics_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer

EXAMPLE = "unpuzzle list --json"


def arguments(parser: ArgumentParser) -> None:
    """None of its own."""


def execute(options: Namespace) -> Answer:
    """The puzzles, levels and planners."""
    from unpuzzle import planners, translators
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer

    puzzles = {name: translators.find(name) for name in translators.names()}
    absent = {kind: planners.missing(kind) for kind in planners.KINDS}
    fields = {
        "puzzles": {name: puzzle.title for name, puzzle in puzzles.items()},
        "planners": {kind: {"available": why is None, "message": why or ""} for kind, why in absent.items()},
        "levels": {name: list(puzzle.levels) for name, puzzle in puzzles.items()},
    }
    lines = ["puzzles:"]
    for name, puzzle in puzzles.items():
        lines += [f"  {name}: {puzzle.title}", f"    levels: {' '.join(puzzle.levels)}"]
        lines.append(f"    heuristics: {' '.join(heuristics_of(puzzle))}")
    lines.append("planners:")
    for kind, why in absent.items():
        lines.append(f"  {planners.usage(kind).ljust(26)}  {'ready' if why is None else 'missing: ' + why}")
    return Answer(exits.YES, fields, "\n".join(lines))
