"""Random tasks for hypothesis in which every name means something, many of them named like keywords."""

from hypothesis import strategies as st

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
    Value,
    When,
)

# Random tasks in which every name means something, many of them named like keywords.
NAMES = [
    "and", "or", "not", "imply", "exists", "forall", "when", "increase", "at", "either", "object", "number", "define",
    "a", "b1", "move-to", "x_y", "1-1", "0", "total", "minimize", "either2", "problem",
]  # fmt: skip
names = st.sampled_from(NAMES)
type_names = st.sampled_from([name for name in NAMES if name not in ("object", "number")])
VARIABLES = ["?x", "?y", "?and", "?1"]
CONNECTIVES = {"and", "or", "not", "imply", "exists", "forall", "when", "increase"}


def distinct(elements, least=0, most=4):
    return st.lists(elements, min_size=least, max_size=most, unique=True)


@st.composite
def type_expressions(draw, types):
    return tuple(draw(distinct(st.sampled_from(["object", *types]), 1, 3)))


@st.composite
def parameter_lists(draw, types, anything=()):
    """Parameters; with `anything`, the type expression that lets every argument fit."""
    variables = draw(st.lists(st.sampled_from(VARIABLES), max_size=3))
    expressions = [tuple(dict.fromkeys((*draw(type_expressions(types)), *anything))) for _ in variables]
    return tuple(TypedName(*item) for item in zip(variables, expressions, strict=True))


@st.composite
def atoms(draw, predicates, scope, equality=False):
    usable = [predicate for predicate in predicates if scope or not predicate.parameters]
    if equality and scope and (not usable or draw(st.booleans())):
        return Atom("=", (draw(st.sampled_from(scope)), draw(st.sampled_from(scope))))
    if not usable:
        return None
    predicate = draw(st.sampled_from(usable))
    return Atom(predicate.name, tuple(draw(st.sampled_from(scope)) for _ in predicate.parameters))


@st.composite
def conditions(draw, predicates, scope, types, depth=3):
    kind = draw(st.integers(0, 6)) if depth else 0

    def inner(scope=scope):
        return draw(conditions(predicates, scope, types, depth - 1))

    if kind == 0:
        return draw(atoms(predicates, scope, equality=True)) or And()
    if kind == 1:
        return Not(inner())
    if kind == 2:
        return And(tuple(inner() for _ in range(draw(st.integers(0, 3)))))
    if kind == 3:
        return Or(tuple(inner() for _ in range(draw(st.integers(0, 3)))))
    if kind == 4:
        return Imply(inner(), inner())
    parameters = draw(parameter_lists(types))
    body = inner([*scope, *(parameter.name for parameter in parameters)])
    return (Exists if kind == 5 else Forall)(parameters, body)


@st.composite
def effects(draw, predicates, scope, types, depth=2):
    kind = draw(st.integers(0, 4)) if depth else draw(st.integers(0, 1))
    if kind <= 1:
        atom = draw(atoms(predicates, scope))
        return And() if atom is None else Not(atom) if kind else atom
    if kind == 2:
        return And(tuple(draw(effects(predicates, scope, types, depth - 1)) for _ in range(draw(st.integers(0, 3)))))
    if kind == 3:
        condition = draw(conditions(predicates, scope, types, depth - 1))
        return When(condition, draw(effects(predicates, scope, types, depth - 1)))
    parameters = draw(parameter_lists(types))
    inside = [*scope, *(parameter.name for parameter in parameters)]
    return Forall(parameters, draw(effects(predicates, inside, types, depth - 1)))


@st.composite
def actions(draw, name, predicates, functions, constants, types):
    parameters = draw(parameter_lists(types))
    scope = [*constants, *(parameter.name for parameter in parameters)]
    effect = draw(effects(predicates, scope, types))
    amounts = st.integers(0, 10**12)
    usable = [function for function in functions if scope or not function.parameters]
    if usable:
        function = draw(st.sampled_from(usable))
        term = FunctionTerm(function.name, tuple(draw(st.sampled_from(scope)) for _ in function.parameters))
        amounts = amounts | st.just(term)
    if draw(st.booleans()):
        effect = And((effect, Increase(FunctionTerm("total-cost"), draw(amounts))))
    return Action(name, parameters, draw(conditions(predicates, scope, types)), effect)


def declarable(predicate):
    """`(or)` is the empty disjunction unless a predicate without parameters is named so."""
    return bool(predicate.parameters) or predicate.name not in CONNECTIVES


@st.composite
def tasks(draw):
    types = draw(distinct(type_names, 0, 4))
    hierarchy = []
    for index, name in enumerate(types):
        parents = tuple(draw(distinct(st.sampled_from(types[:index]), 1, 2))) if index else ()
        hierarchy.append(TypedName(name, parents if draw(st.booleans()) and parents else ("object",)))

    def declared(kind):
        items = [kind(name, draw(parameter_lists(types, ("object",)))) for name in draw(distinct(names))]
        return tuple(item for item in items if kind is Function or declarable(item))

    everything = draw(distinct(names, 0, 8))
    cut = draw(st.integers(0, len(everything)))
    typed = [TypedName(name, draw(type_expressions(types))) for name in everything]
    constants, predicates, functions = everything[:cut], declared(Predicate), declared(Function)
    derived = [predicate for predicate in predicates if draw(st.integers(0, 3)) == 0]
    basic = [predicate for predicate in predicates if predicate not in derived]
    axioms = []
    for predicate in derived:
        head = Predicate(predicate.name, predicate.parameters)
        scope = [*constants, *(parameter.name for parameter in head.parameters)]
        axioms.append(Axiom(head, draw(conditions(basic, scope, types))))
    schemas = tuple(draw(actions(name, basic, functions, constants, types)) for name in draw(distinct(names, 0, 3)))
    domain = Domain(
        draw(names), (":strips",), tuple(hierarchy), tuple(typed[:cut]), predicates, functions, schemas, tuple(axioms)
    )
    facts = draw(st.lists(atoms(basic, everything), max_size=5))
    values = []
    for function in functions:
        if everything or not function.parameters:
            term = FunctionTerm(function.name, tuple(draw(st.sampled_from(everything)) for _ in function.parameters))
            values.append(Value(term, draw(st.integers(0, 10**12))))
    problem = Problem(
        draw(names),
        domain.name,
        (),
        tuple(typed[cut:]),
        tuple(fact for fact in facts if fact is not None),
        tuple(values),
        draw(conditions(predicates, everything, types)),
        draw(st.none() | st.just(FunctionTerm("total-cost"))),
    )
    return Task(domain, problem)
