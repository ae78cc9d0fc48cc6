"""Gogens that are made: unique, without idle words, from lists of words."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.gogens import number_of_solutions, without
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.cli import main
from unpuzzle.model.capabilities import completed
from unpuzzle.translators.gogen import Gogen
from unpuzzle.translators.gogen.making import LETTERS, WORDS
from unpuzzle.translators.shared.text import NamedWords


def made(seed, **options):
    return Gogen.generate(Random(seed), completed(Gogen, options))


@pytest.mark.parametrize("seed", range(4))
def test_made_gogens_are_unique_and_every_word_is_needed(seed):
    level = made(seed)
    assert [cell for cell, letter in enumerate(level.cells) if letter != "."] == [0, 2, 4, 10, 12, 14, 20, 22, 24]
    assert set(level.words) <= set(WORDS)
    assert number_of_solutions(level, 2) == 1
    assert all(number_of_solutions(without(level, word), 2) == 2 for word in level.words)
    assert made(seed) == level


@settings(max_examples=30, derandomize=True, deadline=None)
@given(st.integers(0, 2**32).map(Random), st.integers(18, 23))
def test_made_gogens_with_more_letters_given(rng, given):
    level = Gogen.generate(rng, completed(Gogen, {"given": given}))
    assert len(level.places) == given
    assert number_of_solutions(level, 2) == 1
    assert all(number_of_solutions(without(level, word), 2) == 2 for word in level.words)


def test_the_own_words_can_stand_in_gogens():
    assert len(WORDS) >= 150
    assert len(set(WORDS)) == len(WORDS)
    assert all(set(word) <= set(LETTERS) and len(set(word)) == len(word) for word in WORDS)
    assert set("".join(WORDS)) == set(LETTERS)


def test_words_of_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("; mine\n" + "\n".join(WORDS[::2]).lower() + "\nbanana zebra\n")
    words = completed(Gogen, {"words": str(path)})["words"]
    assert words == NamedWords(WORDS[::2], str(path))
    assert set(made(1, words=str(path), given=18).words) <= set(words)
    assert Gogen.options["words"].show(words) == str(path)


@pytest.mark.parametrize(
    ("content", "place", "said"),
    [
        (b"", 1, "the list of words is empty"),
        (b"; nothing\n\n", 1, "the list of words is empty"),
        (b"axle\ndon:t\n", 2, "'don:t' is not a word"),
        (b"\n\nx1\n", 3, "'x1' is not a word"),
        (b"zoo\nbanana\n", 1, "the list has no word that can be used; for instance, ZOO has a Z"),
        (b"\xff\xfe", None, "this is not a list of words: byte 1 is not UTF-8"),
    ],
)
def test_bad_files_of_words(content, place, said, tmp_path, capsys):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(ParseError) as caught:
        completed(Gogen, {"words": str(path)})
    assert said in caught.value.message
    assert (caught.value.file, caught.value.line) == (str(path), place)
    assert main(["generate", "gogen", "--words", str(path), "--count", "1", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["status"] == "bad_input"


def test_a_file_of_words_that_is_not_there(tmp_path):
    with pytest.raises(ParseError, match="the list of words cannot be read: No such file"):
        completed(Gogen, {"words": str(tmp_path / "none.txt")})


def test_words_that_are_too_few():
    with pytest.raises(
        ParseError,
        match=r"no word has any of the letters B, C, D, .*, and with 9 given letters, at most 10",
    ):
        made(1, words=("AXLE",))
    with pytest.raises(ParseError, match="in 150 tries no Gogen with one solution was made from these 1 words"):
        made(1, words=("AXLE",), given=20)
    for value in ((), ("ZOO",), ("axle",), 7):
        with pytest.raises(UsageError, match="is not a file of words, or built-in"):
            completed(Gogen, {"words": value})
