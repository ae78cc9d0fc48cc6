"""`unpuzzle lint --format`: SARIF that its schema accepts, annotations of GitHub that are escaped, JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import run, run_json
from support.modules import ROOT
from unpuzzle.cli.commands.texts import hidden, sarif, workflow_commands
from unpuzzle.pddl import Fault
from unpuzzle.pddl.linting.fault import codes

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = ROOT / "build" / "sarif" / "sarif-2.1.0.json"
needs_schema = pytest.mark.skipif(not SCHEMA.is_file(), reason=f"there is no {SCHEMA}: .ci/run gets it")
FAULTY = """(define (domain d) (:types block) (:predicates (p ?x - blok))
  (:action a :parameters (?x - block) :precondition (p ?x) :effects (not (p ?x))))
"""
GAME = "title broken\n\n========\nOBJECTS\n========\n\nBackground\nblak\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files with faults, with names that need care, named from their folder."""
    monkeypatch.chdir(tmp_path)
    names = ["d,o:m%.pddl", "sub dir/domäne.pddl", "game.txt"]
    (tmp_path / "sub dir").mkdir()
    for name in names:
        (tmp_path / name).write_text(GAME if name.endswith("txt") else FAULTY)
    return names


def log(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code, out, err = run(capsys, "lint", "--format", "sarif", *words)
    assert (code, err) == (2, "")
    return json.loads(out)


@needs_schema
def test_a_log_is_what_its_schema_says(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(SCHEMA.read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    whole = log(capsys, *files)
    assert not list(validator.iter_errors(whole))
    assert not list(validator.iter_errors(sarif([], codes())))
    odd = [Fault(None, None, None, "warning", "of all"), Fault("f.pddl", 3, None, "error", "a line")]
    assert not list(validator.iter_errors(sarif(odd, codes())))
    whole["runs"][0]["results"][0]["level"] = "bad"
    assert list(validator.iter_errors(whole)), "the schema tells a wrong log"


def test_a_log_has_every_fault_with_its_rule_range_and_fix(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    [whole] = log(capsys, *files)["runs"]
    _, data = run_json(capsys, "lint", *files)
    assert len(whole["results"]) == len(data["faults"]) >= 6
    rules = whole["tool"]["driver"]["rules"]
    for result, fault in zip(whole["results"], data["faults"], strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == fault["code"]
        assert rules[result["ruleIndex"]]["shortDescription"]["text"]
        [place] = result["locations"]
        region = place["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (fault["line"], fault["column"])
        assert ("fixes" in result) == (fault["fix"] is not None)
    fixes = [result["fixes"][0]["artifactChanges"][0] for result in whole["results"] if "fixes" in result]
    texts = {fix["replacements"][0]["insertedContent"]["text"] for fix in fixes}
    assert {"block", ":effect"} <= texts


def test_names_of_files_are_uris(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [whole] = log(capsys, *files, str(tmp_path / files[0]))["runs"]
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in whole["results"]}
    assert {"d%2Co%3Am%25.pddl", "sub%20dir/dom%C3%A4ne.pddl", "game.txt"} <= uris
    assert any(uri.startswith("file:///") for uri in uris)


def test_annotations_are_escaped() -> None:
    fault = Fault("a,b:c%.pddl", 1, 2, "error", "100% wrong,\r\nsee: there", 1, 4, "unknown-type")
    assert list(workflow_commands([fault])) == [
        "::error file=a%2Cb%3Ac%25.pddl,line=1,endLine=1,title=unknown-type,col=2,endColumn=4"
        "::100%25 wrong,%0D%0Asee: there"
    ]


def test_a_fault_without_a_place_and_one_of_several_lines_have_annotations() -> None:
    assert list(workflow_commands([Fault(None, None, None, "warning", "of all")])) == ["::warning::of all"]
    [line] = workflow_commands([Fault("f", 1, 2, "warning", "long", 3, 4, "x")])
    assert line == "::warning file=f,line=1,endLine=3,title=x::long"


def test_what_github_does_not_show_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = "".join(f"(q{number})" for number in range(13))
    path = tmp_path / "d.pddl"
    path.write_text(f"(define (domain d) (:predicates (p)) (:action a :precondition (and {facts}) :effect (p)))")
    code, out, err = run(capsys, "lint", str(path), "--format", "github")
    errors = [line for line in out.splitlines() if line.startswith("::error ")]
    assert (code, len(errors)) == (1, 13)
    assert "3 more in its log only" in err
    assert hidden([]) == 0


def test_format_json_is_json(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _, expected = run_json(capsys, "lint", files[0])
    for words in (["--format", "json"], ["--format=json"]):
        _, out, _ = run(capsys, "lint", files[0], *words)
        assert json.loads(out) == expected
    code, out, _ = run(capsys, "lint", "missing.pddl", "--format", "json")
    assert (code, json.loads(out)["status"]) == (2, "bad_input")
    code, _, err = run(capsys, "lint", files[0], "--format", "xml")
    assert code == 2
    assert "xml" in err
