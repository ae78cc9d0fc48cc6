"""Words for messages."""

import ast
from difflib import SequenceMatcher, get_close_matches
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.command_line import TINY_DOMAIN, TINY_PROBLEM
from support.counting import calls
from unpuzzle import find, solve
from unpuzzle.base.run import Limits
from unpuzzle.base.text import Vocabulary, corrected, count, cut, listing, nearest, shorten, suggestion, with_article
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.native.grounding import _work
from unpuzzle.servers.lsp.language_features import outline
from unpuzzle.state_space.space import reachable_by_rules
from unpuzzle.workspace.documents import Document


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("bloc", ["block", "table"], ", did you mean 'block'?"),
        ("cel", ("wall", "cell", "cello"), ", did you mean 'cell'?"),
        ("xyz", {"block": 1}, ""),
        ("", [], ""),
    ],
)
def test_a_near_miss_is_suggested(word: str, known: list[str], hint: str) -> None:
    assert suggestion(word, known) == hint
    assert suggestion(word, iter(known)) == hint


@given(st.text("abcde-1", min_size=1, max_size=9), st.lists(st.text("abcde-1", min_size=1, max_size=9), max_size=12))
def test_the_nearest_word_is_the_first_close_match(word: str, known: list[str]) -> None:
    assert nearest(word, known) == next(iter(get_close_matches(word, known, n=1)), None)


def test_a_vocabulary_finds_the_nearest_of_its_words_again_and_for_long_words():
    known = ["cell", "wall", "cell"]
    vocabulary = Vocabulary(known)
    for word in ("cel", "wal", "cel", "xyz", "", "cell" * 50):
        assert vocabulary.nearest(word) == nearest(word, known)
    assert calls(vocabulary.nearest, "cell" * 100_000) < 100


def test_only_words_that_could_be_nearest_are_compared_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, ratio = [], SequenceMatcher.ratio
    monkeypatch.setattr(SequenceMatcher, "ratio", lambda self: compared.append(1) or ratio(self))
    assert nearest("cell-177q", [f"cell-{number}" for number in range(1_000)]) == "cell-177"
    assert len(compared) < 50


@pytest.mark.parametrize(("number", "text"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (2000, "2,000 cells")])
def test_a_number_with_its_noun(number: int, text: str) -> None:
    assert count(number, "cell") == text


@given(st.text(max_size=30), st.integers(3, 30))
def test_a_text_cut_short_is_quoted_and_fits(text: str, width: int) -> None:
    inner = ast.literal_eval(shorten(text, width))
    assert len(inner) <= width
    assert inner == text or (len(text) > width and inner.endswith("...") and text.startswith(inner[:-3]))


def test_a_text_cut_short_without_quotes():
    assert [cut("abcdef", width) for width in (5, 6)] == ["ab...", "abcdef"]


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_words_as_they_stand_in_a_sentence(words: list[str], text: str) -> None:
    assert listing(words, "or") == listing(iter(words), "or") == text
    assert listing(words) == text.replace(" or ", " and ")


def test_articles():
    assert [with_article(noun) for noun in ("action", "block", "Or")] == ["an action", "a block", "an Or"]


def test_messages_about_one_thing_speak_of_one() -> None:
    position = find("hanoi").parse("A: 2 1\nB:\nC:\n")
    message = solve(position, "rules:bfs", limits=Limits(time=60), max_expanded=1).message
    assert message == "the limit of 1 expanded positions was reached"
    assert reachable_by_rules(position, max_states=1).message.endswith("more than 1 state")
    entries = outline(Document("p.pddl", TINY_PROBLEM, None))
    assert "1 fact" in [part.detail for entry in entries for part in (entry, *entry.inside)]


def test_grounding_that_reached_one_fact_says_so() -> None:
    flat = SimpleNamespace(task=parse_task(TINY_DOMAIN, TINY_PROBLEM))
    grounding = SimpleNamespace(progress=("goal", 0, -1, 0, 1))
    assert _work(flat, grounding) == "grounding the goal (facts reached: 1)"  # type: ignore[arg-type]


# ---- Which misspellings are corrected without asking: `unpuzzle.base.text.corrected`


@pytest.mark.parametrize(
    ("word", "known", "right"),
    [
        ("vissited", ["visited"], "visited"),
        ("visted", ["visited"], "visited"),
        ("vistied", ["visited"], "visited"),
        ("visited-ooms", ["visited-rooms"], "visited-rooms"),
        ("visoted", ["visited"], "visited"),
        ("visxted", ["visited"], None),
        ("at_robot", ["at-robot"], "at-robot"),
        ("att", ["at", "in"], "at"),
        ("unvisited", ["visited"], None),
        ("visited", ["unvisited"], None),
        ("inactive", ["active"], None),
        ("on-truck", ["in-truck"], None),
        ("on-path", ["no-path"], None),
        ("no-path", ["on-path"], None),
        ("unbox", ["inbox"], None),
        ("room3", ["room2"], None),
        ("room33", ["room3"], None),
        ("room31", ["room13"], None),
        ("pos-z", ["pos-x"], None),
        ("claer", ["clear", "clean"], None),
        ("claer", ["clear", "holding"], "clear"),
    ],
)
def test_only_what_can_be_nothing_else_is_corrected(word: str, known: list[str], right: str | None) -> None:
    assert corrected(word, known) == right
