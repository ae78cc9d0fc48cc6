"""Solve a tiny task to warm up the process that is copied for each run of an experiment.

The first runs in a process take longer than the later ones: modules are loaded, patterns compiled, and the interpreter
adapts its code to what it runs. After a rehearsal every copy begins with that done. The rehearsal leaves nothing else
behind.
"""

from __future__ import annotations

import threading

from unpuzzle.experiments import making_runs
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.external import answers, fast_downward
from unpuzzle.planners.external.fast_downward_dialect import in_its_words
from unpuzzle.processes import program
from unpuzzle.processes.process_tree import ProcessTree

TIMES = 8
"""How often the interpreter calls a function before it adapts its code."""
DOMAIN = """(define (domain small) (:requirements :strips :typing) (:types place)
 (:predicates (at ?x - place) (road ?x ?y - place))
 (:action go :parameters (?x ?y - place)
  :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
PROBLEM = """(define (problem small) (:domain small) (:objects a b c - place)
 (:init (at a) (road a b) (road b c)) (:goal (at c)))"""
PROGRAM = """command:sh -c 'printf "(go a b)\\n(go b c)\\n" >"$2"' {domain} {problem} {plan}"""
"""A program that prints the known plan of the small task as quickly as a program can."""


def prepare() -> None:
    """Solve a tiny task several times; the worker process does this once, before it is copied for the first run."""
    task = parse_task(DOMAIN, PROBLEM)
    for _ in range(TIMES):
        making_runs.make_run(lambda plan: None, (DOMAIN, PROBLEM), (), None, PROGRAM)
        fast_downward.missing()
        in_its_words(task)
        ProcessTree("rehearsal").usage()
    for thread in threading.enumerate():
        if thread.name in (program.THREAD, answers.THREAD):
            thread.join()
