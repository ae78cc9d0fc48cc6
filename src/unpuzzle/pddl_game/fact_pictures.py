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
from math import copysign, tau
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, cut, listed
from unpuzzle.drawing import Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.pddl.formulas import Atom, conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text

MOST_NODES = 40  # objects of a readable graph
MANY = 8  # a predicate with more edges has no labels
LETTERS, LETTER, LINE = 0.42, 0.262, 0.55
"""The size and the width of a letter, and the height of a line."""
SMALL, SMALL_LETTER = 0.34, LETTER * 0.34 / LETTERS
APART, GAP = 5.2 + 3.6j, 0.7 + 0.7j
"""The distance of the centres of neighbours, and the least one between boxes; across is the real part."""
TYPES = ("tile", "box", "mark", "hero", "food", "wall", "home")  # the outlines of nodes, by type
LONGEST, LONGEST_FACT = 30, 60
DASH = 0.25
ROUNDS, PUSHES = 150, 200
NEAR = 1e-9
WIDTH = 100  # longer lines are broken between two facts
MISSING, HOLDS = "missing", "nothing: the goal holds"
ADDED, GONE, KEPT = "+", "-", ""
ANSI = {ADDED: 32, GONE: 31}  # colours of a terminal
CELLS, FACTS_APART = 26.0, 0.2
"""The width of the lines of a drawing, and the gap between facts, in cells; a line is one cell high."""
MOST = 400  # facts that are drawn; further ones are only counted
OUTLINES = {ADDED: "goal", GONE: "wall", KEPT: "grid", MISSING: "box"}
MEANINGS = {ADDED: "true now", GONE: "true no longer", KEPT: "", MISSING: "goal that is missing"}

Marked = tuple[str, str]  # a mark and the arguments of a fact, `yes` without any
Pairs = dict[tuple[str, str], list[str]]  # by the nodes that an edge connects, its labels
Box = tuple[complex, complex]  # the centre and the size


def _marked(atoms: Collection[Atom], before: Collection[Atom] | None) -> dict[str, list[Marked]]:
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
    rows = _marked(atoms, before)
    width = max(map(len, [*rows, MISSING]))
    lines = [line for name, facts in rows.items() for line in _broken(name.ljust(width), facts, " | ", colours)]
    lacks = [(KEPT, part) for part in missing] or [(KEPT, HOLDS)]
    return "\n".join([*lines, *_broken(MISSING.ljust(width), lacks, " ", colours)])


def _broken(name: str, facts: list[Marked], separator: str, colours: bool) -> Iterable[str]:
    """Yield the lines about a predicate; a line has at most `WIDTH` characters unless a single fact is longer."""
    line, length, before = f"{name}  ", len(name) + 2, ""
    for mark, words in facts:
        fact = mark + words
        if before and length + len(before + fact) > WIDTH:
            yield line
            line, length, before = " " * (len(name) + 2), len(name) + 2, ""
        line += before + (f"\033[{ANSI[mark]}m{fact}\033[0m" if colours and mark else fact)
        length, before = length + len(before + fact), separator
    yield line


