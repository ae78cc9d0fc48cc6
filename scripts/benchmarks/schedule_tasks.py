# ruff: noqa: E501 - an action of PDDL is one line, so that its parts stand side by side with those of the others
"""The frozen list of 300 tasks of `scripts/bench schedule`: tasks of the collection, and families made here.

    python scripts/benchmarks/schedule_tasks.py FOLDER      writes FOLDER/NAME/{domain,problem}.pddl for all that are made here

Each family is a function of sizes and a seed that returns a domain and a problem as text. Names, sizes and seeds never
change: figures of two versions can only be compared on the same list.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path
from random import Random

Texts = tuple[str, str]
COSTS = "(:functions (total-cost) - number)"


def _domain(name: str, types: str, predicates: str, *actions: tuple[str, str, str, str], costs: bool = False) -> str:
    """Return a domain; an action has a name, parameters, a precondition and effects without their `and`."""
    lines = [f"(define (domain {name}) (:requirements :adl :action-costs)", f"(:types {types})"]
    lines += [f"(:predicates {predicates})", COSTS * costs]
    for action, parameters, condition, effects in actions:
        lines.append(f"(:action {action} :parameters ({parameters})")
        lines.append(f" :precondition (and {condition}) :effect (and {effects}))")
    return "\n".join([*lines, ")", ""])


def _problem(domain: str, objects: str, init: list[str], goal: list[str], costs: bool = False) -> str:
    lines = [f"(define (problem p) (:domain {domain})", f"(:objects {objects})", "(:init", *init]
    lines += ["(= (total-cost) 0)" * costs, ")", "(:goal (and", *goal, "))", "(:metric minimize (total-cost))" * costs]
    return "\n".join([*lines, ")", ""])


def _names(letter: str, count: int, kind: str = "") -> str:
    return " ".join(f"{letter}{i}" for i in range(count)) + (f" - {kind}" if kind else "")


def _costs(amount: int) -> str:
    return f" (increase (total-cost) {amount})"


def logistics(cities: int, places: int, packages: int, seed: int) -> Texts:
    """Trucks within cities, one airplane between their first places."""
    rng = Random(seed)
    domain = _domain(
        "logistics",
        "thing place city - object vehicle - thing truck plane - vehicle package - thing port - place",
        "(at ?t - thing ?p - place) (in ?t - package ?v - vehicle) (of ?p - place ?c - city)",
        ("load", "?t - package ?v - vehicle ?p - place", "(at ?t ?p) (at ?v ?p)", "(not (at ?t ?p)) (in ?t ?v)"),
        ("unload", "?t - package ?v - vehicle ?p - place", "(in ?t ?v) (at ?v ?p)", "(not (in ?t ?v)) (at ?t ?p)"),
        ("drive", "?v - truck ?p ?q - place ?c - city", "(at ?v ?p) (of ?p ?c) (of ?q ?c)", "(not (at ?v ?p)) (at ?v ?q)"),
        ("fly", "?v - plane ?p ?q - port", "(at ?v ?p)", "(not (at ?v ?p)) (at ?v ?q)"),
    )  # fmt: skip
    where = [f"l{c}-{p}" for c in range(cities) for p in range(places)]
    ports = " ".join(f"l{c}-0" for c in range(cities))
    objects = (
        f"{ports} - port {' '.join(w for w in where if not w.endswith('-0'))} - place {_names('c', cities, 'city')}"
    )
    objects += f" {_names('k', packages, 'package')} {_names('t', cities, 'truck')} a - plane"
    init = [f"(of l{c}-{p} c{c})" for c in range(cities) for p in range(places)]
    init += [f"(at t{c} l{c}-{rng.randrange(places)})" for c in range(cities)] + [f"(at a l{rng.randrange(cities)}-0)"]
    init += [f"(at k{i} {rng.choice(where)})" for i in range(packages)]
    return domain, _problem("logistics", objects, init, [f"(at k{i} {rng.choice(where)})" for i in range(packages)])


def floortile(rows: int, columns: int, robots: int, seed: int) -> Texts:
    """Robots paint a board black and white and cannot walk on what is painted; a row below the board stays free."""
    rng = Random(seed)
    moves = [
        (way, "?r - robot ?x ?y - tile", f"(at ?r ?x) ({way} ?y ?x) (clear ?y)",
         "(not (at ?r ?x)) (at ?r ?y) (not (clear ?y)) (clear ?x)" + _costs(cost))
        for way, cost in (("up", 3), ("down", 1), ("left", 1), ("right", 1))
    ]  # fmt: skip
    paints = [
        (f"paint-{way}", "?r - robot ?y ?x - tile ?c - color", f"(has ?r ?c) (at ?r ?x) ({way} ?y ?x) (clear ?y)",
         "(not (clear ?y)) (painted ?y ?c)" + _costs(2)) for way in ("up", "down")
    ]  # fmt: skip
    change = ("change", "?r - robot ?c ?d - color", "(has ?r ?c)", "(not (has ?r ?c)) (has ?r ?d)" + _costs(5))
    predicates = (
        "(at ?r - robot ?t - tile) (clear ?t - tile) (painted ?t - tile ?c - color) (has ?r - robot ?c - color)"
    )
    predicates += " (up ?x ?y - tile) (down ?x ?y - tile) (left ?x ?y - tile) (right ?x ?y - tile)"
    domain = _domain("floor", "robot tile color", predicates, *moves, *paints, change, costs=True)
    tiles = [(r, c) for r in range(rows + 1) for c in range(columns)]
    starts = rng.sample(tiles, robots)
    init = [f"(clear t{r}-{c})" for r, c in tiles if (r, c) not in starts]
    init += [f"(at r{i} t{r}-{c})" for i, (r, c) in enumerate(starts)]
    init += [f"(has r{i} {('black', 'white')[i % 2]})" for i in range(robots)]
    init += [f"(up t{r + 1}-{c} t{r}-{c}) (down t{r}-{c} t{r + 1}-{c})" for r, c in tiles if r < rows]
    init += [f"(right t{r}-{c + 1} t{r}-{c}) (left t{r}-{c} t{r}-{c + 1})" for r, c in tiles if c + 1 < columns]
    goal = [f"(painted t{r}-{c} {('black', 'white')[(r + c) % 2]})" for r, c in tiles if r > 0]
    objects = f"{_names('r', robots, 'robot')} {' '.join(f't{r}-{c}' for r, c in tiles)} - tile black white - color"
    return domain, _problem("floor", objects, init, goal, costs=True)


def gripper(balls: int) -> Texts:
    """A robot with two hands carries balls to the other room."""
    domain = _domain(
        "gripper", "room ball hand", "(at ?b - ball ?r - room) (robot ?r - room) (free ?h - hand) (holds ?h - hand ?b - ball)",
        ("move", "?r ?s - room", "(robot ?r)", "(not (robot ?r)) (robot ?s)"),
        ("pick", "?b - ball ?r - room ?h - hand", "(at ?b ?r) (robot ?r) (free ?h)", "(not (at ?b ?r)) (not (free ?h)) (holds ?h ?b)"),
        ("drop", "?b - ball ?r - room ?h - hand", "(holds ?h ?b) (robot ?r)", "(not (holds ?h ?b)) (free ?h) (at ?b ?r)"),
    )  # fmt: skip
    init = ["(robot r0) (free h0) (free h1)", *[f"(at b{i} r0)" for i in range(balls)]]
    objects = f"{_names('b', balls, 'ball')} r0 r1 - room h0 h1 - hand"
    return domain, _problem("gripper", objects, init, [f"(at b{i} r1)" for i in range(balls)])


def miconic(floors: int, passengers: int, seed: int) -> Texts:
    """A lift that goes from any floor to any other."""
    rng = Random(seed)
    domain = _domain(
        "miconic", "floor passenger", "(lift ?f - floor) (waits ?p - passenger ?f - floor) (in ?p - passenger) (to ?p - passenger ?f - floor) (served ?p - passenger)",
        ("go", "?f ?g - floor", "(lift ?f)", "(not (lift ?f)) (lift ?g)"),
        ("board", "?p - passenger ?f - floor", "(lift ?f) (waits ?p ?f)", "(not (waits ?p ?f)) (in ?p)"),
        ("leave", "?p - passenger ?f - floor", "(lift ?f) (in ?p) (to ?p ?f)", "(not (in ?p)) (served ?p)"),
    )  # fmt: skip
    ways = [rng.sample(range(floors), 2) for _ in range(passengers)]
    init = ["(lift f0)", *[f"(waits p{i} f{a}) (to p{i} f{b})" for i, (a, b) in enumerate(ways)]]
    objects = f"{_names('f', floors, 'floor')} {_names('p', passengers, 'passenger')}"
    return domain, _problem("miconic", objects, init, [f"(served p{i})" for i in range(passengers)])


def barman(shots: int, cocktails: int, seed: int) -> Texts:
    """Two hands, one shaker of two parts, shots that must be cleaned before another drink."""
    rng = Random(seed)
    domain = _domain(
        "bar", "hand glass drink - object shot shaker - glass part mix - drink",
        "(stands ?g - glass) (holds ?h - hand ?g - glass) (free ?h - hand) (in ?d - drink ?g - glass) (empty ?g - glass) (clean ?g - glass)"
        " (of ?m - mix ?a ?b - part) (one ?s - shaker) (full ?s - shaker) (shaken ?s - shaker)",
        ("take", "?h - hand ?g - glass", "(stands ?g) (free ?h)", "(not (stands ?g)) (not (free ?h)) (holds ?h ?g)" + _costs(1)),
        ("put", "?h - hand ?g - glass", "(holds ?h ?g)", "(not (holds ?h ?g)) (free ?h) (stands ?g)" + _costs(1)),
        ("fill", "?h ?i - hand ?g - shot ?d - part", "(holds ?h ?g) (free ?i) (empty ?g) (clean ?g)", "(not (empty ?g)) (not (clean ?g)) (in ?d ?g)" + _costs(10)),
        ("pour-out", "?h - hand ?g - shot ?d - drink", "(holds ?h ?g) (in ?d ?g)", "(not (in ?d ?g)) (empty ?g)" + _costs(1)),
        ("rinse", "?h ?i - hand ?g - glass", "(holds ?h ?g) (free ?i) (empty ?g)", "(clean ?g)" + _costs(1)),
        ("first", "?h - hand ?g - shot ?d - part ?s - shaker", "(holds ?h ?g) (in ?d ?g) (empty ?s) (clean ?s)", "(not (in ?d ?g)) (empty ?g) (in ?d ?s) (not (empty ?s)) (not (clean ?s)) (one ?s)" + _costs(1)),
        ("second", "?h - hand ?g - shot ?d - part ?s - shaker", "(holds ?h ?g) (in ?d ?g) (one ?s)", "(not (in ?d ?g)) (empty ?g) (in ?d ?s) (not (one ?s)) (full ?s)" + _costs(1)),
        ("shake", "?h ?i - hand ?s - shaker ?m - mix ?a ?b - part", "(holds ?h ?s) (free ?i) (full ?s) (in ?a ?s) (in ?b ?s) (of ?m ?a ?b)", "(not (in ?a ?s)) (not (in ?b ?s)) (in ?m ?s) (shaken ?s)" + _costs(1)),
        ("serve", "?h - hand ?s - shaker ?g - shot ?m - mix", "(holds ?h ?s) (shaken ?s) (in ?m ?s) (empty ?g) (clean ?g)", "(not (empty ?g)) (not (clean ?g)) (in ?m ?g) (not (in ?m ?s)) (not (shaken ?s)) (not (full ?s)) (empty ?s)" + _costs(1)),
        costs=True,
    )  # fmt: skip
    init = ["(stands s) (clean s) (empty s) (free h0) (free h1)"]
    init += [f"(stands g{i}) (clean g{i}) (empty g{i})" for i in range(shots)]
    init += [f"(of m{i} {' '.join(f'd{d}' for d in rng.sample(range(3), 2))})" for i in range(cocktails)]
    goal = [
        f"(in {f'm{i}' if i < cocktails else f'd{rng.randrange(3)}'} g{i})" for i in range(min(shots, cocktails + 1))
    ]
    objects = f"{_names('g', shots, 'shot')} s - shaker h0 h1 - hand d0 d1 d2 - part {_names('m', cocktails, 'mix')}"
    return domain, _problem("bar", objects, init, goal, costs=True)


def visitall(rows: int, columns: int, share: float, seed: int) -> Texts:
    """A walk through a share of the places of a grid."""
    rng = Random(seed)
    domain = _domain(
        "visit", "place", "(at ?p - place) (seen ?p - place) (next ?p ?q - place)",
        ("walk", "?p ?q - place", "(at ?p) (next ?p ?q)", "(not (at ?p)) (at ?q) (seen ?q)"),
    )  # fmt: skip
    places = [(r, c) for r in range(rows) for c in range(columns)]
    steps = [((r, c), (r + x, c + y)) for r, c in places for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    start, *_ = order = rng.sample(places, len(places))
    init = [f"(next p{a}-{b} p{c}-{d})" for (a, b), (c, d) in steps if (c, d) in places]
    init.append(f"(at p{start[0]}-{start[1]}) (seen p{start[0]}-{start[1]})")
    goal = [f"(seen p{r}-{c})" for r, c in order[: round(share * len(places))]]
    return domain, _problem("visit", " ".join(f"p{r}-{c}" for r, c in places) + " - place", init, goal)


def spanner(spanners: int, nuts: int, places: int) -> Texts:
    """A man walks along a one-way path, and needs a spanner for each nut at its end."""
    domain = _domain(
        "spanner", "thing place - object man spanner nut - thing", "(at ?t - thing ?p - place) (next ?p ?q - place) (has ?s - spanner) (good ?s - spanner) (loose ?n - nut) (tight ?n - nut)",
        ("walk", "?m - man ?p ?q - place", "(at ?m ?p) (next ?p ?q)", "(not (at ?m ?p)) (at ?m ?q)"),
        ("pick", "?m - man ?s - spanner ?p - place", "(at ?m ?p) (at ?s ?p)", "(not (at ?s ?p)) (has ?s)"),
        ("tighten", "?m - man ?s - spanner ?n - nut ?p - place", "(at ?m ?p) (at ?n ?p) (has ?s) (good ?s) (loose ?n)", "(not (loose ?n)) (not (good ?s)) (tight ?n)"),
    )  # fmt: skip
    init = [f"(next l{i} l{i + 1})" for i in range(places + 1)] + ["(at bob l0)"]
    init += [f"(at s{i} l{1 + i % places}) (good s{i})" for i in range(spanners)]
    init += [f"(at n{i} l{places + 1}) (loose n{i})" for i in range(nuts)]
    objects = (
        f"bob - man {_names('s', spanners, 'spanner')} {_names('n', nuts, 'nut')} {_names('l', places + 2, 'place')}"
    )
    return domain, _problem("spanner", objects, init, [f"(tight n{i})" for i in range(nuts)])


def openstacks(orders: int, products: int, seed: int) -> Texts:
    """Orders wait on stacks until all their products are made; each further stack costs 1."""
    rng = Random(seed)
    domain = _domain(
        "stacks", "order product count", "(of ?o - order ?p - product) (waits ?o - order) (open ?o - order) (sent ?o - order) (made ?p - product) (free ?n - count) (next ?n ?m - count)",
        ("make", "?p - product", "(not (made ?p)) (forall (?o - order) (imply (of ?o ?p) (open ?o)))", "(made ?p)"),
        ("start", "?o - order ?n ?m - count", "(waits ?o) (free ?n) (next ?m ?n)", "(not (waits ?o)) (open ?o) (not (free ?n)) (free ?m)"),
        ("send", "?o - order ?n ?m - count", "(open ?o) (forall (?p - product) (imply (of ?o ?p) (made ?p))) (free ?n) (next ?n ?m)", "(not (open ?o)) (sent ?o) (not (free ?n)) (free ?m)"),
        ("add", "?n ?m - count", "(free ?n) (next ?n ?m)", "(not (free ?n)) (free ?m)" + _costs(1)),
        costs=True,
    )  # fmt: skip
    pairs = {(rng.randrange(orders), p) for p in range(products) for _ in range(2)} | {
        (o, o % products) for o in range(orders)
    }
    init = [f"(of o{o} p{p})" for o, p in sorted(pairs)] + [f"(waits o{o})" for o in range(orders)] + ["(free n0)"]
    init += [f"(next n{i} n{i + 1})" for i in range(orders)]
    objects = f"{_names('o', orders, 'order')} {_names('p', products, 'product')} {_names('n', orders + 1, 'count')}"
    return domain, _problem("stacks", objects, init, [f"(sent o{o})" for o in range(orders)], costs=True)


def knights(rows: int, columns: int, seed: int) -> Texts:
    """A knight's tour: no square twice."""
    domain = _domain(
        "knights", "square", "(at ?s - square) (seen ?s - square) (leap ?s ?t - square)",
        ("move", "?s ?t - square", "(at ?s) (leap ?s ?t) (not (seen ?t))", "(not (at ?s)) (at ?t) (seen ?t)"),
    )  # fmt: skip
    squares = list(product(range(rows), range(columns)))
    start = Random(seed).choice([s for s in squares if sum(s) % 2 == 0])  # on an odd board a tour begins on this colour
    init = [
        f"(leap s{a}-{b} s{c}-{d})" for (a, b), (c, d) in permutations(squares, 2) if {abs(a - c), abs(b - d)} == {1, 2}
    ]
    init.append(f"(at s{start[0]}-{start[1]}) (seen s{start[0]}-{start[1]})")
    return domain, _problem(
        "knights",
        " ".join(f"s{a}-{b}" for a, b in squares) + " - square",
        init,
        [f"(seen s{a}-{b})" for a, b in squares],
    )


