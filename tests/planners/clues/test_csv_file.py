"""A file of one's own clues and answers."""

from __future__ import annotations

import pytest

from unpuzzle.base.errors import ParseError
from unpuzzle.planners.clues.clue import read_clue
from unpuzzle.planners.clues.local_sources import ClueFile


def file_of(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "my.csv"
    path.write_bytes(text.encode(encoding))
    return ClueFile(str(path))


def told(source, clue, length):
    found = source.candidates(read_clue(clue), length)
    return {word.decode(): float(row[0]) for word, row in zip(found.words.tolist(), found.measures, strict=True)}


@pytest.mark.parametrize(
    "text",
    [
        "answer,clue\nCURRY,A spicy dish\nINDUS,River of Asia\n",
        "Clue,Answer\nA spicy dish,curry\nRiver of Asia,indus\n",
        "date,word,clue\n1990,CURRY,A spicy dish\n1991,INDUS,River of Asia\n",
        "A spicy dish,CURRY\nRiver of Asia,INDUS\n",
        "CURRY,A spicy dish\nINDUS,River of Asia\n",
    ],
)
def test_columns_are_found(tmp_path, text):
    source = file_of(tmp_path, text)
    assert told(source, "A spicy dish", 5) == {"CURRY": pytest.approx(1.0)}
    assert source.listing(5).tolist() == [b"CURRY", b"INDUS"]


def test_near_matches_are_found_and_say_less(tmp_path):
    source = file_of(tmp_path, "answer,clue\nCURRY,Green spicy dishes with rice\nAIOLI,Garlic dish\nSALSA,A dance\n")
    found = told(source, "spicy dish", 5)
    assert 1 > found["CURRY"] > found["AIOLI"] > 0
    assert "SALSA" not in found
    assert told(source, "spicy dish", 6) == {}


def test_every_row_of_a_long_file_is_read(tmp_path):
    """Of each 10,001 rows, the last one was lost."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    words = [a + b + c for a in letters for b in letters for c in letters]
    source = file_of(tmp_path, "answer,clue\n" + "".join(f"{word},Clue\n" for word in words))
    assert source.listing(3).tolist() == [word.encode() for word in words]


def test_rows_that_hold_no_answer_are_left_out(tmp_path):
    text = 'answer,clue\nCAFÉ,Coffee house\n,\n3D,In depth\nEMU\nNIL,\n\0OK,Fine\n"ODE,unclosed'
    source = file_of(tmp_path, text)
    assert told(source, "Coffee house", 4) == {"CAFE": pytest.approx(1.0)}
    assert source.listing(2).tolist() == [b"OK"]


@pytest.mark.parametrize(
    ("before", "line"),
    [("", 2), ("CURRY,A spicy dish\nINDUS,River of Asia\n", 4), ('CURRY,"A spicy\n\ndish"\n', 5)],
)
@pytest.mark.parametrize("field", ["x" * 131_073, '"' + "ODE,A poem\n" * 12_000])
def test_a_field_that_is_too_long_is_refused_with_the_line_where_it_begins(before, line, field, tmp_path, cache):
    text = f"answer,clue\n{before}EMU,{field}\nNIL,Nothing\n"
    with pytest.raises(
        ParseError, match="this field has more than 131,072 characters: is a quotation mark never closed"
    ) as caught:
        file_of(tmp_path, text)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "my.csv"), line)
    assert list(cache.iterdir()) == []


def test_a_field_of_131072_characters_is_read(tmp_path):
    source = file_of(tmp_path, "answer,clue\nEMU," + "bird " * 26_214 + "xx\n")
    assert source.listing(3).tolist() == [b"EMU"]


def test_a_damaged_table_is_built_again(tmp_path, cache):
    source = file_of(tmp_path, "answer,clue\nCURRY,A spicy dish\nINDUS,River of Asia\n")
    source.database.close()
    (path,) = cache.glob("csv-*/clues.sqlite")
    data = path.read_bytes()
    place = data.rindex(b"CURRY")
    path.write_bytes(data[:place] + b"AAAAA" + data[place + 5 :])
    again = ClueFile(str(tmp_path / "my.csv"))
    assert told(again, "A spicy dish", 5) == {"CURRY": pytest.approx(1.0)}


@pytest.mark.parametrize("text", ["", "answer,clue\n", "one\ntwo\n", "1,2\n"])
def test_a_file_without_answers_is_refused(tmp_path, cache, text):
    with pytest.raises(ParseError, match=r"no row of this file has an answer and a clue"):
        file_of(tmp_path, text)
    assert list(cache.iterdir()) == []


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ParseError, match="this file of clues does not exist"):
        ClueFile(str(tmp_path / "none.csv"))


def test_a_clue_of_signs_alone_finds_nothing(tmp_path):
    source = file_of(tmp_path, "answer,clue\nCURRY,A spicy dish\n")
    assert told(source, '" OR "* --', 5) == {}
    assert told(source, 'dish" OR "', 5).keys() == {"CURRY"}


def test_another_file_is_read_again(tmp_path):
    file_of(tmp_path, "answer,clue\nCURRY,A spicy dish\n")
    assert told(file_of(tmp_path, "answer,clue\nSUGOS,Spicy dishes\n"), "dish", 5).keys() == {"SUGOS"}
