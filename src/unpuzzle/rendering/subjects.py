"""What a picture can be made of: a position or a PDDL task, and the ground, pieces, text and name of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from unpuzzle.drawing import Ground, Piece, plain
from unpuzzle.errors import UsageError
from unpuzzle.pddl.nodes import Task
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position

Subject = Position | Task


def picture_of(subject: Subject) -> tuple[Ground, Sequence[Piece]]:
    """Return the ground and the pieces of a position or a task; of one that describes none, those of its text."""
    described = offered(subject, Pictured) if isinstance(subject, Position) else None
    return (described.ground(), described.pieces()) if described else plain(_text_of(subject))


def draw(subject: Subject) -> str:
    """Return a picture as text: a position as it draws itself, a task as the facts of its initial state."""
    return subject.draw().rstrip() if isinstance(subject, Position) else _text_of(subject)


def label_of(subject: Subject) -> str:
    """Return a name for a picture: the title of the game, or the names of the domain and the problem."""
    if isinstance(subject, Task):
        return f"{subject.domain.name} {subject.problem.name}"
    return subject.game.title or subject.game.name


def _text_of(subject: Subject) -> str:
    """Return the text of a position, or the atoms of a task's initial state, one predicate a line."""
    if isinstance(subject, Position):
        return str(subject)
    if not isinstance(subject, Task):
        raise UsageError(f"a picture is made of a position or a task, not of {type(subject).__name__}")
    atoms = sorted(map(str, subject.problem.init))
    return "\n".join([" ".join(group) for _, group in groupby(atoms, key=lambda atom: atom.strip("()").split()[0])])
