"""Blocks on a table as PDDL, as a stranger would write it."""

BLOCKS = """(define (domain blocks)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up
    :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack
    :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""
SUSSMAN = """(define (problem sussman)
  (:domain blocks)
  (:objects a b c)
  (:init (clear b) (clear c) (ontable a) (ontable b) (on c a) (handempty))
  (:goal (and (on a b) (on b c))))
"""


def tower(blocks: int) -> str:
    """Return a problem in which all blocks lie on the table and shall become one tower."""
    names = [f"b{number}" for number in range(blocks)]
    lie = " ".join(f"(clear {name}) (ontable {name})" for name in names)
    stand = " ".join(f"(on {above} {below})" for above, below in zip(names, names[1:], strict=False))
    return f"""(define (problem tower)
  (:domain blocks)
  (:objects {" ".join(names)})
  (:init {lie} (handempty))
  (:goal (and {stand})))
"""
