"""A task made in Python is checked when it is made: every fault is a sentence that names its place."""

import pickle
from copy import copy
from inspect import signature

import pytest

from support.lights import CELL, LIT, TOTAL, A, C, action, domain, problem
from unpuzzle import Result, pddl
from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.pddl import lint, parse_task, write
from unpuzzle.pddl.linting import faults, soundness
from unpuzzle.pddl.nodes import (
    And,
    Atom,
    Axiom,
    Domain,
    Exists,
    Forall,
    Function,
    FunctionTerm,
    Increase,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
    TypedName,
    Value,
    When,
)
from unpuzzle.pddl.semantics import Semantics, holds


def test_a_sound_task_is_made_at_the_first_look():
    own = domain()
    assert soundness.vocabulary(own).fits(problem())
    assert Task(own, problem()) == parse_task(*write(Task(own, problem())))


PROBLEMS = {
    "in (near a be) in the initial state of problem 'board': unknown object 'be', did you mean 'bee'?": {
        "init": (Atom("near", ("a", "be")),)
    },
    "in (done a) in the initial state of problem 'board': the predicate 'done' takes 0 arguments, not 1": {
        "init": (Atom("done", ("a",)),)
    },
    "the derived predicate 'good' cannot be set by the initial state": {"init": (Atom("good", ("a",)),)},
    "equality cannot be set by the initial state": {"init": (Atom("=", ("a", "a")),)},
    "for 'a' in the objects of problem 'board': the object 'a' was declared differently before": {
        "objects": (TypedName("a", CELL), TypedName("bee", CELL), TypedName("a", ("side",)))
    },
    "the object 'north' was declared differently before": {
        "objects": (TypedName("a", CELL), TypedName("bee", CELL), TypedName("north", CELL))
    },
    "in (lit ?cc) in the goal of problem 'board': unknown variable '?cc', did you mean '?c'?": {
        "goal": Forall(C, Atom("lit", ("?cc",)))
    },
    "the variable '?c' is of type 'side', but the predicate 'lit' takes 'cell'": {
        "goal": Exists((TypedName("?c", ("side",)),), LIT)
    },
    "(price a) is 1 and 2 in the initial state": {
        "values": tuple(Value(FunctionTerm("price", ("a",)), n) for n in (1, 2))
    },
    "(total-cost) must be 0 in the initial state": {"values": (Value(TOTAL, 1),)},
    "in the metric of problem 'board': unknown function 'total-cots', did you mean 'total-cost'?": {
        "metric": FunctionTerm("total-cots")
    },
}


@pytest.mark.parametrize("message", PROBLEMS)
def test_faults_of_problems(message):
    with pytest.raises(ParseError) as caught:
        Task(domain(), problem(**PROBLEMS[message]))
    assert str(caught.value).endswith(message)
    assert str(caught.value).startswith(("in ", "for "))


ACTIONS = {
    "for '?c' in the parameters of action 'press': unknown type 'cel', did you mean 'cell'?": {
        "parameters": (TypedName("?c", ("cel",)),)
    },
    "in (lit c) in the effect of action 'press': unknown object 'c', did you mean '?c'?": {
        "effect": Atom("lit", ("c",))
    },
    "the derived predicate 'good' cannot be set by an effect": {"effect": And((Atom("good", ("?c",)),))},
    "in (total-cots) in the effect of action 'press': unknown function 'total-cots', did you mean 'total-cost'?": {
        "effect": And((LIT, Increase(FunctionTerm("total-cots"), 1)))
    },
}
DOMAINS = {message: {"actions": (action(**parts),)} for message, parts in ACTIONS.items()} | {
    "the action 'press' was already declared": {"actions": (action(), action())},
    "for 'cell' in the types of domain 'lights': the type 'cell' is its own ancestor: "
    "cell is of type corner and corner is of type cell; remove one of these": {
        "types": (TypedName("cell", ("corner",)), TypedName("corner", CELL), TypedName("side"))
    },
    "for '?c' in the declaration of 'price': unknown type 'cel', did you mean 'cell'?": {
        "functions": (Function("price", (TypedName("?c", ("cel",)),)),)
    },
    "in (lit ?d) in the axiom for 'good': unknown variable '?d'": {
        "axioms": (Axiom(Predicate("good", C), Atom("lit", ("?d",))),)
    },
    "'good' depends on its own negation, by way of (good ?c): such rules have no meaning": {
        "axioms": (Axiom(Predicate("good", C), Not(Atom("good", ("?c",)))),)
    },
}


