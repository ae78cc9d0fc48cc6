"""What the writer writes loads elsewhere, too: in unified-planning, tarski and Fast Downward."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from unpuzzle.pddl import parse_task, write

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"

# Does it load elsewhere? A typed STRIPS task in all; costs, axioms and conditional effects in Fast Downward.
STRIPS = """(define (domain Sort) (:requirements :strips :typing) (:types left right - side side)
  (:constants here - left) (:predicates (in ?s - side) (open ?s)) (:functions (total-cost))
  (:action noop :effect (increase (total-cost) 0))
  (:action go :parameters (?a - left ?b - side) :precondition (and (in ?a) (not (in ?b)))
   :effect (and (not (in ?a)) (in ?b) (increase (total-cost) 4)))
  (:action peek :parameters (?a - side) :effect (open ?a)))"""
STRIPS_PROBLEM = """(define (problem s) (:domain sort) (:objects there - right) (:init (in here))
  (:goal (and (in there) (open here))) (:metric minimize (total-cost)))"""


def written(tmp_path, domain, problem):
    paths = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for path, text in zip(paths, write(parse_task(domain, problem)), strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def test_it_loads_in_unified_planning(tmp_path):
    io = pytest.importorskip("unified_planning.io")
    problem = io.PDDLReader().parse_problem(*written(tmp_path, STRIPS, STRIPS_PROBLEM))
    assert {action.name for action in problem.actions} == {"noop", "go", "peek"}
    assert len(problem.quality_metrics) == 1


def test_it_loads_in_tarski(tmp_path):
    io = pytest.importorskip("tarski.io")
    problem = io.FstripsReader(raise_on_error=True).read_problem(*written(tmp_path, STRIPS, STRIPS_PROBLEM))
    assert set(problem.actions) == {"noop", "go", "peek"}


def test_it_loads_in_fast_downward(tmp_path):
    assert "Translator operators: 2" in translated(tmp_path, *written(tmp_path, STRIPS, STRIPS_PROBLEM))
    written_domain, written_problem = (GOLDEN / "domain.out.pddl", GOLDEN / "problem.out.pddl")
    assert "Translator axioms:" in translated(tmp_path, str(written_domain), str(written_problem))


def translated(tmp_path, domain, problem):
    """What Fast Downward's translator prints, run in a directory of its own."""
    found = importlib.util.find_spec("up_fast_downward")
    if found is None or found.origin is None:
        pytest.skip("up-fast-downward is not installed")
    driver = Path(found.origin).parent / "downward" / "fast-downward.py"
    command = [sys.executable, str(driver), "--translate", "--sas-file", "out.sas", domain, problem]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
