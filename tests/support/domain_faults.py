"""Faults planted into PDDL domains, kind by kind: what people and programs get wrong when they write one.

    for fault, domain in planted(kind, domain): ...      every place of a domain where a fault of a kind can be

Each is a well-formed domain that its author's problems still fit. Whether it means something else is not known here: a
condition may have followed from others.
"""

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Action, And, Atom, Domain, FunctionTerm, Increase, Not, Or, TypedName
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write


def planted(kind, task, rng=None):
    """(what was done, the domain with this fault) for each place in a task's domain; in random order, given `rng`."""
    domain = task.domain
    seen = {domain}
    places = [(action, *place) for action in domain.actions for place in KINDS[kind](action, Context(task))]
    for action, said, changed in places if rng is None else rng.sample(places, len(places)):
        try:
            faulty = parse_domain(write(_with(domain, action, changed)))
        except UnpuzzleError:
            continue  # no well-formed domain
        if faulty not in seen:
            seen.add(faulty)
            yield f"{kind} of {action.name}: {said}", faulty


def _with(domain, action, changed):
    """A domain with other actions in the place of one."""
    actions = [new for old in domain.actions for new in ((old,) if old is not action else changed)]
    parts = {name: getattr(domain, name) for name in Domain._fields if name not in ("requirements", "actions")}
    return Domain(**parts, actions=tuple(actions))


class Context:
    """What a fault may be made of: the predicates of a task, and which of them change."""

    def __init__(self, task):
        self.domain = task.domain
        self.fluents = Semantics(task).fluent_predicates
        self.predicates = {predicate.name: predicate for predicate in task.domain.predicates}

    def alike(self, atom):
        """Other predicates with as many parameters of the same types."""
        own = self.predicates.get(atom.predicate)
        if own is None:
            return  # it is `=`
        types = [parameter.types for parameter in own.parameters]
        for other in self.predicates.values():
            if other is not own and [parameter.types for parameter in other.parameters] == types:
                yield other.name

    def fluent_atoms(self, action):
        """The atoms of fluents that an action's parts can be made of, on its parameters."""
        for name in sorted(self.fluents):
            parameters = self.predicates[name].parameters
            chosen = []
            for parameter in parameters:
                fitting = [own.name for own in action.parameters if own.types == parameter.types]
                if not fitting:
                    break
                chosen.append(fitting[len(chosen) % len(fitting)])
            else:
                yield Atom(name, tuple(chosen))


# ---- parts of an action


def conditions(action):
    return list(conjuncts(action.precondition))


def effects_of(action):
    effect = action.effect
    return list(effect.operands) if isinstance(effect, And) else [effect]


def requiring(action, parts):
    return [Action(action.name, action.parameters, And(tuple(parts)), action.effect)]


def causing(action, parts):
    return [Action(action.name, action.parameters, action.precondition, And(tuple(parts)))]


def atom_of(literal):
    """The atom of a literal; None for what is none."""
    inner = literal.operand if isinstance(literal, Not) else literal
    return inner if isinstance(inner, Atom) else None


def signed(literal, atom):
    """Another atom with the sign of a literal."""
    return Not(atom) if isinstance(literal, Not) else atom


def dropped(parts, wanted):
    for place, part in enumerate(parts):
        if wanted(part):
            yield f"without {write_literal(part)}", parts[:place] + parts[place + 1 :]


def changed(parts, change):
    """Each literal in turn, as `change` makes others of it."""
    for place, part in enumerate(parts):
        if atom_of(part) is not None:
            for new in change(part):
                said = f"{write_literal(new)} for {write_literal(part)}"
                yield said, [*parts[:place], new, *parts[place + 1 :]]


def write_literal(literal):
    return f"not {literal.operand}" if isinstance(literal, Not) else str(literal)


def swapped(literal):
    """Two different arguments exchanged."""
    atom = atom_of(literal)
    for i in range(len(atom.arguments)):
        for j in range(i):
            terms = list(atom.arguments)
            terms[i], terms[j] = terms[j], terms[i]
            if terms != list(atom.arguments):
                yield signed(literal, Atom(atom.predicate, tuple(terms)))


def other_argument(action):
    """One argument replaced by another parameter of the same type."""
    types = {parameter.name: parameter.types for parameter in action.parameters}

    def change(literal):
        atom = atom_of(literal)
        for place, term in enumerate(atom.arguments):
            for other, kind in types.items():
                if other != term and kind == types.get(term):
                    terms = (*atom.arguments[:place], other, *atom.arguments[place + 1 :])
                    yield signed(literal, Atom(atom.predicate, terms))

    return change


def other_predicate(context):
    def change(literal):
        atom = atom_of(literal)
        for name in context.alike(atom):
            yield signed(literal, Atom(name, atom.arguments))

    return change


