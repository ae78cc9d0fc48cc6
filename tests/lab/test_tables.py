"""Tables as CSV: no text is a formula for spreadsheets, numbers stay numbers, and what is empty stays empty."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from support.command_line import run
from support.runs import made
from unpuzzle.lab.tables import align_columns, cell, csv_of, runs_csv, runs_table

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


def test_a_line_break_in_a_cell_breaks_no_line() -> None:
    """A file may have one in its name."""
    table = align_columns(["level", "cost"], [["a\nb.txt", "1"]], ["level"])
    assert table == "level     cost\na\\nb.txt     1"
