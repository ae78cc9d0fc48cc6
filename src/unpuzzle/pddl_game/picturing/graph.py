"""A state as a graph: its objects are nodes, its facts of two objects are edges labelled with the predicate.

    in a node        the object, its type, and the predicates that are true of it alone
    an edge          a fact of two objects, an arrow from the first to the second; no arrow if it holds both ways
    a broken line    a missing part of the goal; a part about a single object is in its node
    below            facts without objects, and notes on omissions

A predicate with many edges has a note below instead of labels. Further arguments follow the predicate.

Nodes are placed without chance. Distances in the picture approximate distances in the graph (E. Gansner, Y. Koren and
S. North, 2004: stress majorization): each node moves to a weighted mean of the places that its distances to the others
suggest, near ones weighing most. The picture is turned to be wide, overlapping boxes are pushed apart, and connected
components are put side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import atan2, cos, dist, pi, sin

from unpuzzle.base.distances import distances
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, cut
from unpuzzle.drawing import Ground, Path, Point, Rect, Shape, Text
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.formulas import Atom, conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics

MOST_NODES = 40
"""The most objects of a readable graph."""
MANY = 8
"""The most edges of a predicate that have labels."""
LETTERS, LETTER, LINE = 0.42, 0.262, 0.55
"""The size and the width of a letter, and the height of a line."""
SMALL = 0.34
APART = (5.2, 3.6)
"""The distance of neighbours, across and down."""
GAP = 0.7
TYPES = ("tile", "box", "mark", "hero", "food", "wall", "home")
"""The roles of the outlines of nodes, by type."""
LONGEST = 30
DASH = 0.25
ROUNDS, PUSHES = 150, 200
NEAR = 1e-9


class ObjectGraph:
    """The graph of the first state of a task, a value for drawing pictures."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.objects: dict[str, tuple[str, ...]] = {
            item.name: item.types for item in (*task.domain.constants, *task.problem.objects)
        }
        derived = {axiom.head.name for axiom in task.domain.axioms}
        self.facts: tuple[Atom, ...] = tuple(atom for atom in task.problem.init if atom.predicate not in derived)
        missing = Semantics(task).missing(frozenset(task.problem.init))
        parts = {part.condition for part in missing}
        goals = [part for part in conjuncts(task.problem.goal) if isinstance(part, Atom)]
        self.wanted: tuple[Atom, ...] = tuple(atom for atom in goals if text(atom, {}) in parts)
        self.others: tuple[str, ...] = tuple(sorted(parts - {text(atom, {}) for atom in self.wanted}))

    @property
    def readable(self) -> bool:
        """Whether there are few enough objects."""
        return len(self.objects) <= MOST_NODES

    def ground(self) -> Ground:
        """Return the graph as a drawing, the same on every call."""
        pairs = self._pairs(self.facts)
        near: dict[str, set[str]] = {name: set() for name in self.objects}
        for one, other in {**pairs, **self._pairs(self.wanted)}:
            near[one].add(other)
            near[other].add(one)
        lines = {name: [*self._lines(name)] for name in self.objects}
        sizes = {
            name: (max(1.4, max(map(len, own)) * LETTER + 0.5), len(own) * LINE + 0.3) for name, own in lines.items()
        }
        parts = []
        for part in parts_of([*self.objects], near):
            stretch = 1 + 0.12 * max(0.0, sum(len(near[name]) for name in part) / len(part) - 2)
            flat = {
                name: (x * APART[0] * stretch, y * APART[1] * stretch) for name, (x, y) in spread(part, near).items()
            }
            parts.append(pushed_apart(flat, sizes, GAP))
        at, (columns, rows) = side_by_side(parts, sizes, 2 * GAP)
        notes = list(self._notes(pairs))
        wide = max([columns, *(len(note) * LETTER * SMALL / LETTERS + 0.3 for note in notes)], default=1.0)
        edges, labels = self._edges(pairs, at, sizes)
        nodes = [shape for name, own in lines.items() for shape in self._node(name, own, at[name], sizes[name])]
        below = [Text(0, rows + (number + 1) * LINE, note, SMALL, left=True) for number, note in enumerate(notes)]
        shapes = [*edges, *nodes, *labels, *below]
        return Ground(max(rows, 0.5) + (len(notes) + 0.5) * LINE * bool(notes), wide, {}, shapes, margin=0.4)

    def _pairs(self, atoms: Iterable[Atom]) -> dict[tuple[str, str], list[str]]:
        """Return the labels of edges, by their ends."""
        found: dict[tuple[str, str], list[str]] = {}
        for atom in atoms:
            if len(atom.arguments) > 1 and atom.arguments[0] != atom.arguments[1]:
                label = " ".join((atom.predicate, *atom.arguments[2:]))
                found.setdefault((atom.arguments[0], atom.arguments[1]), []).append(label)
        return found

    def _lines(self, name: str) -> Iterator[str]:
        """Yield the lines of a node: the object, its type, its own facts, and its own goals."""
        yield cut(name, LONGEST)
        types = " or ".join(self.objects[name])
        if types != "object":
            yield cut(types, LONGEST)
        own = [atom for atom in self.facts if atom.arguments and set(atom.arguments) == {name}]
        if own:
            yield cut(", ".join(atom.predicate for atom in own), LONGEST)
        for atom in self.wanted:
            if atom.arguments and set(atom.arguments) == {name}:
                yield cut(f"goal: {atom.predicate}", LONGEST)

    def _node(self, name: str, lines: Sequence[str], at: Point, size: Point) -> Iterator[Shape]:
        kinds = list(dict.fromkeys(self.objects.values()))
        role = TYPES[kinds.index(self.objects[name]) % len(TYPES)] if len(kinds) > 1 else "tile"
        (x, y), (width, height) = at, size
        yield Rect(x - width / 2, y - height / 2, width, height, 0.2, fill="floor", line=role, thick=0.07)
        for number, words in enumerate(lines):
            line = y - height / 2 + 0.15 + (number + 0.5) * LINE
            yield Text(x, line, words, LETTERS if not number else SMALL)

    def _edges(
        self, pairs: Mapping[tuple[str, str], list[str]], at: Mapping[str, Point], sizes: Mapping[str, Point]
    ) -> tuple[list[Shape], list[Shape]]:
        """Return the lines, and the labels, which are drawn on top."""
        silent = set(self._silent(pairs))
        boxes = [(*at[name], *sizes[name]) for name in at]
        lines: list[Shape] = []
        labels: list[Shape] = []
        for one, other in pairs:
            both = set(pairs.get((other, one), ()))
            own = [label for label in pairs[one, other] if label not in both]
            first = one < other or not both
            shared = [label for label in pairs[one, other] if label in both and first]
            ends = _ends(at[one], at[other], sizes[one], sizes[other])
            lines += [Path(ends, line="wall", thick=0.05)] if own or shared else []
            lines += [_arrow(*ends)] if own else []
            told = [label for label in (*own, *shared) if label.split()[0] not in silent]
            labels += _label(", ".join(told), ends, boxes, "ink") if told else []
        for (one, other), wanted in self._pairs(self.wanted).items():
            ends = _ends(at[one], at[other], sizes[one], sizes[other], aside=0.35)
            lines += [Path(*_dashes(*ends), line="goal", thick=0.08), _arrow(*ends, role="goal")]
            labels += _label(f"goal: {', '.join(wanted)}", ends, boxes, "goal")
        return lines, labels

    def _silent(self, pairs: Mapping[tuple[str, str], list[str]]) -> list[str]:
        """Return the predicates with too many edges for labels."""
        numbers = Counter(label.split()[0] for labels in pairs.values() for label in labels)
        return sorted(name for name, number in numbers.items() if number > MANY)

    def _notes(self, pairs: Mapping[tuple[str, str], list[str]]) -> Iterator[str]:
        """Yield the lines below the graph."""
        silent = self._silent(pairs)
        if silent:
            yield f"lines without a label: {', '.join(silent)}"
        bare = [atom.predicate for atom in self.facts if not atom.arguments]
        if bare:
            yield f"true: {', '.join(bare)}"
        parts = [*(str(atom) for atom in self.wanted if not atom.arguments), *self.others]
        if parts:
            shown, more = parts[:4], len(parts) - 4
            yield f"goal: {' '.join(cut(part, 50) for part in shown)}" + (
                f" and {count(more, 'more')}" if more > 0 else ""
            )


