"""Check whether a PDDL domain by another author describes a game, and write template files for such authors.

On each of many small levels, `same` compares the rules with the domain's task; objects with the names of the game's are
the same. If either of them has too many states, only solvability and the least cost are compared; if these are equal or
unknown, the level is undecided. So is a level on which the domain only behaves the same. Differences are reported with
the plans of both.

The files of `template` leave out everything by which a domain is judged: types, predicates, actions, objects, facts and
goals. The rules and a picture of each level are given in comments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from shlex import quote
from typing import Any

from unpuzzle.base.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.base.defaults import SAMPLES
from unpuzzle.base.errors import LimitReached, ParseError, UnpuzzleError, UsageError, WorkersFailed
from unpuzzle.base.outcomes import GAVE_UP, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, current, detached, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import replay
from unpuzzle.pddl.nodes import Domain, Problem, Task
from unpuzzle.pddl.plain_names import title
from unpuzzle.pddl.reading.reader import parse_problem
from unpuzzle.pddl.writer import write
from unpuzzle.planning.result import Result
from unpuzzle.processes.parallel import each
from unpuzzle.solving import solve
from unpuzzle.state_space.space import COMPLETE
from unpuzzle.state_space.surveying import require_levels
from unpuzzle.verification.bisimulation import same
from unpuzzle.verification.pointing import AUTHORS, Pointer, parsed_step, point
from unpuzzle.verification.report import (
    ATOMS,
    COST,
    DIFFERENT,
    FOREIGN,
    GOAL,
    IMPOSSIBLE,
    MERGED,
    MISSING,
    POSSIBLE,
    SAME_BEHAVIOUR,
    SILENT_GOAL,
    SOLVED,
    UNDECIDED,
    UNSOLVED,
    Difference,
    Finding,
    GameDifference,
    Report,
    weakest,
)  # fmt: skip
from unpuzzle.verification.side_by_side import check

TIME = 60.0
"""Seconds for the comparison of one level; after that, the comparison is partial."""
PLANNING_TIME, PLANNING_MEMORY = 10.0, 2 << 30
"""Seconds and bytes for each plan that is shown or compared."""
POINTING_TIME = 10.0
NAMES = "the game", AUTHORS
NAMED_STATES = 2_000
"""The most states compared in search of a difference by name."""

UNKNOWN_NAMES = "it behaves the same, but it is not known whether it is the game up to names"
BEHAVING = {SAME_BEHAVIOUR: "it behaves the same, with other facts or steps", SILENT_GOAL: SILENT_GOAL}
"""The words for a level that is neither the same nor different, by its relation."""

NO_GOAL, WRONG_GOAL = "missing goal", "wrong goal"
NO_STEP, WRONG_STEP = "missing action", "superfluous action"
WRONG_COST, WRONG_EFFECT = "wrong cost", "wrong effect"
SOLVABILITY, BEST_COST = "solvability", "cost of the best plan"

UNSOUND = {WRONG_GOAL, WRONG_STEP, WRONG_COST, WRONG_EFFECT}
INCOMPLETE = {NO_GOAL, NO_STEP, WRONG_COST, WRONG_EFFECT}

_KINDS = {POSSIBLE: WRONG_STEP, IMPOSSIBLE: NO_STEP, SOLVED: WRONG_GOAL, UNSOLVED: NO_GOAL}
DOMAIN = "domain.pddl"

_DOMAIN = """\
{rules}
;
; Fill in this domain and the problems beside it. Names are yours to choose: what counts is what can be done, what it
; costs, and where the goal is. Then compare them with the game:
;   unpuzzle check {file} --game {game} --problems {folder}

(define (domain {name})
  (:requirements :strips :typing{costs})
  (:types )
  (:predicates ){functions}

  ; (:action ...
  ;   :parameters ()
  ;   :precondition (and )
  ;   :effect (and {increase}))
)
"""
_COSTS = {
    "costs": " :action-costs",
    "functions": "\n  (:functions (total-cost) - number)",
    "increase": "(increase (total-cost) 1)",
    "zero": "(= (total-cost) 0)",
    "metric": "\n  (:metric minimize (total-cost))",
}
"""The text that is filled in for a game whose moves do not all cost 1."""

_PROBLEM = """\
; Level {level}, whose text is {text}:
;
{picture}
;
; Moves from here: {moves}

