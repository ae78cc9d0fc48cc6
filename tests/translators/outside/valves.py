"""Valves: its domain is text in Python, with a derived predicate; its levels are JSON; some moves cost nothing.

One level, no samples, pictures or generation of its own, and two ways to be solved: all valves open, or all closed.
"""

import json

from unpuzzle import IllegalMove, ParseError, Puzzle

DOMAIN = """
(define (domain valves)
  (:requirements :strips :typing :negative-preconditions :universal-preconditions :derived-predicates :action-costs)
  (:types valve)
  (:predicates (is-open ?v - valve) (linked ?a ?b - valve) (done))
  (:functions (total-cost) (weight ?v - valve))
  (:derived (done) (forall (?v - valve) (is-open ?v)))
  (:derived (done) (forall (?v - valve) (not (is-open ?v))))
  (:action turn-on
    :parameters (?v - valve)
    :precondition (not (is-open ?v))
    :effect (and (is-open ?v) (increase (total-cost) (weight ?v))))
  (:action turn-off
    :parameters (?v - valve)
    :precondition (and (is-open ?v) (forall (?w - valve) (or (not (linked ?v ?w)) (is-open ?w))))
    :effect (and (not (is-open ?v)) (increase (total-cost) (weight ?v)))))
"""


class Valves(Puzzle):
    """A position: which valves are open; number i costs i to turn, and is closed only while the next one is open."""

    name = "valves"
    title = "Valves: open all of them, or close all of them"
    levels = {"1": '{"open": [true, false, true]}\n'}
    one_letter_moves = False
    actions = {"turn-on": "on-{0}", "turn-off": "off-{0}"}
    pddl = DOMAIN

    def __init__(self, opened):
        self.opened = opened

    @classmethod
    def parse(cls, text, source=None):
        text = text.removeprefix("\ufeff")
        try:
            opened = json.loads(text)["open"]
            if not opened or not all(type(valve) is bool for valve in opened):
                raise ParseError("'open' must be a list of true and false", file=source, line=1, column=1)
        except json.JSONDecodeError as error:
            raise ParseError(error.msg, file=source, line=error.lineno, column=error.colno) from error
        except (KeyError, TypeError, RecursionError) as error:
            raise ParseError("a level is an object with a list 'open'", file=source, line=1, column=1) from error
        return cls(tuple(opened))

    def __str__(self):
        return json.dumps({"open": list(self.opened)}) + "\n"

    def _key(self):
        return self.opened

    def moves(self):
        following = (*self.opened[1:], True)
        return tuple(
            f"off-v{i}" if is_open else f"on-v{i}"
            for i, is_open in enumerate(self.opened)
            if not is_open or following[i]
        )

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove(f"{move!r}: no such valve can be turned that way now", move=move)
        number = int(move.partition("-v")[2])
        return Valves(tuple(is_open != (i == number) for i, is_open in enumerate(self.opened)))

    def cost(self, move):
        return int(move.partition("-v")[2])

    def solved(self):
        return len(set(self.opened)) == 1

    def objects(self):
        return {"valve": [f"v{i}" for i in range(len(self.opened))]}

    def statics(self):
        return [("linked", f"v{i}", f"v{i + 1}") for i in range(len(self.opened) - 1)]

    def facts(self):
        return [("is-open", f"v{i}") for i, is_open in enumerate(self.opened) if is_open]

    def goal_condition(self):
        return [("done",)]

    def task(self):
        from unpuzzle.pddl.nodes import FunctionTerm, Problem, Task, Value

        task = super().task()
        weights = [Value(FunctionTerm("weight", (f"v{i}",)), i) for i in range(len(self.opened))]
        old = task.problem
        new = Problem(
            old.name,
            old.domain_name,
            old.requirements,
            old.objects,
            old.init,
            (*old.values, *weights),
            old.goal,
            old.metric,
        )
        return Task(task.domain, new)