def _ends(one: Point, other: Point, size: Point, other_size: Point, aside: float = 0.0) -> tuple[Point, Point]:
    """Return the ends of a line between two boxes, perhaps shifted a little from their middles."""
    across, down = other[0] - one[0], other[1] - one[1]
    length = dist(one, other) or 1.0
    shift = -down / length * aside, across / length * aside
    first, last = _border(size, across, down), _border(other_size, across, down)
    start = one[0] + across * first + shift[0], one[1] + down * first + shift[1]
    return start, (other[0] - across * last + shift[0], other[1] - down * last + shift[1])


def _border(size: Point, across: float, down: float) -> float:
    """Return the share of the way from the middle of a box that is inside of it."""
    parts = [half / abs(way) for half, way in ((size[0] / 2, across), (size[1] / 2, down)) if way]
    return min([0.45, *parts])


def _arrow(start: Point, end: Point, role: str = "wall") -> Path:
    length = dist(start, end) or 1.0
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    back = end[0] - 0.35 * x, end[1] - 0.35 * y
    sides = (back[0] - 0.17 * y, back[1] + 0.17 * x), (back[0] + 0.17 * y, back[1] - 0.17 * x)
    return Path([end, *sides], closed=True, fill=role, line=role, thick=0.03)


def _dashes(start: Point, end: Point) -> list[tuple[Point, Point]]:
    number = max(1, round(dist(start, end) / DASH / 2))
    steps = [
        (start[0] + (end[0] - start[0]) * part / number, start[1] + (end[1] - start[1]) * part / number)
        for part in range(number + 1)
    ]
    return [(one, ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)) for one, other in pairwise(steps)]


