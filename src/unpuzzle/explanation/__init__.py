"""Why there is no plan, or a level has no solution; proved by facts that can never be true.

reasons.py             explain(): why there is no plan; explain_level(): why a level has no solution
chains.py              why a fact is unreachable: the ways to make it true, and what they lack
exclusions.py          facts that are never true together            excuses.py          changes that make it solvable
"""
