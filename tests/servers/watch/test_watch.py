"""`unpuzzle watch`, in a process of its own, while files change as editors change them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from support.command_line import run_json
from support.modules import ROOT
from support.waiting import PATIENCE
from unpuzzle.servers.watch import Found, Look, Looker, LookResult, Subjects, news

DOMAIN = (ROOT / "docs/files/river/domain.pddl").read_text()
PROBLEM = (ROOT / "docs/files/river/p1.pddl").read_text()
STOREROOM = (ROOT / "puzzlescript/games/storeroom.txt").read_text()


class Watcher:
    """A running `unpuzzle watch --json`, whose lines are asked for one by one."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "unpuzzle", "watch", "--json", *words]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def news(self) -> dict[str, Any]:
        """Return the next news that are any."""
        return dict(json.loads(self.lines.get(timeout=PATIENCE)))

    def until(self, name: str, said: str) -> dict[str, Any]:
        """Return the next news in which a result is so; a save may have been seen in two parts."""
        while True:
            told = self.news()
            if {"name": name, "said": said} in [
                {key: each[key] for key in ("name", "said")} for each in told["results"]
            ]:
                return told

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal; return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def watchers() -> Iterator[list[Watcher]]:
    running: list[Watcher] = []
    yield running
    for watcher in running:
        watcher.process.kill()
        watcher.process.communicate()


