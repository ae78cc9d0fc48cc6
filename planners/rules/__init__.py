"""Textbook searches on a puzzle's own rules: short, to be read, and counted with care. One file, one idea:

    planner                       the planner `rules:NAME`
    uninformed                    a queue and a stack: breadth-first, depth-first
    best_first                    a priority queue: uniform cost, greedy, A*, weighted A*
    ida_star                      A* without a frontier
    bidirectional                 two frontiers
    walkers                       no memory at all: mouse, wall followers
    algorithms, search            their names, what fits which puzzle, what an answer proves
    graph                         what all of them take, and what is counted

The conventions, under which published figures come out exactly: successors in the order of the puzzle's moves; a
position is expanded when it is taken from the frontier, once; the goal is tested when a position is taken, not when it
is found; first in first out among equals; one expansion is one call for successors. (See S. J. Russell and P. Norvig,
Artificial Intelligence: A Modern Approach, chapter 3, which tests the goal of breadth-first search earlier.)
"""
