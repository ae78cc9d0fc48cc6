"""Sudoku's bundled levels."""

from __future__ import annotations

LEVELS = {
    "4x4": "1.3.\n.4.2\n.1..\n4..1\n",
    "4x4-minimal": "...4\n.1..\n..2.\n3...\n",
    "4x4-unsolvable": "12..\n..3.\n....\n...3\n",
    "32-clues": "003020600900305001001806400008102900700000008006708200002609500800203009005010300\n",
    "25-clues": "000002009540080200103070500704000000000900007005030060000005091000693000000000805\n",
    "16x16": """\
BA3E256.F1C84.D9
59CG4FE3.6.D78.2
F2..1D8A9.3.CBE.
D814BC9.527EA63F
4.A3F.C21E5B.7.6
1F96G7B.DC82345A
8.G.D3A5746.2C91
2.7C861.39GADE.B
7.59E84D.AFC12.3
GCB8.1F6ED25.A.7
31EFAB29.746G5CD
A.D.7G5CB3.96F.E
9G85623F.BA1ED7C
.7FD.A.128E3..64
E.21C.D.6F9753AG
63.A9E7B.5DGF128
""",
}
"""`32-clues` and `25-clues` are the boards of the lab report that the generator grew out of: any one of 21 clues of the
first could go, and none of the second."""
