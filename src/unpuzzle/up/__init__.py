"""unpuzzle as an engine of unified-planning: `engine.py` plans for it, `problem.py` translates its problems to PDDL."""
