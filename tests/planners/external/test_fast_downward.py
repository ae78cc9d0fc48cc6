"""Fast Downward itself, and a stand-in for its driver that ends in every way the real one can."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from itertools import pairwise

import psutil
import pytest

from support.data import IPC, needs_ipc
from support.limited import within
from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.base.outcomes import ERROR, GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits
from unpuzzle.pddl.reading.reader import parse_task, read
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.external.fast_downward import FastDownward

installed = pytest.mark.skipif(fast_downward.missing() is not None, reason=str(fast_downward.missing()))
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="uses what only Linux has")

TOWERS = """
(define (domain towers)
  (:predicates (on ?a ?b) (low ?a) (top ?a) (free) (held ?a))
  (:action lift :parameters (?a) :precondition (and (low ?a) (top ?a) (free))
    :effect (and (held ?a) (not (low ?a)) (not (top ?a)) (not (free))))
  (:action drop :parameters (?a) :precondition (held ?a)
    :effect (and (low ?a) (top ?a) (free) (not (held ?a))))
  (:action put :parameters (?a ?b) :precondition (and (held ?a) (top ?b))
    :effect (and (on ?a ?b) (top ?a) (free) (not (held ?a)) (not (top ?b))))
  (:action take :parameters (?a ?b) :precondition (and (on ?a ?b) (top ?a) (free))
    :effect (and (held ?a) (top ?b) (not (on ?a ?b)) (not (top ?a)) (not (free)))))
