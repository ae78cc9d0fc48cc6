"""Names in PDDL: found in domain and problem, told about, completed; and changed, so that the task stays the same."""

import re
from pathlib import Path
from typing import Any

import pytest

from support.data import IPC, needs_ipc
from support.editor import applied
from support.thorough import THOROUGH
from unpuzzle.base.errors import UsageError
from unpuzzle.pddl import Node, parse_task
from unpuzzle.pddl.nodes import Action, Atom, Domain, Function, FunctionTerm, Predicate, Problem, TypedName
from unpuzzle.servers.lsp.language_features import completions, definition, ground_facts, hover, references, renamed
from unpuzzle.workspace import symbols as names
from unpuzzle.workspace.documents import Document, Documents

DOMAIN = """\
(define (domain d)
  (:requirements :adl)
  (:types room box - object)
  (:constants hall - room)
  (:predicates
    ; a box is somewhere
    (in ?b - box ?r - room)
    (open ?r - room) ; rooms begin closed
    (and ?x - box))
  ; Carry a box.
  (:action carry
    :parameters (?b - box ?from ?to - room)
    :precondition (and (in ?b ?from) (open ?to) (and ?b)
                       (forall (?b - room) (or (open ?b) (= ?b hall))))
    :effect (and (not (in ?b ?from)) (in ?b ?to))))
"""
PROBLEM = """\
(define (problem p) (:domain d)
  (:objects attic - room red blue - box)
  (:init (in red attic) (open hall) (open attic) (and red))
  (:goal (in red hall)))
"""
TEN = (
    *("blocks", "gripper", "logistics00", "miconic-fulladl", "philosophers", "psr-middle", "storage", "trucks"),
    *("elevators-opt08-strips", "schedule"),
)


@pytest.fixture
def pair() -> tuple[Documents, Document, Document]:
    documents = Documents()
    return documents, documents.open("/w/d.pddl", DOMAIN), documents.open("/w/p.pddl", PROBLEM)


def place(text: str, what: str, plus: int = 1) -> int:
    return text.index(what) + plus


def test_a_connective_may_be_the_name_of_a_predicate(pair: tuple[Documents, Document, Document]) -> None:
    documents, domain, problem = pair
    found = references(documents, problem, place(PROBLEM, "(and red"))
    assert [domain.text[each.start - 1 : each.end + 3] for each in found if each.document is domain] == [
        "(and ?x",
        "(and ?b",
    ]


def test_an_inner_variable_hides_an_outer_one(pair: tuple[Documents, Document, Document]) -> None:
    documents, domain, _ = pair
    inner = references(documents, domain, place(DOMAIN, "(open ?b)", 7))
    outer = references(documents, domain, place(DOMAIN, "(in ?b ?from)", 5))
    assert len(inner) == 3
    assert len(outer) == 5
    [declared] = definition(documents, domain, place(DOMAIN, "(open ?b)", 7))
    assert DOMAIN[declared.start - 9 : declared.start] == "(forall ("[-9:]


@pytest.mark.parametrize(
    ("what", "plus", "new", "why"),
    [
        ("(in ?b", 1, "open", "the name open is already used by a predicate"),
        ("(in ?b", 1, "not", "word of PDDL"),
        ("(in ?b", 1, "a b", "is not a name"),
        ("(in ?b", 1, "2x", "is not a name"),
        ("hall", 1, "attic", "the name attic is already used by a constant"),
        ("?from ?to", 1, "to", "the name \\?to is already used by another variable"),
        ("- object", 3, "thing", "not on a name that can be changed"),
        (":action", 3, "x", "not on a name that can be changed"),
    ],
)
def test_names_that_would_meet_are_refused(
    what: str, plus: int, new: str, why: str, pair: tuple[Documents, Document, Document]
) -> None:
    documents, domain, _ = pair
    with pytest.raises(UsageError, match=why):
        renamed(documents, domain, place(DOMAIN, what, plus), new)


