"""Finite-domain tasks taken apart, to be compared and shown."""

from __future__ import annotations

from unpuzzle.planners.native.grounding.fdr import FDRTask


def parts(fdr: FDRTask) -> dict[str, list[object]]:
    """The whole of a task, names included, as plain lists."""
    return {
        "variables": [(variable.layer, *map(str, variable.values)) for variable in fdr.variables],
        "initial": list(fdr.initial),
        "goal": list(fdr.goal),
        "operators": [
            (str(o.action), o.cost, o.precondition, *[(e.conditions, e.variable, e.value) for e in o.effects])
            for o in fdr.operators
        ],
        "axioms": [(rule.variable, rule.body) for rule in fdr.axioms],
        "mutexes": list(fdr.mutexes),
    }
