"""A small task to be changed in one place, and what the reader says to that: its nodes, or a refusal and its place."""

import pytest

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import parse_domain, parse_problem

DOMAIN = """(define (domain Yard)
  (:requirements :strips :typing)
  (:types crate truck - thing place)
  (:constants gate - place)
  (:predicates (At ?x - thing ?p - place) (free ?t - truck))
  (:functions (total-cost) - number (weight ?c - crate) - number)
  (:action move
    :parameters (?t - truck ?to - place)
    :precondition (free ?t)
    :effect (and (at ?t ?to) (increase (total-cost) 3))))
"""
PROBLEM = """(define (problem p1) (:domain yard)
  (:objects c1 - crate t1 - truck)
  (:init (at t1 gate) (free t1) (= (weight c1) 7) (= (total-cost) 0))
  (:goal (at c1 gate))
  (:metric minimize (total-cost)))
"""


def domain_with(old, new):
    assert old in DOMAIN
    return DOMAIN.replace(old, new, 1)


def problem_with(old, new):
    assert old in PROBLEM
    return PROBLEM.replace(old, new, 1)


def action_with(precondition, effect="(free ?t)", declarations=""):
    """The domain with one action, as read."""
    predicates = f"(:predicates (at ?x ?y) (free ?t) (p) {declarations})"
    action = f"(:action a :parameters (?t ?u) :precondition {precondition} :effect {effect})"
    (read,) = parse_domain(f"(define (domain d) {predicates} (:functions (f ?x) (g)) {action})").actions
    return read


def condition(text, declarations=""):
    return action_with(text, declarations=declarations).precondition


def effect(text, declarations=""):
    return action_with("()", text, declarations).effect


def refused(text, domain=None):
    """The ParseError for a domain text, or for a problem text if its domain is given."""
    with pytest.raises(ParseError) as caught:
        parse_problem(text, domain, "file.pddl") if domain else parse_domain(text, "file.pddl")
    return caught.value


def marked(text):
    """Line and column of the ^ in a text."""
    line = text[: text.index("^")].count("\n")
    return line + 1, text.split("\n")[line].index("^") + 1


def not_offered(text, domain=None):
    with pytest.raises(UnsupportedFeature) as caught:
        parse_problem(text, domain, "file.pddl") if domain else parse_domain(text, "file.pddl")
    return caught.value
