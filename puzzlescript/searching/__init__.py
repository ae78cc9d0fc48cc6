"""Fast search in the levels of PuzzleScript games: the engine in C++, and the planner `puzzlescript`.

native_engine   the engine, equal to the one in Python   searches       levels searched and explored
planner         the planner `puzzlescript`               schedule       its default: PDDL where the rules find nothing
"""