@pytest.mark.parametrize("message", DOMAINS)
def test_faults_of_domains(message):
    with pytest.raises(ParseError) as caught:
        Task(domain(**DOMAINS[message]), problem())
    assert str(caught.value).endswith(message)
    assert str(caught.value).startswith(("in ", "for "))


SHAPES = [
    ({"objects": (TypedName("a", "cell"),)}, "a tuple of types for 'a', such as ('object',), found the str 'cell'"),
    ({"objects": ("a",)}, "in the objects of problem 'board': expected a TypedName node, found the str 'a'"),
    ({"objects": (TypedName("A", CELL),)}, "'A' has upper-case letters: names are in lower case, so write 'a'"),
    ({"objects": (TypedName("?a", CELL),)}, "in the objects of problem 'board': expected an object, found '?a'"),
    ({"objects": (TypedName("a b", CELL),)}, "'a b' cannot be written"),
    ({"objects": (TypedName("", CELL),)}, "'' cannot be written"),
    ({"objects": (TypedName(1, CELL),)}, "expected the name of an object, found the int 1"),
    ({"objects": None}, "expected a tuple of TypedName nodes, found None"),
    ({"init": A}, "expected a tuple of Atom nodes, found Atom('lit', ('a',))"),
    ({"init": ("lit a",)}, "in the initial state of problem 'board': expected an Atom node, found the str 'lit a'"),
    ({"init": (("lit", "a"),)}, "expected an Atom node, found the tuple ('lit', 'a')"),
    ({"init": (Not(A),)}, "expected an Atom node, found Not(Atom('lit', ('a',)))"),
    ({"init": (Atom("lit", "a"),)}, "expected a tuple as the arguments of 'lit', such as ('a',) or ('a', 'b'), found"),
    ({"init": (Atom("lit", ["a"]),)}, "such as ('a',) or ('a', 'b'), found the list ['a']"),
    ({"init": (Atom("Lit", ("a",)),)}, "'Lit' has upper-case letters: names are in lower case, so write 'lit'"),
    ({"goal": "(lit a)"}, "in the goal of problem 'board': expected a condition, found the str '(lit a)'"),
    ({"goal": And((A, "lit"))}, "expected a condition, found the str 'lit'"),
    ({"goal": And(A)}, "expected a tuple of operands in an And node, found Atom('lit', ('a',))"),
    ({"goal": Not(None)}, "expected a condition, found None"),
    ({"goal": When(A, A)}, "in the goal of problem 'board': 'when' is an effect: expected a condition"),
    ({"goal": Forall((TypedName("c", CELL),), LIT)}, "expected a variable (a name that begins with '?'), found"),
    ({"goal": Forall(TypedName("?c", CELL), LIT)}, "expected a tuple of TypedName nodes, found TypedName('?c'"),
    (
        {"values": (Value(FunctionTerm("price", ("a",)), 1.5),)},
        "expected a whole number for (price a), found the float",
    ),
    ({"values": (Value("price", 1),)}, "expected a FunctionTerm node, found the str 'price'"),
    ({"metric": "total-cost"}, "in the metric of problem 'board': expected a FunctionTerm node, found the str"),
    ({"precondition": "(lit ?c)"}, "in the precondition of action 'press': expected a condition, found the str"),
    ({"precondition": [LIT]}, "in the precondition of action 'press': expected a condition, found the tuple"),
    ({"precondition": When(LIT, LIT)}, "'when' is an effect: expected a condition"),
    ({"effect": Not(And((LIT,)))}, "in the effect of action 'press': expected an atom after 'not': an effect can only"),
    ({"effect": Or((LIT,))}, "in the effect of action 'press': 'or' is a condition: expected an effect"),
    ({"effect": None}, "in the effect of action 'press': expected an effect, found None"),
    ({"effect": When("lit", LIT)}, "expected a condition, found the str 'lit'"),
    (
        {"effect": Increase(TOTAL, "3")},
        "expected a whole number or a FunctionTerm node as an amount, found the str '3'",
    ),
    ({"parameters": (TypedName("c", CELL),)}, "in the parameters of action 'press': expected a variable (a name that"),
    ({"parameters": "?c"}, "in the parameters of action 'press': expected a tuple of TypedName nodes, found the str"),
    ({"name": "Press"}, "in the actions of domain 'lights': 'Press' has upper-case letters"),
]


