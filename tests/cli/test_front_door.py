"""What newcomers type first: files and puzzles without a command, missing arguments, help, short options, `-o`."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import TINY_DOMAIN, TINY_PROBLEM, run, run_json
from support.hiding import hide
from support.modules import ROOT
from unpuzzle import installation
from unpuzzle.cli import COMMANDS, main
from unpuzzle.cli.commands import GROUPS, TO_TRY
from unpuzzle.cli.commands.experiments import _making
from unpuzzle.cli.commands.help import uses_of
from unpuzzle.cli.parser import option_parser
from unpuzzle.planning import registry

FILES = ROOT / "docs" / "files"
PARTS = "def successors(state):\n    return []\n\n\ndef is_goal(state):\n    return False\n"
TWO = "; One\n\n#####\n#@$.#\n#####\n\n; Two\n\n######\n#@$ .#\n######\n"
RUN = {"schema": "unpuzzle/run/1", "key": "k", "domain": "d", "task": "p", "planner": "native", "status": "solved"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of each kind."""
    monkeypatch.chdir(tmp_path)
    run_line = RUN | {"configuration": "native", "cost": 1, "valid": True, "cpu": 0.1, "wall": 0.1, "limits": {}}
    texts = {
        "tiny.pddl": TINY_DOMAIN,
        "p01.pddl": TINY_PROBLEM,
        "p01.plan": "(go)\n",
        "alone.pddl": TINY_PROBLEM.replace("(:domain tiny)", "(:domain elsewhere)"),
        "two words.sok": TWO,
        "tiles": "1 2\n3 0\n",
        "boxes-hanoi.py": PARTS,
        "parts.py": PARTS,
        "runs.jsonl": json.dumps(run_line) + "\n",
        "thin_ice.py": (FILES / "course" / "thin_ice.py").read_text(),
        "thin_ice.pddl": (FILES / "course" / "thin_ice.pddl").read_text(),
        "storeroom.txt": (ROOT / "puzzlescript" / "games" / "storeroom.txt").read_text(),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("subject", "commands"),
    [
        ("tiny.pddl", ["lint", "solve", "draw", "survey", "play"]),
        ("p01.pddl", ["lint", "solve", "plan", "draw", "explore", "explain"]),
        ("alone.pddl", ["lint"]),
        ("p01.plan", ["lint", "validate"]),
        ("two words.sok", ["solve", "draw", "survey", "play"]),
        ("tiles", ["solve", "draw", "survey", "play"]),
        ("boxes-hanoi.py", ["check", "help"]),
        ("parts.py", ["help"]),
        ("runs.jsonl", ["report"]),
        ("thin_ice.py", ["solve", "draw", "survey", "play", "check"]),
        ("storeroom.txt", ["lint", "solve", "draw", "survey", "play"]),
        (".", ["lint", "format"]),
        ("boxup", ["solve", "draw", "survey", "play", "check"]),
    ],
)
def test_what_can_be_done_with_a_file_works(
    subject: str, commands: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer = run_json(capsys, subject)
    assert (code, answer["schema"], answer["subject"]) == (0, "unpuzzle/help/1", subject)
    lines = [shlex.split(line) for line in answer["to_try"]]
    assert [line[1] for line in lines] == commands
    for line in lines:
        code, out, err = run(capsys, *line[1:])
        assert code in (0, 1), (line, err)  # components may be wrong, and files may have faults
        assert out
    assert run(capsys, subject, "-q")[1].splitlines() == list(answer["to_try"])


@pytest.mark.parametrize("subject", ["nothing.bin", "empty"])
def test_what_is_not_known_is_refused(subject: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "nothing.bin").write_bytes(b"\x80\x81 nothing that anybody knows")
    (folder / "empty").mkdir()
    code, out, err = run(capsys, subject)
    assert (code, out) == (2, "")
    assert err.startswith("unpuzzle: ")
    assert subject in err


def test_the_only_level_need_not_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "solve", "tiny.pddl", "-q") == (0, "go\n", "")
    assert run(capsys, "plan", "tiny.pddl", "-q") == (0, "(go)\n", "")
    assert main(["play", "tiny.pddl", "-o", "page.html"]) == 0


