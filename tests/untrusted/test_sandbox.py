"""Hostile code in the sandbox: each act ends as an outcome of its call, and the calls before and after are answered."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.waiting import is_gone
from support.walls import has_basic_walls, insist_on_walls
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.processes import walls
from unpuzzle.processes.walls import BASIC
from unpuzzle.untrusted import sandbox as sandbox_module
from unpuzzle.untrusted.sandbox import Budget, Outcome, ProcessAnswers, Sandbox

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
    assert outcome.message


@pytest.mark.parametrize(
    "lines",
    [
        [
            "for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU): signal.signal(number, signal.SIG_IGN)",
            "while True: pass",
        ],
        ["signal.raise_signal(signal.SIGSTOP)"],
        ["signal.setitimer(signal.ITIMER_REAL, 0)", "signal.setitimer(signal.ITIMER_PROF, 0)", "time.sleep(1000)"],
        ["signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))", "while True: time.sleep(1)"],
    ],
    ids=["ignored", "stopped", "timers taken away", "blocked"],
)
def test_time_is_limited_even_where_no_signal_ends_a_call(lines: list[str]) -> None:
    outcome, _ = called(*lines, budget=Budget(call=0.2, run=1.0, memory=256 << 20, fatal=1))
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
    assert "may not do this" in outcome.message


def test_what_components_may_not_do_is_told_even_where_they_go_on() -> None:
    outcome, _ = called("try: os.remove(__file__)", "except OSError: pass", "return n")
    assert (outcome.fields["value"], outcome.acts) == (2, ["os.remove"])


@linux
@pytest.mark.parametrize("apart", [False, True], ids=["walls of the kernel", "within bubblewrap"])
def test_the_kernel_refuses_what_goes_past_the_interpreter(apart: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that the hook which names forbidden acts does not see, or lets pass."""
    if not apart:
        monkeypatch.setattr(sandbox_module, "BUBBLEWRAP", "no-such-program")
    if not has_basic_walls():
        pytest.skip("this kernel has not all walls")
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
    names = ("limits", "no_network", "no_processes", "files_closed")
    assert sandbox.walls == {**dict.fromkeys(names, True), "namespaces": apart and sandbox.walls["namespaces"]}
    assert outcome.fault == "", outcome.message
    denied, files, environment = outcome.fields["value"]
    # Not permitted: a process. Access denied, or not even there: files that are none of its business.
    assert denied in ([1, 13], [1, 2], [1, 2, 13])
    assert files == []
    assert set(environment) <= {"LC_CTYPE", "PWD", "TEMP", "TMP", "TMPDIR", "UNPUZZLE_RUN", "LD_LIBRARY_PATH"}


@linux
def test_threads_are_refused() -> None:
    """By the hook, where Python asks it, and else by the kernel: neither root nor users get one."""
    if not has_basic_walls():
        pytest.skip("this kernel has not all walls")
    outcome, _ = called("import threading", "threading.Thread(target=print).start()")
    assert outcome.fault == "exception"
    assert "can't start new thread" in outcome.message or outcome.acts


@linux
def test_without_namespaces_the_code_runs_behind_the_other_walls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A Bubblewrap that is installed and may not do its work."""
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sandbox_module, "BUBBLEWRAP", str(broken))
    outcome, sandbox = called("return n")
    assert outcome.fields["value"] == 2
    assert sandbox.walls["namespaces"] is False


@pytest.mark.parametrize("missing", BASIC)
def test_without_a_basic_wall_the_code_is_run_only_where_that_is_asked_for(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A copy of what runs there, on a system that has not the wall."""
    shutil.copy(walls.__file__, tmp_path)
    with (tmp_path / "walls.py").open("a") as file:
        file.write(f"\ncomplete = close\ndef close(*given): return {{**complete(*given), {missing!r}: False}}\n")
    monkeypatch.setattr(sandbox_module, "WALLS_FILE", str(tmp_path / "walls.py"))
    insist_on_walls(monkeypatch)
    ran: list[bool] = []
    answered = Sandbox._answered

    def heard(*given: Any) -> Any:
        answers, run = answered(*given)
        ran.append(answers.loaded is not None)
        return answers, run

    monkeypatch.setattr(Sandbox, "_answered", heard)
    code = "raise SystemExit('it runs')\n"
    with pytest.raises(UnsupportedFeature, match=r"the code is not run, since this system .*; --unsafe .*all the same"):
        Sandbox(code, "theirs.py", ["f"], BUDGET).load()
    with pytest.raises(ParseError, match="it runs"):
        Sandbox(code, "theirs.py", ["f"], BUDGET, unsafe=True).load()
    assert ran == [False, True]


