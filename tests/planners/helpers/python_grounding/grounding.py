"""Grounding in plain Python: a PDDL task in, a finite-domain task out. The slow twin of `ground_core`."""

from __future__ import annotations

from .encoding import encode
from .instantiation import Instantiation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.pddl.nodes import Task
    from unpuzzle.planners.native.grounding.fdr import FDRTask


def _never() -> None:
    pass


def ground(task: Task, tick: Callable[[], None] = _never) -> FDRTask:
    """The finite-domain task of a PDDL task.

    `tick` is called often; it may raise in order to end grounding (limits). Raises UnsupportedFeature for costs that
    depend on the state, ParseError for axioms that cannot be stratified or costs without a value.
    """
    return encode(Instantiation(task, tick).ground(), tick)
