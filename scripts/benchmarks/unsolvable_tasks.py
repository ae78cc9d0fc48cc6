"""Thirty tasks without a plan, of five kinds: each has exactly one known fault.

    python scripts/benchmarks/unsolvable_tasks.py FOLDER      writes FOLDER/NAME/{domain,problem}.pddl for all of them

    no_achiever   nothing makes a part of the goal true      few            there is not enough of a resource
    exclusive     two parts of the goal exclude each other   cut            a graph falls into two parts
    dead_end      the start is a dead end

Everything else in them can be reached, so each becomes solvable without its fault. Sizes range from a handful of states
to spaces that cannot be searched completely; those of `few` can be searched by the reference planner.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import pairwise, product
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.random_tasks import random_task
from unpuzzle.explanation.reasons import with_goal
from unpuzzle.pddl import Atom, Not, Task, parse_task
from unpuzzle.state_space.space import reachable

NO_ACHIEVER, EXCLUSIVE, DEAD_END, FEW, CUT = "no_achiever", "exclusive", "dead_end", "few", "cut"
MOST_OF_REFERENCE = 20_000
"""The largest space, in states, that the reference planner searches completely."""
KINDS = (NO_ACHIEVER, EXCLUSIVE, DEAD_END, FEW, CUT)

ROOMS = """(define (domain rooms)
  (:requirements :strips :typing :negative-preconditions)
  (:types room key)
  (:predicates (in ?r - room) (passage ?a ?b - room) (door ?a ?b - room ?k - key) (lies ?k - key ?r - room)
               (carried ?k - key) (broken ?k - key) (brittle ?k - key) (seen ?r - room))
  (:action walk :parameters (?a ?b - room) :precondition (and (in ?a) (passage ?a ?b))
    :effect (and (not (in ?a)) (in ?b) (seen ?b)))
  (:action take :parameters (?k - key ?r - room) :precondition (and (in ?r) (lies ?k ?r))
    :effect (and (carried ?k) (not (lies ?k ?r))))
  (:action unlock :parameters (?a ?b - room ?k - key)
    :precondition (and (in ?a) (door ?a ?b ?k) (carried ?k) (not (brittle ?k)))
    :effect (and (passage ?a ?b) (passage ?b ?a)))
  (:action force :parameters (?a ?b - room ?k ?any - key)
    :precondition (and (in ?a) (door ?a ?b ?any) (carried ?k) (not (broken ?k)) (brittle ?k))
    :effect (and (passage ?a ?b) (passage ?b ?a) (broken ?k))))
"""

TRUCKS = """(define (domain trucks)
  (:requirements :strips :typing)
  (:types place thing level - object truck pack - thing)
  (:predicates (at ?x - thing ?p - place) (in ?k - pack ?t - truck) (road ?a ?b - place) (fits ?k - pack ?t - truck)
               (fuel ?t - truck ?l - level) (less ?l ?m - level))
  (:action drive :parameters (?t - truck ?a ?b - place ?l ?m - level)
    :precondition (and (at ?t ?a) (road ?a ?b) (fuel ?t ?l) (less ?m ?l))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (not (fuel ?t ?l)) (fuel ?t ?m)))
  (:action load :parameters (?k - pack ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (at ?k ?p) (fits ?k ?t)) :effect (and (not (at ?k ?p)) (in ?k ?t)))
  (:action unload :parameters (?k - pack ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (in ?k ?t)) :effect (and (not (in ?k ?t)) (at ?k ?p))))
"""

BLOCKS = """(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (hand-empty) (holding ?x) (brush ?c) (painted ?x ?c))
  (:action pick-up :parameters (?x) :precondition (and (clear ?x) (on-table ?x) (hand-empty))
    :effect (and (not (on-table ?x)) (not (clear ?x)) (not (hand-empty)) (holding ?x)))
  (:action put-down :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (hand-empty) (on-table ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (hand-empty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (hand-empty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (hand-empty)) (not (on ?x ?y))))
  (:action paint :parameters (?x ?c) :precondition (and (holding ?x) (brush ?c)) :effect (painted ?x ?c)))