def facts_picture(
    atoms: Collection[Atom], missing: Iterable[str] | None, before: Collection[Atom] | None = None
) -> tuple[Ground, list[Piece]]:
    """Return the table of facts as a drawing; without `missing`, it has no goals."""
    lines = _marked(atoms, before)
    if missing is not None:
        lines[f" {MISSING}"] = [(MISSING, part) for part in missing] or [(KEPT, HOLDS)]
    looks: dict[str, Look] = {}
    pieces: list[Piece] = []
    indent = wide = max(map(len, lines), default=0) * LETTER + 0.6
    row, room = 0.0, MOST
    for name, facts in lines.items():
        looks[f"name {name}"] = Look(Text(0.2, 0.5, name.strip(), LETTERS, left=True), text=name, label=name.strip())
        pieces.append((f"name {name}", row, 0.0, f"name {name}"))
        shown, left_out = facts[:room], len(facts[room:])
        room -= len(shown)
        column = indent
        for mark, words in [*shown, *([(KEPT, f"and {count(left_out, 'more fact')}")] if left_out else [])]:
            fact, role = cut(words, LONGEST_FACT), OUTLINES[mark]
            label = f"{mark} {fact}" if mark in ANSI else fact
            width = round(len(label) * LETTER + 0.5, 3)
            if column > indent and column + width > CELLS:
                row, column = row + 1, indent
            box = Rect(0, 0.1, width, 0.8, 0.2, fill="floor", line=role, thick=0.03 if mark == KEPT else 0.07)
            shapes, meaning = (box, Text(width / 2, 0.5, label, LETTERS)), f"{fact} {MEANINGS[mark]}".strip()
            looks[f"{mark}{name} {words}"] = Look(*shapes, text=label, role=role, label=meaning)
            pieces.append((f"{mark}{name} {words}", row, round(column, 3), f"{name} {words}"))
            column += width + FACTS_APART
            wide = max(wide, column)
        row += 1
    return Ground(max(row, 1.0), wide, looks, margin=0.3), pieces


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
        problem, derived = task.problem, {axiom.head.name for axiom in task.domain.axioms}
        self.task = task
        self.objects = {item.name: item.types for item in (*task.domain.constants, *problem.objects)}
        self._facts = [atom for atom in problem.init if atom.predicate not in derived]
        missing = {part.condition for part in Semantics(task).missing(frozenset(problem.init))}
        goals = {part: text(part, {}) for part in conjuncts(problem.goal) if isinstance(part, Atom)}
        self._wanted = [atom for atom, words in goals.items() if words in missing]
        self._others = sorted(missing.difference(goals.values()))

    def ground(self) -> Ground:
        """Return a drawing of the graph; every call returns the same drawing."""
        pairs, wanted = _pairs(self._facts), _pairs(self._wanted)
        near: dict[str, set[str]] = {name: set() for name in self.objects}
        for one, other in {**pairs, **wanted}:
            near[one].add(other)
            near[other].add(one)
        lines = {name: [*self._lines(name)] for name in self.objects}
        sizes = {
            name: complex(max(1.4, max(map(len, own)) * LETTER + 0.5), len(own) * LINE + 0.3)
            for name, own in lines.items()
        }
        boxes, size = pushed_apart(_middles(near), sizes)
        numbers = Counter(label.split()[0] for labels in pairs.values() for label in labels)
        silent = sorted(name for name, number in numbers.items() if number > MANY)
        notes = list(self._notes(silent))
        wide = max(size.real, *(len(note) * SMALL_LETTER + 0.3 for note in notes), 0.0)
        edges, labels = _edges(pairs, wanted, silent, boxes)
        nodes = [shape for name, own in lines.items() for shape in self._node(name, own, *boxes[name])]
        below = [Text(0, size.imag + (number + 1) * LINE, note, SMALL, left=True) for number, note in enumerate(notes)]
        rows = max(size.imag, 0.5) + (len(notes) + 0.5) * LINE * bool(notes)
        return Ground(rows, wide, {}, [*edges, *nodes, *labels, *below], margin=0.4)

    def _lines(self, name: str) -> Iterator[str]:
        """Yield the lines of text in a node: the object, its type, and the facts and goals about this object alone."""
        types = " or ".join(self.objects[name])
        facts, goals = (
            [atom.predicate for atom in atoms if {*atom.arguments} == {name}] for atoms in (self._facts, self._wanted)
        )
        own = [name, types if types != "object" else "", ", ".join(facts), *(f"goal: {goal}" for goal in goals)]
        yield from (cut(line, LONGEST) for line in own if line)

    def _node(self, name: str, lines: Sequence[str], at: complex, size: complex) -> Iterator[Shape]:
        kinds = list(dict.fromkeys(self.objects.values()))
        role = TYPES[kinds.index(self.objects[name]) % len(TYPES)] if len(kinds) > 1 else "tile"
        yield _rect(at, size, 0.2, fill="floor", line=role, thick=0.07)
        for number, words in enumerate(lines):
            line = at.imag - size.imag / 2 + 0.15 + (number + 0.5) * LINE
            yield Text(at.real, line, words, SMALL if number else LETTERS)

    def _notes(self, silent: Iterable[str]) -> Iterator[str]:
        """Yield the lines of text below the graph, such as facts that are not drawn."""
        parts = [*(str(atom) for atom in self._wanted if not atom.arguments), *self._others]
        notes = {
            "lines without a label": ", ".join(silent),
            "true": ", ".join(atom.predicate for atom in self._facts if not atom.arguments),
            "goal": listed([cut(part, 50) for part in parts], 4, " "),
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
    pairs: Pairs, wanted: Pairs, silent: Collection[str], boxes: Mapping[str, Box]
) -> tuple[list[Shape], list[Shape]]:
    """Return the lines of the edges, and the labels to draw on top; predicates in `silent` get no labels."""
    taken = [*boxes.values()]
    lines: list[Shape] = []
    labels: list[Shape] = []
    for (one, other), all_labels in pairs.items():
        back = pairs.get((other, one), [])
        own = [label for label in all_labels if label not in back]
        shared = [label for label in all_labels if label in back and one < other]
        ends = _ends(boxes[one], boxes[other])
        lines += [_path(ends, line="wall", thick=0.05)] if own or shared else []
        lines += [_arrow(*ends)] if own else []
        told = [label for label in (*own, *shared) if label.split()[0] not in silent]
        labels += _label(", ".join(told), *ends, taken, "ink") if told else []
    for (one, other), goals in wanted.items():
        start, end = _ends(boxes[one], boxes[other], aside=0.35)
        number = max(1, round(abs(end - start) / DASH / 2))
        dashes = [[start + (end - start) * (part + half) / number for half in (0, 0.5)] for part in range(number)]
        lines += [_path(*dashes, line="goal", thick=0.08), _arrow(start, end, role="goal")]
        labels += _label(f"goal: {', '.join(goals)}", start, end, taken, "goal")
    return lines, labels


