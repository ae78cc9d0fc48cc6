"""Programs that misbehave in every way we could think of, and what is left of them afterwards: nothing."""

import os
import signal
import stat
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.limited import within
from support.waiting import interrupting, is_gone
from unpuzzle.base.errors import DependencyMissing, PlannerFailed
from unpuzzle.base.run import Limits
from unpuzzle.processes import program as process
from unpuzzle.processes.private_directory import PrivateDirectory, _flatten

MB = 1 << 20
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="uses what only Linux has")
posix = pytest.mark.skipif(os.name != "posix", reason="uses signals and forks")

ALONE = """
import os, signal, sys, time
def alone(forget=None):
    # A child of a child that has gone, in a session of its own, deaf to SIGTERM and with no output of ours.
    # `forget`: the one between goes when the first file exists; the child then drops our mark and makes the second.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            print("pid", os.getpid(), flush=True)
            null = os.open(os.devnull, os.O_RDWR)
            for number in range(3): os.dup2(null, number)
            if forget:
                open(forget[0], "w").close()
                between = os.getppid()
                while os.getppid() == between: time.sleep(0.01)
                program = f"open({forget[2]!r}, 'w').close(); import time; time.sleep(1000)"
                os.execve(sys.executable, [sys.executable, "-c", program], {})
            time.sleep(1000)
        while forget and not os.path.exists(forget[1]): time.sleep(0.01)
        os._exit(0)
"""


def run(program, time_limit=600, memory=None, files=None, **options):
    """Run a Python program; also return the files that it left."""
    limits = Limits(time_limit, memory)
    with PrivateDirectory(files or {}, planner="test") as directory:
        result = within(limits, process.run_program, [sys.executable, "-c", program], directory, **options)
        return result, directory.read("*")


def printed_pids(result):
    return [int(line.split()[1]) for line in result.log.splitlines() if line.startswith("pid ")]


def test_what_a_run_tells():
    result, files = run(
        "print(open('in').read()); open('out','w').write('done'); raise SystemExit(7)", files={"in": "é"}
    )
    assert (result.exit_code, result.signal) == (7, None)
    assert result.limit == ""
    assert not result.cut
    assert result.ending() == "ended with exit code 7"
    assert result.log == "é\n"
    assert files == {"in": "é", "out": "done"}
    assert result.seconds > 0


def test_the_childs_surroundings(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "nowhere")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    monkeypatch.setenv("OTHER", "kept")
    program = """
import os, sys, tempfile
print([name for name in os.environ if name.startswith("PYTHON")], os.environ["OTHER"])
print(repr(sys.stdin.read()))
print(os.path.samefile(os.getcwd(), tempfile.gettempdir()))
"""
    result, _ = run(program)
    assert result.log.splitlines() == ["[] kept", "''", "True"]


def test_output_and_errors_together_or_apart():
    program = "import sys; print('out', flush=True); print('err', file=sys.stderr)"
    together, _ = run(program)
    assert together.output == together.log == "out\nerr\n"
    apart, _ = run(program, split=True)
    assert apart.output == "out\n"
    assert apart.log == "out\nerr\n"


def test_processor_time_is_measured():
    result, _ = run("import time\nwhile time.process_time() < 0.3: pass")
    assert 0.3 <= result.cpu_seconds <= result.seconds + 0.1


@posix
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_ended_by_a_signal(number):
    result, _ = run(f"import os; print('here', flush=True); os.kill(os.getpid(), {int(number)})", memory=500 * MB)
    assert (result.exit_code, result.signal) == (None, number)
    assert result.cut
    assert result.ending() == f"was ended by {number.name}"
    assert result.log == "here\n"
    assert result.limit != "memout"


# --- time ---------------------------------------------------------------------------------------------------------


def saying(said):
    """The end of a program that makes a file and then does nothing for long."""
    return f"\nimport time; open({str(said)!r}, 'w').close(); time.sleep(1000)"


