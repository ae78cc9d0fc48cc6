"""Programs of all kinds as planners: what they leave, what they say, how they end."""

import os
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.limited import within
from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.base.outcomes import ERROR, GAVE_UP, LIMITS, SOLVED, STATUSES, UNSOLVABLE
from unpuzzle.base.run import Limits
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external import answers, command, fast_downward
from unpuzzle.planners.external.command import Command
from unpuzzle.processes.program import ProgramEnd

TASK = parse_task(
    """(define (domain walk) (:predicates (at ?x) (way ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y)) :effect (and (at ?y) (not (at ?x)))))""",
    "(define (problem p) (:domain walk) (:objects a b c) (:init (at a) (way a b) (way b c)) (:goal (at c)))",
)
TOO_FAR = parse_task(
    """(define (domain drive) (:predicates (at ?x) (way ?x ?y) (fuel ?z))
      (:action go :parameters (?x ?y ?z) :precondition (and (at ?x) (way ?x ?y) (fuel ?z))
       :effect (and (at ?y) (not (at ?x)) (not (fuel ?z)))))""",
    """(define (problem p) (:domain drive) (:objects a b c d f g)
      (:init (at a) (way a b) (way b c) (way c d) (fuel f) (fuel g)) (:goal (at d)))""",
)
PLAN = "(go a b)\n(go b c)\n"


@pytest.fixture
def solve(tmp_path):
    """Solves the task with a Python program whose arguments are domain, problem and, unless `prints`, plan."""

    def solve(program, time_limit=600, memory=None, prints=False, subject=TASK):
        script = tmp_path / "my planner.py"
        script.write_text("import os, sys\ndomain, problem, *plan = sys.argv[1:]\n" + program)
        template = f"'{sys.executable}' '{script}' {{domain}} {{problem}}" + ("" if prints else " {plan}")
        return within(Limits(time_limit, memory), Command(template).solve, subject)

    return solve


def writes(text, name="plan[0]"):
    return f"open({name}, 'wb').write({text.encode()!r})\n"


def steps(result):
    return "".join(f"{step}\n" for step in result.plan)


def test_plan_in_a_file(solve):
    result = solve(writes(PLAN + "; cost = 2 (unit cost)\n") + "print('talk'); print('more', file=sys.stderr)")
    assert result.status == SOLVED, "an unknown program's word is no proof of optimality"
    assert steps(result) == PLAN
    assert (result.plan.cost, result.valid, result.message) == (2, None, "")
    assert result.planner.startswith("command:")
    assert result.log == "talk\nmore\n"
    assert 0 < result.seconds["search"] <= result.seconds["total"]


def test_the_program_gets_the_written_task(solve):
    result = solve("print(open(domain).read(), open(problem).read())")
    assert "(define (domain walk)" in result.log
    assert "(way b c)" in result.log


@pytest.mark.parametrize(
    "printed",
    [
        PLAN,
        "Welcome (tm) to X\n; cost = 2 (unit cost)\nfound:\n  (GO A B)  \n\n(go b c)\ntook (0.1 s), (bye)!\n",
        "(:requirements :strips)\n  (:objects a b c)\n(go a b)\n(go b c)\n",
        "0: (go a b)\n1: (go b c)\n",
        "0.000: (go a b) [1]\r\n0.001: (go b c) [1.000]\r\n",
        "0.0003: (go a b) [D:1.00; C:0.10]\n0.0007: (go b c) [D:1.00; C:0.10]\n",
        "(go a b) ; 1\n(go b c);so there\n",
        "\0\0(go a b)\n(go b c)\n",
        "\r(go a b)\n(go b c)\n",
        "searching: 5 %\rsearching: 100 %\r(go a b)\r(go b c)\r",
        "\ufeff(go a b)\n(go b c)\n",
        "\x1b[1;32m(go a b)\x1b[0m\n\x1b[32m0: (go b c)\x1b[0m\n",
        "Plan 1:\n(go a c)\n(go c b)\n; cost = 3 (unit cost)\nPlan 2:\n(go a b)\n(go b c)\n; cost = 2 (unit cost)\n",
        "; cost 3\n(go a c)\n(go c b)\n(go b c)\n; cost 2\n(go a b)\n(go b c)\n; cost-optimal\n",
        "Found new plan:\n(go a c)\nBest plan found so far:\n(go a b)\n(go b c)\nPlan length: 2 steps\n",
        "0: (go a c)\n1: (go c b)\n0: (go a b)\n1: (go b c)\n",
        "; cost = 0\n(go a b)\n(go b c)\n",
        "(go a b) (go b c)\n",
        "0: (go a b) [1] 1: (go b c) [1] ; both\n",
        "(go a b)\n; plan continues\n(go b c)\n",
        "(go a b)\n\n; the best solution\n; plan\n(go b c)\n",
        "\x1b(B\x1b[m(go a b)\x1b(B\x1b[m\n\x1b(B\x1b[m(go b c)\x1b(B\x1b[m\n",
        "\x1b]0;title\x07(go a b)\n\x1b]8;;http://x\x1b\\(go b c)\x1b]8;;\x1b\\\n",
        "\x1b[38:5:4m(go a b)\x1b[0m\n\x1b[>4;1m\x1b[0 q\x1b7\x1bP1$r0m\x1b\\(go b c)\n",
        "\x9b32m(go a b)\x9b0m\n\x9d0;title\x9c(go b c)\n",
        b"\x9b32m(go a b)\x9b0m\n(go b c)\n",
        "(go a b)\n(go b c)\n; cost = 2\n(noop)\n(go a b",
        "(go a b)\n(go b c)\n; cost = 2\n(go c b)\n; cost = 1\n",
    ],
)
def test_plan_on_standard_output(solve, printed):
    octets = printed if isinstance(printed, bytes) else printed.encode()
    program = f"sys.stderr.write('(go c c)'); sys.stdout.buffer.write({octets!r})"
    result = solve(program, prints=True)
    assert (result.status, steps(result)) == (SOLVED, PLAN)


