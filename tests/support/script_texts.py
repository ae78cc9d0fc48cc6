"""Small games in PuzzleScript for tests: a whole text from the few lines that a test is about."""

HEAD = """title {title}
{prelude}
OBJECTS

Background
black

Player
pink

Wall
brown

Crate
orange

Target
yellow

LEGEND

. = Background
P = Player
# = Wall
* = Crate
O = Target
{legend}

SOUNDS

COLLISIONLAYERS

Background
Target
Player, Wall, Crate

RULES

{rules}

WINCONDITIONS

{wins}

LEVELS

{levels}
"""
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
GOAL = "all Crate on Target"


def script(
    rules: str = PUSH, levels: str = "p*o", wins: str = GOAL, legend: str = "", prelude: str = "", title: str = "Test"
) -> str:
    """The text of a game with player, walls, crates and targets."""
    return HEAD.format(rules=rules, levels=levels, wins=wins, legend=legend, prelude=prelude, title=title)