def test_time_limit(time_is_up_when, tmp_path):
    said = tmp_path / "said"
    limit = time_is_up_when(said.exists)
    result, files = run("open('plan', 'w').write('x'); print('begun', flush=True)" + saying(said), limit)
    assert result.limit == "timeout"
    assert result.cut
    assert result.ending() == "reached its time limit"
    assert result.seconds >= limit
    assert result.log == "begun\n"
    assert files == {"plan": "x"}, "what it wrote in time can still be read"


def test_the_time_limit_counts_true_seconds():
    result, _ = run("import time; time.sleep(1000)", 0.3)
    assert result.limit == "timeout"
    assert result.seconds >= 0.3


@posix
def test_deaf_program_with_escaped_children_is_ended(time_is_up_when, tmp_path):
    said = [tmp_path / "one", tmp_path / "two"]
    deaf = ALONE + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    deaf += "".join(f"alone(); os.wait(); open({str(file)!r}, 'w').close()\n" for file in said) + "time.sleep(1000)"
    result, _ = run(deaf, time_is_up_when(lambda: all(file.exists() for file in said)))
    assert result.limit == "timeout"
    pids = printed_pids(result)
    assert len(pids) == 2
    assert all(map(is_gone, pids))


@posix
def test_child_without_our_mark_is_ended(time_is_up_when, sampled_after, tmp_path):
    """It was seen while it was a child of a child."""
    said, forgot = tmp_path / "said", tmp_path / "forgot"
    files = [str(said), str(sampled_after(said)), str(forgot)]
    result, _ = run(ALONE + f"alone({files})\ntime.sleep(1000)", time_is_up_when(forgot.exists))
    assert result.limit == "timeout"
    assert [is_gone(pid) for pid in printed_pids(result)] == [True]


@posix
def test_what_a_program_leaves_running_at_its_end_is_ended():
    result, _ = run(ALONE + "alone()\ntime.sleep(0.2)")
    assert result.exit_code == 0
    assert [is_gone(pid) for pid in printed_pids(result)] == [True]


@posix
def test_child_that_keeps_the_output_open_does_not_hold_us_up():
    result, _ = run("import subprocess, sys; subprocess.Popen(['sleep', '1000']); print('end')")
    assert (result.exit_code, result.limit) == (0, "")
    assert result.log == "end\n"


def test_program_that_closes_its_output_is_waited_for():
    result, _ = run("import os, time; os.close(1); os.close(2); time.sleep(0.3); os._exit(3)")
    assert result.exit_code == 3
    assert result.seconds >= 0.3


@posix
def test_run_within_a_run_is_ended_from_outside(time_is_up_when, tmp_path):
    said = tmp_path / "said"
    inner = f"""
from unpuzzle.processes import program as process
from unpuzzle.processes.private_directory import PrivateDirectory
with PrivateDirectory({{}}, planner="inner") as directory:
    process.run_program(["sh", "-c", "echo $$ > {said}; while :; do sleep 1; done"], directory)
"""
    outer = f"import os, signal, subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {inner!r}])\nsignal.pause()"
    result, _ = run(outer, time_is_up_when(lambda: said.exists() and said.read_text().endswith("\n")))
    assert result.limit == "timeout"
    assert is_gone(int(said.read_text()))


# --- memory -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "bytearray(10**10)",
        "kept = []\nwhile True: kept.append(bytearray(10**6))",
        "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', 'bytearray(10**10)']))",
    ],
    ids=["at once", "bit by bit", "in a child"],
)
def test_allocating_too_much(program):
    result, _ = run(program, memory=200 * MB)
    assert result.limit == "memout"
    assert result.ending() == "reached its memory limit"


@linux
@pytest.mark.parametrize("memory", [1, 100_000, MB, 5 * MB, 9 * MB, 9_800_000, 10 * MB])
def test_limit_too_small_for_the_program_itself(memory):
    result, _ = run("print('up')", memory=memory)
    assert result.limit == "memout"


@posix
def test_the_limit_holds_for_all_processes_together():
    program = "import os, time\nos.fork(); os.fork()\nkept = b'x' * 10**8; time.sleep(600)"
    result, _ = run(program, memory=300 * MB)
    assert result.limit == "memout"
    assert result.peak_memory > 300 * MB


