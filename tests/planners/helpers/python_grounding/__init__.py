"""The slow twin of the grounding in C++, in plain Python: for tests to compare with.

conditions.py     lifted conditions taken apart          mutexes.py    groups of facts that exclude each other
joins.py          reachable facts by joins               pruning.py    the impossible and the irrelevant
instantiation.py  ground operators and axioms            encoding.py   variables, operators over (variable, value)
formulas.py       ground formulas                        grounding.py  all together: a task in, a task out
ground_task.py    what instantiation makes               common_ground.py  the same for several starts and goals
names.py          of predicates, variables, objects

It shares with the core only what both give and take: `fdr.py`, the result, and `stratify` of `flatten.py`, the order of
axioms.
"""

from .grounding import ground

__all__ = ["ground"]
