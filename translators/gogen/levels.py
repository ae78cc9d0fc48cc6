"""The bundled Gogens: some of this project's own with most letters given, then the published sample."""

LEVELS = {
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
}
