"""What `auto` does: a fixed schedule of searches, each with a budget of states, until one has the answer.

Most puzzle levels are small, and nothing beats blind search on them; so it goes first. What survives it is worth the
effort of heuristics: landmarks, which need no preparation and are strong where a few things must be done in any order,
and pattern databases, which cost time to build but then guide millions of states a second. The strongest that the task
admits goes last, without a budget. Blind search and landmarks take turns, with budgets that grow: a task that is easy
for either of them costs little more than if the other had not been tried.

    a hub variable     blind ──10,000──► lmcut ──a glance──► pdb
                                (a variable that nearly all operators change, such as the blank of sliding tiles:
                                databases are small, sums of them strong)
    axioms             blind ──300,000─► lmcut     (databases do not support them)
    otherwise          blind ──30,000──► lmcut ──a glance──► blind ──300,000──► bidirectional ──100,000,000──►
                       lmcut ──20,000──► pdb

A landmark cut costs time in proportion to the number of operators, and more with conditional effects, so the glance is
so many states that this product is about the same for all tasks. Breadth-first search from both ends is passed over
where it cannot be used: it wants operators that can be undone and a goal that leaves few states open, as in Rubik's
cube, where nothing else comes near.

A stage for which the memory does not suffice ends like one whose budget is used up: its memory is free again, and the
next stage begins. After pattern databases that is a search with landmarks once more, now without a budget: it needs the
fewest states.

Every stage is optimal, budgets are numbers of states and never seconds, so equal tasks give equal plans and counts on
every machine. The result's message says which stages ran, and why the last one did.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .grounding import CoreGrounding

FIRST_BLIND_STATES = 30_000
BLIND_STATES = 300_000
BIDIRECTIONAL_STATES = 100_000_000
BLIND_STATES_BESIDE_A_HUB = 10_000
LANDMARK_STATES = 20_000
GLANCE, GLANCE_BESIDE_A_HUB = 600_000, 60_000
"""States of the first search with landmarks, times operators; a conditional effect counts as some operators."""
OPERATORS_PER_CONDITIONAL_EFFECT = 10
LEAST_GLANCE, MOST_GLANCE = 20, 5_000
"""In states."""
HUB = 0.9
"""A hub is changed by at least this part of the operators."""


class Stage:
    """One search: `name` of its configuration, how many states it may expand (None: no limit), and the reason.

    An `optional` stage that does not support the task is passed over; one `after_memout` is there only for tasks for
    which the memory did not suffice in the stage before.
    """

    __slots__ = ("after_memout", "algorithm", "heuristic", "most_expanded", "name", "optional", "reason", "weight")

    def __init__(
        self,
        name: str,
        algorithm: str,
        heuristic: str,
        most_expanded: int | None,
        reason: str,
        *,
        weight: int = 1,
        optional: bool = False,
        after_memout: bool = False,
    ) -> None:
        self.name = name
        self.algorithm = algorithm
        self.heuristic = heuristic
        self.most_expanded = most_expanded
        self.reason = reason
        self.weight = weight
        self.optional = optional
        self.after_memout = after_memout


def schedule(task: CoreGrounding) -> list[Stage]:
    """The stages for a ground task; the last one has no budget."""
    reason = "landmarks need little memory"
    frugal = Stage("lmcut", "astar", "lmcut", None, reason, after_memout=True)
    databases = Stage("pdb", "astar", "pdb", None, "pattern databases guide millions of states a second")
    if task.has_axioms:
        landmarks = Stage("lmcut", "astar", "lmcut", None, "the task has axioms, so no pattern databases")
        return [_blind(BLIND_STATES), landmarks]
    if task.most_changed >= HUB:
        return [_blind(BLIND_STATES_BESIDE_A_HUB), _glance(task, GLANCE_BESIDE_A_HUB), databases, frugal]
    landmarks = Stage("lmcut", "astar", "lmcut", LANDMARK_STATES, "landmarks need no preparation")
    reason = "operators can be undone and the goal is nearly a state, so two short searches meet"
    both_ends = Stage("bidirectional", "bidirectional", "blind", BIDIRECTIONAL_STATES, reason, optional=True)
    quick = [_blind(FIRST_BLIND_STATES), _glance(task, GLANCE), _blind(BLIND_STATES)]
    return [*quick, both_ends, landmarks, databases, frugal]


def _blind(states: int) -> Stage:
    return Stage("blind", "astar", "blind", states, "most levels are small")


def _glance(task: CoreGrounding, effort: int) -> Stage:
    operators = task.operators + OPERATORS_PER_CONDITIONAL_EFFECT * task.conditional_effects
    states = min(max(effort // max(operators, 1), LEAST_GLANCE), MOST_GLANCE)
    return Stage("lmcut", "astar", "lmcut", states, "landmarks may see at a glance what blind search does not")
