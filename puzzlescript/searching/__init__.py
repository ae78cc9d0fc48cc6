"""PuzzleScript games in the core: the fast engine, searches on it, and the planner that games bring.

native_engine   the engine, equal to the one in Python   searches       levels searched and explored
estimates       heuristics from the win conditions       symmetry       reflections that a game does not notice
planner         the planner `puzzlescript`               schedule       its default: PDDL for what rules leave open
"""