def test_garbage_among_the_answers_is_noted_and_spoils_none() -> None:
    outcome, sandbox = called(
        "for number in range(3, 50):",
        "    try: os.write(number, b'{}\\n garbage')",
        "    except OSError: pass",
        "return n",
    )
    assert outcome.fields["value"] == 2
    assert "garbage" in sandbox.garbage


PLAIN = '"printed": 0, "acts": []'
FORGED = [
    '{"i": 1}',
    '{"i": Infinity}',
    '{"i": -Infinity}',
    '{"i": NaN}',
    '{"i": 1e999, "value": 1}',
    '{"i": 1.0, "value": 1, %s}',
    '{"i": true, "value": 1, %s}',
    '{"i": "1", "value": 1, %s}',
    '{"i": [1], "value": 1, %s}',
    '{"i": null, "value": 1, %s}',
    '{"i": -3, "value": 1, %s}',
    '{"i": 3, "value": 1, %s}',
    '{"i": 1, "value": {"$fraction": [1, 0]}, %s}',
    '{"i": 1, "value": {"$fraction": [1, -2]}, %s}',
    '{"i": 1, "value": {"$fraction": [1.5, 2]}, %s}',
    '{"i": 1, "value": {"$fraction": [true, 2]}, %s}',
    '{"i": 1, "value": {"$fraction": ["1", "2"]}, %s}',
    '{"i": 1, "value": {"$fraction": "12"}, %s}',
    '{"i": 1, "value": {"$fraction": [1, 2], "more": 1}, %s}',
    '{"i": 1, "value": Infinity, %s}',
    '{"i": 1, "value": [NaN], %s}',
    '{"i": 1, "value": 1e999, %s}',
    '{"i": 1, "value": ' + "9" * 4200 + ", %s}",
    '{"i": 1, "value": 1, "again": 1, %s}',
    '{"i": 1, "value": 1, "more": 1, %s}',
    '{"i": 1, "value": ' + "[" * 200 + "]" * 200 + ", %s}",
    '{"i": 1, "value": ' + "[" * 100_000,
    '{"i": 1, "value": "' + "x" * (1 << 22) + '", %s}',
    '{"i": 1, "printed": "much", "acts": [], "value": 1}',
    '{"i": 1, "printed": -1, "acts": [], "value": 1}',
    '{"i": 1, "printed": 1e9, "acts": [], "value": 1}',
    '{"i": 1, "printed": true, "acts": [], "value": 1}',
    '{"i": 1, "printed": 0, "acts": [[]], "value": 1}',
    '{"i": 1, "printed": 0, "acts": [1], "value": 1}',
    '{"i": 1, "printed": 0, "acts": {}, "value": 1}',
    '{"i": 1, "printed": 0, "acts": ["os.kill", "os.kill", "os.kill", "os.kill"], "value": 1}',
    '{"i": 1, "error": "none", %s}',
    '{"i": 1, "error": {}, %s}',
    '{"i": 1, "error": {"type": 1, "said": "", "line": 1, "function": "", "ours": true}, %s}',
    '{"i": 1, "error": {"type": "", "said": "", "line": "1", "function": "", "ours": true}, %s}',
    '{"i": 1, "error": {"type": "", "said": "", "line": 1.5, "function": "", "ours": true}, %s}',
    '{"i": 1, "error": {"type": "", "said": "", "line": 1, "function": [], "ours": 1}, %s}',
    '{"i": 1, "value": 1, "mutated": [[], 2], %s}',
    '{"i": 1, "value": 1, "mutated": [1, 2], %s}',
    '{"i": 1, "value": 1, "mutated": {}, %s}',
    '{"i": 1, "path": 3, %s}',
    '{"i": 1, "path": [[1]], "expanded": 1, "generated": 1, %s}',
    '{"i": -1, "functions": {"f": 3}, %s}',
    '{"i": -1, "functions": [], %s}',
    '{"i": -1, "functions": {"f": {"taken": 1, "needed": [], "positional": 1, "anything": true}}, %s}',
    '{"i": -2}',
    '{"i": -2, "walls": {"limits": 1}}',
    '{"i": -2, "walls": []}',
    '{"i": ' + "9" * 5000 + "}",
    "[]",
    "1",
    "null",
    '"i"',
    "nothing",
    "",
    "\\ud800",
    "\\x00",
]
"""Lines with the word of true answers: each would have an effect, were it taken for what it says."""


