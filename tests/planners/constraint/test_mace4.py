"""Mace4 as a planner, played by small programs on the PATH: what its printed models and its exit statuses mean."""

from __future__ import annotations

import os
import sys

import pytest

from unpuzzle import count_solutions, solve
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import DependencyMissing, PlannerFailed, UsageError
from unpuzzle.base.outcomes import ERROR, MEMOUT, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Limits
from unpuzzle.cli import main
from unpuzzle.planning import registry
from unpuzzle.translators.lights_out import LightsOut
from unpuzzle.translators.sudoku import Sudoku

ONE = Sudoku("12..34..2.4.43.1")
SOLUTIONS = ["1234341221434321"]
WIDE = Sudoku("12..34..........")
OTHER = "1234341223414123"


def model(number, cells):
    values = ",".join(str(int(symbol) % 4) for symbol in cells)
    return f"interpretation( 4, [number={number}, seconds=0], [\n function(f(_,_), [\n {values} ])\n]).\n"


@pytest.fixture
def mace4(tmp_path, monkeypatch):
    """Puts a program `mace4` on the PATH that runs some lines of Python."""
    if os.name == "nt":
        pytest.skip("the programs that play Mace4 are scripts that begin with #!")

    def play(program):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        script = folder / "mace4"
        script.write_text(f"#!{sys.executable}\nimport sys\nwords = sys.argv[1:]\n{program}\n")
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return play


def ends(status, *solutions, tail=""):
    printed = "".join(model(number, cells) for number, cells in enumerate(solutions, 1)) + tail
    return f"print({printed!r}); sys.exit({status})"


# ---- where it is not installed


def test_without_the_program_a_sentence_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    reason = registry.missing("mace4")
    assert reason.startswith("the program 'mace4' is not on the PATH")
    for ask in (lambda: solve(ONE, "mace4"), lambda: count_solutions(ONE, 2, planner="mace4")):
        with pytest.raises(DependencyMissing, match="not on the PATH"):
            ask()
    assert main(["solve", "sudoku", "4x4", "--planner", "mace4"]) == exits.BROKEN
    assert capsys.readouterr().err == f"unpuzzle: {reason}\n"


def test_it_has_no_configurations():
    with pytest.raises(UsageError, match="mace4 has no configurations"):
        registry.find("mace4:fast")


def test_puzzles_without_formulas_are_refused(mace4):
    mace4("sys.exit(1)")
    with pytest.raises(UsageError, match="cannot be solved by mace4: lights-out does not inherit ModelFinding"):
        solve(LightsOut.parse("1.1\n.1.\n1.1\n"), "mace4")


# ---- answers


def test_a_model_becomes_moves(mace4):
    mace4(ends(0, SOLUTIONS[0]))
    result = solve(ONE, "mace4")
    assert (result.status, result.cost, result.valid, result.planner) == (SOLVED_OPTIMALLY, 7, True, "mace4")
    assert result.moves[:2] == ("r1c3=3", "r1c4=4")
    assert "interpretation" in result.log


def test_the_program_gets_formulas_the_number_of_models_and_the_time(mace4):
    mace4("print(words); print(open(words[-1]).read()); sys.exit(2)")
    log = solve(ONE, "mace4", limits=Limits(7)).log
    assert "'-m', '1', '-t', '7', '-f', " in log or "'-m', '1', '-t', '6', '-f', " in log
    assert ONE.mace4_input() in log
    assert "'-t'" not in solve(ONE, "mace4").log


def test_no_model_is_a_proof(mace4):
    mace4(ends(2, tail="Exiting with failure.\n"))
    result = solve(ONE, "mace4")
    assert (result.status, result.message) == (UNSOLVABLE, "the formulas have no model")


@pytest.mark.parametrize(
    ("position", "status", "solutions", "unique"),
    [(ONE, 3, SOLUTIONS[:1], True), (WIDE, 0, [SOLUTIONS[0], OTHER], False), (ONE, 2, [], False)],
)
def test_models_are_counted(mace4, position, status, solutions, unique):
    mace4(ends(status, *solutions))
    found = count_solutions(position, 2, planner="mace4")
    assert [solved.line() for solved in found.positions] == solutions
    assert found.unique is unique


# ---- no answers


@pytest.mark.parametrize(
    ("status", "solutions", "expected", "words"),
    [
        (4, SOLUTIONS[:1], TIMEOUT, "mace4 reached its time limit, with a model"),
        (5, [], TIMEOUT, "mace4 reached its time limit, without a model"),
        (6, SOLUTIONS[:1], MEMOUT, "mace4 reached its memory limit, with a model"),
        (7, [], MEMOUT, "mace4 reached its memory limit, without a model"),
        (1, [], ERROR, "mace4 refused its input"),
        (101, [], ERROR, "mace4 was interrupted"),
        (102, [], ERROR, "mace4 crashed"),
        (42, [], ERROR, "mace4 ended with exit code 42"),
        (0, [], ERROR, "mace4 says that it found as many models as requested, and printed 0 of"),
        (2, SOLUTIONS[:1], ERROR, "mace4 says that it found no model, and printed 1 of"),
        (3, [], ERROR, "mace4 says that it found all models, and printed 0 of"),
    ],
)
def test_other_endings_are_no_answers(mace4, status, solutions, expected, words):
    """Above all: one model and then the end of the time does not mean that there is one model only."""
    mace4(ends(status, *solutions))
    result = solve(ONE, "mace4")
    assert (result.status, result.moves) == (expected, None)
    assert result.message.startswith(words)
    if expected == ERROR:
        with pytest.raises(PlannerFailed, match=words):
            count_solutions(ONE, 2, planner="mace4")
    else:
        found = count_solutions(ONE, 2, planner="mace4")
        assert (found.result.status, found.unique, found.solutions) == (expected, None, [])


def test_a_run_that_is_ended_at_the_time_limit_is_no_answer(mace4):
    """Its one model was printed, and nothing is concluded from that."""
    mace4(f"print({model(1, SOLUTIONS[0])!r}, flush=True)\nimport time\ntime.sleep(600)")
    assert solve(ONE, "mace4", limits=Limits(1)).status == TIMEOUT
    found = count_solutions(ONE, 2, planner="mace4", limits=Limits(1))
    assert (found.result.status, found.unique, found.solutions) == (TIMEOUT, None, [])


def test_json_of_a_run_that_hit_its_time_limit(mace4, capsys):
    mace4(ends(4, SOLUTIONS[0]))
    code = main(["solve", "sudoku", "4x4", "--planner", "mace4", "--count", "2", "--json"])
    answer = capsys.readouterr().out
    assert code == exits.NO_ANSWER
    assert '"status": "timeout"' in answer
    assert '"unique": null' in answer


def test_a_wrong_model_is_an_error(mace4):
    mace4(ends(0, "1" * 16))
    assert solve(ONE, "mace4").status == ERROR
    mace4(ends(0, SOLUTIONS[0]).replace("interpretation( 4", "interpretation( 5"))
    result = solve(ONE, "mace4")
    assert result.status == ERROR
    assert (
        result.message
        == "the output of mace4 cannot be read: a model of Mace4 has the size 5, but size 4 was requested"
    )
