"""Commands never overwrite their inputs, and print JSON however the option for it is written."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import run
from support.fixtures import Capsys, Monkeypatch
from unpuzzle import find
from unpuzzle.base.errors import LimitReached
from unpuzzle.cli import main
from unpuzzle.cli.answer import LINES, OTHERS, THINGS, note, plain, printable
from unpuzzle.cli.commands.generate import needs
from unpuzzle.cli.parser import parse
from unpuzzle.generation.generating import generate
from unpuzzle.model.replaying import cost_in_words, noun_of_pushes, pushing
from unpuzzle.play.session import Guide, Session

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


def test_a_picture_that_no_time_is_left_for_leaves_the_moves(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    def late(*_: object) -> None:
        raise LimitReached("timeout", "the time limit was reached while drawing")

    monkeypatch.setattr("unpuzzle.cli.drawing.PictureFile.draw", late)
    code, out, err = run(capsys, "solve", "boxup", "1", "-o", "boxup.svg")
    assert (code, out[:5], err) == (3, "ULDRR", "unpuzzle: boxup.svg: the time limit was reached while drawing\n")


def test_positions_that_no_time_is_left_for_leave_the_moves(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    """A puzzle whose drawing takes long was drawn to its end, whatever the limit."""

    def late(*_: object) -> None:
        raise LimitReached("timeout", "the time limit was reached while drawing")

    monkeypatch.setattr("unpuzzle.cli.collections.pictures", late)
    code, out, err = run(capsys, "solve", "boxup", "1", "--draw")
    told = "unpuzzle: the positions are not drawn: the time limit was reached while drawing\n"
    assert (code, out[:5], err) == (3, "ULDRR", told)


def test_a_cut_off_domain_for_a_game_is_told_so(tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "d.pddl").write_text("(define (domain d)\n (:predicates (p))\n (:action a :precondition (and (p")
    code, _, err = run(capsys, "check", str(tmp_path / "d.pddl"), "--game", "boxup")
    assert code == 2
    assert "is it cut off?" in err


@pytest.mark.parametrize("words", ["--title sokoban boxup", "boxup --title sokoban", "--title boxup boxup"])
def test_the_value_of_an_option_is_no_puzzle(words: str) -> None:
    options = parse("generate", [*words.split(), "--count", "1"])[1]
    assert (options.puzzle, options.chosen_game.name) == ("boxup", "boxup")


# ---- Costs are called moves only where each move costs one, and pushes only where something is pushed


OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
GRID = """(define (domain d)
  (:predicates (road ?a ?b) (at ?a) (box ?a) (open))
  (:action walk :parameters (?a ?b) :precondition (and (road ?a ?b) (at ?a)) :effect (and (not (at ?a)) (at ?b)))
  (:action VERB :parameters (?a) :precondition (and (at ?a) (box ?a)) :effect (and (not (box ?a)) (open))))
"""
PRICED = """(define (problem p) (:domain d) (:objects l0 l1 l2)
  (:init (at l0) (road l0 l1) (road l1 l0) (road l1 l2) (road l2 l1) (box l2)) (:goal (open)))
"""


DEARER = {
    "old_style.py": {
        "def cost(self, move):\n        return 1": "def cost(self, move):\n        return 2",
        "goal=And(": "metric=__import__('unpuzzle').pddl.FunctionTerm('total-cost'), goal=And(",
    },
    "corridor-domain.pddl": {
        "(:action right": "(:functions (total-cost)) (:action right",
        "(at ?to))": "(at ?to) (increase (total-cost) 2))",
    },
}
"""What is replaced in a corridor and its domain, so that a step costs 2."""


@pytest.fixture
def dear(tmp_path, monkeypatch):
    """A corridor whose steps cost 2, in a file of the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, changes in DEARER.items():
        text = (OUTSIDE / name).read_text()
        for before, after in changes.items():
            assert before in text
            text = text.replace(before, after)
        (tmp_path / name).write_text(text)
    return find("./old_style.py")


