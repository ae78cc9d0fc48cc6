"""The moves of a state graph, beside its lines.

Each line has a `<title>` with all moves along it, which is shown when a reader points at it. Beside the line is the
first move that leads away from the start, in full or, if space is short, with the initials of its action or cut;
without any room, only the title has it. Places are assigned greedily, first along the optimal way, so equal spaces have
equal pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from unpuzzle.drawing import Ground, Path, Point, Rect, Shape, Text
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.pddl_game.spelling import action_of
from unpuzzle.rendering.svg import escaped, markup, number
from unpuzzle.spaces.exploration import Exploration

Edge = tuple[int, int]
"""Two states, first the one nearer to the start."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MOST_TITLES = 3_000
"""The most lines with titles; among more, pointing at one is too hard."""
MOST_WORDS = 200
"""The most lines with words beside them."""
SIZE, ACROSS, WIDTH = 0.42, 130, 0.6
"""The least height of letters, the number of letter heights across a large picture, and the width of a letter of
height 1."""
PLACES = (0.5, 0.38, 0.62, 0.28, 0.72)
"""The possible places of words on a line."""
MOST_ROOM = 3.4
"""The most cells between two states; longer words are cut where they would overlap."""
CUT = 7
"""The length of words that are cut short."""


class EdgeMoves:
    """The moves there and back along each line of a state graph."""

    def __init__(self, exploration: Exploration, tick: Callable[[], None]) -> None:
        depth = exploration.space.depth
        self.there: dict[Edge, list[str]] = {}
        self.back: dict[Edge, list[str]] = {}
        words = {move: words_of(exploration, move) for move in set(exploration.moves)}
        for state in range(exploration.states):
            tick()
            for move, target, _ in exploration.successors(state):
                if target != state:
                    away = (depth[state], state) < (depth[target], target)
                    side = self.there if away else self.back
                    side.setdefault((state, target) if away else (target, state), []).append(words[move])

    def edges(self) -> list[Edge]:
        return list({**self.there, **self.back})

    def room(self) -> float:
        """Return the least distance of layers, and of the places in one, for words of this length."""
        edges = self.edges()
        longest = max([len(self.words(edge)) for edge in edges], default=0)
        return min(MOST_ROOM, 1.2 + 0.12 * longest) if len(edges) <= MOST_WORDS else 0

    def words(self, edge: Edge) -> str:
        """Return the words beside a line: a move there, otherwise one back, and the number of further moves."""
        there = self.there.get(edge)
        moves = there or self.back[edge]
        return ("" if there else "↑ ") + moves[0] + (f" +{len(moves) - 1}" if len(moves) > 1 else "")

    def title(self, edge: Edge) -> str:
        sides = (("", self.there.get(edge)), ("back: ", self.back.get(edge)))
        return "; ".join([before + ", ".join(moves) for before, moves in sides if moves])


def words_of(exploration: Exploration, move: str) -> str:
    """Return a move as written in a picture: actions without brackets and colons."""
    if isinstance(exploration.subject, PddlPosition):
        action = action_of(move)
        return " ".join((action.name, *action.arguments))
    return move[1:-1] if move.startswith("(") and move.endswith(")") else move


def edge_labels(
    ground: Ground, moves: EdgeMoves, points: Sequence[Point], first: Sequence[int], dot: float
) -> Iterator[str]:
    """Yield elements of SVG: lines to point at, and words on them; `first` are the states of the best way."""
    edges = moves.edges()
    if len(edges) > MOST_TITLES:
        return
    for edge in edges:
        line = markup(ground, [Path([points[state] for state in edge])])
        aim = f'<path stroke="transparent" pointer-events="stroke" stroke-width="{number(3 * dot)}"'
        yield _titled(moves.title(edge), line.replace("<path", aim, 1))
    if len(edges) > MOST_WORDS:
        return
    best = {frozenset(pair): place for place, pair in enumerate(pairwise(first))}
    ordered = sorted(edges, key=lambda edge: (best.get(frozenset(edge), len(best)), edge))
    size = max(SIZE, max(ground.columns, ground.rows) / ACROSS)
    taken = [(x - dot, y - dot, x + dot, y + dot) for x, y in points]
    for edge in ordered:
        if shapes := _placed(moves.words(edge), points[edge[0]], points[edge[1]], size, taken):
            yield _titled(moves.title(edge), markup(ground, shapes))


def _titled(title: str, element: str) -> str:
    return f"<g><title>{escaped(title)}</title>{element}</g>"


def _placed(words: str, start: Point, end: Point, size: float, taken: list[Box]) -> list[Shape]:
    """Return the words on a line, in full or shortened, at a free place; nothing without room."""
    for text in _forms(words):
        for part in PLACES:
            x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
            half = (len(text) + 0.5) * WIDTH * size / 2
            box = (x - half, y - 0.6 * size, x + half, y + 0.6 * size)
            if not any(_overlap(box, other) for other in taken):
                taken.append(box)
                return [Rect(box[0], box[1], 2 * half, 1.2 * size, 0.1, fill="paper"), Text(x, y, text, size)]
    return []


def _forms(words: str) -> list[str]:
    """Return words, then shorter forms: `pick-up box hall`, `pu box hall`, `pu box…`."""
    head, *rest = words.split(" ")
    if not rest or head == "↑":
        return [words, *([words[: CUT - 1] + "…"] if len(words) > CUT else [])]
    short = " ".join(["".join([part[:1] for part in head.split("-")]), *rest])
    return [words, short, *([short[: CUT - 1] + "…"] if len(short) > CUT else [])]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def wanted(exploration: Exploration, labels: bool | None) -> bool:
    """Return whether moves are written: as requested or, by default, for PDDL tasks."""
    by_pddl = not hasattr(exploration.subject, "game") or isinstance(exploration.subject, PddlPosition)
    return by_pddl if labels is None else labels
