"""Small tasks for engines of unified-planning: roads that cost, odd names, derived predicates; and how they are run."""

from importlib.util import find_spec
from shutil import which

import pytest

from unpuzzle.base.availability import ENGINE_PACKAGES
from unpuzzle.base.run import Limits
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planning import running


def needs(engine):
    package = ENGINE_PACKAGES[engine]
    here = find_spec(package.replace("-", "_")) and (package != "up-enhsp" or which("java"))
    return pytest.mark.skipif(not here, reason=f"{package} (or Java, for enhsp) is not installed")


ROADS = """(define (domain roads) (:requirements :typing :action-costs) (:types town)
  (:predicates (at ?x - town) (road ?x ?y - town)) (:functions (length ?x ?y - town) - number (total-cost) - number)
  (:action go :parameters (?x ?y - town) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x ?y))))
  (:action fly :parameters (?x ?y - town) :precondition (at ?x)
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 5) (increase (total-cost) 15)))
  (:action rest :parameters () :effect (increase (total-cost) 1)))"""
ROADS_PROBLEM = """(define (problem p) (:domain roads) (:objects a b c d - town)
  (:init (at a) (road a d) (road a b) (road b c) (road c d) (= (total-cost) 0)
    (= (length a d) 10) (= (length a b) 2) (= (length b c) 3) (= (length c d) 1))
  (:goal (at d)) (:metric minimize (total-cost)))"""
COSTS = parse_task(ROADS, ROADS_PROBLEM)
UNIT = parse_task(ROADS, ROADS_PROBLEM.replace("(:metric minimize (total-cost))", ""))
NOWHERE = parse_task(ROADS, ROADS_PROBLEM.replace("(:goal (at d))", "(:goal (and (at a) (at d)))"))

ODD = parse_task(
    """(define (domain 1-odd) (:requirements :adl)
  (:types 3d flat - thing thing - object ball - (either 3d flat))
  (:constants 1-1 when - thing o_1-1 - flat)
  (:predicates (and ?x) (at ?x - (either 3d flat) ?y) (ball ?x) (1-1 ?x - 3d))
  (:action at :parameters (?x - (either 3d flat) ?when - ball ?x - thing) :precondition (not (and ?x))
    :effect (and (and ?x) (forall (?x - ball) (when (not (ball ?x)) (ball ?x)))))
  (:action 1-1 :parameters (?1-1) :precondition (and (ball ?1-1) (exists (?1-1 - (either 3d)) (and ?1-1)))
    :effect (at ?1-1 1-1)))""",
    """(define (problem p) (:domain 1-odd) (:objects at - 3d 7 - ball) (:init)
  (:goal (and (forall (?x - (either flat 3d)) (and ?x)) (exists (?x - ball) (at ?x 1-1)) (imply (or) (or)))))""",
)
NAMES = parse_task(
    """(define (domain when) (:predicates (not-yet ?when) (when ?x) (o_1-1 ?x))
  (:action when :parameters (?when) :precondition (not-yet ?when) :effect (and (when ?when) (o_1-1 ?when))))""",
    "(define (problem when) (:domain when) (:objects 1-1 o_1-1 when) "
    "(:init (not-yet 1-1) (not-yet o_1-1) (not-yet when)) (:goal (and (when 1-1) (when o_1-1) (when when))))",
)
DERIVED = parse_task(
    """(define (domain d) (:requirements :derived-predicates) (:predicates (p) (q)) (:derived (q) (p))
  (:action a :parameters () :effect (p)))""",
    "(define (problem p) (:domain d) (:init) (:goal (q)))",
)


def run(engine, task, time_limit=600, memory=None):
    return running.run(f"up:{engine}" if engine else "up", task, limits=Limits(time_limit, memory))
