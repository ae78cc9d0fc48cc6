"""Pictures of a state without picture lines: a table of facts (as text or drawing) or a graph of objects.

    clear      b | c                 facts by predicate; after a move `+` is before facts that became true,
    handempty  yes                   `-` before facts that became false
    missing    (on b a)

In a drawing each fact is a piece with the fact as its kind, so that in an animation facts slide to their places, appear
and vanish. In the graph, objects are nodes, and facts with two objects are edges labelled with the predicate.
"""

from __future__ import annotations

from cmath import phase, rect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import tau

from unpuzzle.base.distances import distances
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, cut
from unpuzzle.drawing import Ground, Look, Path, Piece, Point, Rect, Shape, Text
from unpuzzle.pddl.formulas import Atom, conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text

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
WIDTH = 100
"""The line width; longer lines are broken between two facts."""
MISSING = "missing"
ADDED, GONE, KEPT = "+", "-", ""
ANSI = {ADDED: 32, GONE: 31}
"""The colour of each mark, one of the sixteen of a terminal."""
CELLS = 26.0
"""The width of the lines of a drawing, in cells; a line is one cell high."""
FACTS_APART, LONGEST_FACT = 0.2, 60
MOST = 400
"""The most facts that are drawn; further ones are only counted."""
OUTLINES = {ADDED: "goal", GONE: "wall", KEPT: "grid", MISSING: "box"}
LABELS = {ADDED: "true now", GONE: "true no longer", KEPT: "", MISSING: "goal that is missing"}

Marked = tuple[str, str]
"""A mark and the arguments of a fact, `yes` without any."""
Pairs = dict[tuple[str, str], list[str]]
"""The labels of the edges, by the pair of nodes that an edge connects."""
Box = tuple[float, float, float, float]
"""The centre and the size of a box."""


def marked_facts(atoms: Collection[Atom], before: Collection[Atom] | None = None) -> dict[str, list[Marked]]:
    """Return the facts by predicate; if an earlier state is given, mark the facts that were added or deleted since."""
    marks = {atom: KEPT if before is None or atom in before else ADDED for atom in atoms}
    marks |= {atom: GONE for atom in before or () if atom not in marks}
    rows: dict[str, list[Marked]] = {}
    for atom in sorted(marks, key=str):
        rows.setdefault(atom.predicate, []).append((marks[atom], " ".join(atom.arguments) or "yes"))
    return rows


def facts_table(
    atoms: Collection[Atom], missing: Iterable[str], before: Collection[Atom] | None = None, colours: bool = False
) -> str:
    """Return a table of facts: lines for each predicate that has facts, then the goals that are false.

    `before` has the facts of the state before a move; `colours` adds escape sequences to the changes.
    """
    rows = marked_facts(atoms, before)
    lacks = [(KEPT, part) for part in missing] or [(KEPT, "nothing: the goal holds")]
    width = max([len(name) for name in [*rows, MISSING]])
    lines = [line for name, facts in rows.items() for line in _broken(name.ljust(width), facts, " | ", colours)]
    return "\n".join([*lines, *_broken(MISSING.ljust(width), lacks, " ", colours)])


def _broken(name: str, facts: list[Marked], separator: str, colours: bool) -> Iterable[str]:
    """Yield the lines about a predicate; a line has at most `WIDTH` characters unless a single fact is longer."""
    line, length, before = f"{name}  ", len(name) + 2, ""
    for mark, words in facts:
        fact = mark + words
        if before and length + len(before) + len(fact) > WIDTH:
            yield line
            line, length, before = " " * (len(name) + 2), len(name) + 2, ""
        line += before + (f"\033[{ANSI[mark]}m{fact}\033[0m" if colours and mark else fact)
        length, before = length + len(before) + len(fact), separator
    yield line


