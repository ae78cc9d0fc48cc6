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
    "easy": """\
MNGKD
H.X.V
WCLRY
Q.I.O
STJFB
words
PILE
CUT
AXLE
""",
}
