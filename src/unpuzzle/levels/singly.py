"""Judge candidates one after the other, if they cannot share a grounding.

Levels that are only constraints are judged by propagation and search: is there one solution, and how hard is it? Levels
of games such as 24, whose own planner searches on the rules (`Game.planner`), are judged by that search.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from unpuzzle.constraints import Search, TooManyNodesError
from unpuzzle.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.levels.candidates import (
    Chunk,
    ChunkVerdicts,
    GeneratedLevel,
    Verdict,
    Wish,
    fitting,
    judge_together,
    verdict_of,
    verdict_of_musts,
    verdict_of_space,
)
from unpuzzle.levels.musts import without
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES, RULES
from unpuzzle.puzzle.capabilities import Constrained, Explaining, SelfExploring, offered, required
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay, require_solution
from unpuzzle.result import LIMITS, UNSUPPORTED
from unpuzzle.run import within_limits
from unpuzzle.solving import solve
from unpuzzle.spaces.by_rules import reachable_by_rules
from unpuzzle.spaces.exploration import explore

ChunkJudge = Callable[[Chunk], ChunkVerdicts]


def judge_for(position: Position, wish: Wish) -> ChunkJudge:
    """Return the function that judges levels like this one. Raises UsageError for a wish that they cannot fulfil."""
    constrained = offered(position, Constrained)
    if constrained is not None and constrained.constraints().costs is None:
        if wish.no_dead_ends:
            raise UsageError(f"levels of {position.game.name} are judged by their constraints, which know no dead ends")
        if wish.bounds:
            names = ", ".join([bound.name for bound in wish.bounds])
            raise UsageError(f"levels of {position.game.name} are judged by their constraints, which know no {names}")
        if wish.musts:
            why = "are judged by their constraints, and have nothing that a solution could leave unused"
            raise UsageError(f"levels of {position.game.name} {why}")
        return judge_by_constraints
    for thing in wish.musts:
        with suppress(ParseError):  # errors of this level pass; a name that no level can have is refused
            without(position, thing)
    name = position.game.planner
    by_rules = offered(position, SelfExploring) is not None or (bool(name) and registry.find(name).reads == (RULES,))
    return judge_by_rules if by_rules or wish.objective != MOVES else judge_together


def _judge(chunk: Chunk, verdict_on: Callable[[Position, Wish], Verdict]) -> ChunkVerdicts:
    """Judge the candidates of a chunk one after the other, each text once."""
    verdicts: list[tuple[str, Verdict]] = []  # one for each candidate, repeated ones included
    by_text: dict[str, Verdict] = {}
    levels = 0
    try:
        with chunk.begin():
            for position in within_limits(chunk.positions(), long=True):
                text = str(position.canonical())
                if text not in by_text:
                    by_text[text] = fitting(position, verdict_on(position, chunk.wish), chunk.options)
                    levels += isinstance(by_text[text], GeneratedLevel)
                verdicts.append((text, by_text[text]))
                if levels == chunk.enough:
                    break
    except LimitReached as reached:
        return ChunkVerdicts(tuple(verdicts), reached.status)
    return ChunkVerdicts(tuple(verdicts))


def _by_constraints(position: Position, wish: Wish) -> Verdict:
    constrained = required(position, Constrained, "is judged by constraints")
    try:
        search = Search(constrained.constraints(), most_nodes=wish.max_states)
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


def _by_rules(position: Position, wish: Wish) -> Verdict:
    """Return the verdict by a best solution and, if the wish needs it, by the whole state space."""
    answer = solve(position, objective=wish.objective, max_expanded=wish.max_states)
    if answer.status in LIMITS:
        raise LimitReached(answer.status, answer.message)
    if answer.status == UNSUPPORTED:  # no other level could be judged, either
        raise UnsupportedFeature(answer.message, feature="search")
    verdict = verdict_of_musts(position, verdict_of(position, answer, wish), wish)
    if not isinstance(verdict, GeneratedLevel) or not wish.of_spaces:
        return verdict
    if offered(position, SelfExploring):
        space = explore(position, max_states=wish.max_states).space
    else:
        space = reachable_by_rules(position, max_states=wish.max_states)
    if space.status in LIMITS:
        raise LimitReached(space.status, space.message)
    return verdict_of_space(position, verdict, space, wish) if space.complete else "too_large"


judge_by_constraints: ChunkJudge = partial(_judge, verdict_on=_by_constraints)
judge_by_rules: ChunkJudge = partial(_judge, verdict_on=_by_rules)
