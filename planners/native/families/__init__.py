"""Solving many small tasks at once: all tasks share one grounding, so each needs little more time than its search.

family.py      tasks that differ only in start and goal
merging.py     tasks with different objects and static facts as members of one family
"""
