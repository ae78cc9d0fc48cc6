"""Lint's checks for suspicious code: valid, but probably a mistake.

They are checked only in domains and problems without errors. A message states certain facts as such ("no action ...")
and asks about the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from unpuzzle.base.text import listing
from unpuzzle.pddl.declarations import ancestors, type_parents
from unpuzzle.pddl.formulas import (
    CONNECTIVES,
    OBJECT,
    And,
    Atom,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Node,
    Not,
    TypedName,
    conjuncts,
    effects,
    free_variables,
    walk,
)
from unpuzzle.pddl.invariants import Invariant, InvariantPart, Invariants, PreparedAction, counted, invariants_of_task
from unpuzzle.pddl.linting.fault import Lint
from unpuzzle.pddl.linting.names import Arguments, multiline_type_lists
from unpuzzle.pddl.nodes import Action, GroundAction, Problem
from unpuzzle.pddl.normal_form import changes, single_effects, substituted
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.world import fact_tables

PLACE_WORDS = frozenset("at in on inside here there position pos location loc where".split())
"""Words in names of predicates that give the place of an object."""


def check_names_used(report: Lint) -> None:
    """Report unused predicates and types, and predicates whose name is a keyword of PDDL."""
    domain, problem = report.domain, report.problem
    used = {node.predicate for node in report.nodes() if isinstance(node, Atom)} | {
        effect.atom.predicate for action in domain.actions for effect in single_effects(action)
    }
    for predicate in domain.predicates:
        if predicate.name in CONNECTIVES or predicate.name == "=":
            message = f"a predicate named '{predicate.name}' is easily mistaken for the word of PDDL"
            report.warning("predicate-name", message, predicate, predicate.name)
        for index, parameter in enumerate(predicate.parameters):
            if any(parameter.name == other.name for other in predicate.parameters[:index]):
                message = f"'{parameter.name}' is listed twice in the declaration of '{predicate.name}'"
                report.warning("parameter-twice", message, parameter)
        if predicate.name not in used:
            where = "no action, axiom or goal" if problem else "no action or axiom"
            message = f"the predicate '{predicate.name}' is never used: {where} mentions it"
            report.warning("unused-predicate", message, predicate, predicate.name)
    parents = type_parents(domain)
    lists = [*(predicate.parameters for predicate in domain.predicates), domain.constants]
    lists += [function.parameters for function in domain.functions]
    lists += [action.parameters for action in domain.actions]
    lists += [node.parameters for node in report.nodes() if isinstance(node, Exists | Forall)]
    lists += [problem.objects] if problem else []
    of_use = {name for names in lists for named in names for name in ancestors(named.types, parents)}
    for declared in domain.types:
        below_a_used = not problem and not of_use.isdisjoint(ancestors((declared.name, "object"), parents))
        if declared.name not in of_use and not below_a_used and declared.name != "object":
            report.warning("unused-type", f"the type '{declared.name}' is never used", declared, declared.name)


def check_lines_of_types(report: Lint) -> None:
    """Report lines of the section `:types` that probably lack their `- TYPE` at the end."""
    runs = list(multiline_type_lists(report.domain.types))
    if not runs:
        return
    arguments = Arguments(Lint(report.domain, report.problem))
    arguments.check_domain()
    arguments.check_problem(thorough=True)
    above = arguments.order.above
    pairs = [(set().union(*map(above, own)), {*expected}) for own, expected in arguments.pairs]
    seen = set[str]().union(*(own for own, _ in pairs))
    for run in runs:
        parents = set[str]().union(*map(above, run[0].types)) - {"object"}
        treated = set[str]().union(*(own for own, expected in pairs if expected & parents))
        stop = next((item for item in run if item.name in treated), run[-1])
        line = [item for item in run if item.span.line < stop.span.line]
        if line and treated and seen.issuperset(item.name for item in line):
            names, parent = listing([repr(item.name) for item in line]), listing(map(repr, run[0].types), "or")
            gets, is_ = ("gets", "is") if len(line) == 1 else ("get", "are")
            message = f"{names} {gets} the type {parent} of the next line, but {is_} never used as {parent}"
            message += ": is '- object' missing here?"
            report.warning("type-line", message, line[-1], line[-1].name, f"{line[-1].name} - object", sure=False)


def check_objects_used(report: Lint) -> None:
    """Report unused objects, if the problem uses another object of the same type."""
    problem = report.problem
    if problem is None:
        return
    atoms: list[Atom | FunctionTerm] = [*problem.init, *(value.term for value in problem.values)]
    atoms += [node for node in walk(problem.goal) if isinstance(node, Atom)]
    used = {name for atom in atoms for name in atom.arguments}
    types = {item.name for item in report.domain.types}
    for items in _by_type(problem):
        unused = [item for item in items if item.name not in used]
        for item in unused if len(unused) < len(items) else ():
            message = f"the object '{item.name}' occurs neither at the start nor in the goal, unlike others of its type"
            if item.name in types:
                message = (
                    f"the object '{item.name}' is never used, and a type has the same name: is a '-' missing before it?"
                )
            report.warning("unused-object", message, item, item.name)


def _by_type(problem: Problem) -> Iterable[list[TypedName]]:
    """Return the objects of a problem in lists, one for each type."""
    by_type: dict[tuple[str, ...], list[TypedName]] = {}
    for item in problem.objects:
        by_type.setdefault(item.types, []).append(item)
    return by_type.values()


def check_effects(report: Lint) -> None:
    """Report actions that have no effect or are never applicable, and atoms that are both added and deleted."""
    # That warning says that an effect was probably meant as a condition: one remedy for both.
    told = {fault.message.split("'")[1] for fault in report.faults if fault.code == "forall-and"}
    for action in report.domain.actions:
        schema = PreparedAction(action)
        for delete in schema.deletes:
            needs = schema.needs(delete)
            # Adding wins where both happen: whenever this deletes, these add the same atom, for each of its variables.
            same = [each for each in schema.adds if each.atom == delete.atom and schema.needs(each) <= needs]
            if action.name not in told and any(set(delete.parameters).issuperset(each.parameters) for each in same):
                message = f"'{action.name}' adds and deletes {delete.atom}: it is true afterwards"
                report.warning("added-and-deleted", message, delete.atom)
        if not schema.deletes and all(each.atom in schema.needs(each) for each in schema.adds):
            message = f"'{action.name}' changes nothing"
            report.warning("no-effect", message, action, action.name)
        opposite = _opposites(action.precondition)
        if opposite is not None:
            message = f"'{action.name}' can never be applied: it requires {opposite} and its negation"
            report.warning("never-enabled", message, opposite)


def _opposites(condition: Node) -> Atom | None:
    """Return an atom that a conjunction both requires and forbids; None if there is no such atom."""
    parts = list(conjuncts(condition))  # type: ignore[arg-type]
    true = {part for part in parts if isinstance(part, Atom)}
    negated = [part.operand for part in parts if isinstance(part, Not) and isinstance(part.operand, Atom)]
    for atom in negated:
        if atom in true or (atom.predicate == "=" and len(set(atom.arguments)) == 1):
            return atom
    return None


def check_parameters(report: Lint) -> None:
    """Report parameters that are the old or new place of a moved object but are not in the action's precondition."""
    changed = _changed(report)
    moves: list[tuple[Action, set[str], tuple[object, ...], Atom, Atom, str, str]] = []
    ways: dict[tuple[object, ...], tuple[Action, Atom]] = {}
    for action in report.domain.actions:
        parts = [part for part in conjuncts(action.precondition) if not isinstance(part, Not)]
        atoms = [node for part in parts for node in walk(part) if isinstance(node, Atom)]
        names = {name for atom in atoms for name in atom.arguments}
        for delete, add, old, new in _moves(action):
            kind = add.predicate, add.arguments.index(new.name), old.types, new.types
            moves.append((action, names, kind, delete, add, old.name, new.name))
            for atom in parts:
                if isinstance(atom, Atom) and not changed[atom.predicate] and {old.name, new.name} <= {*atom.arguments}:
                    ways[kind] = action, atom
    for action, names, key, delete, add, before, after in moves:
        if before not in names:
            message = f"'{action.name}' makes {delete} false, but its precondition does not mention {before}"
            report.warning("unbound-parameter", message, delete, before)
        elif after not in names and key in ways:
            sibling, atom = ways[key]
            message = f"'{action.name}' makes {add} true, but its precondition does not relate {after} to {before}"
            message += f", as {atom} does in '{sibling.name}'"
            report.warning("unbound-parameter", message, add, after)


