"""Pictures of results about a level: its state space, compared moves, traps, and nearly solved positions.

In the picture of a state space, positions are in layers by their distance from the start, and moves are lines:

    ●  a position      ◎  a solved one      ×  a dead end      a thick line: one optimal way

Moves are written beside the lines on request, and in pictures of PDDL tasks. With more than `MOST` states the lines
could not be distinguished: then there is a bar for each layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from unpuzzle.base.run import Limits, Run, checkpoint
from unpuzzle.base.text import count
from unpuzzle.drawing import Circle, Ground, Path, Piece, Point, Rect, Shape, Text
from unpuzzle.drawing.panels import Cell, Panel, Panels
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import joined_moves, replay
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.pddl_game.spelling import action_of
from unpuzzle.rendering.scenes import label_of, picture_of
from unpuzzle.rendering.svg import board, document, escaped, markup, number
from unpuzzle.rendering.themes import AUTO
from unpuzzle.state_space.dead_ends import Shortfall, Trap, Traps, cells_of, reason_of
from unpuzzle.state_space.exploration import Exploration
from unpuzzle.state_space.space import Space
from unpuzzle.verification.move_comparison import MovesComparison, positions_after

Layers = list[list[int]]
Neighbours = list[list[int]]

MOST = 2_500
MOST_BARS = 200
"""The most bars; with more layers, a bar represents several."""
SWEEPS, SETTLINGS = 8, 12
LEFT = 4.0
"""The left edge of the bars."""
FEW = 3
"""The most missing parts of a goal that a caption names."""


def space_svg(
    exploration: Exploration, *, theme: str = AUTO, labels: bool | None = None, limits: Limits | None = None
) -> str:
    """Return the state space of a level as an SVG picture. Raises LimitReached.

    With `labels`, moves are written beside the lines; by default for PDDL tasks.
    """
    with Run(limits, "drawing"):
        space = exploration.space
        graph: Graph | None = None
        if space.states <= MOST:
            moves = EdgeMoves(exploration) if wanted(exploration, labels) else None
            graph = Graph(space, moves)
        ground = graph.ground if graph else _profile(exploration)
        best = "no solution" if exploration.cost is None else f"the best solution costs {exploration.cost}"
        states, dead_ends = count(exploration.states, "position"), count(exploration.dead_ends or 0, "dead end")
        legend = f"{states}, {exploration.goals:,} solved, {dead_ends}, {best}"
        size = max(ground.columns, 30 * ground.rows / 40, 12) / 34
        words = Text(0, ground.rows + 1.2 * size, legend, size, left=True)
        columns = max(ground.columns, len(legend) * size * 0.66)
        picture = Ground(ground.rows + 2 * size, columns, {}, [*ground.shapes, words], margin=size)
        body = board(picture) + ("".join(graph.labels()) if graph else "")
        return document(picture, body, (), theme=theme, label=f"{exploration.name}: {legend}")


# Layers and their order follow K. Sugiyama, S. Tagawa and M. Toda (1981): each layer is sorted by the mean place of the
# neighbours in the layer beside it, down and up again. Then positions move towards the mean of their neighbours as far
# as their order and their distance allow, by pooling adjacent violators (isotonic regression).


class Graph:
    """A drawing of positions as dots and moves as lines; the lines have labels if `moves` is true.

    Attributes: `ground`, the picture; `points`, the places of the states.
    """

    def __init__(self, space: Space[object], moves: EdgeMoves | None) -> None:
        self._space = space
        self._moves = moves
        neighbours = _neighbours(space)
        depth = space.depth.tolist()
        places = _settle(_sort_layers(depth, neighbours), depth, neighbours)
        left = min(places)
        width, height = max(places) - left, max(depth)
        gap = max(1.4, min(8.0, 0.6 * width / max(height, 1)))
        wider = max(1.0, min(3.0, 0.7 * height * gap / max(width, 1)))  # a narrow one is spread
        if moves is not None:
            gap, wider = max(gap, moves.room()), max(wider, moves.room())
        width *= wider
        self.points = [
            ((place - left) * wider + 1, level * gap + 1) for place, level in zip(places, depth, strict=True)
        ]
        self._dot = max(0.16, min(0.4, width / 150))
        self.ground = Ground(height * gap + 2, width + 2, {}, _shapes(space, self.points, neighbours, self._dot))

    def labels(self) -> Iterator[str]:
        """Yield SVG elements with the names of moves, to be placed on top of the picture."""
        if self._moves is not None:
            yield from edge_labels(self.ground, self._moves, self.points, _optimal_path(self._space), self._dot)


def _neighbours(space: Space[object]) -> Neighbours:
    """Return, for each state, the other states that one move forwards or backwards can reach."""
    targets, offsets = space.targets.tolist(), space.offsets.tolist()
    near: list[set[int]] = [set() for _ in range(space.states)]
    for state in range(space.states):
        for target in targets[offsets[state] : offsets[state + 1]]:
            near[state].add(target)
            near[target].add(state)
    return [sorted(others - {state}) for state, others in enumerate(near)]


def _shapes(space: Space[object], points: Sequence[Point], neighbours: Neighbours, dot: float) -> list[Shape]:
    """Return shapes: lines, an optimal path, dots, and the marks of goals, dead ends and the start."""
    edges = [(points[a], points[b]) for a, others in enumerate(neighbours) for b in others if a < b]
    # a line within a layer bends, to pass by other positions
    lines = [[p, q] if p[1] != q[1] else [p, ((p[0] + q[0]) / 2, p[1] + 3 * dot), q] for p, q in edges]
    way = [points[state] for state in _optimal_path(space)]
    goals = [state for state, goal in enumerate(space.goals) if goal]
    dead = space.dead_ends
    special = {*goals, *dead}
    plain = [[point, point] for state, point in enumerate(points) if state not in special]
    corners = [(*points[state], side) for state in dead for side in (-dot, dot)]
    cross = [[(x + side, y - dot), (x - side, y + dot)] for x, y, side in corners]
    shapes: list[Shape] = [Path(*lines, line="grid", thick=dot * 0.25)] if lines else []
    shapes += [Path(way, line="tile", thick=dot * 0.9)] if len(way) > 1 else []
    shapes += [Path(*plain, line="wall", thick=2 * dot)] if plain else []
    shapes += [Path(*cross, line="hero", thick=dot * 0.5)] if cross else []
    shapes += [Circle(*points[state], 1.5 * dot, fill="floor", line="goal", thick=dot * 0.5) for state in goals]
    shapes += [Path(*[[points[state]] * 2 for state in goals], line="goal", thick=1.5 * dot)] if goals else []
    return [*shapes, Circle(*points[0], 1.8 * dot, line="ink", thick=dot * 0.4)]


def _optimal_path(space: Space[object]) -> list[int]:
    """Return the states on one of the optimal paths from the start to a goal."""
    states = [0]
    while (rest := space.goal_distance[states[-1]]) > 0 and len(states) <= space.states:
        arcs = range(space.offsets[states[-1]], space.offsets[states[-1] + 1])
        steps = [(space.goal_distance[space.targets[arc]], space.targets[arc], space.operators[arc]) for arc in arcs]
        states.append(min(step for step in steps if 0 <= step[0] == rest - space.costs[step[2]])[1])
    return states


def _sort_layers(depth: Sequence[int], neighbours: Neighbours) -> Layers:
    """Return the states of each depth, in an order with few crossing lines."""
    layers: Layers = [[] for _ in range(max(depth) + 1)]
    for state, level in enumerate(depth):
        layers[level].append(state)
    place = [0.0] * len(depth)
    for sweep in range(SWEEPS):
        step = -1 if sweep % 2 else 1
        for layer in layers[::step]:
            checkpoint()
            beside = depth[layer[0]] - step
            for state in layer:
                there = [place[other] for other in neighbours[state] if depth[other] == beside]
                if there:
                    place[state] = sum(there) / len(there)
            layer.sort(key=place.__getitem__)
            for index, state in enumerate(layer):
                place[state] = index - len(layer) / 2
    return layers


def _settle(layers: Layers, depth: Sequence[int], neighbours: Neighbours) -> list[float]:
    """Return the horizontal place of each state: near its neighbours, and at least 1 from others of its layer."""
    place = [0.0] * len(depth)
    for layer in layers:
        for index, state in enumerate(layer):
            place[state] = index - (len(layer) - 1) / 2
    for settling in range(SETTLINGS):
        for layer in layers[:: -1 if settling % 2 else 1]:
            checkpoint()
            means = []
            for index, state in enumerate(layer):
                there = [place[other] for other in neighbours[state] if depth[other] != depth[state]]
                means.append((sum(there) / len(there) if there else place[state]) - index)
            for index, (state, value) in enumerate(zip(layer, _ascending(means), strict=True)):
                place[state] = value + index
    return place


def _ascending(values: Sequence[float]) -> list[float]:
    """Return the ascending sequence nearest to `values` (isotonic regression); descending neighbours get their mean."""
    pools: list[tuple[float, int]] = []
    for value in values:
        total, size = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            more, others = pools.pop()
            total, size = total + more, size + others
        pools.append((total, size))
    return [total / size for total, size in pools for _ in range(size)]


def _profile(exploration: Exploration) -> Ground:
    """Return a bar chart of the numbers of solvable positions and of dead ends at each depth."""
    space = exploration.space
    together = -(-len(exploration.depths) // MOST_BARS)
    bars = -(-len(exploration.depths) // together)
    numbers, dead, goals = [0] * bars, [0] * bars, [0] * bars
    for depth, rest, goal in zip(space.depth, space.goal_distance, space.goals, strict=True):
        numbers[depth // together] += 1
        dead[depth // together] += rest < 0
        goals[depth // together] += goal
    scale = 40.0 / max(numbers)
    shapes: list[Shape] = []
    for bar, figures in enumerate(zip(numbers, dead, goals, strict=True)):
        first = bar * together
        depths = str(first) if together == 1 else f"{first} to {first + together - 1}"
        shapes += [Text(0, bar + 0.5, depths, 0.6, left=True), *_bar(bar, *figures, scale)]
    return Ground(bars, LEFT + 52.0, {}, shapes)


def _bar(bar: int, number: int, dead: int, goals: int, scale: float) -> Iterator[Shape]:
    """Yield the shapes of a depth's bar: an empty part for dead ends, a mark for goals, and numbers."""
    alive = (number - dead) * scale
    yield Rect(LEFT, bar + 0.1, max(alive, 0.05), 0.8, fill="wall")
    if dead:
        yield Rect(LEFT + alive, bar + 0.14, dead * scale, 0.72, fill="floor", line="hero", thick=0.08)
    if goals:
        yield Rect(LEFT, bar + 0.3, max(goals * scale, 0.2), 0.4, fill="goal", line="floor", thick=0.08)
    figures = [f"{number:,}", f"{goals:,} solved" if goals else "", f"{dead:,} dead" if dead else ""]
    yield Text(LEFT + 0.3 + number * scale, bar + 0.5, ", ".join(filter(None, figures)), 0.6, left=True)


