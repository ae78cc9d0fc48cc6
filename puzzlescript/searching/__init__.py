"""PuzzleScript games in the core: the fast engine, searches on it, and the planner of these games.

native_engine   the engine, equal to the one in Python   searches       levels searched and explored
planner         the planner `puzzlescript`               schedule       its default: PDDL where the rules find nothing
"""
