"""Dictionaries: how their articles are read, and how they are asked backwards."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run
from unpuzzle.planners.clues import settings
from unpuzzle.planners.clues.clue import Document, place_in, read_clue
from unpuzzle.planners.clues.dictionary import MEASURES, Dictionary, build
from unpuzzle.planners.clues.local_sources import DOCUMENTS, _documents_of, _synset, article
from unpuzzle.planners.clues.work import Library

ARTICLE = r"""Affect \Af*fect"\, v. t. [imp. & p. p. {Affected}; p. pr. & vb.
   n. {Affecting}.] [L. affectus, p. p. of afficere. See {Fact}.]
   1. To act upon; to touch.
      [1913 Webster]

            As might affect the earth with cold heat. --Milton.
      [1913 Webster]

   2. To love. [Obs.]

   Syn: To influence; operate; act on.
        [1913 Webster]

   {Affect of}, a phrase.
"""


def test_an_article_has_senses_synonyms_and_forms():
    found = list(article(ARTICLE, ["affect"]))
    senses = [" ".join(one.text.split()) for one in found if one.field == "sense"]
    assert senses == ["To act upon; to touch.", "To love."]
    assert [one.text.strip() for one in found if one.field == "synonym"] == ["To influence", "operate", "act on"]
    assert {one.kind for one in found} == {"v"}
    assert found[0].forms == ("AFFECTED", "AFFECTING")


@given(st.text(alphabet="Aa \\\n[]{}().;12--\u00e9", max_size=120))
def test_whatever_an_article_holds_is_read(text):
    for document in article(text, ["a b"]):
        assert document.words == ("AB",)


def best(dictionary, clue, length, measure="sense"):
    found = dictionary.candidates(read_clue(clue), length)
    column = found.measures[:, MEASURES.index(measure)]
    return found.words[int(column.argmax())].decode(), float(column.max())


@pytest.fixture
def small(small_sources):
    return Library().dictionaries[0]


def test_the_word_that_is_defined_so_comes_first(small):
    assert best(small, "An animal that purrs and catches mice", 3)[0] == "CAT"
    assert best(small, "A lyric", 3) == ("ODE", pytest.approx(1.0, abs=0.01))  # a clause of its own
    assert best(small, "A grimalkin", 3, "synonym")[0] == "CAT"
    assert best(small, "A place where thieves are confined", 4, "form")[0] == "GAOL"  # which only refers
    assert best(small, "Heated water until it bubbled", 6, "form")[0] == "BOILED"


def test_what_the_words_of_the_clue_are_defined_by_is_a_hint():
    arrays = build([Document(("LYRIC",), "n", "An ode"), Document(("ODE",), "n", "Something else")])
    assert best(Dictionary("gcide", arrays), "Lyric", 3, "reverse")[0] == "ODE"


def test_another_part_of_speech_counts_less():
    arrays = build([Document(("FLY",), "n", "A winged thing"), Document(("SOAR",), "v", "A winged thing")])
    fly = best(Dictionary("gcide", arrays), "A winged thing", 3)
    soar = best(Dictionary("gcide", arrays), "A winged thing", 4)
    assert fly[1] > soar[1] > 0


SAID = st.lists(st.sampled_from("sun moon star sky night day light dark".split()), min_size=1, max_size=5).map(" ".join)


@given(st.lists(SAID, min_size=1, max_size=8), SAID)
def test_shares_are_shares(texts, asked):
    index = Dictionary("gcide", build([Document((f"W{'ABCDEFGH'[n]}",), "", text) for n, text in enumerate(texts)]))
    covered, inside = index.shares(
        [(place_in(index.arrays["tokens"], word), 1.0) for word in dict.fromkeys(asked.split())]
    )
    assert np.all((covered >= 0) & (covered <= 1.0001))
    assert np.all((inside >= 0) & (inside <= 1.0001))
    for n, text in enumerate(texts):
        assert (covered[n] > 0.9999) == (set(asked.split()) <= set(text.split()))
        assert (inside[n] > 0.9999) == (set(text.split()) <= set(asked.split()))


def test_no_document_no_words():
    arrays = build([])
    assert len(Dictionary("gcide", arrays).candidates(read_clue("A cat"), 3).words) == 0


NOUNS = """\
00000100 05 n 02 cat 0 puss 0 001 @ 00000200 n 0000 | an animal that purrs; "the cat sat"
00000200 05 n 02 animal 0 ice_cream 0 001 ~ 00000100 n 0000 | a living thing
"""


def write_wordnet(folder):
    folder.mkdir()
    text, places, lines = "", {}, NOUNS.splitlines(keepends=True)
    for line in lines:  # a synset is named by the byte where it stands
        places[line[:8]] = f"{len(text):08}"
        text += line
    for old, new in places.items():
        text = text.replace(old, new)
    (folder / "data.noun").write_text(text)
    words = {"cat": "00000100", "puss": "00000100", "animal": "00000200", "ice_cream": "00000200"}
    index = "".join(f"{word} n 1 1 @ 1 0 {places[place]}  \n" for word, place in sorted(words.items()))
    (folder / "index.noun").write_text(index)
    for part in ("verb", "adj", "adv"):
        (folder / f"data.{part}").write_text("")
        (folder / f"index.{part}").write_text("")
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"{part}.exc").write_text("catten cat\n" if part == "noun" else "")


def test_wordnet_is_read(tmp_path, monkeypatch):
    write_wordnet(tmp_path / "wordnet")
    monkeypatch.setitem(settings.FOLDERS, "wordnet", (str(tmp_path / "wordnet"),))
    found = list(DOCUMENTS["wordnet"](settings.files("wordnet")))
    by_field = {
        field: [one for one in found if one.field == field] for field in ("sense", "synonym", "relative", "phrase")
    }
    assert by_field["sense"][0].text == "an animal that purrs"
    assert by_field["sense"][0].words == ("CAT", "PUSS")
    assert by_field["sense"][0].forms == ("CATTEN",)
    assert (("PUSS",), "cat") in [(one.words, one.text) for one in by_field["synonym"]]
    assert (("CAT", "PUSS"), "animal, ice cream") in [(one.words, one.text) for one in by_field["relative"]]
    assert (("CREAM",), "ice") in [(one.words, one.text) for one in by_field["phrase"]]


def test_a_limit_ends_the_reading_of_wordnet_before_its_first_document(tmp_path):
    line = "00000001 03 n 01 thing 0 000 | a thing\n"
    (tmp_path / "data.noun").write_text(line * 10_000)
    with pytest.raises(LimitReached), Run(Limits(time=1e-6)):
        next(iter(DOCUMENTS["wordnet"]([str(tmp_path / "data.noun")])))


def test_relatives_have_the_order_of_their_places():
    below = [f"{place:08} 03 n 01 thing_{place:02} 0 000 | a thing" for place in range(40)]
    pointers = " ".join(f"~ {line[:8]} n 0000" for line in reversed(below))
    above = f'00000099 03 n 01 thing 0 041 {pointers} ! 00000001 n 0101 | a thing; "one thing"'
    synsets = dict(map(_synset, [*below, above]))
    *_, example, relative = _documents_of("n00000099", synsets, {})
    assert example.text == "one thing"
    assert relative.text.split(", ") == [f"thing {place:02}" for place in range(30)]


def test_the_mark_of_an_adjective_is_no_part_of_its_word():
    synset = _synset("00000001 00 s 02 galore(ip) 0 a_la_carte(p) 0 000 | much")
    assert synset == ("a00000001", (["galore", "a la carte"], " much", []))
