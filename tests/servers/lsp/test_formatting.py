"""`unpuzzle format`: the same task, the same game, the same bytes the second time, and every comment."""

import io
import re
import sys
from pathlib import Path
from random import Random

import pytest

from support.command_line import run, run_json
from support.counting import calls
from support.data import IPC, needs_ipc
from support.modules import ROOT
from support.puzzlescript_data import GAMES, lines_of, needs_games, plays, texts, trace
from support.random_tasks import random_task
from support.thorough import THOROUGH
from unpuzzle.base.errors import ParseError
from unpuzzle.pddl import parse_domain, parse_problem, write
from unpuzzle.pddl.formatting import formatted
from unpuzzle.puzzlescript import files as games
from unpuzzle.puzzlescript.compiling.text import read_text
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.puzzlescript.rules import engine_of
from unpuzzle.workspace.documents import Document, formatted_text

OURS = sorted(path for path in (ROOT / "translators").rglob("*.pddl"))
BUNDLED = sorted((ROOT / "puzzlescript" / "games").glob("*.txt"))
TASKS = sorted(IPC.glob("*/*")) if IPC.is_dir() else []


def comments(text: str) -> list[str]:
    return [comment.rstrip() for comment in re.findall(r";[^\n]*", text)]


def require_same(text: str) -> str:
    """Return the text laid out anew; the second time nothing changes, and all comments are there."""
    after = formatted(text)
    assert formatted(after) == after
    assert comments(after) == comments(text.replace("\r", ""))
    return after


@needs_ipc
@pytest.mark.parametrize("folder", [f for f in TASKS if f.is_dir()], ids=lambda f: f"{f.parent.name}/{f.name}")
def test_an_ipc_task_stays_the_same(folder: Path) -> None:
    domain, problem = (
        (folder / f"{name}.pddl").read_bytes().decode(errors="replace") for name in ("domain", "problem")
    )
    before = parse_domain(domain)
    assert parse_domain(require_same(domain)) == before
    assert parse_problem(require_same(problem), before) == parse_problem(problem, before)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.parent.name + "/" + path.name)
def test_a_domain_of_ours_stays_the_same(path: Path) -> None:
    text = path.read_text()
    assert parse_domain(require_same(text)) == parse_domain(text)


def test_what_a_layout_looks_like() -> None:
    crooked = """; head

(define (domain x) ; behind
 (:requirements :strips)
 (:predicates (p ?x)(q)   ; short
   (r ?x ?y)) ; long


 ; go there
 (:action go :parameters (?x)
   :precondition
     (and (p ?x) (not (q)))
   :effect (and (q)
     (not (p ?x))
     ; the end
     )))
"""
    assert (
        formatted(crooked)
        == """; head

(define (domain x) ; behind
  (:requirements :strips)
  (:predicates
    (p ?x)
    (q)       ; short
    (r ?x ?y)) ; long

  ; go there
  (:action go
    :parameters (?x)
    :precondition (and (p ?x) (not (q)))
    :effect (and
      (q)
      (not (p ?x))
      ; the end
    )))
""".replace("(q)       ; short", "(q)        ; short")
    )


def test_lines_of_an_initial_state_stay_and_long_ones_are_broken() -> None:
    facts = " ".join(f"(at b{number})" for number in range(20))
    after = require_same(f"(define (problem p) (:domain d) (:init (a) (b)\n (c) {facts}) (:goal (a)))")
    assert "\n    (a) (b)\n    (c) (at b0)" in after
    assert max(map(len, after.split("\n"))) <= 100


def test_what_follows_an_operand_that_was_too_long_begins_a_line_the_first_time_already() -> None:
    long = " ".join(f"(not (at place{number} thing{number}))" for number in range(9))
    text = require_same(
        f"(define (domain d) (:action a :parameters () :effect (and (and {long}) (p) (forall (?x) (and {long})) (q))))"
    )
    assert re.search(r"\n +\(p\)\n", text)
    assert re.search(r"\n +\(q\)", text)


@pytest.mark.parametrize("seed", range(20))
def test_random_tasks_on_one_line_stay_the_same(seed: int) -> None:
    for text in write(random_task(Random(seed))):
        require_same(re.sub(r"\s+", " ", text))


@pytest.mark.parametrize("text", ["(define (domain d)", "(define (domain d)))", "no brackets", ""])
def test_brackets_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(ParseError):
        formatted(text)


def test_ends_of_lines_stay() -> None:
    assert formatted("(define (domain d)\r\n  (:requirements   :strips))\r\n").count("\r\n") == 2


def test_a_byte_order_mark_stays() -> None:
    text = "\ufeff(define (domain d)(:predicates (p)))"
    assert formatted_text(Document("domain.pddl", text)) == "\ufeff(define (domain d)\n  (:predicates (p)))\n"


# ---- games