(define (problem {name})
  (:domain {domain})
  (:objects )
  (:init {zero})
  (:goal (and )){metric})
"""


_KINDS |= {COST: WRONG_COST, ATOMS: WRONG_EFFECT}


class DomainLevel(Record):
    """A level on which a domain is compared with a game: its name, its position, and its task with the domain."""

    name: str
    position: Position
    task: Task

    def picture(self, moves: Sequence[str] = ()) -> str:
        return replay(self.position, moves).position.draw().rstrip("\n")

    def moves(self, steps: Iterable[str]) -> tuple[str, ...]:
        """Return the steps of a comparison as moves: actions are decoded, and moves are returned unchanged."""
        position, moves = self.position, []
        for step in steps:
            moves.append(position.decode(parsed_step(step)) if step.startswith("(") else step)
            position = position.apply(moves[-1])
        return tuple(moves)


class DomainReport(Report):
    """The report on a domain: each kind of difference from the game, with the example of fewest moves.

    `score` has the number of levels (`tests`), the number of levels on which both are the same (`passed`), the number
    of levels compared in all states (`exhaustive`), and a row for each (`levels`). `status` is `complete` if all levels
    were compared, `gave_up` if some were too large, or the limit that ended the comparison. `sentence` names the
    difference up to names, `action` and `literal` its place, as in `Pointer`; `relation` is the relation on the level
    where the domain and the game have the least in common, as in `Sameness`.
    """

    status: str = COMPLETE
    sentence: str = ""
    action: str | None = None
    literal: str | None = None
    relation: str = UNDECIDED

    schema = "test-domain"

    @property
    def undecided(self) -> list[dict[str, Any]]:
        """The table rows of undecided levels."""
        return [row for row in self.score["levels"] if row["same"] is None]

    @property
    def same(self) -> bool | None:
        """Whether the domain and the game are the same on all levels; None if undecided."""
        return False if self.findings else self.sound and self.complete

    @property
    def text(self) -> str:
        """The verdict and all findings, as text."""
        score = self.score
        compared = f"{score['passed']} of {count(score['tests'], 'level')} the same, "
        compared += f"{score['exhaustive']} compared in all states"
        if self.relation in BEHAVING:
            return f"{BEHAVING[self.relation]}: {compared}\n"
        if not self.findings:
            return f"no difference from the game was found, up to names: {compared}\n"
        lead = f"this is not the game: up to names, {self.sentence}\n" if self.sentence else "this is not the game\n"
        return "\n".join([f"{lead}{compared}\n", *(finding.text for finding in self.findings)])


def check_domain(
    domain: Domain,
    game: Game,
    problems: Mapping[str, Problem] | None = None,
    *,
    levels: Iterable[str] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    max_states: int = MAX_STATES,
    limits: Limits | None = None,
    progress: Callable[[str], None] | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> DomainReport:
    """Compare a PDDL domain with a game on levels of the game; the names may differ.

    Args:
        problems: by bundled level a problem of the domain; without them the game's own problems must fit the domain.
        samples: without `problems`, the number of additional random levels, made with `seed`.
        max_states: the most states of each side that are compared on each level.
        limits: of all levels together; if one is reached, the report covers the levels compared so far.
        progress: called with the name of each level before it is compared.
        workers, scheduler: as in `survey`; a process that breaks leaves its level undecided.

    Raises UsageError for an unknown level; ParseError if the game's own problem does not fit the domain;
    UnsupportedFeature if the game has no PDDL to fill in, or the domain has unsupported features.
    """
    trials: list[Trial] = []
    with Run(limits, "comparing levels") as run:
        limit = None
        try:
            suite = _watched(_levels(domain, game, problems, levels, samples, seed), progress)
            made = (Trial(level, max_states) for level in suite)
            alone = workers == 1 and scheduler is None
            # `extend`, since it keeps what came before a limit; a list made anew would lose it.
            trials.extend(made if alone else _apart(list(suite), max_states, workers, scheduler))
        except LimitReached as reached:
            limit = reached.status
        if not trials and limit is None:
            raise UsageError(f"{game.name} has no level on which the domain could be compared with the rules")
        findings = [finding for trial in trials for finding in trial.figures]
        first: dict[str, Trial] = {}
        for trial in sorted([trial for trial in trials if trial.kind], key=lambda trial: len(trial.moves)):
            first.setdefault(trial.kind, trial)
        findings += [trial.finding() for trial in first.values()]
        report = report_of(findings, [trial.row for trial in trials], limit or (TIMEOUT if run.over() else None))
        shortest = min(first.values(), key=lambda trial: len(trial.moves), default=None)
        return _with_pointer(report, shortest)


def _watched(levels: Iterable[DomainLevel], progress: Callable[[str], None] | None) -> Iterator[DomainLevel]:
    """Yield the levels; before each level, call `progress` with its name. Raises LimitReached."""
    for level in within_limits(levels, long=True):
        if progress is not None:
            progress(level.name)
        yield level


def _apart(levels: Sequence[DomainLevel], max_states: int, workers: int, scheduler: str | None) -> Iterator[Trial]:
    """Yield the comparison on each level, each made in a separate process, in order. Raises LimitReached."""
    jobs = [(level, max_states) for level in levels]
    ends = each(Trial, jobs, None, "comparing levels", workers=workers, scheduler=scheduler)
    for level, outcome in within_limits(zip(levels, ends, strict=False), long=True):
        try:
            trial: Trial = outcome.value()
        except WorkersFailed as failed:
            trial = Trial.broken(level, str(failed))
        yield trial


def _with_pointer(report: DomainReport, trial: Trial | None) -> DomainReport:
    """Return the report with a sentence that names the faulty part of the domain, found from the comparison `trial`."""
    if not report.findings:
        return report
    pointer = None if trial is None else trial.pointer()
    if pointer is None:
        return report.replace(sentence=report.findings[0].message)
    assert trial is not None
    sentence = f"in the level {trial.level.name}, {pointer.sentence}"
    return report.replace(sentence=sentence, action=pointer.action, literal=pointer.literal)


def report_of(findings: Sequence[Finding], rows: Sequence[dict[str, Any]], limit: str | None = None) -> DomainReport:
    """Return the report from the findings and table rows of all levels; `limit` is the limit that was reached."""
    first: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda finding: len(finding.moves or ())):
        first.setdefault(finding.kind, finding)
    clean = (bool(rows) and all(row["same"] for row in rows) and not findings and limit is None) or None
    score = {
        "tests": len(rows),
        "passed": sum(row["same"] is True for row in rows),
        "exhaustive": sum(row["exhaustive"] for row in rows),
        "levels": list(rows),
    }
    sound, complete = (False if kinds & first.keys() else clean for kinds in (UNSOUND, INCOMPLETE))
    decided = all(row["same"] is not None or row.get("relation") in BEHAVING for row in rows)
    relation = weakest([row.get("relation", UNDECIDED) for row in rows] + ([UNDECIDED] if limit else []))
    relation = DIFFERENT if findings else relation
    status = limit or (COMPLETE if decided else GAVE_UP)
    return DomainReport(sound, complete, (*first.values(),), score, status, relation=relation)


def _levels(
    domain: Domain,
    game: Game,
    problems: Mapping[str, Problem] | None,
    levels: Iterable[str] | None,
    samples: int,
    seed: int,
) -> Iterator[DomainLevel]:
    """Yield the levels for a comparison: small random levels, then the bundled levels."""
    chosen = list(game.levels if levels is None else levels)
    require_levels(game, chosen)
    if problems is None:
        for number in range(seed, seed + samples):
            position = game.sample(Random(number))
            yield DomainLevel(f"sample {number}", position, fill_in(position, domain))
    for name in chosen if problems is None else filter(problems.__contains__, chosen):
        position = game.parse(game.levels[name], name)
        task = fill_in(position, domain) if problems is None else Task(domain, problems[name])
        yield DomainLevel(name, position, task)


def fill_in(position: Position, domain: Domain) -> Task:
    """Return a task made from another author's domain and the game's problem for a position. Raises ParseError."""
    name, text = position.game.name, write(position.task().problem)
    try:
        return Task(domain, parse_problem(text, domain, f"problem of {name}"))
    except ParseError as error:
        raise ParseError(
            f"the problems of {name} do not fit this domain: {error.message}; give its own problems by --problems",
            file=error.file, line=error.line, column=error.column, text=error.text,
        ) from error  # fmt: skip


class Trial:
    """The comparison of a game with a domain on one level.

    `kind` is the kind of difference, and `moves` lead to it, compared by the game's names or else up to names; both are
    empty without a difference. `figures` are findings for a level that was compared in part; `row` has the figures of
    the level, and its `same` is None if undecided.
    """

    def __init__(self, level: DomainLevel, max_states: int) -> None:
        self.level: DomainLevel = level
        self.figures: list[Finding] = []
        time = min(TIME, current().time_left() or TIME)
        compared = same(level.position, level.task, max_states=max_states, same_objects=True, limits=Limits(time))
        self._difference = compared.difference
        self._by_names = None if compared.difference is None else _by_names(level)
        by_names = self._by_names
        self.kind: str = _kind(compared.difference) if by_names is None else _KINDS[by_names.kind]
        steps = () if compared.difference is None else compared.difference.moves
        self.moves: tuple[str, ...] = level.moves(steps) if by_names is None else by_names.moves
        fields = {name.replace("second", "domain"): value for name, value in compared.to_dict().items()}
        del fields["schema"], fields["status"]
        self.row: dict[str, object] = {"level": level.name, "position": str(level.position), **fields}
        if compared.same is None and compared.exhaustive:
            self.row["message"] = BEHAVING.get(compared.relation, UNKNOWN_NAMES)
        elif compared.same is None:
            larger = f"there are more than {count(max_states, 'state')}"
            self.row["message"] = larger if compared.complete else f"not all states were compared in {time:g} s"
            if not current().over():
                self.figures = _by_figures(level, *self._plans())
                self.row["same"] = False if self.figures else None

    @classmethod
    def broken(cls, level: DomainLevel, why: str) -> Trial:
        """Return an undecided comparison of a level, because of the error `why`."""
        trial = cls.__new__(cls)
        trial.level, trial.figures, trial.kind, trial.moves = level, [], "", ()
        trial._difference = trial._by_names = None
        trial.row = {"level": level.name, "position": str(level.position), "message": why}
        trial.row |= {"same": None, "exhaustive": False}
        return trial

    def finding(self) -> Finding:
        """Return the difference as a finding, with a plan of the game and a plan with the domain."""
        difference, by_names = self._difference, self._by_names
        assert difference is not None
        actions = f" (in the domain {' '.join(difference.counterparts)})" if difference.moves else ""
        with detached():  # a difference that was found in time is reported
            state, got, expected = self.level.picture(self.moves), difference.second, difference.first
        apart = f"{_after(difference.moves)}{actions}: by the game {expected}, by the domain {got}"
        where = f"in the level {self.level.name}"
        message = f"{where} {apart}"
        if by_names is not None:
            got, expected = by_names.pddl, by_names.rules
            message = f"{where} {_after(by_names.moves)}: by the game {expected}, by the domain {got}. "
            message += f"Up to names: {apart}"
        ours, theirs = map(planned, self._plans())
        return Finding(self.kind, self.moves, state, f"{got}; {theirs}", f"{expected}; {ours}", message)

    def pointer(self) -> Pointer | None:
        """Return the action and literal in which the domain differs from the game's own domain; None if not found."""
        if self._difference is None:
            return None
        try:
            with Run(Limits(time=POINTING_TIME), "pointing"):
                return point(self.level.position.task(), self.level.task, self._difference, names=NAMES)
        except (UnpuzzleError, LimitReached):
            return None

    def _plans(self) -> tuple[Result, Result]:
        ours = solve(self.level.position, limits=Limits(PLANNING_TIME, PLANNING_MEMORY))
        theirs = solve(self.level.task, limits=Limits(PLANNING_TIME, PLANNING_MEMORY))
        self.row |= {"game": _answer(ours), "domain": _answer(theirs)}
        return ours, theirs