@linux
def test_shared_pages_count_once():
    program = "import os, time\nkept = b'x' * 10**8\nos.fork(); os.fork(); time.sleep(0.5)"
    result, _ = run(program, memory=300 * MB)
    assert result.exit_code == 0
    assert result.limit != "memout"


def test_peak_memory_is_seen(sampled_after, tmp_path):
    said = tmp_path / "said"
    until_seen = f"open({str(said)!r}, 'w').close()\nwhile not os.path.exists({str(sampled_after(said))!r}): pass"
    result, _ = run(f"import os; kept = b'x' * (200 << 20); {until_seen}")
    assert 200 * MB <= result.peak_memory < 300 * MB


@linux
def test_the_peak_of_a_short_program_is_seen_whatever_we_hold():
    """Too short to be sampled: the kernel tells it, to whom whoever started a process counts at first."""
    ours = bytearray(600 << 20)
    result, _ = run("kept = b'x' * (200 << 20)")
    assert 200 * MB <= result.peak_memory < 300 * MB
    assert len(ours) > result.peak_memory


def test_failing_for_another_reason_is_not_want_of_memory():
    result, _ = run("raise SystemExit(1)", memory=500 * MB)
    assert result.limit != "memout"


# --- output -------------------------------------------------------------------------------------------------------


def test_huge_output_keeps_beginning_and_end():
    program = "import sys\nprint('first')\nfor _ in range(40): sys.stdout.write('x' * (1 << 20))\nprint('last')"
    result, _ = run(program)
    assert result.log.startswith("first\n")
    assert result.log.endswith("last\n")
    assert "bytes left out" in result.log
    assert len(result.log) < 9 * MB


def test_endless_output():
    result, _ = run("while True: print('again and again ' * 1000)", 1)
    assert result.limit == "timeout"
    assert len(result.log) < 9 * MB


def test_output_that_is_not_text():
    result, _ = run(r"import sys; sys.stdout.buffer.write(b'a\xff\xfe\x00b\r\n')")
    assert result.log == "a\ufffd\ufffd\x00b\n"


@posix
def test_only_regular_files_are_read():
    program = "import os; os.mkfifo('plan'); os.symlink('/dev/zero', 'plan.1'); os.mkdir('plan.2')"
    _, files = run(program)
    assert files == {}


# --- what cannot run ----------------------------------------------------------------------------------------------


def test_missing_program():
    with PrivateDirectory({}, planner="command:x") as directory:
        with pytest.raises(
            DependencyMissing, match="needs the program 'no-such-planner': it is not on the PATH"
        ) as caught:
            process.run_program(["no-such-planner"], directory)
        assert caught.value.dependency == "command:x"
        with pytest.raises(DependencyMissing, match=r"'\./no/such': there is no such program"):
            process.run_program(["./no/such"], directory)
        with pytest.raises(DependencyMissing):
            process.run_program([""], directory)


@posix
def test_program_that_cannot_be_started(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with (
        PrivateDirectory({}, planner="test") as directory,
        pytest.raises(PlannerFailed, match="cannot be started"),
    ):
        process.run_program([str(broken)], directory)


def test_no_place_for_the_directory(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with (
        pytest.raises(PlannerFailed, match="no directory for its files could be made"),
        PrivateDirectory({}, planner="test"),
    ):
        pass


def test_half_made_directory_is_removed():
    with (
        pytest.raises(PlannerFailed, match="no directory for its files could be made"),
        PrivateDirectory({"a": "", "no/such/folder": ""}, planner="test"),
    ):
        pass


@posix
def test_locked_folder_is_removed():
    lock = "import os; os.makedirs('a/b'); open('a/b/c', 'w'); os.chmod('a/b', 0); os.chmod('a', 0)"
    with PrivateDirectory({}, planner="test") as directory:
        result = within(Limits(30, None), process.run_program, [sys.executable, "-c", lock], directory)
        assert result.exit_code == 0
        assert stat.S_IMODE(os.stat(directory.file("a")).st_mode) == 0
    assert not os.path.exists(directory.path)


@posix
def test_directory_is_private():
    with PrivateDirectory({}, planner="test") as directory:
        assert stat.S_IMODE(os.stat(directory.path).st_mode) == 0o700


# --- interrupted, and side by side --------------------------------------------------------------------------------


@posix
@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
@pytest.mark.parametrize("deaf", [False, True])
def test_interrupt(deaf, monkeypatch, tmp_path):
    said = tmp_path / "said"
    program = ALONE + f"deaf = {deaf}\nos.dup2(os.open({str(said)!r}, os.O_CREAT | os.O_WRONLY), 1)\n"
    program += "if deaf: signal.signal(signal.SIGTERM, signal.SIG_IGN)\nalone()\ntime.sleep(1000)"
    here = lambda: said.exists() and said.read_text().endswith("\n")  # noqa: E731
    with pytest.raises(KeyboardInterrupt), interrupting(here):
        run(program, None)
    assert is_gone(int(said.read_text().split()[1]))


def test_many_at_once():
    program = "import time; text = open('in').read(); time.sleep(0.2); open('out', 'w').write(text * 2)"
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: run(program, files={"in": str(number)})[1]["out"], range(10, 26)))
    assert answers == [str(number) * 2 for number in range(10, 26)]


