"""The definition of puzzles: a leaf package, which imports only other leaves and `pddl`.

position.py       Game, Position: reading a level, moves, their outcome and cost, the goal, PDDL, text, picture
puzzle.py         Puzzle: both in one class, which is how a simple puzzle is written
capabilities.py   optional features that a game or a position offers by inheritance, and functions that ask for them
heuristic.py      Heuristic and Subgoal: guidance for searches on the rules
options.py        options of generated levels: size, number of boxes, kind of maze
task.py           the default way from a position to its PDDL task, and from an action back to a move
equality.py       whether equal positions have the same facts, texts and moves
classes.py        faults of a game's class, found when it is made; the places of its members in files
faults.py         faults in a game's own code: results of wrong types, and the places of exceptions
following.py      moves of positions that give all their successors at once
replaying.py      moves played on the rules, and plans turned into moves
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzle.capabilities import heuristic_of
    from unpuzzle.puzzle.heuristic import NULL, Heuristic, Subgoal
    from unpuzzle.puzzle.position import Game, Position, by_text
    from unpuzzle.puzzle.puzzle import Puzzle
    from unpuzzle.puzzle.replaying import Replay, replay, split_moves

_HOMES = {
    **dict.fromkeys(("Heuristic", "NULL", "Subgoal"), "heuristic"),
    **dict.fromkeys(("Game", "Position", "by_text"), "position"),
    **dict.fromkeys(("Replay", "replay", "split_moves"), "replaying"),
    "Puzzle": "puzzle",
    "heuristic_of": "capabilities",
}

__all__ = ["NULL", "Game", "Heuristic", "Position", "Puzzle", "Replay", "Subgoal"]
__all__ += ["by_text", "heuristic_of", "replay", "split_moves"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
