"""Hostile code in the sandbox: each act ends as an outcome of its call, and the calls before and after are answered."""

from __future__ import annotations

import sys

import psutil
import pytest

from support.waiting import is_gone
from unpuzzle.components.sandbox import Budget, Outcome, Sandbox
from unpuzzle.errors import ParseError

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="walls that only Linux has")
BUDGET = Budget(call=0.2, load=2.0, run=10.0, memory=256 << 20, fatal=1)

SETTING = """
import sys, os, time, signal, itertools
def double(n):
    return 2 * n
def hostile(n):
"""


def called(*lines: str, budget: Budget = BUDGET) -> tuple[Outcome, Sandbox]:
    """What becomes of a call of a function with these lines; harmless calls before and after it are answered."""
    code = SETTING + "".join(f"    {line}\n" for line in lines)
    sandbox = Sandbox(code, "theirs.py", [], budget)
    calls = [
        {"function": name, "arguments": [n], "named": {}} for name, n in (("double", 1), ("hostile", 2), ("double", 3))
    ]
    before, outcome, after = sandbox.outcomes(calls)
    assert before is not None
    assert after is not None
    assert outcome is not None
    assert (before.fields["value"], after.fields["value"]) == (2, 6)
    return outcome, sandbox


@pytest.mark.parametrize(
    ("fault", "line", "lines"),
    [
        ("time limit", 6, ["while True: pass"]),
        ("time limit", 6, ["time.sleep(1000)"]),
        ("time limit", 6, ["10 ** 10 ** 9"]),
        (
            "time limit",
            None,
            ["while True:", "    try:", "        while True:", "            pass", "    except: pass"],
        ),
        ("memory limit", 6, ["return [0] * 10 ** 12"]),
        ("memory limit", 7, ["held = []", "while True: held.append(bytes(1 << 22))"]),
        ("output limit", None, ["return ['x' * 10 ** 6] * 10 ** 3"]),
        ("exception", 6, ["return hostile(n)"]),
        ("exception", 6, ["sys.exit(0)"]),
        ("exception", 6, ["return [][n]"]),
        ("crash", None, ["os._exit(0)"]),
        ("crash", 6, ["os.abort()"]),
        ("crash", None, ["os.closerange(0, 100)"]),
        ("output limit", 6, ["for _ in itertools.count(): print('x' * 1000)"]),
        ("malformed output", None, ["return object()"]),
        ("malformed output", None, ["n = [n]", "n.append(n)", "return n"]),
        ("malformed output", None, ["return float('nan')"]),
        ("malformed output", None, ["return 10 ** 5000"]),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else None,
)
def test_a_hostile_call_ends_as_an_outcome(fault: str, line: int | None, lines: list[str]) -> None:
    outcome, _ = called(*lines)
    assert outcome.fault == fault
    assert line is None or outcome.line == line
    assert outcome.said


def test_time_is_limited_even_where_signals_are_ignored() -> None:
    budget = Budget(call=0.2, run=2.0, memory=256 << 20, fatal=1)
    outcome, _ = called(
        "for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU): signal.signal(number, signal.SIG_IGN)",
        "while True: pass",
        budget=budget,
    )
    assert outcome.fault == "time limit"


@pytest.mark.parametrize(
    ("act", "lines"),
    [
        ("os.fork", ["while True: os.fork()"]),
        ("os.system", ["os.system('true')"]),
        ("subprocess.Popen", ["import subprocess", "subprocess.run(['true'])"]),
        ("os.kill", ["os.kill(os.getppid(), 9)"]),
        ("os.remove", ["os.remove(__file__)"]),
        ("shutil.rmtree", ["import shutil", "shutil.rmtree(os.getcwd())"]),
        ("open a file to write", ["open('trace', 'w')"]),
        ("socket.__new__", ["import socket", "socket.socket()"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_components_may_not_do_is_refused_and_told(act: str, lines: list[str]) -> None:
    outcome, _ = called(*lines)
    assert (outcome.fault, outcome.acts[0]) == ("exception", act)
    assert "may not do this" in outcome.said


def test_what_components_may_not_do_is_told_even_where_they_go_on() -> None:
    outcome, _ = called("try: os.remove(__file__)", "except OSError: pass", "return n")
    assert (outcome.fields["value"], outcome.acts) == (2, ["os.remove"])


@linux
def test_the_kernel_refuses_what_goes_past_the_interpreter() -> None:
    """Calls that the hook which names forbidden acts does not see, or lets pass."""
    lines = [
        "import _ctypes, _socket, _posixsubprocess",
        "denied = []",
        "def tried(what, *arguments):",
        "    try: return what(*arguments)",
        "    except OSError as error: denied.append(error.errno)",
        "tried(_posixsubprocess.fork_exec, [b'/bin/true'], (b'/bin/true',), True, (), None, None,"
        " -1, -1, -1, -1, -1, -1, -1, os.dup(1), True, False, -1, None, None, None, -1, None, False)",
        "tried(os.listdir, '/root')",
        "tried(open, '/etc/passwd')",
        "return [sorted(set(denied)), sorted(os.listdir('.')), sorted(os.environ)]",
    ]
    outcome, sandbox = called(*lines)
    assert sandbox.walls == dict.fromkeys(("limits", "no_network", "no_processes", "files_closed"), True)
    assert outcome.fault == "", outcome.said
    denied, files, environment = outcome.fields["value"]
    assert denied == [1, 13], "not permitted: a process; access denied: files that are none of its business"
    assert files == []
    assert set(environment) <= {"LC_CTYPE", "PWD", "TEMP", "TMP", "TMPDIR", "UNPUZZLE_RUN", "LD_LIBRARY_PATH"}


def test_garbage_among_the_answers_is_noted_and_spoils_none() -> None:
    outcome, sandbox = called(
        "for number in range(3, 50):",
        "    try: os.write(number, b'{}\\n garbage')",
        "    except OSError: pass",
        "return n",
    )
    assert outcome.fields["value"] == 2
    assert "garbage" in sandbox.garbage


@pytest.mark.parametrize(
    "forged",
    [
        '{"i": 1}',
        '{"i": 1, "printed": 0, "acts": [], "value": {"$fraction": [1, 0]}}',
        '{"i": 1, "printed": 0, "acts": [], "value": 1, "again": ' + "[" * 200 + "]" * 200 + "}",
        '{"i": 1, "value": ' + "[" * 100_000,
        '{"i": 1, "printed": "much", "acts": [], "value": 1}',
        '{"i": 1, "printed": 0, "acts": [], "error": "none"}',
        '{"i": 1, "printed": 0, "acts": [], "value": 1, "mutated": [[], 2]}',
        '{"i": 1, "printed": 0, "acts": [], "path": 3}',
        '{"i": -1, "printed": 0, "acts": [], "functions": {"f": 3}}',
        '{"i": -2}',
        '{"i": ' + "9" * 5000 + "}",
        "[]",
        "nothing",
    ],
    ids=range(13),
)
def test_forged_answers_never_break_us(forged: str) -> None:
    """A file can look up the word that its answers begin with; what it then says must have the form of an answer."""
    outcome, sandbox = called(
        "runner = next(f for f in iter(lambda f=[sys._getframe()]: f.__setitem__(0, f[0].f_back) or f[0], None)"
        " if 'self' in f.f_locals).f_locals['self']",
        f"os.write(runner.channel, (runner.request['word'] + ' ' + {forged!r} + chr(10)).encode())",
        "return n",
    )
    assert outcome.fields["value"] == 2
    assert sandbox.garbage


def test_megabytes_past_the_standard_output_are_noted() -> None:
    outcome, sandbox = called("for _ in range(40): os.write(1, b'x' * (1 << 16))", "return n")
    assert outcome.fields["value"] == 2
    assert sandbox.flooded


def test_a_function_that_ends_its_processes_is_not_called_for_ever() -> None:
    sandbox = Sandbox(SETTING + "    os._exit(1)\n", "theirs.py", [], Budget(fatal=2))
    outcomes = sandbox.outcomes([{"function": "hostile", "arguments": [n], "named": {}} for n in range(100)])
    assert [outcome.fault if outcome else None for outcome in outcomes] == ["crash", "crash"] + [None] * 98
    assert sandbox.given_up("hostile")


def test_the_budget_of_all_processes_is_the_end_of_it() -> None:
    sandbox = Sandbox(SETTING + "    time.sleep(0.05)\n", "theirs.py", [], Budget(total=1.0))
    outcomes = sandbox.outcomes([{"function": "hostile", "arguments": [n], "named": {}} for n in range(1000)])
    assert outcomes[-1] is None
    assert all(outcome is None or not outcome.fault for outcome in outcomes), "slow calls are nobody's fault"


def test_nothing_of_ours_is_left_behind(tmp_path: object) -> None:
    before = {process.pid for process in psutil.process_iter()}
    called("import threading", "threading.Thread(target=time.sleep, args=(1000,)).start()", "return n")
    born = [process for process in psutil.Process().children(recursive=True) if process.pid not in before]
    assert all(is_gone(process) for process in born)


@pytest.mark.parametrize(
    ("code", "said", "line"),
    [
        ("def f(:\n", "SyntaxError", 1),
        ("\x00", "null bytes", None),
        ("import os\nimport no_such_module\n", "No module named 'no_such_module'", 2),
        ("import numpy\n", "may import what comes with Python", 1),
        ("x = 1\ny = 1 / 0\n", "ZeroDivisionError", 2),
        ("while True: pass\n", "longer than 0.3 s", 1),
        ("x = [0] * 10 ** 12\n", "MemoryError", 1),
        ("import os\nos._exit(0)\n", "ends the whole process", None),
        ("import os\ntry: os.remove('x')\nexcept OSError: pass\n", "may not: os.remove", None),
        ("raise SystemExit\n", "SystemExit", 1),
    ],
)
def test_code_that_cannot_be_loaded_is_refused_in_a_sentence(code: str, said: str, line: int | None) -> None:
    with pytest.raises(ParseError) as error:
        Sandbox(code, "theirs.py", ["f"], Budget(load=0.3, memory=256 << 20)).load()
    assert said in str(error.value)
    assert error.value.file == "theirs.py"
    assert error.value.line == line