def _changed(report: Lint) -> Counter[str]:
    """Return for each predicate the number of its add effects and delete effects in all actions."""
    return Counter(effect.atom.predicate for action in report.domain.actions for effect in single_effects(action))


def _moves(action: Action) -> Iterator[tuple[Atom, Atom, TypedName, TypedName]]:
    """Yield pairs of a deleted and an added atom that differ in one argument, with the two different arguments."""
    adds, deletes = changes(each for each in single_effects(action) if each.always)
    names = {each.name: each for each in action.parameters}
    for delete in deletes:
        for add in [each for each in adds if each.predicate == delete.predicate]:
            differing = [pair for pair in zip(delete.arguments, add.arguments, strict=True) if pair[0] != pair[1]]
            if len(differing) == 1 and names.keys() >= {*differing[0]}:
                yield delete, add, names[differing[0][0]], names[differing[0][1]]


def check_forall(report: Lint) -> None:
    """Report effects `(forall (?x) (and (p ?x) ...))` in which `(p ?x)` was probably meant as a condition."""
    changed, start = _changed(report), {atom.predicate for atom in report.problem.init} if report.problem else None
    for action in report.domain.actions:
        for node in effects(action.effect):
            parts = list(conjuncts(node.body)) if isinstance(node, Forall) else []
            if len(parts) < 2 or not isinstance(first := parts[0], Atom):
                continue
            names = [each.name for each in node.parameters if each.name in first.arguments]
            given = len(first.arguments) > 1 if start is None else first.predicate in start
            if names and (Not(first) in parts or (given and changed[first.predicate] == 1)):
                message = (
                    f"'{action.name}' makes {first} true for every {listing(names)}, as 'and' joins effects:"
                    f" if it is a condition, write (when {first} ...)"
                )
                report.warning("forall-and", message, first)


