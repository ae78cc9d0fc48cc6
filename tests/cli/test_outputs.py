"""Commands never overwrite their inputs, and print JSON however the option for it is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.fixtures import Capsys, Monkeypatch
from unpuzzle.cli import main
from unpuzzle.cli.parser import parse

DOMAIN = "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition (and) :effect (p)))"
PROBLEM = "(define (problem q) (:domain d) (:init) (:goal (p)))"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: Monkeypatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    texts = {"d.pddl": DOMAIN, "q.pddl": PROBLEM, "plan": "(a)\n", "moves.txt": "ULDRR", "rules.txt": "Rules."}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return texts


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("lint d.pddl -o d.pddl", "--output"),
        ("lint d.pddl -o ./d.pddl", "--output"),
        ("diff d.pddl q.pddl d.pddl q.pddl -o d.pddl", "--output"),
        ("check d.pddl --game boxup -o d.pddl", "--output"),
        ("validate d.pddl q.pddl plan -o plan", "--output"),
        ("trace d.pddl q.pddl plan -o q.pddl", "--output"),
        ("help d.pddl -o d.pddl", "--output"),
        ("d.pddl -o d.pddl", "--output"),
        ("plan d.pddl q.pddl -o q.pddl", "--plan-file"),
        ("replay boxup 1 moves.txt -o moves.txt", "--output"),
        ("replay boxup 1 ULDRR --against moves.txt -o moves.txt", "--output"),
        ("booklet boxup 1 --rules-text rules.txt -o rules.txt", "--output"),
        ("survey d.pddl q.pddl --csv q.pddl", "--csv"),
    ],
)
def test_no_input_is_overwritten(
    words: str, option: str, files: dict[str, str], tmp_path: Path, capsys: Capsys
) -> None:
    assert main(words.split()) == 2
    assert "would overwrite an input" in capsys.readouterr().err
    assert {name: (tmp_path / name).read_text() for name in files} == files


@pytest.mark.parametrize("short", ["-jo out", "-qjo out", "-jqo out", "-jj", "-qjq", "-j"])
def test_joined_short_options_ask_for_json(short: str, files: dict[str, str], capsys: Capsys) -> None:
    assert main(["lint", "d.pddl", *short.split()]) == 0
    assert json.loads(capsys.readouterr().out)["faults"] == []


@pytest.mark.parametrize("words", ["version -qx", "help -- -j"])
def test_other_words_do_not(words: str, capsys: Capsys) -> None:
    assert main(words.split()) == 2
    assert not capsys.readouterr().out


@pytest.mark.parametrize("place", ["missing/x", "."])
def test_json_says_why_a_file_could_not_be_written(place: str, files: dict[str, str], capsys: Capsys) -> None:
    assert main(["lint", "d.pddl", "-j", "-o", place]) == 2
    assert place in json.loads(capsys.readouterr().out)["message"]


@pytest.mark.parametrize("words", ["--title sokoban boxup", "boxup --title sokoban", "--title boxup boxup"])
def test_the_value_of_an_option_is_no_puzzle(words: str) -> None:
    options = parse("generate", [*words.split(), "--count", "1"])[1]
    assert (options.puzzle, options.chosen_game.name) == ("boxup", "boxup")
