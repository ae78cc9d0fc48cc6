"""Sudoku's bundled levels."""

from __future__ import annotations

LEVELS = {
    "4x4": "1.3.\n.4.2\n.1..\n4..1\n",
    "4x4-minimal": "...4\n.1..\n..2.\n3...\n",
    "4x4-unsolvable": "12..\n..3.\n....\n...3\n",
    "easy": "003020600900305001001806400008102900700000008006708200002609500800203009005010300\n",
    "minimal": "000002009540080200103070500704000000000900007005030060000005091000693000000000805\n",
}
"""`easy` and `minimal` are the two boards of the lab report that the generator grew out of: 32 clues, of which 21 are
redundant one by one, and 25 clues, none of which can go."""
