"""Tasks and plans as objects of unified-planning and tarski; translated in both directions, without PDDL texts.

    problem = to_unified_planning(task)         task = from_unified_planning(problem)
    problem = to_tarski(task)                   task = from_tarski(problem)
    plan_to_unified_planning(plan, problem)     plan_from_unified_planning(plan)
    plan_to_tarski(plan, problem)               plan_from_tarski(operators)

A feature that one side cannot express is refused by UnsupportedFeature, which names it. Some things can be written in
two ways here and in one there: objects as constants, `(and (p))` and `(p)`, the order of effects. So after a round trip
a task equals the original in its normal form, and often exactly.

    translation.py       what all translations share: names, the building of parts; the normal form
    up_problems.py       unified-planning, both ways
    tarski_problems.py   tarski, both ways

unified-planning comes with unpuzzle; tarski with `pip install 'unpuzzle[exchange]'`.
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
