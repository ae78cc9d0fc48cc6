"""Functions that write syntax nodes as PDDL text, indented and in lower case, and that infer requirements.

Domains declare the smallest true set of requirements, and `total-cost` only where it is used: a task whose actions add
to it, or whose metric names it, gets the function and its initial value 0. `parse_domain(write(domain)) == domain` for
every domain that was read, and likewise for problems; see `declarations`.

`failures` says which parts of a condition are false, in PDDL and as sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, overload

from unpuzzle.base.errors import ParseError
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem, parents_first
from unpuzzle.pddl.formulas import (
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    Imply,
    Increase,
    Not,
    Or,
    When,
    effects,
    walk,
)
from unpuzzle.pddl.linting.faults import check_domain_shape, check_problem_shape
from unpuzzle.pddl.nodes import OBJECT, FunctionTerm, Node, Task, TypedName
from unpuzzle.pddl.world import World, adds_cost

Tree = str | list[Any]

WIDTH = 100
"""The width at which lines are broken."""
QUANTIFIED = frozenset({":existential-preconditions", ":universal-preconditions"})
COVERED: dict[str, frozenset[str]] = {
    ":quantified-preconditions": QUANTIFIED,
    ":adl": QUANTIFIED.union(
        ":strips :typing :negative-preconditions :disjunctive-preconditions :equality".split(),
        ":quantified-preconditions :conditional-effects".split(),
    ),
    ":negation": frozenset({":negative-preconditions"}),
    ":fluents": frozenset({":action-costs"}),
    ":numeric-fluents": frozenset({":action-costs"}),
}
"""Requirements that include others."""

_ORDER = """
    :strips :typing :negative-preconditions :disjunctive-preconditions :equality :existential-preconditions
    :universal-preconditions :quantified-preconditions :conditional-effects :derived-predicates :action-costs
    """.split()


_OF_NODES: dict[type[Node], str] = {
    Or: ":disjunctive-preconditions",
    Imply: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}
"""The requirement of a kind of node in a condition."""
NEEDS = {
    ":typing": "a type",
    ":action-costs": "a cost",
    ":derived-predicates": "an axiom",
    ":equality": "'='",
    ":negative-preconditions": "'not'",
    ":disjunctive-preconditions": "'or', 'imply' or 'not'",
    ":existential-preconditions": "'exists'",
    ":universal-preconditions": "'forall'",
    ":conditional-effects": "'when' or 'forall'",
}
"""By requirement, the word or construct that needs it."""


@overload
def write(node: Task) -> tuple[str, str]: ...
@overload
def write(node: Domain | Problem | Condition | Effect) -> str: ...
def write(node: Any) -> Any:
    """Return the text of a domain, a problem, a condition or an effect; for a task, the texts of domain and problem.

    Raises ParseError for a name that PDDL cannot express, such as one with a blank, and for anything but a node.
    """
    if not isinstance(node, Node):
        raise _unwritable(node)
    if isinstance(node, Task):
        needed = required_by_domain(node.domain) | required_by_problem(node.problem)
        costs = _costs(node.domain) or node.problem.metric is not None
        return _domain(node.domain, needed, costs), _problem(node.problem, set(), costs)
    if isinstance(node, Domain):
        if not node.vocabulary:  # a domain made in Python may have wrong nodes
            check_domain_shape(node)
        return _domain(node, required_by_domain(node), _costs(node))
    if isinstance(node, Problem):
        if node.domain is None:
            check_problem_shape(node)
        return _problem(node, required_by_problem(node), node.metric is not None)
    return _laid_out(_tree(node), 0, 0)


def _unwritable(node: object) -> ParseError:
    return ParseError(f"a {type(node).__name__} cannot be written: expected a task or a part of one")


def _requirements(needed: set[str]) -> str:
    return _filled("  (:requirements ", " ".join(smallest(needed))) + ")"


def _costs(domain: Domain) -> bool:
    return any(adds_cost(action.effect) for action in domain.actions)


def _domain(domain: Domain, needed: set[str], costs: bool) -> str:
    """Return the text of a domain; `costs` says whether functions are written."""
    # Several parents become several declarations: Fast Downward does not read `either` among types.
    types = [TypedName(item.name, (parent,)) for item in parents_first(domain.types) for parent in item.types]
    blocks = [
        f"(define (domain {_name(domain.name)})",
        _requirements(needed),
        *_section(":types", typed(types)),
        *_section(":constants", typed(domain.constants)),
        *_section(":predicates", map(_declaration, domain.predicates)),
        *_section(":functions", _functions(domain, costs)),
    ]
    empty_and = "()" if any(p.name == "and" and not p.parameters for p in domain.predicates) else "(and)"
    rules = [_axiom(axiom, empty_and) for axiom in domain.axioms]
    rules += [_action(action, empty_and) for action in domain.actions]
    return "\n\n".join(["\n".join(blocks), *rules]) + ")\n"


def _functions(domain: Domain, costs: bool) -> Iterator[str]:
    declared = [_declaration(function) for function in domain.functions if function.name != TOTAL_COST]
    for function in ["(total-cost)", *declared] if costs else declared:
        yield f"{function} - number"


def _declaration(node: Predicate | Function) -> str:
    return " ".join(["(" + _name(node.name), *typed(node.parameters)]) + ")"


def _axiom(axiom: Axiom, empty_and: str) -> str:
    return f"  (:derived {_declaration(axiom.head)}\n    {_laid_out(_tree(axiom.body, empty_and), 4, 4)})"


def _action(action: Action, empty_and: str) -> str:
    """Return the text of an action; `empty_and` is the text of a condition that is always true."""
    parameters = _filled("    :parameters (", " ".join(typed(action.parameters)))
    lines = [f"  (:action {_name(action.name)}", f"{parameters})"]
    precondition = "()" if action.precondition == And() else _tree(action.precondition, empty_and)
    lines.append(_part(":precondition", precondition))
    effect = And((action.effect,)) if isinstance(action.effect, Increase) else action.effect
    lines.append(_part(":effect", _tree(effect, empty_and)))
    return "\n".join(lines) + ")"


def _part(keyword: str, tree: Tree) -> str:
    return f"    {keyword} {_laid_out(tree, 4, 5 + len(keyword))}"


def _problem(problem: Problem, needed: set[str], costs: bool) -> str:
    """Return the text of a problem; `costs` says whether function values are written."""
    lines = [f"(define (problem {_name(problem.name)})", f"  (:domain {_name(problem.domain_name)})"]
    if needed:
        lines.append(_requirements(needed))
    lines += _section(":objects", typed(problem.objects))
    lines += ["  (:init", *_facts(problem, costs)]
    lines[-1] += ")"
    lines.append(f"  (:goal {_laid_out(_tree(problem.goal), 2, 9)})")
    if problem.metric is not None:
        lines.append(f"  (:metric minimize {problem.metric})")
    return "\n".join(lines) + ")\n"


def _facts(problem: Problem, costs: bool) -> Iterator[str]:
    """Yield the lines of the section `:init`; facts of one predicate may share a line."""
    if costs:
        yield "    (= (total-cost) 0)"
    facts = [(atom.predicate, str(atom).lower()) for atom in problem.init]
    facts += [("= " + value.term.function, f"(= {value.term} {value.number})".lower()) for value in problem.values]
    for _, group in groupby(facts, key=itemgetter(0)):
        line = "   "
        for _, fact in group:
            if len(line) > 3 and len(line) + len(fact) >= WIDTH:
                yield line
                line = "   "
            line = f"{line} {fact}"
        yield line


def typed(names: Sequence[TypedName]) -> Iterator[str]:
    """Yield strings such as `a b - t`, one for each run of names with the same type."""
    plain = all(name.types == OBJECT for name in names)
    for types, neighbours in groupby(names, key=lambda item: item.types):
        group = " ".join(_name(item.name) for item in neighbours)
        kind = " ".join(map(_name, types))
        yield group if plain else f"{group} - {kind if len(types) == 1 else f'(either {kind})'}"


def _section(keyword: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a section: one line if it has one short entry, otherwise one line for each entry."""
    parts = list(entries)
    if len(parts) == 1 and len(keyword) + len(parts[0]) + 5 <= WIDTH:
        yield f"  ({keyword} {parts[0]})"
    elif parts:
        yield f"  ({keyword}"
        yield from [_filled("    ", part) for part in parts[:-1]]
        yield _filled("    ", parts[-1]) + ")"


