"""Textbook searches on a puzzle's own rules: short, readable, and with exact counts. One file, one idea:

    planner                       the planner `rules:NAME`
    uninformed                    a queue and a stack: breadth-first, depth-first
    best_first                    a priority queue: uniform cost, greedy, A*, weighted A*
    bidirectional                 two frontiers
    walkers                       no memory at all: mouse, wall followers
    algorithms, search            A* without a frontier; their names, suitable puzzles, the proofs in answers
    graph                         their common input, and the counts

The conventions, which reproduce published figures exactly: successors in the order of the puzzle's moves; a position is
expanded when it is taken from the frontier, once; the goal is tested when a position is taken, not when it is found;
first in first out among equals; one expansion is one call for successors. (See S. J. Russell and P. Norvig, Artificial
Intelligence: A Modern Approach, chapter 3, which tests the goal of breadth-first search earlier.)
"""
