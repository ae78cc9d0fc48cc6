"""Generate levels of known difficulty without duplicates, in one or several processes.

    generation = generate(Boxup, {"size": (3, 3), "boxes": 3}, seed=1, count=20, moves=(10, None), unique=True)
    generation.levels[-1].text, generation.levels[-1].cost

Candidate number i has its own random numbers, from the seed and i. Candidates are judged in chunks of fixed sizes,
and taken in their order, until there are enough. So workers and their speed cannot change the answer; only limits of
time and memory can, and then `status` names the limit. A chunk's levels share their grounding (`judge_together`);
levels that its quick search gives up go to the native planner, one by one. Both count states, not seconds. Levels that
are equal up to symmetry count once, as the first of them (`Position.canonical`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import chain, islice, takewhile
from math import inf
from time import perf_counter
from time import time as clock
from typing import Any

from unpuzzle.base.defaults import LEVELS as COUNT
from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.outcomes import GAVE_UP, TIMEOUT
from unpuzzle.base.run import Limits, Run, current, within_limits
from unpuzzle.base.values import Record, field, schema_name
from unpuzzle.generation.candidates import (
    REASONS,
    Chunk,
    ChunkVerdicts,
    GeneratedLevel,
    HardLevelSearch,
    LevelRequest,
    Must,
    Verdict,
    candidate,
    must,
    require_known,
)
from unpuzzle.generation.judging import ChunkJudge, judge_by_constraints, judge_for
from unpuzzle.model.capabilities import Generating, completed, offered, options_of
from unpuzzle.model.position import Game
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.planning.walking import weigh
from unpuzzle.processes.parallel import in_turn
from unpuzzle.state_space.difficulty import NO_DEAD_ENDS, SOLVABLE, UNIQUE, Requirement, requirement
from unpuzzle.state_space.space import COMPLETE

CANDIDATES, CANDIDATES_PER_LEVEL = 10_000, 100
"""The default budget of random candidates, and the addition to it for each requested level."""
WITHOUT_END = 10**15
"""The number of candidates if only time ends the work."""
MOST_OF_A_SHAPE = 100_000
"""The default limit of levels of a shape with `every`, including symmetric ones."""
MAX_STATES = 200_000
"""A little more than the 181,440 states of the 8-puzzle."""
FIRST_ONES = 20
"""The number of candidates in which objects that must be used are looked up."""
FOR_THE_REST = 0.2
"""Seconds beyond the time limit in which workers may send their results."""
LEAST_FIRST_CHUNK, MOST_FIRST_CHUNK, LARGEST_CHUNK = 16, 64, 512
REPEATS = 5_000  # known candidates, one after the other, that end the search for the hardest: there are hardly others
CHUNK_FOR_THE_HARDEST = 32
"""The size of a chunk if only the hardest levels are kept; later chunks have their children (`HardLevelSearch`)."""


class Generation(Record):
    """The levels that `generate` has found so far, and the number of rejected candidates for each reason.

    Attributes:
        game, options (complete), seed: the arguments.
        levels: sorted by difficulty: for people, if the game knows that; then by the cost of an optimal solution, or
            another objective, states expanded, text.
        status: `running`, then `complete`, `gave_up` (no more candidates), `timeout`, `memout`, `cancelled`.
        most: the most candidates to try.
        candidates: the number of candidates tried.
        duplicates: the number of candidates that equal others up to symmetry.
        rejected: the number of refused candidates, by reason (`candidates.REASONS`).
        repeats: how many of the last candidates, one after another, were already known; `REPEATS` of them end the
            search for the hardest levels.
    """

    game: Game
    options: Mapping[str, Any]
    seed: int
    levels: tuple[GeneratedLevel, ...] = ()
    status: str = "running"
    most: int = 0
    candidates: int = 0
    duplicates: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    repeats: int = 0

    schema = "generate"

    @property
    def complete(self) -> bool:
        """Whether the generation has ended with all requested levels."""
        return self.status == COMPLETE

    def to_dict(self) -> dict[str, Any]:
        """Return the data for JSON; they do not depend on time or on the number of workers."""
        own = options_of(self.game).items()
        return {
            "schema": schema_name(self.schema),
            "status": self.status,
            "puzzle": self.game.name,
            "options": {name: option.show(self.options[name]) for name, option in own},
            "seed": self.seed,
            "levels": [level.to_dict() for level in self.levels],
            "candidates": self.candidates,
            "duplicates": self.duplicates,
            "rejected": {reason: self.rejected.get(reason, 0) for reason in REASONS},
            "repeats": self.repeats,
        }

    def __repr__(self) -> str:
        return f"Generation({self.status!r}, levels={len(self.levels)}, candidates={self.candidates})"


def generate(
    game: Game,
    options: Mapping[str, object] | None = None,
    *,
    seed: int = 0,
    count: int | None = None,
    moves: tuple[int | None, int | None] = (1, None),
    objective: str = MOVES,
    unique: bool = False,
    no_dead_ends: bool = False,
    require: Iterable[str | Requirement] = (),
    must_use: Iterable[str | Must] = (),
    every: bool = False,
    candidates: int | None = None,
    best: float | None = None,
    max_states: int = MAX_STATES,
    limits: Limits | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Generation], None] = lambda generation: None,
) -> Generation:
    """Generate levels of a puzzle, and determine the exact cost of an optimal solution of each.

    Args:
        options: the game's own (`game.options`), as values or texts; others have their defaults.
        seed: any whole number; equal seeds give equal levels.
        count: the number of levels; 10 if None. With `every`: only so many, the hardest; all if None.
        moves: least and most cost of an optimal solution (its moves, if each costs 1); None is no bound.
        objective: the objective of that solution, as in `solve`; if it is pushes first, the bounds are of pushes.
        unique: only levels with exactly one optimal line, up to walks and the order of independent changes
            (`state_space.lines`); if the game states constraints, with one solution of these.
        no_dead_ends: only levels in which no way leads to a position from which the goal cannot be reached.
        require: further requirements, such as `traps>=3` or `lines=1..2`, that `state_space.difficulty` explains.
        must_use: things that each solution must use, such as `rule 31`: only levels that are proved to be unsolvable
            without each of them; `generation.candidates` explains them.
        every: all levels of that shape instead of random ones.
        candidates: the most candidates to try; with `every`, the most levels of the shape.
        best: seconds in which to look for the `count` hardest levels (1 if None), by changes of the hardest so far;
            `inf` ends after `candidates`. It ends earlier after 5,000 known candidates in a row.
        max_states: the most states to solve a level, and the most states of its space if `unique`, `no_dead_ends` or
            `require` need the space; a larger level is rejected.
        limits: `time` of the whole call; `memory` of each worker. At a limit, the levels found so far are returned,
            also from unfinished chunks.
        workers: processes. Names in the script itself (`__main__`) are unknown to them.
        scheduler: the address of a Dask cluster that works instead.
        progress: called with the state of the work at its beginning, and after every chunk. A caller that stores it
            has the levels so far after an exception, such as KeyboardInterrupt.

    Raises UsageError for invalid arguments, WorkersFailed if workers are missing or break, DependencyMissing without
    the compiled core of the native planner.
    """
    SearchOptions(objective=objective)  # it refuses unknown ones
    wish = LevelRequest(*_bounds(moves), unique, no_dead_ends, _positive("max_states", max_states), objective=objective)
    wish = _wish(wish, require).replace(
        musts=tuple([must(each) if isinstance(each, str) else each for each in must_use])
    )
    start = Generation(game, completed(game, options or {}), seed)
    number = _positive("count", (COUNT if best is None else 1) if count is None else count)
    if best is not None:
        _require_sense(best, every, candidates)
    judging = partial(in_turn, workers=_positive("workers", workers), scheduler=scheduler, preload=(game.__module__,))
    making = _Making(start, wish, number, progress, None if best is None else perf_counter() + best, judging)
    with Run(limits, "making levels"):
        status = making.run(every, candidates)
    result = making.result(status)
    return result.replace(levels=result.levels[-count:]) if every and count is not None else result


def _wish(wish: LevelRequest, require: Iterable[str | Requirement]) -> LevelRequest:
    """Return the requested properties of levels, including the requirements in `require`."""
    for each in require:
        wanted = requirement(each) if isinstance(each, str) else each
        if wanted.name == UNIQUE:
            wish = wish.replace(unique=True)
        elif wanted.name == NO_DEAD_ENDS:
            wish = wish.replace(no_dead_ends=True)
        elif wanted.name != SOLVABLE:
            wish = wish.replace(bounds=(*wish.bounds, wanted))
    return wish


Judging = Callable[[ChunkJudge, Iterable[Chunk | None], Callable[[], float | None]], Generator[ChunkVerdicts]]
"""The type of `in_turn`, here or with other processes."""


class _Making:
    """One run of `generate`, with its counts and levels so far."""

    def __init__(
        self,
        start: Generation,
        wish: LevelRequest,
        number: int,
        progress: Callable[[Generation], None],
        best: float | None,
        judging: Judging,
    ) -> None:
        self.game, self.options, self.seed = start.game, start.options, start.seed
        self.wish, self.number, self.progress, self.judging = wish, number, progress, judging
        self.reached: str | None = None
        self.best: float | None = best
        """The `perf_counter()` value at which the search for the hardest levels ends, if there is one."""
        self.levels: list[GeneratedLevel] = []
        self.most = self.candidates = self.duplicates = self.repeats = 0
        self.rejected: dict[str, int] = {}
        self.seen: set[str] = set()

    def result(self, status: str = "running") -> Generation:
        """Return the levels found and the candidates counted so far, with a status."""
        levels = sorted(self.levels, key=self._difficulty)
        counts = self.most, self.candidates, self.duplicates, dict(self.rejected), self.repeats
        return Generation(self.game, self.options, self.seed, tuple(levels), status, *counts)

    def _difficulty(self, level: GeneratedLevel) -> tuple[int, int, int, str]:
        weight = weigh(self.wish.objective, level.cost, level.pushes or 0)
        return level.rank, weight, level.expanded, level.text

    def run(self, every: bool, candidates: int | None) -> str:
        """Judge candidates until there are enough levels or, if `every`, until all are judged; return the status."""
        enough = None if every or self.best else self.number
        most = MOST_OF_A_SHAPE if every else CANDIDATES + CANDIDATES_PER_LEVEL * self.number
        if self.best is not None:
            most = WITHOUT_END
        most = _positive("candidates", most if candidates is None else candidates)
        self.progress(self.result())
        try:
            example = candidate(self.game, self.options, self.seed, 0)
            judge = judge_for(example, self.wish)
            if judge is not judge_by_constraints:
                others = (candidate(self.game, self.options, self.seed, number) for number in range(1, FIRST_ONES))
                require_known(self.wish.musts, chain([example], others))
            origins = _every_text(self.game, self.options, most) if every else range(most)
            self.most = len(origins)
            limits = current().limits
            whole = Chunk(self.game, self.options, self.seed, origins, self.wish, enough, limits, clock())
            if self.best is not None:
                return self._hardest(judge, whole)
            first = LARGEST_CHUNK if every else min(max(self.number, LEAST_FIRST_CHUNK), MOST_FIRST_CHUNK)
            return self._collect(judge, self._chunks(whole, first), enough)
        except LimitReached as reached:
            return reached.status
        except TimeoutError:
            return TIMEOUT

    def _hardest(self, judge: ChunkJudge, whole: Chunk) -> str:
        """Judge candidates until their number or the time is used up, and keep the hardest; return the status."""
        assert self.best is not None
        left, seconds = current().time_left(), max(self.best - perf_counter(), 0.001)
        shorter = seconds < (inf if left is None else left)
        climb = HardLevelSearch(self.game, self.options, self.seed, self._difficulty)
        try:
            with Run(Limits(seconds) if shorter else None, "making levels"):
                status = self._collect(judge, self._climb(whole, climb), None, climb.answer)
        except TimeoutError:
            status = TIMEOUT
        except LimitReached as reached:
            status = reached.status
        over = status == COMPLETE or (status == TIMEOUT and shorter)
        return (COMPLETE if self.levels else GAVE_UP) if over else status

    def _chunks(self, whole: Chunk, size: int) -> Iterator[Chunk]:
        """Yield batches of candidates: small batches first, since few levels may suffice, then larger ones."""
        start = 0
        while start < len(whole.origins):
            yield whole.replace(origins=whole.origins[start : start + size], sent=clock())
            start, size = start + size, min(2 * size, LARGEST_CHUNK)

    def _climb(self, whole: Chunk, climb: HardLevelSearch) -> Iterator[Chunk | None]:
        """Yield batches of random candidates and variants of the hardest levels; None if verdicts are needed first."""
        start, limits = 0, current().limits
        while start < self.most:
            numbers = range(start, min(start + CHUNK_FOR_THE_HARDEST, self.most))
            origins = climb.origins(numbers)
            if origins is None:
                yield None
                continue
            yield whole.replace(origins=origins, limits=limits, sent=clock())
            start = numbers.stop

    def _collect(
        self,
        judge: ChunkJudge,
        work: Iterable[Chunk | None],
        enough: int | None,
        answered: Callable[[ChunkVerdicts], None] = lambda chunk: None,
    ) -> str:
        """Count verdicts until `enough` levels are found (None: until the last verdict), and return the status."""
        jobs = takewhile(lambda _: self.reached is None, work)
        with closing(self.judging(judge, jobs, self._patience)) as chunks:
            for chunk in chunks:
                answered(chunk)
                for key, verdict in chunk.verdicts:
                    self._take(key, verdict)
                    if len(self.levels) == enough or (self.best and self.repeats == REPEATS):
                        return COMPLETE
                late = TIMEOUT if current().over() else None  # known levels take no time in which a chunk would look
                self.reached = self.reached or chunk.status or late  # running chunks still deliver their results
                self.progress(self.result())
        return self.reached or (COMPLETE if enough is None else GAVE_UP)

    def _take(self, key: str, verdict: Verdict) -> None:
        """Count a verdict, and store the level if it fits the request; `key` is the text of its canonical position."""
        self.candidates += 1
        self.repeats = self.repeats + 1 if key in self.seen else 0
        if key in self.seen:
            self.duplicates += 1
        elif isinstance(verdict, GeneratedLevel):
            self.levels.append(verdict)
            if self.best is not None:
                self.levels = sorted(self.levels, key=self._difficulty)[-self.number :]
        else:
            self.rejected[verdict] = self.rejected.get(verdict, 0) + 1
        self.seen.add(key)

    def _patience(self) -> float | None:
        """Return how many seconds to wait for the next batch; None without a time limit."""
        left = current().time_left()
        return None if left is None else left + FOR_THE_REST


def _require_sense(best: float, every: bool, candidates: int | None) -> None:
    """Raise UsageError if a search for the hardest levels would never end, or if all levels are requested, too."""
    if not best > 0:
        raise UsageError(f"the time to look for the hardest levels must be more than 0 seconds, not {best}")
    if best == inf and candidates is None:
        raise UsageError("looking for the hardest levels needs a time or a number of candidates, or it never ends")
    if every:
        raise UsageError(
            "all levels of a shape include the hardest, so leave out the time, and ask for a number of levels"
        )


def _every_text(game: Game, options: Mapping[str, Any], most: int) -> tuple[str, ...]:
    """Return the texts of all levels that a game can make with `options`, at most `most`.

    Raises UsageError if the puzzle cannot list them, or they are too many.
    """
    generating = offered(game, Generating)
    levels = None if generating is None else generating.every(options)
    shape = " ".join(f"{name} {option.show(options[name])}" for name, option in options_of(game).items())
    if levels is None:
        raise UsageError(f"{game.name} cannot list every level of a shape ({shape}), only make random ones")
    texts = tuple([str(level) for level in within_limits(islice(levels, most + 1))])
    if len(texts) > most:
        cure = "ask for a smaller one, or allow for more"
        raise UsageError(f"there are more than {most:,} levels of this shape ({shape}): {cure}")
    return texts


def _bounds(moves: tuple[int | None, int | None]) -> tuple[int | None, int | None]:
    least, most = moves
    if any(bound is not None and bound < 0 for bound in moves):
        raise UsageError(f"the bounds on a solution must be 0 or more, not {least}..{most}")
    if least is not None and most is not None and least > most:
        raise UsageError(f"the lower bound on a solution is above the upper one: {least}..{most}")
    return moves


def _positive(name: str, number: int) -> int:
    if not isinstance(number, int):  # as mistyped as 0, but never equal to a number of levels
        raise UsageError(f"{name} must be a whole number, not {number!r}")
    if number < 1:
        raise UsageError(f"{name} must be at least 1, not {number}")
    return number