"""


def towers(size, goal=None):
    """Blocks that lie side by side and are to be stacked: optimal cost 2 * (size - 1)."""
    blocks = [f"{number}-B" for number in range(size)]
    facts = "".join(f"(low {block})(top {block})" for block in blocks)
    goal = goal or "".join(f"(on {a} {b})" for a, b in pairwise(blocks))
    objects = " ".join(blocks)
    problem = f"(define (problem p) (:domain towers) (:objects {objects}) (:init (free) {facts}) (:goal (and {goal})))"
    return parse_task(TOWERS, problem)


def circle(size):
    """Nothing can be stacked in a circle, and no simple argument shows it."""
    blocks = [f"{number}-b" for number in range(size)]
    return towers(size, "".join(f"(on {a} {b})" for a, b in zip(blocks, blocks[1:] + blocks[:1], strict=True)))


CONDITIONAL = parse_task(
    """(define (domain flags) (:requirements :adl) (:predicates (up ?x) (seen ?x))
      (:action raise :parameters (?x) :precondition (not (up ?x))
        :effect (and (up ?x) (forall (?y) (when (up ?y) (seen ?y))))))""",
    "(define (problem p) (:domain flags) (:objects a b c) (:init) (:goal (and (seen a) (seen b))))",
)

DERIVED = parse_task(
    """(define (domain net) (:requirements :adl :derived-predicates)
      (:predicates (link ?x ?y) (at ?x) (reach ?x))
      (:derived (reach ?x) (at ?x))
      (:derived (reach ?x) (exists (?y) (and (reach ?y) (link ?y ?x))))
      (:action cut :parameters (?x ?y) :precondition (link ?x ?y) :effect (not (link ?x ?y))))""",
    """(define (problem p) (:domain net) (:objects a b c d)
      (:init (at a) (link a b) (link a c) (link b d) (link c d)) (:goal (not (reach d))))""",
)


def solve(task, config=None, time_limit=600, memory=None):
    return within(Limits(time_limit, memory), FastDownward(config).solve, task)


# --- the real one -------------------------------------------------------------------------------------------------


@installed
def test_default_is_optimal_and_tells_what_it_did():
    result = solve(towers(5))
    assert result.status == SOLVED_OPTIMALLY
    assert result.planner == "fast-downward"
    assert str(result.plan.steps[0]) == "(lift 3-b)"
    assert (len(result.plan), result.plan.cost) == (8, 8)
    assert result.valid is None
    assert result.message == ""
    assert 0 < result.expanded < result.evaluated < result.generated
    assert 0 <= result.seconds["search"] <= result.seconds["total"]
    assert 0 <= result.seconds["translate"] <= result.seconds["total"]
    assert 5 << 20 < result.peak_memory < 1 << 30
    assert "Solution found" in result.log


@installed
def test_solved_from_the_start():
    result = solve(towers(2, "(low 0-B)"))
    assert (result.status, result.plan.steps, result.plan.cost) == (SOLVED_OPTIMALLY, (), 0)


@installed
@pytest.mark.parametrize("config", [None, "astar(blind())", "seq-opt-lmcut", "eager_greedy([ff()])"])
def test_unsolvable_is_proved(config):
    result = solve(circle(4), config)
    assert result.status == UNSOLVABLE
    assert result.plan is None
    assert "proved" in result.message


@installed
@pytest.mark.parametrize(("task", "cost"), [(CONDITIONAL, 3), (DERIVED, 2)], ids=["conditional", "derived"])
def test_default_falls_back_on_blind_search(task, cost):
    result = solve(task)
    assert (result.status, result.plan.cost) == (SOLVED_OPTIMALLY, cost)
    assert "does not support" in result.log
    assert result.log.count("Running translator") == 1, "the task is not translated again"


@installed
def test_chosen_search_does_not_fall_back():
    result = solve(DERIVED, "astar(lmcut())")
    assert (result.status, result.plan) == (UNSUPPORTED, None)
    assert "does not support axioms" in result.message


@installed
@pytest.mark.parametrize(
    ("config", "status"),
    [
        ("lama-first", SOLVED),
        ("lama", SOLVED),
        ("seq-sat-fdss-1", SOLVED),
        ("seq-opt-lmcut", SOLVED_OPTIMALLY),
        ("seq-opt-bjolp", SOLVED_OPTIMALLY),
        ("seq-opt-fdss-1", SOLVED_OPTIMALLY),
        ("astar(blind())", SOLVED_OPTIMALLY),
        (" astar( ipdb( max_time=1 ), bound=100 )", SOLVED_OPTIMALLY),
        ("astar(cegar())", SOLVED_OPTIMALLY),
        ("astar(hmax())", SOLVED_OPTIMALLY),
        ("astar(lmcut(),cost_type=one)", SOLVED),
        ("astar(ff())", SOLVED),
        ("eager_greedy([ff()])", SOLVED),
    ],
)
def test_which_configurations_are_optimal(config, status):
    result = solve(towers(4), config, 20)
    assert result.status == status
    assert result.planner == f"fast-downward:{config}"
    if status == SOLVED_OPTIMALLY:
        assert result.plan.cost == 6


@installed
def test_hmax_is_not_optimal_where_there_are_axioms():
    assert solve(DERIVED, "astar(hmax())").status == SOLVED
    assert solve(DERIVED, "astar(blind())").status == SOLVED_OPTIMALLY


@installed
def test_no_plan_within_a_bound_is_no_proof():
    result = solve(towers(4), "astar(blind(),bound=3)")
    assert result.status == GAVE_UP
    assert "bound" in result.message


@installed
@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("lama-frist", "did you mean 'lama-first'"),
        ("zzz", "the aliases are lama, lama-first, seq-opt-bjolp"),
        ("--help", "no alias '--help'"),
        ("astar(lmct())", "does not accept the search 'astar\\(lmct\\(\\)\\)': No feature defined .* 'lmct'"),
        ("astar(", "does not accept the search"),
    ],
)
def test_wrong_configurations_are_refused(config, message):
    with pytest.raises(UsageError, match=message):
        solve(towers(2), config)


@installed
def test_portfolio_without_a_time_limit():
    result = solve(towers(2), "seq-opt-fdss-1", None)
    assert result.status == ERROR
    assert "Portfolios need a time limit" in result.message


@installed
def test_time_limit(time_is_up_when):
    def searching():
        with suppress(psutil.Error):  # one of them has just ended
            return any(child.name() == "downward" for child in psutil.Process().children(recursive=True))
        return False

    result = solve(circle(9), "astar(blind())", time_is_up_when(searching))
    assert (result.status, result.plan) == (TIMEOUT, None)
    assert result.message == "Fast Downward reached its time limit"
    assert "Running search" in result.log


@installed
def test_a_plan_found_in_time_counts(time_is_up_when, scratch):
    def found():
        return any("; cost" in plan.read_text() for plan in scratch.glob("*/plan*"))

    result = solve(towers(40), "lama", time_is_up_when(found))
    assert result.status == SOLVED
    assert len(result.plan) >= 78
    assert "a plan was found; then: " in result.message


@linux
@installed
@pytest.mark.parametrize("memory", [1, 3 << 20, 9 << 20, 10 << 20, 15 << 20, 20 << 20, 25 << 20, 60 << 20])
def test_memory_limit_wherever_it_strikes(memory):
    """From the interpreter that runs the driver to the search."""
    result = solve(circle(10), "astar(blind())", 600, memory)
    assert (result.status, result.plan) == (MEMOUT, None)
    assert "memory" in result.message


@installed
@needs_ipc
@pytest.mark.parametrize(
    "name",
    ["blocks/probBLOCKS-6-1", "miconic-fulladl/f3-2", "psr-middle/p01-s17-n2-l2-f30", "elevators-opt08-strips/p01"],
)
def test_optimal_costs_of_tasks_as_we_write_them(name):
    result = solve(read(IPC / name / "domain.pddl", IPC / name / "problem.pddl"))
    assert result.status == SOLVED_OPTIMALLY
    assert result.plan.cost == json.loads((IPC / "optimal-costs.json").read_text())[name]


def test_the_package_is_found_but_not_imported():
    program = (
        "import sys; from unpuzzle.planners.external import fast_downward as f; "
        "f.missing(); f.FastDownward('lama'); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "unpuzzle.planners.external.fast_downward" in loaded
    assert not {"up_fast_downward", "unified_planning", "psutil"} & set(loaded)


def test_missing(monkeypatch):
    monkeypatch.setattr(fast_downward, "find_spec", lambda name: None)
    assert "pip install 'up-fast-downward>=1'" in fast_downward.missing()
    with pytest.raises(DependencyMissing, match="pip install 'up-fast-downward>=1'") as caught:
        solve(towers(2), "lama")
    assert caught.value.dependency == "fast-downward:lama"


# --- a stand-in ---------------------------------------------------------------------------------------------------


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """Sets what runs in place of the driver: Python text."""
    path = tmp_path / "driver.py"
    monkeypatch.setattr(fast_downward, "_driver", lambda: str(path))
    return path.write_text


PLAN = "open('plan', 'w').write('(lift 0-b)\\n(put 0-b 1-b)\\n; cost = 2 (unit cost)\\n')\n"

TABLE = {
    **dict.fromkeys([0, 1, 2, 3], SOLVED_OPTIMALLY),
    **dict.fromkeys([10, 11], UNSOLVABLE),
    **dict.fromkeys([12, 13], GAVE_UP),
    **dict.fromkeys([20, 22, 24], MEMOUT),
    **dict.fromkeys([21, 23], TIMEOUT),
    **dict.fromkeys([30, 31, 32, 33, 35, 36, 37], ERROR),
    34: UNSUPPORTED,
}


def test_the_table_is_whole():
    assert fast_downward.EXITS.keys() == TABLE.keys()


@pytest.mark.parametrize("code", [*TABLE, 4, 99, 245])
@pytest.mark.parametrize("plan", [False, True])
def test_what_an_exit_code_means(driver, code, plan):
    driver(f"{PLAN if plan else ''}print('hello', flush=True)\nraise SystemExit({code})")
    result = solve(towers(2), "astar(lmcut())")
    if plan:
        assert result.status == (SOLVED_OPTIMALLY if code <= 3 else SOLVED)
        assert result.plan.cost == 2
    else:
        status = ERROR if code <= 3 else TABLE.get(code, ERROR)
        if code == 11:  # that is not believed without the numbers of its log, and our own search finds a plan
            status = GAVE_UP
        assert result.status == status
        assert result.plan is None
    assert bool(result.message) == (not plan or code != 0)
    assert result.log == "hello\n"
    assert result.seconds["search"] == result.seconds["total"] > 0


def test_the_exit_code_that_stands_for_a_signal(driver):
    driver("raise SystemExit(256 - 11)")
    assert solve(towers(2)).message == "Fast Downward was ended by SIGSEGV"


@pytest.mark.skipif(os.name != "posix", reason="the driver cannot limit time elsewhere")
@pytest.mark.parametrize(("limit", "told"), [(0.5, "2"), (2, "3"), (2.5, "4")])
def test_an_alias_is_told_a_time_no_shorter_than_ours(driver, limit, told):
    driver("import sys; print(*sys.argv[1:])")
    assert f" --alias=lama --overall-time-limit={told} domain.pddl problem.pddl" in solve(towers(2), "lama", limit).log
    assert "limit" not in solve(towers(2), "lama", None).log
    assert "limit" not in solve(towers(2), "astar(blind())", limit).log


@pytest.mark.skipif(os.name != "posix", reason="the driver cannot limit time elsewhere")
@pytest.mark.parametrize(
    ("limits", "told"),
    [(Limits(cpu=4), 5), (Limits(600, cpu=4), 5), (Limits(2, cpu=600), 3), (Limits(600, cpu=4.5), 6)],
)
def test_an_alias_is_told_no_more_than_the_kernel_allows(driver, limits, told):
    driver(f"import sys, resource; assert {told} <= resource.getrlimit(resource.RLIMIT_CPU)[1] + 1; print(*sys.argv)")
    result = within(limits, FastDownward("lama").solve, towers(2))
    assert f" --overall-time-limit={told} " in result.log


@installed
@linux
@pytest.mark.parametrize("config", ["lama-first", "seq-opt-fdss-1"])
def test_a_limit_of_processor_time_is_one_that_the_driver_accepts(config):
    result = within(Limits(cpu=100), FastDownward(config).solve, towers(4))
    assert (result.status, len(result.plan)) == (SOLVED if config == "lama-first" else SOLVED_OPTIMALLY, 6)


@installed
def test_a_portfolio_without_time_for_any_of_its_parts():
    result = solve(towers(2), "seq-opt-fdss-1", 2)
    assert result.status == TIMEOUT
    assert "no whole second" in result.message or "time limit" in result.message


def test_the_driver_says_why_it_refuses(driver):
    driver("print(b'Setting time limit failed: not allowed to raise maximum limit\\n'); raise SystemExit(36)")
    assert solve(towers(2), "lama").message.endswith("Setting time limit failed: not allowed to raise maximum limit")


def test_last_whole_plan_is_taken(driver):
    numbered = (
        "for n in (1, 2, 10, 11): open(f'plan.{n}', 'w').write(f'(lift {n}-b)\\n; cost = {20 - n} (unit cost)\\n')\n"
    )
    driver(numbered + "open('plan.12', 'w').write('(lift 12-b)\\n(put 1'); raise SystemExit(23)")
    result = solve(towers(2), "lama")
    assert (result.status, str(result.plan.steps[0]), result.plan.cost) == (SOLVED, "(lift 11-b)", 9)


def test_nonsense_in_the_plan(driver):
    driver("open('plan', 'w').write('bla bla\\n; cost = 2'); print('the log')")
    result = solve(towers(2))
    assert (result.status, result.plan, result.log) == (ERROR, None, "the log\n")
    assert "wrote no plan. plan:1:1: expected a step" in result.message


def test_driver_that_never_ends(driver, time_is_up_when, tmp_path):
    said = tmp_path / "said"
    driver(
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(said)!r}, 'w').close()\nwhile True: print('busy' * 1000)"
    )
    assert solve(towers(2), None, time_is_up_when(said.exists)).status == TIMEOUT
