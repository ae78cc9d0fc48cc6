"""Right search components of some games, and the faults that are planted into them."""

SLIDING_TILES = """\
seen = set()

def successors(state):
    rows = [list(row) for row in state]
    height, width = len(rows), len(rows[0])
    y, x = next((y, x) for y in range(height) for x in range(width) if rows[y][x] == 0)
    found = []
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= y + dy < height and 0 <= x + dx < width:
            new = [row[:] for row in rows]
            new[y][x], new[y + dy][x + dx] = new[y + dy][x + dx], 0
            found.append(new)
    # fault
    return found

def is_goal(state, goal):
    return all(wish in (None, tile) for row, wishes in zip(state, goal) for tile, wish in zip(row, wishes))

def cost(state, successor):
    return 1
"""

SOKOBAN = """\
seen = set()

def successor_states(state):
    rows = [list(row) for row in state]
    y, x = next((y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell in "@+")
    def at(y, x):
        return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[0]) else "#"
    found = []
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        near, far = at(y + dy, x + dx), at(y + 2 * dy, x + 2 * dx)
        new = [row[:] for row in rows]
        if near in "$*":
            if far not in " .":
                continue
            new[y + 2 * dy][x + 2 * dx] = "$" if far == " " else "*"
        elif near not in " .":
            continue
        new[y + dy][x + dx] = "@" if near in " $" else "+"
        new[y][x] = " " if rows[y][x] == "@" else "."
        found.append(["".join(row) for row in new])
    # fault
    return found

def isgoal(state):
    return not any("$" in row for row in state)

def cost(state, successor):
    return 1
"""

BLOCKSWORLD = """\
def successors(state):
    towers, hand = state["towers"], state["hand"]
    found = []
    if hand is None:
        for i, tower in enumerate(towers):
            # Towers stand in any order, and one without blocks is none.
            rest = [tower[:-1]] if len(tower) > 1 else []
            found.append({"towers": towers[i + 1:] + towers[:i] + rest, "hand": tower[-1]})
    else:
        found.append({"towers": towers + [[hand]], "hand": None})
        for i, tower in enumerate(towers):
            found.append({"towers": towers[:i] + [tower + [hand]] + towers[i + 1:], "hand": None})
    return iter(tuple(found))

def is_goal(state, goal):
    return all(any(tower[:len(wish)] == wish for tower in state["towers"]) for wish in goal)
"""

TWENTY_FOUR = """\
from fractions import Fraction
seen = set()

def successors(state):
    found = []
    for i, a in enumerate(state):
        for j, b in enumerate(state):
            if i != j:
                a, b = Fraction(a), Fraction(b)
                rest = [number for k, number in enumerate(state) if k not in (i, j)]
                results = [a + b, a - b, a * b]
                if b != 0:
                    results.append(a / b)
                found += [rest + [result] for result in results]
    # fault
    return found

def is_goal(state):
    return state == [24]

def cost(state, successor):
    return 1
"""

OVERWRITING_CROSSWORD = """\
def successors(state, horizontal_answers, vertical_answers):
    found = []
    for i, words in enumerate(horizontal_answers):
        for word in words:
            if len(word) == len(state[i]):
                found.append([list(word) if j == i else row[:] for j, row in enumerate(state)])
    for i, words in enumerate(vertical_answers):
        for word in words:
            if len(word) == len(state):
                found.append([row[:i] + [letter] + row[i + 1:] for row, letter in zip(state, word)])
    return found

def is_goal(state, horizontal_answers, vertical_answers):
    across = all("".join(cell or " " for cell in row) in words for row, words in zip(state, horizontal_answers))
    columns = zip(zip(*state), vertical_answers)
    return across and all("".join(cell or " " for cell in column) in words for column, words in columns)
"""
"""As language models have written it: words are put over letters that stand there (AutoToS, 2024)."""

CROSSWORD = OVERWRITING_CROSSWORD.replace(
    "    return found\n",
    "    kept = lambda new: all(old in (None, now) for rows in zip(state, new) for old, now in zip(*rows))\n"
    "    return [new for new in found if kept(new)]\n",
)

CROSSWORD_WITH_BLOCKS = """\
def runs(lines):
    for line in lines:
        start = 0
        for end in range(len(line) + 1):
            if end == len(line) or line[end] == "#":
                if end - start > 1:
                    yield line, start, end
                start = end + 1

def slots(state):
    cells = [[(y, x) for x in range(len(row))] for y, row in enumerate(state)]
    mark = lambda line: ["#" if state[y][x] == "#" else (y, x) for y, x in line]
    across = [line[a:b] for line, a, b in runs([mark(line) for line in cells])]
    down = [line[a:b] for line, a, b in runs([mark(line) for line in zip(*cells)])]
    return across, sorted(down, key=lambda slot: slot[0])

def successors(state, horizontal_answers, vertical_answers):
    found = []
    for some, answers in zip(slots(state), (horizontal_answers, vertical_answers)):
        for slot, words in zip(some, answers):
            for word in words:
                if len(word) == len(slot) and all(state[y][x] in (None, c) for (y, x), c in zip(slot, word)):
                    new = [row[:] for row in state]
                    for (y, x), c in zip(slot, word):
                        new[y][x] = c
                    found.append(new)
    return found

def is_goal(state, horizontal_answers, vertical_answers):
    return all(
        "".join(state[y][x] or " " for y, x in slot) in words
        for some, answers in zip(slots(state), (horizontal_answers, vertical_answers))
        for slot, words in zip(some, answers)
    )
"""
"""For grids of any shape."""

COUNT_GAME = """\
from unpuzzle import Puzzle

class Count(Puzzle):
    name = "count"
    title = "Count: up and down, to nine"
    levels = {"1": "3\\n"}

    def __init__(self, number): self.number = number
    @classmethod
    def parse(cls, text, source=None): return cls(int(text))
    def __str__(self): return f"{self.number}\\n"
    def following(self):
        steps = {"+": self.number + 1, "-": self.number - 1}
        return {move: type(self)(n) for move, n in steps.items() if 0 <= n <= 9}
    def solved(self): return self.number == 9
    @classmethod
    def sample(cls, rng): return cls(rng.randint(0, 9))
"""

COUNT = """\
def successors(state):
    return [f"{n}\\n" for n in (int(state) - 1, int(state) + 1) if 0 <= n <= 9]
def is_goal(state): return state == "9\\n"
"""


def planted(code: str, old: str, new: str) -> str:
    """The code with a fault in it."""
    assert code.count(old) == 1, f"{old!r} is there {code.count(old)} times"
    return code.replace(old, new)