@pytest.fixture
def river(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p1.pddl").write_text(PROBLEM)
    return tmp_path


def replace(path: Path, text: str) -> None:
    """Save as editors do that write a new file and rename it."""
    other = path.with_name(f".{path.name}.swp")
    other.write_text(text)
    os.replace(other, path)


def test_each_save_tells_what_is_new(river: Path, watchers: list[Watcher]) -> None:
    watchers.append(watcher := Watcher(river, "p1.pddl"))
    first = watcher.news()
    assert first["first"]
    assert first["results"] == [{"name": "p1.pddl", "verdict": "yes", "said": "cost 7"}]
    replace(river / "domain.pddl", DOMAIN.replace("?t - thing", "?t - thnig", 1))
    broken = watcher.until("p1.pddl", "not run: there are errors")
    assert [fault["code"] for fault in broken["new_faults"]] == ["unknown-type"]
    assert broken["new_faults"][0]["file"] == "domain.pddl"
    replace(river / "domain.pddl", DOMAIN)
    mended = watcher.until("p1.pddl", "cost 7")
    assert [fault["code"] for fault in mended["faults_gone"]] == ["unknown-type"]
    assert mended["faults"] == 0
    (river / "p1.pddl").write_text(PROBLEM[: len(PROBLEM) // 2])  # half of it
    half = watcher.until("p1.pddl", "not run: there are errors")
    assert half["new_faults"]
    (river / "p1.pddl").write_text(PROBLEM)
    watcher.until("p1.pddl", "cost 7")
    (river / "p1.pddl").unlink()
    assert watcher.news()["missing"] == ["p1.pddl"]
    (river / "p1.pddl").write_text(PROBLEM)
    watcher.until("p1.pddl", "cost 7")
    assert watcher.end() == 130
    assert watcher.news()["status"] == "interrupted"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files are texts")
def test_a_file_whose_name_is_no_text_ends_nothing_and_a_pipe_is_told_of_once(
    river: Path, watchers: list[Watcher]
) -> None:
    os.mkfifo(river / "p2.pddl")
    watchers.append(watcher := Watcher(river, "p1.pddl"))
    watcher.until("p1.pddl", "cost 7")
    with open(os.fsencode(river) + b"/\xff.pddl", "w") as file:
        file.write(PROBLEM)
    for text, said in ((PROBLEM[:50], "not run: there are errors"), (PROBLEM, "cost 7")):
        replace(river / "p1.pddl", text)
        watcher.until("p1.pddl", said)
    assert watcher.end() == 130
    assert watcher.process.stderr is not None
    assert watcher.process.stderr.read().count("this is a pipe or a device") == 1


def test_other_costs_are_told_with_what_they_were(tmp_path: Path, watchers: list[Watcher]) -> None:
    levels = tmp_path / "levels.sok"
    levels.write_text("#####\n#@$.#\n#####\n")
    watchers.append(watcher := Watcher(tmp_path, "--puzzle", "sokoban", "levels.sok"))
    assert watcher.news()["results"][0]["said"] == "cost 1"
    levels.write_text("######\n#@$ .#\n######\n")
    [change] = watcher.until("levels.sok", "cost 2")["changes"]
    assert change == {"name": "levels.sok", "before": "cost 1", "after": "cost 2"}
    assert watcher.end(signal.SIGTERM) == 143


def test_edited_code_is_loaded_anew_and_a_save_ends_what_hangs(tmp_path: Path, watchers: list[Watcher]) -> None:
    subprocess.run([sys.executable, "-m", "unpuzzle", "new", "lamp"], cwd=tmp_path, check=True, capture_output=True)
    code = (tmp_path / "lamp.py").read_text()
    name = "lamp.py, check of level 1"
    watchers.append(watcher := Watcher(tmp_path, "lamp.py", "--time-limit", "3600"))
    first = {result["name"]: result["verdict"] for result in watcher.news()["results"]}
    assert first[name] == "yes"
    replace(tmp_path / "lamp.py", f"{code}\nwhile True:\n    pass\n")
    replace(tmp_path / "lamp.py", f"{code}\nraise ValueError('broken')\n")
    [result] = watcher.news()["results"]
    assert result["verdict"] == "refused"
    assert "broken" in result["said"]
    replace(tmp_path / "lamp.py", code)
    assert {result["name"]: result["verdict"] for result in watcher.news()["results"]} == first
    assert watcher.end() == 130


def test_games_are_surveyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.txt"
    path.write_text(STOREROOM)
    code, told = run_json(capsys, "watch", "--once", str(path))
    assert (code, told["first"], told["faults"]) == (0, True, 0)
    assert all(result["said"].startswith("cost ") for result in told["results"])
    path.write_text(STOREROOM.replace("COLLISIONLAYERS", "COLISIONLAYERS"))
    code, told = run_json(capsys, "watch", "--once", str(path))
    assert code == run_json(capsys, "lint", str(path))[0] == 1
    assert told["new_faults"]
    assert [result["said"] for result in told["results"]] == ["not run: there are errors"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(:requirements", "(:requirements :preferences"),
        ("(:predicates", "(:predicates (unused)"),
        ("(:action", "(:aktion"),
        ("(:predicates", "(:predicates ("),
        ("(define", "(define \0"),
        (":effect (and", ":effect (and (no-such-fact)"),
    ],
)
def test_once_exits_as_lint_does(old: str, new: str, river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (river / "domain.pddl").write_text(DOMAIN.replace(old, new, 1))
    files = str(river / "domain.pddl"), str(river / "p1.pddl")
    assert run_json(capsys, "watch", "--once", *files)[0] == run_json(capsys, "lint", *files)[0]


def test_a_domain_goes_with_its_problems(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (river / "p2.pddl").write_text(PROBLEM.replace("(at farmer left)", ""))
    code, told = run_json(capsys, "watch", "--once", str(river / "domain.pddl"))
    assert code == 1
    assert [(result["name"], result["said"]) for result in told["results"]] == [
        ("p1.pddl", "cost 7"),
        ("p2.pddl", "unsolvable"),
    ]


@pytest.mark.parametrize(
    ("watched", "gone", "told"),
    [
        (
            "p1.pddl",
            "domain.pddl",
            "p1.pddl: not asked: no file in the folder of the problem, or in the folder above, defines the domain",
        ),
        ("domain.pddl", "domain.pddl", "p1.pddl: no longer has a result (was cost 7)"),
        ("domain.pddl", "p1.pddl", "p1.pddl: no longer has a result (was cost 7)"),
    ],
)
def test_a_file_that_is_gone_is_named(
    watched: str, gone: str, told: str, river: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(river)
    looker = Looker(Subjects([watched]), 60, 2 << 30)
    before = looker.look()
    (river / gone).unlink()
    now = looker.look()
    assert now is not None
    missing, change = news(before, now).lines()
    assert missing == f"{gone}: is not there"
    assert change.startswith(told)


def test_a_problem_without_its_domain_is_not_solved(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (river / "domain.pddl").unlink()
    code, told = run_json(capsys, "watch", "--once", str(river / "p1.pddl"))
    assert code == 2
    assert told["results"][0]["verdict"] == "refused"


def test_limits_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from unpuzzle import find

    tiles = find("sliding-tiles")
    (tmp_path / "hard.txt").write_text(tiles.levels["15-hard"].replace("15 ", "15 ") + "\n")
    words = ("--time-limit", "0.01", str(tmp_path / "hard.txt"))
    code, told = run_json(capsys, "watch", "--once", "--puzzle", "sliding-tiles", *words)
    assert code == 3
    assert told["results"][0]["said"].startswith("undecided (timeout)")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((), "watch needs a file: name at least one file"),
        (("notes.md",), "--puzzle NAME"),
        (("nowhere/p1.pddl",), "this folder does not exist"),
        ((".",), "is a folder"),
    ],
)
def test_what_cannot_be_watched(words: tuple[str, ...], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = run_json(capsys, "watch", *words)
    assert code == 2
    assert part in told["message"]


def test_a_fault_that_moves_is_no_news() -> None:
    def fault(line: int, message: str = "m") -> Found:
        return Found("d.pddl", line, 1, "error", "code", message)

    before = Look((fault(1), fault(2)), (LookResult("p", "yes", "cost 7"), LookResult("q", "no", "unsolvable")))
    now = Look((fault(5), fault(6), fault(7), fault(8, "other")), (LookResult("p", "yes", "cost 9"),))
    told = news(before, now)
    assert [each.line for each in told.new_faults] == [7, 8]
    assert told.faults_gone == ()
    assert list(map(str, told.changes)) == ["p: cost 9, was cost 7", "q: no longer has a result (was unsolvable)"]
    assert news(now, now).lines() == ["nothing new (4 faults)"]
    assert news(None, Look()).lines() == ["no faults"]


@pytest.mark.parametrize(("words", "memory"), [((), 2 << 30), (("--memory-limit", "1GB"), 1 << 30)])
def test_each_look_has_limits(
    words: tuple[str, ...], memory: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = list[float]()

    def looker(subjects: Subjects, time: float, most: int) -> Looker:
        given[:] = time, most
        return Looker(subjects, time, most)

    monkeypatch.setattr("unpuzzle.cli.commands.watch.Looker", looker)
    run_json(capsys, "watch", "--once", "none.pddl", *words)
    assert given == [10, memory]
