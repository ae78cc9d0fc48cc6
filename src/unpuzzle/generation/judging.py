"""Judge candidate levels: solve them, measure their difficulty, and compare it with the request.

Most levels share a grounding, and are judged together. Levels that are only constraints are judged by propagation and
search: is there one solution, and how hard is it? Levels of games such as 24, whose own planner searches on the rules
(`Game.planner`), are judged by that search.

`solve_many` solves tens of thousands at a time. Positions of one puzzle become members of a few families
(`planners/native/families.py`): levels with other walls, boxes, even sizes share one grounding, so that a level
takes little more than its search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from typing import Any

from unpuzzle.base.errors import LimitReached, ModelMismatch, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP, LIMITS, MEMOUT, SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits, Run, current, grace, within_limits
from unpuzzle.base.values import Record
from unpuzzle.constraints import Search, TooManyNodesError
from unpuzzle.generation.candidates import Chunk, ChunkVerdicts, GeneratedLevel, LevelRequest, Verdict, needs, without
from unpuzzle.model.capabilities import Constrained, Explaining, Generating, SelfExploring, offered, required
from unpuzzle.model.classes import fault_at
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import decoded_moves, replay, require_solution, task_within
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native import Native
from unpuzzle.planners.native.compiled import core
from unpuzzle.planners.native.families import Family, InterruptedAnswer, Union, groups
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES, RULES
from unpuzzle.planning.result import Result
from unpuzzle.solving import solve
from unpuzzle.state_space.difficulty import Measures, measure
from unpuzzle.state_space.exploration import explore
from unpuzzle.state_space.lines import count_lines, fold
from unpuzzle.state_space.space import Space, Spaces, reachable_by_rules

QUICK_STATES = 100_000
"""The most states of a quick search; beyond them, heuristics and the level's own grounding are worth their time."""
ChunkJudge = Callable[[Chunk], ChunkVerdicts]


class LevelSolution(Record):
    """The status, cost and moves of the solution of one level.

    Attributes:
        status: as in a `Result`: `solved_optimally`, `unsolvable`, or the limit that ended the search.
        cost, moves: of the best solution, or None.
        expanded, generated: numbers of states; 0 if the puzzle itself knew that there is no solution.
    """

    status: str
    cost: int | None = None
    moves: tuple[str, ...] | None = None
    expanded: int = 0
    generated: int = 0

    @property
    def solved(self) -> bool:
        return self.moves is not None


def solve_many(
    positions: Sequence[Position],
    *,
    limits: Limits | None = None,
    threads: int = 2,
    max_expanded: int | None = None,
    validate: bool = True,
) -> list[LevelSolution]:
    """Solve many small levels together; return the status and the best solution of each level, in order.

    Args:
        positions: of one puzzle or of several; any sizes.
        limits: `time` of the whole call (positions that are not reached are `timeout`); `memory` of each search, and of
            the process while it grounds.
        threads: the number of searches at once; the answers do not depend on it.
        max_expanded: the most states to expand for one position.
        validate: replay each solution on the rules of its puzzle.

    Raises ModelMismatch if a solution fails on the rules: then the PDDL is not the game, which `check` explains.
    DependencyMissing without the compiled core of the native planner.
    """
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")
    with Run(limits, "grounding"):
        judgements: dict[int, LevelSolution] = {}
        tasks: dict[int, Task] = {}
        for number, position in enumerate(positions):
            try:
                current().look()
                if position.impossible() is None:
                    tasks[number] = task_within(position)
                else:
                    judgements[number] = LevelSolution(UNSOLVABLE)
            except LimitReached as reached:
                judgements[number] = LevelSolution(reached.status)
        open_numbers = list(tasks)
        for group in groups(list(tasks.values())):
            numbers = [open_numbers[member] for member in group]
            answers = _solve([tasks[number] for number in numbers], threads, max_expanded)
            with grace():  # results from before a limit
                for number, answer in zip(numbers, answers, strict=True):
                    try:
                        judgements[number] = _judgement(positions[number], answer, validate)
                    except LimitReached as reached:
                        judgements[number] = LevelSolution(reached.status)
    return [judgements[number] for number in range(len(positions))]


