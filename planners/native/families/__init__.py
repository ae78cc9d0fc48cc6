"""Many small tasks at once: they share one grounding, and each costs its search and little else.

family.py      tasks that differ in their start and goal only
merging.py     tasks with other objects and static facts made members of one family
"""