def check_leaks(report: Lint) -> None:
    """Report actions that move an object but do not delete its old place, and objects in two places."""
    invariants = Invariants(report.domain)
    told: set[tuple[str, str]] = set()
    for leak in invariants.leaks:
        if (leak.action.name, str(leak.left)) in told or (leak.action.name, str(leak.added)) in told:
            continue
        told |= {(leak.action.name, str(leak.left)), (leak.action.name, str(leak.added))}
        if leak.deleted:
            message = (
                f"'{leak.action.name}' makes {leak.added} true and {leak.left} false, but does not require {leak.left}:"
                f" could {leak.added} and another such fact both be true afterwards?"
                f" '{leak.sibling.name}' requires it"
            )
            report.warning("delete-unasked", message, leak.added)
        else:
            message = (
                f"'{leak.action.name}' makes {leak.added} true and leaves {leak.left} true,"
                f" unlike '{leak.sibling.name}': is (not {leak.left}) missing?"
            )
            report.warning("not-deleted", message, leak.added)
    _check_never_deleted(report, invariants.schemas, told)
    _check_equal_arguments(report, invariants)
    if report.problem is not None:
        for invariant in invariants_of_task(report.semantics(report.problem), invariants):
            _check_start(report, invariant, invariants.conserved(invariant))


def _check_never_deleted(report: Lint, schemas: list[PreparedAction], told: set[tuple[str, str]]) -> None:
    """Report actions that move an object but do not delete its old place, if no action ever deletes a place."""
    deleted = {effect.atom.predicate for schema in schemas for effect in schema.deletes}
    for each, effect in [(schema, effect) for schema in schemas for effect in schema.adds if not effect.parameters]:
        action, atom, needs = each.action, effect.atom, each.needs(effect)
        if atom.predicate in deleted or not _says_where(atom.predicate) or (action.name, str(atom)) in told:
            continue
        for needed in sorted([each for each in needs if isinstance(each, Atom)], key=str):
            differing = [
                at for at, (one, two) in enumerate(zip(atom.arguments, needed.arguments, strict=False)) if one != two
            ]
            if needed.predicate == atom.predicate and len(differing) == 1:
                message = (
                    f"'{action.name}' makes {atom} true and leaves {needed} true, and no action makes"
                    f" any {atom.predicate} false: is (not {needed}) missing?"
                )
                report.warning("not-deleted", message, atom)
                break