@pytest.mark.parametrize(("parts", "message"), SHAPES, ids=[message for _, message in SHAPES])
def test_wrong_kinds_of_nodes(parts, message):
    of_action = set(parts) <= {"name", "parameters", "precondition", "effect"}
    with pytest.raises(ParseError) as caught:
        Task(domain(actions=(action(**parts),)), problem()) if of_action else Task(domain(), problem(**parts))
    assert message in str(caught.value)


def test_numbers_that_are_no_costs_are_not_supported():
    fuel = FunctionTerm("fuel")
    functions = (Function("fuel"), *domain().functions)
    with pytest.raises(UnsupportedFeature, match=r"in problem 'board': the metric \(fuel\) is not supported: only"):
        Task(domain(functions=functions), problem(metric=fuel))
    burning = action(effect=And((LIT, Increase(fuel, 1))))
    with pytest.raises(UnsupportedFeature, match=r"in the effect of action 'press': increasing '\(fuel\)' is not"):
        Task(domain(functions=functions, actions=(burning,)), problem())


@pytest.mark.parametrize("kind", [Not, lambda inner: And((inner,)), lambda inner: Forall((TypedName("?x"),), inner)])
def test_deep_nesting_is_refused(kind):
    goal = A
    for _ in range(200):
        goal = kind(goal)
    Task(domain(), problem(goal=goal))
    goal = kind(goal)
    with pytest.raises(ParseError, match=r"in the goal of problem 'board': .* nested more than 200 deep"):
        Task(domain(), problem(goal=goal))


@pytest.mark.parametrize("parts", [(None, problem()), (domain(), None), ("d", "p"), (problem(), domain())])
def test_a_task_is_made_of_a_domain_and_a_problem(parts):
    with pytest.raises(ParseError, match=r"in a task: expected a (Domain|Problem) node, found"):
        Task(*parts)


def test_several_things_may_come_as_lists():
    given = problem(init=[A], goal=And([A, A]), objects=iter(problem().objects))
    assert hash(Task(domain(), given)) == hash(Task(domain(), problem(init=(A,), goal=And((A, A)))))


@pytest.mark.parametrize("node", ["(lit a)", None, 3, Domain("d", types=("a",)), Problem("p", "d", goal="x"), Not("x")])
def test_what_is_no_part_of_a_task_is_not_written(node):
    with pytest.raises(ParseError):
        write(node)


# ---- Arguments in the wrong order, or of another kind, are told in words; constructors show their fields


TASK = parse_task(
    "(define (domain d) (:predicates (a) (b)) (:action go :parameters () :precondition (a) :effect (b)))",
    "(define (problem p) (:domain d) (:init (a)) (:goal (b)))",
)
MEANING = Semantics(TASK)
STATE, GOAL = MEANING.initial, TASK.problem.goal
[GO] = MEANING.applicable(STATE)


@pytest.mark.parametrize(
    ("misuse", "said"),
    [
        (lambda: MEANING.holds(GOAL, STATE), "a condition is expected as the second argument, not frozenset"),
        (lambda: MEANING.holds(STATE, "(b)"), "a condition is expected as the second argument, not '(b)'"),
        (lambda: MEANING.holds([], GOAL), "a state, a frozenset of atoms, is expected, not []"),
        (lambda: MEANING.holds({"(a)"}, GOAL), "a state, a frozenset of atoms, is expected, not {'(a)'}"),
        (lambda: MEANING.solved(GOAL), "a state, a frozenset of atoms, is expected, not Atom"),
        (lambda: MEANING.applicable(GO), "a state, a frozenset of atoms, is expected, not GroundAction"),
        (lambda: MEANING.apply(GO, STATE), "a ground action is expected, not frozenset"),
        (lambda: MEANING.why_not(GO, STATE), "a ground action is expected, not frozenset"),
        (lambda: MEANING.cost("(go)"), "a ground action is expected, not '(go)'"),
        (lambda: holds(STATE, TASK, GOAL), "a task is expected, not frozenset"),
        (lambda: Semantics(TASK.domain), "a task is expected, not Domain"),
    ],
)
def test_arguments_of_another_kind(misuse, said):
    with pytest.raises(UsageError) as caught:
        misuse()
    assert said in str(caught.value)


