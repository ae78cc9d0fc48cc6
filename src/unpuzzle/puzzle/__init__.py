"""What a puzzle is: a leaf package, which imports only other leaves and `pddl`.

position.py       Game, Position: reading a level, moves, their outcome and cost, the goal, PDDL, text, picture
puzzle.py         Puzzle: both in one class, which is how a simple puzzle is written
capabilities.py   what else a game or a position may offer by inheriting it, and the functions that ask for it
heuristic.py      Heuristic and Subgoal: what searches on the rules can be guided by
options.py        what generated levels can be asked to be: size, number of boxes, kind of maze
task.py           the default way from a position to its PDDL task, and from an action back to a move
equality.py       whether positions that are equal are the same
classes.py        faults of a game's class, seen when it is made; where in a file its members stand
faults.py         what broke in a game's own code: what its methods must return, and where exceptions came from
following.py      moves of positions that tell all that follows them at once
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
