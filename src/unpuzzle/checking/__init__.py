"""Is it what it claims to be? PDDL against the rules of its game, heuristics against true costs, domains against games.

side_by_side.py        check(): rules and PDDL explored side by side      comparison.py       one step of it
constraint_solutions.py   the constraints of a puzzle against its rules
bisimulation.py        same(): are two games the same up to names?        report.py           reports of check and same
compared_spaces.py     the state spaces that it compares
domains.py             check_domain(): is a domain the game?              findings.py         faults of others' parts
heuristics.py          check_heuristic(): admissible? consistent?
reachability.py        faults that `lint` has from grounding: actions that never apply, goals that nothing reaches
"""

from unpuzzle.checking.bisimulation import same
from unpuzzle.checking.domains import check_domain
from unpuzzle.checking.heuristics import check_heuristic
from unpuzzle.checking.report import Check, Difference
from unpuzzle.checking.side_by_side import check, task_of

__all__ = ["Check", "Difference", "check", "check_domain", "check_heuristic", "same", "task_of"]
