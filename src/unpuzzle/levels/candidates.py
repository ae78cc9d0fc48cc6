"""What a worker does for `generate`: make a chunk of candidates and judge them. Everything here goes between processes.

Positions do not: they hold hashes, which differ from process to process. Levels travel as text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from time import time as clock

from unpuzzle.errors import LimitReached
from unpuzzle.levels.batches import solve_many
from unpuzzle.levels.uniqueness import TooLargeError, one_solution
from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.planners.native import Native
from unpuzzle.puzzle.capabilities import generated, level_text_of
from unpuzzle.result import CANCELLED, GAVE_UP, MEMOUT, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.solving import solve
from unpuzzle.spaces.by_task import Spaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unpuzzle.levels.batches import Judgement
    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position
    from unpuzzle.result import CANCELLED, Result
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
        """Why a level of that cost is none of those, as in `REASONS`; None if it may be."""
        if self.least is not None and cost < self.least:
            return "too_easy"
        return "too_hard" if self.most is not None and cost > self.most else None


@dataclass(frozen=True)
class Chunk:
    """Candidates to judge: those of some numbers, from the seed or from `texts`, one for each number.

    After `enough` levels (None: never) the others need not be judged: whether those are new or were found before, with
    them there are enough.
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

    def begun(self) -> Deadline:
        """The deadline of the one who works on it: what is left since it was `sent`, by the clock of the day."""
        time = self.limits.time
        if time is not None:
            time = max(time - max(clock() - self.sent, 0.0), 1e-9)
        return Deadline(self.limits.lasting(time), "judging levels")

    def positions(self, watch: Deadline) -> Iterator[Position]:
        """The candidates, in order, each made when it is asked for.

        Raises LimitReached where the turns that a level begins with take too long.
        """
        watch = watch.during("making levels")
        for place, number in enumerate(self.numbers):
            with ticking(watch):
                if self.texts is not None:
                    position = self.game.parse(self.texts[place])
                else:
                    position = candidate(self.game, self.options, self.seed, number)
            yield position


@dataclass
class Judged:
    """What became of a chunk, as far as it came.

    Attributes:
        verdicts: for each candidate that was judged the text of its canonical position, and the verdict, in order; up
            to the last one that is needed.
        status: the limit that ended the work, or None.
    """

    verdicts: list[tuple[str, Verdict]] = field(default_factory=list)
    status: str | None = None


@dataclass(frozen=True)
class Level:
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


Verdict = Level | str
"""A level of the wanted kind, or one of `REASONS`."""


def candidate(game: Game, options: Mapping[str, Any], seed: int, number: int) -> Position:
    """The random candidate of a number: the same in every process, whatever was made before."""
    return generated(game, Random(f"{game.name} {seed} {number}"), options)


def judged(chunk: Chunk) -> Judged:
    """Judge the candidates of a chunk, as far as the limits allow."""
    found = Judged()
    try:
        _judge(chunk, chunk.begun(), found)
    except LimitReached as reached:
        found.status = reached.status
    return found


def _judge(chunk: Chunk, watch: Deadline, found: Judged) -> None:
    """Put the verdicts into `found`. Raises LimitReached at the end, where some are missing."""
    keys: list[str] = []
    unique: dict[str, Position] = {}
    missing: LimitReached | None = None
    try:
        for position in chunk.positions(watch):
            keys.append(str(position.canonical()))
            unique.setdefault(keys[-1], position)
    except LimitReached as reached:  # those that were made can still be taken, where they are quickly judged
        missing = reached
    judging = _Judging(chunk, unique, watch)
    levels = 0
    for key in keys:
        try:
            verdict, new = judging.verdict(key)
        except LimitReached as reached:
            missing = reached
            continue
        found.verdicts.append((key, verdict))
        levels += new and isinstance(verdict, Level)
        if levels == chunk.enough:
            return
    if missing is not None:
        raise missing


