"""Large tasks that are hard to ground: each a function of its size that returns a domain and a problem as text.

    python scripts/benchmarks/grounding_tasks.py FOLDER      writes FOLDER/NAME/{domain,problem}.pddl for all of them

They are for comparing grounders (`scripts/bench --jobs grounding`), not for being solved. Random parts have fixed
seeds.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from random import Random

Texts = tuple[str, str]


def _domain(name: str, *sections: str) -> str:
    return "\n".join([f"(define (domain {name})", *sections, ")", ""])


def _problem(domain: str, objects: str, init: list[str], goal: list[str]) -> str:
    facts, goals = "\n    ".join(init), "\n    ".join(goal)
    return (
        f"(define (problem large)\n  (:domain {domain})\n  (:objects {objects})\n"
        f"  (:init\n    {facts})\n  (:goal (and\n    {goals})))\n"
    )


def _names(letter: str, count: int) -> list[str]:
    return [f"{letter}{i}" for i in range(count)]


def blocks(count: int = 60) -> Texts:
    """The four-action blocks world: `count` squared moves, every two blocks exclude each other."""
    domain = _domain(
        "blocks",
        "(:requirements :strips)",
        "(:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))",
        "(:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))",
        " :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))",
        "(:action put-down :parameters (?x) :precondition (holding ?x)",
        " :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))",
        "(:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))",
        " :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))",
        "(:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))",
        " :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y))))",
    )
    names = _names("b", count)
    order = Random(1).sample(names, count)
    init = ["(handempty)", f"(ontable {names[0]})", f"(clear {names[-1]})"]
    init += [f"(on {above} {below})" for below, above in pairwise(names)]
    goal = [f"(on {above} {below})" for below, above in pairwise(order)]
    return domain, _problem("blocks", " ".join(names), init, goal)


def logistics(cities: int = 20, places: int = 8, packages: int = 120, planes: int = 5) -> Texts:
    """Trucks within cities, planes between them."""
    domain = _domain(
        "logistics",
        "(:requirements :strips :typing)",
        "(:types vehicle package location city - object truck airplane - vehicle airport - location)",
        "(:predicates (in-city ?l - location ?c - city) (at ?x - object ?l - location) (in ?p - package ?v - vehicle))",
        "(:action load :parameters (?p - package ?v - vehicle ?l - location)",
        " :precondition (and (at ?v ?l) (at ?p ?l)) :effect (and (not (at ?p ?l)) (in ?p ?v)))",
        "(:action unload :parameters (?p - package ?v - vehicle ?l - location)",
        " :precondition (and (at ?v ?l) (in ?p ?v)) :effect (and (not (in ?p ?v)) (at ?p ?l)))",
        "(:action drive :parameters (?t - truck ?a ?b - location ?c - city)",
        " :precondition (and (at ?t ?a) (in-city ?a ?c) (in-city ?b ?c)) :effect (and (not (at ?t ?a)) (at ?t ?b)))",
        "(:action fly :parameters (?p - airplane ?a ?b - airport)",
        " :precondition (at ?p ?a) :effect (and (not (at ?p ?a)) (at ?p ?b)))",
    )
    rng = Random(2)
    airports = [f"l{c}x0" for c in range(cities)]
    locations = [f"l{c}x{i}" for c in range(cities) for i in range(1, places)]
    everywhere = airports + locations
    init = [f"(in-city {place} c{place[1:].split('x')[0]})" for place in everywhere]
    init += [f"(at t{c} l{c}x{rng.randrange(places)})" for c in range(cities)]
    init += [f"(at a{i} {rng.choice(airports)})" for i in range(planes)]
    init += [f"(at p{i} {rng.choice(everywhere)})" for i in range(packages)]
    goal = [f"(at p{i} {rng.choice(everywhere)})" for i in range(packages)]
    objects = (
        f"{' '.join(_names('p', packages))} - package {' '.join(_names('t', cities))} - truck "
        f"{' '.join(_names('a', planes))} - airplane {' '.join(airports)} - airport "
        f"{' '.join(locations)} - location {' '.join(_names('c', cities))} - city"
    )
    return domain, _problem("logistics", objects, init, goal)


def _grid(width: int, height: int) -> list[tuple[str, str, str]]:
    """Triples: a cell, its neighbour, the direction."""
    steps = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
    return [
        (f"c{x}x{y}", f"c{x + dx}x{y + dy}", name)
        for x in range(width)
        for y in range(height)
        for name, (dx, dy) in steps.items()
        if 0 <= x + dx < width and 0 <= y + dy < height
    ]


def visitall(width: int = 60, height: int = 60) -> Texts:
    """A robot that must see every cell of a grid."""
    domain = _domain(
        "visitall",
        "(:requirements :strips :typing)",
        "(:types place - object)",
        "(:predicates (connected ?x ?y - place) (at-robot ?x - place) (visited ?x - place))",
        "(:action move :parameters (?from ?to - place) :precondition (and (at-robot ?from) (connected ?from ?to))",
        " :effect (and (not (at-robot ?from)) (at-robot ?to) (visited ?to)))",
    )
    cells = [f"c{x}x{y}" for x in range(width) for y in range(height)]
    init = ["(at-robot c0x0)", "(visited c0x0)", *[f"(connected {a} {b})" for a, b, _ in _grid(width, height)]]
    return domain, _problem("visitall", f"{' '.join(cells)} - place", init, [f"(visited {cell})" for cell in cells])


def sokoban(width: int = 40, height: int = 40, stones: int = 12) -> Texts:
    """Pushing on an open floor: each stone may get almost anywhere."""
    domain = _domain(
        "sokoban",
        "(:requirements :strips :typing)",
        "(:types thing location direction - object player stone - thing)",
        "(:predicates (clear ?l - location) (at ?t - thing ?l - location) (at-goal ?s - stone)",
        " (is-goal ?l - location) (is-nongoal ?l - location) (step ?a ?b - location ?d - direction))",
        "(:action move :parameters (?p - player ?a ?b - location ?d - direction)",
        " :precondition (and (at ?p ?a) (clear ?b) (step ?a ?b ?d))",
        " :effect (and (not (at ?p ?a)) (not (clear ?b)) (at ?p ?b) (clear ?a)))",
        *[
            f"(:action push-to-{kind} :parameters (?p - player ?s - stone ?a ?b ?c - location ?d - direction)"
            " :precondition (and (at ?p ?a) (at ?s ?b) (clear ?c) (step ?a ?b ?d) (step ?b ?c ?d)"
            f" (is-{kind} ?c)) :effect (and (not (at ?p ?a)) (not (at ?s ?b)) (not (clear ?c)) (at ?p ?b) (at ?s ?c)"
            f" (clear ?a) {effect}))"
            for kind, effect in (("goal", "(at-goal ?s)"), ("nongoal", "(not (at-goal ?s))"))
        ],
    )
    rng = Random(3)
    cells = [f"c{x}x{y}" for x in range(width) for y in range(height)]
    inner = [f"c{x}x{y}" for x in range(1, width - 1) for y in range(1, height - 1)]
    taken = rng.sample(inner, 2 * stones)
    at, goals = taken[:stones], set(taken[stones:])
    init = [f"(step {a} {b} {d})" for a, b, d in _grid(width, height)]
    init += [f"(is-goal {cell})" if cell in goals else f"(is-nongoal {cell})" for cell in cells]
    init += [f"(clear {cell})" for cell in cells if cell not in at and cell != "c0x0"]
    init += ["(at player c0x0)", *[f"(at s{i} {cell})" for i, cell in enumerate(at)]]
    objects = (
        f"player - player {' '.join(_names('s', stones))} - stone {' '.join(cells)} - location up down left right"
        " - direction"
    )
    return domain, _problem("sokoban", objects, init, [f"(at-goal s{i})" for i in range(stones)])


def _tables_domain() -> str:
    return _domain(
        "tables",
        "(:requirements :strips :typing)",
        "(:types robot thing xc yc xr yr - object)",
        "(:predicates (next-x ?a ?b - xc) (next-y ?a ?b - yc) (sum-x ?x - xc ?r - xr ?z - xc) (sum-y ?y - yc ?r - yr"
        " ?z - yc) (leftmost ?r - xr) (at ?r - robot ?x - xc ?y - yc) (reach ?r - robot ?x - xr ?y - yr)"
        " (next-xr ?a ?b - xr) (next-yr ?a ?b - yr) (holding ?r - robot ?t - thing) (free ?r - robot)"
        " (lies ?t - thing ?x - xc ?y - yc) (open ?x - xc ?y - yc) (stretched ?r - robot) (home-x ?x - xr)"
        " (home-y ?y - yr))",
        "(:action walk :parameters (?r - robot ?x ?z - xc ?y - yc ?hx - xr ?hy - yr)",
        " :precondition (and (at ?r ?x ?y) (next-x ?x ?z) (open ?z ?y) (reach ?r ?hx ?hy) (home-x ?hx) (home-y ?hy))",
        " :effect (and (not (at ?r ?x ?y)) (at ?r ?z ?y) (open ?x ?y) (not (open ?z ?y))))",
        "(:action climb :parameters (?r - robot ?x - xc ?y ?z - yc ?hx - xr ?hy - yr)",
        " :precondition (and (at ?r ?x ?y) (next-y ?y ?z) (open ?x ?z) (reach ?r ?hx ?hy) (home-x ?hx) (home-y ?hy))",
        " :effect (and (not (at ?r ?x ?y)) (at ?r ?x ?z) (open ?x ?y) (not (open ?x ?z))))",
        "(:action stretch-x :parameters (?r - robot ?x ?tx - xc ?y ?ty - yc ?a ?b - xr ?c - yr)",
        " :precondition (and (at ?r ?x ?y) (reach ?r ?a ?c) (next-xr ?a ?b) (sum-x ?x ?b ?tx) (sum-y ?y ?c ?ty)"
        " (open ?tx ?ty))",
        " :effect (and (not (reach ?r ?a ?c)) (reach ?r ?b ?c) (stretched ?r)))",
        "(:action stretch-y :parameters (?r - robot ?x ?tx - xc ?y ?ty - yc ?a - xr ?c ?d - yr)",
        " :precondition (and (at ?r ?x ?y) (reach ?r ?a ?c) (next-yr ?c ?d) (sum-x ?x ?a ?tx) (sum-y ?y ?d ?ty)"
        " (open ?tx ?ty))",
        " :effect (and (not (reach ?r ?a ?c)) (reach ?r ?a ?d) (stretched ?r)))",
        *[
            f"(:action {name} :parameters (?r - robot ?t - thing ?x ?tx - xc ?y ?ty - yc ?a - xr ?c - yr)"
            f" :precondition (and (at ?r ?x ?y) (reach ?r ?a ?c) (sum-x ?x ?a ?tx) (sum-y ?y ?c ?ty) {before})"
            f" :effect (and {after}))"
            for name, before, after in (
                (
                    "grasp",
                    "(lies ?t ?tx ?ty) (free ?r)",
                    "(not (lies ?t ?tx ?ty)) (not (free ?r)) (holding ?r ?t) (open ?tx ?ty)",
                ),
                (
                    "place",
                    "(holding ?r ?t) (open ?tx ?ty)",
                    "(lies ?t ?tx ?ty) (free ?r) (not (holding ?r ?t)) (not (open ?tx ?ty))",
                ),
            )
        ],
    )


def tables(side: int = 16, things: int = 6) -> Texts:
    """A robot that reaches with a gripper from where it stands, as in tidybot: schemas of up to nine parameters."""
    rng, reach = Random(4), (-1, 0, 1)
    cells = [(x, y) for x in range(side) for y in range(side)]
    lies = rng.sample(cells[1:], things)
    init = ["(at r x0 y0)", "(reach r xr0 yr0)", "(free r)"]
    init += ["(home-x xr0)", "(home-y yr0)"]
    for axis in "xy":
        for i in range(side - 1):
            init += [f"(next-{axis} {axis}{i} {axis}{i + 1})", f"(next-{axis} {axis}{i + 1} {axis}{i})"]
        init += [
            f"(sum-{axis} {axis}{i} {axis}r{k} {axis}{i + k})" for i in range(side) for k in reach if 0 <= i + k < side
        ]
        init += [f"(next-{axis}r {axis}r{a} {axis}r{b})" for a in reach for b in reach if abs(a - b) == 1]
    init += [f"(open x{x} y{y})" for x, y in cells if (x, y) not in lies and (x, y) != (0, 0)]
    init += [f"(lies t{i} x{x} y{y})" for i, (x, y) in enumerate(lies)]
    objects = (
        f"r - robot {' '.join(_names('t', things))} - thing {' '.join(_names('x', side))} - xc "
        f"{' '.join(_names('y', side))} - yc {' '.join(f'xr{k}' for k in reach)} - xr "
        f"{' '.join(f'yr{k}' for k in reach)} - yr"
    )
    goal = [f"(lies t{i} x{x} y{y})" for i, (x, y) in enumerate(rng.sample(cells[1:], things))]
    return _tables_domain(), _problem("tables", objects, init, goal)


def molecules(atoms: int = 100, bonds: int = 2) -> Texts:
    """A schema of twelve parameters over a sparse graph, as in organic synthesis: many ways to go wrong."""
    parameters = " ".join(f"?a{i}" for i in range(12))
    links = " ".join(f"(bond ?a{i} ?a{i + 1})" for i in range(11))
    different = " ".join(f"(not (= ?a{i} ?a{j}))" for i in range(12) for j in range(i))
    domain = _domain(
        "molecules",
        "(:requirements :strips :equality :negative-preconditions)",
        "(:predicates (bond ?x ?y) (linked ?x ?y) (oxygen ?x) (carbon ?x) (reacted))",
        f"(:action react :parameters ({parameters})",
        f" :precondition (and {links} (oxygen ?a0) (oxygen ?a11) (carbon ?a5) (carbon ?a6) {different})",
        " :effect (and (not (bond ?a5 ?a6)) (not (bond ?a6 ?a5)) (linked ?a0 ?a11) (reacted)))",
    )
    rng = Random(5)
    names = _names("m", atoms)
    init = []
    for i in range(1, atoms):
        for other in {max(0, i - rng.randint(1, 6)) for _ in range(bonds)}:
            init += [f"(bond m{i} m{other})", f"(bond m{other} m{i})"]
    init += [f"(carbon {name})" for name in names if rng.random() < 0.5]
    init += [f"(oxygen {name})" for name in names[:: atoms // 8]]
    return domain, _problem("molecules", " ".join(names), init, ["(reacted)"])


TASKS = {
    "blocks-60": blocks,
    "logistics-120": logistics,
    "visitall-60": visitall,
    "sokoban-40": sokoban,
    "tables-16": tables,
    "molecules-100": molecules,
}


def main(folder: Path) -> None:
    for name, make in TASKS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file, text in zip(("domain.pddl", "problem.pddl"), make(), strict=True):
            (folder / name / file).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
