"""Many small tasks at once: they share one grounding, so each costs little more than its search.

family.py      tasks that differ only in start and goal
merging.py     tasks with different objects and static facts as members of one family
"""