"""

BOXES = """(define (domain boxes)
  (:requirements :strips :typing)
  (:types cell box direction)
  (:predicates (player ?c - cell) (at ?b - box ?c - cell) (free ?c - cell) (next ?a ?b - cell ?d - direction))
  (:action walk :parameters (?a ?b - cell ?d - direction) :precondition (and (player ?a) (next ?a ?b ?d) (free ?b))
    :effect (and (not (player ?a)) (player ?b) (free ?a) (not (free ?b))))
  (:action push :parameters (?a ?b ?c - cell ?d - direction ?x - box)
    :precondition (and (player ?a) (next ?a ?b ?d) (at ?x ?b) (next ?b ?c ?d) (free ?c))
    :effect (and (not (player ?a)) (player ?b) (free ?a) (not (at ?x ?b)) (at ?x ?c) (not (free ?c)))))
"""

TILES = """(define (domain tiles)
  (:requirements :strips :typing)
  (:types cell tile)
  (:predicates (on ?t - tile ?c - cell) (blank ?c - cell) (next ?a ?b - cell))
  (:action slide :parameters (?t - tile ?a ?b - cell) :precondition (and (on ?t ?a) (blank ?b) (next ?a ?b))
    :effect (and (not (on ?t ?a)) (on ?t ?b) (not (blank ?b)) (blank ?a))))
"""

SHOP = """(define (domain shop)
  (:requirements :adl)
  (:types good coin)
  (:predicates (has ?g - good) (purse ?c - coin) (one-coin ?g - good) (two-coins ?g - good) (open))
  (:action buy :parameters (?g - good ?c - coin) :precondition (and (open) (one-coin ?g) (purse ?c))
    :effect (and (has ?g) (not (purse ?c))))
  (:action buy-dear :parameters (?g - good ?c ?d - coin)
    :precondition (and (open) (two-coins ?g) (purse ?c) (purse ?d) (not (= ?c ?d)))
    :effect (and (has ?g) (not (purse ?c)) (not (purse ?d))))
  (:action close :parameters () :precondition (open) :effect (not (open))))
"""

ICE = """(define (domain ice)
  (:requirements :adl :derived-predicates)
  (:types floe)
  (:predicates (on ?f - floe) (near ?a ?b - floe) (sunk ?f - floe) (reached ?f - floe) (dry ?f - floe))
  (:derived (dry ?f - floe) (not (sunk ?f)))
  (:action jump :parameters (?a ?b - floe) :precondition (and (on ?a) (near ?a ?b) (dry ?b))
    :effect (and (not (on ?a)) (sunk ?a) (on ?b) (reached ?b))))
