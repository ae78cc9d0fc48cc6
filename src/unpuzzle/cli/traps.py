"""Traps, moves that make a level unsolvable, on the command line: lines, text pictures, and picture files."""

from __future__ import annotations

import os
from argparse import Namespace

from unpuzzle.cli.answer import OF_STATUS, Answer
from unpuzzle.cli.drawing import draw_panels, require_picture_file
from unpuzzle.cli.parser import deadline_of
from unpuzzle.drawing.panels import rows_of
from unpuzzle.errors import UsageError
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.rendering.figures import trap_panels, traps_sheet
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.lost_moves import NOWHERE, OPTIMAL_WAYS, Trap, Traps, find_traps, reason_of
from unpuzzle.spaces.space import COMPLETE

ENDING = ".svg"
"""The ending of pictures in a folder."""


def require_pictures(path: str) -> None:
    """Raise UsageError, before any work, for a path that is neither a folder nor a picture file."""
    if not _is_folder(path):
        require_picture_file(path)
    elif not os.path.isdir(path):
        raise UsageError(f"{path}: there is no such folder")


def add_traps(answer: Answer, exploration: Exploration, options: Namespace) -> None:
    """Add the traps of a level to an answer, and draw them if requested."""
    with_limits = deadline_of(options, "looking for traps")
    traps = find_traps(exploration, limits=with_limits)
    answer.fields["lost_moves"] = traps.to_dict()
    answer.text += "\n" + _text(exploration, traps, quiet=options.quiet) + "\n"
    if traps.status != COMPLETE:
        answer.code = OF_STATUS[traps.status]
        answer.fields["message"] = f"{traps.status}: these are not all traps that were asked for"
        answer.complain(f"unpuzzle: {answer.fields['message']}")
    if options.picture and traps.traps:
        answer.fields["files"] = _draw(exploration, traps, options)


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) or path.endswith(os.sep)


def _draw(exploration: Exploration, traps: Traps, options: Namespace) -> list[str]:
    """Draw all traps into one file, or each into a file of its own in a folder; return the names."""
    if not _is_folder(options.picture):
        return [draw_panels(traps_sheet(exploration, traps), options.picture, options)]
    names = [os.path.join(options.picture, f"trap-{number:02}{ENDING}") for number in range(1, len(traps.traps) + 1)]
    every = trap_panels(exploration, traps)
    return [draw_panels(panels, name, options) for panels, name in zip(every, names, strict=True)]


def _text(exploration: Exploration, traps: Traps, *, quiet: bool) -> str:
    lines = [_heading(exploration, traps)]
    pictures = []
    assert isinstance(exploration.subject, Position)
    for number, trap in enumerate(traps.traps, 1):
        lines.append(
            f"{number:>3}. {_where(exploration.subject, trap)}: {reason_of(trap, exploration.subject, traps.walks)}"
        )
        if not quiet:
            pictures.append((f"{number}. {trap.move}", exploration.position(trap.after).draw().rstrip()))
    return "\n".join(lines) + (f"\n\n{rows_of(pictures)}" if pictures else "")


def _heading(exploration: Exploration, traps: Traps) -> str:
    if traps.total is None:
        return "where players get lost is not known"
    if exploration.cost is None:
        return "it is lost at the start; `explain` says why"
    if traps.origin == NOWHERE:
        return "no move makes it unsolvable"
    where = "one move off an optimal way" if traps.origin == OPTIMAL_WAYS else "nearest to the start"
    shown = f"; the first {len(traps.traps)}" if len(traps.traps) < traps.total else ""
    return f"moves that make it unsolvable, {where}: {traps.total:,}{shown}"


def _where(start: Position, trap: Trap) -> str:
    way = joined_moves(start.game, trap.moves)
    return f"{trap.move} after {way}" if way else f"{trap.move} at the start"