@pytest.mark.parametrize(
    "words",
    [
        "solve p01.pddl", "plan p01.pddl", "explore p01.pddl", "explain p01.pddl", "draw p01.pddl", "pddl p01.pddl",
        "check p01.pddl --domain tiny.pddl", "replay p01.pddl go", "trace p01.pddl p01.plan", "survey p01.pddl",
        "validate p01.pddl p01.plan", "validate --json p01.pddl -o answer.json p01.plan", "diff p01.pddl p01.pddl",
        "compare p01.pddl --planners native", "play p01.pddl -o x.html",
    ],
)  # fmt: skip
def test_a_problem_alone_finds_its_domain(words: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, *words.split())[0] == 0


def test_a_problem_that_lies_elsewhere_finds_its_domain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "p02.pddl").write_text(TINY_PROBLEM)
    assert run_json(capsys, "solve", "sub/p02.pddl")[1]["plan"] == ["(go)"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_default_that_help_tells_is_the_default(command: str) -> None:
    for each in option_parser(command, [])[1]._actions:
        told = re.search(r"default:? (\d[\d,]*\w?)", each.help or "")
        if told is not None and each.type is not None and each.default is not None:
            assert each.type(told[1].replace(",", "")) == each.default, each.option_strings


def test_a_file_whose_name_begins_like_an_option_is_named_with_its_folder(folder: Path) -> None:
    for name, named in (("-odd.pddl", "./-odd.pddl"), ("even.pddl", "even.pddl")):
        (folder / name).write_text(TINY_DOMAIN)
        assert f"unpuzzle lint {named}" in uses_of(name)[1]


def test_what_is_asked_of_generated_levels_are_numbers_and_options() -> None:
    making = _making(["count=3", "seed=4", "moves=2..5", "size=2x3", "goal=a=b"])
    assert making == {"count": 3, "seed": 4, "moves": (2, 5), "options": {"size": "2x3", "goal": "a=b"}}


def test_help_of_a_command_is_that_command_s_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "help", "solve") == run(capsys, "solve", "--help")
    assert run(capsys, "help") == run(capsys, "--help")
    assert run(capsys, "version") == run(capsys, "--version")
    assert run_json(capsys, "help", "solve") == run_json(capsys, "solve", "-h")


def test_commands_are_in_six_groups(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "help")[1]
    assert [line[:-1] for line in out.splitlines() if line.endswith(":") and line[:1].strip()] == list(GROUPS)
    assert len(GROUPS) == 6
    assert run_json(capsys, "help")[1]["groups"] == {title: list(commands) for title, commands in GROUPS.items()}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_short_options(command: str) -> None:
    _, parser = option_parser(command, [])
    known = parser._option_string_actions
    assert {"-o", "--output", "-j", "--json", "-q", "--quiet"} <= known.keys()
    assert known.get("--workers") is known.get("-w")
    titles = [group.title for group in parser._action_groups if group._group_actions]
    assert titles[-1] == "output"
    assert "limits" not in titles[:-2]