@pytest.mark.parametrize("forged", FORGED, ids=range(len(FORGED)))
def test_forged_answers_are_garbage(forged: str) -> None:
    """A file can look up the word that its answers begin with; what it then says must have the form of an answer."""
    call = {"function": "f", "arguments": [1], "named": {}}
    answers = ProcessAnswers("word", ["f"], [call] * 3)
    answers.take("word " + forged.replace("%s", PLAIN) + "\n")
    assert (answers.walls, answers.loaded, answers.of_calls) == (None, None, {})
    assert answers.garbage or not forged


@pytest.mark.parametrize(
    ("call", "forged"),
    [
        ({"many": True}, '"value": 3'),
        ({"many": True}, '"value": null'),
        ({"twice": True}, '"value": 3'),
        ({"twice": True, "many": True}, '"value": [], "again": 3'),
        ({"search": ["f", "g"]}, '"value": 3'),
        ({"search": ["f", "g"]}, '"path": 3, "expanded": 1, "generated": 1'),
        ({"search": ["f", "g"]}, '"path": [], "expanded": 1, "generated": 1'),
        ({"search": ["f", "g"]}, '"path": null, "expanded": -1, "generated": 1'),
        ({"search": ["f", "g"]}, '"path": null, "expanded": 1, "generated": Infinity'),
        ({"search": ["f", "g"]}, '"path": null, "expanded": 1, "generated": 1, "ended": 1'),
        ({}, '"path": null, "expanded": 1, "generated": 1'),
    ],
)
def test_an_answer_to_another_kind_of_call_is_garbage(call: dict[str, Any], forged: str) -> None:
    answers = ProcessAnswers("word", [], [{"function": "f", **call}])
    answers.take(f'word {{"i": 0, {forged}, {PLAIN}}}\n')
    assert answers.of_calls == {}
    assert answers.garbage


def test_the_first_answer_counts() -> None:
    answers = ProcessAnswers("word", [], [{"function": "f"}])
    for number in (1, 2):
        answers.take(f'word {{"i": 0, "value": {number}, {PLAIN}}}\n')
        answers.take(f'word {{"i": -2, "walls": {{"limits": {"true" if number == 1 else "false"}}}}}\n')
    assert answers.of_calls[0]["value"] == 1
    assert answers.walls == {"limits": True}


def test_forged_answers_never_break_us() -> None:
    """Written by a component itself, among its true answers."""
    lines = [forged.replace("%s", PLAIN) for forged in FORGED if len(forged) < 10_000]
    outcome, sandbox = called(
        "runner = next(f for f in iter(lambda f=[sys._getframe()]: f.__setitem__(0, f[0].f_back) or f[0], None)"
        " if 'self' in f.f_locals).f_locals['self']",
        f"for line in {lines!r}:",
        "    os.write(runner.channel, (runner.request['word'] + ' ' + line + chr(10)).encode())",
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


def test_nothing_of_ours_is_left_behind() -> None:
    before = {process.pid for process in psutil.process_iter()}
    called("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))", "return n")
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
        ("import os\ntry: os.remove('x')\nexcept OSError: pass\n", "may not do: os.remove", None),
        ("raise SystemExit\n", "SystemExit", 1),
    ],
)
def test_code_that_cannot_be_loaded_is_refused_in_a_sentence(code: str, said: str, line: int | None) -> None:
    with pytest.raises(ParseError) as error:
        Sandbox(code, "theirs.py", ["f"], Budget(load=0.3, memory=256 << 20)).load()
    assert said in str(error.value)
    assert error.value.file == "theirs.py"
    assert error.value.line == line


def test_the_kernel_gives_a_process_more_time_than_we_do() -> None:
    """So a process is ended by its limit of time, and what it has answered counts."""
    for seconds in (0.5, 10.0):
        request = Sandbox("", "theirs.py", [], Budget(run=seconds))._request("word", [])
        assert request["cpu_seconds"] > seconds


@linux
def test_a_wall_is_reported_where_it_stands() -> None:
    """The filter of calls, by what the kernel says of the process."""
    program = f"""
import sys
sys.path.insert(0, {str(Path(walls.__file__).parent)!r})
import walls
status = open("/proc/self/status")
walls.needed = lambda: ["/proc"]
told = walls.close({{"cpu_seconds": 9, "namespaces": False}})
status.seek(0)
print(told["no_processes"], told["limits"], "Seccomp:\\t2" in status.read())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() in (["True"] * 3, ["False", "True", "False"]), done.stderr