def test_equality_is_no_name_that_can_be_changed() -> None:
    action = "(:action a :parameters (?x ?y) :precondition (not (= ?x ?y)) :effect (p ?x))"
    text = f"(define (domain d) (:predicates (p ?x)) {action})"
    documents = Documents()
    document = documents.open("/w/d.pddl", text)
    with pytest.raises(UsageError, match="not on a name that can be changed"):
        renamed(documents, document, text.index("(= ?x") + 1, "same")


def test_what_is_told_of_names(pair: tuple[Documents, Document, Document]) -> None:
    documents, domain, problem = pair

    def told(document: Document, what: str, plus: int = 1) -> str:
        found = hover(documents, document, place(document.text, what, plus), ground_facts(documents, problem))
        assert found is not None
        return found.text

    assert "(in ?b - box ?r - room)" in told(domain, "(in ?b")
    assert "a box is somewhere" in told(domain, "(in ?b")
    assert "rooms begin closed" in told(problem, "(open hall")
    assert "no action changes it, 2 facts at the start" in told(problem, "(open hall")
    assert "2 atoms can become true or false" in told(problem, "(in red attic")
    assert "Carry a box." in told(domain, "carry")
    assert "2 ground actions in this task" in told(domain, "carry")
    assert "?b - room" in told(domain, "(open ?b)", 7)
    assert "(in red attic) (and red)" in told(problem, "red blue")
    assert "2 objects: hall attic" in told(problem, "- room", 3)
    assert hover(documents, domain, 0) is None


@pytest.mark.parametrize(
    ("before", "expected", "absent"),
    [
        ("(define (domain d)\n  (:requ", {":requirements", ":action"}, {":init"}),
        ("(define (domain d) (:types room - ", {"object"}, {"and"}),
        ("(define (domain d) (:requirements :st", {":strips", ":adl"}, {":action"}),
        ("(define (problem q) (:domain ", {"d"}, {"and"}),
        (DOMAIN[: DOMAIN.index(":effect")], {":effect"}, {":parameters"}),
        (DOMAIN[: place(DOMAIN, "(in ?b ?from) (open", 0)] + "(in ", {"?b"}, {"?from", "hall"}),
        (DOMAIN[: place(DOMAIN, "(in ?b ?from) (open", 0)] + "(in ?b ", {"?from", "?to", "hall"}, {"?b"}),
        (DOMAIN[: place(DOMAIN, "(in ?b ?from) (open", 0)] + "(", {"in", "open", "or"}, {"when"}),
        (DOMAIN[: place(DOMAIN, "(not (in", 0)] + "(", {"in", "when"}, {"or"}),
        ("; a comment (", set(), {"define"}),
    ],
)
def test_completion_knows_where_it_is(before: str, expected: set[str], absent: set[str]) -> None:
    documents = Documents()
    documents.open("/w/d.pddl", DOMAIN)
    document = documents.open("/w/x.pddl", before)
    labels = {item.label for item in completions(documents, document, len(before)).items}
    assert expected <= labels
    assert not absent & labels


def test_a_plan_may_name_what_its_problem_has_and_a_domain_may_not(pair: tuple[Documents, Document, Document]) -> None:
    documents, domain, _ = pair
    plan = documents.open("/w/x.plan", "(carry ")
    for document, at, known in (
        (plan, len(plan.text), True),
        (domain, place(DOMAIN, "(in ?b ?from)", len("(in ")), False),
    ):
        labels = {item.label for item in completions(documents, document, at).items}
        assert ("red" in labels) == known


