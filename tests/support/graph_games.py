"""Games that are explicit graphs of a few positions, with heuristics that keep their claims or break one on purpose."""

from __future__ import annotations

from itertools import count
from random import Random

from support.dijkstra import distances
from unpuzzle.base.errors import IllegalMove
from unpuzzle.model.capabilities import HasHeuristics, Reversible
from unpuzzle.model.heuristic import Heuristic
from unpuzzle.model.position import Puzzle

NEVER = float("inf")
COSTS = ((1,), (0, 1, 2, 5), (0, 1), (3, 7, 2**53, 2**53 + 1), (10**18, 10**18 + 1, 0))
SOUND = ("exact", "capped", "low", "halves", "truth values")
"""Kinds of heuristics that are admissible."""
BROKEN = ("high", "high at goals", "unequal", "negative", "no number")
KINDS = (*SOUND, *BROKEN)


class GraphGame(Puzzle, HasHeuristics):
    """A position is a node of `edges`, which has (target, cost) by node; a move is the number of an edge."""

    name = "graph"
    title = "A graph"
    one_letter_moves = False
    heuristics = {}  # a class for each graph
    edges = ()
    goals = frozenset()

    def __init__(self, node):
        self.node = node

    @classmethod
    def parse(cls, text, source=None):
        return cls(int(text))

    def __str__(self):
        return f"{self.node}\n"

    def _key(self):
        return self.node

    def moves(self):
        return tuple(map(str, range(len(self.edges[self.node]))))

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove("not here", move=move)
        return type(self)(self.edges[self.node][int(move)][0])

    def cost(self, move):
        return self.edges[self.node][int(move)][1]

    def solved(self):
        return self.node in self.goals

    @classmethod
    def distances(cls):
        """The least cost from each node to a goal."""
        back = [[] for _ in cls.edges]
        for start, steps in enumerate(cls.edges):
            for end, cost in steps:
                back[end].append((cost, start))
        return dict.fromkeys(range(len(cls.edges)), NEVER) | distances(cls.goals, back.__getitem__)

    @classmethod
    def reachable(cls):
        """The nodes that are reached from node 0."""
        nodes = [0]
        for node in nodes:
            nodes += dict.fromkeys(end for end, _ in cls.edges[node] if end not in nodes)
        return nodes


def random_game(seed, base=GraphGame, costs=COSTS):
    rng = Random(seed)
    size, costs = rng.randint(2, 9), rng.choice(costs)
    edges = tuple(
        tuple((rng.randrange(size), rng.choice(costs)) for _ in range(rng.randint(1, 3))) for _ in range(size)
    )
    goals = frozenset(rng.randrange(1, size) for _ in range(rng.choice((0, 1, 1, 2, 2, 3))))
    return type("RandomGraph", (base,), {"edges": edges, "goals": goals})


def values_of(kind, game, rng):
    """The estimates of a kind for the nodes of a graph: what is given at first, and what is given every other time."""
    least = game.distances()
    top = max((cost for cost in least.values() if cost != NEVER), default=0)
    if kind in ("exact", "capped", "halves", "truth values"):
        most = {"exact": NEVER, "capped": rng.randint(0, top), "halves": 2**20, "truth values": 1}[kind]
        first = [min(least[node], most) for node in least]
        if kind == "halves":
            first = [max(0.0, value - rng.choice((0, 0.5, 0.25))) if value else 0.0 for value in first]
        if kind == "truth values":
            first = list(map(bool, first))
        return first, first
    first = [rng.choice((0, cost // 2, cost)) if cost != NEVER else rng.choice((0, NEVER)) for cost in least.values()]
    if kind == "low":
        return first, first
    if kind in ("high", "unequal"):
        raised = [value + rng.choice((0, 1, top, 3 * top + 2)) if least[n] else 0 for n, value in enumerate(first)]
        return raised, first if kind == "unequal" else raised
    wrong = {
        "high at goals": (1, top + 1, NEVER),
        "negative": (-1, -0.5, -NEVER, -top - 1),
        "no number": (float("nan"),),
    }
    share = 1 if kind == "high at goals" else 0.4
    first = [
        rng.choice(wrong[kind]) if rng.random() < share and (n in game.goals) >= (kind == "high at goals") else value
        for n, value in enumerate(first)
    ]
    return first, first


def guided(game, kind, seed):
    """The game with a heuristic `h` of a kind, which claims to be admissible, and its two lists of values."""
    first, second = values_of(kind, game, Random(seed))
    calls = count()

    def estimate(position):
        return (second if next(calls) % 2 else first)[position.node]

    heuristic = Heuristic("h", "for a test", estimate, admissible=True, consistent=True)
    return type(game.__name__, (game,), {"heuristics": {"h": heuristic}}), first, second


class TwoEnds(GraphGame, Reversible):
    """A graph that is searched from both ends; `left_out` are edges (start, number) that `predecessors` forgets."""

    left_out = frozenset()
    end = None

    def goal_position(self):
        return None if self.end is None else type(self)(self.end)

    def predecessors(self):
        return [
            (str(number), type(self)(start))
            for start, steps in enumerate(self.edges)
            for number, (target, _) in enumerate(steps)
            if target == self.node and start not in self.goals and (start, number) not in self.left_out
        ]
