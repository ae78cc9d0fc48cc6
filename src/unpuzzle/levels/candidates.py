"""Make and judge a chunk of candidates, in a worker of `generate`. What goes between processes is text, as hashes
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from time import time as clock
from typing import Any

from unpuzzle.constraints import TooManyNodesError
from unpuzzle.errors import LimitReached
from unpuzzle.levels.batches import Judgement, solve_many
from unpuzzle.levels.uniqueness import one_solution
from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.planners.native import Native
from unpuzzle.puzzle.capabilities import generated
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.record import Plain
from unpuzzle.result import GAVE_UP, LIMITS, SOLVED_OPTIMALLY, UNSOLVABLE, Result
from unpuzzle.solving import solve
from unpuzzle.spaces.by_task import Spaces
from unpuzzle.spaces.space import Space

REASONS = {
    "unsolvable": "unsolvable",
    "too_easy": "too easy",
    "too_hard": "too hard",
    "too_large": "too large to judge",
    "several_solutions": "with several solutions",
    "dead_ends": "with dead ends",
}
"""Why a candidate is no level of the wanted kind; with words for people."""
QUICK_STATES = 100_000
"""A search that has expanded so many states is not quick: heuristics pay, and the level's own grounding."""


@dataclass(frozen=True)
class Wish:
    """What levels must be like; `least` and `most` are costs of an optimal solution, None is no bound."""

    least: int | None
    most: int | None
    unique: bool
    no_dead_ends: bool
    max_states: int

    def misfit(self, cost: int) -> str | None:
        """Return why a level of a cost is not wanted, as in `REASONS`; None if it may be."""
        if self.least is not None and cost < self.least:
            return "too_easy"
        return "too_hard" if self.most is not None and cost > self.most else None


@dataclass(frozen=True)
class Chunk:
    """Candidates to judge: one for each number, made from the seed or from `texts`; after `enough` levels (None: never)
    no more.
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

    def begin(self) -> Deadline:
        """Return the deadline of the work on it: what is left since it was `sent`, by the clock of the day."""
        time = self.limits.time
        if time is not None:
            time = max(time - max(clock() - self.sent, 0.0), 1e-9)
        return Deadline(self.limits.lasting(time), "judging levels")

    def positions(self, watch: Deadline) -> Iterator[Position]:
        """Yield the candidates, in order, each made when it is asked for. Raises LimitReached."""
        watch = watch.during("making levels")
        for place, number in enumerate(self.numbers):
            with ticking(watch):
                if self.texts is not None:
                    position = self.game.parse(self.texts[place])
                else:
                    position = candidate(self.game, self.options, self.seed, number)
            yield position


@dataclass(frozen=True, slots=True)
class GeneratedLevel(Plain):
    """A level and how hard it is.

    Attributes:
        text: as the puzzle's `parse` reads it.
        cost, moves: of an optimal solution.
        expanded: states that the search for it expanded.
        optimal_plans: how many solutions of that cost there are (None: no end of them, or not counted).
        dead_ends: how many positions in reach have no way to the goal; None if not counted.
        rank, grade: how hard it is for people, as a number that sorts, and in words; 0 and empty if that is not known.
    """

    text: str
    cost: int
    moves: tuple[str, ...]
    expanded: int
    optimal_plans: int | None = None
    dead_ends: int | None = None
    rank: int = 0
    grade: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the level as data for JSON."""
        return {
            "level": self.text,
            "cost": self.cost,
            "moves": list(self.moves),
            "expanded": self.expanded,
            "optimal_plans": self.optimal_plans,
            "dead_ends": self.dead_ends,
            **({"grade": self.grade} if self.grade else {}),
        }


Verdict = GeneratedLevel | str
"""A level of the wanted kind, or one of `REASONS`."""


@dataclass(frozen=True, slots=True)
class ChunkVerdicts:
    """What became of a chunk.

    Attributes:
        verdicts: the text of the canonical position and the verdict, for each candidate that was judged, in order.
        status: the limit that ended the work, or None.
    """

    verdicts: tuple[tuple[str, Verdict], ...]
    status: str | None = None


def candidate(game: Game, options: Mapping[str, Any], seed: int, number: int) -> Position:
    """Make the random candidate of a number: the same in every process, whatever was made before."""
    return generated(game, Random(f"{game.name} {seed} {number}"), options)


def judge_singly(chunk: Chunk, verdict_on: Callable[[Position, Wish, Deadline], Verdict]) -> ChunkVerdicts:
    """Judge the candidates of a chunk one after the other, each text once: where no common grounding serves them."""
    verdicts: list[tuple[str, Verdict]] = []
    known: dict[str, Verdict] = {}
    watch = chunk.begin()
    try:
        for position in chunk.positions(watch):
            watch.look()
            with ticking(watch):
                key = str(position.canonical())
            if key not in known:
                known[key] = verdict_on(position, chunk.wish, watch)
            verdicts.append((key, known[key]))
            if sum(isinstance(verdict, GeneratedLevel) for verdict in known.values()) == chunk.enough:
                break
    except LimitReached as reached:
        return ChunkVerdicts(tuple(verdicts), reached.status)
    return ChunkVerdicts(tuple(verdicts))