def queens(size: int) -> Texts:
    """Queens are put on a board, one in each row, so that none attacks another."""
    domain = _domain(
        "queens", "row column", "(free ?r - row) (filled ?r - row) (on ?r - row ?c - column) (hits ?r - row ?c - column ?s - row ?d - column)",
        ("put", "?r - row ?c - column", "(free ?r) (forall (?s - row ?d - column) (imply (hits ?r ?c ?s ?d) (not (on ?s ?d))))", "(not (free ?r)) (filled ?r) (on ?r ?c)"),
    )  # fmt: skip
    squares = list(product(range(size), range(size)))
    init = [
        f"(hits r{a} c{b} r{c} c{d})"
        for (a, b), (c, d) in permutations(squares, 2)
        if b == d or abs(a - c) == abs(b - d)
    ]
    init += [f"(free r{r})" for r in range(size)]
    return domain, _problem(
        "queens",
        f"{_names('r', size, 'row')} {_names('c', size, 'column')}",
        init,
        [f"(filled r{r})" for r in range(size)],
    )


def scanalyzer(pairs: int) -> Texts:
    """Pairs of cars on two rows of belts swap places; each car must be analysed and come back."""
    domain = _domain(
        "scan", "belt car", "(on ?c - car ?b - belt) (done ?c - car) (turn ?a ?b - belt)",
        ("rotate", "?a ?b - belt ?c ?d - car", "(turn ?a ?b) (on ?c ?a) (on ?d ?b)", "(not (on ?c ?a)) (not (on ?d ?b)) (on ?c ?b) (on ?d ?a)" + _costs(1)),
        ("analyse", "?a ?b - belt ?c ?d - car", "(turn ?a ?b) (on ?c ?a) (on ?d ?b)", "(not (on ?c ?a)) (not (on ?d ?b)) (on ?c ?b) (on ?d ?a) (done ?c)" + _costs(3)),
        costs=True,
    )  # fmt: skip
    init = [f"(turn b{a} b{pairs + b})" for a in range(pairs) for b in range(pairs)] + [
        f"(on c{i} b{i})" for i in range(2 * pairs)
    ]
    goal = [f"(on c{i} b{i}) (done c{i})" for i in range(2 * pairs)]
    return domain, _problem(
        "scan", f"{_names('b', 2 * pairs, 'belt')} {_names('c', 2 * pairs, 'car')}", init, goal, costs=True
    )


