"""A planner for crosswords that have only clues: it finds candidate words, rates them, and fills the grid.

    clue ──sources→ words with measures ─inference→ probabilities, beliefs about letters, answers

planner.py           the planner `clues`          settings.py        the configurations; whether sources are here
work.py              one crossword, with its sources opened, and clues that point to others
clue.py              what a clue says besides its meaning; the interface of sources
local_sources.py     dictionaries, lists of words and your own file of clues, on this machine; their indexes on disk
network_sources.py   pages on the network, only on request; the client, and its answers on disk
dictionary.py        a dictionary read backwards  spelling.py        words made of others, words that look like one
inference.py         one probability from all measures, belief propagation over the grid, answers, also by CP-SAT

Importing this package needs no source; numpy is loaded when a crossword is solved.
"""
