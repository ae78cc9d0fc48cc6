"""Puzzles of planning competitions, of any size: each a function that gives a domain and a problem as text.

They are small to read and hard to search: floors to be painted, where nearly all that can be painted leads to a dead
end, and pieces to be moved out of the upper half of a narrow board. Random parts have fixed seeds.
"""

from random import Random

Texts = tuple[str, str]
Cell = tuple[int, int]

FLOOR_MOVES = {"up": 3, "down": 1, "right": 1, "left": 1}


def _floor_domain() -> str:
    """Robots paint the tile above or below them, and never step on paint (Tomás de la Rosa, IPC 2011)."""
    actions = [
        "(:action change-color :parameters (?r - robot ?c ?d - color)",
        " :precondition (and (robot-has ?r ?c) (available-color ?d))",
        " :effect (and (not (robot-has ?r ?c)) (robot-has ?r ?d) (increase (total-cost) 5)))",
    ]
    for side in ("up", "down"):
        actions += [
            f"(:action paint-{side} :parameters (?r - robot ?y ?x - tile ?c - color)",
            f" :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) ({side} ?y ?x) (clear ?y))",
            " :effect (and (not (clear ?y)) (painted ?y ?c) (increase (total-cost) 2)))",
        ]
    for side, cost in FLOOR_MOVES.items():
        actions += [
            f"(:action {side} :parameters (?r - robot ?x ?y - tile)",
            f" :precondition (and (robot-at ?r ?x) ({side} ?y ?x) (clear ?y))",
            " :effect (and (robot-at ?r ?y) (not (robot-at ?r ?x)) (clear ?x) (not (clear ?y))",
            f"  (increase (total-cost) {cost})))",
        ]
    return "\n".join([
        "(define (domain floor-tile)",
        "(:requirements :strips :typing :action-costs)",
        "(:types robot tile color)",
        "(:predicates (robot-at ?r - robot ?x - tile) (up ?x ?y - tile) (down ?x ?y - tile) (right ?x ?y - tile)",
        " (left ?x ?y - tile) (clear ?x - tile) (painted ?x - tile ?c - color) (robot-has ?r - robot ?c - color)",
        " (available-color ?c - color))",
        "(:functions (total-cost) - number)",
        *actions,
        ")",
        "",
    ])  # fmt: skip


def floor(rows: int = 4, columns: int = 4, robots: int = 2, seed: int = 1) -> Texts:
    """A chessboard to be painted; a row below it is only for walking."""
    cells = [(row, column) for row in range(rows + 1) for column in range(1, columns + 1)]
    starts = Random(seed).sample(cells, robots)
    init = ["(= (total-cost) 0)", "(available-color white)", "(available-color black)"]
    for number, start in enumerate(starts):
        init += [f"(robot-at r{number} {_name(start)})", f"(robot-has r{number} {('white', 'black')[number % 2]})"]
    init += [f"(clear {_name(cell)})" for cell in cells if cell not in starts]
    for row, column in cells:
        for side, other in (("up", (row - 1, column)), ("right", (row, column - 1))):
            back = {"up": "down", "right": "left"}[side]
            if other in cells:
                here, there = _name((row, column)), _name(other)
                init += [f"({side} {here} {there})", f"({back} {there} {here})"]
    goal = [f"(painted {_name(cell)} {('white', 'black')[sum(cell) % 2]})" for cell in cells if cell[0] > 0]
    objects = (
        f"{' '.join(map(_name, cells))} - tile {' '.join(f'r{i}' for i in range(robots))} - robot white black - color"
    )
    return _floor_domain(), _problem("floor-tile", objects, init, goal)


# A piece of three cells turns about its corner: what must be connected, what must not, and where it is afterwards.
CORNER_MOVES = {
    "right": ("a f|c g|c f|f m|g m", "f g|m c", "a g", "f c g", "a b"),
    "left": ("a f|b g|g f", "f g", "", "f g b", "a c"),
    "up": ("a f|c g|a g|f m|g m", "f g|m a", "c f", "f a g", "b c"),
    "down": ("b f|c g|g f", "f g", "", "b f g", "a c"),
}


