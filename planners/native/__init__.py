"""The built-in planner, which grounds and searches in C++ (the folder `core`, compiled to the module `_core`).

native          the default: a schedule of the others, see `schedule`; optimal, or `solved` where boxes are pushed
native:blind    A* with the blind heuristic
native:bfs      breadth-first; optimal in the number of steps, so `solved` only, where costs differ
native:lmcut    A* with landmark cuts
native:hmax     A* with h^max
native:pdb      A* with additive pattern databases, chosen automatically; no axioms. Long searches also use
                saturated cost partitioning, if its estimates are clearly higher
native:hadd, native:ff, native:goalcount, native:landmarks
                A* with h^add, h^FF, the number of open goals or of landmarks not reached yet: only
                `solved`, since these may overestimate
native:wastar   A* with weighted landmark cuts: a plan of at most 3 times the least cost; `wastar=5`: 5 times
native:lazywastar
                weighted A* that evaluates states only when they are expanded, with h^FF and landmarks in turn and
                their preferred operators: a plan of any cost; `lazywastar=5`: sooner
native:gbfs     greedy best-first with the same two: some plan soon, of any cost
native:bfws     best-first width search: first states with facts that are new for their h^FF and open goals
native:idastar  IDA* with landmark cuts: needs almost no memory
native:orbits   A* that identifies states that a symmetry of the ground task maps to each other
native:bidirectional
                breadth-first from both ends, if all operators cost the same, there are few goal states, and
                operators can be inverted
native:boxes    for Sokoban and similar puzzles: one walker pushes unnamed boxes on a board, which may be any graph.
                Some plan soon, then better ones by windows; `unsolvable` if that is proved. No other tasks

The name of any heuristic of the core is A* with it. A heuristic in parentheses takes the place of the usual one:
`native:gbfs(goalcount)`, `native:wastar=2(pdb)`, `native:orbits(lmcut)`, `native:astar(ff)`; `gbfs`, `bfws` and
`lazywastar` take two as well: `native:gbfs(hadd,landmarks)`.

All names but `auto` and `boxes` may end with `+h2`, as in `native:lmcut+h2`: first everything is removed that no plan
contains, as far as pairs of facts show (h^2 forwards and backwards, Alcazar and Torralba 2015), as in the default. If
operators are independent, `+stubborn` tries only one of their orders (strong stubborn sets, Wehrle and Helmert 2014),
at the same plan cost. It can be combined with all that use neither symmetries nor two heuristics, and with `+h2`:
`native:idastar(hmax)+h2+stubborn`.

The default, `orbits` and `bidirectional` look for symmetries once a search takes long: permutations of facts that
preserve operators, costs and the goal. The other configurations expand exactly the states that textbooks say.

planner.py      the names above; grounding, then searching     grounding/    from PDDL to a finite-domain task
schedule.py     what the default does, and `--anytime`         families.py   many small tasks with one grounding
pushes.py       plans with the fewest pushes                   proofs.py     the reasons why there is no plan
compiled.py     the core, or None if it was not compiled
"""

from __future__ import annotations

from unpuzzle.base.run import phase
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.world import may_lack_costs
from unpuzzle.planners.native.planner import Native as Native
from unpuzzle.planners.native.planner import missing as missing


def require_costs(task: Task) -> None:
    """Raise ParseError if an applicable action of a task has no defined cost. Raises also LimitReached.

    Planners disagree about such actions (some leave them out, some break), so their answers prove nothing. The native
    planner notices them when it grounds; for all others this function uses the same grounding. Without the compiled
    core only the `reference` planner notices, once it comes to such an action.
    """
    if missing() is None and may_lack_costs(task):
        from unpuzzle.planners.native.grounding.survey import costless

        with phase("grounding"):
            for error in costless(task):
                raise error
