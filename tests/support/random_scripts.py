"""Random games in PuzzleScript with every feature of the language, and games with slips of the pen, from a seed.

Most of the games are right, so that they are played; some are not, which a compiler must bear, too. `slipped` changes a
text as people do: lines are lost, doubled and exchanged, words, too, and blanks come and go.
"""

from collections.abc import Sequence
from random import Random

KEYS = "uldrx"
OBJECTS = ("player", "wall", "crate", "ball", "cloud", "target", "hole")
LAYERS = (
    ("target", "hole"), ("player", "wall", "crate"), ("ball", "cloud"),
), (
    ("target",), ("hole", "cloud"), ("player", "wall", "crate", "ball"),
), (
    ("player",), ("wall", "crate", "ball", "cloud", "target"), ("hole",),
), (
    ("target", "cloud"), ("wall", "hole"), ("player", "crate"), ("ball",),
)  # fmt: skip
LEGENDS = (
    "Box = Crate", "Round = Ball or Cloud", "Solid = Wall or Crate or Ball", "Thing = Crate or Target",
    "Any = Solid or Cloud", "Pair = Crate and Cloud", "Deep = Hole and Ball", "Same = Round", "Both = Pair",
    "Hero = Player", "Mark = Target or Hole",
)  # fmt: skip
GLYPHS = (". = Background", "P = Player", "# = Wall", "C = Crate", "B = Ball", "U = Cloud", "T = Target", "H = Hole")
MORE_GLYPHS = ("M = Crate and Target", "N = Player and Target", "Q = Ball and Hole", "D = Box")
OPTIONS = (
    "run_rules_on_level_start", "require_player_movement", "noaction", "realtime_interval 0.5", "again_interval 0.1",
    "throttle_movement", "noundo", "norestart", "flickscreen 5x5", "background_color blue", "scanline",
)  # fmt: skip
PLAYERS = ("Player = Human", "Player = Human or Ball", "Player = Human and Cloud", "Player = Wall or Human or Hole")
MOVING = (">", "<", "^", "v", "up", "down", "left", "right", "action", "moving", "stationary")
MANY = ("horizontal", "vertical", "orthogonal", "parallel", "perpendicular", "moving")
PREFIXES = (
    "up",
    "down",
    "left",
    "right",
    "horizontal",
    "vertical",
    "orthogonal",
    "right up",
    "left left",
    "up down up",
)
COMMANDS = (
    "again",
    "cancel",
    "win",
    "restart",
    "checkpoint",
    "message hello (you)",
    "sfx0",
    "sfx1 again",
    "cancel sfx2",
)
WINS = (
    "all crate on target", "some ball on target", "no cloud", "all solid on mark", "no crate on cloud",
    "any player on hole",
    "some pair", "all pair on target", "no round on both", "some target", "all hole on deep",
)  # fmt: skip
COLOURS = ("red", "#f00", "blue green", "#00ff00 #00f", "transparent", "lightred darkblue")

Pair = tuple[str, str]
Cell = list[Pair]


