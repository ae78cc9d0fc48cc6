"""Random games in PuzzleScript from a small grammar of rules, for tests that compare engines."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

TEXT = """title Random
{prelude}
========
OBJECTS
========

{objects}

=======
LEGEND
=======

. = Background
P = Player
# = Wall
A = Box
B = Ball
C = Cloud
O = Target
M = Box and Target
N = Ball and Cloud
Solid = Wall or Box or Ball
Soft = Ball or Cloud or Target
Thing = Box or Ball

================
SOUNDS

COLLISIONLAYERS
================

Background
{layers}

======
RULES
======

{rules}

==============
WINCONDITIONS
==============

{wins}

=======
LEVELS
=======

{level}
"""
OBJECTS = ("background", "player", "wall", "box", "ball", "cloud", "target")
THINGS = ("player", "player", "wall", "box", "box", "ball", "cloud", "target", "solid", "soft", "thing")
LAYERS = (
    "target\nplayer, wall, box, ball\ncloud",
    "target, cloud\nplayer, wall\nbox, ball",
    "target\ncloud, ball, wall\nbox, player",
)
MOVES = ("", "", "", ">", "<", "^", "v", "up", "right", "moving", "stationary", "action", "no", "perpendicular")
NEW_MOVES = ("", "", "", ">", "<", "^", "down", "left", "stationary", "action", "randomdir")
PREFIXES = ("", "", "", "", "late", "late", "rigid", "right", "up", "horizontal", "random", "+", "+ late")
COMMANDS = (
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "again",
    "again",
    "cancel",
    "win",
    "restart",
    "checkpoint",
    "message hello",
    "sfx0",
)
WINS = (
    "all box on target",
    "some ball on target",
    "no cloud",
    "all thing on soft",
    "no box on cloud",
    "some player on target",
    "",
)
OPTIONS = ("", "", "run_rules_on_level_start", "require_player_movement", "noaction")


def _cell(draw: DrawFn) -> list[tuple[str, str]]:
    """Words and names of a cell."""
    return [
        (draw(st.sampled_from(MOVES)), draw(st.sampled_from(THINGS)))
        for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2))))
    ]


def _after(draw: DrawFn, cell: list[tuple[str, str]], chance: bool) -> str:
    """A right side for a cell: what was there, changed a little."""
    found = []
    for move, name in cell:
        kind = draw(st.integers(0, 9))
        if kind == 0:
            continue
        if move == "no":
            move = ""
        if kind <= 4:
            move = draw(st.sampled_from(NEW_MOVES))
        if kind in (4, 5):
            name = draw(st.sampled_from(OBJECTS[1:]))
        found.append((move, name))
    if draw(st.integers(0, 5)) == 0:
        found.append(("", draw(st.sampled_from(OBJECTS[1:]))))
    if chance and draw(st.integers(0, 9)) == 0:
        found.append(("random", draw(st.sampled_from(("solid", "soft")))))
    if not chance:
        found = [("" if move == "randomdir" else move, name) for move, name in found]
    return _written(found)


def _written(cell: list[tuple[str, str]]) -> str:
    return " ".join(f"{move} {name}".strip() for move, name in cell)


def _row(draw: DrawFn, chance: bool) -> tuple[str, str]:
    cells = [_cell(draw) for _ in range(draw(st.sampled_from((1, 1, 2, 2, 3))))]
    left = [_written(cell) for cell in cells]
    right = [_after(draw, cell, chance) for cell in cells]
    if len(cells) > 1 and draw(st.integers(0, 5)) == 0:
        left.insert(1, "...")
        right.insert(1, "...")
    return f"[ {' | '.join(left)} ]", f"[ {' | '.join(right)} ]"


@st.composite
def rules(draw: DrawFn, chance: bool, again: bool) -> str:
    """One rule."""
    rows = [_row(draw, chance) for _ in range(draw(st.sampled_from((1, 1, 1, 2 if again else 1))))]
    prefix = draw(st.sampled_from(PREFIXES))
    if prefix == "random" and not chance:
        prefix = ""
    command = draw(st.sampled_from(COMMANDS))
    if command == "again" and not again:
        command = ""
    left, right = " ".join(row[0] for row in rows), " ".join(row[1] for row in rows)
    return f"{prefix} {left} -> {right} {command}".strip()


@st.composite
def games(draw: DrawFn, chance: bool = True, again: bool = True, most: int = 9) -> str:
    """A whole game with one level; some have many objects and layers, so that sets need several words.

    Without `again` (nor loops and several rows) no turn takes long, in Python either.
    """
    lines = draw(st.lists(rules(chance, again), min_size=1, max_size=5))
    if draw(st.booleans()):
        lines.insert(0, "[ > player | thing ] -> [ > player | > thing ]")
    if again and draw(st.integers(0, 4)) == 0:
        lines = ["startloop", *lines, "endloop"]
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    glyphs = draw(st.text("....P#AABCOMN", min_size=width * height, max_size=width * height))
    level = "\n".join(glyphs[at : at + width] for at in range(0, width * height, width))
    more = [f"extra{n}" for n in range(draw(st.sampled_from((0, 0, 70))))]
    layers = draw(st.sampled_from(LAYERS)).split("\n")
    place = draw(st.integers(0, len(layers)))
    layers[place:place] = [", ".join(more[at : at + 5]) for at in range(0, len(more), 5)]
    return TEXT.format(
        prelude=draw(st.sampled_from(OPTIONS)),
        objects="\n\n".join(f"{name}\nred" for name in (*OBJECTS, *more)),
        layers="\n".join(layers),
        rules="\n".join(lines),
        wins="\n".join({draw(st.sampled_from(WINS)) for _ in range(2)}),
        level=level,
    )