def test_a_problem_finds_its_domain(tmp_path: Path) -> None:
    for name in ("a/tasks", "b", "b/deep"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "a/tasks/p.pddl").write_text(PROBLEM)
    (tmp_path / "b/other.pddl").write_text(DOMAIN)
    documents = Documents((str(tmp_path),))
    problem = documents.get(str(tmp_path / "a/tasks/p.pddl"))
    assert problem is not None

    def home() -> str | None:
        found = documents.domain_of(problem)
        return None if found is None else str(Path(found.name).relative_to(tmp_path))

    assert home() == "b/other.pddl"
    (tmp_path / "a/domain.pddl").write_text(DOMAIN)
    assert home() == "a/domain.pddl", "the nearer one"
    (tmp_path / "a/tasks/z.pddl").write_text(DOMAIN)
    assert home() == "a/tasks/z.pddl", "one in its folder"
    documents.open(str(tmp_path / "a/tasks/z.pddl"), DOMAIN.replace("domain d", "domain e"))
    assert home() == "a/domain.pddl", "what a buffer says counts"
    documents.open(str(tmp_path / "c.pddl"), DOMAIN)
    assert home() == "a/domain.pddl", "as the command line finds it"
    (tmp_path / "a/domain.pddl").unlink()
    assert home() == "c.pddl", "an open one before one of the workspace"
    for name in ("a/tasks/one.pddl", "a/tasks/two.pddl"):
        (tmp_path / name).write_text(DOMAIN)
    assert home() is None, "nobody can say which is meant"
    (tmp_path / "a/tasks/domain.pddl").write_text(DOMAIN)
    assert home() == "a/tasks/domain.pddl", "the usual name"


# ---- every name of ten domains