def facts_picture(rows: Mapping[str, Sequence[Marked]], missing: Sequence[str] | None) -> tuple[Ground, list[Piece]]:
    """Return a drawing of the facts by predicate and of the false goals in `missing`; None hides the goals."""
    lines: dict[str, list[Marked]] = {name: list(facts) for name, facts in rows.items()}
    if missing is not None:
        lines[f" {MISSING}"] = [(MISSING, part) for part in missing] or [(KEPT, "nothing: the goal holds")]
    looks: dict[str, Look] = {}
    pieces: list[Piece] = []
    indent = max([len(name) for name in lines], default=0) * LETTER + 0.6
    row, room, wide = 0.0, MOST, indent
    for name, facts in lines.items():
        looks[f"name {name}"] = Look(Text(0.2, 0.5, name.strip(), LETTERS, left=True), text=name, label=name.strip())
        pieces.append((f"name {name}", row, 0.0, f"name {name}"))
        shown = facts[: max(room, 0)]
        room -= len(shown)
        rest = [(KEPT, f"and {count(len(facts) - len(shown), 'more fact')}")] if len(shown) < len(facts) else []
        column = indent
        for mark, words in [*shown, *rest]:
            look, width = _chip(mark, cut(words, LONGEST_FACT))
            if column > indent and column + width > CELLS:
                row, column = row + 1, indent
            looks[f"{mark}{name} {words}"] = look
            pieces.append((f"{mark}{name} {words}", row, round(column, 3), f"{name} {words}"))
            column += width + FACTS_APART
            wide = max(wide, column)
        row += 1
    return Ground(max(row, 1.0), wide, looks, margin=0.3), pieces


def _chip(mark: str, words: str) -> tuple[Look, float]:
    text = f"{mark} {words}" if mark in (ADDED, GONE) else words
    width = round(len(text) * LETTER + 0.5, 3)
    box = Rect(0, 0.1, width, 0.8, 0.2, fill="floor", line=OUTLINES[mark], thick=0.03 if mark == KEPT else 0.07)
    label = f"{words} {LABELS[mark]}".strip()
    return Look(box, Text(width / 2, 0.5, text, LETTERS), text=text, role=OUTLINES[mark], label=label), width


# The graph of a state:
#
#     in a node        the object, its type, and the predicates that are true of it alone
#     an edge          a fact of two objects, an arrow from the first to the second; no arrow if it holds both ways
#     a broken line    a missing part of the goal; a part about a single object is in its node
#     below            facts without objects, and notes on omissions
#
# A predicate with many edges has a note below instead of labels. Further arguments follow the predicate.
#
# Nodes are placed without chance. Distances in the picture approximate distances in the graph (E. Gansner, Y. Koren and
# S. North, 2004: stress majorization): each node moves to a weighted mean of the places that its distances to the
# others suggest, near ones weighing most. The picture is turned to be wide, and overlapping boxes are pushed apart.


class ObjectGraph:
    """The graph of the initial state of a task, from which pictures are drawn."""

    def __init__(self, task: Task) -> None:
        self.task = task
        declared, derived = (*task.domain.constants, *task.problem.objects), {a.head.name for a in task.domain.axioms}
        self.objects: dict[str, tuple[str, ...]] = {item.name: item.types for item in declared}
        self.facts: tuple[Atom, ...] = tuple(atom for atom in task.problem.init if atom.predicate not in derived)
        parts = {part.condition for part in Semantics(task).missing(frozenset(task.problem.init))}
        goals = [part for part in conjuncts(task.problem.goal) if isinstance(part, Atom)]
        self.wanted: tuple[Atom, ...] = tuple(atom for atom in goals if text(atom, {}) in parts)
        self.others: tuple[str, ...] = tuple(sorted(parts - {text(atom, {}) for atom in self.wanted}))

    def ground(self) -> Ground:
        """Return a drawing of the graph; every call returns the same drawing."""
        pairs, wanted = _pairs(self.facts), _pairs(self.wanted)
        near: dict[str, set[str]] = {name: set() for name in self.objects}
        for one, other in {**pairs, **wanted}:
            near[one].add(other)
            near[other].add(one)
        lines = {name: [*self._lines(name)] for name in self.objects}
        sizes = {
            name: (max(1.4, max(map(len, own)) * LETTER + 0.5), len(own) * LINE + 0.3) for name, own in lines.items()
        }
        at, (columns, rows) = pushed_apart(_middles(near), sizes, GAP)
        numbers = Counter(label.split()[0] for labels in pairs.values() for label in labels)
        silent = sorted(name for name, number in numbers.items() if number > MANY)
        notes = list(self._notes(silent))
        wide = max(columns, *(len(note) * LETTER * SMALL / LETTERS + 0.3 for note in notes), 0.0)
        edges, labels = _edges(pairs, wanted, silent, at, sizes)
        nodes = [shape for name, own in lines.items() for shape in self._node(name, own, at[name], sizes[name])]
        below = [Text(0, rows + (number + 1) * LINE, note, SMALL, left=True) for number, note in enumerate(notes)]
        shapes = [*edges, *nodes, *labels, *below]
        return Ground(max(rows, 0.5) + (len(notes) + 0.5) * LINE * bool(notes), wide, {}, shapes, margin=0.4)

    def _lines(self, name: str) -> Iterator[str]:
        """Yield the lines of text in a node: the object, its type, and the facts and goals about this object alone."""
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

    def _notes(self, silent: Iterable[str]) -> Iterator[str]:
        """Yield the lines of text below the graph, such as facts that are not drawn."""
        parts = [*(str(atom) for atom in self.wanted if not atom.arguments), *self.others]
        more = f" and {count(len(parts) - 4, 'more')}" if len(parts) > 4 else ""
        notes = {
            "lines without a label": ", ".join(silent),
            "true": ", ".join(atom.predicate for atom in self.facts if not atom.arguments),
            "goal": " ".join(cut(part, 50) for part in parts[:4]) + more,
        }
        yield from (f"{what}: {words}" for what, words in notes.items() if words)


