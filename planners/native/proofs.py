"""Sentences about the proof that there is no plan.

The proof may come from grounding, from mutex pairs of facts, or from the heuristic value of the initial state; then
there is next to nothing to search. A search that ends without a plan has not expanded every state of the task: no state
that the heuristic proved to be a dead end, and only one of several states that are symmetric or differ only in
irrelevant facts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.planners.native._core import SearchResult
    from unpuzzle.planners.native.schedule import Stage, StageOutcome

BY_GROUNDING = (
    "there is no plan: grounding found that the goal is out of reach: no actions make all of its parts true, "
    "or the parts exclude each other; nothing was searched"
)
BY_PAIRS = "there is no plan: pairs of facts that exclude each other (h^2) leave no action that could be part of one"


def proof_of(
    stage: Stage, outcome: SearchResult | StageOutcome, *, by_pairs: bool = False, fewer: bool = False, earlier: int = 0
) -> str:
    """Return the sentence for a search without a plan.

    `by_pairs`: pairs of facts had ruled out all actions; `fewer`: some of them. `earlier` is the number of states
    expanded by earlier searches without an answer.
    """
    before = f"; expanded by the searches before it, without an answer: {earlier:,}" if earlier else ""
    if by_pairs:
        return BY_PAIRS + before
    heuristic = f"the heuristic {stage.heuristic}"
    if outcome.expanded == 0 and outcome.evaluated > 0:
        return f"there is no plan: {heuristic} proved it for the initial state" + (before or "; nothing was searched")
    searched = "searched all states that can be reached" + " by actions that pruning left" * bool(stage.pruned_by)
    searched += " by actions that pairs of facts (h^2) do not rule out" * fewer
    if stage.algorithm == "bidirectional":
        searched = "searched from both ends until one side had no more states"
    elif stage.heuristic != "blind" and outcome.expanded != outcome.evaluated:
        searched += f" but dead ends of {heuristic}"
    alike = "states that differ only in what no plan needs" + ", or are symmetric," * (
        stage.symmetries_after is not None
    )
    return f"there is no plan: {stage.name} {searched}, {outcome.expanded:,} expanded ({alike} count once){before}"