# The moves of a state graph, beside its lines.
#
# Each line has a `<title>` with all moves along it, which is shown when a reader points at it. Beside the line is the
# first move that leads away from the start, in full or, if space is short, with the initials of its action or cut;
# without any room, only the title has it. Places are assigned greedily, first along the optimal way, so equal spaces
# have equal pictures.

Edge = tuple[int, int]
"""A pair of states; the first is nearer to the start."""
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
    """The moves along each line of a state graph, in both directions."""

    def __init__(self, exploration: Exploration) -> None:
        depth = exploration.space.depth
        self.there: dict[Edge, list[str]] = {}
        self.back: dict[Edge, list[str]] = {}
        words = {move: words_of(exploration, move) for move in set(exploration.moves)}
        for state in range(exploration.states):
            checkpoint()
            for move, target, _ in exploration.successors(state):
                if target != state:
                    away = (depth[state], state) < (depth[target], target)
                    side = self.there if away else self.back
                    side.setdefault((state, target) if away else (target, state), []).append(words[move])

    def edges(self) -> list[Edge]:
        return list({**self.there, **self.back})

    def room(self) -> float:
        """Return the distance between layers, and between states of a layer, that the longest label needs."""
        edges = self.edges()
        longest = max([len(self.words(edge)) for edge in edges], default=0)
        return min(MOST_ROOM, 1.2 + 0.12 * longest) if len(edges) <= MOST_WORDS else 0

    def words(self, edge: Edge) -> str:
        """Return a line's label: its first move forwards (or backwards, if it has none), and the number of others."""
        there = self.there.get(edge)
        moves = there or self.back[edge]
        return ("" if there else "↑ ") + moves[0] + (f" +{len(moves) - 1}" if len(moves) > 1 else "")

    def title(self, edge: Edge) -> str:
        sides = (("", self.there.get(edge)), ("back: ", self.back.get(edge)))
        return "; ".join([before + ", ".join(moves) for before, moves in sides if moves])