@pytest.mark.parametrize("words", [["-j"], ["--json"], ["-jq"], ["-qj"], ["-j", "-q"]])
def test_json_is_asked_for_shortly(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", "boxup", "1", "ULDRR", *words)
    assert (code, err, json.loads(out)["solved"]) == (0, "", True)


def test_the_main_file_of_each_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def written(line: str, name: str) -> str:
        assert run(capsys, *line.split(), "-o", name)[0] in (0, 1), line
        return (folder / name).read_text()

    assert written("plan p01.pddl", "plan.txt").startswith("(go)\n")
    assert written("survey boxup 1", "table.csv").startswith("level,status,")
    assert written("compare boxup 1 --algorithms bfs", "rows.csv").startswith("algorithm,")
    assert written("explore boxup 1", "graph.dot").startswith("digraph")
    assert json.loads(written("check boxup 1", "check.json")) == run_json(capsys, "check", "boxup", "1")[1]
    assert json.loads(written("diff p01.pddl p01.pddl", "diff.json"))["relation"] == "identical"
    assert json.loads(written("validate p01.pddl p01.plan", "valid.json"))["valid"] is True
    assert json.loads(written("lint tiny.pddl", "faults.json"))["schema"] == "unpuzzle/lint/1"
    assert json.loads(written("lint tiny.pddl --format sarif", "faults.sarif"))["version"] == "2.1.0"
    assert json.loads(written("version", "version.json"))["version"]
    before = (folder / "tiny.pddl").read_text()
    assert "(:action go" in written("format tiny.pddl", "formatted.pddl") != before
    assert (folder / "tiny.pddl").read_text() == before
    assert written("format formatted.pddl", "again.pddl") == (folder / "formatted.pddl").read_text()
    assert main(["experiment", "hanoi", "--levels", "3", "--planners", "native", "-o", "made/"]) == 0
    assert main(["report", "made"]) == 0
    assert (folder / "made" / "runs.jsonl").is_file()


def test_runs_in_a_file_that_may_have_been_meant_as_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["experiment", "hanoi", "--levels", "3", "--planners", "native", "-o"]
    code, out, err = run(capsys, *words, "made")
    assert (code, (folder / "made").is_file(), out.splitlines()[-1]) == (0, True, "1 of 1 run in made, 1 solved")
    assert "the runs are in a new file named made, without an ending" in err
    assert "write -o made/" in err
    for output in ("made", "other.jsonl", "other/"):  # a file that is there is continued
        code, _, err = run(capsys, *words, output)
        assert (code, err) == (0, "")


def test_a_main_file_that_cannot_be_written_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check", "boxup", "1", "-o", "no/where.json")
    assert (code, err) == (2, "unpuzzle: no/where.json: No such file or directory\n")
    assert out.startswith("rules and PDDL are the same game")


def test_code_in_a_file_of_any_name_is_tested(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "code.txt").write_text(PARTS)
    assert run_json(capsys, "check", "code.txt", "--game", "hanoi", "--code", "--unsafe")[0] == 1


# ---- unpuzzle doctor, and what `unpuzzle` alone says: the first minutes of somebody who has just installed it


core = pytest.mark.skipif(registry.missing("native") is not None, reason="the core was not compiled")


@core
def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "doctor")
    assert (code, err) == (0, "")
    assert "boxup 3, solved by native (cost 24, " in out
    assert "they agree\nthe base works" in out


@core
def test_quiet_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "tarski", "openai")
    code, out, _ = run(capsys, "doctor", "--quiet")
    assert (code, out) == (0, "the base works; 2 extras not installed\n")


def test_a_lack_is_told_with_its_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "ortools", "networkx")
    code, out, _ = run(capsys, "doctor")
    assert code == 1
    assert "get it:    pip install 'unpuzzle[sat]'\n" in out
    assert "the base does not work: networkx is missing; 1 extra not installed\n" in out


def test_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "psutil")
    code, answer = run_json(capsys, "doctor")
    assert (code, answer["healthy"], answer["schema"]) == (1, False, "unpuzzle/doctor/1")
    [psutil] = [part for part in answer["parts"] if part["name"] == "psutil"]
    assert psutil == {
        "name": "psutil",
        "kind": "base",
        "status": "missing",
        "purpose": "limits of memory and of other programs",
        "message": "",
        "command": "pip install psutil",
    }


@pytest.mark.parametrize(("agree", "code", "said"), [(False, 1, "do not agree"), (None, 3, "is not known")])
def test_a_trial_that_does_not_end_well(
    agree: bool | None, code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = installation.examine().replace(healthy=agree, trial=installation.Trial("boxup", "3", (), agree), parts=())
    found = found.replace(parts=(installation.Part("core", "base", "works", "the native planner"),))
    monkeypatch.setattr("unpuzzle.cli.commands.doctor.examine", lambda: found)
    shown = run(capsys, "doctor")
    assert shown[0] == code
    assert said in shown[1]


def test_unpuzzle_alone_shows_five_commands(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (2, "")
    assert len(TO_TRY) == 5
    assert all(f"  unpuzzle {words} " in out for words in TO_TRY)
    assert "unpuzzle doctor" in out
    assert len(out.splitlines()) < 12


@pytest.mark.parametrize("words", TO_TRY)
def test_each_of_them_works_at_once_in_an_empty_folder(words: str, tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "unpuzzle", *words.split()], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_describes_each_argument_once(command: str) -> None:
    shown = option_parser(command, [])[1].format_help().partition("positional arguments:\n")[2].partition("\n\n")[0]
    names = re.findall(r"^  ([A-Z]\S*)", shown, re.MULTILINE)
    assert len(names) == len(set(names))
