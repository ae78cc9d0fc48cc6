"""unpuzzle lint: many files and folders, standard input, codes, corrections; and `plan` says what is suspicious."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from support.command_line import run
from support.fixtures import Capsys, Monkeypatch
from support.river import ROADS, delivery
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import ParseError
from unpuzzle.cli import main
from unpuzzle.pddl import read
from unpuzzle.pddl.linting.fault import codes

FAULTY = Path(__file__).parents[1] / "pddl" / "faulty"
RIVER = ("river.domain.pddl", "river.problem.pddl")


@pytest.fixture
def river(tmp_path: Path) -> Path:
    """A folder with a river crossing."""
    for name in RIVER:
        (tmp_path / name).write_text((FAULTY / name).read_text())
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def answer(capsys: Capsys, *words: object) -> tuple[int, Any]:
    code = main([*map(str, words), "--json"])
    return code, json.loads(capsys.readouterr().out)


def places(data: Any) -> list[tuple[str, int, str]]:
    return [(Path(fault["file"]).name, fault["line"], fault["code"]) for fault in data["faults"]]


def test_a_folder_is_all_its_files(river: Path, capsys: Capsys) -> None:
    more = river / "more"
    more.mkdir()
    (more / "p2.pddl").write_text((river / RIVER[1]).read_text().replace("(at wolf left)", "(at wulf left)"))
    (more / "first.plan").write_text("1. (cross-with goat left right)\n")
    change(river / RIVER[1], "(farmer-at left)", "(farmer left)")
    assert main(["lint", str(FAULTY), "--quiet"]) == 0
    capsys.readouterr()
    code, data = answer(capsys, "lint", river)
    assert code == 1
    assert places(data) == [
        ("first.plan", 1, "plan-number"),
        ("p2.pddl", 8, "unknown-object"),
        ("river.problem.pddl", 7, "unknown-predicate"),
    ]


def test_an_empty_folder_is_no_clean_one(tmp_path: Path, capsys: Capsys) -> None:
    code, data = answer(capsys, "lint", tmp_path)
    assert (code, data["status"]) == (2, "bad_input")
    assert answer(capsys, "lint")[0] == 2


def test_a_domain_is_judged_with_all_its_problems(river: Path, capsys: Capsys) -> None:
    """What one of them uses is used."""
    change(river / RIVER[0], "(opposite ?s ?o - side))", "(opposite ?s ?o - side) (seen ?s - side))")
    names = [river / name for name in RIVER]
    assert places(answer(capsys, "lint", *names)[1]) == [("river.domain.pddl", 9, "unused-predicate")]
    (river / "q.pddl").write_text((river / RIVER[1]).read_text().replace("(at goat right)", "(seen right)"))
    assert places(answer(capsys, "lint", *names, river / "q.pddl")[1]) == [("q.pddl", 9, "unreachable-goal")]


def test_standard_input(river: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    text = (river / RIVER[0]).read_text().replace("(imply", "(implies")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, data = answer(capsys, "lint", "-")
    assert (code, places(data)) == (2, [("<stdin>", 16, "connective")])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert answer(capsys, "lint", "--fix", "-")[0] == 2


def test_one_shape_for_syntax_and_meaning(river: Path, capsys: Capsys) -> None:
    change(river / RIVER[0], "(opposite ?from ?to)", "(oposite ?from ?to)")
    code, meaning = answer(capsys, "lint", river / RIVER[0])
    change(river / RIVER[0], "(:types side thing)", "(:types side thing")
    other, syntax = answer(capsys, "lint", river / RIVER[0])
    assert (code, other) == (1, 2)
    assert [set(fault) for fault in meaning["faults"]] == [
        set("file line column end_line end_column severity message code fix places suggestion".split())
    ]
    assert [fault["code"] for fault in syntax["faults"]] == ["unclosed-bracket", "unknown-predicate"]
    assert set(syntax["faults"][0]) == set(meaning["faults"][0])
    assert (syntax["status"], syntax["line"], syntax["column"]) == ("bad_input", 4, 3)


@pytest.mark.parametrize("code", sorted(codes()))
def test_every_code_is_explained(code: str, capsys: Capsys) -> None:
    status, data = answer(capsys, "lint", "--explain", code)
    (entry,) = data["codes"]
    assert (status, entry["code"]) == (0, code)
    assert len(entry["about"]) > 40
    assert entry["about"].endswith(".")
    assert entry["wrong"] != entry["right"] != ""


def test_codes_of_games_are_explained_and_unknown_ones_refused(capsys: Capsys) -> None:
    assert main(["lint", "--explain", "script-unknown-name"]) == 0
    assert "wrong:\n    [ Playr ] -> [ Player ]" in capsys.readouterr().out
    assert answer(capsys, "lint", "--explain", "unclosed-braket")[1]["message"] == (
        "unknown code 'unclosed-braket', did you mean 'unclosed-bracket'?"
    )
    assert len(answer(capsys, "lint", "--explain", "all")[1]["codes"]) > len(codes()) > 80


def test_corrections_are_written(river: Path, capsys: Capsys) -> None:
    domain, problem = (river / name for name in RIVER)
    right = domain.read_text()
    domain.write_bytes(right.replace("(imply", "(implies").replace("\n", "\r\n").encode())
    change(problem, "wolf goat cabbage - thing", "wolf, goat, cabbage - thing")
    change(problem, "(farmer-at left)", "(farmre-at left)")
    before = [path.read_bytes() for path in (domain, problem)]
    code, data = answer(capsys, "lint", "--fix", "--dry-run", domain, problem)
    assert (code, data["fixable"]) == (2, {str(domain): 1, str(problem): 2})
    assert [path.read_bytes() for path in (domain, problem)] == before
    diff = data["diff"]
    assert "+         (farmer-at left)" in diff
    code, data = answer(capsys, "lint", "--fix", domain, problem)
    assert data["diff"] == diff
    assert (code, data["faults"]) == (0, [])
    assert data["fixed"] == {str(domain): 1, str(problem): 2}
    assert domain.read_bytes() == right.replace("\n", "\r\n").encode()
    assert problem.read_text() == (FAULTY / RIVER[1]).read_text()


MEANT_OTHERWISE = [
    ("domain", "(opposite ?from ?to)", "(unopposite ?from ?to)"),
    ("domain", "(farmer-at ?to)", "(farmer ?to)"),
    ("problem", "(farmer-at left)", "(farmer-at lefft)"),
    ("problem", "(at goat left)", "(at goat1 left)"),
    ("domain", ":parameters (?from ?to", ":parameters (?form ?to"),
]


@pytest.mark.parametrize(("file", "old", "new"), MEANT_OTHERWISE, ids=[new for _, _, new in MEANT_OTHERWISE])
def test_what_may_mean_something_else_is_only_suggested(
    file: str, old: str, new: str, river: Path, capsys: Capsys
) -> None:
    path = river / f"river.{file}.pddl"
    change(path, old, new)
    text = path.read_text()
    code, data = answer(capsys, "lint", "--fix", river)
    assert (code, data["fixed"], path.read_text()) == (1, {}, text)
    assert [(fault["fix"], fault["suggestion"] is not None) for fault in data["faults"]] == [(None, True)]


def test_a_negated_equality_of_other_languages_stays_negated(river: Path, capsys: Capsys) -> None:
    domain = river / RIVER[0]
    right = domain.read_text().replace("(opposite ?from ?to)", "(not (= ?from ?to))")
    domain.write_text(right.replace("(not (= ?from ?to))", "(!= ?from ?to)"))
    assert answer(capsys, "lint", "--fix", domain)[0] == 0
    assert domain.read_text() == right


def test_other_encodings_become_utf_8(river: Path, capsys: Capsys) -> None:
    domain = river / RIVER[0]
    text = domain.read_text() + "; Fährmann\n"
    domain.write_bytes(text.encode("utf-16"))
    assert places(answer(capsys, "lint", domain)[1])[0][2] == "encoding"
    assert answer(capsys, "lint", "--fix", domain)[0] == 0
    assert domain.read_bytes() == text.encode()
    for words, after in (("", text.encode("latin-1")), ("(:aktion", text.encode())):
        domain.write_bytes(text.replace("(:action", words or "(:action", 1).encode("latin-1"))
        assert answer(capsys, "lint", "--fix", domain)[0] == 0
        assert domain.read_bytes() == after


def test_what_has_no_correction_stays_as_it_is(river: Path, capsys: Capsys) -> None:
    change(river / RIVER[1], "(at goat left)", "(at goat left) (at goat right)")
    text = (river / RIVER[1]).read_text()
    code, data = answer(capsys, "lint", "--fix", *[river / name for name in RIVER])
    assert (code, data["fixed"], places(data)) == (0, {}, [("river.problem.pddl", 8, "two-places")])
    assert (river / RIVER[1]).read_text() == text


def test_a_problem_finds_its_domain_beside_it(river: Path, capsys: Capsys) -> None:
    change(river / RIVER[1], "(farmer-at left)", "(farmer left)")
    assert places(answer(capsys, "lint", river / RIVER[1])[1]) == [("river.problem.pddl", 7, "unknown-predicate")]
    (river / RIVER[0]).unlink()
    code = main(["lint", str(river / RIVER[1])])
    captured = capsys.readouterr()
    assert (code, captured.out) == (0, "0 errors, 0 warnings\n")
    assert (
        "names in this file are not checked: "
        "no file in the folder of the problem, or in the folder above, defines the domain 'river'" in captured.err
    )


def test_two_problems_have_the_domain_beside_them_once(river: Path, capsys: Capsys) -> None:
    (river / "p2.pddl").write_text((river / RIVER[1]).read_text())
    change(river / RIVER[0], "(:types ", "(:types shore shore ")
    faults = places(answer(capsys, "lint", river / RIVER[1], river / "p2.pddl")[1])
    assert [code for _, _, code in faults] == ["unused-type", "declared-twice"]


def test_plan_tells_suspicions_with_a_no(river: Path, capsys: Capsys) -> None:
    domain, problem = (river / name for name in RIVER)
    change(problem, "(at goat right) (at cabbage right)", "(at goat right) (at goat left)")
    code, data = answer(capsys, "plan", domain, problem)
    assert (code, data["status"]) == (1, "unsolvable")
    assert ["the goal can never hold" in warning for warning in data["warnings"]] == [True]
    change(problem, "(and (at wolf right) (at goat right) (at goat left))", "(at goat left)")
    code, data = answer(capsys, "plan", domain, problem)
    assert (code, data["plan"]) == (0, [])
    assert ["the goal is true at the start" in warning for warning in data["warnings"]] == [True]


def test_what_lets_more_happen_is_not_shown_above_unsolvable(tmp_path: Path, capsys: Capsys) -> None:
    """A deletion that lacks is no reason for the lack of a plan, unless something has to be false."""
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text("""(define (domain d) (:requirements :strips) (:predicates (at ?p) (road ?a ?b))
      (:action go :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b)) :effect (at ?b)))""")
    problem.write_text("(define (problem p) (:domain d) (:objects x y z) (:init (at x) (road x y)) (:goal (at z)))")
    assert [fault["code"] for fault in answer(capsys, "lint", domain)[1]["faults"]] == ["not-deleted"]
    code, data = answer(capsys, "plan", domain, problem)
    assert (code, data.get("warnings", [])) == (1, [])
    change(domain, ":strips", ":strips :negative-preconditions")
    change(domain, "(road ?a ?b)) :effect", "(road ?a ?b) (not (at ?b))) :effect")
    code, data = answer(capsys, "plan", domain, problem)
    assert (code, ["leaves (at ?a) true" in warning for warning in data["warnings"]]) == (1, [True])


def test_plans_in_other_notations_are_read_with_a_note(river: Path, capsys: Capsys) -> None:
    plan = river / "plan.txt"
    steps = (FAULTY / "river.plan").read_text().split("\n")[:7]
    plan.write_text("\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1)))
    code, data = answer(capsys, "validate", *[river / name for name in RIVER], plan)
    assert (code, data["cost"]) == (0, 7)
    assert data["warnings"] == [
        f"{plan}:1:1: warning: steps have no numbers in a plan file: write (cross-with goat left right),"
        " and 6 more like it"
    ]
    plan.write_text("\n".join(step.strip("()").replace(" ", "(", 1).replace(" ", ", ") + ")" for step in steps))
    assert answer(capsys, "validate", *[river / name for name in RIVER], plan)[0] == 0
    assert places(answer(capsys, "lint", *[river / name for name in RIVER], plan)[1]) == [("plan.txt", 1, "plan-call")]
    plan.write_text("and then back\nor not? (perhaps)\n")
    assert answer(capsys, "validate", *[river / name for name in RIVER], plan)[0] == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [("game.py", "print([1, 2])\n"), ("data.json", '{"a": [1, 2]}\n'), ("notes", "# Notes, and more\n\nmove [a]\n")],
)
def test_what_is_no_pddl_is_refused_and_never_changed(name: str, text: str, tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / name).write_text(text)
    code, data = answer(capsys, "lint", tmp_path / name, "--fix")
    assert (code, data["message"]) == (2, "this is neither PDDL nor a plan nor a game")
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("text", ["1 2 3\n4 5 6\n7 8 0\n", "a b c\ngoal\nc b a\n", "a . . b c\nd . f g .\n"])
def test_a_level_is_no_plan_without_brackets(text: str, tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "level.txt").write_text(text)
    assert answer(capsys, "lint", tmp_path / "level.txt", "--fix")[0] == 1
    assert (tmp_path / "level.txt").read_text() == text
    (tmp_path / "my-plan.txt").write_text("move a b\n")
    assert answer(capsys, "lint", tmp_path / "my-plan.txt", "--fix")[0] == 0
    assert (tmp_path / "my-plan.txt").read_text() == "(move a b)\n"


# ---- Commands that refuse a PDDL file say it in the words of lint, at the place where the author has to look


START = "(at t a) (lies k b) (road a b) (road b a)"
PROBLEM = delivery(START, "(at t b)").replace("(and (at t b))", "(at t b)")


def refused(capsys: Capsys, *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 2
    fields: dict[str, object] = json.loads(capsys.readouterr().out)
    return fields


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.pddl").write_text(ROADS)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("(at t b)", "(at t b) (lies k b)", "put (and ...) around them"),
        ("(:goal (at t b))", "(:goal (and (at t b))", "is never closed"),
        ("(at t a)", "(at t, a)", "by blanks, not by commas"),
        ("(at t a)", "(and (at t a))", "they need no 'and'"),
        ("(define", "Here it is:\n(define", "remove the text before the definition"),
        ("(define", "```pddl\n(define", "remove the lines with ```"),
    ],
)
def test_a_problem_is_refused_in_the_words_of_lint(
    old: str, new: str, words: str, folder: Path, capsys: Capsys
) -> None:
    assert PROBLEM.count(old) == 1
    (folder / "p.pddl").write_text(PROBLEM.replace(old, new))
    _, out, _ = run(capsys, "lint", "domain.pddl", "p.pddl")
    for command in ("plan", "solve", "explain"):
        error = refused(capsys, command, "domain.pddl", "p.pddl")
        assert words in str(error["message"])
        assert f"p.pddl:{error['line']}:{error['column']}: error: {error['message']}" in out
    with pytest.raises(ParseError):  # the reader itself is as strict as ever
        read("domain.pddl", "p.pddl")


def test_encodings_are_named(folder: Path, capsys: Capsys) -> None:
    (folder / "domain.pddl").write_bytes(ROADS.encode("utf-16"))
    assert "UTF-16: save it as UTF-8" in str(refused(capsys, "plan", "domain.pddl", "p.pddl")["message"])
    (folder / "domain.pddl").write_bytes(b"\0\1\2")
    assert "binary" in str(refused(capsys, "plan", "domain.pddl", "p.pddl")["message"])


def test_the_second_domain_of_a_comparison(folder: Path, capsys: Capsys) -> None:
    (folder / "other.pddl").write_text(f"```\n{ROADS}")
    error = refused(capsys, "diff", "domain.pddl", "p.pddl", "other.pddl", "p.pddl")
    assert (error["file"], error["line"]) == ("other.pddl", 1)
    assert "remove the lines with ```" in str(error["message"])


def test_a_class_is_told_so_too(folder: Path, capsys: Capsys) -> None:
    (folder / "student.pddl").write_text(f"```\n{ROADS}")
    _, out, _ = run(capsys, "grade", "domain.pddl", "student.pddl", "--problems", ".")
    assert "student.pddl:1:1: this is Markdown around the PDDL" in out


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("drve t a b\n(drive t a b)\n", 1, "remove the line, or begin it with ';'"),
        ("drve t a b\n```\n(drive t a b)\n```\n", 1, "remove the line, or begin it with ';'"),
        ("```\n(drive t a b)\n```\n\ndrve t a b\n", 5, "remove the line, or begin it with ';'"),
    ],
)
def test_a_plan_is_refused_in_the_words_of_lint(text: str, line: int, words: str, folder: Path, capsys: Capsys) -> None:
    (folder / "plan.txt").write_text(text)
    error = refused(capsys, "validate", "domain.pddl", "p.pddl", "plan.txt")
    assert (error["file"], error["line"]) == ("plan.txt", line)
    assert words in str(error["message"])


@pytest.mark.parametrize("command", ["plan", "explore"])
def test_a_problem_of_another_domain_is_told_before_its_fault(command: str, folder: Path, capsys: Capsys) -> None:
    (folder / "p.pddl").write_text(PROBLEM.replace("(:domain roads)", "(:domain sky)").replace("- truck", "- kite"))
    said = refused(capsys, command, "domain.pddl", "p.pddl")["message"]
    assert str(said).startswith("the problem is of the domain 'sky', but this domain is 'roads': unknown type 'kite'")


def test_a_binary_file_in_a_folder_hides_no_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary.pddl").write_bytes(b"\x89PNG\r\n\0\0")
    (tmp_path / "domain.pddl").write_text("(define (domain d) (:predicates (p)) (:action a :effect (q)))")
    code, out, err = run(capsys, "lint", str(tmp_path))
    assert code == exits.NO
    assert "unknown predicate 'q'" in out
    assert "binary.pddl: warning: this is a binary file, not text: the file is left out" in err
    assert run(capsys, "lint", str(tmp_path / "binary.pddl"))[0] == exits.BAD_INPUT
