"""Checks of claims, for example that PDDL agrees with a game's rules, or that heuristics are admissible.

side_by_side.py        check(): rules and PDDL explored side by side
many_levels.py         check_levels(): many levels, each in a separate process
bisimulation.py        same(): are two games the same up to names?        report.py           reports, findings
compared_spaces.py     the state spaces that same() compares, and the names that make two of them one
domains.py             check_domain(): is a domain the game? template(): files for an author to fill in
grading.py             Grader: a class's domains against one         pointing.py         point(): action and literal
heuristics.py          check_heuristic(): admissible? consistent?
move_comparison.py     compare_moves(): the costs of two move sequences, and the first decisive difference
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
