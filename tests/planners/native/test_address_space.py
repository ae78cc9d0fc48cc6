"""A limit of address space beside one of memory changes no answer: the law of `support/address_space.py`, in small."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.thorough import THOROUGH

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits addresses")
RINGS = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (8, 9, 10, 11, 12, 13), (12, 13, 14, 15, 0, 1))
BEADS = 16
"""On rings, each of which shares two places with the next one."""
TURNS = "33023323211210212002"
"""Of the rings, from the goal."""
WAYS = (("on", 1), ("back", -1))


def _turned(beads: list[int], ring: tuple[int, ...]) -> list[int]:
    turned = list(beads)
    for place, following in zip(ring, (*ring[1:], ring[0]), strict=True):
        turned[following] = beads[place]
    return turned


def _turn(name: str, ring: tuple[int, ...]) -> str:
    moves = zip(ring, (*ring[1:], ring[0]), strict=True)
    effects = " ".join(f"(when (at ?b p{a}) (and (not (at ?b p{a})) (at ?b p{b})))" for a, b in moves)
    return f"(:action {name} :parameters () :effect (forall (?b - bead) (and {effects})))"


def rings(folder: Path) -> tuple[Path, Path]:
    """Write a task whose searches from both ends fill many large blocks: 74 MB in all."""
    turns = [_turn(f"{way}{number}", ring[::step]) for number, ring in enumerate(RINGS) for way, step in WAYS]
    places = " ".join(f"p{place}" for place in range(BEADS))
    domain = f"(define (domain rings) (:types bead place) (:constants {places} - place)"
    domain += f" (:predicates (at ?b - bead ?p - place)) {' '.join(turns)})"
    beads = list(range(BEADS))
    for turn in TURNS:
        beads = _turned(beads, RINGS[int(turn)])
    start, goal = (
        " ".join(f"(at b{bead} p{place})" for place, bead in enumerate(row)) for row in (beads, range(BEADS))
    )
    objects = " ".join(f"b{bead}" for bead in range(BEADS))
    problem = f"(define (problem x) (:domain rings) (:objects {objects} - bead) (:init {start}) (:goal (and {goal})))"
    files = folder / "domain.pddl", folder / "problem.pddl"
    for file, text in zip(files, (domain, problem), strict=True):
        file.write_text(text)
    return files


def test_two_limits_change_no_answer(tmp_path: Path) -> None:
    from support.address_space import COMPARED, PAIRS, differences, planned  # it needs `resource`

    files = rings(tmp_path)
    alone = planned(files)
    assert set(alone.answer) == set(COMPARED)
    assert alone.answer["status"] == "solved_optimally"
    assert differences(files, alone, pairs=PAIRS if THOROUGH else ((4, 2),)) == []
