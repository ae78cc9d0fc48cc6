"""Messages that explain why a task has no plan.

The proof may come from grounding, from mutex pairs of facts, or from the heuristic value of the initial state; then
there is almost nothing to search. A search that ends without a plan has not expanded every state of the task: none that
the heuristic proved to be a dead end, and perhaps only one of several states that are symmetric, joined by walks, or
differ only in irrelevant facts. Each algorithm has its own sentence, which is true even if nothing was left out or
merged.
"""

from __future__ import annotations

from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.schedule import Stage, StageOutcome

BY_GROUNDING = (
    "there is no plan: grounding proved that the goal cannot be reached: no actions make all of its parts true, "
    "or the parts exclude each other; nothing was searched"
)
BY_PAIRS = "there is no plan: pairs of facts that exclude each other (h^2) rule out every action"


def proof_of(
    stage: Stage,
    outcome: _core.SearchResult | _core.Part | StageOutcome,
    by_pairs: bool = False,
    fewer: bool = False,
    folded: bool = False,
    earlier: int = 0,
) -> str:
    """Return a message about the proof, by a search, that a task has no plan.

    `by_pairs`: pairs of facts had ruled out all actions; `fewer`: some of them. `folded`: states joined by walks
    counted as one. `earlier` is the number of states expanded by earlier searches without an answer.
    """
    before = f"; earlier searches without an answer: {earlier:,} expanded" if earlier else ""
    if by_pairs:
        return BY_PAIRS + before
    if outcome.expanded == 0:
        return f"there is no plan: {_at_once(stage, outcome)}" + (before or "; nothing was searched")
    return f"there is no plan: {stage.name} {_searched(stage, fewer, folded)}".format(f"{outcome.expanded:,}") + before


def _at_once(stage: Stage, outcome: _core.SearchResult | _core.Part | StageOutcome) -> str:
    """Return a message on why a task has no plan, for a proof that needed no search."""
    if stage.algorithm == "boxes":
        return "the boxes cannot all be pushed from their initial cells to goals"
    if stage.algorithm == "bidirectional":
        return "facts that exclude each other in all reachable states rule out every state with the whole goal"
    if outcome.evaluated == 0:
        return "the parts of the goal exclude each other"
    return f"{_heuristics(stage)} proved it for the initial state"


def _searched(stage: Stage, fewer: bool, folded: bool) -> str:
    """Return a message about the searched states; `{}` in it stands for the number of expanded states."""
    if stage.algorithm == "boxes":
        dead = "those from which the boxes cannot all be pushed to goals"
        return f"searched all positions that pushes lead to, except {dead}, {{}} expanded (walking is not counted)"
    if stage.algorithm == "bidirectional":
        searched = "searched from both ends until one side had no more states"
    else:
        searched = "searched all states that can be reached" + " by actions that pruning left" * bool(stage.pruned_by)
    searched += " by actions that pairs of facts (h^2) do not rule out" * fewer
    if stage.heuristic != "blind":
        searched += f" but dead ends of {_heuristics(stage)}"
    if stage.algorithm == "idastar":
        return f"{searched}, {{}} expanded (states that are reached again may count again)"
    once = "states that differ only in irrelevant facts" + ", or in where a walk leads," * folded + " count once"
    once += ", and so may symmetric states" * (stage.symmetries_after is not None and not folded)
    return f"{searched}, {{}} expanded ({once})"


def _heuristics(stage: Stage) -> str:
    first, _, second = stage.heuristic.partition(",")
    return f"the heuristics {first} and {second}" if second else f"the heuristic {first}"
