"""Figures that must not change unnoticed: size of the ground task, cost and counts, for each bundled level.

`scripts/golden` renews `tests/golden/levels.json`. Equal input gives equal counts on every machine, so these are exact.
"""

import json
import os
from pathlib import Path

import pytest

from support.registry import WITH_PDDL
from unpuzzle import translators
from unpuzzle.planning import registry, running

GOLDEN = Path(__file__).parent / "golden" / "levels.json"
TOO_LARGE_FOR_BLIND_SEARCH = {"15-medium", "15-hard", "15-notebook", "32-clues", "25-clues", "16x16", "sample"}
LEVELS = [
    (name, level)
    for name in WITH_PDDL
    for level in translators.find(name).levels
    if level not in TOO_LARGE_FOR_BLIND_SEARCH
]


def figures(name: str, level: str) -> dict[str, object]:
    from unpuzzle.planners.native.grounding import CoreGrounding

    puzzle = translators.find(name)
    task = puzzle.parse(puzzle.levels[level]).task()
    fdr = CoreGrounding(task).fdr()
    result = running.run("native:bfs", task)
    return {
        "operators": len(fdr.operators),
        "variables": len(fdr.variables),
        "bits": sum((len(variable.values) - 1).bit_length() for variable in fdr.variables),
        "status": result.status,
        "cost": result.cost,
        "expanded": result.expanded,
        "generated": result.generated,
    }


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_levels(name: str, level: str) -> None:
    if registry.missing("native") is not None:
        pytest.skip(f"{registry.missing('native')}")
    golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    found = figures(name, level)
    if os.environ.get("UNPUZZLE_RENEW_GOLDEN"):
        golden.setdefault(name, {})[level] = found
        GOLDEN.write_text(json.dumps(golden, indent=1, sort_keys=True) + "\n")
    assert golden[name][level] == found