class _Judging:
    """The verdicts on the candidates of a chunk, each found when it is first asked for."""

    def __init__(self, chunk: Chunk, unique: Mapping[str, Position], watch: Deadline) -> None:
        self.chunk, self.unique, self.watch = chunk, unique, watch
        quick = min(QUICK_STATES, chunk.wish.max_states)
        answers = solve_many(list(unique.values()), watch, threads=1, max_expanded=quick)
        self.judgements = dict(zip(unique, answers, strict=True))
        self.spaces: _Spaces | None = None
        self.known: dict[str, Verdict] = {}

    def verdict(self, key: str) -> tuple[Verdict, bool]:
        """The verdict on a candidate, and whether it is new. Raises LimitReached."""
        if key in self.known:
            return self.known[key], False
        wish = self.chunk.wish
        verdict = _verdict(self.unique[key], self.judgements[key], wish, self.watch)
        if isinstance(verdict, Level) and (wish.unique or wish.no_dead_ends):
            if self.spaces is None:
                self.spaces = _Spaces(self.unique, self.judgements, wish, self.watch)
            verdict = self.spaces.verdict(key, verdict)
        self.known[key] = verdict
        return verdict, True


def _verdict(position: Position, judgement: Judgement, wish: Wish, watch: Deadline) -> Verdict:
    """What the length of a best solution tells."""
    answer = _patiently(position, judgement, wish, watch)
    if answer.status == CANCELLED:
        raise LimitReached(CANCELLED, "the run was cancelled while judging levels")
    if answer.status in (TIMEOUT, MEMOUT):  # says nothing of the level, which another machine would have judged
        limit = "time" if answer.status == TIMEOUT else "memory"
        raise LimitReached(answer.status, f"the {limit} limit was reached while judging levels")
    if answer.status == UNSOLVABLE:
        return "unsolvable"
    if answer.status != SOLVED_OPTIMALLY or answer.cost is None or answer.moves is None or answer.expanded is None:
        return "too_large"
    return wish.misfit(answer.cost) or Level(level_text_of(position), answer.cost, answer.moves, answer.expanded)


def _patiently(position: Position, judgement: Judgement, wish: Wish, watch: Deadline) -> Judgement | Result:
    """The judgement, or, where it gave up early, the native planner's answer."""
    most = wish.max_states
    if judgement.status != GAVE_UP or most <= QUICK_STATES:
        return judgement
    return solve(position, Native(), limits=watch, max_expanded=most)


class _Spaces:
    """The whole state spaces of those levels of a chunk that are of the wanted length, or may be."""

    def __init__(
        self, unique: Mapping[str, Position], judgements: Mapping[str, Judgement], wish: Wish, watch: Deadline
    ) -> None:
        self.wish, self.unique, self.watch = wish, unique, watch
        wanted = [
            key
            for key, judgement in judgements.items()
            if judgement.status == GAVE_UP or (judgement.cost is not None and not self.wish.misfit(judgement.cost))
        ]
        self.numbers = {key: number for number, key in enumerate(wanted)}
        self.spaces = Spaces([unique[key] for key in wanted], watch, max_states=self.wish.max_states)

    def verdict(self, key: str, level: Level) -> Verdict:
        """The same level with what its space tells, if it is what is wanted."""
        try:
            space = self.spaces.of(self.numbers[key])
        except LimitReached as reached:
            if reached.status != GAVE_UP:
                raise
            return "too_large"
        return told(self.unique[key], level, space, self.wish, self.watch)


def told(position: Position, level: Level, space: Space[Any], wish: Wish, watch: Deadline) -> Verdict:
    """A level of the wanted length with what its whole space tells, if it is what is wanted."""
    plans, dead_ends = space.optimal_plans(), len(space.dead_ends)
    if wish.unique:
        try:
            unique = one_solution(position, wish.max_states, watch)
        except TooLargeError:
            return "too_large"
        if not (plans == 1 if unique is None else unique):
            return "several_solutions"
    if wish.no_dead_ends and dead_ends:
        return "dead_ends"
    return Level(level.text, level.cost, level.moves, level.expanded, plans, dead_ends)
