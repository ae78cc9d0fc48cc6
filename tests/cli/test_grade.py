"""unpuzzle grade: a class of domains compared with a reference on the same problems."""

import csv
import io
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle.pddl import Task
from unpuzzle.verification.grading import Grader, GradeRow

REFERENCE = """(define (domain river) (:requirements :strips :typing) (:types thing bank)
  (:predicates (at ?t - thing ?b - bank) (boat ?b - bank) (other ?b ?c - bank))
  (:action carry :parameters (?t - thing ?b ?c - bank)
    :precondition (and (at ?t ?b) (boat ?b) (other ?b ?c))
    :effect (and (not (at ?t ?b)) (at ?t ?c) (not (boat ?b)) (boat ?c)))
  (:action row :parameters (?b ?c - bank) :precondition (and (boat ?b) (other ?b ?c))
    :effect (and (not (boat ?b)) (boat ?c))))"""
PROBLEM = """(define (problem p) (:domain river) (:objects goat wolf - thing left right - bank)
  (:init (at goat left) (at wolf left) (boat left) (other left right) (other right left))
  (:goal (and (at goat right) (at wolf right))))"""


@pytest.fixture
def school(tmp_path: Path, monkeypatch: Monkeypatch) -> Path:
    """A reference, an exercise of two problems, and five students."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exercise").mkdir()
    (tmp_path / "exercise" / "p01.pddl").write_text(re.sub(r"\(at wolf \w+\)| wolf", "", PROBLEM))
    (tmp_path / "exercise" / "p02.pddl").write_text(PROBLEM)
    (tmp_path / "exercise" / "notes.pddl").write_text("no problem of the exercise")
    students = {
        "reference": REFERENCE,
        "anna": REFERENCE.replace("carry", "ferry").replace("?t", "?x"),
        "bert": REFERENCE.replace("(not (at ?t ?b)) ", ""),
        "cleo": REFERENCE.replace("(boat ?b) (other", "(other", 1),
        "dora": REFERENCE[:-40],
        "emil": REFERENCE.replace("(at ?t", "(lies ?t"),
    }
    for name, text in students.items():
        (tmp_path / f"{name}.pddl").write_text(text)
    folder = tmp_path / "finn"
    folder.mkdir()
    (folder / "domain.pddl").write_text(students["emil"])
    for name in ("p01.pddl", "p02.pddl"):
        (folder / name).write_text((tmp_path / "exercise" / name).read_text().replace("(at ", "(lies "))
    return tmp_path


def grade(capsys: Capsys, *students: str) -> tuple[int, dict[str, dict[str, str]]]:
    code, rows = run_json(capsys, "grade", "reference.pddl", *students, "--problems", "exercise")
    assert {row["schema"] for row in rows} == {"unpuzzle/grade/1"}
    return code, {row["file"]: row for row in rows}


def test_a_class(school: Path, capsys: Capsys) -> None:
    names = ["anna.pddl", "bert.pddl", "cleo.pddl", "dora.pddl", "emil.pddl", "finn"]
    code, rows = grade(capsys, *names)
    assert (code, list(rows)) == (1, names)
    assert [row["verdict"] for row in rows.values()] == [
        "same", "different", "different", "unreadable", "unreadable", "same",
    ]  # fmt: skip
    bert, cleo = rows["bert.pddl"], rows["cleo.pddl"]
    assert (bert["action"], bert["literal"]) == ("(carry goat left right)", "(not (at goat left))")
    assert bert["difference"] == (
        "p01.pddl: after (carry goat left right), (at goat left) is false in the reference and true in this domain"
    )
    assert (cleo["action"], cleo["literal"]) == ("(carry goat left right)", "(boat left)")
    assert rows["dora.pddl"]["difference"].startswith("dora.pddl:6:3: the text ends inside '(:action' of line 6")
    assert "unknown predicate 'at'" in rows["emil.pddl"]["difference"]
    assert rows["emil.pddl"]["difference"].startswith(
        "its names differ from the reference: it has no predicate 'at', but 'lies'; to compare it up to names, put "
    )


def test_problems_that_do_not_fit_for_another_reason_are_not_blamed_on_names(school: Path, capsys: Capsys) -> None:
    (school / "kurt.pddl").write_text(REFERENCE.replace("(boat ?b - bank)", "(boat ?b - thing)"))
    code, rows = grade(capsys, "kurt.pddl")
    assert (code, "names" in rows["kurt.pddl"]["difference"]) == (2, False)
    code, row = student(school, capsys, REFERENCE.replace("(at ?t", "(lies ?t"), p01=PROBLEM)  # her own problem's fault
    assert (code, "names" in row["difference"]) == (2, False)


def student(school: Path, capsys: Capsys, domain: str, **own: str) -> tuple[int, dict[str, str]]:
    """The exit code and the row of one student's domain, with problems of her own."""
    (school / "gina").mkdir()
    (school / "gina" / "domain.pddl").write_text(domain)
    for name, problem in own.items():
        (school / "gina" / f"{name}.pddl").write_text(problem)
    code, rows = grade(capsys, "gina")
    return code, rows["gina"]


