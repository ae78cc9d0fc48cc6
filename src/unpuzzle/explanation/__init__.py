"""Explain why a task has no plan, or why a level has no solution.

reasons.py             explain(): why there is no plan; explain_level(): why a level has no solution
chains.py              why a fact is unreachable: the ways to make it true, and what they lack
exclusions.py          facts that are never true together            excuses.py          changes that make it solvable
"""