def _solve(tasks: list[Task], threads: int, max_expanded: int | None) -> list[core.Answer | InterruptedAnswer | str]:
    """Solve tasks that are grounded together; return the answer for each, or the limit that was reached."""
    try:
        union = Union(tasks)
        starts, goals = [union.start(task) for task in tasks], [union.goal(task) for task in tasks]
        family = Family(union.task, starts, goals, varying=union.varying)
        return list(family.solve_many(starts, goals, threads=threads, max_expanded=max_expanded))
    except LimitReached as reached:
        return [reached.status] * len(tasks)
    except MemoryError:
        return [MEMOUT] * len(tasks)


def _require_solution(position: Position, moves: Sequence[str], cost: int | None) -> None:
    """Raise ModelMismatch for a wrong solution, or GameFault if the game's `parse` rejects the level's own text."""
    try:
        require_solution(position, moves, cost)
    except ModelMismatch as mismatch:
        try:
            position.game.parse(str(position))
        except ParseError as refusal:
            message = f"generate() gave a level that parse() refuses: {refusal.message}"
            raise fault_at(position, "generate", message) from None
        raise mismatch


def _judgement(position: Position, answer: core.Answer | InterruptedAnswer | str, validate: bool) -> LevelSolution:
    """Return the solution of one level from the answer of the search in C++."""
    if isinstance(answer, str):
        return LevelSolution(answer)
    moves = None
    if answer.actions is not None:
        moves = decoded_moves(position, answer.actions)
        if validate:
            _require_solution(position, moves, answer.cost)
    return LevelSolution(answer.status, answer.cost, moves, answer.expanded, answer.generated)


def judge_for(position: Position, wish: LevelRequest) -> ChunkJudge:
    """Return the function that judges levels of this position's game. Raises UsageError for unsuitable requests."""
    constrained = offered(position, Constrained)
    if constrained is not None and constrained.constraints().costs is None:
        if wish.no_dead_ends:
            raise UsageError(f"levels of {position.game.name} are judged by their constraints, which have no dead ends")
        if wish.bounds:
            names = ", ".join([bound.name for bound in wish.bounds])
            raise UsageError(f"levels of {position.game.name} are judged by their constraints, which have no {names}")
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


class _Together:
    """A judge for a batch of levels, which solves them together with one grounding."""

    def __init__(self, chunk: Chunk) -> None:
        self.wish = chunk.wish
        self.status: str | None = None
        self.made: list[tuple[str, Position]] = []
        self.positions: dict[str, Position] = {}
        try:
            for position in chunk.positions():
                self.made.append((str(position.canonical()), position))
                self.positions.setdefault(*self.made[-1])
        except LimitReached as reached:  # candidates made so far may still be judged quickly
            self.status = reached.status
        quick = min(QUICK_STATES, self.wish.max_states)
        answers = solve_many(list(self.positions.values()), threads=1, max_expanded=quick)
        self.judgements = dict(zip(self.positions, answers, strict=True))

    def verdict(self, key: str, position: Position) -> Verdict:
        """Return the verdict on a level, or the status of a limit that was reached while judging it."""
        try:
            verdict = _of_musts(position, _of_judgement(position, self.judgements[key], self.wish), self.wish)
            if isinstance(verdict, GeneratedLevel) and self.wish.of_spaces:
                return self.explored(key, verdict)
            return verdict
        except LimitReached as reached:
            return reached.status

    def explored(self, key: str, level: GeneratedLevel) -> Verdict:
        """Return the verdict on a level whose length fits the request, from the level's whole state space."""
        spaces, keys = self.spaces
        try:
            space = spaces.of(keys.index(key))
        except LimitReached as reached:
            if reached.status != GAVE_UP:
                raise
            return "too_large"
        return _of_space(self.positions[key], level, space, self.wish)

    @cached_property
    def spaces(self) -> tuple[Spaces, list[str]]:
        """The state spaces of all levels whose length may fit the request, and the keys of these levels."""
        keys = [
            key
            for key, answer in self.judgements.items()
            if answer.status == GAVE_UP or (answer.cost is not None and not self.wish.misfit(answer.cost))
        ]
        levels = [self.positions[key] for key in keys]
        return Spaces(levels, max_states=self.wish.max_states), keys