def words_of(exploration: Exploration, move: str) -> str:
    """Return a move as written in a picture: an action without brackets and colons."""
    if isinstance(exploration.subject, PddlPosition):
        action = action_of(move)
        return " ".join((action.name, *action.arguments))
    return move[1:-1] if move.startswith("(") and move.endswith(")") else move


def edge_labels(
    ground: Ground, moves: EdgeMoves, points: Sequence[Point], first: Sequence[int], dot: float
) -> Iterator[str]:
    """Yield SVG elements with titles and labels of lines; label the lines between the states in `first` first."""
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
    """Return the label of a line, in full or shortened, at a free place; an empty list if no place is free."""
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
    """Return the words, followed by shorter forms: `pick-up box hall`, `pu box hall`, `pu box…`."""
    head, *rest = words.split(" ")
    if not rest or head == "↑":
        return [words, *([words[: CUT - 1] + "…"] if len(words) > CUT else [])]
    short = " ".join(["".join([part[:1] for part in head.split("-")]), *rest])
    return [words, short, *([short[: CUT - 1] + "…"] if len(short) > CUT else [])]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def wanted(exploration: Exploration, labels: bool | None) -> bool:
    """Return whether to label lines with moves: as requested or, by default, only for PDDL tasks."""
    by_pddl = not hasattr(exploration.subject, "game") or isinstance(exploration.subject, PddlPosition)
    return by_pddl if labels is None else labels