def _check_equal_arguments(report: Lint, invariants: Invariants) -> None:
    """Report actions that put an object onto or into itself if two of their parameters are the same object.

    This is suspected only if both parameters are of one kind, no condition relates them, no invariant or static fact
    keeps them apart, and nothing else in domain and problem relates an object to itself by that predicate.
    """
    init = report.problem.init if report.problem else ()
    atoms = [*init, *(node for node in report.nodes() if isinstance(node, Atom))]
    twice = {atom.predicate for atom in atoms if len({*atom.arguments}) < len(atom.arguments)}
    exclusive = [each for each in invariants.proved if all(len(atoms) < 2 for atoms in counted(each, init).values())]
    for schema in invariants.schemas:
        for pair, made in sorted(_pairs(schema).items()):
            parameters = [schema.action.parameters[number] for number in pair]
            one, two = (each.name for each in parameters)
            for atom in made:
                merged = substituted(atom, {two: one})
                if atom.predicate in twice or not _may_be_one(schema, parameters, merged, exclusive):
                    continue
                instances = _instances(report, schema, Atom("=", (one, two)))
                if instances is not None:
                    example = f", as {instances[0]} does at the start" if instances else ""
                    message = (
                        f"'{schema.action.name}' may have the same object as {one} and {two}, and then makes {merged}"
                        f" true{example}: is (not (= {one} {two})) missing?"
                    )
                    report.warning("equal-arguments", message, atom)


def _pairs(schema: PreparedAction) -> dict[tuple[int, int], list[Atom]]:
    """Map each pair of parameter indices to the add effects in which both parameters occur."""
    numbers: dict[str, list[int]] = {}
    for number, parameter in enumerate(schema.action.parameters):
        numbers.setdefault(parameter.name, []).append(number)
    pairs: dict[tuple[int, int], list[Atom]] = {}
    for atom in [each.atom for each in schema.adds]:
        inside = sorted(number for name in {*atom.arguments} for number in numbers.get(name, ()))
        for pair in combinations(inside, 2):
            pairs.setdefault(pair, []).append(atom)
    return pairs


def _may_be_one(schema: PreparedAction, pair: Sequence[TypedName], made: Atom, exclusive: list[Invariant]) -> bool:
    """Return whether two parameters of an action can be the same object when the action makes the atom `made` true."""
    one, two = pair
    found = schema.settled({two.name: one.name})
    related = [each for each in schema.needs() if {one.name, two.name} <= free_variables(each)]
    if found is None or made in found[1] or not all(isinstance(each, Not) for each in related):
        return False
    asked, true = ([each for each in parts if isinstance(each, Atom)] for parts in (schema.needs(), found[1]))
    alike = one.types == two.types != OBJECT or len(true) < len(asked)  # both are asked for in the same words
    groups = [atoms for each in exclusive for atoms in counted(each, true).values()]
    return alike and not any(len({atom.predicate for atom in atoms}) > 1 for atoms in groups)


def _instances(report: Lint, schema: PreparedAction, equal: Atom) -> list[GroundAction] | None:
    """Return initial instances of an action with two equal parameters; None if static facts exclude all instances."""
    if report.problem is None:
        return []
    semantics, action = report.semantics(report.problem), schema.action
    start, world = fact_tables(semantics.initial), semantics.world(semantics.initial)
    facts = [each for each in schema.needs() if isinstance(each, Atom)]
    static = And((equal, *[each for each in facts if each.predicate in semantics.static_predicates]))
    named = [each for each in action.parameters if each.name in free_variables(static)]
    if not Query(named, static, semantics.types, start).answers(world):
        return None
    whole = Query(action.parameters, And((equal, action.precondition)), semantics.types, start)
    return [GroundAction(action.name, objects) for objects in sorted(whole.answers(world))]


def _says_where(predicate: str) -> bool:
    return not PLACE_WORDS.isdisjoint(predicate.replace("_", "-").split("-"))