def _middles(near: Mapping[str, Collection[str]]) -> dict[str, complex]:
    """Return the centres of all nodes; nodes without edges are in rows below the other nodes."""
    joined, alone = [name for name in near if near[name]], [name for name in near if not near[name]]
    stretch = 1 + 0.12 * max(0.0, sum(len(near[name]) for name in joined) / max(len(joined), 1) - 2)
    wide, high = APART.real * stretch, APART.imag * stretch
    found = {name: complex(at.real * wide, at.imag * high) for name, at in spread(joined, near).items()}
    columns, lowest = [at.real for at in found.values()] or [0.0], max([at.imag for at in found.values()], default=0.0)
    abreast = max(5, 1 + round((max(columns) - min(columns)) / APART.real))
    for number, name in enumerate(alone):
        row, column = divmod(number, abreast)
        found[name] = complex(min(columns) + column * APART.real, lowest + (row + 1) * APART.imag)
    return found


def _ends(one: Box, other: Box, aside: float = 0.0) -> tuple[complex, complex]:
    """Return the end points of a line between two boxes, shifted sideways by `aside`."""
    (start, size), (end, other_size) = one, other
    way = end - start
    shift = 1j * way / (abs(way) or 1.0) * aside
    return start + way * _inside(size, way) + shift, start + way * (1 - _inside(other_size, way)) + shift


def _inside(size: complex, way: complex) -> float:
    """Return the fraction of a line that is inside a box, if the line begins at the centre of the box."""
    sides = ((size.real, way.real), (size.imag, way.imag))
    return min([0.45, *(side / 2 / abs(part) for side, part in sides if part)])


def _path(*trains: Iterable[complex], **paint: Any) -> Path:
    return Path(*[[(at.real, at.imag) for at in train] for train in trains], **paint)


def _rect(middle: complex, size: complex, *rest: float, **paint: Any) -> Rect:
    return Rect(middle.real - size.real / 2, middle.imag - size.imag / 2, size.real, size.imag, *rest, **paint)


def _arrow(start: complex, tip: complex, role: str = "wall") -> Path:
    ahead = (tip - start) / (abs(tip - start) or 1.0)
    corners = (tip, tip - (0.35 - 0.17j) * ahead, tip - (0.35 + 0.17j) * ahead)
    return _path(corners, closed=True, fill=role, line=role, thick=0.03)


def _label(words: str, start: complex, end: complex, taken: list[Box], role: str) -> list[Shape]:
    """Return a label on a line, placed where it hides the least; its box is added to `taken`."""
    words = cut(words, LONGEST)
    size = complex(len(words) * SMALL_LETTER + 0.16, 0.46)
    spots = [start + (end - start) * part for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)]

    def hidden(spot: complex) -> float:
        return sum(max(x, 0.0) * max(y, 0.0) for x, y in (_overlap((spot, size), box) for box in taken))

    best = min(spots, key=hidden)
    taken.append((best, size))
    back = _rect(best, size, 0.1, fill="paper", line=role if role == "goal" else "", thick=0.03)
    return [back, Text(best.real, best.imag, words, SMALL)]


def _overlap(one: Box, other: Box) -> tuple[float, float]:
    """Return the width and the height that two boxes share; negative if they are apart."""
    apart, room = one[0] - other[0], (one[1] + other[1]) / 2
    return room.real - abs(apart.real), room.imag - abs(apart.imag)


def spread(nodes: Sequence[str], near: Mapping[str, Collection[str]]) -> dict[str, complex]:
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
    return {node: (place - middle) * turn for node, place in places.items()}


def pushed_apart(at: dict[str, complex], sizes: Mapping[str, complex]) -> tuple[dict[str, Box], complex]:
    """Return boxes around centres, moved apart until all gaps are large enough, and the total size."""
    for _ in range(PUSHES):
        moved = False
        for one, other in combinations(at, 2):
            across, down = _overlap((at[one], sizes[one] + 2 * GAP), (at[other], sizes[other]))
            if min(across, down) > NEAR:
                apart, moved = at[one] - at[other], True
                side = copysign(across / 2, apart.real) if across < down else copysign(down / 2, apart.imag) * 1j
                at[one], at[other] = at[one] + side, at[other] - side
        if not moved:
            break
    edges = [at[name] + sign * sizes[name] / 2 for name in at for sign in (-1, 1)] or [0j]
    first, last = (complex(pick(e.real for e in edges), pick(e.imag for e in edges)) for pick in (min, max))
    return {name: (at[name] - first, sizes[name]) for name in at}, last - first