def _filled(start: str, words: str) -> str:
    """Append words to the text `start`, with line breaks where a line would be too long."""
    if not words:
        return start
    lines, line, indent = [], start, " " * min(len(start), 6)
    for word in words.split(" "):
        if len(line) + len(word) + 1 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += f"{word} "
    return "\n".join([*lines, line.rstrip()])


def _name(name: str) -> str:
    if not (name and name.isascii() and name.isprintable()) or name[0] in ":-" or set(" ();") & set(name):
        raise ParseError(f"'{name}' cannot be written: a PDDL name is ASCII without blanks, brackets and semicolons")
    return name.lower()


# Expressions: a tree is a finished word, or a list whose head and list of variables stay on the first line.


def _tree(node: Any, empty_and: str = "(and)") -> Tree:
    """Convert a condition or an effect to nested lists of words, ready to be laid out."""
    if isinstance(node, Atom | FunctionTerm):
        return str(node).lower()
    if node == And():
        return empty_and
    if isinstance(node, Exists | Forall):
        return [f"{_word(node)} ({' '.join(typed(node.parameters))})", _tree(node.body, empty_and)]
    if isinstance(node, And | Or | Not | Imply | When):
        return [_word(node), *[_tree(child, empty_and) for child in node.children()]]
    if isinstance(node, Increase):
        return ["increase", str(node.target), str(node.amount).lower()]
    raise _unwritable(node)


