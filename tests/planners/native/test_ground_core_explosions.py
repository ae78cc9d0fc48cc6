"""The grounding in C++ where instances explode: what leads nowhere costs nothing, and limits and Ctrl-C hold."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

from support.limited import within
from support.pddl_texts import EXPLODING, MANY, task
from unpuzzle.base.run import Limits
from unpuzzle.planners.native import Native
from unpuzzle.planners.native.grounding import CoreGrounding


def test_twelve_parameters_that_lead_nowhere() -> None:
    """A chain of twelve in a dense graph, whose far end is nowhere; and a second part without any solution."""
    names = [f"o{i}" for i in range(40)]
    links = " ".join(f"(link {a} {b})" for i, a in enumerate(names) for b in names[i + 1 : i + 9])
    chain = " ".join(f"(link ?a{i} ?a{i + 1})" for i in range(8))
    impossible = "(link ?a9 ?a10) (link ?a10 ?a11) (mark ?a11) (rare ?a9)"
    parameters = " ".join(f"?a{i}" for i in range(12))
    found = CoreGrounding(
        task(
            "(:predicates (link ?x ?y) (mark ?x) (rare ?x) (at ?x))"
            f"(:action leap :parameters ({parameters}) :precondition (and (at ?a0) {chain} {impossible})"
            " :effect (and (not (at ?a0)) (at ?a8)))"
            "(:action step :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y)) :effect (at ?y))",
            f"(:objects {' '.join(names)}) (:init (at o0) (mark o1) (rare o38) {links}) (:goal (at o39))",
        )
    )
    assert all(operator.action.name == "step" for operator in found.fdr().operators)


def test_parameters_that_nothing_mentions() -> None:
    parameters = " ".join(f"?a{i}" for i in range(12))
    objects = " ".join(f"o{i}" for i in range(50))
    found = CoreGrounding(
        task(
            f"(:predicates (at ?x)) (:action go :parameters ({parameters}) :effect (at ?a3))",
            f"(:objects {objects}) (:init) (:goal (at o7))",
        )
    )
    assert [str(operator.action) for operator in found.fdr().operators] == [
        f"(go {' '.join('o7' if i == 3 else 'o0' for i in range(12))})"
    ]


def test_a_quantifier_over_many_objects_follows_its_static_atoms() -> None:
    """Three variables over 300 objects are 27 million triples, of which 298 are links of a chain."""
    names = [f"o{i}" for i in range(300)]
    links = " ".join(f"(link {a} {b})" for a, b in pairwise(names))
    found = CoreGrounding(
        task(
            "(:predicates (link ?x ?y) (on ?x) (done)) (:action put :parameters (?x) :effect (on ?x))"
            "(:action end :parameters () :precondition"
            " (forall (?a ?b ?c) (imply (and (link ?a ?b) (link ?b ?c)) (on ?c))) :effect (done))",
            f"(:objects {' '.join(names)}) (:init {links}) (:goal (done))",
        )
    )
    assert [len(o.precondition) for o in found.fdr().operators if o.action.name == "end"] == [298]


@pytest.mark.parametrize(("status", "limit"), [("timeout", "time"), ("memout", "memory")])
def test_a_limit_names_the_schema_that_explodes(status: str, limit: str) -> None:
    more = 200 << 20
    limits = Limits(time=0.6) if limit == "time" else Limits(memory=more)
    result = within(limits, Native().solve, task(EXPLODING, MANY))
    assert result.status == status
    assert f"the {limit} limit was reached while grounding: the action 'explode' has the most" in result.message


def test_a_quantifier_that_explodes_is_named() -> None:
    whole = task(
        "(:predicates (p ?a ?b ?c ?d) (q ?x) (done)) (:action flip :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d))"
        "(:action all :parameters () :precondition"
        " (forall (?a ?b ?c ?d ?e ?f) (or (p ?a ?b ?c ?d) (p ?c ?d ?e ?f) (not (q ?a)))) :effect (done))",
        f"(:objects {' '.join(f'o{i}' for i in range(14))}) (:init (q o1) (q o2)) (:goal (done))",
    )
    result = within(Limits(memory=(200 << 20)), Native().solve, whole)
    assert (result.status, "the action 'all'" in result.message) == ("memout", True), result.message


MEASURE = """
import resource
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.base.errors import LimitReached
domain = parse_domain("(define (domain d) {domain})")
task = Task(domain, parse_problem("(define (problem p) (:domain d) {problem})", domain))
from unpuzzle.base.run import Limits
from unpuzzle.base.run import Run
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    with Run(Limits(memory={limit})):
        CoreGrounding(task)
except LimitReached as reached:
    print(reached.status, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("limit", [20_000_000, 200_000_000])
def test_memory_is_within_the_limit(limit: int) -> None:
    program = MEASURE.format(domain=EXPLODING, problem=MANY, limit=limit)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    status, taken = done.stdout.split()
    assert status == "memout"
    assert int(taken) < 1.05 * limit + 4_000_000