def childsnack(children: int, trays: int, allergic: int) -> Texts:
    """Sandwiches are made in a kitchen and brought on trays to children at tables, some without gluten."""
    domain = _domain(
        "snack", "child bread filling sandwich tray place", "(kitchen ?p - place) (at ?t - tray ?p - place) (left ?b - bread) (rest ?f - filling) (pure ?b - bread) (clear ?f - filling) (unmade ?s - sandwich)"
        " (ready ?s - sandwich) (safe ?s - sandwich) (upon ?s - sandwich ?t - tray) (waits ?c - child ?p - place) (allergic ?c - child) (fed ?c - child)",
        ("make", "?s - sandwich ?b - bread ?f - filling", "(unmade ?s) (left ?b) (rest ?f)", "(not (unmade ?s)) (not (left ?b)) (not (rest ?f)) (ready ?s)"),
        ("make-safe", "?s - sandwich ?b - bread ?f - filling", "(unmade ?s) (left ?b) (rest ?f) (pure ?b) (clear ?f)", "(not (unmade ?s)) (not (left ?b)) (not (rest ?f)) (ready ?s) (safe ?s)"),
        ("put", "?s - sandwich ?t - tray ?p - place", "(ready ?s) (kitchen ?p) (at ?t ?p)", "(not (ready ?s)) (upon ?s ?t)"),
        ("move", "?t - tray ?p ?q - place", "(at ?t ?p)", "(not (at ?t ?p)) (at ?t ?q)"),
        ("serve", "?s - sandwich ?c - child ?t - tray ?p - place", "(upon ?s ?t) (at ?t ?p) (waits ?c ?p) (not (allergic ?c))", "(not (upon ?s ?t)) (fed ?c)"),
        ("serve-safe", "?s - sandwich ?c - child ?t - tray ?p - place", "(upon ?s ?t) (at ?t ?p) (waits ?c ?p) (safe ?s)", "(not (upon ?s ?t)) (fed ?c)"),
    )  # fmt: skip
    each = range(children)
    init = ["(kitchen p0)", *[f"(at t{i} p0)" for i in range(trays)], *[f"(waits c{i} p{1 + i % 3})" for i in each]]
    init += [f"(left b{i}) (rest f{i}) (unmade s{i})" for i in each]
    init += [f"(pure b{i}) (clear f{i}) (allergic c{i})" for i in range(allergic)]
    objects = " ".join(
        _names(n, children, k) for n, k in zip("cbfs", ("child", "bread", "filling", "sandwich"), strict=True)
    )
    return domain, _problem(
        "snack",
        f"{objects} {_names('t', trays, 'tray')} {_names('p', 4, 'place')}",
        init,
        [f"(fed c{i})" for i in each],
    )


