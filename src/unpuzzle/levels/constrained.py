"""Judging levels of games that are nothing but constraints, by propagation and search.

All solutions of such a level cost the same, and planning finds none faster. What is worth knowing is whether there is
one solution only, and which techniques a person needs.
"""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.levels.candidates import Level
from unpuzzle.levels.singly import judged_singly
from unpuzzle.levels.uniqueness import TooLargeError, search_of
from unpuzzle.puzzle.capabilities import Constrained, Explaining, offered
from unpuzzle.puzzle.replaying import replay, require_solution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.levels.candidates import Chunk, Judged, Verdict, Wish
    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.position import Position


def fits(position: Position, wish: Wish) -> bool:
    """Whether levels like this one are judged here. Raises ParseError for a wish that means nothing for them."""
    constrained = offered(position, Constrained)
    if constrained is None or constrained.constraints().costs is not None:
        return False
    if wish.no_dead_ends:
        raise ParseError(f"levels of {position.game.name} are judged by their constraints, which know no dead ends")
    return True


def judged(chunk: Chunk) -> Judged:
    """See `judged_singly`."""
    return judged_singly(chunk, _verdict)


def _verdict(position: Position, wish: Wish, watch: Deadline) -> Verdict:
    constrained = offered(position, Constrained)
    assert constrained is not None
    try:
        search = search_of(constrained, wish.max_states, watch)
        solutions = search.solutions()
        first = None if position.impossible() else next(solutions, None)
        nodes = search.nodes
        if first is None:
            return "unsolvable"
        if wish.unique and next(solutions, None) is not None:
            return "several_solutions"
    except TooLargeError:
        return "too_large"
    moves = tuple(constrained.moves_to(first))
    cost = replay(position, moves).cost
    require_solution(position, moves, cost, model="the constraints are")
    return wish.misfit(cost) or Level(str(position), cost, moves, nodes, None, None, *_grade(position))


def _grade(position: Position) -> tuple[int, str]:
    explaining = offered(position, Explaining)
    return (explaining and explaining.grade()) or (0, "")