def test_relations_are_named(school: Path, capsys: Capsys) -> None:
    _, rows = grade(capsys, "reference.pddl", "anna.pddl", "finn", "bert.pddl", "dora.pddl")
    relations = [row["relation"] for row in rows.values()]
    assert relations == ["identical", "renamed", "renamed", "different", ""]


def test_a_condition_that_no_problem_exercises_is_told(school: Path, capsys: Capsys) -> None:
    """The other bank is never the one where the boat is, so this condition always holds."""
    without = REFERENCE.replace("(and (at ?t ?b) (boat ?b) (other ?b ?c))", "(and (at ?t ?b) (boat ?b))")
    kept = PROBLEM.replace("(at wolf left) ", "").replace("(at goat right) (at wolf right)", "(at goat right)")
    code, row = student(school, capsys, REFERENCE, p01=kept.replace(" wolf", ""))
    assert (code, row["difference"]) == (0, "")
    lifted = REFERENCE.replace("(and (at ?t ?b) (boat ?b) (other", "(and (boat ?b) (not (boat ?c)) (at ?t ?b) (other")
    lifted = lifted.replace(":strips :typing", ":strips :typing :negative-preconditions")
    assert lifted != REFERENCE != without
    (school / "gina" / "domain.pddl").write_text(lifted)
    code, rows = grade(capsys, "gina")
    words = "the texts differ in carry: (not (boat ?c)); no problem shows a difference"
    assert (code, rows["gina"]["verdict"], rows["gina"]["difference"]) == (0, "same", words)
    assert words in run(capsys, "grade", "reference.pddl", "gina", "--problems", "exercise")[1]
    renamed = lifted.replace("(boat ", "(ferry ").replace("carry", "bring").replace("?t", "?x")
    for name in ("p01.pddl", "p02.pddl"):
        text = (school / "exercise" / name).read_text()
        (school / "gina" / name).write_text(text.replace("(boat ", "(ferry "))
    (school / "gina" / "domain.pddl").write_text(renamed)
    code, rows = grade(capsys, "gina")
    assert (code, rows["gina"]["relation"], rows["gina"]["difference"]) == (0, "renamed", words)


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("carry :parameters (?t - thing", "carry :parameters (?t - beast", "carry: ?t - thing, ?t - beast"),
        ("(boat ?b) (other ?b ?c))\n", "(boat ?b) (other ?b ?c) (not (icy ?c)))\n", "carry: (not (icy ?c))"),
        (
            "(boat ?c)))\n",
            "(boat ?c) (forall (?x - log) (at ?x ?c))))\n",
            "carry: effect (forall (?1 - log) (at ?1 ?c))",
        ),
        ("beast log - thing", "beast - thing log - beast", "types: log - thing, log - beast"),
    ],
)
def test_differences_in_types_and_in_words_that_one_text_lacks_are_told(
    school: Path, capsys: Capsys, right: str, wrong: str, words: str
) -> None:
    typed = REFERENCE.replace("(:types thing bank)", "(:types beast log - thing thing bank)")
    (school / "reference.pddl").write_text(typed)
    for name in ("p01.pddl", "p02.pddl"):
        text = (school / "exercise" / name).read_text()
        (school / "exercise" / name).write_text(text.replace("- thing", "- beast"))
    domain = typed.replace(right, wrong, 1).replace("(boat ?b - bank)", "(boat ?b - bank) (icy ?b - bank)")
    code, row = student(school, capsys, domain.replace(":strips :typing", ":adl"))
    assert (code, row["verdict"]) == (0, "same")
    assert row["difference"] == f"the texts differ in {words}; no problem shows a difference"