def judge_together(chunk: Chunk) -> ChunkVerdicts:
    """Judge a batch of candidate levels, solved together with one grounding."""
    with chunk.begin():
        together = _Together(chunk)
        return _judged(chunk, together.made, together.verdict, together.status)


def _one_by_one(chunk: Chunk, by: Callable[[Position, LevelRequest], Verdict]) -> ChunkVerdicts:
    with chunk.begin():
        positions = within_limits(chunk.positions(), long=True)
        made = ((str(position.canonical()), position) for position in positions)
        return _judged(chunk, made, lambda _, position: by(position, chunk.wish))


def _judged(
    chunk: Chunk,
    candidates: Iterable[tuple[str, Position]],
    verdict_on: Callable[[str, Position], Verdict],
    status: str | None = None,
) -> ChunkVerdicts:
    """Return the verdicts on candidates; equivalent candidates, with the same canonical position, are judged only once.

    A verdict may be a limit, which leaves this candidate out; `status` is the one that ended the making of candidates.
    """
    verdicts: list[tuple[str, Verdict]] = []  # one for each candidate, repeated ones included
    known: dict[str, Verdict] = {}
    levels = 0
    try:
        for key, position in candidates:
            if key not in known:
                known[key] = verdict = _fitting(position, verdict_on(key, position), chunk.options)
                levels += isinstance(verdict, GeneratedLevel)
                status = str(verdict) if verdict in LIMITS else status
            if known[key] not in LIMITS:
                verdicts.append((key, known[key]))
            if levels == chunk.enough:
                return ChunkVerdicts(tuple(verdicts))
    except LimitReached as reached:
        status = reached.status
    return ChunkVerdicts(tuple(verdicts), status)


def _by_constraints(position: Position, wish: LevelRequest) -> Verdict:
    """Return the verdict on a level that is solved as a constraint problem."""
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
    require_solution(position, moves, cost, model="the constraints differ")
    explaining = offered(position, Explaining)
    grade = (explaining and explaining.grade()) or (0, "")
    return wish.misfit(cost) or GeneratedLevel(str(position), cost, moves, nodes, None, None, *grade)


def _by_rules(position: Position, wish: LevelRequest) -> Verdict:
    """Return the verdict on a level that is solved by the rules, not by PDDL."""
    answer = solve(position, objective=wish.objective, max_expanded=wish.max_states)
    if answer.status in LIMITS:
        raise LimitReached(answer.status, answer.message)
    if answer.status == UNSUPPORTED:  # no other level could be judged, either
        raise UnsupportedFeature(answer.message, feature="search")
    verdict = _of_musts(position, _of_solution(position, answer, wish), wish)
    if not isinstance(verdict, GeneratedLevel) or not wish.of_spaces:
        return verdict
    if offered(position, SelfExploring):
        space = explore(position, max_states=wish.max_states).space
    else:
        space = reachable_by_rules(position, max_states=wish.max_states)
    if space.status in LIMITS:
        raise LimitReached(space.status, space.message)
    return _of_space(position, verdict, space, wish) if space.complete else "too_large"


def _of_judgement(position: Position, judgement: LevelSolution, wish: LevelRequest) -> Verdict:
    """Return the verdict on a level from its solution by a small search or, if this gave up, by the native planner."""
    answer: LevelSolution | Result = judgement
    if judgement.status == GAVE_UP and wish.max_states > QUICK_STATES:
        answer = solve(position, Native(), max_expanded=wish.max_states)
    if answer.status in LIMITS:  # no verdict on the level: another machine might judge it
        raise LimitReached(answer.status, f"a limit was reached while judging levels: {answer.status}")
    return _of_solution(position, answer, wish)


