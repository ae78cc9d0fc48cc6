"""Judge levels that are nothing but constraints, by propagation and search: is there one solution, how hard is it?"""

from __future__ import annotations

from unpuzzle.constraints import Search, TooManyNodesError
from unpuzzle.errors import UsageError
from unpuzzle.levels.candidates import Chunk, ChunkVerdicts, GeneratedLevel, Verdict, Wish, judge_singly
from unpuzzle.limits import Deadline
from unpuzzle.puzzle.capabilities import Constrained, Explaining, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay, require_solution


def fits(position: Position, wish: Wish) -> bool:
    """Return whether levels like this one are judged here. Raises UsageError for a wish that means nothing for them."""
    constrained = offered(position, Constrained)
    if constrained is None or constrained.constraints().costs is not None:
        return False
    if wish.no_dead_ends:
        raise UsageError(f"levels of {position.game.name} are judged by their constraints, which know no dead ends")
    return True


def judge_by_constraints(chunk: Chunk) -> ChunkVerdicts:
    """Judge the candidates of a chunk by their constraints; see `judge_singly`."""
    return judge_singly(chunk, _verdict)


def _verdict(position: Position, wish: Wish, watch: Deadline) -> Verdict:
    constrained = offered(position, Constrained)
    assert constrained is not None
    try:
        search = Search(constrained.constraints(), limits=watch, most_nodes=wish.max_states)
        solutions = search.solutions()
        first = None if position.impossible() else next(solutions, None)
        nodes = search.nodes
        if first is None:
            return "unsolvable"
        if wish.unique and next(solutions, None) is not None:
            return "several_solutions"
    except TooManyNodesError:
        return "too_large"
    moves = tuple(constrained.moves_to(first))
    cost = replay(position, moves).cost
    require_solution(position, moves, cost, model="the constraints are")
    explaining = offered(position, Explaining)
    grade = (explaining and explaining.grade()) or (0, "")
    return wish.misfit(cost) or GeneratedLevel(str(position), cost, moves, nodes, None, None, *grade)