def _word(node: Node) -> str:
    return type(node).__name__.lower()


def _flat(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(_flat, tree))})"


def _laid_out(tree: Tree, indent: int, column: int) -> str:
    """Write nested lists as text from `column` on: on one line if it fits, otherwise one line for each part."""
    flat = _flat(tree)
    if isinstance(tree, str) or column + len(flat) <= WIDTH or tree[0] == "increase":
        return flat
    if tree[0] == "not":
        return f"(not {_laid_out(tree[1], indent, column + 5)})"
    deeper = indent + 2
    parts = "".join(f"\n{' ' * deeper}{_laid_out(part, deeper, deeper)}" for part in tree[1:])
    return f"({tree[0]}{parts})"


# ---- Requirements: computed from nodes by the grammar of PDDL 3.1, or added to the text
#
# The grammar counts `(not (p))` as a negative precondition, but the negation of anything else as a disjunctive one.


def smallest(needed: set[str]) -> list[str]:
    """Return the shortest list of requirements that includes all in `needed`; `:strips` if none is needed."""
    if needed >= QUANTIFIED:
        needed = needed - QUANTIFIED | {":quantified-preconditions"}
    return [requirement for requirement in _ORDER if requirement in needed] or [":strips"]


def covered(declared: Iterable[str]) -> set[str]:
    """Return the declared requirements and those that they imply, such as `:strips`, which `:adl` implies."""
    result = set(declared)
    return result.union(*(COVERED.get(requirement, ()) for requirement in result))


def required_by_domain(domain: Domain) -> set[str]:
    return {requirement for _, requirement in _needs(domain)}


def required_by_problem(problem: Problem) -> set[str]:
    return {requirement for _, requirement in _needs_of_problem(problem)}


def _needs(domain: Domain) -> Iterator[tuple[Node, str]]:
    """Yield each part of a domain that needs a requirement, together with the requirement."""
    yield from ((item, ":typing") for item in domain.types)
    yield from _typed(domain.constants)
    for function in domain.functions:
        yield function, ":action-costs"
        yield from _typed(function.parameters)
    for predicate in domain.predicates:
        yield from _typed(predicate.parameters)
    for action in domain.actions:
        yield from _typed(action.parameters)
        yield from _needs_of_condition(action.precondition)
        for part in effects(action.effect):
            if isinstance(part, Increase):
                yield part, ":action-costs"
            elif isinstance(part, Forall | When):
                yield part, ":conditional-effects"
                yield from _typed(part.parameters) if isinstance(part, Forall) else _needs_of_condition(part.condition)
    for axiom in domain.axioms:
        yield axiom, ":derived-predicates"
        yield from _typed(axiom.head.parameters)
        yield from _needs_of_condition(axiom.body)


def _needs_of_problem(problem: Problem) -> Iterator[tuple[Node, str]]:
    yield from _typed(problem.objects)
    yield from ((value, ":action-costs") for value in problem.values)
    yield from _needs_of_condition(problem.goal)
    if problem.metric is not None:
        yield problem.metric, ":action-costs"


def _needs_of_condition(condition: Condition) -> Iterator[tuple[Node, str]]:
    """Yield each part of a condition that needs a requirement, together with the requirement."""
    for part in walk(condition):
        if type(part) in _OF_NODES:
            yield part, _OF_NODES[type(part)]
        elif isinstance(part, Not):
            yield part, ":negative-preconditions" if isinstance(part.operand, Atom) else ":disjunctive-preconditions"
        elif isinstance(part, Atom) and part.predicate == "=":
            yield part, ":equality"
        if isinstance(part, Exists | Forall):
            yield from _typed(part.parameters)


