"""The timer that holds a command's limits where nobody looks, and which commands take limits at all."""

import _thread
import json
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from threading import Timer

import pytest

from support.fixtures import Capsys
from support.script_texts import script
from support.stuck import STUCK
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run
from unpuzzle.cli import COMMANDS, alarm, main
from unpuzzle.cli.alarm import AGAIN, LATE, Alarm
from unpuzzle.cli.parser import has_limits, limits_of, parse

WITHOUT = {"doctor", "list", "lsp", "mcp", "new", "repair", "report", "studio", "help", "version"}
"""Commands that take little time (list, new, report), serve until they are stopped, or have budgets of their own."""

WORDS = {
    "plan": ["d", "p"],
    "validate": ["d", "p", "plan"],
    "diff": ["d", "p", "d", "p"],
    "booklet": ["boxup", "1", "-o", "x.pdf"],
    "grade": ["d", "d", "--problems", "."],
    "survey": ["boxup"],
    "generate": ["boxup"],
    "experiment": ["boxup", "--planners", "native"],
    "lint": ["d"],
    "trace": ["game.txt", "1", "u"],
}


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - WITHOUT))
def test_every_command_takes_limits(command: str) -> None:
    words = WORDS.get(command, ["boxup", "1"])
    _, options = parse(command, [*words, "--time-limit", "7", "--memory-limit", "300M"])
    assert (options.time_limit, options.memory_limit, options.cpu_limit) == (7, 300 << 20, None)
    assert has_limits(options)
    _, options = parse(command, [*words, "--cpu-limit", "3"])
    assert options.cpu_limit == 3
    assert has_limits(options)


def entered(memory: int | None = None) -> Alarm:
    """Return an alarm that takes itself for set; no timer is."""
    timer = Alarm(memory)
    timer._set = True
    return timer


def test_it_strikes_beyond_the_memory_limit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(100)
    monkeypatch.setattr(alarm, "resident_memory", lambda: 103)
    timer._check_limits(signal.SIGINT, None)
    monkeypatch.setattr(alarm, "resident_memory", lambda: 105)
    with pytest.raises(LimitReached, match="the memory limit was reached") as reached:
        timer._check_limits(signal.SIGINT, None)
    assert reached.value.status == "memout"
    timer._check_limits(signal.SIGINT, None)


def test_it_strikes_beyond_the_limit_of_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered()
    with Run(Limits(cpu=3)) as run:
        now = run.cpu_end or 0
        monkeypatch.setattr("unpuzzle.base.run.process_time", lambda: now + LATE)
        timer._check_limits(signal.SIGINT, None)
        monkeypatch.setattr("unpuzzle.base.run.process_time", lambda: now + LATE + 0.01)
        with pytest.raises(LimitReached, match="the limit of processor time was reached") as reached:
            timer._check_limits(signal.SIGINT, None)
        assert reached.value.status == "timeout"
        timer._check_limits(signal.SIGINT, None)


def test_the_limit_of_processor_time_is_less_what_the_command_has_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.base.run.process_time", lambda: 52.0)
    given = Namespace(clock=100.0, time_limit=None, memory_limit=None, cpu_limit=3, cpu_clock=50.0)
    assert Run(limits_of(given)).cpu_left() == 1
    assert Run(limits_of(given, each=True)).cpu_left() == 3


def test_nothing_is_struck_while_a_library_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(100)
    monkeypatch.setattr(alarm, "resident_memory", lambda: 105)
    monkeypatch.setattr(alarm, "loads_library", lambda frame: True)
    assert timer._check_limits(signal.SIGINT, None) is None  # and raises nothing


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_a_puzzle_that_never_ends_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    command = [sys.executable, "-m", "unpuzzle", "solve", str(tmp_path / "stuck.py"), "1", "--time-limit", "0.5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "unpuzzle: the time limit was reached while reading the level\n"


def test_in_anothers_process_no_timer_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "setitimer", lambda *_: pytest.fail("a timer was set"))
    assert main(["draw", "boxup", "1", "--time-limit", "1000"]) == 0


def test_the_running_one_of_several_runs_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered()
    deadline = Run(Limits(time=10), "looking at the level")
    struck = []
    with deadline:
        for late in (-1, LATE / 2, LATE + 0.01, LATE + 0.5, LATE + AGAIN + 0.1):
            now = (deadline.end or 0) + late
            monkeypatch.setattr(alarm, "perf_counter", lambda now=now: now)
            monkeypatch.setattr("unpuzzle.base.run.perf_counter", lambda now=now: now)
            try:
                timer._check_limits(signal.SIGINT, None)
            except LimitReached as reached:
                struck.append((late, str(reached)))
    message = "the time limit was reached while looking at the level"
    assert struck == [(LATE + 0.01, message), (LATE + AGAIN + 0.1, message)]
    timer._quiet_until = 0.0
    timer._check_limits(signal.SIGINT, None)  # nothing runs


