"""The file of runs: what is written comes back, and half a line is no line."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import run
from support.hiding import hide
from support.runs import made
from unpuzzle.base.errors import DependencyMissing, ParseError, UsageError
from unpuzzle.base.tables import align_columns, cell, csv_of
from unpuzzle.experiments import making_runs, rehearsing
from unpuzzle.experiments.comparing import runs_csv, runs_table
from unpuzzle.experiments.runs import BetterPlan, ExperimentRun, Runs, RunsFile, attributes_in, line_of, read_runs
from unpuzzle.rendering.report_tables import Table, latex_escaped

RUN = ExperimentRun(
    "k1", "road", "p1", "ours", "native", "solved", limits={"time": 3.0, "cpu": None, "memory": 5}, cost=2, valid=True,
    seconds={"total": 0.5}, plan=("(go a b)", "(go b c)"), plans=(BetterPlan(0.1, 3, ("(x)",)), BetterPlan(0.2, 2)),
    versions={"planner": "1"}, machine={"name": "m", "cores": 2}, message="zwölf",
)  # fmt: skip
OTHER = ExperimentRun("k2", "road", "p2", "ours", "native", "unsolvable")


def test_runs_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with RunsFile(path) as file:
        file.append(RUN)
        file.append(OTHER, "unheard")  # it names no log
    assert read_runs(path) == (RUN, OTHER)
    assert json.loads(path.read_text().splitlines()[0])["schema"] == "unpuzzle/run/1"
    assert not (tmp_path / "runs.logs").exists()


def test_names_that_are_not_utf_8_come_back(tmp_path: Path) -> None:
    """Such as that of a folder."""
    run = RUN.replace(domain="g\udcff", message="zwölf \\udcff")
    (tmp_path / "runs.jsonl").write_bytes(line_of(run))
    assert read_runs(tmp_path / "runs.jsonl") == (run,)


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


def test_runs_as_a_table_of_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    table = Runs([RUN, OTHER]).to_pandas()
    assert table["cost"].tolist()[:1] == [2]
    assert table["seconds_total"].tolist()[:1] == [0.5]
    assert table["version_planner"].tolist()[:1] == ["1"]
    hide(monkeypatch, "pandas")
    with pytest.raises(DependencyMissing, match="pandas"):
        Runs([RUN]).to_pandas()


# ---- Tables as CSV: no text is a formula for spreadsheets, numbers stay numbers, and what is empty stays empty


FORMULAS = ["=1+1", "+1+1.xsb", "-2", "@SUM(A1)", "\t1", "\r1", "＝1", '=cmd|" /C calc"!A0', "=", "-"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_a_formula(text: str) -> None:
    assert cell(text) == "'" + text.replace("\r", " ")
    written = csv_of(["name", "cost"], [[text, -3]])
    assert [*csv.reader(io.StringIO(written, newline=""))] == [["name", "cost"], [cell(text), "-3"]]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_name_of_a_column_is_a_formula(text: str) -> None:
    """In the table of coverage, planners are columns, and a planner may have any name."""
    written = csv_of(["domain", text], [])
    assert [*csv.reader(io.StringIO(written, newline=""))] == [["domain", cell(text)]]


@pytest.mark.parametrize("text", ["x;1+1", ";", "a\t1"])
def test_what_some_programs_take_for_a_border_stands_in_quotes(text: str) -> None:
    assert csv_of([text, "cost"], [[text, 1]]) == f'"{text}",cost\n"{text}",1\n'


@pytest.mark.parametrize(
    "text", ["x;=1+1;y", "a\t=1\tb", "a\n=1", "a\n=1;b", "\t=1", "\r=1;", "a\r@b", "a;b;;-1;", "x;＝1;"]
)
@pytest.mark.parametrize("border", ",;\t")
def test_no_part_of_a_text_is_a_formula_where_fields_have_another_border(text: str, border: str) -> None:
    """Where numbers have a comma, fields end at a semicolon: then a quote behind a comma is no quote."""
    written = csv_of(["name", text, "cost"], [["a", text, 3], [text, text, 3]])
    cells = [cell for row in csv.reader(io.StringIO(written, newline=""), delimiter=border) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "@", "-", "＝"))] == []


@pytest.mark.parametrize("text", ["1", "a=b", "level 3", "", " =1", "'=1", "ü"])
def test_other_texts_stay(text: str) -> None:
    assert cell(text) == text


def test_numbers_and_nothing_stay() -> None:
    assert csv_of(["a", "b", "c", "d", "e"], [[-1, 2.5, None, True, False]]) == "a,b,c,d,e\n-1,2.5,,true,false\n"


@pytest.mark.parametrize("name", ["+1+1.xsb", "=1.xsb", "@x.xsb", "-1.xsb"])
def test_a_level_file_is_no_formula(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("#####\n#@$.#\n#####\n")
    code, out, _ = run(capsys, "survey", "--csv=table.csv", "--", "sokoban", name)
    assert code == 0, out
    (row,) = csv.DictReader(Path("table.csv").read_text().splitlines())
    assert (row["level"], row["cost"]) == (f"'{name}", "1")


def test_the_number_of_a_repetition_stands_where_runs_are_repeated() -> None:
    once, again = made("a"), made("a", repetition=1)
    assert "run" not in runs_table([once]).splitlines()[0].split()
    head, *rows = runs_table([once, again]).splitlines()
    assert head.split()[:5] == ["domain", "task", "planner", "run", "status"]
    assert [row.split()[3] for row in rows] == ["0", "1"]
    assert [row.split(",")[3] for row in runs_csv([once, again]).splitlines()] == ["run", "0", "1"]


def test_commands_with_tables_of_their_own_load_no_experiments() -> None:
    commands = ", ".join(f"unpuzzle.cli.commands.{name}" for name in ("check", "state_spaces", "task_differences"))
    code = f"import sys, {commands}; sys.exit(sum(name.startswith('unpuzzle.experiments') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_line_break_in_a_cell_breaks_no_line() -> None:
    """A file may have one in its name."""
    table = align_columns(["level", "cost"], [["a\nb.txt", "1"]], ["level"])
    assert table == "level     cost\na\\nb.txt     1"


def test_a_run_is_rehearsed_until_the_interpreter_adapts_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    planners: list[str] = []
    monkeypatch.setattr(making_runs, "make_run", lambda report, *about: planners.append(about[-1]))
    rehearsing.prepare()
    assert len(planners) >= rehearsing.TIMES
    assert {name.partition(":")[0] for name in planners} == {"command"}


# ---- Attributes of one's own, and LaTeX


def test_an_attribute_is_the_last_match_or_what_a_function_gives() -> None:
    output = "hits: 3\nhits: 4\nname: x\nshare: 0.5\n"
    attributes = {"hits": r"^hits: (\d+)$", "share": "share: (.*)", "name": "name: (.)", "none": "(never)"}
    found = attributes_in(RUN, output, attributes | {"lines": lambda run, text: text.count("\n") + (run.cost or 0)})
    assert found.attributes == {"hits": 4, "share": 0.5, "name": "x", "lines": 6}
    assert attributes_in(RUN, "", attributes) is RUN
    with pytest.raises(UsageError, match=r"'bad=\(' is not a regular expression"):
        attributes_in(RUN, output, {"bad": "("})


def test_attributes_come_back_from_their_file(tmp_path: Path) -> None:
    run = RUN.replace(attributes={"hits": 4, "name": "x"}, process="fresh", includes="a driver", search_cpu=0.1)
    (tmp_path / "runs.jsonl").write_bytes(line_of(run))
    assert read_runs(tmp_path / "runs.jsonl") == (run,)


TABLE = Table(
    "t", "Runs & 100%", ("planner_1", "a", "b"), [("x_{$}\\", 1.0, None), ("all", 2.25, 1234)],
    marks={(0, 1): "best", (1, 1): "noise"}, kinds={1: "sum"},
)  # fmt: skip


def test_a_table_as_latex() -> None:
    assert TABLE.latex() == "\n".join([
        r"% Runs \& 100\%",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"planner\_1 & a & b \\",
        r"\midrule",
        r"x\_\{\$\}\textbackslash{} & \textbf{1} & -- \\",
        r"\midrule",
        r"all & 2.2\,$\approx$ & 1,234 \\",
        r"\bottomrule",
        r"\end{tabular}",
        "",
    ])  # fmt: skip


@pytest.mark.parametrize(
    "text", ["\\input{x}", "a&b", "100%", "$x$", "#1", "_", "^", "~", "{", "}", "a\nb", "\ud800", "\x07"]
)
def test_no_text_is_a_command_of_latex(text: str) -> None:
    escaped = latex_escaped(text)
    assert escaped.isprintable()
    rest = re.sub(r"\\text\w+\{\}|\\[&%$#_{}]", "", escaped)
    assert not set(rest) & set("\\&%$#_{}^~\n")


def test_some_columns_of_a_table() -> None:
    only = TABLE.only(["planner_1", "b"])
    assert (only.head, only.rows, only.marks) == (("planner_1", "b"), [["x_{$}\\", None], ["all", 1234]], {})
    assert TABLE.only(["a"]).marks == {(0, 0): "best", (1, 0): "noise"}
    assert TABLE.text().splitlines()[2] == "all        2.2≈  1,234"
    assert TABLE.csv().splitlines()[1:] == ["x_{$}\\,1.0,", "all,2.25,1234"]