def judge_together(chunk: Chunk) -> ChunkVerdicts:
    """Judge the candidates of a chunk, which share their grounding, as far as the limits allow."""
    watch = chunk.begin()
    keys: list[str] = []
    unique: dict[str, Position] = {}
    status: str | None = None
    try:
        for position in chunk.positions(watch):
            keys.append(str(position.canonical()))
            unique.setdefault(keys[-1], position)
    except LimitReached as reached:  # those that were made can still be taken, where they are quickly judged
        status = reached.status
    judging = _Judging(chunk, unique, watch)
    verdicts: list[tuple[str, Verdict]] = []
    levels = 0
    for key in keys:
        try:
            verdict, new = judging.verdict(key)
        except LimitReached as reached:
            status = reached.status
            continue
        verdicts.append((key, verdict))
        levels += new and isinstance(verdict, GeneratedLevel)
        if levels == chunk.enough:
            return ChunkVerdicts(tuple(verdicts))
    return ChunkVerdicts(tuple(verdicts), status)


class _Judging:
    """The verdicts on the candidates of a chunk, each found when it is first asked for."""

    def __init__(self, chunk: Chunk, unique: Mapping[str, Position], watch: Deadline) -> None:
        self.chunk, self.unique, self.watch = chunk, unique, watch
        quick = min(QUICK_STATES, chunk.wish.max_states)
        answers = solve_many(list(unique.values()), limits=watch, threads=1, max_expanded=quick)
        self.judgements = dict(zip(unique, answers, strict=True))
        self.spaces: _Spaces | None = None
        self.known: dict[str, Verdict] = {}

    def verdict(self, key: str) -> tuple[Verdict, bool]:
        """Return the verdict on a candidate, and whether it is new. Raises LimitReached."""
        if key in self.known:
            return self.known[key], False
        wish = self.chunk.wish
        verdict = _verdict(self.unique[key], self.judgements[key], wish, self.watch)
        if isinstance(verdict, GeneratedLevel) and (wish.unique or wish.no_dead_ends):
            if self.spaces is None:
                self.spaces = _Spaces(self.unique, self.judgements, wish, self.watch)
            verdict = self.spaces.verdict(key, verdict)
        self.known[key] = verdict
        return verdict, True


def _verdict(position: Position, judgement: Judgement, wish: Wish, watch: Deadline) -> Verdict:
    """Return the verdict of the judgement or, where it gave up early, of the native planner. Raises LimitReached."""
    answer: Judgement | Result = judgement
    if judgement.status == GAVE_UP and wish.max_states > QUICK_STATES:
        answer = solve(position, Native(), limits=watch, max_expanded=wish.max_states)
    if answer.status in LIMITS:  # says nothing of the level, which another machine would have judged
        raise LimitReached(answer.status, f"a limit was reached while judging levels: {answer.status}")
    return verdict_of(position, answer, wish)


def verdict_of(position: Position, answer: Judgement | Result, wish: Wish) -> Verdict:
    """Return what a best solution tells of a level."""
    if answer.status == UNSOLVABLE:
        return "unsolvable"
    if answer.status != SOLVED_OPTIMALLY or answer.cost is None or answer.moves is None or answer.expanded is None:
        return "too_large"
    level = GeneratedLevel(position.level_text(), answer.cost, answer.moves, answer.expanded)
    return wish.misfit(answer.cost) or level


class _Spaces:
    """The whole state spaces of those levels of a chunk that are of the wanted length, or may be."""

    def __init__(
        self, unique: Mapping[str, Position], judgements: Mapping[str, Judgement], wish: Wish, watch: Deadline
    ) -> None:
        self.wish, self.unique, self.watch = wish, unique, watch
        fitting = [
            key
            for key, judgement in judgements.items()
            if judgement.status == GAVE_UP or (judgement.cost is not None and not self.wish.misfit(judgement.cost))
        ]
        self.numbers = {key: number for number, key in enumerate(fitting)}
        self.spaces = Spaces([unique[key] for key in fitting], limits=watch, max_states=self.wish.max_states)

    def verdict(self, key: str, level: GeneratedLevel) -> Verdict:
        """Return the level with what its space tells, if it is what is wanted."""
        try:
            space = self.spaces.of(self.numbers[key])
        except LimitReached as reached:
            if reached.status != GAVE_UP:
                raise
            return "too_large"
        return verdict_of_space(self.unique[key], level, space, self.wish, self.watch)


def verdict_of_space(
    position: Position, level: GeneratedLevel, space: Space[Any], wish: Wish, watch: Deadline
) -> Verdict:
    """Return a level of the wanted length with what its whole space tells, if it is what is wanted."""
    plans, dead_ends = space.optimal_plans(), len(space.dead_ends)
    if wish.unique:
        try:
            unique = one_solution(position, wish.max_states, watch)
        except TooManyNodesError:
            return "too_large"
        if not (plans == 1 if unique is None else unique):
            return "several_solutions"
    if wish.no_dead_ends and dead_ends:
        return "dead_ends"
    return replace(level, optimal_plans=plans, dead_ends=dead_ends)