# Several positions side by side: where two solutions diverge, traps, and nearest misses of unsolvable levels.


def panel_of(
    caption: Sequence[str],
    position: Position,
    before: Position | None = None,
    stuck: Iterable[Cell] = (),
    area: Iterable[Cell] = (),
) -> Panel:
    """Return a picture of a position, with marks on the pieces moved since `before`, on stuck cells, and on an area."""
    ground, pieces = picture_of(position, before)
    moved = () if before is None else moved_cells(picture_of(before)[1], pieces)
    return Panel(tuple(caption), ground, pieces, moved, tuple(stuck), tuple(area))


def moved_cells(before: Iterable[Piece], after: Iterable[Piece]) -> list[Cell]:
    """Return the cells on which `after` has pieces that are not on these cells in `before`, each cell once."""
    known = {(kind, row, column) for _, row, column, kind in before}
    return [*dict.fromkeys((row, column) for _, row, column, kind in after if (kind, row, column) not in known)]


def comparison_panels(comparison: MovesComparison) -> Panels:
    """Return the last common position of two move sequences, and the position after the next move of each sequence."""
    number = len(comparison.first.moves) if comparison.step is None else comparison.step - 1
    panels = [panel_of((f"after {count(number, 'move')}" if number else "the start",), comparison.parting)]
    moves, names = comparison.next_moves(), ("first", comparison.kind.replace("_", " "))
    for name, move, after in zip(names, moves, positions_after(comparison), strict=True):
        if after is not None:
            other = "second" if name == "given" else name
            panels.append(panel_of((f"{other}: {move}",), after, comparison.parting))
    return Panels(f"{label_of(comparison.start)}: where two solutions differ", panels)


def trap_panel(exploration: Exploration, trap: Trap, number: int, walks: bool) -> Panel:
    """Return the position after a move that makes a level unsolvable, with marks for the reason."""
    before = exploration.position(trap.before)
    way = joined_moves(before.game, trap.moves)
    reason = reason_of(trap, before, walks)
    caption = (f"{number}. {trap.move}" + (f" after {way}" if way else " at the start"), reason)
    stuck = cells_of([place for _, place in trap.stuck])
    return panel_of(caption, before.apply(trap.move), before, stuck, cells_of(trap.area))


def trap_panels(exploration: Exploration, traps: Traps) -> list[Panels]:
    label = f"{label_of(exploration.subject)}: a move that makes it unsolvable"
    every = [trap_panel(exploration, trap, number, traps.walks) for number, trap in enumerate(traps.traps, 1)]
    return [Panels(label, (panel,)) for panel in every]


def traps_sheet(exploration: Exploration, traps: Traps) -> Panels:
    """Return all traps on one sheet."""
    every = [panel for panels in trap_panels(exploration, traps) for panel in panels.panels]
    return Panels(f"{label_of(exploration.subject)}: where players get lost", every)


def shortfall_panels(start: Position, shortfall: Shortfall) -> Panels:
    """Return the position with the most achieved goal parts; if two parts exclude each other, a position for each."""
    nearest = shortfall.nearest
    panels = [_reached(start, nearest.moves, f"nearest miss: {_lacking(nearest.missing)}")]
    ways = {part.text: part.moves for part in shortfall.parts}
    for name in shortfall.apart[0] if shortfall.apart and len(shortfall.apart[0]) == 2 else ():
        panels.append(_reached(start, ways[name] or (), f"alone: {name}"))
    return Panels(f"{label_of(start)}: why it has no solution", panels)


def _reached(start: Position, moves: Sequence[str], caption: str) -> Panel:
    """Return the position after some moves, with a mark on the pieces of the last move."""
    before = replay(start, moves[:-1]).position if moves else None
    way = joined_moves(start.game, moves)
    position = start if before is None else before.apply(moves[-1])
    return panel_of((f"after {way}" if way else "the start", caption), position, before)


def _lacking(missing: Sequence[str]) -> str:
    shown = "; ".join(missing[:FEW])
    return f"it lacks {shown}" + (f"; and {len(missing) - FEW} more" if len(missing) > FEW else "")