def _permutation(name: str, moves: dict[str, dict[int, int]], count: int, start: list[int]) -> Texts:
    """Return a puzzle of numbered tiles: each move permutes the tiles of some places."""
    predicates = " ".join(f"(at{i} ?t - tile)" for i in range(count))
    actions = [
        (move, "", "", " ".join(f"(forall (?t - tile) (when (at{a} ?t) (and (not (at{a} ?t)) (at{b} ?t))))" for a, b in places.items()))
        for move, places in moves.items()
    ]  # fmt: skip
    init, goal = [[f"(at{i} t{tile})" for i, tile in enumerate(order)] for order in (start, range(count))]
    return _domain(name, "tile", predicates, *actions), _problem(name, _names("t", count, "tile"), init, goal)


def pancake(size: int, seed: int) -> Texts:
    """A stack of pancakes, of which any number from the top is turned."""
    moves = {f"flip{n}": {i: n - 1 - i for i in range(n) if 2 * i != n - 1} for n in range(2, size + 1)}
    return _permutation("pancake", moves, size, Random(seed).sample(range(size), size))


def topspin(size: int, turned: int, seed: int) -> Texts:
    """Tiles on a ring: each move turns a number of neighbouring ones."""
    moves = {
        f"turn{s}": {(s + i) % size: (s + turned - 1 - i) % size for i in range(turned) if 2 * i != turned - 1}
        for s in range(size)
    }
    order, rng = list(range(size)), Random(seed)
    for _ in range(100):
        places = rng.choice(list(moves.values()))
        order = [order[places.get(i, i)] for i in range(size)]
    return _permutation("topspin", moves, size, order)