def test_one_timeout_does_not_touch_the_others():
    def limited(seconds):
        return run("import time; time.sleep(1.2)", seconds)[0]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(limited, [0.5, 30, 0.7, 30]))
    assert [result.limit for result in results] == ["timeout", "", "timeout", ""]
    assert [result.exit_code for result in results][1::2] == [0, 0]


def test_a_bare_run_inherits_nothing_of_the_environment(monkeypatch):
    monkeypatch.setenv("A_SECRET", "of ours")
    program = "import os; print(sorted(os.environ))"
    assert "A_SECRET" in run(program)[0].log
    names = eval(run(program, bare=True)[0].log)
    assert set(names) <= {"TMPDIR", "TEMP", "TMP", "PWD", "UNPUZZLE_RUN", "LC_CTYPE", "LD_LIBRARY_PATH", "SYSTEMROOT"}


@posix
def test_a_folder_nested_deeper_than_a_path_may_be_long_is_removed():
    """One such folder broke this run, and all that came after it and found it left."""
    nest = "import os\nfor _ in range(1200): os.mkdir('abcd'); os.chdir('abcd')\nopen('file', 'w')"
    with PrivateDirectory({}, planner="test") as directory:
        assert within(Limits(30, None), process.run_program, [sys.executable, "-c", nest], directory).exit_code == 0
    assert not os.path.exists(directory.path)


def test_of_a_tree_too_deep_all_folders_are_moved_up(tmp_path):
    tree = tmp_path / "tree"
    (tree / "a" / "b" / "c" / "d").mkdir(parents=True)
    (tree / "a" / "b" / "e").mkdir()
    (tree / "a" / "b" / "c" / "file").touch()
    _flatten(str(tree))
    assert [path.is_dir() for path in tree.glob("*")] == [True] * 5
    assert [path.name for path in tree.glob("*/*")] == ["file"]


def test_a_plan_that_is_removed_while_we_look_is_no_plan(monkeypatch):
    with PrivateDirectory({"plan": "(a)", "plan.2": "(b)"}, planner="test") as directory:
        entries = directory.entries("plan*")
        os.unlink(directory.file("plan"))
        monkeypatch.setattr(directory, "entries", lambda pattern: entries)
        assert directory.read("plan*") == {"plan.2": "(b)"}


@posix
def test_a_pipe_that_takes_the_place_of_a_plan_is_not_waited_for(monkeypatch):
    with PrivateDirectory({"plan": "(a)"}, planner="test") as directory:
        entries = directory.entries("plan")
        assert [entry.stat().st_size for entry in entries] == [3]
        os.unlink(directory.file("plan"))
        os.mkfifo(directory.file("plan"))
        writer = os.open(directory.file("plan"), os.O_RDWR)
        os.write(writer, b"(b)")
        threading.Timer(1, os.close, [writer]).start()
        monkeypatch.setattr(directory, "entries", lambda pattern: entries)
        assert directory.read("plan") == {}