def other_name(node: Any, kind: str, old: str, new: str) -> Any:
    """Return a part of a task in which one thing has another name: the slow twin of renaming, on nodes."""
    if isinstance(node, tuple):
        return tuple([other_name(each, kind, old, new) for each in node])
    if not isinstance(node, Node):
        return node

    def swap(name: str, of: str) -> str:
        return new if kind == of and name == old else name

    def terms(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([value if value[0] == "?" else swap(value, names.CONSTANT) for value in values])

    fields = {name: other_name(getattr(node, name), kind, old, new) for name in node._fields}
    if isinstance(node, TypedName):
        fields["types"] = tuple([swap(each, names.TYPE) for each in node.types])
    elif isinstance(node, Atom):
        fields |= {"predicate": swap(node.predicate, names.PREDICATE), "arguments": terms(node.arguments)}
    elif isinstance(node, FunctionTerm):
        fields |= {"function": swap(node.function, names.FUNCTION), "arguments": terms(node.arguments)}
    elif isinstance(node, Predicate):
        fields["name"] = swap(node.name, names.PREDICATE)
    elif isinstance(node, Function):
        fields["name"] = swap(node.name, names.FUNCTION)
    elif isinstance(node, Action):
        fields["name"] = swap(node.name, names.ACTION)
    elif isinstance(node, Domain):
        fields["name"] = swap(node.name, names.DOMAIN)
        fields["types"] = named(fields["types"], lambda name: swap(name, names.TYPE))
        fields["constants"] = named(fields["constants"], lambda name: swap(name, names.CONSTANT))
    elif isinstance(node, Problem):
        fields |= {"name": swap(node.name, names.PROBLEM), "domain_name": swap(node.domain_name, names.DOMAIN)}
        fields["objects"] = named(fields["objects"], lambda name: swap(name, names.CONSTANT))
    return type(node)(*[fields[name] for name in node._fields])


def named(items: Any, swap: Any) -> Any:
    return tuple([TypedName(swap(item.name), item.types) for item in items])


def without_variables(node: Any) -> Any:
    """Return a text of a part of a task in which each variable is its number among those of its action."""
    numbers: dict[str, str] = {}
    return re.sub(r"\?[^\s'\"(),]+", lambda match: numbers.setdefault(match[0], f"?{len(numbers)}"), repr(node))


@needs_ipc
@pytest.mark.parametrize("family", TEN)
def test_every_name_of_a_domain_can_be_changed(family: str) -> None:
    folder = min((IPC / family).iterdir())
    texts = {name: (folder / f"{name}.pddl").read_text(errors="replace") for name in ("domain", "problem")}
    documents = Documents()
    opened = [documents.open(f"/w/{name}.pddl", text) for name, text in texts.items()]
    before = parse_task(*texts.values())
    tried = set()
    for document in opened:
        for number, each in enumerate(document.symbols.occurrences):
            if each.key in tried or each.kind in (names.KEYWORD, names.NUMBER) or each.built_in:
                continue
            tried.add((*each.key, document.name) if each.kind == names.VARIABLE else each.key)
            tried.add(each.key)
            if len(tried) > 40 and number % 7 and not THOROUGH:
                continue
            changes = renamed(documents, document, each.start, "fresh-name")
            after = [applied(of.text, changes.get(of.name, [])) for of in opened]
            task = parse_task(*after)
            if each.kind == names.VARIABLE:
                assert "?fresh-name" in after[0], each
                for old, new in zip(before.domain.actions, task.domain.actions, strict=True):
                    assert without_variables(old) == without_variables(new), each
                for old_axiom, new_axiom in zip(before.domain.axioms, task.domain.axioms, strict=True):
                    assert without_variables(old_axiom) == without_variables(new_axiom), each
                assert task.problem == before.problem
            else:
                expected = [
                    other_name(part, each.kind, each.name, "fresh-name") for part in (before.domain, before.problem)
                ]
                assert [task.domain, task.problem] == expected, each
    assert tried


def test_the_slow_twin_sees_a_name_that_was_left() -> None:
    before = parse_task(DOMAIN, PROBLEM)
    half = parse_task(
        DOMAIN.replace("(open ?r", "(shut ?r").replace("(open ?to)", "(shut ?to)").replace("(open ?b)", "(shut ?b)"),
        PROBLEM.replace("open", "shut"),
    )
    assert half.domain == other_name(before.domain, names.PREDICATE, "open", "shut")
    assert half.domain != before.domain


class CountedText(str):
    """A text that counts how many characters of it were copied."""

    copied = 0

    def __getitem__(self, place: Any) -> str:
        part = super().__getitem__(place)
        CountedText.copied += len(part)
        return part


class CountedList(list[Any]):
    """A list that counts how often somebody went through it."""

    walked = 0

    def __iter__(self) -> Any:
        self.walked += 1
        return super().__iter__()


def test_the_names_of_one_long_line_are_found_without_copying_it_for_each() -> None:
    """A comment was looked for in a copy of the rest of the line, for each object: 20,000 took 7 seconds."""
    objects = " ".join(f"x{number}" for number in range(2_000))
    text = CountedText(f"(define (problem p) (:domain d) (:objects {objects} - box) ; boxes\n  (:init))")
    CountedText.copied = 0
    declared = Document("/w/p.pddl", text).symbols.declarations
    assert CountedText.copied < 10 * len(text)
    assert [declared[names.CONSTANT, name].comment for name in ("x0", "x1999")] == ["", ""]


def test_a_name_at_a_place_is_found_without_going_through_all() -> None:
    document = Document("/w/p.pddl", "(define (problem p) (:domain d) (:objects a b c - box) (:init (in a b)))")
    found = CountedList(document.symbols.occurrences)
    document.symbols.occurrences = found
    for each in list(found):
        assert document.symbols.at(each.start) == document.symbols.at(each.end) == each
    assert found.walked <= 3
    assert document.symbols.at(0) is None


def test_an_object_is_hovered_with_its_facts_in_a_long_initial_state() -> None:
    documents = Documents()
    facts = " ".join(f"(in b{number} hall)" for number in range(300))
    problem = documents.open(
        "/w/p.pddl", f"(define (problem p) (:domain d) (:objects b7 - box) (:init {facts} (= (f b7) 1)))"
    )
    found = hover(documents, problem, problem.text.index("b7 -") + 1)
    assert found is not None
    assert found.text.endswith("at the start: (in b7 hall)")
