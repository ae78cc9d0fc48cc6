"""Textbook searches on the rules of a puzzle, in Python: short, readable, and with exact counts.

    strategies    the searches: breadth-first, depth-first, best-first, from both ends, IDA*, walkers
    search        one search on a puzzle: its graph, its counts, and the proofs in answers
    planner       the planner `rules:NAME`, with the table of names and suitable puzzles

The conventions, which reproduce published figures exactly: successors in the order of the puzzle's moves; a position is
expanded when it is taken from the frontier, once; the goal is tested when a position is taken, not when it is found;
first in first out among equals; one expansion is one call for successors. (See S. J. Russell and P. Norvig, Artificial
Intelligence: A Modern Approach, chapter 3, which tests the goal of breadth-first search earlier.)
"""
