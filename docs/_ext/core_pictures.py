"""Draw figures of the native planner from real tasks: packed states, pattern databases, compact tables, estimates.

What a picture claims is compared with what the core says; where the two part, the site is not built.
"""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from random import Random

from figures import Palette, both
from made import make
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from sphinx.application import Sphinx

from unpuzzle import find, reachable
from unpuzzle.planners.native.grounding import CoreGrounding

WORD = 64
STATE_BITS, LINE_BITS = 36, 15
"""Of the 8-puzzle; and the lines of the table that is drawn, as a power of two."""
TRUTH = 31
"""Least moves of the level `8-hard`."""


class Ground:
    """The ground task of a bundled level: the task in the C++ core, its variables, and the task in Python."""

    def __init__(self, name: str, level: str) -> None:
        game = find(name)
        self.level = game.parse(game.levels[level])
        grounding = CoreGrounding(self.level.task())
        self.fdr, self.variables = grounding.fdr(), grounding.variables()
        self.task = grounding.task()  # takes the numbers out of the grounding


def sheet(width: float, height: float) -> tuple[Figure, object]:
    """Return an empty matplotlib figure and its axes for boxes and text."""
    figure = Figure(figsize=(7, 7 * height / width))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


def box(axes, palette, x, y, width, height, text="", fill=None, size=8, **style) -> None:
    """Draw a box with centred text."""
    axes.add_patch(Rectangle((x, y), width, height, facecolor=fill or "none", edgecolor=palette.line, **style))
    axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=size)


# ---- packed states


def layout(grounding: Ground) -> list[tuple[int, int, int]]:
    """Return shift, number of bits and variable for each variable in the word, as `state/layout.cpp` does."""
    sizes = [(len(variable.values) - 1).bit_length() for variable in grounding.variables]
    places, free = [], WORD
    for variable in sorted(range(len(sizes)), key=lambda variable: -sizes[variable]):
        places.append((WORD - free, sizes[variable], variable))
        free -= sizes[variable]
    assert WORD - free == grounding.task.bits_per_state
    assert grounding.task.bytes_per_state == WORD // 8
    return places


def meaning(grounding: Ground, variable: int, value: int) -> str:
    """Return the fact of a value as text, such as `player r2c3`."""
    values = grounding.variables[variable].values
    atom = values[value]
    known = next(atom for atom in values if atom)
    return " ".join((atom.predicate, *atom.arguments)) if atom else f"not {known.predicate} {' '.join(known.arguments)}"


def packed(palette: Palette) -> Figure:
    """Draw the initial state of a Sokoban level as the core stores it, in 64 bits."""
    grounding = Ground("sokoban", "1")
    state = grounding.task.initial
    places = layout(grounding)
    figure, axes = sheet(66, 30)
    colours = (*palette.series, palette.mark)
    axes.text(1, 2, "one word of 64 bits: Sokoban, level 1, at its start", fontsize=10)
    for shift, bits, variable in places:
        fill = colours[min(variable, 3)] if bits > 1 else palette.pale
        for bit in range(bits):
            digit = str(state[variable] >> bit & 1)
            box(axes, palette, 64 - shift - bit, 4, 1, 3, digit, fill, 7, alpha=0.45 if bits > 1 else 1)
    used = grounding.task.bits_per_state
    box(axes, palette, 1, 4, WORD - used, 3, f"{WORD - used} bits are free, and always 0", size=9)
    for row, (shift, bits, variable) in enumerate(places[:6]):
        y = 11 + 3 * row
        middle = 65 - shift - bits / 2
        axes.plot([middle, middle, 43], [7.3, y, y], color=palette.line, linewidth=0.8)
        said = meaning(grounding, variable, state[variable])
        size = len(grounding.variables[variable].values)
        axes.text(42, y, f"{bits} bit{'s' * (bits > 1)} for {size} values: {said}", ha="right", va="center", fontsize=9)
    axes.text(42, 29, f"and {len(places) - 6} more, a bit each", ha="right", va="center", fontsize=9)
    return figure


# ---- pattern databases


