"""Collections of Sokoban as text: each board with its notes below it, then its solutions.

#####
#@$.#
#####
Title: Tiny
Author: somebody
Comment:
several lines
Comment-End:

Solution (moves 1, pushes 1)
R
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from unpuzzle.puzzle.collection import CollectedLevel, CollectedSolution, Collection

WIDTH = 72


def write_collection(collection: Collection) -> str:
    parts = [_notes("Collection", collection)]
    for number, level in enumerate(collection.levels, 1):
        notes = _notes("Title", level)
        if not notes and number == len(collection.levels):
            notes = ["Title:"]  # properties below the last board say that all belong to the board above them
        parts.append([*level.board.rstrip("\n").split("\n"), *notes])
        parts += [_solution(solution) for solution in level.solutions]
    return "\n".join(["".join([f"{line}\n" for line in part]) for part in parts if part])


def _notes(title: str, about: Collection | CollectedLevel) -> list[str]:
    pairs: Iterable[tuple[str, str]] = ((title, about.title), ("Author", about.author))
    lines = [f"{name}: {value}" for name, value in pairs if value]
    lines += [f"{name}: {value}".rstrip() for name, value in about.properties]
    return [*lines, "Comment:", *about.comments, "Comment-End:"] if about.comments else lines


def _solution(solution: CollectedSolution) -> list[str]:
    moves, pushes = solution.moves, sum(map(str.isupper, solution.moves))
    figures = f"moves {len(moves)}, pushes {pushes}" if pushes else f"moves {len(moves)}"  # all in small letters
    return [solution.label or f"Solution ({figures})", *wrap(moves, WIDTH)]