def _check_start(report: Lint, invariant: Invariant, conserved: bool) -> None:
    """Report objects that are in two places at the start, and goals that require one object in two places."""
    assert report.problem is not None
    parts = {part.predicate: part for part in invariant}
    kept = len(next(iter(invariant)).kept)
    if not kept and not all(_says_where(name) for name in parts):
        return
    places = counted(invariant, report.problem.init)
    several = {key: atoms for key, atoms in places.items() if len(atoms) > 1}
    slips = all(len(atoms) == 2 for atoms in several.values())  # of three, nobody adds two by mistake
    if slips and len(several) <= max(1, len(places) // 3):
        for key, atoms in several.items():
            whose = f" for {listing([repr(name) for name in key])}" if key else ""
            message = (
                f"{listing(map(str, atoms))} are both true at the start, but every action that adds"
                f" such an atom{whose} deletes another: should only one be true?"
            )
            if not any(fault.code == "two-places" and str(atoms[1]) in fault.message for fault in report.faults):
                report.warning("two-places", message, atoms[1])
    _check_goal_places(report, invariant, places)
    if kept == 1 and conserved:  # a cell may be empty where things come and go
        _check_nowhere(report, places, parts)


def _check_goal_places(report: Lint, invariant: Invariant, places: dict[tuple[str, ...], list[Atom]]) -> None:
    goals = [each for each in conjuncts(report.problem.goal) if isinstance(each, Atom)] if report.problem else []
    for key, (first, *others) in counted(invariant, goals).items():
        for atom in others if len(places.get(key, ())) < 2 else ():
            why = "since no action adds one of them without deleting the other"
            message = f"the goal can never hold: {first} and {atom} are never true together, {why}"
            report.warning("goal-impossible", message, atom)


def _check_nowhere(report: Lint, places: dict[tuple[str, ...], list[Atom]], parts: dict[str, InvariantPart]) -> None:
    """Report objects that are in no place at the start although nearly all objects of their type are in a place."""
    problem = report.problem
    assert problem is not None
    mentioned = {name for node in walk(problem.goal) if isinstance(node, Atom) for name in node.arguments}
    for items in _by_type(problem):
        lacking = [item for item in items if (item.name,) not in places]
        with_one = len(items) - len(lacking)
        for item in lacking if 0 < len(lacking) <= with_one // 2 else ():
            if item.name in mentioned and item.types != OBJECT:  # untyped objects may be of any kind
                names = listing([f"({name} ...)" for name in sorted(parts)], "or")
                message = f"'{item.name}' has no {names} at the start, unlike others of its type: was it forgotten?"
                report.warning("nowhere", message, item, item.name)


def check_goal(report: Lint) -> None:
    """Report a goal that is empty, true in the initial state, or contradictory."""
    problem = report.problem
    if problem is None:
        return
    goal = problem.goal
    parts = list(conjuncts(goal))
    if not parts:
        report.warning(
            "goal-empty", "the goal is empty: it is true from the start, and the empty plan solves it", problem, ":goal"
        )
        return
    opposite = _opposites(goal)
    if opposite is not None:
        message = f"the goal can never hold: it requires {opposite} and its negation"
        report.warning("goal-impossible", message, opposite)
    elif _true_at_start(report):
        report.warning("goal-true", "the goal is true at the start: the empty plan solves it", goal)


def _true_at_start(report: Lint) -> bool:
    """Return whether the goal is true in the initial state."""
    problem = report.problem
    assert problem is not None
    derived = {axiom.head.name for axiom in report.domain.axioms}
    start = set(problem.init)
    plain = [
        part for part in conjuncts(problem.goal) if isinstance(part, Atom) and part.predicate not in derived | {"="}
    ]
    if any(part not in start for part in plain):
        return False
    semantics = report.semantics(problem)
    return semantics.why_unsolved(semantics.initial) is None


def check_bare_functions(report: Lint) -> None:
    """Report functions that are written without brackets, as in `(= total-cost 0)`."""
    problem = report.problem
    terms: list[FunctionTerm] = [value.term for value in problem.values] if problem else []
    terms += [problem.metric] if problem and problem.metric else []
    for action in report.domain.actions:
        for effect in effects(action.effect):
            if isinstance(effect, Increase):
                terms += [term for term in (effect.target, effect.amount) if isinstance(term, FunctionTerm)]
    for term in terms:
        if term.span is not None and not term.span.source.text.startswith("(", term.span.start):
            message = f"'{term.function}' is written without brackets: other programs refuse it; write {term}"
            report.warning("bare-function", message, term, None, str(term))


def may_require_false_atoms(report: Lint) -> bool:
    """Return whether a precondition or goal may require an atom to be false."""
    conditions = [axiom.body for axiom in report.domain.axioms]
    conditions += [report.problem.goal] if report.problem else []
    for action in report.domain.actions:
        conditions += [action.precondition, *[effect.condition for effect in single_effects(action)]]
    negations = [part for each in conditions for part in walk(each) if isinstance(part, Not | Imply)]
    return any(isinstance(each, Imply) or getattr(each.operand, "predicate", "") != "=" for each in negations)


SUSPICIONS: tuple[Callable[[Lint], None], ...] = (
    check_names_used,
    check_lines_of_types,
    check_objects_used,
    check_forall,
    check_effects,
    check_parameters,
    check_leaks,
    check_goal,
    check_bare_functions,
)
