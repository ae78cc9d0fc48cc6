"""Optimal lines and difficulty: equal to what listing every optimal solution says, on random small levels."""

from __future__ import annotations

from random import Random

import pytest

from support.enumeration import Enumeration, TooManyError
from support.script_texts import script
from support.thorough import THOROUGH
from unpuzzle import explore, find
from unpuzzle.pddl.nodes import Atom, Not
from unpuzzle.puzzlescript.game import game_of

LEVELS = 125 if THOROUGH else 8
"""Of each of the eight puzzles; with all of them, 1,000."""


def without(symbols):
    """Return the function that gives a grid's cells without the walker, by number."""
    drop = str.maketrans(symbols)
    return lambda position: frozenset(enumerate(str(position).translate(drop)))


def boxup_rest(position):
    rows = [row.split() for row in str(position).splitlines()]
    return frozenset((r, c, cell.replace("@", "") or ".") for r, row in enumerate(rows) for c, cell in enumerate(row))


def script_rest(position):
    board, *others = str(position).splitlines()
    rows = [row.split(",") for row in board.split("/")]
    cells = [(r, c, name) for r, row in enumerate(rows) for c, cell in enumerate(row) for name in cell.split()]
    return frozenset([cell for cell in cells if cell[2] != "player"] + others)


CRATES = game_of(script(levels="####\n#p*#\n#.o#\n####"), "crates")


def crates(rng):
    """Return a random board of the crate game, with one or two crates."""
    number, size = rng.randint(1, 2), rng.choice([(3, 3), (3, 4), (4, 3)])
    cells = ["."] * (size[0] * size[1])
    places = rng.sample(range(len(cells)), 1 + 2 * number + rng.randint(0, 2))
    for place, glyph in zip(places, "p" + "*o" * number + "##", strict=False):
        cells[place] = glyph
    return CRATES.parse("\n".join("".join(cells[r * size[1] : (r + 1) * size[1]]) for r in range(size[0])))


RESTS = {
    "sokoban": without({"@": " ", "+": "."}),
    "pacman": without({"P": " "}),
    "boxup": boxup_rest,
    "crates": script_rest,
    "hanoi": None,
    "lights-out": None,
    "sliding-tiles": None,
    "blocksworld": None,
}


def levels(name):
    """Yield random levels of a puzzle that are small enough to list their solutions."""
    rng, number = Random(f"lines {name}"), 0
    while number < LEVELS:
        level = crates(rng) if name == "crates" else find(name).sample(rng)
        try:
            twin = Enumeration(level, RESTS[name])
        except TooManyError:
            continue
        number += 1
        yield level, twin


def unmet_goals(level):
    """Return the function that counts the facts of the goal that a position lacks."""
    goal = level.task().problem.goal
    parts = getattr(goal, "operands", [goal])

    def unmet(position):
        atoms = position.atoms()
        return sum((part.operand in atoms) if isinstance(part, Not) else part not in atoms for part in parts)

    assert all(isinstance(part, Atom | Not) for part in parts)
    return unmet


def close(value, exact):
    return value == pytest.approx(float(exact), abs=1e-6)


@pytest.mark.parametrize("name", RESTS)
def test_lines_and_difficulty_are_what_listing_all_solutions_says(name):
    for level, twin in levels(name):
        found = explore(level)
        difficulty, solved = found.difficulty, level in twin.left
        assert (found.measures.lines.least, found.optimal_lines) == (twin.lines(),) * 2, level
        assert close(difficulty.lost, twin.lost())
        if not solved:
            assert (found.optimal_lines, difficulty) == (0, difficulty.__class__(difficulty.lost))
            continue
        walks = any(twin.is_walk(before, after) for before, steps in twin.steps.items() for *_, after in steps)
        if walks:
            assert difficulty.pushes == twin.pushes(), level
        assert (difficulty.traps, difficulty.shortest_trap) == (twin.traps(), twin.shortest_trap()), level
        assert difficulty.trap_lasts == twin.lasts(), level
        for kind in ("optimal", "longer", "fatal"):
            assert close(getattr(difficulty, f"{kind}_choices"), twin.mean(kind)), (kind, level)
        if name != "crates":
            assert difficulty.detours == twin.detours(unmet_goals(level)), level
