"""Is it what it claims to be? PDDL against the rules of its game, heuristics against true costs.

side_by_side.py        check(): rules and PDDL explored side by side      comparison.py       one step of it
constraint_solutions.py   the constraints of a puzzle against its rules
report.py              what it found, in words
heuristics.py          check_heuristic(): admissible? consistent?         heuristic_reports.py
reachability.py        what grounding tells `lint`: actions that never apply, goals that nothing reaches
"""

from unpuzzle.checking.heuristics import check_heuristic as check_heuristic
from unpuzzle.checking.report import Check as Check
from unpuzzle.checking.report import Difference as Difference
from unpuzzle.checking.side_by_side import check as check
from unpuzzle.checking.side_by_side import task_of as task_of
