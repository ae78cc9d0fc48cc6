"""Workflows, forms and the citation: valid, and they call scripts that are there."""

import os
import re
import subprocess
import tarfile
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
import yaml

from support.modules import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OURS = re.compile(r"(?<![\w/.-])(?:\./)?((?:scripts|\.ci|tests)/[\w./-]+)")


def _steps(workflow: Path) -> list[dict[str, object]]:
    jobs = yaml.safe_load(workflow.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_valid(workflow: Path) -> None:
    content = yaml.safe_load(workflow.read_text())
    assert content["name"]
    assert content[True]  # `on`, as YAML 1.1 reads it
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        assert job["runs-on"]
        assert all(len({"run", "uses"} & set(step)) == 1 for step in job["steps"])
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= set(content["jobs"])


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_scripts_that_are_there(workflow: Path) -> None:
    for step in _steps(workflow):
        for line in str(step.get("run", "")).splitlines():
            for name in OURS.findall(line):
                assert (ROOT / name).is_file(), name
                assert name.endswith(".py") or os.access(ROOT / name, os.X_OK), name


def test_all_is_checked_by_the_script_that_checks_all() -> None:
    runs = [str(step.get("run")) for step in _steps(ROOT / ".github/workflows/ci.yml")]
    assert ".ci/run" in runs
    assert "scripts/test --all" in runs


def test_the_nights_run_is_thorough_and_looks_for_mutants_that_survive() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text())
    assert jobs[True]["schedule"]
    assert jobs["jobs"]["thorough"]["env"]["UNPUZZLE_THOROUGH"] == "1"
    runs = " ".join(str(step.get("run")) for step in _steps(ROOT / ".github/workflows/nightly.yml"))
    assert all(words in runs for words in ("scripts/releasing/test_data ", "scripts/test --all", "scripts/mutate.py "))


def _prepared(tmp_path: Path, variable: str, files: Mapping[str, str]) -> list[str]:
    """Return the files that `scripts/releasing/test_data` makes of an archive with these."""
    for name, text in files.items():
        (tmp_path / "whole" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "whole" / name).write_text(text)
    archive, made = tmp_path / "archive", tmp_path / "made"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "whole", "." if variable == "UNPUZZLE_DATA_ARCHIVE" else "whole")
    environment = {**os.environ, "UNPUZZLE_DATA_ARCHIVE": "", variable: str(archive)}
    subprocess.run([ROOT / "scripts/releasing/test_data", made], env=environment, check=True, capture_output=True)
    return sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())


def test_the_data_come_out_of_an_archive(tmp_path: Path) -> None:
    files = {"ipc/optimal-costs.json": "{}", "korf-1-30.txt": ""}
    assert _prepared(tmp_path, "UNPUZZLE_DATA_ARCHIVE", files) == [*files]


def test_without_an_archive_only_free_games_are_fetched(tmp_path: Path) -> None:
    [demos] = re.findall(r'demos="([^"]+)"', (ROOT / "scripts/releasing/test_data").read_text())
    games = {f"src/demo/{name}.txt": name for name in [*demos.split(), "somebody_elses"]}
    made = _prepared(tmp_path, "PUZZLESCRIPT_ARCHIVE", {"LICENSE": "MIT", **games})
    assert made == [f"puzzlescript/demos/{name}" for name in ("LICENSE", *(f"{each}.txt" for each in demos.split()))]
    assert len(made) == 18


def test_all_versions_of_python_that_are_named_are_tested() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    tested = {row["python"] for row in jobs["tests"]["strategy"]["matrix"]["include"]}
    tested |= {step["with"]["python-version"] for step in jobs["everything"]["steps"] if "with" in step}
    named = {name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)}
    assert tested == named
    assert f">={min(named, key=lambda version: int(version[2:]))}" == PROJECT["requires-python"]


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.name)
def test_a_form_for_issues_is_valid(form: Path) -> None:
    content = yaml.safe_load(form.read_text())
    assert set(content) == {"name", "description", "labels", "body"}
    for part in content["body"]:
        assert part["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes")
        assert part["attributes"]["label"]
        assert part["type"] != "dropdown" or len(part["attributes"]["options"]) > 1
    assert len({part["id"] for part in content["body"]}) == len(content["body"])


FIELDS = {
    *(
        "cff-version",
        "message",
        "title",
        "authors",
        "type",
        "abstract",
        "keywords",
        "license",
        "repository-code",
        "url",
    ),
    *("version", "date-released", "doi", "identifiers", "contact", "commit", "preferred-citation", "references"),
    *("license-url", "repository", "repository-artifact"),
}
"""What a file of the citation file format 1.2.0 may have at its top."""


def test_the_citation_is_valid() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert set(citation) <= FIELDS
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in ("software", "dataset")
    assert citation["authors"] == [{"name": PROJECT["authors"][0]["name"]}]
    assert citation["license"] == PROJECT["license"]
    assert all(isinstance(word, str) for word in citation["keywords"])
    assert len(set(citation["keywords"])) == len(citation["keywords"])
    assert isinstance(citation.get("date-released", date.today()), date)