# ---- the kinds


def is_fluent(context):
    return lambda part: isinstance(part, Atom) and part.predicate in context.fluents


def is_static(context):
    return lambda part: isinstance(part, Atom) and part.predicate not in context.fluents


def preconditions(make):
    return lambda action, context: [(said, requiring(action, parts)) for said, parts in make(action, context)]


def outcomes(make):
    return lambda action, context: [(said, causing(action, parts)) for said, parts in make(action, context)]


def negated(literal):
    yield literal.operand if isinstance(literal, Not) else Not(literal)


def extra_condition(action, context):
    known = {atom_of(part) for part in conditions(action)}
    for atom in context.fluent_atoms(action):
        if atom not in known:
            yield f"with {atom}", [*conditions(action), atom]
            yield f"with not {atom}", [*conditions(action), Not(atom)]


def extra_effect(sign):
    def make(action, context):
        known = {atom_of(part) for part in effects_of(action)}
        for atom in context.fluent_atoms(action):
            if atom not in known:
                yield f"with {write_literal(sign(atom))}", [*effects_of(action), sign(atom)]

    return make


def only(kind):
    """Changes of literals of one sign."""
    return lambda change: lambda literal: change(literal) if isinstance(literal, kind) else ()


def wrong_type(action, context):
    names = ["object", *(kind.name for kind in context.domain.types)]
    for place, parameter in enumerate(action.parameters):
        for name in names:
            if (name,) != parameter.types:
                new = TypedName(parameter.name, (name,))
                parameters = (*action.parameters[:place], new, *action.parameters[place + 1 :])
                said = f"{parameter.name} is a {name}"
                yield said, [Action(action.name, parameters, action.precondition, action.effect)]


def one_of(action, context):
    parts = conditions(action)
    for place in range(len(parts) - 1):
        either = Or((parts[place], parts[place + 1]))
        yield "one of two conditions is enough", requiring(action, [*parts[:place], either, *parts[place + 2 :]])


def no_action(action, context):
    yield "is missing", []


def free_action(action, context):
    yield "needs what does not change, no more", requiring(action, filter(is_static(context), conditions(action)))


def does_nothing(action, context):
    kept = [part for part in effects_of(action) if isinstance(part, Increase)]
    yield "does nothing", causing(action, kept)


def undone(action, context):
    """Effects the other way round."""
    parts = [next(negated(part)) if atom_of(part) else part for part in effects_of(action)]
    yield "the other way round", causing(action, parts)


def wrong_cost(action, context):
    if any(isinstance(part, Increase) for part in effects_of(action)):
        kept = [part for part in effects_of(action) if not isinstance(part, Increase)]
        yield "costs nothing", causing(action, kept)
        yield "costs 7", causing(action, [*kept, Increase(FunctionTerm("total-cost"), 7)])


KINDS = {
    "dropped condition on what changes": preconditions(lambda a, c: dropped(conditions(a), is_fluent(c))),
    "dropped static condition": preconditions(lambda a, c: dropped(conditions(a), is_static(c))),
    "dropped negative condition": preconditions(lambda a, c: dropped(conditions(a), lambda p: isinstance(p, Not))),
    "negated condition": preconditions(lambda a, c: changed(conditions(a), negated)),
    "extra condition": preconditions(extra_condition),
    "swapped parameters in a condition": preconditions(lambda a, c: changed(conditions(a), swapped)),
    "swapped parameters in an effect": outcomes(lambda a, c: changed(effects_of(a), swapped)),
    "wrong parameter in a condition": preconditions(lambda a, c: changed(conditions(a), other_argument(a))),
    "wrong parameter in an effect": outcomes(lambda a, c: changed(effects_of(a), other_argument(a))),
    "wrong predicate in a condition": preconditions(lambda a, c: changed(conditions(a), other_predicate(c))),
    "wrong predicate in an effect": outcomes(lambda a, c: changed(effects_of(a), other_predicate(c))),
    "missing add": outcomes(lambda a, c: dropped(effects_of(a), lambda p: isinstance(p, Atom))),
    "missing delete": outcomes(lambda a, c: dropped(effects_of(a), lambda p: isinstance(p, Not))),
    "add for delete": outcomes(lambda a, c: changed(effects_of(a), only(Not)(negated))),
    "delete for add": outcomes(lambda a, c: changed(effects_of(a), only(Atom)(negated))),
    "extra add": outcomes(extra_effect(lambda atom: atom)),
    "extra delete": outcomes(extra_effect(Not)),
    "wrong type": wrong_type,
    "and as or": one_of,
    "missing action": no_action,
    "action without conditions": free_action,
    "action without effects": does_nothing,
    "effects the other way round": undone,
    "wrong cost": wrong_cost,
}
