"""The built-in planner: grounding and search in C++ (`core/`, seen from here as `_core`).

native          the default: a schedule of the others, see `schedule`; optimal, or `solved` where boxes are pushed
native:blind    A* with the blind heuristic
native:bfs      breadth-first; optimal in the number of steps, so `solved` only, where costs differ
native:lmcut    A* with landmark cuts
native:hmax     A* with h^max
native:pdb      A* with additive pattern databases, chosen automatically; no axioms. Long searches share costs among
                them by saturated cost partitioning, too, where that says clearly more
native:hadd, native:ff, native:goalcount, native:landmarks
                A* with h^add, h^FF, the number of open goals or the landmarks that are still to be reached: `solved`
                only, since these may overestimate
native:wastar   A* with weighted landmark cuts: a plan of at most 3 times the least cost; `wastar=5`: 5 times
native:lazywastar
                weighted A* that evaluates states only when they come up, with h^FF and landmarks in turn and their
                preferred operators: a plan of any cost; `lazywastar=5`: sooner
native:gbfs     greedy best-first with the same two: soon some plan, of any cost
native:bfws     best-first width search: what no state before showed with the same h^FF and open goals, first
native:idastar  IDA* with landmark cuts: next to no memory
native:orbits   A* that takes states for one that a symmetry of the ground task maps on each other
native:bidirectional
                breadth-first from both ends; where all operators cost the same, the goal leaves few states open,
                and operators tell what was before them
native:boxes    for Sokoban and what is like it: one walker pushes boxes that have no names on a board, which may be any
                graph. Some plan soon, then better ones by windows; `unsolvable` where that is proved. No other tasks

The name of any heuristic of the core is A* with it. A heuristic in parentheses takes the place of the usual one:
`native:gbfs(goalcount)`, `native:wastar=2(pdb)`, `native:orbits(lmcut)`, `native:astar(ff)`; `gbfs`, `bfws` and
`lazywastar` take two as well: `native:gbfs(hadd,landmarks)`.

After all names but `auto` and `boxes` may stand `+h2`, as in `native:lmcut+h2`: first everything is left out that no
plan contains, as far as pairs of facts show (h^2 forwards and backwards, Alcazar and Torralba 2015), as the default
does. Where operators do not concern each other, `+stubborn` lets their orders count as one (strong stubborn sets,
Wehrle and Helmert 2014); plans stay as cheap as they were. It goes with all that use neither symmetries nor two
heuristics, and with `+h2`: `native:idastar(hmax)+h2+stubborn`.

Symmetries are looked for, once a search is not a short one, by the default, `orbits` and `bidirectional`: permutations
of facts that keep operators, costs and the goal. The others expand exactly what textbooks say they do.

planner.py      the names above; grounding, then searching     grounding/    from PDDL to a finite-domain task
schedule.py     what the default does                          families/     many small tasks that share a grounding
anytime.py      ever better plans                              proofs.py     what proved that there is no plan
boxes.py        boards with boxes
"""

from __future__ import annotations

from unpuzzle.base.run import phase
from unpuzzle.pddl.costs import may_lack_costs
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native.planner import Native as Native
from unpuzzle.planners.native.planner import missing as missing


def require_costs(task: Task) -> None:
    """Raise ParseError for an action that can be applied and has no cost. Raises LimitReached, too.

    Planners disagree about such actions (some leave them out, some break), so what they say of the task proves nothing.
    The native planner notices when it grounds; for all others the same grounding is asked here. Without the compiled
    core only the `reference` planner notices, once it comes to such an action.
    """
    if missing() is None and may_lack_costs(task):
        from unpuzzle.planners.native.grounding.survey import costless

        with phase("grounding"):
            for error in costless(task):
                raise error
