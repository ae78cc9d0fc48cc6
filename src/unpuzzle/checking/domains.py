"""Find out whether a PDDL domain that somebody else wrote is the game, up to names, on a suite of small levels.

On each level the rules and the domain's task are compared as `same` does it. Where one of them has too many states for
that, two figures are compared: whether there is a solution, and the least cost. If these are equal or unknown, it is
undecided whether the level is the same. Differences are told with the plans of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from unpuzzle.checking.bisimulation import same
from unpuzzle.checking.domain_findings import DomainLevel, DomainReport, Parting, by_figures, report_of
from unpuzzle.checking.findings import Finding
from unpuzzle.checking.report import FOREIGN, MERGED, Difference
from unpuzzle.checking.side_by_side import check
from unpuzzle.errors import LimitReached, ParseError, UnpuzzleError, UsageError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.nodes import Domain, Problem, Task
from unpuzzle.pddl.reading.reader import parse_problem
from unpuzzle.pddl.writer import write
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.result import TIMEOUT, Result
from unpuzzle.solving import solve
from unpuzzle.spaces.surveying import require_levels

MAX_STATES = 10_000
SAMPLES = 20
TIME = 60.0
"""Seconds for the comparison of one level; what took longer is compared as far as it came."""
PLANNING_TIME, PLANNING_MEMORY = 10.0, 2 << 30
"""For each plan that is shown or compared."""
NAMED_STATES = 2_000
"""So many states are looked at for a difference that is told by the names."""


def check_domain(
    domain: Domain,
    game: Game,
    problems: Mapping[str, Problem] | None = None,
    *,
    levels: Iterable[str] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    max_states: int = MAX_STATES,
    limits: Limits | Deadline | None = None,
    progress: Callable[[str], None] | None = None,
) -> DomainReport:
    """Compare a domain with a game, up to names, on its bundled levels (those of some names, if `levels` are given).

    Args:
        problems: by bundled level a problem of the domain; without them the game's own problems must fit the domain.
        samples: without `problems`, on so many random levels as well, made with `seed`.
        max_states: so many states of each side are compared on each level.
        limits: of all levels together; where one is reached, the report tells of those that were compared.
        progress: called with the name of each level before it is compared.

    Raises UsageError where a level is unknown; ParseError where the game's own problem does not fit the domain;
    UnsupportedFeature where the game has no PDDL that could be filled in, or the domain has what is not offered.
    """
    trials: list[Trial] = []
    watch = Deadline.of(limits, "comparing levels")
    limit = None
    try:
        for level in _levels(domain, game, problems, levels, samples, seed):
            watch.look()
            if progress is not None:
                progress(level.name)
            trials.append(Trial(level, max_states, watch))
    except LimitReached as reached:
        limit = reached.status
    if not trials and limit is None:
        raise UsageError(f"there is no level of {game.name} to compare the domain on")
    findings = [finding for trial in trials for finding in trial.figures]
    findings += [trial.finding() for trial in _first_of_each_kind(trials)]
    return report_of(findings, [trial.row for trial in trials], limit or (TIMEOUT if watch.over() else None))


def _first_of_each_kind(trials: Iterable[Trial]) -> Iterable[Trial]:
    """Return, for each kind of difference, the level that shows it after the fewest moves."""
    first: dict[str, Trial] = {}
    pairs = [(trial.parting, trial) for trial in trials if trial.parting is not None]
    for parting, trial in sorted(pairs, key=lambda pair: len(pair[0].moves)):
        first.setdefault(parting.kind, trial)
    return first.values()


def _levels(
    domain: Domain,
    game: Game,
    problems: Mapping[str, Problem] | None,
    levels: Iterable[str] | None,
    samples: int,
    seed: int,
) -> Iterator[DomainLevel]:
    """Return the random levels, which are small, then the bundled ones."""
    chosen = list(game.levels if levels is None else levels)
    require_levels(game, chosen)
    if problems is None:
        for number in range(seed, seed + samples):
            position = game.sample(Random(number))
            yield DomainLevel(f"sample {number}", position, fill_in(position, domain))
    for name in chosen:
        position = game.parse(game.levels[name], name)
        if problems is None:
            yield DomainLevel(name, position, fill_in(position, domain))
        elif name in problems:
            yield DomainLevel(name, position, Task(domain, problems[name]))


def fill_in(position: Position, domain: Domain) -> Task:
    """Return the game's own problem of a position with another domain. Raises ParseError where they do not fit."""
    name = position.game.name
    text = write(position.task().problem)
    try:
        return Task(domain, parse_problem(text, domain, f"problem of {name}"))
    except ParseError as error:
        raise ParseError(
            f"the problems of {name} do not fit this domain: {error.message}; give problems of its own by --problems",
            file=error.file, line=error.line, column=error.column, text=error.text,
        ) from error  # fmt: skip


class Trial:
    """The comparison on one level.

    `parting` is the difference, or None; `figures` are findings of a level that was compared in part; `row` tells of
    the level, and its `same` is None where that is undecided.
    """

    def __init__(self, level: DomainLevel, max_states: int, watch: Deadline) -> None:
        self.level = level
        self._watch = watch
        time = min(TIME, watch.time_left() or TIME)
        own = Deadline(watch.limits.lasting(time), "comparing")
        compared = same(level.position, level.task, max_states=max_states, limits=own)
        difference = compared.difference
        self.parting: Parting | None = None if difference is None else Parting(difference, _by_names(level, watch))
        self.figures: list[Finding] = []
        self.row: dict[str, object] = {
            "level": level.name,
            "position": str(level.position),
            "same": compared.same,
            "exhaustive": compared.exhaustive,
            "states": compared.states[0],
            "transitions": compared.transitions[0],
            "domain_states": compared.states[1],
            "domain_transitions": compared.transitions[1],
            "depth": compared.depth,
            "difference": None if difference is None else difference.to_dict(),
        }
        if compared.same is None:
            larger = f"there are more than {max_states:,} states"
            self.row["message"] = larger if compared.complete else f"not all states were compared in {time:g} s"
            if not watch.over():
                self.figures = by_figures(level, *self._plans())
                self.row["same"] = False if self.figures else None

    def finding(self) -> Finding:
        """Return the finding of the difference, with the plans of both."""
        assert self.parting is not None
        return self.parting.finding(self.level, *self._plans())

    def _plans(self) -> tuple[Result, Result]:
        answers = []
        for subject in (self.level.position, self.level.task):
            limits = Limits(min(PLANNING_TIME, self._watch.time_left() or PLANNING_TIME), PLANNING_MEMORY)
            answers.append(solve(subject, limits=limits))
        ours, theirs = answers
        self.row |= {"game": _answer(ours), "domain": _answer(theirs)}
        return ours, theirs


def _by_names(level: DomainLevel, watch: Deadline) -> Difference | None:
    """Return the first difference in the names of actions, where these are the game's: it is more to the point."""
    try:
        report = check(level.position, task=level.task, max_states=NAMED_STATES, walks=0, limits=watch)
    except UnpuzzleError:
        return None
    difference = report.difference
    return None if difference is None or difference.kind in (FOREIGN, MERGED) else difference


def _answer(result: Result) -> dict[str, object]:
    plan = None if result.plan is None else list(map(str, result.plan))
    moves = None if result.moves is None else list(result.moves)
    return {"status": result.status, "cost": result.cost, "plan": plan if moves is None else moves}