class _Writer:
    """Writes one game."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.layers = rng.choice(LAYERS)
        self.names = {name: (name,) for name in OBJECTS}
        self.legend = []
        for line in LEGENDS:
            if self.fits(line) and rng.random() < 0.7:
                self.define(line)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def define(self, line: str) -> None:
        """Takes a line of the legend, and what its name stands for."""
        name, right = line.lower().split(" = ")
        members = [member for word in right.split()[::2] for member in self.names[word]]
        self.names[name] = tuple(members)
        self.legend.append(line)

    def fits(self, line: str) -> bool:
        """Whether all words of a line are known, and the members of an aggregate can meet."""
        words = line.lower().split(" = ")[1].split()
        if any(word not in self.names for word in words[::2]):
            return False
        layers = [self.layer(member) for word in words[::2] for member in self.names[word]]
        return "and" not in words or len(set(layers)) == len(layers)

    def layer(self, name: str) -> int:
        return next(number for number, layer in enumerate(self.layers) if name in layer)

    # ---- rules

    def left(self, late: bool) -> Cell:
        """A cell to look for: names that can meet."""
        cell: Cell = []
        used: set[int] = set()
        for _ in range(self.rng.choice((0, 1, 1, 1, 1, 2, 2))):
            name = self.rng.choice((*self.names, "player", "crate"))
            layers = {self.layer(member) for member in self.names[name]}
            if any(name == other for _, other in cell):
                continue
            if self.chance(0.2) and name not in ("pair", "deep", "both"):
                cell.append(("no", name))
            elif not layers & used:
                used |= layers
                cell.append((self.word(late, left=True), name))
        return cell

    def word(self, late: bool, left: bool) -> str:
        if late or self.chance(0.45):
            return ""
        if self.chance(0.25):
            return self.rng.choice(MANY) if left else self.rng.choice((*MANY[:2], "randomdir"))
        return self.rng.choice(MOVING)

    def right(self, cell: Cell, late: bool) -> Cell:
        """What becomes of a cell that matched."""
        after: Cell = []
        used: set[int] = set()
        for word, name in cell:
            kind = self.rng.random()
            if kind < 0.2 or (word == "no" and kind < 0.7):
                continue
            if kind < 0.35 and word != "no":
                word = self.word(late, left=False)
                word = "" if word in MANY else word
            elif kind < 0.4 and name in OBJECTS:
                name = self.rng.choice(OBJECTS)
            layers = {self.layer(member) for member in self.names[name]}
            if word == "no" or not layers & used:
                used |= layers if word != "no" else set()
                after.append((word, name))
        if self.chance(0.3):
            name = self.rng.choice(OBJECTS)
            if self.layer(name) not in used and name not in [other for _, other in after]:
                used.add(self.layer(name))
                after.append((self.rng.choice(("", "", ">", "stationary", "randomdir")) if not late else "", name))
        if self.chance(0.06):
            after.append(("random", self.rng.choice(tuple(self.names))))
        return after

    def rule(self) -> str:
        """One rule, or a loop's mark before it."""
        late = self.chance(0.2)
        flags = ["late"] if late else ["rigid"] if self.chance(0.06) else []
        if self.chance(0.08):
            flags.insert(0, "random")
        if self.chance(0.3):
            flags.append(self.rng.choice(PREFIXES))
        left, right = [], []
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            cells = [self.left(late) for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]
            befores, afters = [_written(cell) for cell in cells], [_written(self.right(cell, late)) for cell in cells]
            if len(cells) > 1 and self.chance(0.15):
                place = self.rng.randrange(1, len(cells))
                befores.insert(place, "...")
                afters.insert(place, "...")
            left.append(f"[ {' | '.join(befores)} ]")
            right.append(f"[ {' | '.join(afters)} ]")
        command = self.rng.choice(COMMANDS) if self.chance(0.2) else ""
        if command and self.chance(0.4):
            right = []
        return " ".join([*flags, *left, "->", *right, command]).strip()

    def rules(self) -> list[str]:
        """All rules, in groups and loops."""
        lines = []
        if "solid" in self.names and self.chance(0.5):
            lines.append("[ > Player | Solid ] -> [ > Player | > Solid ]")
        is_open = False
        for _ in range(self.rng.randrange(1, 6)):
            if self.chance(0.1):
                lines.append("endloop" if is_open else "startloop")
                is_open = not is_open
            lines.append(self.rule())
            if self.chance(0.2):
                lines.append("+ " + self.rule().replace("random ", "", 1))
        return [*lines, "endloop"] if is_open else lines

    # ---- the rest

    def objects(self) -> str:
        lines = []
        for name in ("Background", *OBJECTS):
            lines += [name.title(), self.rng.choice(COLOURS)]
            if self.chance(0.2):
                lines += ["".join(self.rng.choice(".0") for _ in range(5)) for _ in range(5)]
            if self.chance(0.8):
                lines.append("")
        return "\n".join(lines)

    def level(self) -> str:
        width, height = self.rng.randrange(1, 8), self.rng.randrange(1, 7)
        glyphs = "".join(line[0] for line in self.legend if line[1:4] == " = ") + "...P"
        rows = ["".join(self.rng.choice(glyphs) for _ in range(width)) for _ in range(height)]
        if self.chance(0.9) and "P" not in "".join(rows):
            place = self.rng.randrange(height)
            rows[place] = "P" + rows[place][1:]
        if self.chance(0.05):
            rows[-1] = rows[-1][:-1] or "P"
        return "\n".join(rows)

    def text(self) -> str:
        """The whole game."""
        for line in (*GLYPHS, *MORE_GLYPHS):
            name, right = line.lower().split(" = ")
            if "background" in right or (self.fits(line) and (line in GLYPHS or self.chance(0.7))):
                self.names[name] = ()
                self.legend.append(line)
        levels = [self.level() for _ in range(self.rng.choice((1, 1, 2)))]
        if self.chance(0.3):
            levels.insert(0, "message Hello")
        for glyph in [name for name, members in self.names.items() if not members]:
            del self.names[glyph]
        options = [option for option in OPTIONS if self.chance(0.12)]
        wins = [win for win in WINS if self.chance(0.12) and all(w in self.names for w in win.split()[1::2])]
        layers = [", ".join(self.rng.sample(layer, len(layer))) for layer in self.layers]
        head = ["title Random", *options, "", "OBJECTS", self.objects(), "LEGEND", *self.legend, ""]
        names = ["SOUNDS", "sfx0 123", "", "COLLISIONLAYERS", "Background", *layers, ""]
        rules = ["RULES", *self.rules(), "", "WINCONDITIONS", *wins, ""]
        return "\n".join([*head, *names, *rules, "LEVELS", "", "\n\n".join(levels), ""])


