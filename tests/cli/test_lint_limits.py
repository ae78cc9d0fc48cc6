"""lint under limits and on monstrous files: it ends, says how, and takes no more than it may.

Sizes are such that the work would take minutes if it were quadratic; no time is asserted.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.counting import calls
from support.limited import Called
from support.river import CROSSING, RIVER
from unpuzzle.base.errors import LimitReached
from unpuzzle.cli import main
from unpuzzle.pddl import lint
from unpuzzle.pddl.linting.plan_faults import lint_plan
from unpuzzle.planning import registry
from unpuzzle.puzzlescript.files import ScriptFormat

MANY = 20_000


def _files(folder: Path, problem: str) -> list[str]:
    (folder / "d.pddl").write_text(RIVER)
    (folder / "p.pddl").write_text(problem)
    return [str(folder / "d.pddl"), str(folder / "p.pddl")]


def _with_facts(facts: str) -> str:
    assert "(:init" in CROSSING
    return CROSSING.replace("(:init", f"(:init {facts}", 1)


def test_very_many_faults_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = "\n".join(f"(at thing{number} left)" for number in range(MANY))
    assert main(["lint", *_files(tmp_path, _with_facts(facts)), "--json"]) == 1
    faults = json.loads(capsys.readouterr().out)["faults"]
    assert len(faults) == MANY
    assert {fault["code"] for fault in faults} == {"unknown-object"}


def test_a_file_too_large_for_the_limits_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = _files(tmp_path, CROSSING)
    with open(files[1], "ab") as file:
        file.seek(100_000_000)
        file.write(b"\n")
    assert main(["lint", *files, "--memory-limit", "60M", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["status"] == "memout"


def test_deep_nesting_is_told_where_it_is_too_deep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = CROSSING.replace("(:goal ", "(:goal " + "(not " * 100_000).replace(")))", ")))" + ")" * 100_000)
    assert main(["lint", *_files(tmp_path, deep), "--json"]) == 2
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert fault["code"] == "too-deep"


@pytest.mark.parametrize("what", ["domain", "plan", "game"])
def test_the_limits_are_looked_at_all_the_while(what: str) -> None:
    facts = "\n".join(f"(at thing{number} left)" for number in range(2_000))
    works: dict[str, Callable[[], object]] = {
        "domain": lambda: lint(RIVER, _with_facts(facts)),
        "plan": lambda: lint_plan("(row left right goat)\n" * 100_000),
        "game": lambda: ScriptFormat().lint_text("titel a\n" * 2_000, "game.txt"),
    }
    looks = 0

    def count() -> None:
        nonlocal looks
        looks += 1

    with Called(count):
        works[what]()
    assert looks >= 3

    def end() -> None:
        raise LimitReached("timeout", "the time limit was reached")

    with pytest.raises(LimitReached), Called(end):
        works[what]()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interruption_ends_it(tmp_path: Path) -> None:
    code = f"""
import os, signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == "unpuzzle.pddl.linting.linting":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder)
sys.argv = ["unpuzzle", "lint", *{_files(tmp_path, CROSSING)}]
from unpuzzle.__main__ import run
run()
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 130


def test_limits_are_for_the_whole_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = "\n".join(f"(at thing{number} left)" for number in range(50_000))
    code = main(["lint", *_files(tmp_path, _with_facts(facts)), "--time-limit", "0.01", "--json"])
    assert (code, json.loads(capsys.readouterr().out)["status"]) == (3, "timeout")


def test_the_work_grows_with_the_number_of_parameters_and_not_with_its_square() -> None:
    def work(number: int) -> int:
        parameters = " ".join(f"?x{each}" for each in range(number))
        action = f"(:action a :parameters ({parameters}) :precondition (p ?x0) :effect (q ?x1 ?x2))"
        return calls(lint, f"(define (domain d) (:predicates (p ?a) (q ?a ?b)) {action})")

    work(2)  # modules are loaded
    assert work(400) < 2.5 * work(200)


def test_objects_given_many_times_are_looked_up_in_no_list_of_faults() -> None:
    def work(number: int) -> int:
        names = " ".join(["x"] * number)
        return calls(
            lint,
            "(define (domain d) (:predicates (p ?a)))",
            f"(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (p x)))",
        )

    work(2)
    assert work(400) < 2.5 * work(200)


@pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")
@pytest.mark.parametrize(
    ("parameters", "cost"), [("?a", 1 << 31), (" ".join(f"?a{number}" for number in range(1_100)), 1)]
)
def test_what_the_core_refuses_hides_no_fault(
    parameters: str, cost: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cost of 2^31 was the whole answer of `lint`, and so many parameters were a bug in unpuzzle."""
    effect = f"(and (q) (increase (total-cost) {cost}))"
    domain = "(define (domain d) (:requirements :strips :action-costs) (:predicates (p ?x) (q) (never))"
    domain += f" (:functions (total-cost)) (:action a :parameters ({parameters}) :effect {effect}))"
    files = [tmp_path / "domain.pddl", tmp_path / "p.pddl"]
    files[0].write_text(domain)
    files[1].write_text(
        "(define (problem p) (:domain d) (:objects x) (:init (p x)) (:goal (q)) (:metric minimize (total-cost)))"
    )
    assert main(["lint", *map(str, files)]) == 0
    assert "'never'" in capsys.readouterr().out
    assert main(["plan", *map(str, files)]) == 4
    assert "bug in unpuzzle" not in capsys.readouterr().err