def test_a_cost_is_no_number_of_moves(dear, capsys, monkeypatch):
    name, level = next(iter(dear.levels.items()))
    start = dear.parse(level, name)
    assert start.cost(start.moves()[0]) == 2
    assert cost_in_words(start, 12) == "cost 12"
    [made] = generate(dear, count=1, seed=1).levels
    assert needs(dear, made) == f"costs {made.cost}"
    session = Session(start, Guide(start), lambda *_: "")
    session.obey(start.moves()[0])
    assert session.spent() == "cost 2"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{start.moves()[0]}\nquit\n"))
    told = [run(capsys, "play", "./old_style.py", name)[1]]
    told += run(capsys, "generate", "./old_style.py", "--count", "2", "--seed", "3")[1:]
    assert "cost 2" in told[0]
    assert not [text for text in told if re.search(r"\d moves?\b", text)]


def test_the_words_of_a_booklet(dear, capsys, monkeypatch):
    pytest.importorskip("reportlab")
    entries = []
    monkeypatch.setattr("unpuzzle.cli.commands.pictures.write_pages", lambda answer, listed, *_: entries.extend(listed))
    run(capsys, "booklet", "./old_style.py", *dear.levels, "-o", "sheet.pdf")
    run(capsys, "booklet", "hanoi", "3", "-o", "sheet.pdf")
    *words, hanoi = [entry.difficulty for entry in entries]
    assert words
    assert all(word.startswith("cost ") for word in words)
    assert hanoi == "7 moves"


@pytest.mark.parametrize(("verb", "noun"), [("push", "1 push"), ("lift", "1 move besides walking")])
def test_pushes_are_told_where_something_is_pushed(verb, noun, tmp_path, capsys):
    (tmp_path / "d.pddl").write_text(GRID.replace("VERB", verb))
    (tmp_path / "p.pddl").write_text(PRICED)
    files = str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl")
    for words in ([], ["--objective", "pushes"]):
        out = run(capsys, "plan", *files, *words)[1]
        assert ("push" in out) is (verb == "push")
    assert f"cost 3, {noun}" in out


def test_games_that_push():
    assert pushing(find("sokoban"))
    assert not pushing(find("sliding-tiles"))
    assert noun_of_pushes(find("sokoban"))[0] == "push"


# ---- An output that lacks the characters of a picture gets plain ones, which stay apart, and a note that says so


@pytest.mark.parametrize("quiet", [False, True])
def test_lit_and_unlit_stay_apart(quiet):
    """As in a pipe of Windows."""
    words = [sys.executable, "-m", "unpuzzle", "draw", "lights-out", "3x3", *["--quiet"] * quiet]
    ran = subprocess.run(words, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"}, check=True)
    assert ran.stdout.decode("cp1252").split() == list("OoOoOoOoO")
    said = b"the output encoding, cp1252, lacks some characters, which are replaced: black circle is O and white"
    assert (said in ran.stderr) is not quiet


def test_where_all_characters_are_there_nothing_is_said(capsys):
    code, out, err = run(capsys, "draw", "lights-out", "3x3")
    assert (code, "●" in out, err) == (0, True, "")


@pytest.mark.parametrize("text", ["★☆", "★☆ O o % &", "○●·. $#", "äa", "☀☾♞♘▲△", "é\u0301"])
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_what_is_different_stays_different(text, encoding):
    told = plain(text, encoding, {})
    assert told.encode(encoding).decode(encoding) == told
    assert len(set(told)) == len(set(text))


def test_forms_are_kept_from_picture_to_picture():
    forms = {}
    first = printable("★ ☆", "ascii", forms)
    assert printable("☆", "ascii", forms) == first[2]
    assert note(forms, "ascii").isascii()
    assert "7 others" not in note(forms, "ascii")


def test_the_table_is_plain():
    assert all(form.isascii() for form in (*LINES.values(), *THINGS.values(), OTHERS))
    assert not LINES.keys() & THINGS.keys()
    assert note({chr(0x2654 + number): "x" for number in range(9)}, "ascii").endswith("and 3 others")
