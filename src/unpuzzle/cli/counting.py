"""What `solve --count N` answers: one solution, several and where two of them differ, or none and why."""

from __future__ import annotations

from dataclasses import replace

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.drawing import differing
from unpuzzle.cli.parser import limits_of
from unpuzzle.cli.solving import line_of
from unpuzzle.counting import count_solutions
from unpuzzle.errors import ParseError
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.result import UNSOLVABLE
from unpuzzle.words import count as numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from unpuzzle.counting import Count
    from unpuzzle.puzzle.position import Position

REFUSED = ("anytime", "plan_file", "ties", "draw", "output")


def answer_for(position: Position, options: Namespace, read: float) -> Answer:
    """Count solutions as the options say; `read` is how many seconds reading took."""
    for name in REFUSED:
        if getattr(options, name):
            raise ParseError(f"--count does not go together with --{name.replace('_', '-')}")
    found = count_solutions(position, options.count, planner=options.planner, limits=limits_of(options))
    found = replace(found, result=found.result.lasting(read=read))
    text = _text(position, found, options.quiet)
    return Answer(exits.OF_STATUS[found.result.status], _fields(found), text, _complaint(found))


def _fields(found: Count) -> dict[str, Any]:
    lines = [line_of(position) for position in found.positions[:2]]
    return {
        **found.result.to_dict(),
        "solutions": len(found.solutions),
        "unique": found.unique,
        "solution": lines[0] if lines else None,
        "other_solution": lines[1] if len(lines) > 1 else None,
        "differences": {name: list(values) for name, values in found.differences().items()},
        "conflict": None if found.conflict is None else list(found.conflict),
    }


def _text(position: Position, found: Count, quiet: bool) -> str:
    if quiet:
        return "\n".join(_quiet_lines(position, found))
    result = found.result
    figures = f"{result.seconds['total']:.3f} s, by {result.planner}"
    if len(found.solutions) > 1:
        differences = found.differences()
        some = "at least " if len(found.solutions) == found.most or not result.solved else ""
        cells = ", ".join(f"{name} {one} or {other}" for name, (one, other) in [*differences.items()][:12])
        more = f" and {len(differences) - 12} more" if len(differences) > 12 else ""
        pictures = differing(*found.positions[:2])
        return f"{pictures}; two of {some}{len(found.solutions):,} solutions: {cells}{more}; {figures}"
    if found.solutions:
        one = "one solution only" if found.unique else "a solution; there may be others"
        moves = joined_moves(position.game, result.moves or ())
        return (
            f"{found.positions[0].draw().rstrip()}\n{moves}\n; {one}, {numbered(result.cost or 0, 'move')}, {figures}"
        )
    return ""


def _quiet_lines(position: Position, found: Count) -> list[str]:
    """Return a line for each solution: the solved position, or the moves to it."""
    lines = [line_of(end) for end in found.positions]
    return [line for line in lines if line is not None] or [str(len(found.solutions))]


def _complaint(found: Count) -> str:
    result = found.result
    if result.solved:
        return ""
    parts = [f"unpuzzle: {result.status}"]
    if result.message:
        parts.append(result.message)
    if result.status == UNSOLVABLE and found.conflict:
        parts.append(f"these contradict each other: {', '.join(found.conflict)}")
    elif found.solutions:
        parts.append(f"{numbered(len(found.solutions), 'solution')} until then")
    return ": ".join(parts)
