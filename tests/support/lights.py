"""A small task made in Python, any part of which can be replaced by a faulty one."""

from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Axiom,
    Domain,
    Exists,
    Forall,
    Function,
    FunctionTerm,
    Imply,
    Not,
    Or,
    Predicate,
    Problem,
    TypedName,
    Value,
)

CELL = ("cell",)
C = (TypedName("?c", CELL),)
LIT = Atom("lit", ("?c",))
A = Atom("lit", ("a",))
TOTAL = FunctionTerm("total-cost")


def domain(**parts) -> Domain:
    return Domain(
        "lights",
        **{
            "types": (TypedName("cell"), TypedName("corner", CELL), TypedName("side")),
            "constants": (TypedName("north", ("side",)),),
            "predicates": (
                Predicate("lit", C),
                Predicate("near", (*C, TypedName("?d", CELL))),
                Predicate("good", C),
                Predicate("done"),
            ),
            "functions": (Function("price", (TypedName("?c"),)),),
            "actions": (action(),),
            "axioms": (Axiom(Predicate("good", C), LIT),),
            **parts,
        },
    )


def action(**parts) -> Action:
    return Action(**{"name": "press", "parameters": C, "precondition": And(), "effect": LIT, **parts})


def problem(**parts) -> Problem:
    return Problem(
        "board",
        "lights",
        **{
            "objects": (TypedName("a", CELL), TypedName("bee", ("corner",))),
            "init": (Atom("near", ("a", "bee")), Atom("done")),
            "values": (Value(FunctionTerm("price", ("a",)), 3),),
            "goal": And((A, Forall(C, Or((LIT, Not(LIT)))), Imply(Atom("done"), Exists(C, Atom("=", ("?c", "bee")))))),
            "metric": TOTAL,
            **parts,
        },
    )
