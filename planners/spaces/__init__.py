"""State spaces as arrays.

space.py        what can be read off them: distances, dead ends, numbers of plans
by_rules.py     explored by the rules of a game, in plain Python (by its PDDL: `native`)
"""
