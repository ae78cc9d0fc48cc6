"""Base classes of games and of positions, with checks of their code, options of levels, and replays of moves.

position.py       Game, Position: reading a level, moves, their outcome and cost, the goal, PDDL, text, picture;
                  Puzzle: both in one class, which is how a simple puzzle is written
capabilities.py   optional features that a game or a position offers by inheritance, and functions that ask for them
heuristic.py      Heuristic and Subgoal: guidance for searches on the rules
options.py        options of generated levels: size, number of boxes, kind of maze
task.py           the default way from a position to its PDDL task, and from an action back to a move
classes.py        faults of a game's class, found when it is made; the places of its members in files
faults.py         faults in a game's own code: results of wrong types or on which no search can rely, with their places
replaying.py      moves played on the rules, and plans turned into moves; amounts in words
collection.py     files of several levels of a game, with titles, authors, comments and solutions
game_formats.py   games in files of other languages than Python: what commands, editors and servers need of them
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
