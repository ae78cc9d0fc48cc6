"""Deterministic placement of the nodes of a graph.

Distances in the picture approximate distances in the graph (E. Gansner, Y. Koren and S. North, 2004: stress
majorization): each node moves to a weighted mean of the places that its distances to the others suggest, near ones
weighing most. The picture is turned to be wide, overlapping boxes are pushed apart, and connected components are put
side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from math import atan2, cos, dist, pi, sin

from unpuzzle.walks import distances

Point = tuple[float, float]
ROUNDS, PUSHES = 150, 200
NEAR = 1e-9


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


def spread(nodes: Sequence[str], near: Mapping[str, Collection[str]], tick: Callable[[], None]) -> dict[str, Point]:
    """Return places of connected nodes, with neighbours about 1 apart."""
    ways = {node: distances([node], lambda name: sorted(near.get(name, ()))) for node in nodes}
    turn = 2 * pi / max(len(nodes), 1)
    radius = len(nodes) / 6 + 0.5
    places = {node: (radius * cos(number * turn), radius * sin(number * turn)) for number, node in enumerate(nodes)}
    for _ in range(ROUNDS if len(nodes) > 1 else 0):
        tick()
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