def rubik(turns: int, seed: int, edges: bool = False) -> Texts:
    """Rubik's cube, scrambled by random quarter turns: eight corners and three faces, or twelve edges and six, too."""
    places = [p for p in product((-1, 0, 1), repeat=3) if p.count(0) <= edges and any(p)]
    axes = {place: [axis for axis in range(3) if place[axis]] for place in places}

    def turned(place: tuple[int, ...], face: tuple[int, int], way: int) -> tuple[tuple[int, ...], dict[int, int]]:
        """Return the place to which a turn of a face moves a piece, and the new axis of each of its sides."""
        axis, side = face
        if place[axis] != side:
            return place, {axis: axis for axis in range(3)}
        one, other = (axis + 1) % 3, (axis + 2) % 3
        moved = {axis: side, one: way * place[other], other: -way * place[one]}
        return tuple(moved[axis] for axis in range(3)), {axis: axis, one: other, other: one}

    turns_of = [((axis, side), way) for axis in range(3) for side in (1, -1)[: 1 + edges] for way in (1, -1)]
    actions, names = [], {place: f"at{index}" for index, place in enumerate(places)}
    for face, way in turns_of:
        effects = []
        for place in places:
            after, become = turned(place, face, way)
            if after != place:
                old = " ".join(f"?{'abc'[axis]}" for axis in axes[place])
                new = " ".join(f"?{'abc'[become[axis]]}" for axis in axes[after])
                here = f"({names[place]} {old})"
                effects.append(f"(forall ({old} - color) (when {here} (and (not {here}) ({names[after]} {new}))))")
        actions.append((f"{'xyz'[face[0]]}{'lr'[face[1] > 0]}{'am'[way > 0]}", "", "", " ".join(effects)))
    solved = {place: {axis: f"{'xyz'[axis]}{int(place[axis] > 0)}" for axis in axes[place]} for place in places}
    state, rng = solved, Random(seed)
    for _ in range(turns):
        face, way = rng.choice(turns_of)
        moved = {place: turned(place, face, way) for place in places}
        state = {
            after: {become[axis]: color for axis, color in state[place].items()}
            for place, (after, become) in moved.items()
        }
    init, goal = [
        [f"({names[place]} {' '.join(colors[axis] for axis in axes[place])})" for place, colors in it.items()]
        for it in (state, solved)
    ]
    predicates = " ".join(
        f"({names[place]} {' '.join(f'?{chr(97 + axis)}' for axis in axes[place])} - color)" for place in places
    )
    return _domain("cube", "color", predicates, *actions), _problem("cube", "x0 x1 y0 y1 z0 z1 - color", init, goal)


