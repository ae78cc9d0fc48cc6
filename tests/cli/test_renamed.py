"""Old names of commands and options work as before, and name the new ones: by the list of lines from before."""

import io
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.command_line import run
from support.recorded_lines import as_json, outcome, prepare, recorded
from unpuzzle.base.errors import UsageError
from unpuzzle.cli import COMMANDS, main
from unpuzzle.cli.commands import OPTIONS, RENAMED, renamed
from unpuzzle.cli.parser import HelpAsked, parse

LINES = recorded()
ANSWERED = [line for line in LINES if "exit" in line]
OLD = [line for line in ANSWERED if renamed(line["words"])[1]]
Answer = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Answer:
    """Return what a recorded line answers now, in a folder of its own."""

    def answered(line: dict[str, Any]) -> dict[str, Any]:
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        folder.mkdir()
        prepare(folder)
        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
        code = main(as_json(line["words"]), alone=True)
        now = outcome(code, capsys.readouterr().out)
        # what was refused with no file named was a line that lacked something, which may be found now
        names = {"words", "slow", *([] if line.get("file") else ["file"]), *([] if line.get("sum") else ["sum"])}
        if "fields" in now and "fields" in line:  # there may be new ones
            now["fields"] = [field for field in now["fields"] if field in line["fields"]]
        return {name: now.get(name) for name in line if name not in names}

    return answered


def before(line: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in now}


def test_the_list_has_every_old_name() -> None:
    assert len(LINES) > 1000
    named = {line["words"][0] for line in LINES}
    assert named >= RENAMED.keys() - {"draw --sheet"}
    used = {(line["words"][0], word) for line in OLD for word in line["words"]}
    old = {(command.split()[0], option) for command, options in OPTIONS.items() for option in options}
    assert old - used == {("generate", "--rules")}  # which the tests of booklets gave in two steps


@pytest.mark.parametrize("command", sorted({line["words"][0] for line in OLD}))
def test_old_names_answer_as_before(command: str, answer: Answer) -> None:
    for line in OLD:
        if line["words"][0] == command and not line.get("slow"):
            now = answer(line)
            assert now == before(line, now), shlex.join(line["words"])


@pytest.mark.parametrize("command", sorted({line["words"][0] for line in ANSWERED}))
def test_every_line_answers_as_before(command: str, answer: Answer) -> None:
    for line in ANSWERED:
        if line["words"][0] == command:
            now = answer(line)
            assert now == before(line, now), shlex.join(line["words"])


def is_read(words: list[str]) -> bool:
    try:
        parse(words[0], words[1:])
    except HelpAsked:
        return True
    except UsageError:
        return False
    return True


def test_every_line_is_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    accepted = [line["words"] for line in ANSWERED if line["exit"] != 2 and line["words"][0] != "generate"]
    assert len(accepted) >= 200
    assert not [words for words in accepted if not is_read(renamed(words)[0])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("same a b c d --json", "diff a b c d --json"),
        ("test-domain d.pddl --game hanoi", "check d.pddl --game hanoi"),
        ("test-components x --game hanoi", "check --code x --game hanoi"),
        ("compare-moves boxup 1 UU", "replay --against=best boxup 1 UU"),
        ("compare-moves boxup --theme dark 1 UU - -o x.svg", "replay --against=- boxup --theme dark 1 UU -o x.svg"),
        ("compare-moves boxup 1 --time-limit=5 UU --json LL", "replay --against=LL boxup 1 --time-limit=5 UU --json"),
        ("draw boxup 1 2 --sheet=x.pdf --rules r --theme dark", "booklet boxup 1 2 --output=x.pdf --rules-text r"),
        ("draw boxup 1 --sheet x.pdf -o y.svg", "draw boxup 1 --sheet x.pdf -o y.svg"),
        ("generate boxup --sheet x.pdf --rules r", "generate boxup --booklet x.pdf --rules-text r"),
        ("survey game.txt --rules", "survey game.txt --rule-coverage"),
        ("trace game.txt 1 r --rules", "trace game.txt 1 r --fired"),
        ("solve boxup 1", "solve boxup 1"),
        ("", ""),
    ],
)
def test_words_of_today(old: str, new: str) -> None:
    words, advice = renamed(old.split())
    assert words == new.split()
    assert bool(advice) == (old != new)


def test_the_new_names_are_commands_and_options() -> None:
    assert {name for name, _ in RENAMED.values()} <= COMMANDS.keys()
    assert not (RENAMED.keys() & COMMANDS.keys())


def test_one_line_names_the_new_one_unless_little_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare-moves", "boxup", "1", "ULDRR"]
    code, out, err = run(capsys, *words)
    form = "replay PUZZLE LEVEL MOVES --against best|MOVES2"
    assert (code, err) == (0, f"unpuzzle: `compare-moves` is now `{form}`; the old name works until 2.0\n")
    assert "both lead through the same positions" in out
    assert run(capsys, *words, "-q")[2] == ""


@pytest.mark.parametrize(
    "words",
    [
        "boxup 1 ULDRR LURDRR",
        "boxup 1 -- ULDRR LURDRR",
        "-oout.svg boxup 1 ULDRR LURDRR",
        "-o out.svg boxup -jqj 1 ULDRR LURDRR",
        "boxup 1 ULDRR LURDRR --time-limit 9 -jo out.svg",
    ],
)
def test_two_ways_are_two_ways_however_options_are_written(words: str) -> None:
    new, _ = renamed(["compare-moves", *words.split()])
    options = parse(new[0], new[1:])[1]
    assert (options.level, options.moves, options.against) == ("1", ["ULDRR"], "LURDRR")


@pytest.mark.parametrize(
    ("words", "said"), [("boxup 1", "MOVES is missing: name the moves to play"), ("boxup 1 U L D", "arguments: D")]
)
def test_other_numbers_of_ways_are_refused_as_before(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare-moves", *words.split()]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", RENAMED)
def test_help_knows_the_old_names(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", name]) == 0