def test_empty_plans(solve):
    assert solve("print('; cost = 0 (unit cost)')", prints=True).plan.steps == ()
    assert solve(writes("; cost = 0\n")).plan.steps == ()


@pytest.mark.parametrize("program", ["pass", "print('Problem unsolvable!')", writes(""), writes("\n \n")])
def test_an_end_without_plan_is_giving_up(solve, program):
    result = solve(program)
    assert (result.status, result.plan) == (GAVE_UP, None)
    assert "is not a proof" in result.message


def test_the_claim_that_there_is_no_plan_counts_if_it_is_confirmed(solve, monkeypatch):
    assert solve("print('Unsolvable.')").message.endswith("our own search found one")
    unreachable = TASK.replace(problem=TASK.problem.replace(init=TASK.problem.init[:2]))
    back = parse_task(*(text.replace("(:goal (at c))", "(:goal (and (at a) (at c)))") for text in write(TASK)))
    for subject in (unreachable, back, TOO_FAR):
        for says in ("print('The goal has no solution')", "print('UNSOLVABLE'); sys.exit(12)"):
            result = solve(says, subject=subject)
            assert (result.status, result.plan) == (UNSOLVABLE, None)
            assert result.message == "the program says that there is no plan; our own search proved that there is none"
        assert solve("pass", subject=subject).status == GAVE_UP, "it says nothing"
        assert solve("print('unsolvable?'); sys.exit(3)").status == ERROR, "it broke, and it is not so"
    monkeypatch.setattr(answers, "MOST_STATES", 1)
    assert solve("print('Unsolvable.')", subject=TOO_FAR).message.endswith("our own search did not confirm it")


@pytest.mark.parametrize("program", ["pass", "print('No plan (sorry).')", "print('(go a b')"])
def test_nothing_printed_is_giving_up(solve, program):
    assert solve(program, prints=True).status == GAVE_UP


def test_last_of_several_plans(solve):
    files = "".join(writes(f"(go a b)\n; cost = {20 - n}\n", f"plan[0] + '.{n}'") for n in (1, 2, 10))
    assert solve(files).plan.cost == 10
    assert solve(files + writes("(go a", "plan[0] + '.11'")).plan.cost == 10


def test_many_steps_on_a_line_that_is_none_are_read_in_no_time():
    assert command._printed("1 (go a b) [1]  " * 20_000 + "bye") == []


def test_coloured_words_say_the_same(solve):
    claim = solve("print('\\x1b[31munsolvable\\x1b[0m')")
    assert "the program says that there is no plan" in claim.message


def test_plan_and_then_a_limit(solve, time_is_up_when, tmp_path):
    said = tmp_path / "said"
    program = writes(PLAN, "plan[0] + '.1'") + f"open({str(said)!r}, 'w').close(); import time; time.sleep(1000)"
    result = solve(program, time_is_up_when(said.exists))
    assert (result.status, steps(result)) == (SOLVED, PLAN)
    assert result.message == "the program wrote a plan, then reached its time limit"


@pytest.mark.parametrize("text", ["bla", "(go a b", "))", "(go a b) and so on", "\x00\x01"])
def test_nonsense_in_the_plan_file(solve, text):
    result = solve(writes(text) + "print('the log')")
    assert (result.status, result.plan, result.log) == (ERROR, None, "the log\n")
    assert "is not a plan: plan:1:" in result.message
    assert "\n" not in result.message


def test_binary_plan_file(solve):
    assert solve("open(plan[0], 'wb').write(os.urandom(10**6) + b')')").status == ERROR


