"""A task made in Python is checked when it is put together: with the sentences that its text would get."""

from __future__ import annotations

import pickle
from contextlib import suppress
from copy import copy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unpuzzle import Limits, solve, translators
from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import Semantics, faults, lint, parse_domain, parse_problem, parse_task, soundness, write
from unpuzzle.pddl.nodes import (
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
    Node,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
    TypedName,
    Value,
    When,
)
from unpuzzle.testing.random_tasks import random_task

CELL = ("cell",)
C = (TypedName("?c", CELL),)
LIT = Atom("lit", ("?c",))
A = Atom("lit", ("a",))
TOTAL = FunctionTerm("total-cost")


def domain(**parts) -> Domain:
    return Domain(
        "lights",
        **{
            "types": (TypedName("cell"), TypedName("corner", CELL), TypedName("side")),
            "constants": (TypedName("north", ("side",)),),
            "predicates": (
                Predicate("lit", C),
                Predicate("near", (*C, TypedName("?d", CELL))),
                Predicate("good", C),
                Predicate("done"),
            ),
            "functions": (Function("price", (TypedName("?c"),)),),
            "actions": (action(),),
            "axioms": (Axiom(Predicate("good", C), LIT),),
            **parts,
        },
    )


def action(**parts) -> Action:
    return Action(**{"name": "press", "parameters": C, "precondition": And(), "effect": LIT, **parts})


def problem(**parts) -> Problem:
    return Problem(
        "board",
        "lights",
        **{
            "objects": (TypedName("a", CELL), TypedName("bee", ("corner",))),
            "init": (Atom("near", ("a", "bee")), Atom("done")),
            "values": (Value(FunctionTerm("price", ("a",)), 3),),
            "goal": And((A, Forall(C, Or((LIT, Not(LIT)))), Imply(Atom("done"), Exists(C, Atom("=", ("?c", "bee")))))),
            "metric": TOTAL,
            **parts,
        },
    )


def test_a_sound_task_is_made_at_the_first_look():
    own = domain()
    assert soundness.vocabulary(own).fits(problem())
    assert Task(own, problem()) == parse_task(*write(Task(own, problem())))


