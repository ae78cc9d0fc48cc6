"""Capabilities: what a game or a position may offer beyond its rules. Each is a small protocol.

    of games        HasHeuristics  HasOptions  Generating  Listing  Walkable  Importing
                    Levelless  ForComponents  Credited  Traced
    of positions    Reversible  Scored  Symmetric  Staged  Constrained  ModelFinding  Lined  Graded
                    Explaining  Plain  Respelled  Parameterized  Assuming  Overwriting
                    SelfExploring  Translated  Pictured  PartlyUnseen  Annotated  Narrated  Written

A class has a capability if it has the protocol's attributes; nothing is registered. Only this package looks for them:

    offered(position, Symmetric)      the position, or None if it has no `symmetries`
    required(game, Walkable)          the game, or a ParseError that says what it lacks

and the functions in `defaults.py`, which say what holds for those that lack one (`heuristics_of`, `options_of`, ...).
"""

from __future__ import annotations

from unpuzzle.puzzle.capabilities.asking import offered as offered
from unpuzzle.puzzle.capabilities.asking import required as required
from unpuzzle.puzzle.capabilities.defaults import assumed_arguments_of as assumed_arguments_of
from unpuzzle.puzzle.capabilities.defaults import compass_of as compass_of
from unpuzzle.puzzle.capabilities.defaults import component_arguments_of as component_arguments_of
from unpuzzle.puzzle.capabilities.defaults import every_level as every_level
from unpuzzle.puzzle.capabilities.defaults import formats_of as formats_of
from unpuzzle.puzzle.capabilities.defaults import generated as generated
from unpuzzle.puzzle.capabilities.defaults import heuristics_of as heuristics_of
from unpuzzle.puzzle.capabilities.defaults import level_text_of as level_text_of
from unpuzzle.puzzle.capabilities.defaults import options_of as options_of
from unpuzzle.puzzle.capabilities.defaults import plain_of as plain_of
from unpuzzle.puzzle.capabilities.defaults import respelled as respelled
from unpuzzle.puzzle.capabilities.defaults import score_of as score_of
from unpuzzle.puzzle.capabilities.defaults import small_level as small_level
from unpuzzle.puzzle.capabilities.defaults import subgoals_of as subgoals_of
from unpuzzle.puzzle.capabilities.defaults import symmetries_of as symmetries_of
from unpuzzle.puzzle.capabilities.of_games import Credited as Credited
from unpuzzle.puzzle.capabilities.of_games import ForComponents as ForComponents
from unpuzzle.puzzle.capabilities.of_games import Generating as Generating
from unpuzzle.puzzle.capabilities.of_games import HasHeuristics as HasHeuristics
from unpuzzle.puzzle.capabilities.of_games import HasOptions as HasOptions
from unpuzzle.puzzle.capabilities.of_games import Importing as Importing
from unpuzzle.puzzle.capabilities.of_games import Levelless as Levelless
from unpuzzle.puzzle.capabilities.of_games import Listing as Listing
from unpuzzle.puzzle.capabilities.of_games import Traced as Traced
from unpuzzle.puzzle.capabilities.of_games import Tracing as Tracing
from unpuzzle.puzzle.capabilities.of_games import Walkable as Walkable
from unpuzzle.puzzle.capabilities.of_positions import Annotated as Annotated
from unpuzzle.puzzle.capabilities.of_positions import Assuming as Assuming
from unpuzzle.puzzle.capabilities.of_positions import Constrained as Constrained
from unpuzzle.puzzle.capabilities.of_positions import Explaining as Explaining
from unpuzzle.puzzle.capabilities.of_positions import Graded as Graded
from unpuzzle.puzzle.capabilities.of_positions import Lined as Lined
from unpuzzle.puzzle.capabilities.of_positions import ModelFinding as ModelFinding
from unpuzzle.puzzle.capabilities.of_positions import Narrated as Narrated
from unpuzzle.puzzle.capabilities.of_positions import Overwriting as Overwriting
from unpuzzle.puzzle.capabilities.of_positions import Parameterized as Parameterized
from unpuzzle.puzzle.capabilities.of_positions import PartlyUnseen as PartlyUnseen
from unpuzzle.puzzle.capabilities.of_positions import Pictured as Pictured
from unpuzzle.puzzle.capabilities.of_positions import Plain as Plain
from unpuzzle.puzzle.capabilities.of_positions import Respelled as Respelled
from unpuzzle.puzzle.capabilities.of_positions import Reversible as Reversible
from unpuzzle.puzzle.capabilities.of_positions import Scored as Scored
from unpuzzle.puzzle.capabilities.of_positions import SelfExploring as SelfExploring
from unpuzzle.puzzle.capabilities.of_positions import Staged as Staged
from unpuzzle.puzzle.capabilities.of_positions import StateArrays as StateArrays
from unpuzzle.puzzle.capabilities.of_positions import Symmetric as Symmetric
from unpuzzle.puzzle.capabilities.of_positions import Translated as Translated
from unpuzzle.puzzle.capabilities.of_positions import Written as Written
