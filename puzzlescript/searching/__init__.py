"""PuzzleScript games in the core: the fast engine, searches on it, and the planner of these games.

native_engine   the engine, equal to the one in Python   searches       levels searched and explored
estimates       heuristics from the win conditions       symmetry       reflections that do not change a game
planner         the planner `puzzlescript`               schedule       its default: PDDL where the rules find nothing
"""
