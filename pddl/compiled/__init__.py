"""The reference semantics on integers: the same results as `Semantics`, but faster if many states are visited.

    states = CompiledSemantics(semantics)
    state = states.initial                            a Python int, a bit for each fluent atom
    for operator in states.applicable(state):
        successor = states.successor(state, operator)

states.py        CompiledSemantics: initial state, goal, derived atoms, successors; which ground actions to test
formulas.py      atoms as bits, ground conditions as masks
operators.py     the ground actions of a schema and their effects

`pddl.semantics` is the definition; this package computes the same on ground atoms. It imports no planner, and the tests
compare the two in every reachable state of random tasks.
"""

from unpuzzle.pddl.compiled.operators import Operator as Operator
from unpuzzle.pddl.compiled.states import CompiledSemantics as CompiledSemantics