def _tetris_domain() -> str:
    """Pieces of one, two and three cells, that creep from cell to cell (Mauro Vallati, IPC 2014)."""
    actions = [
        "(:action move_square :parameters (?a ?f - position ?e - one_square)",
        " :precondition (and (clear ?f) (at_square ?e ?a) (connected ?a ?f))",
        " :effect (and (clear ?a) (at_square ?e ?f) (not (clear ?f)) (not (at_square ?e ?a))",
        "  (increase (total-cost) 1)))",
        "(:action move_two :parameters (?a ?b ?f - position ?e - two_straight)",
        " :precondition (and (clear ?f) (at_two ?e ?a ?b) (connected ?b ?f))",
        " :effect (and (clear ?a) (at_two ?e ?b ?f) (not (clear ?f)) (not (at_two ?e ?a ?b))",
        "  (increase (total-cost) 2)))",
    ]
    for name, (connected, different, apart, after, freed) in CORNER_MOVES.items():
        tests = [f"(connected {_variables(pair)})" for pair in connected.split("|")]
        tests += [f"(not (= {_variables(pair)}))" for pair in different.split("|")]
        tests += [f"(not (connected {_variables(apart)}))"] if apart else []
        middle = " ?m" if "m" in connected else ""
        actions += [
            f"(:action move_l_{name} :parameters (?a ?b ?c ?f ?g{middle} - position ?e - right_l)",
            f" :precondition (and (clear ?f) (clear ?g) (at_right_l ?e ?a ?b ?c) {' '.join(tests)})",
            f" :effect (and {' '.join(f'(clear ?{cell})' for cell in freed.split())}",
            f"  (at_right_l ?e {_variables(after)})",
            "  (not (clear ?f)) (not (clear ?g)) (not (at_right_l ?e ?a ?b ?c)) (increase (total-cost) 3)))",
        ]
    return "\n".join([
        "(define (domain tetris)",
        "(:requirements :strips :typing :equality :negative-preconditions :action-costs)",
        "(:types position pieces - object one_square two_straight right_l - pieces)",
        "(:predicates (clear ?x - position) (connected ?x ?y - position) (at_square ?e - one_square ?x - position)",
        " (at_two ?e - two_straight ?x ?y - position) (at_right_l ?e - right_l ?x ?y ?z - position))",
        "(:functions (total-cost) - number)",
        *actions,
        ")",
        "",
    ])  # fmt: skip


def tetris(height: int = 6, squares: int = 3, twos: int = 2, corners: int = 1, seed: int = 1) -> Texts:
    """A board of four columns; the upper half is to be cleared. Pieces start in the upper two thirds."""
    rng = Random(seed)
    cells = [(row, column) for row in range(height) for column in range(4)]
    free = {cell for cell in cells if cell[0] < 2 * height // 3}
    pieces: list[tuple[str, list[Cell]]] = []
    for kind, count in (("right_l", corners), ("two", twos), ("square", squares)):
        for _ in range(count):
            shapes = [shape for row, column in sorted(free) if free.issuperset(shape := _shape(kind, row, column))]
            pieces.append((kind, rng.choice(shapes)))
            free.difference_update(pieces[-1][1])
    taken = {cell for _, shape in pieces for cell in shape}
    init = [f"(clear {_name(cell)})" for cell in cells if cell not in taken]
    init += [f"(at_{kind} {kind}{i} {' '.join(map(_name, shape))})" for i, (kind, shape) in enumerate(pieces)]
    for row, column in cells:
        for other in ((row + 1, column), (row, column + 1)):
            if other in cells:
                here, there = _name((row, column)), _name(other)
                init += [f"(connected {here} {there})", f"(connected {there} {here})"]
    types = {"right_l": "right_l", "two": "two_straight", "square": "one_square"}
    objects = " ".join(f"{kind}{i} - {types[kind]}" for i, (kind, _) in enumerate(pieces))
    goal = [f"(clear {_name(cell)})" for cell in cells if cell[0] < height // 2]
    return _tetris_domain(), _problem("tetris", f"{' '.join(map(_name, cells))} - position {objects}", init, goal)


def _shape(kind: str, row: int, column: int) -> list[Cell]:
    shape = [(row, column), (row + 1, column), (row + 1, column + 1)]
    return shape[: {"right_l": 3, "two": 2, "square": 1}[kind]]


def _variables(names: str) -> str:
    return " ".join(f"?{name}" for name in names.split())


def _name(cell: Cell) -> str:
    return f"c{cell[0]}-{cell[1]}"


def _problem(domain: str, objects: str, init: list[str], goal: list[str]) -> str:
    facts, goals = "\n    ".join(init), "\n    ".join(goal)
    return (
        f"(define (problem made)\n  (:domain {domain})\n  (:objects {objects})\n"
        f"  (:init\n    {facts})\n  (:goal (and\n    {goals}))\n  (:metric minimize (total-cost)))\n"
    )