def abstract_cost(fdr, state, pattern: tuple[int, ...], folded: int | None, charged: frozenset[int]) -> int:
    """Return the least cost to the goal if only the variables of a pattern count (Dijkstra's algorithm)."""
    seen = (*pattern, *(() if folded is None else (folded,)))
    goal = {fact[0]: fact[1] for fact in fdr.goal if fact[0] in pattern}
    start = tuple(state[variable] for variable in seen)
    at = {variable: place for place, variable in enumerate(seen)}
    operators = [
        (
            [(at[variable], value) for variable, value in operator.precondition if variable in at],
            [(at[effect.variable], effect.value) for effect in operator.effects if effect.variable in at],
            int(n in charged),
        )
        for n, operator in enumerate(fdr.operators)
    ]
    operators = [operator for operator in operators if operator[1]]
    best, queue = {start: 0}, [(0, start)]
    while queue:
        cost, here = heapq.heappop(queue)
        if cost > best[here]:
            continue
        if all(here[at[variable]] == value for variable, value in goal.items()):
            return cost
        for needs, gives, price in operators:
            if all(here[place] == value for place, value in needs):
                after = list(here)
                for place, value in gives:
                    after[place] = value
                if cost + price < best.get(tuple(after), 1 << 30):
                    best[tuple(after)] = cost + price
                    heapq.heappush(queue, (cost + price, tuple(after)))
    raise AssertionError("the goal is out of reach")


def board(axes, palette, x: float, y: float, cells: dict[int, int], shown: set[int], colour: str) -> None:
    """Draw an 8-puzzle in which the tiles outside a pattern are blank."""
    for place in range(9):
        row, column = divmod(place, 3)
        tile = cells.get(place, 0)
        text = str(tile) if tile in shown else ""
        box(axes, palette, x + 3 * column, y + 3 * row, 3, 3, text, colour if text else palette.pale, 11, alpha=0.6)


@cache
def chosen() -> tuple[Ground, list[tuple[int, ...]], list[int], int, int]:
    """Return the first patterns that the planner chooses, the estimate of each, and the planner's estimate."""
    grounding = Ground("sliding-tiles", "8-hard")
    start = grounding.task.initial
    parts = grounding.task.pattern_sums()[0]
    costs = [abstract_cost(grounding.fdr, start, *part[:2], frozenset(part[2])) for part in parts]
    first, second = (grounding.task.estimates("pdb", [start], improvements)[0] for improvements in (0, 1))
    assert sum(costs) <= first <= second <= TRUTH
    return grounding, [part[0] for part in parts], costs, first, second


def databases(palette: Palette) -> Figure:
    """Draw the patterns that the planner chooses for an 8-puzzle, each with its estimate."""
    grounding, patterns, costs, first, second = chosen()
    cells = {place: int(word) for place, word in enumerate(str(grounding.level).split()[:9])}
    figure, axes = sheet(66, 18)
    board(axes, palette, 1, 4, cells, set(range(1, 9)), palette.pale)
    axes.text(5.5, 2.5, "the position", ha="center", fontsize=9)
    axes.text(5.5, 15, f"best: {TRUTH} moves", ha="center", fontsize=9)
    width = 13.5
    for number, (part, cost) in enumerate(zip(patterns, costs, strict=True)):
        x = 14 + number * width
        board(axes, palette, x, 4, cells, {variable + 1 for variable in part}, palette.series[number % 4])
        axes.text(x + 4.5, 15, f"at least {cost}", ha="center", fontsize=9)
        axes.text(x - 2.2, 8.5, "+" if number else "≥", ha="center", va="center", fontsize=14)
    axes.text(14, 2.5, f"what each of four databases sees; together at least {sum(costs)} moves", fontsize=9)
    axes.text(14, 17, f"the planner, with more of them: at least {first}; after improving them: {second}", fontsize=9)
    return figure


