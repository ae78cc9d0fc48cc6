"""The textbook searches, as short functions: breadth-first, depth-first, A* and others.

    breadth_first, depth_first   without a heuristic           best_first       uniform cost, greedy, A*, weighted A*
    bidirectional                from both ends                ida_star         A* without a frontier
    mouse, wall_follower         walkers, which see only their own cell and remember nothing of the maze

All but the walkers search any `SearchGraph`. Walkers are for puzzles with a `compass`: an even number of moves as
headings, clockwise, so that opposite headings are half a compass apart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Any

from unpuzzle.base.outcomes import GAVE_UP, SOLVED
from unpuzzle.model.faults import after, require_same
from unpuzzle.model.position import Position
from unpuzzle.planners.rules.search import NEVER, Answer, Counts, Merge, Node, RulesSearch, SearchGraph, moves_to, trust
from unpuzzle.planning.planner import TIES

OVERTAKING = ("lifo", "path-lexicographic")
Priority = Callable[[int, Any], float]
Estimate = Callable[[Any], float]
LEFT, RIGHT = 1, -1
STUCK = "there is no legal move"


def breadth_first(graph: SearchGraph) -> list[str] | None:
    """Search breadth-first; return the moves of a shortest path to a goal, or None if there is none.

    A queue (E. F. Moore, 1959) expands positions in the order of their depth, so the first path to a position has the
    fewest moves. The goal is tested when a position is taken from the queue: all positions nearer to the start have
    been expanded by then. Hence the answer is optimal if all moves tried so far cost the same.
    """
    counts, root = graph.counts, (graph.start, None, None)
    frontier: deque[Node] = deque([root])
    nodes: dict[Any, Node] = {graph.start: root}
    counts.evaluated += 1
    while frontier:
        counts.frontier = max(counts.frontier, len(frontier))
        node = frontier.popleft()
        if graph.goal(node[0]):
            return moves_to(node)
        graph.check_limits()
        counts.expanded += 1
        for move, following, _ in graph.successors(node[0]):
            counts.generated += 1
            new: Node = (following, move, node)
            old = nodes.setdefault(following, new)
            if old is not new:
                graph.merge(old, new)
                continue
            counts.evaluated += 1
            frontier.append(new)
    return None


def depth_first(graph: SearchGraph) -> list[str] | None:
    """Search depth-first; return the moves of a path to a goal, or None if there is none.

    A stack (for its uses see R. E. Tarjan, 1972): the search always continues from the position found last, and expands
    each once, when it is first taken from the stack. All successors are put on it, so the *last* of them is tried
    first: with the moves N, S, E, W the search moves west where it can. A position may be on the stack several times;
    the copy on top decides by which path it is reached.
    """
    counts = graph.counts
    frontier: list[Node] = [(graph.start, None, None)]
    closed: dict[Any, Node] = {}
    counts.evaluated += 1
    while frontier:
        counts.frontier = max(counts.frontier, len(frontier))
        node = frontier.pop()
        position = node[0]
        if position in closed:
            graph.merge(closed[position], node)
            continue
        if graph.goal(position):
            return moves_to(node)
        closed[position] = node
        graph.check_limits()
        counts.expanded += 1
        for move, following, _ in graph.successors(position):
            counts.generated += 1
            new: Node = (following, move, node)
            if following in closed:
                graph.merge(closed[following], new)
                continue
            counts.evaluated += 1
            frontier.append(new)
    return None


def best_first(
    graph: SearchGraph,
    priority: Callable[[int, Any], float],
    *,
    ties: str = "fifo",
    key: Callable[[Any], Any] = str,
    reopen: bool = True,
) -> list[str] | None:
    """Search by priority; return the moves of a path to a goal, or None if there is none.

    The priority turns one algorithm into many (R. Dechter and J. Pearl, 1985). g is the cost of the path to a position,
    h a heuristic's estimate of the remaining cost.

        priority     is
        g            uniform-cost search (E. W. Dijkstra, 1959)
        h            greedy best-first search (J. E. Doran and D. Michie, 1966)
        g + h        A* (P. E. Hart, N. J. Nilsson and B. Raphael, 1968)
        g + w h      weighted A* (I. Pohl, 1970)

    A position is expanded when it is taken from the frontier and not closed yet; the goal is tested when it is taken,
    not when it is found: a cheaper path may still turn up. An estimate may be so uneven (*inconsistent*) that a cheaper
    path leads to a closed position. A* is optimal all the same if such a position is opened again; with `reopen=False`
    each position is expanded once. With consistent heuristics this never happens.

    A second path to a position that is no cheaper than the first would be taken after it and then skipped, so it does
    not enter the frontier; if later paths may overtake (`OVERTAKING`), an equally cheap one does.

    Args:
        graph: the graph to search.
        priority: (g, position) → number; the least is expanded first, infinity leaves the position out.
        ties: one of `TIES`, see `Frontier`.
        key: position → value to compare for `path-lexicographic`; not called otherwise.
        reopen: whether a cheaper path to a closed position opens it again.
    """
    start, counts, successors = graph.start, graph.counts, graph.successors
    frontier = Frontier(ties, key)
    root: Node = (start, None, None)
    cheapest: dict[Any, tuple[int, Node]] = {start: (0, root)}
    closed = set[Any]()
    counts.evaluated += 1
    frontier.push(priority(0, start), 0, root, None)
    while frontier.entries:
        counts.frontier = max(counts.frontier, len(frontier.entries))
        g, node, path = frontier.pop()
        position = node[0]
        if position in closed:
            continue
        if graph.goal(position):
            counts.bound, counts.cost = frontier.highest, g  # a lower bound on all costs if h is admissible
            return moves_to(node)
        closed.add(position)
        graph.check_limits()
        counts.expanded += 1
        for move, following, cost in successors(position):
            counts.generated += 1
            total = g + cost
            new: Node = (following, move, node)
            if following in cheapest:
                least, old = cheapest[following]
                graph.merge(old, new)
                late = total > least or (total == least and (following in closed or not frontier.overtaking))
                if late or (following in closed and not reopen):
                    continue
            closed.discard(following)  # opened again: its successors get cheaper paths, too
            cheapest[following] = total, new
            counts.evaluated += 1
            frontier.push(priority(total, following), total, new, path)
    return None


class Frontier:
    """The open list of a search: nodes ordered by priority; `ties` says which of equal priorities comes first.

    `ties` decides which of several best positions is first:

        fifo                  the one that was found first (the default)
        lifo                  the one that was found last
        high-g, low-g         the one with the greatest, least g; then the one found first
        path-lexicographic    the one whose whole path, the keys of its positions from the start on, comes first in
                              lexicographic order: as in a queue whose entries are (priority, path)
    """

    __slots__ = ("entries", "highest", "key", "number", "overtaking", "ties")

    def __init__(self, ties: str, key: Callable[[Any], Any]) -> None:
        if ties not in TIES:
            raise ValueError(f"unknown ties {ties!r}; it must be one of {', '.join(TIES)}")
        self.entries: list[tuple[float, Any, int, int, Node, tuple[Any, ...] | None]] = []
        self.ties: str = ties
        self.key: Callable[[Any], Any] = key
        self.overtaking: bool = ties in OVERTAKING
        self.number: int = 0
        self.highest: float = 0  # the largest priority that was taken

    def push(self, priority: float, g: int, node: Node, path: tuple[Any, ...] | None) -> None:
        """Add a node to the open list; a node with infinite priority is dropped."""
        if priority >= NEVER:
            return
        self.number += 1
        tie: Any = 0
        if self.ties == "lifo":
            tie = -self.number
        elif self.ties in ("high-g", "low-g"):
            tie = -g if self.ties == "high-g" else g
        elif self.ties == "path-lexicographic":
            # The keys are shared between paths, and Python compares the same object with itself in no time.
            tie = path = (*(path or ()), self.key(node[0]))
        heappush(self.entries, (priority, tie, self.number, g, node, path))

    def pop(self) -> tuple[int, Node, tuple[Any, ...] | None]:
        """Remove the node with the least priority from the open list; return its g, the node and its path."""
        entry = heappop(self.entries)
        if entry[0] > self.highest:  # noqa: PLR1730  # a call for each position would take longer
            self.highest = entry[0]
        return entry[3:]


def bidirectional(
    graph: SearchGraph,
    backward: SearchGraph,
    priorities: tuple[Priority, Priority],
    *,
    shortest: bool,
    ties: str = "fifo",
    key: Callable[[Any], Any] = str,
    meet: Merge = trust,
) -> list[str] | None:
    """Search forward and backward in turns; return the moves from start to goal, or None if there is no path.

    Two frontiers grow towards each other (breadth-first: I. Pohl, 1971). The sides take turns, the first one forward.
    In its turn a side takes one entry from its frontier and expands it, unless it has done so before. *Every* successor
    enters the frontier, known or not, and so does the parent position, as in an undirected graph: such entries use up
    turns when they are taken. This is wasteful, but reproduces published numbers of expansions. The sides have met when
    one takes a position that the other has found, expanded or not.

    Where they meet is not always on a shortest path. Say that breadth-first search is taking positions of depth i
    forward and of depth j backward. No path has fewer than i + j moves: in such a path there would be two neighbours,
    one that was taken forward at depth i - 1, one that was taken backward at depth j - 1, and whichever was taken later
    would have been known to the other side. But the position where they meet may be one more away: found by the other
    side at depth j + 1, while a position of depths i and j still waits in both frontiers. Then it has been found from
    both sides, though; so of all positions found from both, one with the least sum of depths is on a shortest path, and
    no more is expanded for it.

    A game must fulfil two claims of its author: `goal_position` is the only goal at the end of shortest solutions, and
    `predecessors` leave out no position that a shortest solution passes. Without the first, "no path" says nothing
    about solutions; without the second, a side may run out of positions though there is a path. For optimality all
    moves must cost the same, too (see `planner`). A path that is returned is one in any case: it is replayed.

    Args:
        graph: the graph from the start; its counts are filled in, `frontier` with the sum for both frontiers.
        backward: the graph from the end; its successors are (move, previous position, cost of the move there).
        priorities: for each side (depth, position) → number; the least is first, infinity leaves it out.
        shortest: join the paths at the position with the least sum of depths, not at the one where the sides met.
        ties, key: as in `best_first`.
        meet: called with the two nodes, the first from the start, at which paths are joined; may raise.
    """
    counts = graph.counts
    this = ahead = _Side(graph, counts, priorities[0], Frontier(ties, key))
    other = behind = _Side(backward, counts, priorities[1], Frontier(ties, key))
    for side in (ahead, behind):
        side.add(0, (side.graph.start, None, None), None)
    while this.frontier.entries and other.frontier.entries:
        counts.frontier = max(counts.frontier, len(this.frontier.entries) + len(other.frontier.entries))
        depth, node, path = this.frontier.pop()
        if node[0] not in this.closed:
            if node[0] in other.nodes:
                return _joined(ahead, behind, node[0], shortest, meet)
            graph.check_limits()
            this.expand(depth, node, path)
        this, other = other, this
    return None


@dataclass(slots=True)
class _Side:
    """One of the two directions of a bidirectional search: its open list, its nodes, and its closed positions."""

    graph: SearchGraph
    counts: Counts
    priority: Priority
    frontier: Frontier
    closed: set[Hashable] = field(default_factory=set)
    nodes: dict[Hashable, tuple[int, Node]] = field(default_factory=dict)

    def add(self, depth: int, node: Node, path: tuple[Any, ...] | None) -> None:
        old = self.nodes.setdefault(node[0], (depth, node))[1]
        if old is not node:
            self.graph.merge(old, node)
        self.counts.evaluated += 1
        self.frontier.push(self.priority(depth, node[0]), depth, node, path)  # which leaves infinite ones out

    def expand(self, depth: int, node: Node, path: tuple[Any, ...] | None) -> None:
        """Expand a node: add its successors to the open list, and its parent if no successor is equal to it."""
        position, _, parent = node
        self.closed.add(position)
        self.counts.expanded += 1
        steps = list(self.graph.successors(position))
        self.counts.generated += len(steps)
        for move, following, _ in steps:
            self.add(depth + 1, (following, move, node), path)
        if parent is not None and all(following != parent[0] for _, following, _ in steps):
            self.add(depth + 1, parent, path)


def _joined(ahead: _Side, behind: _Side, meeting: Hashable, shortest: bool, meet: Merge) -> list[str]:
    """Return the moves from the start to the position where both searches meet, and from there to the goal."""
    if shortest:
        both = [meeting, *(position for position in ahead.nodes if position in behind.nodes)]
        meeting = min(both, key=lambda position: ahead.nodes[position][0] + behind.nodes[position][0])
    here, there = ahead.nodes[meeting][1], behind.nodes[meeting][1]
    meet(here, there)
    return moves_to(here) + moves_to(there)[::-1]


def ida_star(graph: SearchGraph, estimate: Estimate) -> list[str] | None:
    """Search with iterative deepening A*; return the moves of a path to a goal, or None if there is none.

    Depth-first search is repeated within a growing bound on g + h (R. E. Korf, 1985). It stores only one path, so it
    needs little memory, but a position with many paths to it is expanded once for each of them, and again in each
    round. The next bound is the least g + h beyond the last bound; so with an admissible heuristic the first solution
    is optimal. A path never returns to a position on it: that would be no shorter and, with moves of cost 0, endless.

    `estimate` is the heuristic, infinity for a dead end. `counts.frontier` is the length of the longest path.
    """
    bound = estimate(graph.start)
    while bound < NEVER:
        moves, bound = _bounded_search(graph, estimate, bound)
        if moves is not None:
            return moves
    return None


def _bounded_search(graph: SearchGraph, estimate: Estimate, bound: float) -> tuple[list[str] | None, float]:
    """Search depth-first up to a bound on g + h; return the moves or None, and the least g + h above the bound."""
    counts = graph.counts
    beyond = NEVER
    path: dict[Any, Node] = {}  # the positions in order
    node: Node | None = None  # the last of them
    # Before each position of the path, and after the last.
    untried: list[Iterator[tuple[str | None, Any, int]]] = [iter([(None, graph.start, 0)])]
    while untried:
        step = next(untried[-1], None)
        if step is None:
            untried.pop()
            if node is not None:
                node = path.popitem()[1][2]
            continue
        move, position, g = step
        if position in path:
            graph.merge(path[position], (position, move, node))
            continue
        counts.evaluated += 1
        rest = estimate(position)
        value = rest if rest == NEVER else g + rest  # g may be too large for a float
        if value > bound:
            beyond = min(beyond, value)
            continue
        node = path[position] = (position, move, node)
        counts.frontier = max(counts.frontier, len(path))
        if graph.goal(position):
            counts.bound, counts.cost = bound, g
            return moves_to(node), bound
        graph.check_limits()
        counts.expanded += 1
        untried.append(_steps(graph, position, g))
    return None, beyond


def _steps(graph: SearchGraph, position: Any, g: int) -> Iterator[tuple[str, Any, int]]:
    for move, following, cost in graph.successors(position):
        graph.counts.generated += 1
        yield move, following, g + cost


def mouse(search: RulesSearch) -> Answer:
    """Walk at random until a goal is reached; return the status, the moves, and the reason for a failure.

    A mouse moves straight on in corridors, turns at random at junctions, and back only where it must.
    """
    rng, compass = Random(search.seed), search.start.game.compass
    back_of = {move: compass[place - len(compass) // 2] for place, move in enumerate(compass)}
    position, moves, back = search.start, list[str](), ""
    while not position.solved():
        ways = _expand(search, position)
        if not ways:
            return GAVE_UP, None, STUCK
        move = rng.choice([way for way in ways if way != back] or ways)
        position, back = _step(search, position, move, moves), back_of[move]
    return SOLVED, moves, ""


def wall_follower(search: RulesSearch, hand: int) -> Answer:
    """Walk along the wall on one side; return the status, the moves, and the reason for a failure.

    A wall follower keeps one hand on the wall: it turns to that side where it can, else goes straight on, else to the
    other side, else back; it arrives if that wall leads to the goal, as in mazes without loops. It begins with the
    compass's first heading. If it comes to the same cell with the same heading again, it would loop for ever, so the
    walk ends.
    """
    compass = search.start.game.compass
    half = len(compass) // 2
    position, moves, heading = search.start, list[str](), 0
    visits: dict[tuple[Position, int], tuple[int, Position]] = {}
    while not position.solved():
        if (position, heading) in visits:
            break
        visits[position, heading] = len(moves), position
        ways = _expand(search, position)
        turns = [(heading + hand * turn) % len(compass) for turn in range(1 - half, half + 1)]
        open_turns = [turn for turn in turns if compass[turn] in ways]
        if not open_turns:
            return GAVE_UP, None, STUCK
        heading = open_turns[0]
        position = _step(search, position, compass[heading], moves)
    else:
        return SOLVED, moves, ""
    before, position_then = visits[position, heading]
    require_same(position_then, position, lambda: (after(moves[:before]), after(moves)))
    return GAVE_UP, None, f"a loop: after move {len(moves)} the walker continues as it did after move {before}"


def _expand(search: RulesSearch, position: Position) -> tuple[str, ...]:
    """Count one more expanded position, and return the legal moves of the position."""
    search.counts.check_limits(search.most)
    search.counts.expanded += 1
    search.counts.frontier = 1
    return position.moves()


def _step(search: RulesSearch, position: Position, move: str, moves: list[str]) -> Position:
    search.counts.generated += 1
    moves.append(move)
    return position.apply(move)
