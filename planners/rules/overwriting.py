"""The depth-first searches of published work, whose successor function writes words over others, as baselines.

In AutoToS (D. Cao, M. Katz and others, 2024) a language model writes the successors and the goal test of small
crosswords, for a search to run with. Its successors overwrite letters, so a way to a solved grid may be none by the
rules of the game: only the grid counts, and here its words are turned into legal moves. The conventions, for counts
that compare with theirs:

    successors   each candidate of the right length for each slot, rows before columns, in the order of the lists;
                 repeated candidates repeat, and what changes nothing counts, too
    frontier     last in first out; a grid is looked up in the closed set, and its goal tested, when it is taken from it
    expanded     grids whose successors were asked for            generated    all successors that were made
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.planners.rules.depth_first import depth_first
from unpuzzle.planners.rules.search import Answer, Search
from unpuzzle.puzzle.capabilities import Overwriting, required
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.result import GAVE_UP, SOLVED

PURPOSE = "has no letters to overwrite, as crosswords have"


def overwriting(search: Search, consistent: bool) -> Answer:
    """Return the answer of depth-first search with the published successors; `consistent` ones keep letters."""
    start = search.start
    ends = [start]

    def successors(position: Position) -> Iterator[tuple[str, Position, int]]:
        for move, following in required(position, Overwriting, PURPOSE).writings(consistent):
            yield move, following, 1

    def goal(position: Position) -> bool:
        ends[0] = position
        return position.solved()

    moves = depth_first(
        start, successors=successors, goal=goal, watch=search.watch, counts=search.counts, merge=search.merge
    )
    if moves is None or replay(start, moves).solved:
        return search.answer(moves)
    legal = list(required(start, Overwriting, PURPOSE).moves_towards(ends[0]))
    if replay(start, legal).solved:
        return SOLVED, legal, f"the search overwrote letters on a way of {len(moves)} words; these write its last grid"
    return GAVE_UP, None, "the search overwrote what was given: no legal moves lead to the grid that it ended in"