def meaning(text: str) -> list[str]:
    return list(lines_of(game_of(text, "game").compiled))


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_a_bundled_game_stays_the_same(path: Path) -> None:
    text = read_text(str(path))
    after = games.formatted(text)
    assert games.formatted(after) == after
    assert meaning(after) == meaning(text)


@needs_games
def test_games_of_the_data_stay_the_same() -> None:
    every = [(name, text) for name, versions in sorted(texts().items()) for text in versions]
    every += [(path.stem, read_text(str(path))) for path in sorted((GAMES / "demos").glob("*.txt"))]
    for name, text in every if THOROUGH else every[::6]:
        after = games.formatted(text)
        assert games.formatted(after) == after, name
        assert meaning(after) == meaning(text), name


@needs_games
def test_games_of_the_data_play_the_same() -> None:
    for play in plays()[:: 1 if THOROUGH else 25]:
        moves = [
            trace(
                game_of(text, "g"),
                str(play["level"]),
                play["inputs"][:40],
                engine_of("python", game_of(text, "g").compiled),
            )
            for text in (play["text"], games.formatted(play["text"]))
        ]
        assert moves[0].boards == moves[1].boards, play["name"]


def test_the_layout_of_a_game() -> None:
    text = read_text(str(BUNDLED[0]))
    crooked = text.replace(" -> ", "->").replace("=\nRULES", "===\nrules").replace("\n\n", "\n\n\n\n")
    assert games.formatted(crooked) == games.formatted(text)
    assert "->[" not in games.formatted(crooked)


def test_a_layout_that_would_change_a_game_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = read_text(str(BUNDLED[0]))
    monkeypatch.setattr(games, "_laid_out", lambda text: text.replace("[", "[ no", 1))
    assert games.formatted(text) == games._trimmed(text)
    monkeypatch.setattr(games, "_trimmed", lambda text: text.replace("->", "", 1))
    assert games.formatted(text) == text


# ---- the command


@pytest.fixture
def crooked(tmp_path: Path) -> Path:
    path = tmp_path / "d.pddl"
    path.write_text("(define (domain d)(:predicates (p))) ; ü\n")
    return path


def test_files_are_changed_in_place(crooked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "format", "--check", str(crooked))
    assert (code, crooked.read_text()[:20]) == (1, "(define (domain d)(:")
    assert "1 of 1 file would be formatted" in out
    code, out, _ = run(capsys, "format", "--diff", str(crooked))
    assert code == 0
    assert "+  (:predicates (p))) ; ü" in out
    assert run_json(capsys, "format", str(crooked.parent))[1]["changed"] == [str(crooked)]
    assert crooked.read_text() == "(define (domain d)\n  (:predicates (p))) ; ü\n"
    assert run_json(capsys, "format", "--check", str(crooked))[0] == 0


def test_nothing_is_written_where_one_file_is_wrong(crooked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = crooked.read_bytes()
    for name, data in (
        ("e.pddl", b"(define (domain e)"),
        ("f.pddl", b"(define (domain \xff))"),
        ("g.txt", b"Buy: milk!\n"),
    ):
        other = crooked.with_name(name)
        other.write_bytes(data)
        code, _, err = run(capsys, "format", str(crooked), str(other))
        assert (code, crooked.read_bytes(), other.read_bytes()) == (2, before, data)
        assert name in err


def test_standard_input_goes_to_standard_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"(define (domain d)(:predicates (p)))")))
    code, out, _ = run(capsys, "format", "-")
    assert (code, out) == (0, "(define (domain d)\n  (:predicates (p)))\n")


def test_the_work_grows_with_the_length_of_a_list_and_not_with_its_square() -> None:
    """Each item of a form asked whether all its items were words: 20,000 objects took 7 seconds."""

    def work(number: int) -> int:
        names = " ".join(f"x{each}" for each in range(number))
        facts = " ".join(f"(p x{each}) ; {each}\n" for each in range(number))
        text = f"(define (problem p) (:domain d) (:objects {names} - t) (:init {facts}) (:goal (and (p x0) {facts})))"
        return calls(formatted, text)

    assert work(800) < 2.5 * work(400)


def test_comments_behind_lines_stand_below_each_other() -> None:
    text = "(define (problem p)\n(:init (a) ; one\n(bbb) ; two\n(cc)\n(d) ; three\n))\n"
    assert "(a)   ; one\n    (bbb) ; two\n    (cc)\n    (d) ; three\n" in formatted(text)


def test_comments_in_latin_1_become_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "domain.pddl"
    path.write_bytes("(define (domain d) ; Aufzüge – Größe\n(:predicates (p)))".replace("–", "-").encode("latin-1"))
    assert run(capsys, "format", str(path))[0] == 0
    assert path.read_text("utf-8") == "(define (domain d) ; Aufzüge - Größe\n  (:predicates (p)))\n"
    path.write_bytes(b"(define (domain caf\xe9))")
    assert run(capsys, "format", str(path))[0] == 2