def _pairs(atoms: Iterable[Atom]) -> Pairs:
    found: Pairs = {}
    for atom in atoms:
        if len(atom.arguments) > 1 and atom.arguments[0] != atom.arguments[1]:
            one, other, *rest = atom.arguments
            found.setdefault((one, other), []).append(" ".join((atom.predicate, *rest)))
    return found


def _edges(
    pairs: Pairs, wanted: Pairs, silent: Collection[str], at: Mapping[str, Point], sizes: Mapping[str, Point]
) -> tuple[list[Shape], list[Shape]]:
    """Return the lines of the edges, and the labels to draw on top; predicates in `silent` get no labels."""
    boxes = [(*at[name], *sizes[name]) for name in at]
    lines: list[Shape] = []
    labels: list[Shape] = []
    for (one, other), all_labels in pairs.items():
        back = pairs.get((other, one), [])
        own = [label for label in all_labels if label not in back]
        shared = [label for label in all_labels if label in back and one < other]
        ends = _ends(at[one], at[other], sizes[one], sizes[other])
        lines += [Path(ends, line="wall", thick=0.05)] if own or shared else []
        lines += [_arrow(*ends)] if own else []
        told = [label for label in (*own, *shared) if label.split()[0] not in silent]
        labels += _label(", ".join(told), ends, boxes, "ink") if told else []
    for (one, other), goals in wanted.items():
        ends = _ends(at[one], at[other], sizes[one], sizes[other], aside=0.35)
        lines += [Path(*_dashes(*ends), line="goal", thick=0.08), _arrow(*ends, role="goal")]
        labels += _label(f"goal: {', '.join(goals)}", ends, boxes, "goal")
    return lines, labels


