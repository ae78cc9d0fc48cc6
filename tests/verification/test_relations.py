"""The relations between two tasks: identical, renamed, of the same behaviour, indistinguishable, different."""

from collections import Counter
from random import Random

import pytest

from support.command_line import run, run_json
from support.relations import VERDICTS, agrees, broken_renaming, bundled, judged, mutants, small
from support.thorough import THOROUGH, at_most
from unpuzzle import same
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.verification import compared_spaces as isomorphism
from unpuzzle.verification.report import IDENTICAL, RENAMED, SAME_BEHAVIOUR, SILENT_GOAL, UNDECIDED

SWITCH = """(define (domain switch) (:requirements :strips :negative-preconditions) (:predicates (lit) (never))
  (:action up :parameters () :precondition (not (lit)) :effect (lit))
  (:action down :parameters () :precondition (lit) :effect (not (lit))))"""
SHELF = """(define (domain shelf) (:requirements :strips :typing) (:types book place)
  (:predicates (at ?b - book ?p - place) (free ?p - place))
  (:action shift :parameters (?b - book ?from ?to - place) :precondition (and (at ?b ?from) (free ?to))
    :effect (and (not (at ?b ?from)) (at ?b ?to) (free ?from) (not (free ?to)))))"""


def task(domain, objects, init, goal):
    name = domain.split("(domain ")[1].split(")")[0]
    return parse_task(
        domain, f"(define (problem p) (:domain {name}) (:objects {objects}) (:init {init}) (:goal {goal}))"
    )


def shelf(init, goal, domain=SHELF):
    return task(domain, "a b - book p q r - place", init, goal)


FIRST = shelf("(at a p) (at b q) (free r)", "(at a q)")


# ---- each relation


def test_a_task_is_identical_to_itself_and_to_another_text_of_it():
    assert same(FIRST, FIRST).relation == IDENTICAL
    turned = SHELF.replace("(and (at ?b ?from) (free ?to))", "(and (free ?to) (at ?b ?from))")
    found = same(FIRST, shelf("(free r) (at b q) (at a p)", "(at a q)", turned))
    assert (found.same, found.relation, found.bijection) == (True, IDENTICAL, None)


def test_names_and_orders_of_parameters_are_found():
    words = SHELF.replace("shift", "carry").replace("(?b - book ?from ?to - place)", "(?to ?from - place ?b - book)")
    words = words.replace("(at ?b - book ?p - place)", "(place-of ?p - place ?b - book)")
    for variable in ("?from", "?to"):
        words = words.replace(f"(at ?b {variable})", f"(place-of {variable} ?b)")
    found = same(FIRST, shelf("(place-of p a) (place-of q b) (free r)", "(place-of q a)", words))
    assert found.relation == RENAMED
    assert found.bijection.actions == {"(shift ?1 ?2 ?3)": "(carry ?3 ?2 ?1)"}
    assert found.bijection.predicates == {"(at ?1 ?2)": "(place-of ?2 ?1)", "(free ?1)": "(free ?1)"}
    assert found.bijection.objects == {name: name for name in "abpqr"}  # equal names are tried first
    assert "(shift ?1 ?2 ?3) = (carry ?3 ?2 ?1)" in str(found)


def test_objects_may_change_places_unless_they_have_to_be_the_same():
    other = shelf("(at b p) (at a q) (free r)", "(at b q)")
    found = same(FIRST, other)
    assert (found.relation, found.bijection.objects["a"]) == (RENAMED, "b")
    assert same(FIRST, other, same_objects=True).relation == SAME_BEHAVIOUR


def test_a_goal_that_is_never_reached_tells_nothing():
    switch = task(SWITCH, "", "", "(never)")
    stuck = shelf("(at a p) (at b q) (free r)", "(and (at a q) (at a r))")
    for first, second in ((switch, stuck), (stuck, switch)):
        found = same(first, second)
        assert (found.same, found.relation, found.status) == (None, SILENT_GOAL, "complete")
    assert same(stuck, stuck).relation == IDENTICAL
    always = task(SWITCH, "", "", "(not (never))"), shelf("(at a p) (at b q) (free r)", "(or (free p) (not (free p)))")
    assert same(*always).relation == SILENT_GOAL