"""


def _task(domain: str, objects: dict[str, Iterable[str]], init: Iterable[str], goal: Iterable[str]) -> Task:
    name = domain.split("(domain ")[1].split(")", maxsplit=1)[0]
    typed = " ".join(f"{' '.join(names)} - {kind}" if kind else " ".join(names) for kind, names in objects.items())
    problem = f"(define (problem {name}-task) (:domain {name})\n  (:objects {typed})\n"
    problem += f"  (:init {' '.join(init)})\n  (:goal (and {' '.join(goal)})))\n"
    return parse_task(domain, problem)


def _names(letter: str, number: int) -> list[str]:
    return [f"{letter}{i}" for i in range(number)]


def _both(predicate: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"({predicate} {one} {two})" for a, b in pairs for one, two in ((a, b), (b, a))]


# ---- rooms


def corridor(rooms: int, keys: int, *, lacking: str = "", cut: bool = False) -> Task:
    """Rooms in a row, every other passage behind a door, its key two rooms before; one key is nowhere."""
    names, keyed = _names("r", rooms), _names("k", keys)
    init = ["(in r0)", "(seen r0)"]
    for number, (one, two) in enumerate(pairwise(names)):
        key = keyed[number // 2] if number % 2 and number // 2 < keys else None
        if cut and number == rooms // 2:
            continue
        init += [f"(door {one} {two} {key})"] if key else [f"(passage {one} {two})", f"(passage {two} {one})"]
        if key and key != lacking:
            init.append(f"(lies {key} {one})")
    return _task(ROOMS, {"room": names, "key": keyed}, init, [f"(seen {name})" for name in names])


def brittle_keys(doors: int, keys: int) -> Task:
    """A hall with rooms behind doors; any key opens any door, and breaks."""
    names, keyed = _names("r", doors), _names("k", keys)
    init = [
        "(in hall)",
        *(f"({word} {key}{place})" for key in keyed for word, place in (("brittle", ""), ("lies", " hall"))),
    ]
    init += [f"(door hall {name} k0)" for name in names]
    return _task(ROOMS, {"room": ["hall", *names], "key": keyed}, init, [f"(seen {name})" for name in names])


# ---- trucks


def delivery(
    places: int,
    packs: int,
    fuel: int,
    *,
    trucks: int = 1,
    edges: Iterable[tuple[int, int]] | None = None,
    one_way: bool = False,
    heavy: str = "",
    more: Iterable[str] = (),
    goals: Iterable[str] | None = None,
) -> Task:
    """A road from p0 on (or other edges), packs at p0 to be brought to different places, trucks at p0 with fuel."""
    names, levels = _names("p", places), _names("l", fuel + 1)
    packed, wheels = _names("k", packs), _names("t", trucks)
    roads = [(names[a], names[b]) for a, b in (pairwise(range(places)) if edges is None else edges)]
    init = [f"(road {a} {b})" for a, b in roads] if one_way else _both("road", roads)
    init += [f"(less {a} {b})" for a, b in pairwise(levels)]
    init += [fact for truck in wheels for fact in (f"(at {truck} p0)", f"(fuel {truck} {levels[-1]})")]
    init += [f"(at {pack} p0)" for pack in packed if not any(f"(at {pack} " in fact for fact in more)]
    init += [f"(fits {pack} {truck})" for pack in packed if pack != heavy for truck in wheels]
    wanted = [f"(at {pack} {names[-1 - i % (places - 1)]})" for i, pack in enumerate(packed)]
    return _task(
        TRUCKS,
        {"place": names, "level": levels, "pack": packed, "truck": wheels},
        [*init, *more],
        wanted if goals is None else goals,
    )


# ---- blocks


def towers(blocks: int, goals: Iterable[str], brushes: str = "red") -> Task:
    """Blocks on the table, hand empty."""
    names = _names("b", blocks)
    init = ["(hand-empty)", *(f"({word} {name})" for name in names for word in ("on-table", "clear"))]
    init += [f"(brush {colour})" for colour in brushes.split()]
    return _task(BLOCKS, {"": [*names, "red", "blue"]}, init, goals)


# ---- boxes


def warehouse(rows: str, goals: Iterable[str]) -> Task:
    """Rows of a board, parted by `/`: `#` wall, `@` player, small letters boxes, `.` floor; cells are rYcX."""
    board = {(y, x): mark for y, row in enumerate(rows.split("/")) for x, mark in enumerate(row) if mark != "#"}
    name = {place: f"r{place[0]}c{place[1]}" for place in board}
    init = []
    for (y, x), mark in board.items():
        for way, dy, dx in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            if (y + dy, x + dx) in board:
                init.append(f"(next {name[y, x]} {name[y + dy, x + dx]} {way})")
        words = {"@": "player", ".": "free"}
        init.append(f"({words.get(mark, f'at {mark}')} {name[y, x]})")
    boxes = sorted(mark for mark in board.values() if mark.isalpha())
    objects = {"cell": name.values(), "box": boxes, "direction": ("up", "down", "left", "right")}
    return _task(BOXES, objects, init, goals)


# ---- tiles


def tiles(rows: int, columns: int, swapped: bool, goals: Iterable[str] | None = None, hole: int = -1) -> Task:
    """Return a sliding puzzle; with its last two tiles `swapped` it has no solution."""
    cells = list(product(range(rows), range(columns)))
    name = {cell: f"r{cell[0]}c{cell[1]}" for cell in cells}
    pieces = _names("t", len(cells))[1:]
    places = list(range(1, len(cells)))
    if swapped:
        places[-2:] = places[-1], places[-2]
    init = [f"(blank {name[0, 0]})"]
    init += [f"(on {piece} {name[cells[place]]})" for piece, place in zip(pieces, places, strict=True)]
    joined = [
        (name[a], name[b])
        for a in cells
        for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1))
        if b in name and hole not in (cells.index(a), cells.index(b))
    ]
    wanted = [f"(on {piece} {name[cells[place]]})" for piece, place in zip(pieces, range(1, len(cells)), strict=True)]
    return _task(TILES, {"cell": name.values(), "tile": pieces}, init + _both("next", joined), goals or wanted)


# ---- shop, ice


def shopping(coins: int, cheap: int, dear: int, open_: bool = True) -> Task:
    """Goods of one and of two coins, all of which must be bought."""
    goods, dears, purse = _names("g", cheap), _names("d", dear), _names("c", coins)
    init = ["(open)"] * open_ + [f"(purse {coin})" for coin in purse]
    init += [f"(one-coin {good})" for good in goods] + [f"(two-coins {good})" for good in dears]
    return _task(SHOP, {"good": goods + dears, "coin": purse}, init, [f"(has {good})" for good in goods + dears])


def floes(edges: Iterable[tuple[int, int]], goals: Iterable[int], number: int) -> Task:
    """Floes that sink once they are left; the start is f0."""
    names = _names("f", number)
    init = ["(on f0)", *_both("near", ((names[a], names[b]) for a, b in edges))]
    return _task(ICE, {"floe": names}, init, [f"(reached f{goal})" for goal in goals])


GRID_OF_9 = [(y * 9 + x, y * 9 + x + 1) for y in range(9) for x in range(8)]
GRID_OF_9 += [(y * 9 + x, y * 9 + x + 9) for y in range(8) for x in range(9)]
WITHOUT_A_CORNER = [edge for edge in GRID_OF_9 if 80 not in edge]
STAR = [(0, i) for i in range(1, 5)]

TASKS: dict[str, Callable[[], Task]] = {
    # Nothing makes a part of the goal true.
    "no_achiever rooms-4": lambda: corridor(4, 1, lacking="k0"),
    "no_achiever rooms-60": lambda: corridor(60, 29, lacking="k20"),
    "no_achiever trucks-heavy": lambda: delivery(5, 3, 12, heavy="k1"),
    "no_achiever trucks-heavy-large": lambda: delivery(16, 9, 60, trucks=2, heavy="k7"),
    "no_achiever blocks-blue": lambda: towers(4, ["(painted b1 blue)", "(on b0 b1)"]),
    "no_achiever blocks-blue-large": lambda: towers(14, ["(painted b5 blue)", "(painted b2 red)", "(on b0 b1)"]),
    # Two parts of the goal exclude each other.
    "exclusive trucks": lambda: delivery(4, 1, 6, goals=["(at k0 p3)", "(at k0 p2)"]),
    "exclusive trucks-large": lambda: delivery(
        30, 12, 80, trucks=3, goals=["(at k3 p9)", "(at k4 p9)", "(at k5 p8)", "(at k5 p9)"]
    ),
    "exclusive blocks-below-each-other": lambda: towers(4, ["(on b0 b1)", "(on b1 b0)"]),
    "exclusive blocks-two-hands": lambda: towers(12, ["(holding b3)", "(holding b7)", "(on b0 b1)"]),
    "exclusive boxes": lambda: warehouse("......./.@.a.../...b.../.......", ["(at a r2c2)", "(at b r2c2)"]),
    "exclusive tiles": lambda: tiles(4, 4, False, ["(on t3 r0c0)", "(on t9 r0c0)", "(on t1 r0c1)"]),
    # The start has lost already.
    "dead_end boxes-corner": lambda: warehouse("a..../.@.b./.....", ["(at a r1c2)", "(at b r1c1)"]),
    "dead_end boxes-wall": lambda: warehouse("ab..../..@.../..c.../......", ["(at a r0c3)", "(at c r2c4)"]),
    "dead_end tiles-2x3": lambda: tiles(2, 3, True),
    "dead_end tiles-2x4": lambda: tiles(2, 4, True),
    "dead_end trucks-passed": lambda: delivery(
        6, 3, 9, one_way=True, more=["(at k2 p5)"], goals=["(at k0 p4)", "(at k1 p5)", "(at k2 p1)"]
    ),
    "dead_end ice-star": lambda: floes(STAR, [1, 2], 5),
    # A resource does not suffice.
    "few trucks-fuel-one": lambda: delivery(7, 1, 5),
    "few trucks-fuel-three": lambda: delivery(9, 3, 7, goals=["(at k0 p8)"]),
    "few trucks-fuel": lambda: delivery(
        5, 3, 5, edges=STAR, goals=["(at k0 p1)", "(at k1 p2)", "(at k2 p3)", "(at t0 p4)"]
    ),
    "few keys": lambda: brittle_keys(4, 3),
    "few coins": lambda: shopping(3, 2, 1),
    "few coins-8": lambda: shopping(8, 3, 3),
    # A graph falls into two parts.
    "cut rooms": lambda: corridor(8, 2, cut=True),
    "cut trucks": lambda: delivery(6, 2, 9, edges=[(0, 1), (1, 2), (3, 4), (4, 5)]),
    "cut trucks-large": lambda: delivery(
        40, 8, 99, trucks=2, edges=[(a, b) for a, b in pairwise(range(40)) if b != 36]
    ),
    "cut boxes": lambda: warehouse("...#.../.@a#.../...#...", ["(at a r1c5)", "(player r0c0)"]),
    "cut ice-9x9": lambda: floes(WITHOUT_A_CORNER, [1, 80], 81),
    "cut tiles-walled": lambda: tiles(3, 4, False, ["(on t11 r0c1)", "(on t1 r0c2)"], hole=11),
}
"""By kind and name, the tasks without a plan."""


PLAIN = {"axioms": False, "conditional_effects": False, "quantifiers": False, "disjunctions": False}
MOST_STATES = 3_000


def any_task(seed: int) -> Task:
    """Return a random task, solvable or not; of three, the last two have random facts as goals, the third is STRIPS."""
    rng = Random(seed)
    task = random_task(rng, **(PLAIN if seed % 3 == 2 else {}))
    if seed % 3 == 0:
        return task
    space = reachable(task, max_states=MOST_STATES)
    states = [space.atoms(rng.randrange(space.states)) for _ in range(3)] if space.complete else []
    atoms = sorted(frozenset().union(*states), key=str) or [Atom("f0", ())]
    chosen = rng.sample(atoms, min(len(atoms), rng.randint(2, 5)))
    return with_goal(task, [atom if rng.random() < 0.7 else Not(atom) for atom in chosen])


def kind_of(name: str) -> str:
    """Return the kind of a task."""
    return name.split(maxsplit=1)[0]


def write(folder: Path) -> None:
    """Write all tasks."""
    from unpuzzle.pddl import write as texts

    for name, make in TASKS.items():
        home = folder / name.replace(" ", "-")
        home.mkdir(parents=True, exist_ok=True)
        for part, text in zip(("domain", "problem"), texts(make()), strict=True):
            (home / f"{part}.pddl").write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