PROBLEMS = {
    "for 'a' in the objects of problem 'board': unknown type 'cel', did you mean 'cell'?": {
        "objects": (TypedName("a", ("cel",)), TypedName("bee", CELL))
    },
    "in (near a be) in the initial state of problem 'board': unknown object 'be', did you mean 'bee'?": {
        "init": (Atom("near", ("a", "be")),)
    },
    "in (neer a a) in the initial state of problem 'board': unknown predicate 'neer', did you mean 'near'?": {
        "init": (Atom("neer", ("a", "a")),)
    },
    "in (near a) in the initial state of problem 'board': the predicate 'near' takes 2 arguments, not 1": {
        "init": (Atom("near", ("a", "a")), Atom("near", ("a",)))
    },
    "in (done a) in the initial state of problem 'board': the predicate 'done' takes 0 arguments, not 1": {
        "init": (Atom("done", ("a",)),)
    },
    "the object 'north' is of type 'side', but the predicate 'near' takes 'cell'": {
        "init": (Atom("near", ("a", "north")),)
    },
    "the derived predicate 'good' cannot be set by the initial state": {"init": (Atom("good", ("a",)),)},
    "equality cannot be set by the initial state": {"init": (Atom("=", ("a", "a")),)},
    "for 'a' in the objects of problem 'board': the object 'a' was declared differently before": {
        "objects": (TypedName("a", CELL), TypedName("bee", CELL), TypedName("a", ("side",)))
    },
    "the object 'north' was declared differently before": {
        "objects": (TypedName("a", CELL), TypedName("bee", CELL), TypedName("north", CELL))
    },
    "in (lot a) in the goal of problem 'board': unknown predicate 'lot', did you mean 'lit'?": {
        "goal": Not(Atom("lot", ("a",)))
    },
    "in (lit ?d) in the goal of problem 'board': unknown variable '?d'": {"goal": And((Not(Atom("lit", ("?d",))),))},
    "in (lit ?cc) in the goal of problem 'board': unknown variable '?cc', did you mean '?c'?": {
        "goal": Forall(C, Atom("lit", ("?cc",)))
    },
    "for '?c' in the goal of problem 'board': unknown type 'sell', did you mean 'cell'?": {
        "goal": Exists((TypedName("?c", ("sell",)),), LIT)
    },
    "the variable '?c' is of type 'side', but the predicate 'lit' takes 'cell'": {
        "goal": Exists((TypedName("?c", ("side",)),), LIT)
    },
    "in (prise a) in the initial state of problem 'board': unknown function 'prise', did you mean 'price'?": {
        "values": (Value(FunctionTerm("prise", ("a",)), 1),)
    },
    "in (price) in the initial state of problem 'board': the function 'price' takes 1 argument, not 0": {
        "values": (Value(FunctionTerm("price"), 1),)
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
    "in (lit ?cc) in the precondition of action 'press': unknown variable '?cc', did you mean '?c'?": {
        "precondition": Atom("lit", ("?cc",))
    },
    "in (lit c) in the effect of action 'press': unknown object 'c', did you mean '?c'?": {
        "effect": Atom("lit", ("c",))
    },
    "in (near ?c nort) in the precondition of action 'press': unknown object 'nort', did you mean 'north'?": {
        "precondition": Not(Atom("near", ("?c", "nort")))
    },
    "the object 'north' is of type 'side', but the predicate 'lit' takes 'cell'": {"effect": Atom("lit", ("north",))},
    "in (lid ?c) in the effect of action 'press': unknown predicate 'lid', did you mean 'lit'?": {
        "effect": When(Atom("lid", ("?c",)), LIT)
    },
    "in (near ?c) in the effect of action 'press': the predicate 'near' takes 2 arguments, not 1": {
        "effect": Forall((TypedName("?d", CELL),), Not(Atom("near", ("?c",))))
    },
    "the derived predicate 'good' cannot be set by an effect": {"effect": And((Atom("good", ("?c",)),))},
    "in (prise ?c) in the effect of action 'press': unknown function 'prise', did you mean 'price'?": {
        "effect": Increase(TOTAL, FunctionTerm("prise", ("?c",)))
    },
}
DOMAINS = {message: {"actions": (action(**parts),)} for message, parts in ACTIONS.items()} | {
    "the action 'press' was already declared": {"actions": (action(), action())},
    "for 'north' in the constants of domain 'lights': unknown type 'sid', did you mean 'side'?": {
        "constants": (TypedName("north", ("sid",)),)
    },
    "for 'cell' in the types of domain 'lights': the type 'cell' is its own ancestor": {
        "types": (TypedName("cell", ("corner",)), TypedName("corner", CELL), TypedName("side"))
    },
    "for '?c' in the declaration of 'price': unknown type 'cel', did you mean 'cell'?": {
        "functions": (Function("price", (TypedName("?c", ("cel",)),)),)
    },
    "unknown predicate 'god', did you mean 'good'?": {"axioms": (Axiom(Predicate("god", C), LIT),)},
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


@pytest.mark.parametrize("kind", [Not, lambda inner: And((inner,)), lambda inner: Forall((TypedName("?x"),), inner)])
def test_deep_nesting_is_refused(kind):
    goal = A
    for _ in range(3000):
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


# The sentences are those for texts -----------------------------------------------------------------------------------


def misspelt(word: str) -> str:
    """A near miss that is no other word."""
    return f"{word}{word[-1]}"


def renamed(rng: Random, atom: Atom) -> Atom:
    """A predicate or an argument misspelt, an argument too many, or one too few."""
    kinds = ["predicate", "more"] + ["argument", "fewer"] * bool(atom.arguments)
    kind, place = rng.choice(kinds), rng.randrange(len(atom.arguments) or 1)
    if kind == "predicate":
        return Atom(misspelt(atom.predicate), atom.arguments)
    if kind == "more":
        return Atom(atom.predicate, (*atom.arguments, "o0"))
    if kind == "fewer":
        return Atom(atom.predicate, atom.arguments[1:])
    changed = [*atom.arguments]
    changed[place] = misspelt(changed[place])
    return Atom(atom.predicate, tuple(changed))


def replaced(node, old, new):
    """A node with another in the place of one that is in it (by identity), wherever that may be."""
    if node is old:
        return new
    if isinstance(node, tuple):
        return tuple(replaced(each, old, new) for each in node)
    if not isinstance(node, Node):
        return node
    return type(node)(*[replaced(getattr(node, name), old, new) for name in node._fields])


def everything(node):
    """All nodes in a node, and what stands in their fields, but for names of tasks and requirements."""
    for name in node._fields:
        value = getattr(node, name)
        if name == "requirements" or (name in ("name", "domain_name") and isinstance(node, Domain | Problem)):
            continue
        parts = value if isinstance(value, tuple) else (value,)
        yield from parts
        for part in parts:
            if isinstance(part, Node):
                yield from everything(part)


@settings(max_examples=150)
@given(st.integers(0, 10**9))
def test_a_misspelt_task_gets_the_sentence_of_its_text(seed):
    rng = Random(seed)
    task = random_task(rng)
    part = rng.choice([task.domain, task.problem])
    parents = set(map(id, task.domain.types))  # one that is declared nowhere is declared by that, in texts too
    candidates = [each for each in everything(part) if isinstance(each, Atom | TypedName) and id(each) not in parents]
    if not candidates:
        return
    old = rng.choice(candidates)
    new = renamed(rng, old) if isinstance(old, Atom) else TypedName(old.name, (misspelt(old.types[0]),))
    broken = replaced(part, old, new)
    own, other = (broken, task.problem) if part is task.domain else (copy(task.domain), broken)
    with pytest.raises(ParseError) as made:
        Task(own, other)
    text = write(broken)
    with pytest.raises(ParseError) as read:
        parse_domain(text) if part is task.domain else parse_problem(text, task.domain)
    assert made.value.message.endswith(f": {read.value.message}")
    assert "did you mean" in made.value.message or "argument" in made.value.message


@settings(max_examples=100)
@given(st.integers(0, 10**9))
def test_the_quick_look_lets_no_fault_pass(seed):
    """An argument is exchanged for any other object or variable: lint says whether that is a fault."""
    rng = Random(seed)
    task = random_task(rng)
    atoms = [each for each in everything(task.problem) if isinstance(each, Atom) and each.arguments]
    if not atoms:
        return
    old = rng.choice(atoms)
    changed = [*old.arguments]
    names = [item.name for item in (*task.domain.constants, *task.problem.objects)]
    changed[rng.randrange(len(changed))] = rng.choice([*names, "?x0", "?y0", "?p0"])
    broken = replaced(task.problem, old, Atom(old.predicate, tuple(changed)))
    faulty = any(fault.severity == "error" for fault in lint(write(task.domain), write(broken)))
    quick = soundness.vocabulary(task.domain).fits(broken)
    assert not (quick and faulty)
    try:
        Task(task.domain, broken)
    except ParseError:
        assert faulty
    else:
        assert not faulty


JUNK = ("x", "?x", "X", "", None, 3, -1, (), ("x",), A, Not(A), Not(And()), Or((A,)), When(A, A), TOTAL, TypedName("x"))


@settings(max_examples=300)
@given(st.integers(0, 10**9))
def test_anything_anywhere_is_refused_or_understood(seed):
    rng = Random(seed)
    task = random_task(rng)
    parts = [task.domain, task.problem]
    side = rng.randrange(2)
    old = rng.choice(list(everything(parts[side])))
    parts[side] = replaced(parts[side], old, rng.choice(JUNK))
    try:
        broken = Task(*parts)
    except ParseError:
        return
    assert isinstance(write(broken), tuple)
    with suppress(UnsupportedFeature):
        Semantics(broken).applicable(Semantics(broken).initial)
    statuses = {solve(broken, planner, Limits(time=5)).status for planner in ("native", "reference")}
    assert "error" not in statuses


# Puzzles -------------------------------------------------------------------------------------------------------------

LEVELS = {"boxup": "1", "sliding-tiles": "8-hard", "pacman": "dots"}


@settings(max_examples=40)
@given(st.sampled_from(sorted(LEVELS)), st.sampled_from(["native", "reference"]), st.integers(0, 10**9))
def test_a_puzzle_with_a_typo_is_never_unsolvable(name, planner, seed):
    rng = Random(seed)
    kind = translators.find(name)

    class Typo(kind):
        def task(self):
            right = super().task().problem
            old = rng.choice([*right.init, *right.objects, *[each for each in everything(right) if type(each) is Atom]])
            new = renamed(rng, old) if isinstance(old, Atom) else TypedName(old.name, (misspelt(old.types[0]),))
            return Task(super().task().domain, replaced(right, old, new))

    Typo.name = kind.name
    with pytest.raises(ParseError, match=r"did you mean|takes . argument"):
        solve(Typo.parse(kind.levels[LEVELS[name]]), planner)


@pytest.mark.parametrize(("name", "level"), [(n, level) for n in LEVELS for level in translators.find(n).levels])
def test_levels_pass_at_the_first_look(name, level):
    kind = translators.find(name)
    task = kind.parse(kind.levels[level]).task()
    assert soundness.vocabulary(task.domain).fits(task.problem)


# Checked once --------------------------------------------------------------------------------------------------------


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


def test_types_of_arguments_in_texts_are_left_to_lint():
    """As planners take them; but a problem made in Python for such a domain is looked at."""
    texts = (
        """(define (domain d) (:types a b) (:constants x - a) (:predicates (p ?b - b))
            (:action n :parameters () :effect (p x)))""",
        "(define (problem p) (:domain d) (:init) (:goal (p x)))",
    )
    task = parse_task(*texts)
    assert solve(task, "native").cost == 1
    twin = pickle.loads(pickle.dumps(task))
    assert Task(twin.domain, Problem("p", "d")).domain == task.domain
    with pytest.raises(ParseError, match="the object 'x' is of type 'a', but the predicate 'p' takes 'b'"):
        Task(task.domain, Problem("p", "d", goal=Atom("p", ("x",))))