def estimates(palette: Palette) -> Figure:
    """Draw the mean estimate of each heuristic against the true distance, over positions of the 8-puzzle."""
    grounding = Ground("sliding-tiles", "8-hard")
    space = reachable(grounding.level)
    places = [{atom: value for value, atom in enumerate(variable.values)} for variable in grounding.variables]
    by_distance = defaultdict(list)
    for number in Random(1).sample(range(space.states), 20_000):
        if len(by_distance[space.goal_distance[number]]) < 25:
            by_distance[space.goal_distance[number]].append(number)
    distances = sorted(by_distance)
    chosen = [number for distance in distances for number in by_distance[distance]]
    states = [[next(place[a] for a in space.atoms(n) if a in place) for place in places] for n in chosen]
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.plot(distances, distances, color=palette.line, label="the truth")
    for name, colour, marker in zip(("pdb", "lmcut", "hmax", "blind"), palette.series, "os^D", strict=True):
        said = dict(zip(chosen, grounding.task.estimates(name, states), strict=True))
        means = [sum(said[n] for n in by_distance[d]) / len(by_distance[d]) for d in distances]
        assert all(said[n] <= d for d in distances for n in by_distance[d]), "admissible"
        axes.plot(distances, means, marker + "-", label=name, color=colour, markersize=4, linewidth=1)
    axes.set(xlabel="least moves to the goal", ylabel="mean estimate")
    axes.legend()
    return figure


# ---- compact tables


def compact(palette: Palette) -> Figure:
    """Draw how a state becomes a table slot of four bytes, as `storage/compact_table.hpp` describes."""
    root = Path(__file__).parents[2] / "planners" / "native" / "core" / "storage" / "compact_table.hpp"
    text = root.read_text()
    factors = [int(factor, 16) for factor in re.findall(r"\* 0x([0-9A-F]{16})ull & all_", text)]
    reach = int(re.search(r"REACH_BITS = (\d+)", text)[1])
    least = int(re.search(r"LEAST_COST_BITS = (\d+)", text)[1])
    grounding = Ground("sliding-tiles", "8-hard")
    assert grounding.task.bits_per_state == STATE_BITS
    every = (1 << STATE_BITS) - 1
    state = sum(value << 4 * variable for variable, value in enumerate(grounding.task.initial))
    mixed = state * factors[0] & every
    mixed ^= mixed >> STATE_BITS // 2
    mixed = mixed * factors[1] & every
    rest = STATE_BITS - LINE_BITS
    cost_bits = 32 - rest - reach
    assert cost_bits >= least
    figure, axes = sheet(66, 30)
    left = 20

    def bits(y: float, value: int, count: int, colours: list[tuple[int, str]]) -> None:
        place = 0
        for length, colour in colours:
            for _ in range(length):
                digit = str(value >> (count - 1 - place) & 1)
                box(axes, palette, left + 1.2 * place, y, 1.2, 3, digit, colour, 7, alpha=0.5)
                place += 1

    pale, blue, orange, green = palette.pale, *palette.series[:3]
    for y, label in ((4, "packed state, 36 bits"), (12, "mixed: nothing is lost"), (23, "slot of 32 bits")):
        axes.text(left - 1, y + 1.5, label, ha="right", va="center", fontsize=9)
    bits(3, state, STATE_BITS, [(STATE_BITS, pale)])
    bits(11, mixed, STATE_BITS, [(LINE_BITS, blue), (rest, orange)])
    axes.text(left + 0.6 * LINE_BITS, 10, f"line {mixed >> rest:,} of {1 << LINE_BITS:,}", ha="center", fontsize=9)
    axes.text(left + 1.2 * LINE_BITS + 0.6 * rest, 10, "the rest", ha="center", fontsize=9)
    slot = (mixed >> rest & (1 << reach) - 1) << rest | mixed & (1 << rest) - 1
    bits(22, slot << cost_bits | 1, 32, [(reach, blue), (rest, orange), (cost_bits, green)])
    axes.text(left, 27, f"last {reach} of line", fontsize=9, va="center")
    axes.text(left + 1.2 * reach + 0.6 * rest, 27, "the rest", ha="center", va="center", fontsize=9)
    axes.text(left + 1.2 * (reach + rest), 27, "cost + 1", va="center", fontsize=9)
    for first, last in ((LINE_BITS - reach, 0), (LINE_BITS, reach), (STATE_BITS, reach + rest)):
        axes.plot([left + 1.2 * first, left + 1.2 * last], [14.2, 21.8], color=palette.line, linewidth=0.8)
    return figure


def draw(folder: Path) -> None:
    """Write all figures of the page."""
    pictures = (("packed", packed), ("databases", databases), ("estimates", estimates), ("compact", compact))
    for name, picture in pictures:
        both(folder, name, picture)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the drawing of figures, which runs before Sphinx looks for pictures."""
    app.connect("builder-inited", lambda app: make(app, "core", draw))
    return {"parallel_read_safe": True}