def _of_solution(position: Position, answer: LevelSolution | Result, wish: LevelRequest) -> Verdict:
    """Return the verdict on a level from an optimal solution."""
    if answer.status == UNSOLVABLE:
        return "unsolvable"
    if answer.status != SOLVED_OPTIMALLY or answer.cost is None or answer.moves is None or answer.expanded is None:
        return "too_large"
    pushes = answer.pushes if isinstance(answer, Result) and wish.objective != MOVES else None
    level = GeneratedLevel(position.level_text(), answer.cost, answer.moves, answer.expanded, pushes=pushes)
    return wish.misfit(answer.cost, pushes) or level


def _fitting(position: Position, verdict: Verdict, options: Mapping[str, Any]) -> Verdict:
    """Return the verdict; if the level does not fit the game's options, return a rejection instead."""
    able = offered(position.game, Generating)
    fits = not isinstance(verdict, GeneratedLevel) or able is None or able.fits(position, options)
    return verdict if fits else "not_required"


def _of_musts(position: Position, verdict: Verdict, wish: LevelRequest) -> Verdict:
    """Return the verdict; if a required part is not needed, return a rejection instead. Raises LimitReached."""
    if not isinstance(verdict, GeneratedLevel):
        return verdict
    proofs: list[tuple[str, int]] = []
    for thing in wish.musts:
        proof = needs(position, thing, wish.max_states)
        if not proof.needed:
            return "too_large" if proof.needed is None else "not_needed"
        proofs.append((str(thing), proof.expanded))
    return verdict.replace(unsolvable_without=tuple(proofs))


def _of_space(position: Position, level: GeneratedLevel, space: Space[Any], wish: LevelRequest) -> Verdict:
    """Return the verdict on a level whose length fits the request, from the level's whole state space."""
    dead_ends = len(space.dead_ends)
    if wish.no_dead_ends and dead_ends and not wish.unique:
        return "dead_ends"
    folding = fold(position, space)
    lines = count_lines(folding)
    if wish.unique:
        try:
            one = _one_solution(position, wish.max_states)
        except TooManyNodesError:
            return "too_large"
        unique = lines.unique if one is None else one
        if not unique:
            return "too_large" if unique is None else "several_solutions"
    if wish.no_dead_ends and dead_ends:
        return "dead_ends"
    measures = Measures(lines, measure(position, folding))
    return _bounded(level.replace(optimal_plans=space.optimal_plans(), dead_ends=dead_ends), space, measures, wish)


def _bounded(level: GeneratedLevel, space: Space[Any], measures: Measures, wish: LevelRequest) -> Verdict:
    """Return a level with its measures; if a measure is out of the requested bounds, return why it is rejected."""
    counts = {"states": space.states, "dead_ends": level.dead_ends, "optimal_plans": level.optimal_plans}
    figures = {"solvable": True, "cost": level.cost, **counts, **measures.figures()}
    answers = [bound.met_by(figures) for bound in wish.bounds]
    if not all(answers):
        return "not_required" if False in answers else "too_large"
    return level.replace(optimal_lines=figures["optimal_lines"], difficulty=measures.difficulty)


def _one_solution(position: Position, most_nodes: int) -> bool | None:
    """Return whether the constraints of a position have exactly one solution; None if it has no constraints.

    Plans are not counted for this: moves that fill a grid can be made in any order.
    """
    constrained = offered(position, Constrained)
    if constrained is None:
        return None
    search = Search(constrained.constraints(), most_nodes=most_nodes)
    return len(list(islice(search.solutions(), 2))) == 1


judge_by_constraints: ChunkJudge = partial(_one_by_one, by=_by_constraints)
judge_by_rules: ChunkJudge = partial(_one_by_one, by=_by_rules)