def test_a_wrong_start_is_not_blamed_on_an_action(school: Path, capsys: Capsys) -> None:
    wrong = PROBLEM.replace("(boat left)", "(boat right)")
    code, row = student(school, capsys, REFERENCE, p02=wrong)
    assert (code, row["verdict"], row["action"], row["literal"]) == (1, "different", None, "(boat left)")
    assert row["difference"] == "p02.pddl: at the start, (boat left) is true in the reference and false in this domain"


def test_a_wrong_goal_is_different_even_if_it_is_as_far_away(school: Path, capsys: Capsys) -> None:
    alone = (
        (school / "exercise" / "p02.pddl")
        .read_text()
        .replace("(and (at goat right) (at wolf right))", "(at goat right)")
    )
    (school / "exercise" / "p02.pddl").write_text(alone)
    code, row = student(school, capsys, REFERENCE, p02=alone.replace("(:goal (at goat", "(:goal (at wolf"))
    assert (code, row["verdict"], row["action"], row["literal"]) == (1, "different", None, "(at wolf right)")
    assert "this domain is not, because its goal needs (at wolf right)" in row["difference"]


def test_names_that_mean_something_else_do_not_make_a_problem_wrong(school: Path, capsys: Capsys) -> None:
    """The parameters of `row` are exchanged, a fact is noted, and the problem is her own: it still behaves the same."""
    turned = REFERENCE.replace("row :parameters (?b ?c - bank)", "row :parameters (?c ?b - bank)")
    turned = turned.replace("(:predicates", "(:predicates (moved ?t - thing)")
    turned = turned.replace(":effect (and (not (at ?t ?b))", ":effect (and (moved ?t) (not (at ?t ?b))")
    code, row = student(school, capsys, turned, p02=PROBLEM.replace("(:init", "(:init (other left left)"))
    assert (code, row["verdict"]) == (1, "different")  # one may row to where one is
    (school / "gina" / "p02.pddl").write_text(PROBLEM.replace("(:init", "(:init (moved wolf)"))
    code, rows = grade(capsys, "gina")
    assert (code, rows["gina"]["verdict"]) == (3, "behaves the same")


def test_a_fact_too_many_behaves_the_same(school: Path, capsys: Capsys) -> None:
    noted = REFERENCE.replace("(:predicates", "(:predicates (moved ?t - thing)")
    noted = noted.replace(":effect (and (not (at ?t ?b))", ":effect (and (moved ?t) (not (at ?t ?b))")
    code, row = student(school, capsys, noted)
    assert (code, row["verdict"], row["relation"]) == (3, "behaves the same", "same behaviour")
    assert row["difference"].startswith("p01.pddl: it behaves the same, with other facts or steps")
    assert "1 file: 1 behaves the same" in run(capsys, "grade", "reference.pddl", "gina", "--problems", "exercise")[1]