def test_without_a_step_the_start_has_to_be_the_same():
    stuck = shelf("(at a p) (at b q)", "(at a q)")
    still = task(
        SWITCH.replace("(not (lit))", "(never)").replace("precondition (lit)", "precondition (never)"), "", "", "(lit)"
    )
    assert same(stuck, still).relation == SILENT_GOAL
    assert same(still, still).relation == IDENTICAL
    assert same(stuck, shelf("(at b p) (at a q)", "(at a r)")).relation == RENAMED
    assert same(stuck, shelf("(at a p) (at b p)", "(at a r)")).relation == SILENT_GOAL


SPLIT = """(define (domain door) (:requirements :strips :action-costs) (:predicates (open) (key) (in) (out))
  (:functions (total-cost) - number)
  (:action leave :parameters () :precondition (open) :effect (and (out) (not (open)) (increase (total-cost) 1)))
  {})"""
WHOLE = SPLIT.format("(:action unlock :parameters () :precondition (key)"
                     " :effect (and (open) (not (key)) (increase (total-cost) 2)))")  # fmt: skip
PARTS = SPLIT.format("(:action insert :parameters () :precondition (key)"
                     " :effect (and (in) (not (key)) (increase (total-cost) 2)))"
                     " (:action turn :parameters () :precondition (in) :effect (and (open) (not (in))))")  # fmt: skip


def priced(domain):
    problem = "(define (problem p) (:domain door) (:init (key) (= (total-cost) 0)) (:goal (out))"
    return parse_task(domain, f"{problem} (:metric minimize (total-cost)))")


def test_a_step_in_two_parts_behaves_the_same_if_one_part_costs_nothing():
    assert same(priced(WHOLE), priced(PARTS)).relation == SAME_BEHAVIOUR
    dear = PARTS.replace("(and (open) (not (in)))", "(and (open) (not (in)) (increase (total-cost) 1))")
    assert same(priced(WHOLE), priced(dear)).same is False
    lost = PARTS.replace("(and (open) (not (in)))", "(not (in))")
    assert same(priced(WHOLE), priced(lost)).same is False


def test_a_search_without_end_is_undecided(monkeypatch):
    monkeypatch.setattr(isomorphism, "WORK", 10)
    other = shelf("(at b p) (at a q) (free r)", "(at b q)")
    found = same(FIRST, other)
    assert (found.same, found.relation, found.exhaustive, found.status) == (None, UNDECIDED, True, "gave_up")
    assert "whether they are the same up to names is undecided" in str(found)
    assert same(FIRST, FIRST).relation == IDENTICAL


# ---- laws


@pytest.fixture(scope="module")
def tasks():
    return list(small(bundled(2), 300 if THOROUGH else 70))


def test_tasks_in_disguise_are_renamed_and_tasks_themselves_identical(tasks):
    assert len(tasks) >= 10
    for seed, (name, each, one) in enumerate(tasks):
        assert not broken_renaming(name, each, one, seed)


def test_a_wrong_bijection_is_seen_by_the_judge(tasks):
    _, each, one = tasks[0]
    right = same(each, each, same_objects=True)
    assert right.relation == IDENTICAL
    names = sorted({argument for out in one.steps for action in out for argument in action.arguments})
    turned = dict(zip(names, [*names[1:], names[0]], strict=True))
    steps = {action.name: len(action.arguments) for out in one.steps for action in out}
    facts = {fact.predicate: len(fact.arguments) for state in one.facts for fact in state}
    kinds = [
        {f"({name}{places(size)})": f"({name}{places(size)})" for name, size in each.items()} for each in (steps, facts)
    ]
    assert agrees(one, one, isomorphism.Renaming(*kinds, {name: name for name in names}))
    assert not agrees(one, one, isomorphism.Renaming(*kinds, turned))


