"""Capabilities: what a game or its positions may offer beyond the rules. A class offers one by inheriting it.

    class Hanoi(Puzzle, Generating, Reversible): ...

    of games        HasHeuristics  Generating  Traced
    of positions    Reversible  Scored  Symmetric  Staged  Constrained  ModelFinding  Explaining  Pictured
                    Overwriting  SelfExploring  Translated
    of both         ForComponents

A `Puzzle`, which is a game and its positions in one class, inherits those of both. Abstract members have to be defined,
the others have defaults; a class that lacks one is refused when it is made (see `unpuzzle.puzzle.classes`).

    offered(position, Symmetric)                        the position, or None if its class is not Symmetric
    required(game, Generating, "makes no levels")       the game, or an error that says what it would have to inherit

and functions for what holds with and without a capability: `heuristics_of`, `options_of`, `symmetries_of`, ...
"""

from __future__ import annotations

from unpuzzle.puzzle.capabilities.asking import completed as completed
from unpuzzle.puzzle.capabilities.asking import generated as generated
from unpuzzle.puzzle.capabilities.asking import heuristic_of as heuristic_of
from unpuzzle.puzzle.capabilities.asking import heuristics_of as heuristics_of
from unpuzzle.puzzle.capabilities.asking import offered as offered
from unpuzzle.puzzle.capabilities.asking import options_of as options_of
from unpuzzle.puzzle.capabilities.asking import required as required
from unpuzzle.puzzle.capabilities.asking import score_of as score_of
from unpuzzle.puzzle.capabilities.asking import subgoals_of as subgoals_of
from unpuzzle.puzzle.capabilities.asking import symmetries_of as symmetries_of
from unpuzzle.puzzle.capabilities.of_games import ForComponents as ForComponents
from unpuzzle.puzzle.capabilities.of_games import HasHeuristics as HasHeuristics
from unpuzzle.puzzle.capabilities.of_games import Traced as Traced
from unpuzzle.puzzle.capabilities.of_positions import Constrained as Constrained
from unpuzzle.puzzle.capabilities.of_positions import Explaining as Explaining
from unpuzzle.puzzle.capabilities.of_positions import ModelFinding as ModelFinding
from unpuzzle.puzzle.capabilities.of_positions import Overwriting as Overwriting
from unpuzzle.puzzle.capabilities.of_positions import Pictured as Pictured
from unpuzzle.puzzle.capabilities.of_positions import Reversible as Reversible
from unpuzzle.puzzle.capabilities.of_positions import Scored as Scored
from unpuzzle.puzzle.capabilities.of_positions import SelfExploring as SelfExploring
from unpuzzle.puzzle.capabilities.of_positions import Staged as Staged
from unpuzzle.puzzle.capabilities.of_positions import Symmetric as Symmetric
from unpuzzle.puzzle.capabilities.of_positions import Translated as Translated
from unpuzzle.puzzle.position import Generating as Generating
