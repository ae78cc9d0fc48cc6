"""Crosswords from clues alone: candidate words, their probabilities, and a grid in which they fit together.

    clue ─signals→ parts ─sources→ words with measures ─scoring→ probabilities ─belief→ letters ─→ answers

planner.py    the planner `clues`                 settings.py   the configurations; whether sources are here
work.py       one crossword, with its sources opened, and clues that point to others
signals.py    hints in a clue besides meaning   text.py       words, stems, letters
sources/      the sources of candidates         index.py      from the words of a clue to the words they define
store.py      indexes on disk                   scoring.py    one probability from all measures, by learned weights
belief.py     belief propagation over the grid    filling.py    from probabilities to answers, also by CP-SAT

Importing this package needs no source; numpy is loaded when a crossword is solved.
"""

from __future__ import annotations

from unpuzzle.planners.clues.planner import Clues
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, USAGE
from unpuzzle.planners.clues.settings import missing as missing_source

CONFIGURATIONS_HELP = USAGE


def missing() -> str | None:
    """Return None if a source is installed, else a sentence with the command that installs all."""
    if any(missing_source(name) is None for name in SOURCES):
        return None
    return f"no source of words is installed; get them with: {INSTALL}"


make = Clues
"""Returns the planner `clues:config`, for the registry."""
