"""What clues say besides their meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle.planners.clues.clue import SIGNALS, letters_of, read_clue, stem, stems
from unpuzzle.planners.clues.inference import CluedSlot
from unpuzzle.planners.clues.work import links, meaning


@pytest.mark.parametrize(
    ("text", "signals", "kind"),
    [
        ("___ on a log", {"blank"}, ""),
        ("Bumps on a ____", {"blank"}, ""),
        ("Doctors' org.", {"abbreviation"}, ""),
        ("Street, for short", {"abbreviation"}, ""),
        ("Walked", {"past"}, ""),
        ("Going home", {"participle"}, ""),
        ("Dogs", {"plural"}, ""),
        ("Glass", set(), ""),
        ("One who bakes", {"agent"}, "n"),
        ("To boil again", {"again"}, "v"),
        ("Not tidy", {"not"}, ""),
        ("Pertaining to bears", {"relating"}, "a"),
        ("More cold", {"comparative"}, ""),
        ("Most cold", {"superlative"}, ""),
        ("Where one may be caught?", {"question"}, ""),
        ('"Who goes there?"', {"quoted"}, ""),
        ("See 8-Across", {"reference"}, ""),
        ("", set(), ""),
    ],
)
def test_signals(text, signals, kind):
    clue = read_clue(text)
    assert clue.signals == signals
    assert clue.kind == kind


@given(st.text(max_size=80))
def test_any_text_is_a_clue(text):
    clue = read_clue(text)
    assert clue.signals <= SIGNALS
    assert set(letters_of(text)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_parts_are_meanings():
    clue = read_clue("To wash; a broom: to sweep;")
    assert [(part.text, part.kind) for part in clue.parts] == [("To wash", "v"), ("a broom", "n"), ("to sweep", "v")]


def test_accents_and_marks_are_folded():
    assert letters_of("Café-noir") == "CAFENOIR"
    assert letters_of("Ångström's") == "ANGSTROMS"
    assert letters_of("3D") == ""
    assert letters_of("漢字") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("walked", "walk"),
        ("cities", "city"),
        ("running", "run"),
        ("wanes", "wane"),
        ("waning", "wane"),
        ("kindness", "kind"),
    ],
)
def test_inflected_forms_share_their_stem(one, other):
    assert stem(one) == stem(other)


def test_articles_say_nothing():
    assert stems("The cat of a king") == ["cat", "king"]


SLOTS = [
    CluedSlot("1A", (0, 1, 2), "With 4-Across, a frozen treat"),
    CluedSlot("4A", (3, 4, 5, 6, 7), "See 1-Across"),
    CluedSlot("2D", (1, 4), "See 99-Down"),
    CluedSlot("3D", (2, 5), "A beast"),
]


def test_entries_that_point_to_each_other_are_linked():
    assert links(SLOTS) == {"1A": ["4A"], "4A": ["1A"]}


def test_what_only_points_has_the_meaning_of_the_other():
    by_name = {slot.name: slot for slot in SLOTS}
    assert meaning(SLOTS[0], by_name).stems == read_clue("a frozen treat").stems
    assert meaning(SLOTS[1], by_name).stems == read_clue("a frozen treat").stems
    assert meaning(SLOTS[2], by_name).stems == ()
    assert meaning(SLOTS[3], by_name).text == "A beast"