def _after(moves: Sequence[str]) -> str:
    return f"after {' '.join(moves)}" if moves else "at the start"


def _by_names(level: DomainLevel) -> Difference | None:
    """Match actions of two domains by name, and return the first difference; None without one, or if names differ."""
    try:
        report = check(level.position, task=level.task, max_states=NAMED_STATES, walks=0)
    except UnpuzzleError:
        return None
    difference = report.difference
    return None if difference is None or difference.kind in (FOREIGN, MERGED) else difference


def _kind(difference: GameDifference | None) -> str:
    """Return the kind of a difference between a game and a domain, such as a wrong cost; empty without a difference."""
    if difference is None:
        return ""
    if difference.kind == GOAL:
        return WRONG_GOAL if difference.first.endswith("no goal") else NO_GOAL
    if "no step costs" in (difference.second if difference.kind == MISSING else difference.first):
        return WRONG_COST
    return NO_STEP if difference.kind == MISSING else WRONG_STEP


def planned(result: Result) -> str:
    """Return a phrase on a planner's result, such as the cost of the plan."""
    if result.status == UNSOLVABLE:
        return "there is no solution"
    if not result.solved:
        return "no plan was found in time"
    steps = list(result.moves if result.moves is not None else map(str, result.plan or ()))
    best = "the best plan" if result.status == SOLVED_OPTIMALLY else "a plan"
    return f"{best} costs {result.cost}: {' '.join(steps) or 'nothing to do'}"