def _middles(near: Mapping[str, Collection[str]]) -> dict[str, Point]:
    """Return the centres of all nodes; nodes without edges are in rows below the other nodes."""
    joined, alone = [name for name in near if near[name]], [name for name in near if not near[name]]
    stretch = 1 + 0.12 * max(0.0, sum(len(near[name]) for name in joined) / max(len(joined), 1) - 2)
    wide, high = APART[0] * stretch, APART[1] * stretch
    found = {name: (x * wide, y * high) for name, (x, y) in spread(joined, near).items()}
    left, right = (pick([x for x, _ in found.values()], default=0.0) for pick in (min, max))
    lowest, abreast = max([y for _, y in found.values()], default=0.0), max(5, 1 + round((right - left) / APART[0]))
    for number, name in enumerate(alone):
        found[name] = left + number % abreast * APART[0], lowest + (number // abreast + 1) * APART[1]
    return found


def _ends(one: Point, other: Point, size: Point, other_size: Point, aside: float = 0.0) -> tuple[Point, Point]:
    """Return the end points of a line between two boxes, shifted sideways by `aside`."""
    start, way = complex(*one), complex(*other) - complex(*one)
    shift = 1j * way / (abs(way) or 1.0) * aside
    parts = _border(size, way), 1 - _border(other_size, way)
    one_end, other_end = (start + way * part + shift for part in parts)
    return _point(one_end), _point(other_end)


def _border(size: Point, way: complex) -> float:
    """Return the fraction of a line that is inside a box, if the line begins at the centre of the box."""
    return min([0.45, *(half / 2 / abs(part) for half, part in zip(size, (way.real, way.imag), strict=True) if part)])


def _point(place: complex) -> Point:
    return place.real, place.imag


def _arrow(start: Point, end: Point, role: str = "wall") -> Path:
    tip, way = complex(*end), complex(*end) - complex(*start)
    ahead = way / (abs(way) or 1.0)
    corners = (tip, tip - (0.35 - 0.17j) * ahead, tip - (0.35 + 0.17j) * ahead)
    return Path(map(_point, corners), closed=True, fill=role, line=role, thick=0.03)


def _dashes(start: Point, end: Point) -> list[tuple[Point, Point]]:
    first, way = complex(*start), complex(*end) - complex(*start)
    number = max(1, round(abs(way) / DASH / 2))
    steps = [(first + way * part / number, first + way * (part + 0.5) / number) for part in range(number)]
    return [(_point(one), _point(other)) for one, other in steps]


def _label(words: str, ends: tuple[Point, Point], boxes: list[Box], role: str) -> list[Shape]:
    """Return a label on a line, placed where it hides the least; its box is added to `boxes`."""
    words = cut(words, LONGEST)
    width, height = len(words) * LETTER * SMALL / LETTERS + 0.16, 0.46
    (x, y), (to_x, to_y) = ends
    spots = [(x + (to_x - x) * part, y + (to_y - y) * part) for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)]
    best = min(spots, key=lambda spot: sum(_overlap((*spot, width, height), box) for box in boxes))
    boxes.append((*best, width, height))
    left, top = best[0] - width / 2, best[1] - height / 2
    back = Rect(left, top, width, height, 0.1, fill="paper", line=role if role == "goal" else "", thick=0.03)
    return [back, Text(*best, words, SMALL)]


def _overlap(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    sides = [(one[axis + 2] + other[axis + 2]) / 2 - abs(one[axis] - other[axis]) for axis in (0, 1)]
    return max(sides[0], 0.0) * max(sides[1], 0.0)


def spread(nodes: Sequence[str], near: Mapping[str, Collection[str]]) -> dict[str, Point]:
    """Return positions of nodes in which neighbours are about 1 apart; the graph becomes wider than high."""
    ways = {node: distances([node], lambda name: sorted(near.get(name, ()))) for node in nodes}
    far = 1 + max([way for own in ways.values() for way in own.values()], default=0)  # of nodes that are not connected
    places = {node: rect(len(nodes) / 6 + 0.5, tau * number / len(nodes)) for number, node in enumerate(nodes)}
    for _ in range(ROUNDS if len(nodes) > 1 else 0):
        checkpoint()
        for node in nodes:
            total, weights = 0j, 0.0
            for other in nodes:
                if other != node:
                    want, apart = ways[node].get(other, far), places[node] - places[other]
                    total += (places[other] + want * apart / (abs(apart) or NEAR)) * want**-2.0
                    weights += want**-2.0
            places[node] = total / weights
    middle = sum(places.values()) / max(len(places), 1)
    turn = rect(1, -phase(sum((place - middle) ** 2 for place in places.values())) / 2)  # the longest axis lies flat
    return {node: _point((place - middle) * turn) for node, place in places.items()}


def pushed_apart(places: Mapping[str, Point], sizes: Mapping[str, Point], gap: float) -> tuple[dict[str, Point], Point]:
    """Return the centres of boxes, moved apart until all gaps are large enough, and the total size."""
    found = {node: [*place] for node, place in places.items()}
    moved = True
    for _ in range(PUSHES):
        pairs, moved = combinations(found, 2) if moved else (), False
        for one, other in pairs:
            a, b = found[one], found[other]
            overlaps = [(sizes[one][axis] + sizes[other][axis]) / 2 + gap - abs(a[axis] - b[axis]) for axis in (0, 1)]
            if min(overlaps) > NEAR:
                axis = 0 if overlaps[0] < overlaps[1] else 1
                shift = overlaps[axis] / 2 * (1 if a[axis] >= b[axis] else -1)
                a[axis], b[axis] = a[axis] + shift, b[axis] - shift
                moved = True
    edges = [
        [at[axis] + sign * sizes[node][axis] / 2 for node, at in found.items() for sign in (-1, 1)] for axis in (0, 1)
    ]
    (left, right), (top, bottom) = [(min(each, default=0.0), max(each, default=0.0)) for each in edges]
    return {node: (x - left, y - top) for node, (x, y) in found.items()}, (right - left, bottom - top)
