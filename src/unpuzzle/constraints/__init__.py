"""Constraint models of puzzles as plain data, and a search for their solutions.

    model = Constraints({"a": (1, 2), "b": (1, 2)}, [Relation("all_different", ("a", "b")), given("a", 2)])
    next(solutions(model))          {"a": 2, "b": 1}
    conflict(model)                 None: it has a solution

A leaf: puzzles state their constraints with it, generators of levels and planners search with it.

    model.py        variables, values, relations, and their meaning in plain Python
    search.py       all solutions, one after the other; removing values; a small conflict if there is none
    parity.py       linear algebra modulo 2: all solutions, and the least one, of a model of parities
"""

from unpuzzle.constraints.model import Constraints, Relation, given, violated
from unpuzzle.constraints.parity import parity_solution
from unpuzzle.constraints.search import Search, TooManyNodesError, conflict, solutions

__all__ = [
    "Constraints", "Relation", "Search", "TooManyNodesError", "conflict", "given", "parity_solution", "solutions",
    "violated",
]  # fmt: skip
