"""Make and judge a chunk of candidates in a worker of `generate`. Hashes differ between processes, so text is sent.

The origin of a candidate is plain data from which every process makes the same level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from random import Random
from time import time as clock
from typing import Any

from unpuzzle.base.errors import LimitReached, ParseError
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import GAVE_UP, LIMITS, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Run, phase
from unpuzzle.base.values import Record
from unpuzzle.constraints import Search, TooManyNodesError
from unpuzzle.levels.batches import Judgement, solve_many
from unpuzzle.levels.musts import Must, needs
from unpuzzle.planners.native import Native
from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.result import Result
from unpuzzle.puzzle.capabilities import Constrained, Generating, generated, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.solving import solve
from unpuzzle.spaces.by_task import Spaces
from unpuzzle.spaces.difficulty import MEASURES, Difficulty, Measures, measure
from unpuzzle.spaces.folding import fold
from unpuzzle.spaces.lines import count_lines
from unpuzzle.spaces.requirements import Requirement
from unpuzzle.spaces.space import Space

REASONS = {
    "unsolvable": "unsolvable",
    "too_easy": "too easy",
    "too_hard": "too hard",
    "too_large": "too large to judge",
    "several_solutions": "with several solutions",
    "dead_ends": "with dead ends",
    "not_required": "not as required",
    "not_needed": "solvable without what must be used",
}
"""The reasons for refusing a candidate, with words for people."""
QUICK_STATES = 100_000
"""The most states of a quick search; beyond them, heuristics and the level's own grounding are worth their time."""


class Wish(Record):
    """The requested kind of levels; `least` and `most` bound the first figure of the objective in a best solution."""

    least: int | None
    most: int | None
    unique: bool
    no_dead_ends: bool
    max_states: int
    bounds: tuple[Requirement, ...] = ()
    objective: str = MOVES
    musts: tuple[Must, ...] = ()

    @property
    def of_spaces(self) -> bool:
        """Whether the decision needs a level's whole state space."""
        return self.unique or self.no_dead_ends or bool(self.bounds)

    def misfit(self, cost: int, pushes: int | None = None) -> str | None:
        """Return the reason, as in `REASONS`, to refuse a level by its cost or pushes, or None to accept it."""
        number = cost if self.objective.startswith(MOVES) or pushes is None else pushes
        if self.least is not None and number < self.least:
            return "too_easy"
        return "too_hard" if self.most is not None and number > self.most else None


class Chunk(Record):
    """Candidates to judge, one for each number, made from the seed, from `texts` or by their `origins`.

    All of them are judged, or up to `enough` levels.
    """

    game: Game
    options: Mapping[str, Any]
    seed: int
    numbers: range
    texts: tuple[str, ...] | None
    wish: Wish
    enough: int | None
    limits: Limits
    sent: float
    origins: tuple[Origin, ...] | None = None

    def begin(self) -> Run:
        """Return the run of the work: time counts since the chunk was `sent`, by wall clock."""
        return Run(self.limits.after(max(clock() - self.sent, 0.0)), "judging levels")

    def positions(self) -> Iterator[Position]:
        """Make and yield the candidates in order. Raises LimitReached."""
        for place, number in enumerate(self.numbers):
            with phase("making levels"):
                if self.texts is not None:
                    position = self.game.parse(self.texts[place])
                elif self.origins is not None:
                    position = descendant(self.game, self.options, self.seed, self.origins[place])
                else:
                    position = candidate(self.game, self.options, self.seed, number)
            yield position


