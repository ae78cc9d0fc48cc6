"""What proved that there is no plan, in a sentence.

Grounding may see it, or what is known about pairs of facts, or the heuristic of the initial state; then there is next
to nothing to search. And a search that ends without a plan has not expanded every state of the task: none that the
heuristic proved to be a dead end, and one of those that differ only in what no plan needs, or that are symmetric.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.planners.native._core import SearchResult
    from unpuzzle.planners.native.schedule import Stage, StageOutcome

BY_GROUNDING = (
    "there is no plan: grounding found that the goal is out of reach, for no actions make each of its parts true, "
    "or the parts exclude each other; nothing was searched"
)
BY_PAIRS = "there is no plan: pairs of facts that exclude each other (h^2) leave no action that could be part of one"
_ALIKE = "states that differ only in what no plan needs, or are symmetric, count once"


def proof_of(stage: Stage, outcome: SearchResult | StageOutcome, *, by_pairs: bool = False) -> str:
    """Return the sentence for a search that ended; `by_pairs`: pairs of facts had left no action to search with."""
    if by_pairs:
        return BY_PAIRS
    heuristic = f"the heuristic {stage.heuristic}"
    if outcome.expanded == 0 and outcome.evaluated > 0:
        return f"there is no plan: {heuristic} proved it for the initial state; nothing was searched"
    searched = "searched all states that can be reached" + " by actions that pruning left" * bool(stage.pruned_by)
    if stage.algorithm == "bidirectional":
        searched = "searched from both ends until one side had no more states"
    elif stage.heuristic != "blind" and outcome.expanded != outcome.evaluated:
        searched += f" but dead ends of {heuristic}"
    return f"there is no plan: {stage.name} {searched}, {outcome.expanded:,} expanded ({_ALIKE})"
