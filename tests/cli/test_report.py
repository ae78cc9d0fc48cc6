"""unpuzzle report: files in, a page and figures out."""

import json
from pathlib import Path

import pytest

from support.runs import every_kind, made, noisy, save
from unpuzzle.cli import main
from unpuzzle.experiments.reading import read_experiment

linux = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there are no such devices")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return save(tmp_path / "runs.jsonl", [made("a", f"p{n}") for n in range(3)] + [made("b", "p0", "timeout")])


def test_the_table_is_printed(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "runs.jsonl"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["planner", "coverage", "satisficing", "agile", "optimal", "par10", "solved", "timeout"]
    assert out[1].split() == ["a", "3", "3", "3", "0", "1", "3", "0"]
    assert any(line.startswith("b ran on 1 of the 3 tasks") for line in out)


def test_everything_is_written(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-o", "r.html", "--figures", "out/figures", "--properties", "properties", "--title", "Mine", "--json"]
    assert main(["report", "runs.jsonl", *words]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "r.html" in data["files"]
    assert all(Path(file).is_file() for file in data["files"])
    assert "<title>Mine</title>" in Path("r.html").read_text()
    assert main(["report", "properties", "--quiet"]) == 0


def test_several_files_are_one_experiment(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(Path("more.jsonl"), [made("c", "p0")])
    assert main(["report", "runs.jsonl", "more.jsonl", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["planners"]] == ["a", "b", "c"]


def test_faults_are_told_by_exit_code_and_first(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(runs, every_kind())
    assert main(["report", "runs.jsonl", "-o", "r.html"]) == 1
    assert "proved that there is no solution" in capsys.readouterr().err
    assert Path("r.html").is_file()


def test_a_planner_that_broke_is_no_wrong_answer(runs: Path) -> None:
    save(runs, [made(), made("b", status="error", message="segfault")])
    assert main(["report", "runs.jsonl"]) == 0


def test_what_takes_as_long_is_not_told_as_a_change(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "runs.jsonl", "--compare", "runs.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "a: solved 3 before, 3 now; takes as long as before on 3 tasks (too few repetitions" in out


def test_regressions_are_told_by_exit_code(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(Path("old.jsonl"), noisy({"a": 1}))
    save(Path("slow.jsonl"), noisy({"a": 2}, seed=1))
    assert main(["report", "slow.jsonl", "--compare", "old.jsonl", "-o", "r.html"]) == 1
    out, page = capsys.readouterr().out, Path("r.html").read_text()
    assert "times as long" in out
    assert all(line.endswith(" s now") for line in out.splitlines() if line.startswith("slower: "))
    assert "Compared with the older experiment" in page
    assert '<a href="#h-changes">Compared</a>' in page
    assert main(["report", "old.jsonl", "--compare", "slow.jsonl"]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nothing.jsonl"], "nothing.jsonl: No such file or directory"),
        (["runs.jsonl", "-o", "runs.jsonl"], "--output runs.jsonl would overwrite an input"),
        (["runs.jsonl", "--properties", "./runs.jsonl"], "--properties ./runs.jsonl would overwrite an input"),
        (["runs.jsonl", "-o", "x", "--properties", "x"], "are the same file"),
        (["runs.jsonl", "-o", "no/where/r.html"], "no/where/r.html: No such file or directory"),
        (["runs.jsonl", "--figures", "runs.jsonl/x"], "File exists"),
        (["empty"], "there are no runs in this file"),
        (["/"], "runs.jsonl: No such file"),
        pytest.param(["/dev/zero"], "/dev/zero:1: this is not a file of recorded runs", marks=linux),
        pytest.param(["runs.jsonl", "-o", "/dev/full"], "/dev/full: No space left on device", marks=linux),
        (["runs.jsonl", "--theme", "pink"], "invalid choice"),
    ],
)
def test_wrong_usage_is_told(words: list[str], sentence: str, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").write_text("")
    before = runs.read_text()
    assert main(["report", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert runs.read_text() == before


def test_without_matplotlib_the_figures_are_told_and_no_page_is_made(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from support.hiding import hide

    hide(monkeypatch, "matplotlib")
    assert main(["report", "runs.jsonl"]) == 0
    assert main(["report", "runs.jsonl", "-o", "r.html"]) == 4
    assert "pip install 'unpuzzle[plots]'" in capsys.readouterr().err
    assert not Path("r.html").exists()


def test_a_notebook_shows_table_and_page(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from support.hiding import hide
    from unpuzzle import report
    from unpuzzle.experiments import read_runs

    bundle = report(read_runs("runs.jsonl"))._repr_mimebundle_()
    assert bundle["text/plain"].startswith("planner")
    assert 'sandbox="allow-scripts"' in bundle["text/html"]
    hide(monkeypatch, "matplotlib")
    assert set(report(read_runs("runs.jsonl"))._repr_mimebundle_()) == {"text/plain"}


def test_an_attribute_of_ones_own_is_read_from_the_logs(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(runs, [made(name, f"p{n}", log=f"log{name}{n}") for n in (3, 6) for name in "ab"])
    for name, factor in (("a", 1), ("b", 4)):
        for n in (3, 6):
            Path(f"runs.logs/log{name}{n}").write_text(f"memo hits: {n * factor}\n")
    assert main(["report", "runs.jsonl", "--attribute", r"memo=memo hits: (\d+)", "--figures", "f", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    [ratio] = [each for each in data["ratios"] if each["measure"] == "memo"]
    assert ratio["geometric_mean"] == pytest.approx(4)
    assert "f/scatter-memo-a-b.svg" in [Path(name).as_posix() for name in data["files"]]
    assert Path("f/runs.csv").read_text().splitlines()[0].endswith(",memo")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [("memo", "NAME=REGEX"), ("cost=x", "with a new name"), ("par10=x", "with a new name"), ("a b=x", "new name"),
     ("memo=(", "is not a regular expression")],
)  # fmt: skip
def test_an_attribute_needs_a_new_name(
    word: str, sentence: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "runs.jsonl", "--attribute", word]) == 2
    assert sentence in capsys.readouterr().err


def test_properties_have_processor_time(runs: Path) -> None:
    run = made(seconds=2.0, search_cpu=0.5, attributes={"expanded_before_last_layer": 7, "memo": 3}, process="fresh")
    save(runs, [run.replace(wall=9.0)])
    assert main(["report", "runs.jsonl", "--properties", "properties", "--quiet"]) == 0
    [data] = json.loads(Path("properties").read_text()).values()
    assert (data["total_time"], data["search_time"], data["planner_wall_clock_time"]) == (2.0, 0.5, 9.0)
    assert (data["expansions_until_last_jump"], data["memo"]) == (7, 3)
    [back] = read_experiment("properties")
    assert (back.cpu, back.search_cpu, back.process, back.attributes) == (
        *(2.0, 0.5, "fresh"),
        {"expanded_before_last_layer": 7},
    )