def test_constructors_show_their_fields():
    assert list(signature(pddl.Action).parameters) == ["name", "parameters", "precondition", "effect", "span"]
    assert list(signature(pddl.GroundAction).parameters) == ["name", "arguments", "span"]
    assert str(signature(pddl.GroundAction).parameters["arguments"]) == "arguments: 'tuple[str, ...]' = ()"
    assert list(signature(Result).parameters)[:3] == ["status", "planner", "plan"]
    assert list(signature(pddl.Not).parameters) == ["operand", "span"]  # a constructor of its own
    assert all(f"`{name}`" in (pddl.Action.__doc__ or "") for name in ("name", "parameters", "precondition", "effect"))
    for kind in vars(pddl).values():
        if isinstance(kind, type) and hasattr(kind, "_fields"):
            assert not {"values", "named"} & signature(kind).parameters.keys(), kind


# ---- A sound domain or task is looked at once: not again when it is read, copied or used for another problem


@pytest.fixture
def looks(monkeypatch):
    """How often domains and problems have been looked at."""
    seen = []

    def watch(owner, name):
        original = getattr(owner, name)

        def look(*parts):
            seen.append(name)
            return original(*parts)

        monkeypatch.setattr(owner, name, look)

    watch(soundness, "require")
    watch(faults, "check_domain")
    watch(faults, "check_task")
    return seen


def test_what_was_read_is_not_checked_again(looks):
    task = parse_task(*write(Task(domain(), problem())))
    looks.clear()
    again = parse_task(*write(task))
    assert Task(again.domain, again.problem) == task
    assert looks == []


def test_a_domain_is_checked_once(looks):
    own = domain()
    for _ in range(3):
        Task(own, problem())
    assert looks == ["require", "check_domain", "require", "require"]


def test_copies_are_not_checked_again(looks):
    task = Task(domain(), problem())
    looks.clear()
    for twin in (pickle.loads(pickle.dumps(task)), copy(task)):
        assert twin == task
        Task(twin.domain, problem())
    assert looks == ["require", "require"]


DOMAIN = """(define (domain d) (:types a b) (:constants x - a y - b) (:predicates (p ?b - b) (q))
            (:action n :parameters (?a - a) :precondition (p y) :effect (q)))"""
PROBLEM = "(define (problem p) (:domain d) (:init (p y) (not (q))) (:goal (p y)))"


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        (DOMAIN.replace(":precondition (p y)", ":precondition (p x)"), PROBLEM),
        (DOMAIN, PROBLEM.replace(":init (p y)", ":init (p x)")),
        (DOMAIN, PROBLEM.replace("(not (q))", "(not (p x))")),
        (DOMAIN, PROBLEM.replace(":goal (p y)", ":goal (p x)")),
    ],
)
def test_types_of_arguments_are_checked_at_reading(domain, problem):
    """By lint's own eyes, so with lint's sentence at lint's place."""
    assert parse_task(DOMAIN, PROBLEM)
    with pytest.raises(ParseError, match="the object 'x' is of type 'a', but the predicate 'p' takes 'b'") as caught:
        parse_task(domain, problem)
    (fault,) = [fault for fault in lint(domain, problem) if fault.severity == "error"]
    assert (fault.line, fault.column, fault.message) == (caught.value.line, caught.value.column, caught.value.message)


def test_names_in_what_the_initial_state_denies_are_checked():
    with pytest.raises(ParseError, match="unknown predicate 'qq', did you mean 'q'"):
        parse_task(DOMAIN, PROBLEM.replace("(not (q))", "(not (qq))"))
    with pytest.raises(ParseError, match="unknown object 'z'"):
        parse_task(DOMAIN, PROBLEM.replace("(not (q))", "(not (p z))"))
