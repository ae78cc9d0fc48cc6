"""The tree of a text: every letter of it, the place of every word, and brackets that lack or are too many."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from unpuzzle.pddl.linting.linting import lint
from unpuzzle.pddl.syntax import Form, Text, Tree, read_form

HERE = Path(__file__).parent
TEXTS = [path.read_text() for path in sorted([*(HERE / "faulty").glob("*.pddl"), *(HERE / "golden").glob("*.pddl")])]


def damaged(text: str, seed: int) -> str:
    """Return a text with one bracket more or less, or in another place."""
    rng = Random(seed)
    places = [at for at, letter in enumerate(text) if letter in "()"]
    gone, put = rng.choice(places), rng.choice(places)
    without = text[:gone] + text[gone + 1 :]
    return rng.choice((without, text[:put] + rng.choice("()") + text[put:], without[:put] + text[gone] + without[put:]))


def forms(form: Form) -> Iterator[Form]:
    yield form
    for inner in form.forms():
        yield from forms(inner)


def require_places(root: Form, text: str) -> None:
    """Require that each word and bracket stands where the tree says; a missing bracket has no width."""
    for form in forms(root):
        for index, item in enumerate(form):
            if isinstance(item, str):
                start, end = form.place(index)
                assert text[start:end].lower() == item
            else:
                assert form.place(index) == (item.start, item.end)
                assert text[item.start] == "("
                assert (text[item.end - 1] == ")") or item.covers(item.end), "only the end of an open form is in it"


@pytest.mark.parametrize("text", TEXTS)
def test_words_and_gaps_are_every_letter(text: str) -> None:
    source = Text(text)
    source.locate_all()
    pieces = [source.gap(at) + text[slice(*source.offsets(at))] for at in range(len(source.words))]
    assert "".join(pieces) + source.gap(len(source.words)) == text
    one_by_one = Text(text)
    assert [one_by_one.word(at) for at in range(len(source.words))] == source.words
    assert (one_by_one.starts, one_by_one.ends, one_by_one.comments) == (source.starts, source.ends, source.comments)


@pytest.mark.parametrize("text", TEXTS)
def test_readers_and_editors_see_the_same_tree_where_brackets_match(text: str) -> None:
    form, tree = read_form(Text(text), "a definition"), Tree(text)
    assert tree.matches
    assert list(tree.root) == [form]
    assert [(each.at, each.to, each.numbers) for each in forms(form)] == [
        (each.at, each.to, each.numbers)
        for each in forms(tree.root[0])  # type: ignore[arg-type]
    ]
    require_places(form, text)


@pytest.mark.parametrize("text", TEXTS)
def test_whatever_brackets_lack_every_word_has_its_place(text: str) -> None:
    for seed in range(60):
        broken = damaged(text, seed)
        tree, source = Tree(broken), Text(broken)
        source.locate_all()
        require_places(tree.root, broken)
        places = sorted(place for form in forms(tree.root) for place in map(form.place, range(len(form))))
        words = [at for at, word in enumerate(source.words) if word not in "()"]
        assert [place for place in places if broken[place[0]] != "("] == list(map(source.offsets, words))


def test_a_missing_bracket_is_one_without_width_and_a_surplus_one_is_none() -> None:
    tree = Tree("(define (domain d) (:types a ; b\n (:constants c)))) (:action e)")
    assert tree.root == [["define", ["domain", "d"], [":types", "a"], [":constants", "c"], [":action", "e"]]]
    types = tree.root[0][2]
    assert isinstance(types, Form)
    assert tree.text[types.start : types.end] == "(:types a ; b\n "
    assert tree.offsets(types.to) == (types.end, types.end)
    assert not tree.matches
    assert Tree("(a) b").matches, "its brackets do"


def test_a_fault_of_words_among_facts_in_brackets_points_at_the_word() -> None:
    domain = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"
    problem = "(define (problem q) (:domain d) (:objects o)\n (:init ((p o) odd (p o))) (:goal (p o)))"
    [fault] = [fault for fault in lint(domain, problem) if "found 'odd'" in fault.message]
    assert (fault.line, fault.column, fault.end_column) == (2, 16, 19)
