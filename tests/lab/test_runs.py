"""The file of runs: what is written comes back, and half a line is no line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.hiding import hide
from unpuzzle.errors import DependencyMissing, ParseError
from unpuzzle.lab.experimenting import RunsFile
from unpuzzle.lab.runs import BetterPlan, Run, Runs, line_of, read_runs

RUN = Run(
    "k1", "road", "p1", "ours", "native", "solved", limits={"time": 3.0, "cpu": None, "memory": 5}, cost=2, valid=True,
    seconds={"total": 0.5}, plan=("(go a b)", "(go b c)"), plans=(BetterPlan(0.1, 3, ("(x)",)), BetterPlan(0.2, 2)),
    versions={"planner": "1"}, machine={"name": "m", "cores": 2}, message="zwölf",
)  # fmt: skip
OTHER = Run("k2", "road", "p2", "ours", "native", "unsolvable")


def test_runs_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with RunsFile(path) as file:
        file.append(RUN)
        file.append(OTHER, "unheard")  # it names no log
    assert read_runs(path) == (RUN, OTHER)
    assert json.loads(path.read_text().splitlines()[0])["schema"] == "unpuzzle/run/1"
    assert not (tmp_path / "runs.logs").exists()


@pytest.mark.parametrize("half", [1, 20, -1])
def test_half_a_line_at_the_end_is_left_out_and_cut_off(tmp_path: Path, half: int) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(line_of(RUN) + line_of(OTHER)[: half if half > 0 else half - 1])
    assert read_runs(path) == (RUN,)
    with RunsFile(path) as file:
        assert file.runs == (RUN,)
        file.append(OTHER)
    assert read_runs(path) == (RUN, OTHER)


def test_a_whole_line_without_its_end_is_a_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(line_of(RUN)[:-1])
    assert read_runs(path) == (RUN,)
    with RunsFile(path) as file:
        file.append(OTHER)
    assert read_runs(path) == (RUN, OTHER)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"nonsense\n", "not a JSON object"),
        (b"[1]\n", "not a JSON object"),
        (b"{}\n", "not a run: its schema is None"),
        (
            line_of(RUN).replace(b"run/1", b"run/2"),
            "a run of another version of unpuzzle: its schema is 'unpuzzle/run/2'",
        ),
        (b'{"schema": "unpuzzle/run/1", "key": "x"}\n', "a run needs 'domain'"),
        (line_of(RUN).replace(b'"status":"solved"', b'"status":"won"'), "there is no status 'won'"),
    ],
)
def test_what_is_no_run_is_told_with_its_line(tmp_path: Path, line: bytes, said: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(line_of(RUN) + line + line_of(OTHER))
    with pytest.raises(ParseError, match=said) as told:
        read_runs(path)
    assert told.value.line == 2
    with pytest.raises(ParseError), RunsFile(path):
        pass
    assert path.read_bytes() == line_of(RUN) + line + line_of(OTHER)


def test_names_of_a_later_version_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(line_of(RUN).replace(b'"key"', b'"later":1,"key"'))
    assert read_runs(path) == (RUN,)


def test_runs_as_a_table_of_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    table = Runs([RUN, OTHER]).to_pandas()
    assert table["cost"].tolist()[:1] == [2]
    assert table["seconds_total"].tolist()[:1] == [0.5]
    assert table["version_planner"].tolist()[:1] == ["1"]
    hide(monkeypatch, "pandas")
    with pytest.raises(DependencyMissing, match="pandas"):
        Runs([RUN]).to_pandas()