def kind_by_figures(ours: Result, theirs: Result) -> str:
    """Return the kind of difference that two planner results prove (solvability or least cost), or an empty text."""
    if (ours.solved and theirs.status == UNSOLVABLE) or (theirs.solved and ours.status == UNSOLVABLE):
        return SOLVABILITY
    both = ours.status == theirs.status == SOLVED_OPTIMALLY
    return BEST_COST if both and ours.cost != theirs.cost else ""


def _by_figures(level: DomainLevel, ours: Result, theirs: Result) -> list[Finding]:
    """Return the difference between planner results for a level with too many states to compare."""
    kind, expected, got = kind_by_figures(ours, theirs), planned(ours), planned(theirs)
    where = f"in the level {level.name}, which has too many states to compare each"
    message = f"{where}: by the game {expected}, by the domain {got}"
    return [Finding(kind, (), level.picture(), got, expected, message)] if kind else []


def _answer(result: Result) -> dict[str, object]:
    steps = result.moves if result.moves is not None else result.plan
    return {"status": result.status, "cost": result.cost, "plan": None if steps is None else list(map(str, steps))}


def template(
    game: Game, levels: Iterable[str] | None = None, *, folder: str = "DIR", named: str = ""
) -> dict[str, str]:
    """Return template files for the author of a domain of this game, by file name.

    Args:
        folder, named: the files' later folder, and words that find the game, for the command in the domain's
        comment.

    Raises UsageError for an unknown level, or a level name that cannot be a file name.
    """
    chosen = list(game.levels if levels is None else levels)
    require_levels(game, chosen)
    name = title(game.name, "domain")
    for level in chosen:
        if level in (".", "..") or set("/\\\0") & set(level):
            raise UsageError(f"the level's name {level!r} cannot be the name of a file")
    starts = {level: game.parse(game.levels[level], level) for level in chosen}
    costs = dict.fromkeys(_COSTS, "") if all(start.unit_cost() for start in starts.values()) else _COSTS
    words = {"file": f"{folder}/{DOMAIN}", "folder": folder, "game": named or game.name}
    words = {key: quote(word) for key, word in words.items()}
    rules = commented(f"{game.title or game.name}\n\n{rules_of(game)}".rstrip())
    files = {DOMAIN: _DOMAIN.format(rules=rules, name=name, **words, **costs)}
    for level, start in starts.items():
        files[f"{level}.txt"] = game.levels[level]
        files[f"{level}.pddl"] = _problem(start, level, name, costs)
    return files


def rules_of(game: Game) -> str:
    """Return the rules of a game in words, from its module's docstring; empty without a docstring."""
    module = getattr(game, "__module__", type(game).__module__)
    return (getattr(sys.modules.get(module), "__doc__", None) or "").strip()


def commented(text: str) -> str:
    return "\n".join(f"; {line}".rstrip() for line in text.split("\n"))


def _problem(position: Position, level: str, domain: str, filled: Mapping[str, str]) -> str:
    """Return the text of a file in which an author writes the problem of a level."""
    costs = [f"{move} (cost {position.cost(move)})" for move in position.moves()]
    return _PROBLEM.format(
        level=level,
        text=f"{level}.txt",
        picture=commented(position.draw().rstrip("\n")),
        moves=", ".join(costs) or "none",
        name=title(f"{domain}-{level}", "problem"),
        domain=domain,
        **filled,
    )