def _written(cell: Sequence[Pair]) -> str:
    return " ".join(f"{word} {name}".strip() for word, name in cell)


def random_script(rng: Random) -> str:
    """A random game with one or two levels; the first may be a message."""
    text = _Writer(rng).text()
    return _with_players(text, rng.choice(PLAYERS)) if rng.random() < 0.3 else text


def _with_players(text: str, players: str) -> str:
    """A game in which `player` is no object, but stands for some."""
    head, rest = text.split("COLLISIONLAYERS", 1)
    layers, rules = rest.split("RULES", 1)
    head = head.replace("\nPlayer\n", "\nHuman\n").replace("P = Player\n", "P = Human\n")
    head = head.replace("N = Player and", "N = Human and").replace("\nLEGEND\n", f"\nLEGEND\n{players}\n")
    return f"{head}COLLISIONLAYERS{layers.replace('player', 'human')}RULES{rules}"


def random_inputs(rng: Random, number: int, keys: str = KEYS + "uldruldrtz!") -> str:
    """Some inputs, among them now and then a tick, undo and restart."""
    return "".join(rng.choice(keys) for _ in range(number))


# ---- slips


def slipped(rng: Random, text: str) -> str:
    """A text with one to three slips."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = rng.choice(SLIPS)(rng, text)
    return text


def _line(rng: Random, text: str) -> tuple[list[str], int]:
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return lines, rng.choice(filled) if filled else 0


def _lose_line(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    return "\n".join(lines[:place] + lines[place + 1 :])


def _double_line(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    return "\n".join(lines[: place + 1] + lines[place:])


def _swap_lines(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    other = min(len(lines) - 1, place + rng.randrange(1, 4))
    lines[place], lines[other] = lines[other], lines[place]
    return "\n".join(lines)


def _blank_line(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    lines.insert(place, rng.choice(("", "   ", "\t", "(note)", "(note) ", "=====", ")", "( two\nlines ) ")))
    return "\n".join(lines)


def _words(rng: Random, text: str) -> tuple[list[str], list[str], int]:
    lines, place = _line(rng, text)
    return lines, lines[place].split(" "), place


def _swap_words(rng: Random, text: str) -> str:
    lines, words, place = _words(rng, text)
    one, two = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[two] = words[two], words[one]
    lines[place] = " ".join(words)
    return "\n".join(lines)


def _lose_word(rng: Random, text: str) -> str:
    lines, words, place = _words(rng, text)
    del words[rng.randrange(len(words))]
    lines[place] = " ".join(words)
    return "\n".join(lines)


def _move_word(rng: Random, text: str) -> str:
    lines, words, place = _words(rng, text)
    _, others, _ = _words(rng, text)
    words.insert(rng.randrange(len(words) + 1), rng.choice(others))
    lines[place] = " ".join(words)
    return "\n".join(lines)


def _join_words(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    lines[place] = lines[place].replace(" ", "", rng.choice((1, 2, -1)))
    return "\n".join(lines)


def _widen(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    lines[place] = lines[place].replace(" ", rng.choice(("  ", "\t", "\u00a0")))
    return rng.choice(("", " ", "\t")).join(("\n".join(lines[:place]) + "\n", "\n".join(lines[place:])))


def _lose_mark(rng: Random, text: str) -> str:
    mark = rng.choice("[]|>-.(=0")
    places = [place for place, char in enumerate(text) if char == mark]
    if not places:
        return text
    place = rng.choice(places)
    return text[:place] + rng.choice(("", mark * 2)) + text[place + 1 :]


def _put_mark(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    at = rng.randrange(len(lines[place]) + 1)
    mark = rng.choice(
        (")", "()", "(x)", " ", ".", "0", "|", "] ", " [", " ...", " no ", " > ", ",", " random ", " late ")
    )
    lines[place] = lines[place][:at] + mark + lines[place][at:]
    return "\n".join(lines)


def _change_case(rng: Random, text: str) -> str:
    lines, place = _line(rng, text)
    lines[place] = rng.choice((str.upper, str.lower, str.swapcase))(lines[place])
    return "\n".join(lines)


SLIPS = (
    _lose_line, _double_line, _swap_lines, _blank_line, _swap_words, _lose_word, _move_word, _join_words, _widen,
    _lose_mark, _put_mark, _change_case,
)  # fmt: skip
