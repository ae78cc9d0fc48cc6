"""Files of runs, whole and damaged, and those of Downward Lab."""

import json
import lzma
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from support.runs import every_kind, made, save
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.experiments import read_runs, runs
from unpuzzle.experiments.reading import properties_of, read_experiment
from unpuzzle.experiments.reporting import names_of, report

LAB: dict[str, dict[str, Any]] = {
    "blind-gripper-prob01.pddl": {
        "algorithm": "blind", "domain": "gripper", "problem": "prob01.pddl", "id": ["blind", "gripper", "prob01.pddl"],
        "coverage": 1, "cost": 11, "error": "success", "planner_time": 0.5, "search_time": 0.2, "total_time": 0.3,
        "planner_wall_clock_time": 0.6, "expansions": 100, "evaluations": 90, "generated": 300, "memory": 2048,
        "planner_memory_limit": 1024, "planner_time_limit": 60, "cost:all": [13, 11], "search_time:all": [0.1, 0.2],
        "unsolvable": 0, "node": "n1", "component_options": ["--search", "astar(blind())"], "global_revision": "abc",
    },
    "blind-gripper-prob02.pddl": {
        "algorithm": "blind", "domain": "gripper", "problem": "prob02.pddl", "coverage": 0, "unsolvable": 0,
        "error": "search-out-of-memory",
    },
    "ff-gripper-prob02.pddl": {
        "algorithm": "ff", "domain": "gripper", "problem": "prob02.pddl", "coverage": 0, "unsolvable": 1,
        "error": "translate-unsolvable", "expansions": float("inf"),
    },
    "ff-gripper-prob01.pddl": {
        "algorithm": "ff", "domain": "gripper", "problem": "prob01.pddl", "coverage": 0, "error": "exitcode-7",
        "unexplained_errors": ["output-to-run.err"],
    },
}  # fmt: skip


def test_what_was_written_is_read(tmp_path: Path) -> None:
    made_runs = every_kind()
    assert list(read_runs(str(save(tmp_path / "runs.jsonl", made_runs)))) == made_runs


def test_unknown_fields_and_empty_lines_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text("\n" + json.dumps({**made().to_dict(), "colour": "red"}) + "\n\n")
    assert len(read_runs(str(path))) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": "fine"}, "no status 'fine'"),
        ({"cost": "7"}, "'cost' is '7'"),
        ({"cost": True}, "'cost' is True"),
        ({"cost": -1}, "'cost' is -1"),
        ({"cost": 10**400}, "'cost' is 1000"),
        ({"cost": 2**63}, "'cost' is 9223"),
        ({"cpu": float("nan")}, "'cpu' is nan"),
        ({"wall": float("inf")}, "'wall' is inf"),
        ({"limits": [1]}, "'limits' is"),
        ({"seconds": {"total": "x"}}, "'seconds' has 'x'"),
        ({"task": 3}, "'task' is 3"),
        ({"plans": [{"cost": 3}]}, "'plans' has"),
        ({"plans": [3]}, "'plans' has"),
        ({"schema": "unpuzzle/result/1"}, "not a run"),
    ],
)
def test_a_wrong_value_is_told_with_its_line(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(made().to_dict()) + "\n" + json.dumps({**made().to_dict(), **change}) + "\n")
    with pytest.raises(ParseError, match=words) as caught:
        read_experiment(str(path))
    assert (caught.value.file, caught.value.line) == (str(path), 2)


@pytest.mark.parametrize(
    "text", ["", "\n", "[]\n", "3\n", "{}\n", "no\n", "[" * 100_000 + "\n", '{"a": 1}', '{"a": {}}', "\xff\n", "null\n"]
)
def test_what_is_no_file_of_runs_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ParseError):
        read_experiment(str(path))


