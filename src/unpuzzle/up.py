"""A planner engine for the library unified-planning that uses the planners of unpuzzle.

    unpuzzle.register()
    with OneshotPlanner(name="unpuzzle") as planner:
        result = planner.solve(problem, timeout=60)

It plans (one plan, the best), it plans anytime (ever better plans, the last one proved to be the best), and it
validates plans. A problem is translated object by object (`interop.up_problems`), plans are returned with the
problem's own actions and objects, after validation by the reference semantics. Nothing is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any
from warnings import warn

from unified_planning.engines import (
    AnytimeGuarantee,
    Engine,
    LogLevel,
    LogMessage,
    PlanGenerationResult,
    PlanGenerationResultStatus,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines.mixins import AnytimePlannerMixin, OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.engines.results import FailedValidationReason
from unified_planning.environment import get_environment
from unified_planning.model import ProblemKind
from unified_planning.plans import PlanKind

from unpuzzle.base import outcomes
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.run import Limits
from unpuzzle.interop.up_problems import FEATURES, Translation
from unpuzzle.pddl.plain_names import PlainNames
from unpuzzle.pddl.validation import validate
from unpuzzle.planners.external.up import STATUSES as ENGINE_STATUSES
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result
from unpuzzle.solving import default_planner, improve, solve

NAME = "unpuzzle"

KIND = ProblemKind(FEATURES, version=2)
"""The supported features of problems. None concerns numbers, since unchanging ones have the same features as others."""
# Of two that mean `solved`, the later one is for a last plan.
STATUSES: dict[str, Any] = {ours: PlanGenerationResultStatus[theirs] for theirs, (ours, _) in ENGINE_STATUSES.items()}
STATUSES |= {
    outcomes.GUESSED: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    outcomes.CANCELLED: PlanGenerationResultStatus.TIMEOUT,  # it knows no better name
}


def register(environment: Any = None) -> None:
    """Register the engine `unpuzzle` in an environment of unified-planning, by default the global environment.

    It is last in the order of preference. Registering twice does no harm.
    """
    factory = get_environment(environment).factory
    if NAME not in factory.engines:
        factory.add_engine(NAME, __name__, UnpuzzleEngine.__name__)


class UnpuzzleEngine(Engine, OneshotPlannerMixin, AnytimePlannerMixin, PlanValidatorMixin):  # type: ignore[misc]
    """The engine; `planner` is a planner's name such as `native:blind`, `memory_limit` is in bytes.

    Raises UsageError for an unknown planner.
    """

    def __init__(self, planner: str | None = None, memory_limit: int | None = None) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        AnytimePlannerMixin.__init__(self)
        self._planner = registry.find(default_planner() if planner is None else planner)
        self._memory_limit = memory_limit

    @property
    def name(self) -> str:
        """The name of the engine in unified-planning."""
        return NAME

    @staticmethod
    def supported_kind() -> Any:
        """Return the features of problems that the engine supports."""
        return KIND.clone()

    @staticmethod
    def supports(problem_kind: Any) -> bool:
        """Return whether the engine supports problems with these features."""
        return bool(problem_kind <= KIND)

    @staticmethod
    def supports_plan(plan_kind: Any) -> bool:
        """Return whether the engine can validate plans of this kind, which must be sequential plans."""
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    @staticmethod
    def satisfies(optimality_guarantee: Any) -> bool:
        """Return True for any guarantee: the default planner is optimal, and others report the status of their plan."""
        return True

    @staticmethod
    def ensures(anytime_guarantee: Any) -> bool:
        """Return whether plans meet a guarantee; each plan is better than the one before, and the last is optimal."""
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    def _solve(
        self,
        problem: Any,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: Any = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            warn(f"{NAME} does not use heuristics that are given to it", stacklevel=3)
        return next(self._answers(problem, timeout, output_stream, anytime=False))

    def _get_solutions(
        self, problem: Any, timeout: float | None = None, output_stream: Any = None
    ) -> Iterator[PlanGenerationResult]:
        return self._answers(problem, timeout, output_stream, anytime=self._planner.improves)

    def _answers(
        self, problem: Any, timeout: float | None, output_stream: Any, anytime: bool
    ) -> Iterator[PlanGenerationResult]:
        """Yield the results of planning as unified-planning expects them; only the last one unless `anytime`."""
        clock, translation = perf_counter(), None
        answers: Iterable[Result]
        if timeout is not None and timeout <= 0:
            answers = [Result(outcomes.TIMEOUT, NAME, message="there was no time to plan")]
        else:
            try:
                translation = Translation(problem, PlainNames())
            except UnsupportedFeature as error:
                answers = [Result(outcomes.UNSUPPORTED, NAME, message=str(error))]
            else:
                limits, task = Limits(timeout, self._memory_limit), translation.task
                if anytime:
                    answers = improve(task, self._planner, limits=limits, clock=clock)
                else:
                    answers = [solve(task, self._planner, limits=limits, clock=clock)]
        for answer in answers:
            if output_stream is not None:
                stream = output_stream[0] if isinstance(output_stream, tuple) else output_stream
                stream.write("".join(f"{text}\n" for text in (answer.log, answer.message) if text))
            yield _generation(answer, translation, problem, perf_counter() - clock)

    def _validate(self, problem: Any, plan: Any) -> ValidationResult:
        try:
            translation = Translation(problem, PlainNames())
        except UnsupportedFeature as error:
            return ValidationResult(ValidationResultStatus.UNKNOWN, NAME, [LogMessage(LogLevel.ERROR, str(error))])
        steps = translation.steps(plan)
        if None in steps:
            number = steps.index(None) + 1
            reason = f"step {number}, {plan.actions[number - 1]}, is not an action of the problem with its objects"
            return _invalid(reason, plan, number)
        verdict = validate(translation.task, steps)
        if not verdict.valid:
            return _invalid(verdict.reason, plan, verdict.step)
        metrics = problem.quality_metrics
        evaluations = {metrics[0]: translation.cost(verdict.cost or 0)} if metrics else None
        return ValidationResult(ValidationResultStatus.VALID, NAME, [], evaluations)


def _generation(answer: Result, translation: Translation | None, problem: Any, seconds: float) -> PlanGenerationResult:
    """Return a planner's result in the form of unified-planning."""
    status, plan = STATUSES[answer.status], None
    if answer.intermediate:
        status = PlanGenerationResultStatus.INTERMEDIATE
    counts = {name: getattr(answer, name) for name in ("expanded", "evaluated", "generated")}
    metrics = {"engine_internal_time": str(seconds)}
    metrics |= {name: str(count) for name, count in counts.items() if count is not None}
    if answer.plan is not None and translation is not None:
        plan = translation.plan(answer.plan)
        if answer.cost is not None:
            metrics["cost"] = str(translation.cost(answer.cost))
        if not problem.quality_metrics and not answer.intermediate:  # optimal in what?
            status = PlanGenerationResultStatus.SOLVED_SATISFICING
    level = LogLevel.ERROR if answer.status == outcomes.ERROR else LogLevel.INFO
    logs = [LogMessage(level, text) for text in (answer.log, answer.message) if text]
    return PlanGenerationResult(status, plan, NAME, metrics, logs)


def _invalid(reason: str, plan: Any, step: int | None) -> ValidationResult:
    """Return the verdict on an invalid plan: its step `step` fails or, if this is None, its goal is not reached."""
    why, action = FailedValidationReason.UNSATISFIED_GOALS, None
    if step is not None:
        why, action = FailedValidationReason.INAPPLICABLE_ACTION, plan.actions[step - 1]
    logs = [LogMessage(LogLevel.INFO, reason)]
    return ValidationResult(ValidationResultStatus.INVALID, NAME, logs, None, why, action)