def test_a_step_in_two_parts_is_named(school: Path, capsys: Capsys) -> None:
    """Who has loaded has to land, which costs nothing: the two are carrying."""
    metric = " (:metric minimize (total-cost)))"
    for name in ("p01.pddl", "p02.pddl"):
        text = (school / "exercise" / name).read_text()
        (school / "exercise" / name).write_text(text[:-1].replace("(:init", "(:init (= (total-cost) 0)") + metric)
    costs = "(:functions (total-cost) - number) (:action"
    priced = REFERENCE.replace(":typing)", ":typing :action-costs)").replace("(:action", costs, 1)
    priced = priced.replace("(boat ?c)))", "(boat ?c) (increase (total-cost) 1)))")
    (school / "reference.pddl").write_text(priced)
    load = priced.replace("(:predicates", "(:predicates (in ?t - thing ?c - bank)").replace("carry", "load")
    load = load.replace("(at ?t ?c) (not (boat ?b)) (boat ?c)", "(in ?t ?c) (not (boat ?b))")
    land = (
        "(:action land :parameters (?t - thing ?c - bank) :precondition (in ?t ?c) :effect (and (not (in ?t ?c)) {}))"
    )
    both = load.replace("(:action row", land.format("(at ?t ?c) (boat ?c)") + " (:action row")
    code, row = student(school, capsys, both)
    assert (code, row["verdict"], row["action"]) == (3, "behaves the same", "(carry goat left right)")
    assert row["difference"].endswith("your `load`, then `land`, does what `carry` does")
    lost = load.replace("(:action row", land.format("(at ?t ?c)") + " (:action row")
    (school / "gina" / "domain.pddl").write_text(lost)
    assert grade(capsys, "gina")[0] == 1


def test_a_folder_without_a_domain_is_a_row(school: Path, capsys: Capsys) -> None:
    for name in ("hugo", "ida"):
        (school / name).mkdir()
    (school / "ida" / "Domain.PDDL").write_text(REFERENCE)
    code, rows = grade(capsys, "hugo", "ida", "nobody.pddl", "anna.pddl")
    assert (code, [row["verdict"] for row in rows.values()]) == (2, ["unreadable"] * 3 + ["same"])
    assert rows["hugo"]["difference"] == "hugo/domain.pddl: No such file or directory"
    assert rows["ida"]["difference"].endswith("; there is Domain.PDDL")


@pytest.mark.parametrize(
    ("students", "expected"),
    [(["anna.pddl", "finn", "reference.pddl"], 0), (["anna.pddl", "dora.pddl"], 2), (["dora.pddl", "bert.pddl"], 1)],
)
def test_exit_codes(school: Path, capsys: Capsys, students: list[str], expected: int) -> None:
    assert grade(capsys, *students)[0] == expected


def test_undecided_is_no_verdict(school: Path, capsys: Capsys) -> None:
    words = "grade", "reference.pddl", "finn", "--problems", "exercise", "--max-states", "2"
    code, rows = run_json(capsys, *words)
    assert (code, rows[0]["verdict"], rows[0]["action"]) == (3, "undecided", None)
    assert rows[0]["difference"].startswith("p01.pddl: there are more states than 2")
    never = REFERENCE.replace("(at ?t ?c) ", "").replace("(at ?t", "(lies ?t")
    (school / "finn" / "domain.pddl").write_text(never)
    code, rows = run_json(capsys, *words)
    assert (code, rows[0]["verdict"]) == (1, "different")
    assert rows[0]["literal"] == "(lies goat right)"


def test_a_limit_leaves_it_undecided(school: Path, capsys: Capsys, seconds_per_look: SecondsPerLook) -> None:
    words = "grade", "reference.pddl", "finn", "--problems", "exercise", "--time-limit", "300"
    code, rows = run_json(capsys, *words)
    assert (code, rows[0]["verdict"]) == (3, "undecided")
    assert "limit" in rows[0]["difference"]