def _label(
    words: str, ends: tuple[Point, Point], boxes: list[tuple[float, float, float, float]], role: str
) -> list[Shape]:
    """Return a label on a line, at the place where it hides the least, and record its box."""
    words = cut(words, LONGEST)
    width, height = len(words) * LETTER * SMALL / LETTERS + 0.16, 0.46
    (x, y), (to_x, to_y) = ends
    spots = [(x + (to_x - x) * part, y + (to_y - y) * part) for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)]
    best = min(spots, key=lambda spot: sum(_overlap((*spot, width, height), box) for box in boxes))
    boxes.append((*best, width, height))
    left, top = best[0] - width / 2, best[1] - height / 2
    back = Rect(left, top, width, height, 0.1, fill="paper", line=role if role == "goal" else "", thick=0.03)
    return [back, Text(*best, words, SMALL)]


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """Return the common area of two boxes around their middles."""
    sides = [(one[axis + 2] + other[axis + 2]) / 2 - abs(one[axis] - other[axis]) for axis in (0, 1)]
    return max(sides[0], 0.0) * max(sides[1], 0.0)


def parts_of(nodes: Sequence[str], near: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Return the connected components of the nodes, the largest first, each in an order that begins at an end."""
    order = {node: number for number, node in enumerate(nodes)}
    seen: set[str] = set()
    parts = []
    for first in sorted(nodes, key=lambda node: (len(near.get(node, ())), order[node])):
        part: dict[str, None] = {}
        waiting = [first] if first not in seen else []
        while waiting:
            node = waiting.pop()
            if node not in part:
                part[node] = None
                waiting += sorted((other for other in near.get(node, ()) if other not in part), key=order.__getitem__)
        seen.update(part)
        parts += [[*part]] if part else []
    return sorted(parts, key=len, reverse=True)


def spread(nodes: Sequence[str], near: Mapping[str, Collection[str]]) -> dict[str, Point]:
    """Return places of connected nodes, with neighbours about 1 apart."""
    ways = {node: distances([node], lambda name: sorted(near.get(name, ()))) for node in nodes}
    turn = 2 * pi / max(len(nodes), 1)
    radius = len(nodes) / 6 + 0.5
    places = {node: (radius * cos(number * turn), radius * sin(number * turn)) for number, node in enumerate(nodes)}
    for _ in range(ROUNDS if len(nodes) > 1 else 0):
        checkpoint()
        for node in nodes:
            x = y = weights = 0.0
            here = places[node]
            for other in nodes:
                if other != node:
                    there, want = places[other], ways[node][other]
                    stretch, weight = want / (dist(here, there) or NEAR), want**-2.0
                    x += weight * (there[0] + stretch * (here[0] - there[0]))
                    y += weight * (there[1] + stretch * (here[1] - there[1]))
                    weights += weight
            places[node] = x / weights, y / weights
    return _turned(places)


def _turned(places: Mapping[str, Point]) -> dict[str, Point]:
    """Return places turned to make the picture as wide as possible."""
    size = max(len(places), 1)
    x, y = (sum(place[axis] for place in places.values()) / size for axis in (0, 1))
    centred = {node: (place[0] - x, place[1] - y) for node, place in places.items()}
    both = sum(px * py for px, py in centred.values())
    wide = sum(px * px - py * py for px, py in centred.values())
    angle = -atan2(2 * both, wide) / 2
    return {
        node: (px * cos(angle) - py * sin(angle), px * sin(angle) + py * cos(angle))
        for node, (px, py) in centred.items()
    }


def pushed_apart(places: Mapping[str, Point], sizes: Mapping[str, Point], gap: float) -> dict[str, Point]:
    """Return the middles of boxes, pushed until no two of them are nearer than a gap."""
    found = {node: [*place] for node, place in places.items()}
    for _ in range(PUSHES):
        moved = False
        for one, other in combinations(found, 2):
            a, b = found[one], found[other]
            overlaps = [(sizes[one][axis] + sizes[other][axis]) / 2 + gap - abs(a[axis] - b[axis]) for axis in (0, 1)]
            if min(overlaps) > NEAR:
                axis = 0 if overlaps[0] < overlaps[1] else 1
                shift = overlaps[axis] / 2 * (1 if a[axis] >= b[axis] else -1)
                a[axis], b[axis] = a[axis] + shift, b[axis] - shift
                moved = True
        if not moved:
            break
    return {node: (x, y) for node, (x, y) in found.items()}


def side_by_side(
    parts: Sequence[Mapping[str, Point]], sizes: Mapping[str, Point], gap: float
) -> tuple[dict[str, Point], Point]:
    """Return the middles of the boxes of all parts, put into rows from left to right, and the size of the whole."""
    frames = [_frame(part, sizes) for part in parts]
    area = sum((right - left + gap) * (bottom - top + gap) for left, top, right, bottom in frames)
    wide = max([1.5 * area**0.5, *(right - left for left, _, right, _ in frames)])
    found: dict[str, Point] = {}
    x = y = high = columns = 0.0
    for part, (left, top, right, bottom) in zip(parts, frames, strict=True):
        if x and x + right - left > wide:
            x, y, high = 0.0, y + high + gap, 0.0
        found |= {node: (x + at[0] - left, y + at[1] - top) for node, at in part.items()}
        x += right - left
        high, columns = max(high, bottom - top), max(columns, x)
        x += gap
    return found, (columns, y + high)


def _frame(part: Mapping[str, Point], sizes: Mapping[str, Point]) -> tuple[float, float, float, float]:
    """Return left, upper, right and lower edge of boxes."""
    xs = [(x, sizes[node][0] / 2) for node, (x, _) in part.items()]
    ys = [(y, sizes[node][1] / 2) for node, (_, y) in part.items()]
    (left, right), (top, bottom) = (
        (min(at - half for at, half in own), max(at + half for at, half in own)) for own in (xs, ys)
    )
    return left, top, right, bottom
