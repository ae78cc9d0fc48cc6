"""Crosswords from clues alone: what words may be meant, how likely each is, and what fits together in the grid.

    clue ─signals→ parts ─sources→ words with measures ─scoring→ probabilities ─belief→ letters ─→ answers

planner.py    the planner `clues`                 settings.py   what its name may say: which sources, which method
work.py       one crossword, within the limits    library.py    the sources that are here
signals.py    what a clue says besides meaning    text.py       words, stems, letters
sources/      where candidates come from          index.py      from the words of a clue to what is defined by them
store.py      where indexes are kept              scoring.py    one probability from all measures, by learned weights
belief.py     belief propagation over the grid    filling.py    from probabilities to answers, also by CP-SAT
linked.py     clues that point to other entries

No source is needed to import this; numpy is loaded when a crossword is solved.
"""

from __future__ import annotations

from unpuzzle.planners.clues.planner import Clues
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, USAGE

CONFIGURATIONS_HELP = USAGE


def missing() -> str | None:
    """Return None if some source is here, else a sentence with the command that installs all."""
    from unpuzzle.planners.clues.library import missing

    if any(missing(name) is None for name in SOURCES):
        return None
    return f"no source of words is installed; get them with: {INSTALL}"


make = Clues
"""Returns the planner `clues:config`, for the registry."""
