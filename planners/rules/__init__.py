"""Textbook searches on a puzzle's own rules: short, to be read, and counted with care. One file, one idea:

    planner                       the planner `rules:NAME`
    breadth_first, depth_first    a queue and a stack
    best_first                    a priority queue: uniform cost, greedy, A*, weighted A*
    ida_star                      A* without a frontier
    bidirectional                 two frontiers
    overwriting                   depth-first with published successors that are no moves, as a baseline
    walkers                       no memory at all: mouse, wall followers
    algorithms, search, counts    their names, what fits which puzzle, what an answer proves; what is counted

The conventions, under which published figures come out exactly: successors in the order of the puzzle's moves; a
position is expanded when it is taken from the frontier, once; the goal is tested when a position is taken, not when it
is found; first in first out among equals; one expansion is one call for successors. (See S. J. Russell and P. Norvig,
Artificial Intelligence: A Modern Approach, chapter 3, which tests the goal of breadth-first search earlier.)
"""