def _typed(names: Iterable[TypedName]) -> Iterator[tuple[TypedName, str]]:
    return ((name, ":typing") for name in names if name.types != OBJECT)


def lacking(task: Task) -> list[str]:
    """Return the requirements that a task needs but its domain does not declare."""
    missing = (required_by_domain(task.domain) | required_by_problem(task.problem)) - covered(task.domain.requirements)
    return smallest(missing) if missing else []


def requiring(text: str, missing: Iterable[str]) -> str:
    """Add requirements to the text of a domain; everything else in the text stays the same."""
    words = " ".join(missing)
    if not words:
        return text

    tokens = [match for match in re.finditer(r";[^\n]*|[()]|[^\s();]+", text) if not match[0].startswith(";")]
    names = [match[0].lower() for match in tokens]
    if ":requirements" in names:
        end = tokens[names.index(")", names.index(":requirements"))].start()
        return f"{text[:end]} {words}{text[end:]}"
    end = tokens[names.index(")", names.index("domain"))].end()
    return f"{text[:end]}\n  (:requirements {words}){text[end:]}"


def needed_by(requirement: str, node: Domain | Problem) -> str:
    """Return a clause that names the construct that needs a requirement, and the line of this construct."""
    needs = _needs(node) if isinstance(node, Domain) else _needs_of_problem(node)
    span = next((part.span for part, needed in needs if needed == requirement), None)
    return f": {NEEDS[requirement]} in line {span.line} needs it" if span else ""


# ---- Conditions that are false: one sentence for each part that is


class Failure(Record):
    """A false part of a condition.

    Attributes:
        condition: the part as PDDL, with objects for variables: `(not (open))`.
        reason: a sentence: "(open) is true, but must be false".
        atom: the atom of the part, if that is a literal; None for others.
    """

    condition: str
    reason: str
    atom: Atom | None = None


def failures(
    condition: Condition, binding: Mapping[str, str], world: World, static: frozenset[str]
) -> Iterator[Failure]:
    """Yield the false parts of a condition in a world; `static` are the static predicates."""
    if world.holds(condition, binding):
        return
    if isinstance(condition, And):
        for operand in condition.operands:
            yield from failures(operand, binding, world, static)
    elif isinstance(condition, Forall):
        for each in world.types.assignments(condition.parameters, binding):
            objects = ", ".join(f"{named.name} = {each[named.name]}" for named in condition.parameters)
            yield from _prefixed(f"for {objects}: ", failures(condition.body, each, world, static))
    elif isinstance(condition, Imply):
        premise = f"{text(condition.premise, binding)} holds, but "
        yield from _prefixed(premise, failures(condition.conclusion, binding, world, static))
    else:
        yield _failure(condition, binding, static)


def _prefixed(prefix: str, parts: Iterator[Failure]) -> Iterator[Failure]:
    return (part.replace(reason=prefix + part.reason) for part in parts)


def _failure(condition: Condition, binding: Mapping[str, str], static: frozenset[str]) -> Failure:
    """Describe a condition that is false; `static` are the static predicates."""
    formula, atom = text(condition, binding), condition.operand if isinstance(condition, Not) else condition
    if not isinstance(atom, Atom):
        if isinstance(condition, Not):
            return Failure(formula, f"{text(condition.operand, binding)} is true, but must be false")
        nothing = f"none of the alternatives in {formula} holds" if isinstance(condition, Or) else ""
        return Failure(formula, nothing or f"no objects satisfy {formula}")
    note = " (static: no action changes it)" if atom.predicate in static else ""
    ground = Atom(atom.predicate, tuple([binding.get(term, term) for term in atom.arguments]))
    said = f"{ground} is true{note}, but must be false" if isinstance(condition, Not) else f"{ground} is false{note}"
    return Failure(formula, said, ground)


def text(condition: Condition, binding: Mapping[str, str]) -> str:
    """Return a condition as PDDL, with bound variables replaced by objects."""
    if isinstance(condition, Atom):
        terms = (binding.get(term, term) for term in condition.arguments)
        return f"({' '.join((condition.predicate, *terms))})"
    if isinstance(condition, Exists | Forall):
        inner = dict(binding)
        for named in condition.parameters:
            inner.pop(named.name, None)
        names = " ".join(typed(condition.parameters))
        return f"({type(condition).__name__.lower()} ({names}) {text(condition.body, inner)})"
    parts = (text(part, binding) for part in condition.children())
    return f"({' '.join((type(condition).__name__.lower(), *parts))})"