def places(size):
    return "".join(f" ?{number + 1}" for number in range(size))


def test_mutants_are_graded_as_the_definitions_say(tasks):
    """Faults in domains, each also with other words for all but objects; the sample has all that must be told apart."""
    truths = Counter()
    for name, one, each, mutant in mutants(tasks, Random(3), at_most(100)):
        rows, truth = judged(one, each, mutant, 300)
        truths[truth] += 1
        if truth is not None:
            assert {row.verdict for row in rows} == {VERDICTS[truth]}, (name, truth, rows)
            assert rows[0].relation == truth
    assert min(truths["different"], truths[IDENTICAL], truths[SAME_BEHAVIOUR]) > 0, truths


# ---- commands


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.pddl").write_text(SHELF)
    problem = "(define (problem p) (:domain shelf) (:objects a b - book p q r - place) (:init {}) (:goal {}))"
    (tmp_path / "p.pddl").write_text(problem.format("(at a p) (at b q) (free r)", "(at a q)"))
    (tmp_path / "q.pddl").write_text(problem.format("(at a p) (at b q) (free r)", "(at a r)"))
    (tmp_path / "wrong.pddl").write_text(SHELF.replace("(not (free ?to))", ""))
    (tmp_path / "never.pddl").write_text(problem.format("(at a p) (at b q) (free r)", "(and (at a q) (at a r))"))
    (tmp_path / "switch.pddl").write_text(SWITCH)
    (tmp_path / "dark.pddl").write_text("(define (problem p) (:domain switch) (:init) (:goal (never)))")
    return tmp_path


def test_the_command_names_the_relation(folder, capsys):
    code, answer = run_json(capsys, "diff", "d.pddl", "never.pddl", "switch.pddl", "dark.pddl")
    assert (code, answer["same"], answer["relation"], answer["message"]) == (3, None, SILENT_GOAL, SILENT_GOAL)
    code, out, err = run(capsys, "diff", "d.pddl", "never.pddl", "switch.pddl", "dark.pddl", "--partial")
    assert (code, out.startswith("the goal cannot tell them apart (no")) == (3, True)
    assert err == "unpuzzle: the goal cannot tell them apart\n"
    code, answer = run_json(capsys, "diff", "d.pddl", "p.pddl", "d.pddl", "q.pddl")
    assert (code, answer["relation"]) == (1, "different")
    first = "after (shift a p r), the second is at a goal and the first is not, because its goal needs (at a q)"
    assert answer["sentence"] == first
    assert run(capsys, "diff", "d.pddl", "p.pddl", "d.pddl", "q.pddl")[1].startswith(f"{first}\nthe two differ after")


def test_a_pddl_domain_has_no_rules_to_check(folder, capsys):
    for words in (["d.pddl", "p.pddl"], ["wrong.pddl", "p.pddl"], ["d.pddl", "p.pddl", "q.pddl"]):
        code, out, err = run(capsys, "check", *words)
        assert (code, out) == (2, "")
        assert "there are no rules to compare with" in err
        assert "`diff` compares two tasks" in err


def test_with_another_domain_check_says_what_same_says(folder, capsys):
    for other in (["d.pddl", "p.pddl"], ["wrong.pddl", "p.pddl"], ["d.pddl", "q.pddl"]):
        said = run_json(capsys, "diff", "d.pddl", "p.pddl", *other)
        assert run_json(capsys, "check", "d.pddl", "p.pddl", "--domain", other[0], "--problem", other[1]) == said
    assert run_json(capsys, "check", "d.pddl", "p.pddl", "--domain", "wrong.pddl")[1]["relation"] == "different"
    code, _, err = run(capsys, "check", "d.pddl", "p.pddl", "--domain", "switch.pddl")
    assert (code, "does not fit this domain" in err, "--problem names another" in err) == (2, True, True)
