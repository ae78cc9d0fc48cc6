"""The bundled Gogens: the published sample, and some of this project's own with most letters given."""

LEVELS = {
    "sample": """\
M.G.D
.....
W.L.Y
.....
S.J.B
words
ACQUIRE
AXLE
CUT
DERV
FIR
JUST
KEG
MAN
PILE
PRY
ROB
WHAM
""",
    "six": """\
BMW.A
.XS.N
KYHIT
FV.J.
CUO.G
words
LOUD
PINE
TEAR
""",
    "five": """\
F.WKV
.Y.N.
PIBHC
MRUEO
QJD.L
words
AXIS
RUT
WASP
""",
    "four": """\
V.KHJ
X.A.E
MRT.I
DPLQF
WGSBO
words
ARMY
INJECT
""",
    "unsolvable": """\
V.KHJ
X.A.E
MRT.I
DPLQF
WGSBO
words
ARMY
INJECT
STORM
""",
}