NEVER_LOOKS = (
    STUCK.replace("while True:\n            pass", "return cls()")
    + """
    def impossible(self):
        while True:
            pass
"""
)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
@pytest.mark.parametrize("words", [["survey"], ["compare", "1", "--algorithms", "bfs"]])
def test_each_level_of_several_is_interrupted(words: list[str], tmp_path: Path) -> None:
    """Only `solve` was held from outside: `survey` and `compare` of a game that does not look never ended."""
    assert "return cls()" in NEVER_LOOKS
    (tmp_path / "stuck.py").write_text(NEVER_LOOKS)
    command = [
        sys.executable,
        "-m",
        "unpuzzle",
        words[0],
        str(tmp_path / "stuck.py"),
        *words[1:],
        "--time-limit",
        "0.5",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3, done.stderr
    assert "timeout" in done.stdout


# ---- Turns that take longer than anybody waits: every command ends at its limits, and with Ctrl-C


LONG = """startloop
[ Crate ] [ Crate ] [ Player ] -> [ Mark ] [ Crate ] [ Player ]
[ Mark ] [ Mark ] [ Player ] -> [ Crate ] [ Mark ] [ Player ]
endloop"""
"""Every pair of crates, 200 times, 200 times."""
LIMIT = ["--time-limit", "0.3"]
ENGINES = ["python", "native"]


def long_game(tmp_path: Path, prelude: str = "") -> str:
    text = script(rules=LONG, levels="p" + "*" * 60 + 30 * ("\n" + "*" * 61), prelude=prelude)
    text = text.replace("LEGEND\n", "Mark\nred\n\nLEGEND\n", 1).replace(
        "Player, Wall, Crate", "Player, Wall, Crate, Mark"
    )
    file = tmp_path / "long.txt"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trace_out_of_time_gives_the_boards_so_far(tmp_path: Path, engine: str, capsys: Capsys) -> None:
    assert main(["trace", long_game(tmp_path), "0", "r", "--engine", engine, *LIMIT, "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "timeout"
    assert found["message"] == "the time limit was reached while playing the inputs: input 1 did not end"
    assert found["start"].startswith("background player,background crate")
    assert (found["boards"], found["won"], found["capped"]) == ([], None, False)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_turns_that_a_level_begins_with_are_limited(tmp_path: Path, engine: str, capsys: Capsys) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    assert main(["trace", game, "0", "r", "--engine", engine, *LIMIT]) == 3
    assert "the turns that the level begins with did not end" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ENGINES)
def test_an_interrupt_ends_a_turn(tmp_path: Path, engine: str, capsys: Capsys) -> None:
    game = long_game(tmp_path)
    timer = Timer(1, _thread.interrupt_main)
    timer.start()
    try:
        assert main(["trace", game, "0", "r", "--engine", engine]) == 130
    finally:
        timer.join()
    told = capsys.readouterr()
    assert "interrupted: input 1 did not end" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "GAME", "0", "r"],
        ["draw", "GAME", "0", "r"],
        ["solve", "GAME", "0"],
        ["solve", "GAME", "0", "--planner", "rules:bfs"],
        ["survey", "GAME"],
        ["explore", "GAME", "0"],
    ],
    ids=" ".join,
)
def test_a_long_turn_ends_at_the_time_limit(tmp_path: Path, words: list[str]) -> None:
    game = long_game(tmp_path)
    assert main([game if word == "GAME" else word for word in [*words, *LIMIT]]) == 3


@pytest.mark.parametrize(
    "words", [["replay", "r"], ["draw"], ["solve"], ["check"], ["pddl"], ["explore"]], ids=" ".join
)
def test_a_level_that_begins_with_long_turns_is_read_within_the_limit(
    tmp_path: Path, words: list[str], capsys: Capsys
) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    assert main([words[0], game, "0", *words[1:], *LIMIT, "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["message"]) == ("timeout", "the time limit was reached while reading the level")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_levels_that_begin_with_long_turns_are_made_within_the_limit(tmp_path: Path, workers: str) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    assert main(["generate", game, "--from", "0", "--count", "1", "--workers", workers, *LIMIT]) == 3


def test_a_survey_goes_on_after_a_level_that_begins_with_long_turns(tmp_path: Path, capsys: Capsys) -> None:
    game = long_game(tmp_path, prelude="run_rules_on_level_start")
    with open(game, "a") as file:
        file.write("\np#\n")
    assert main(["survey", game, *LIMIT, "--json"]) == 3
    rows = json.loads(capsys.readouterr().out)
    assert [row["status"] for row in rows] == ["timeout", "solved_optimally"]
