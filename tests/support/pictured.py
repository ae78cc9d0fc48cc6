"""The PDDL domains of docs/howto/show/pddl-pictures.md, which say how they look, and small ones for single cases."""

from pathlib import Path

from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_domain
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.translators import find

FOLDER = Path(__file__).parents[2] / "docs" / "pddl_pictures"
PROBLEMS = {
    "blocksworld": "sussman",
    "hanoi": "three",
    "logistics": "two-cities",
    "river": "crossing",
    "sokoban": "garden",
}


def game_of(name: str) -> PddlGame:
    game = find(str(FOLDER / name / "domain.pddl"))
    assert isinstance(game, PddlGame)
    return game


def start_of(name: str) -> Position:
    game = game_of(name)
    return game.parse(game.levels[PROBLEMS[name]])


GRID = """(define (domain grid)
  (:requirements :typing)
  (:types cell robot)
  (:predicates (at ?r - robot ?c - cell) (up ?a ?b - cell) (right ?a ?b - cell) (wet ?c - cell) (near ?a ?b - cell))
  (:action go
    :parameters (?r - robot ?a ?b - cell)
    :precondition (and (at ?r ?a) (near ?a ?b))
    :effect (and (not (at ?r ?a)) (at ?r ?b) (wet ?b))))
"""
GRID_PROBLEM = """(define (problem six)
  (:domain grid)
  (:objects c-1-1 c-1-2 c-1-3 c-2-1 c-2-3 - cell r - robot)
  (:init (at r c-1-1) (near c-1-1 c-1-2) (near c-1-2 c-1-1) (near c-1-2 c-1-3) (near c-1-3 c-2-3)
         (right c-1-2 c-1-1) (right c-1-3 c-1-2) (up c-1-1 c-2-1) (up c-1-3 c-2-3))
  (:goal (at r c-2-3)))
"""


def drawn(lines: str, domain: str = GRID, problem: str = GRID_PROBLEM) -> Position:
    """Return the first state of a problem whose domain begins with picture lines."""
    block = "".join([f"; picture: {line.strip()}\n" for line in lines.strip().split("\n")])
    return PddlGame(parse_domain(block + domain, "d.pddl")).parse(problem)