@pytest.mark.parametrize(
    ("middle", "words"),
    [
        (lambda line: line[: len(line) // 2], "it is cut off"),
        (lambda line: line[: line.index(b"p1") + 1], "it is cut off"),
        (lambda line: line.replace(b"p1", b"p\xe9"), "is not UTF-8"),
        (lambda line: line.replace(b":", b"=", 1), "Expecting ':' delimiter, at character 10 of it"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(middle: Any, words: str, tmp_path: Path) -> None:
    line = json.dumps(made().to_dict()).encode()
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join((line, middle(line), line)) + b"\n")
    with pytest.raises(ParseError, match=f"not a JSON object: .*{words}") as caught:
        read_experiment(str(path))
    assert caught.value.line == 2


def test_a_mark_of_the_order_of_bytes_is_no_part_of_a_line(tmp_path: Path) -> None:
    path = save(tmp_path / "runs.jsonl", [made(), made("b")])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(read_experiment(str(path))) == 2


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
@pytest.mark.parametrize("read", [read_experiment, read_runs])
def test_of_an_endless_device_only_the_beginning_is_read(read: Callable[[str], Any]) -> None:
    with pytest.raises(ParseError, match="this is not a file of recorded runs"):
        read("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"y\n", "not a file of recorded runs"),
        (b"y", "not a file of recorded runs"),
        (b"{", "it does not end"),
        (b" \n", "it does not end"),
    ],
)
def test_of_an_endless_pipe_a_bounded_part_is_read(
    text: bytes, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST", 4 << 20)
    path = str(tmp_path / "pipe")
    os.mkfifo(path)

    def write() -> None:
        with suppress(BrokenPipeError), open(path, "wb", buffering=0) as pipe:
            while True:
                pipe.write(text * 10_000)

    writer = Thread(target=write, daemon=True)
    writer.start()
    with pytest.raises(ParseError, match=words):
        read_experiment(path)
    writer.join()


def test_of_a_file_that_grows_what_is_there_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(tmp_path / "runs.jsonl", [made(), made("b")])
    line, size = path.read_bytes().splitlines(keepends=True)[0], os.stat(path).st_size

    class Growing:
        """A file to which a line is added before each reading."""

        def __init__(self, file: Any) -> None:
            self.file = file

        def __getattr__(self, name: str) -> Any:
            if name == "read":
                with path.open("ab") as end:
                    end.write(line)
            return getattr(self.file, name)

    @contextmanager
    def growing(name: str, mode: str) -> Iterator[Growing]:
        with open(name, mode) as file:
            yield Growing(file)

    monkeypatch.setattr(runs, "open", growing, raising=False)
    assert len(read_experiment(str(path))) == 2
    assert os.stat(path).st_size > size


def test_a_small_file_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST", 1 << 20)
    path = tmp_path / "properties.xz"
    path.write_bytes(lzma.compress(b"{" * (2 << 20)))
    with pytest.raises(ParseError, match="more than 1 MiB"):
        read_experiment(str(path))


@pytest.mark.parametrize("pack", [bytes, lzma.compress])
def test_a_file_of_downward_lab_is_read(pack: Any, tmp_path: Path) -> None:
    path = tmp_path / "properties"
    path.write_bytes(pack(json.dumps(LAB, indent=2).encode()))
    first, second, third, fourth = read_experiment(str(path))
    assert (first.planner, first.domain, first.task, first.status, first.cost) == (
        *("blind", "gripper", "prob01.pddl", "solved", 11),
    )
    assert (first.cpu, first.wall, first.seconds) == (0.5, 0.6, {"search": 0.2, "total": 0.3})
    assert (first.expanded, first.evaluated, first.generated, first.peak_memory) == (100, 90, 300, 2 * 2**20)
    assert first.limits == {"time": None, "cpu": 60, "memory": 2**30}
    assert [(plan.seconds, plan.cost) for plan in first.plans] == [(0.1, 13), (0.2, 11)]
    assert [run.status for run in (second, third, fourth)] == ["memout", "unsolvable", "error"]
    assert fourth.message == "exitcode-7; output-to-run.err"
    assert third.expanded is None


def test_a_run_of_lab_needs_a_planner_and_a_task(tmp_path: Path) -> None:
    path = tmp_path / "properties"
    path.write_text(json.dumps({"x": {"algorithm": "a", "domain": "d"}}))
    with pytest.raises(ParseError, match="'problem'"):
        read_experiment(str(path))


def test_damaged_compression_is_told(tmp_path: Path) -> None:
    path = tmp_path / "properties.xz"
    path.write_bytes(lzma.compress(b"{}")[:20])
    with pytest.raises(ParseError, match="damaged"):
        read_experiment(str(path))


def test_figures_survive_the_way_through_lab(tmp_path: Path) -> None:
    before = report(every_kind(), title="x")
    path = tmp_path / "properties"
    path.write_text(properties_of(before.grid.runs, names_of(before.grid)))
    data = json.loads(path.read_text())
    assert len(data) == before.runs
    native = data["native-domain-0-p00"]
    assert (native["coverage"], native["error"], native["problem"]) == (1, "success", "p00")
    after = report(read_experiment(str(path)), title="x")
    rows = [{row.name: (row.outcomes, row.scores) for row in each.planners} for each in (before, after)]
    assert {name: pair[1] for name, pair in rows[0].items()} == {name: pair[1] for name, pair in rows[1].items()}
    assert {row.name: row.coverage for row in before.domains} == {row.name: row.coverage for row in after.domains}


@pytest.mark.parametrize(("given", "older"), [("runs.jsonl", ()), ((), "older.jsonl")])
def test_a_report_is_made_of_runs_and_not_of_the_name_of_a_file(given: Any, older: Any) -> None:
    with pytest.raises(UsageError, match="read_runs"):
        report(given, compare=older)
