"""A planner for crosswords given by clues alone: candidate words, their probabilities, and a grid of fitting words.

    clue ─signals→ parts ─sources→ words with measures ─scoring→ probabilities ─belief→ letters ─→ answers

planner.py    the planner `clues`                 settings.py   the configurations; whether sources are here
work.py       one crossword, with its sources opened, and clues that point to others
signals.py    hints in a clue besides meaning; words, stems, letters
sources/      the sources of candidates         store.py      indexes on disk
scoring.py    one probability from all measures, by learned weights
belief.py     belief propagation over the grid    filling.py    from probabilities to answers, also by CP-SAT

Importing this package needs no source; numpy is loaded when a crossword is solved.
"""
