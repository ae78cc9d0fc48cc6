"""Sudoku's bundled levels."""

from __future__ import annotations

LEVELS = {
    "4x4": "1.3.\n.4.2\n.1..\n4..1\n",
    "4x4-minimal": "...4\n.1..\n..2.\n3...\n",
    "4x4-unsolvable": "12..\n..3.\n....\n...3\n",
    "32-clues": "003020600900305001001806400008102900700000008006708200002609500800203009005010300\n",
    "25-clues": "000002009540080200103070500704000000000900007005030060000005091000693000000000805\n",
    "16x16": """\
B.3E256.F.C.4.D9
59CG.FE3.6.D78..
F2..1D.A..3.C...
D814BC...2.EA63F
4...F.C21E5B.7.6
1F96G7..DC82.45.
8.G....5746..C91
2.7C86...9..D..B
7..9..4...FC12.3
GCB..1F6E....A.7
.1E.AB29..46G5CD
A.D.7G5CB3.9...E
9G856.3...A1ED7C
...D.A..2.E3..64
..21C.D.6F9.53AG
63.A.E.B.5DGF1.8
""",
}
"""`32-clues` and `25-clues` are the boards of the lab report that the generator grew out of: any one of 21 clues of the
first could go, and none of the second."""