class GeneratedLevel(Record):
    """A level and its difficulty.

    Attributes:
        text: as the puzzle's `parse` reads it.
        cost, moves: of an optimal solution: one that is best for the objective.
        pushes: the number of its moves that do more than walk; None if the objective does not need it.
        expanded: states that the search expanded.
        optimal_plans: the number of optimal solutions (None: infinite, or not counted).
        optimal_lines: the number of optimal solutions up to walks and the order of independent changes (None:
            infinite, too many, or not counted).
        dead_ends: the number of reachable positions from which no goal can be reached; None if not counted.
        difficulty: the difficulty by the whole state space; None if it was not explored.
        unsolvable_without: for each thing that must be used, the states expanded by the complete search without it.
        rank, grade: the difficulty for people, as a number that sorts, and in words; 0 and empty if unknown.
    """

    text: str
    cost: int
    moves: tuple[str, ...]
    expanded: int
    optimal_plans: int | None = None
    dead_ends: int | None = None
    rank: int = 0
    grade: str = ""
    pushes: int | None = None
    optimal_lines: int | None = None
    difficulty: Difficulty | None = None
    unsolvable_without: tuple[tuple[str, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the level as data for JSON."""
        data = super().to_dict()
        text, _, grade = data.pop("text"), data.pop("rank"), data.pop("grade")
        pushes, without = data.pop("pushes"), self.unsolvable_without
        del data["unsolvable_without"]
        hard = dict.fromkeys(MEASURES) | (data.pop("difficulty") or {})
        hard["pushes"] = hard["pushes"] if pushes is None else pushes
        further = {"grade": grade} if grade else {}
        further |= {"unsolvable_without": dict(without)} if without else {}
        return {"level": text, **data, **hard, **further}


Verdict = GeneratedLevel | str
"""A level of the requested kind, or one of `REASONS`."""


class ChunkVerdicts(Record):
    """The verdicts on a chunk, in order, each with the text of the canonical position; `status` is the limit that ended
    the work, or None.
    """

    verdicts: tuple[tuple[str, Verdict], ...]
    status: str | None = None


def candidate(game: Game, options: Mapping[str, Any], seed: int, number: int) -> Position:
    """Return the random candidate of a number: the same in every process and order."""
    return generated(game, Random(f"{game.name} {seed} {number}"), options)


def judge_together(chunk: Chunk) -> ChunkVerdicts:
    """Judge the candidates of a chunk, which share their grounding, within the limits."""
    keys: list[str] = []
    positions: dict[str, Position] = {}
    status: str | None = None
    with chunk.begin():
        try:
            for position in chunk.positions():
                keys.append(str(position.canonical()))
                positions.setdefault(keys[-1], position)
        except LimitReached as reached:  # candidates made so far may still be judged quickly
            status = reached.status
        together = _Together(chunk, positions)
        verdicts: list[tuple[str, Verdict]] = []
        for key in keys:
            try:
                verdicts.append((key, together.verdict(key)))
            except LimitReached as reached:
                status = reached.status
                continue
            if together.levels == chunk.enough:
                return ChunkVerdicts(tuple(verdicts))
        return ChunkVerdicts(tuple(verdicts), status)


class _Together:
    """The verdicts on the candidates of a chunk, by the texts of their canonical positions, each made on demand."""

    def __init__(self, chunk: Chunk, positions: Mapping[str, Position]) -> None:
        self.wish, self.positions, self.options = chunk.wish, positions, chunk.options
        quick = min(QUICK_STATES, self.wish.max_states)
        answers = solve_many(list(positions.values()), threads=1, max_expanded=quick)
        self.judgements = dict(zip(positions, answers, strict=True))
        self.verdicts: dict[str, Verdict] = {}
        self.levels = 0

    def verdict(self, key: str) -> Verdict:
        if key not in self.verdicts:
            verdict = _verdict(self.positions[key], self.judgements[key], self.wish)
            verdict = verdict_of_musts(self.positions[key], verdict, self.wish)
            if isinstance(verdict, GeneratedLevel) and self.wish.of_spaces:
                verdict = self.explored(key, verdict)
            self.verdicts[key] = verdict = fitting(self.positions[key], verdict, self.options)
            self.levels += isinstance(verdict, GeneratedLevel)
        return self.verdicts[key]

    def explored(self, key: str, level: GeneratedLevel) -> Verdict:
        """Return the verdict on a level of the requested length by its whole state space."""
        spaces, keys = self.spaces
        try:
            space = spaces.of(keys.index(key))
        except LimitReached as reached:
            if reached.status != GAVE_UP:
                raise
            return "too_large"
        return verdict_of_space(self.positions[key], level, space, self.wish)

    @cached_property
    def spaces(self) -> tuple[Spaces, list[str]]:
        """The state spaces of the levels that have, or may have, the requested length, and the keys of these levels."""
        keys = [
            key
            for key, answer in self.judgements.items()
            if answer.status == GAVE_UP or (answer.cost is not None and not self.wish.misfit(answer.cost))
        ]
        levels = [self.positions[key] for key in keys]
        return Spaces(levels, max_states=self.wish.max_states), keys


def _verdict(position: Position, judgement: Judgement, wish: Wish) -> Verdict:
    """Return the verdict of the judgement or, if that gave up early, of the native planner. Raises LimitReached."""
    answer: Judgement | Result = judgement
    if judgement.status == GAVE_UP and wish.max_states > QUICK_STATES:
        answer = solve(position, Native(), max_expanded=wish.max_states)
    if answer.status in LIMITS:  # no verdict on the level: another machine might judge it
        raise LimitReached(answer.status, f"a limit was reached while judging levels: {answer.status}")
    return verdict_of(position, answer, wish)


def verdict_of(position: Position, answer: Judgement | Result, wish: Wish) -> Verdict:
    """Return the verdict on a level by its best solution."""
    if answer.status == UNSOLVABLE:
        return "unsolvable"
    if answer.status != SOLVED_OPTIMALLY or answer.cost is None or answer.moves is None or answer.expanded is None:
        return "too_large"
    pushes = answer.pushes if isinstance(answer, Result) and wish.objective != MOVES else None
    level = GeneratedLevel(position.level_text(), answer.cost, answer.moves, answer.expanded, pushes=pushes)
    return wish.misfit(answer.cost, pushes) or level


def fitting(position: Position, verdict: Verdict, options: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a level; it is refused if it does not fit the game's own options."""
    able = offered(position.game, Generating)
    fits = not isinstance(verdict, GeneratedLevel) or able is None or able.fits(position, options)
    return verdict if fits else "not_required"


def verdict_of_musts(position: Position, verdict: Verdict, wish: Wish) -> Verdict:
    """Return the verdict on a level by the things it must use, each proved by a search. Raises LimitReached."""
    if not isinstance(verdict, GeneratedLevel):
        return verdict
    proofs: list[tuple[str, int]] = []
    for thing in wish.musts:
        proof = needs(position, thing, wish.max_states)
        if not proof.needed:
            return "too_large" if proof.needed is None else "not_needed"
        proofs.append((str(thing), proof.expanded))
    return verdict.replace(unsolvable_without=tuple(proofs))


def verdict_of_space(position: Position, level: GeneratedLevel, space: Space[Any], wish: Wish) -> Verdict:
    """Return the verdict on a level of the requested length by its whole state space."""
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


def _bounded(level: GeneratedLevel, space: Space[Any], measures: Measures, wish: Wish) -> Verdict:
    """Return the level with its measures, or the reason to refuse it, if they are out of bounds."""
    counts = {"states": space.states, "dead_ends": level.dead_ends, "optimal_plans": level.optimal_plans}
    figures = {"solvable": True, "cost": level.cost, **counts, **measures.figures()}
    answers = [bound.met_by(figures) for bound in wish.bounds]
    if not all(answers):
        return "not_required" if False in answers else "too_large"
    return level.replace(optimal_lines=figures["optimal_lines"], difficulty=measures.difficulty)


def _one_solution(position: Position, most_nodes: int) -> bool | None:
    """Return whether a position's constraints, if it has any, have only one solution. Raises TooManyNodesError.

    Plans are not counted for this: moves that fill a grid can be made in any order.
    """
    constrained = offered(position, Constrained)
    if constrained is None:
        return None
    search = Search(constrained.constraints(), most_nodes=most_nodes)
    return len(list(islice(search.solutions(), 2))) == 1


class Origin(Record):
    """The random numbers of a candidate: its own, or an ancestor's with some of them exchanged.

    Attributes:
        number: the candidate's number.
        base: the number of its first ancestor, or its own; with the seed, it determines the random numbers.
        exchanged: indices of random numbers, each with its replacement.
        parent: the text of the level that it varies; empty for a new candidate.
    """

    number: int
    base: int
    exchanged: tuple[tuple[int, float], ...] = ()
    parent: str = ""

    def child(self, number: int, text: str, exchanged: Mapping[int, float]) -> Origin:
        """Return a child of this candidate, whose text is given: some more of its random numbers are replaced."""
        both = {**dict(self.exchanged), **exchanged}
        return Origin(number, self.base, tuple(sorted(both.items())), text)


class Numbers(Random):
    """The random numbers of an origin, some of them exchanged; `used` counts them.

    All methods of `Random` except `getrandbits` and `randbytes` call `random()` here.
    """

    def __init__(self, game: Game, seed: int, origin: Origin) -> None:
        super().__init__(f"{game.name} {seed} {origin.base}")
        self.used = 0
        self._exchanged = dict(origin.exchanged)

    def random(self) -> float:
        """Return the next number, from 0 to 1."""
        number = super().random()
        self.used += 1
        return self._exchanged.get(self.used - 1, number)


def numbers_used(game: Game, options: Mapping[str, Any], seed: int, origin: Origin) -> int:
    """Count the random numbers used for an origin's level."""
    numbers = Numbers(game, seed, origin)
    generated(game, numbers, options)
    return numbers.used


def descendant(game: Game, options: Mapping[str, Any], seed: int, origin: Origin) -> Position:
    """Return the candidate of an origin: its parent, varied by the game or else by random numbers."""
    able = offered(game, Generating)
    if able is not None and origin.parent:
        try:
            rng = Random(f"{game.name} {seed} {origin.number}")
            varied = able.variation(game.parse(origin.parent), rng, options)
        except ParseError:  # of this parent
            varied = None
        if varied is not None:
            return varied
    return generated(game, Numbers(game, seed, origin), options)