def hanoi(discs: int, pegs: int) -> Texts:
    """A tower is moved from the first peg to the last."""
    domain = _domain(
        "hanoi", "disc peg", "(on ?d - disc ?p - peg) (smaller ?d ?e - disc)",
        ("move", "?d - disc ?p ?q - peg", "(on ?d ?p) (forall (?e - disc) (imply (smaller ?e ?d) (and (not (on ?e ?p)) (not (on ?e ?q)))))", "(not (on ?d ?p)) (on ?d ?q)"),
    )  # fmt: skip
    init = [f"(on d{i} p0)" for i in range(discs)] + [f"(smaller d{i} d{j})" for j in range(discs) for i in range(j)]
    return domain, _problem(
        "hanoi",
        f"{_names('d', discs, 'disc')} {_names('p', pegs, 'peg')}",
        init,
        [f"(on d{i} p{pegs - 1})" for i in range(discs)],
    )


Family = Callable[..., Texts]
FAMILIES: dict[Family, list[tuple[float, ...]]] = {
    logistics: [(c, p, k, s) for c, p, k in ((3, 3, 7), (4, 2, 7), (4, 2, 8), (4, 3, 8), (5, 3, 8), (5, 2, 9), (6, 2, 9)) for s in (1, 2, 3, 4)],
    floortile: [(r, c, 2, s) for r, c in ((4, 4), (5, 3), (5, 4), (5, 5), (6, 4)) for s in (1, 2, 3, 4)],
    gripper: [(n,) for n in (40, 60, 80, 90, 100, 110, 120, 130, 140, 150)],
    miconic: [(f, p, s) for f, p in ((12, 9), (20, 16), (40, 40), (100, 90)) for s in (1, 2)],
    barman: [(n, c, s) for n, c in ((4, 3), (5, 3), (5, 4), (6, 3)) for s in (1, 2, 3, 4, 5)],
    visitall: [(r, c, h, s) for r, c, h in ((6, 6, 1.0), (7, 7, 0.5), (7, 7, 0.75), (7, 8, 0.75), (8, 8, 0.5)) for s in (1, 2, 3, 4)],
    spanner: [(n, m, p) for n, m, p in ((10, 8, 6), (12, 10, 6), (14, 12, 7), (16, 14, 8), (18, 16, 8), (20, 20, 9))],
    openstacks: [(n, n, s) for n in (15, 20, 22, 24, 26, 28) for s in (1, 2, 3)],
    knights: [(r, c, s) for r, c in ((5, 6), (6, 6), (6, 7), (7, 7), (7, 8), (8, 8)) for s in (1, 2)],
    queens: [(n,) for n in (14, 18, 20, 22, 24, 25, 26, 28)],
    scanalyzer: [(n,) for n in (6, 8, 9, 10, 11, 12)],
    childsnack: [(n, t, a) for n, t, a in ((6, 2, 2), (7, 3, 2), (8, 3, 3), (9, 3, 3), (10, 3, 3))],
    pancake: [(n, s) for n in (13, 14, 15, 16) for s in (1, 2, 3, 4, 5)],
    topspin: [(n, t, s) for n, t in ((14, 4), (15, 4), (16, 4)) for s in (1, 2, 3, 4)],
    rubik: [(t, s, 1) for t in (14, 15, 16, 17, 18, 19) for s in (1, 2, 3, 4)],
    hanoi: [(d, p) for d, p in ((15, 3), (16, 3), (10, 4), (11, 4), (12, 4), (13, 4), (10, 5), (11, 5))],
}  # fmt: skip
"""Sizes and seeds of each family; these and the tasks handed over are 300."""


def made() -> Iterator[tuple[str, Callable[[], Texts]]]:
    """Yield the tasks that are made here, by name."""
    for family, all_sizes in FAMILIES.items():
        for sizes in all_sizes:
            yield f"{family.__name__}-{'-'.join(map(str, sizes))}", lambda f=family, s=sizes: f(*s)  # type: ignore[misc]


def main(folder: str) -> int:
    """Write all tasks that are made here."""
    for name, make in made():
        for file, text in zip(("domain", "problem"), make(), strict=True):
            path = Path(folder, name, f"{file}.pddl")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