def test_failure(solve):
    result = solve("print('oh no'); sys.exit(7)")
    assert (result.status, result.message, result.log) == (ERROR, "the program ended with exit code 7", "oh no\n")


def test_huge_and_binary_output(solve):
    result = solve(writes(PLAN) + "for _ in range(20): sys.stdout.buffer.write(os.urandom(10**6))")
    assert (result.status, steps(result)) == (SOLVED, PLAN)


def test_a_program_that_removes_its_folder_left_no_plan(solve):
    program = "import shutil; shutil.rmtree(os.path.dirname(plan[0]))"
    assert solve(program).status == GAVE_UP
    assert solve(program + "; sys.exit(3)").status == ERROR


@pytest.mark.parametrize("name", ["plan", "plan.1"])
@pytest.mark.skipif(os.name != "posix", reason="uses named pipes")
def test_plan_that_is_no_file(solve, name):
    assert solve(f"os.mkfifo(os.path.join(os.path.dirname(plan[0]), {name!r}))").status == GAVE_UP


def test_missing_program():
    with pytest.raises(DependencyMissing, match="'no-such-planner': it is not on the PATH") as caught:
        Command("no-such-planner {domain} {problem}").solve(TASK)
    assert caught.value.dependency == "command:no-such-planner {domain} {problem}"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("", r"lacks \{domain\}"),
        ("planner", r"lacks \{domain\}"),
        ("planner {domain}", r"lacks \{problem\}"),
        ("planner {problem} {plan}", r"lacks \{domain\}"),
        ("{domain} {problem}", r"lacks \{domain\}"),
        ("planner '{domain} {problem}", "cannot be split into words: No closing quotation"),
    ],
)
def test_templates_that_are_none(template, message):
    with pytest.raises(UsageError, match=message):
        Command(template)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        (r"C:\Tools\new\plan.exe {domain}", [r"C:\Tools\new\plan.exe", "{domain}"]),
        (r'"C:\Program Files\x.exe" --to=C:\tmp\{plan}', [r"C:\Program Files\x.exe", r"--to=C:\tmp\{plan}"]),
        (r"\\server\share\plan.exe 'a\d'", [r"\\server\share\plan.exe", r"a\d"]),
        (r".\plan.exe ..\up", [r".\plan.exe", r"..\up"]),
        (r"sh -c 'echo \"a\n\"' a\ b \"", None),
        (r"sh -c 'echo \"a\n\"' a\ b", ["sh", "-c", r"echo \"a\n\"", "a b"]),
    ],
)
def test_paths_of_windows_keep_their_backslashes(template, words):
    if words is None:
        assert command.words_of(template)[-1] == '"'
    else:
        assert command.words_of(template) == words


def test_names_within_words_and_other_braces(solve, tmp_path):
    script = tmp_path / "echo.py"
    script.write_text("import sys; print(*sys.argv[1:], sep='\\n')")
    log = Command(f"{sys.executable} {script} --in={{domain}}:{{problem}} {{x}} '' 'a b'").solve(TASK).log
    first, *rest = log.splitlines()
    assert first.startswith("--in=") and first.endswith("problem.pddl") and "domain.pddl:" in first  # noqa: PT018
    assert rest == ["{x}", "", "a b"]


@pytest.mark.skipif(os.name != "posix", reason="uses a script with an interpreter line")
def test_files_of_the_callers_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "plan.py"
    script.write_text(f"#!{sys.executable}\nimport sys; print(sys.argv[1:])")
    script.chmod(0o755)
    (tmp_path / "settings").write_text("")
    for program in ("./plan.py", f"{sys.executable} plan.py"):
        log = Command(f"{program} settings other {{domain}} {{problem}}").solve(TASK).log
        assert log.startswith(f"['{tmp_path / 'settings'}', 'other', '")


@pytest.mark.skipif(fast_downward.missing() is not None, reason=str(fast_downward.missing()))
def test_a_real_planner():
    driver = fast_downward._driver()
    template = f"'{sys.executable}' '{driver}' --plan-file {{plan}} {{domain}} {{problem}} --search 'astar(blind())'"
    result = within(Limits(600), Command(template).solve, TASK)
    assert (result.status, steps(result), result.plan.cost) == (SOLVED, PLAN, 2)


def ended(exit_code, limit):
    """How a program may have ended."""
    return ProgramEnd(exit_code, None, limit, False, 0, 0.0, 0.0, "", "")


@given(st.builds(ended, st.none() | st.integers(0, 255), st.sampled_from(["", *LIMITS])), st.sampled_from(["", "bad"]))
@example(ended(0, ""), "")
def test_every_end_has_one_status(run, fault):
    status, message = command._verdict(run, None, fault)
    assert status in STATUSES
    assert status != SOLVED
    assert message
    assert (status in LIMITS) == (run.limit != "")
    assert (status == GAVE_UP) == (run.exit_code == 0 and not (run.limit or fault))