def test_an_interruption_leaves_the_rows_so_far(school: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    grade = Grader.grade

    def interrupted(self: Grader, file: str, tasks: Mapping[str, Task]) -> GradeRow:
        if file == "bert.pddl":
            raise KeyboardInterrupt
        return grade(self, file, tasks)

    monkeypatch.setattr(Grader, "grade", interrupted)
    code, out, err = run(capsys, "grade", "reference.pddl", "anna.pddl", "bert.pddl", "--problems", "exercise")
    assert (code, out.endswith("1 file: 1 same\n")) == (130, True)
    assert err == "unpuzzle: interrupted: the files that were not reached are not in the table\n"


def test_table_and_csv(school: Path, capsys: Capsys) -> None:
    words = "grade", "reference.pddl", "anna.pddl", "bert.pddl", "--problems", "exercise"
    code, out, err = run(capsys, *words)
    assert (code, err) == (1, "")
    assert out.split("\n")[0].split() == ["file", "verdict", "action", "literal", "difference"]
    assert out.endswith("2 files: 1 same, 1 different\n")
    code, out, _ = run(capsys, *words, "--csv", "grades.csv")
    assert (code, out.count("\n")) == (1, 5)
    rows = list(csv.DictReader(io.StringIO((school / "grades.csv").read_text())))
    assert [row["verdict"] for row in rows] == ["same", "different"]
    assert run(capsys, *words, "--csv")[1] == (school / "grades.csv").read_text()


def test_refusals(school: Path, capsys: Capsys) -> None:
    (school / "empty").mkdir()
    code, _, err = run(capsys, "grade", "reference.pddl", "anna.pddl", "--problems", "empty")
    assert (code, err) == (2, "unpuzzle: the folder empty has no problem files; their names must look like p01.pddl\n")
    assert run(capsys, "grade", "dora.pddl", "anna.pddl", "--problems", "exercise")[0] == 2
    assert run(capsys, "grade", "reference.pddl", "nobody.pddl", "--problems", "exercise")[0] == 2
    assert run(capsys, "grade", "reference.pddl", "--problems", "exercise")[0] == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_that_nobody_closes_is_undecided_at_the_limit(school: Path, capsys: Capsys) -> None:
    os.mkfifo("pipe.pddl")
    words = ["grade", "reference.pddl", "pipe.pddl", "--problems", "exercise", "--time-limit", "0.3"]
    code, rows = run_json(capsys, *words)
    assert (code, [row["verdict"] for row in rows]) == (3, ["undecided"])


def test_an_undecided_file_says_where_equal_names_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Within few states the goal tells nothing apart, whatever the names; a teacher sees the place all the same."""
    domain = (
        "(define (domain road) (:predicates (at ?x) (road ?x ?y)) (:action go :parameters (?x ?y) "
        ":precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"
    )
    cells = range(200)
    roads = " ".join(f"(road c{i} c{i + 1}) (road c{i + 1} c{i})" for i in cells[:-1])
    problem = f"(define (problem p) (:domain road) (:objects {' '.join(f'c{i}' for i in cells)}) "
    problem += f"(:init (at c0) {roads}) (:goal (at c199)))"
    student = domain.replace("(not (at ?x))", "")
    (tmp_path / "problems").mkdir()
    for name, text in (("right", domain), ("student", student), ("problems/p", problem)):
        (tmp_path / f"{name}.pddl").write_text(text)
    files = [str(tmp_path / "right.pddl"), str(tmp_path / "student.pddl")]
    folder = str(tmp_path / "problems")
    code, rows = run_json(capsys, "grade", *files, "--problems", folder, "--max-states", "20")
    [row] = rows if isinstance(rows, list) else rows["files"]
    assert (code, row["verdict"]) == (3, "undecided"), row
    assert "with equal names they differ: " in row["difference"]
    assert row["action"] is not None
