"""The writer: what is written is read back the same, with the smallest true requirements, and looks well."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from support.named_tasks import tasks
from support.thorough import at_most
from unpuzzle.base.errors import ParseError
from unpuzzle.pddl import (
    Action,
    And,
    Atom,
    Axiom,
    Domain,
    Exists,
    Forall,
    Function,
    FunctionTerm,
    Imply,
    Increase,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
    TypedName,
    When,
    parse_domain,
    parse_problem,
    parse_task,
    write,
)

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"


@settings(max_examples=at_most(200), deadline=None)
@given(tasks())
def test_what_is_written_is_read_back(task):
    assert parse_task(*write(task)) == task
    assert parse_domain(write(task.domain)) == task.domain
    assert parse_problem(write(task.problem), task.domain) == task.problem


@settings(max_examples=at_most(60), deadline=None)
@given(tasks())
def test_writing_is_settled_after_one_round(task):
    assert write(parse_task(*write(task))) == write(task)


def test_the_empty_conjunction_beside_a_predicate_named_and():
    domain = Domain("d", predicates=(Predicate("and"),), actions=(Action("a", (), Not(And()), And((And(),))),))
    assert parse_domain(write(domain)) == domain


def test_several_parents():
    types = (TypedName("b"), TypedName("c"), TypedName("a", ("b", "c")))
    text = write(Domain("d", types=types))
    assert parse_domain(text).types == types
    assert "either" not in text  # Fast Downward reads no `either` there


def test_parents_are_written_first():
    text = write(Domain("d", types=(TypedName("a", ("b",)), TypedName("c"), TypedName("b"))))
    assert text.index("a - b") > text.index("b - object")


def test_a_bare_cost_is_written_in_a_conjunction():
    cost = Increase(FunctionTerm("total-cost"), 2)
    text = write(Domain("d", actions=(Action("a", (), And(), cost),)))
    assert ":effect (and (increase (total-cost) 2))" in text
    assert parse_domain(text).actions[0].effect == And((cost,))


# Requirements and costs
def requirements(action=None, goal=None, **parts):
    """What is required for the domain (p) (q ?x) with one action."""
    domain = Domain("d", predicates=(Predicate("p"), Predicate("q", (TypedName("?x"),))), **parts)
    if action:
        types = {TypedName(name) for item in action.parameters for name in item.types if name != "object"}
        domain = Domain("d", types=types, predicates=domain.predicates, actions=(action,))
    text = write(Task(domain, Problem("x", "d", goal=goal)))[0]
    return text.partition("(:requirements ")[2].partition(")")[0].split()


def with_precondition(condition):
    return Action("a", (TypedName("?x"),), condition, Atom("p"))


def with_effect(effect):
    return Action("a", (), And(), effect)


P, QX = Atom("p"), Atom("q", ("?x",))
X = (TypedName("?x"),)


@pytest.mark.parametrize(
    ("action", "needed"),
    [
        (with_precondition(And((P, QX))), [":strips"]),
        (with_precondition(Not(P)), [":negative-preconditions"]),
        (with_precondition(Atom("=", ("?x", "?x"))), [":equality"]),
        (with_precondition(Not(Atom("=", ("?x", "?x")))), [":negative-preconditions", ":equality"]),
        (with_precondition(Or((P, QX))), [":disjunctive-preconditions"]),
        (with_precondition(Imply(P, QX)), [":disjunctive-preconditions"]),
        (with_precondition(Not(And((P, QX)))), [":disjunctive-preconditions"]),
        (with_precondition(Exists(X, QX)), [":existential-preconditions"]),
        (with_precondition(Forall(X, QX)), [":universal-preconditions"]),
        (with_precondition(And((Forall(X, QX), Exists(X, QX)))), [":quantified-preconditions"]),
        (with_effect(And((P, Not(P)))), [":strips"]),
        (with_effect(When(Not(P), P)), [":negative-preconditions", ":conditional-effects"]),
        (with_effect(Forall(X, QX)), [":conditional-effects"]),
        (with_effect(Increase(FunctionTerm("total-cost"), 2)), [":action-costs"]),
        (Action("a", (TypedName("?x", ("t",)),), And(), P), [":typing"]),
    ],
)
def test_the_smallest_true_requirements(action, needed):
    assert requirements(action) == needed


def test_requirements_of_other_parts():
    assert requirements(axioms=(Axiom(Predicate("p"), Exists(X, QX)),)) == [
        ":existential-preconditions",
        ":derived-predicates",
    ]
    assert requirements(functions=(Function("f"),)) == [":action-costs"]
    assert requirements(types=(TypedName("t"),)) == [":typing"]
    assert requirements(goal=Not(P)) == [":negative-preconditions"]


def test_total_cost_is_written_exactly_where_it_is_used():
    paying = Domain("d", actions=(with_effect(Increase(FunctionTerm("total-cost"), 2)),))
    free = Domain("d", actions=(with_effect(And()),), functions=(Function("total-cost"),))
    metric = Problem("x", "d", metric=FunctionTerm("total-cost"))
    plain = Problem("x", "d")

    def uses(domain, problem):
        domain_text, problem_text = write(Task(domain, problem))
        return "(total-cost) - number" in domain_text, "(= (total-cost) 0)" in problem_text

    assert uses(paying, metric) == uses(paying, plain) == uses(free, metric) == (True, True)
    assert uses(free, plain) == (False, False)
    assert "(= (total-cost) 0)" in write(metric)


@pytest.mark.parametrize("name", ["", "two words", "a(b", "a)", "semi;colon", "\u00e4", "-a", ":a", "tab\t"])
def test_names_that_cannot_be_written_are_refused(name):
    with pytest.raises(ParseError, match="cannot be written"):
        write(Problem("p", "d", objects=(TypedName(name),)))


# How it looks
def test_expressions():
    assert write(And((Atom("p", ("a",)), Not(Or())))) == "(and (p a) (not (or)))"
    assert write(Forall((TypedName("?x", ("t",)), TypedName("?y", ("t",)), TypedName("?z")), QX)) == (
        "(forall (?x ?y - t ?z - object) (q ?x))"
    )
    assert write(Increase(FunctionTerm("total-cost"), FunctionTerm("f", ("?x",)))) == "(increase (total-cost) (f ?x))"
    long = [Atom(letter * 99, ()) for letter in "ab"]
    assert write(Not(Or(tuple(long)))) == f"(not (or\n  {long[0]}\n  {long[1]}))"
    with pytest.raises(ParseError, match="a TypedName cannot be written"):
        write(TypedName("a"))


def golden_task():
    return parse_task((GOLDEN / "domain.in.pddl").read_text(), (GOLDEN / "problem.in.pddl").read_text())


def test_golden_files():
    """Renew with tests/pddl/renew_golden.py and look at what changed."""
    domain, problem = write(golden_task())
    assert domain == (GOLDEN / "domain.out.pddl").read_text()
    assert problem == (GOLDEN / "problem.out.pddl").read_text()


def test_lines_are_short():
    for text in write(golden_task()):
        assert max(map(len, text.split("\n"))) <= 105


@pytest.mark.parametrize(("letters", "widths"), [(6, [100]), (7, [91, 15])])
def test_a_line_is_filled_before_another_begins(letters: int, widths: list[int]) -> None:
    parameters = [f"?x{number:02}" for number in range(15)] + ["?" + "y" * letters]
    action = f"(:action a :parameters ({' '.join(parameters)}) :effect (p))"
    lines = write(parse_domain(f"(define (domain d) (:predicates (p)) {action})")).splitlines()
    start = next(number for number, line in enumerate(lines) if ":parameters" in line)
    assert [len(line) for line in lines[start : start + len(widths)]] == widths
