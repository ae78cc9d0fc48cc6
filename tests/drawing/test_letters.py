"""What the letters of a picture lie on."""

from __future__ import annotations

import pytest

from unpuzzle.drawing import At, Circle, Ground, Look, Path, Pixels, Rect, Text
from unpuzzle.drawing.covering import texts

LETTER = Text(0.5, 0.5, "A", 0.6)
SQUARE = Path([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], closed=True, fill="tile")


def lies_on(*shapes, letter=LETTER, ground=()):
    """The roles that a letter lies on, in a look that has these shapes before it."""
    look = Look(*shapes, letter)
    return [role for _, _, role in texts(Ground(3, 3, {"a": look}, ground), [("a", 1, 2, "a")])]


@pytest.mark.parametrize(
    ("shapes", "roles"),
    [
        ((), ["paper"]),
        ((Rect(0, 0, 1, 1, fill="hero"),), ["hero"]),
        ((Circle(0.5, 0.5, 0.4, fill="box"),), ["box"]),
        ((SQUARE,), ["tile"]),
        ((Rect(0, 0, 1, 1, fill="hero"), Circle(0.5, 0.5, 0.4, fill="box")), ["box"]),
        ((Circle(0.5, 0.5, 0.4, line="box"),), ["paper"]),
        ((Circle(0.5, 0.5, 0.05, fill="grid"),), ["paper"]),
        ((Rect(0, 0, 0.5, 1, fill="hero"),), ["hero"]),
        ((Rect(0.8, 0.8, 0.2, 0.2, fill="hero"),), ["paper"]),
        ((Pixels([["#ff0000"]]),), []),
    ],
)
def test_what_is_below_a_letter(shapes, roles):
    assert lies_on(*shapes) == roles


def test_the_ground_is_below_all_pieces_wherever_they_are():
    assert lies_on(ground=[Rect(0, 0, 3, 3, fill="floor")]) == ["floor"]
    assert lies_on(ground=[Rect(0, 0, 2, 3, fill="floor")]) == ["paper"]


def test_letters_of_looks_in_looks_and_those_that_are_painted_over():
    inner = Look(Rect(0, 0, 1, 1, fill="home"), Text(0.5, 0.5, "B", 0.6, fill="label"))
    ground = Ground(2, 2, {"b": inner, "c": Look(At(0, 0, "b"))})
    assert list(texts(ground, [("c", 1, 1, "c")])) == [("B", "label", "home")]
    cover = Look(Rect(0, 0, 1, 1, fill="wall"))
    ground = Ground(2, 2, {"b": inner, "cover": cover})
    assert list(texts(ground, [("cover", 0, 0, "x"), ("b", 0, 0, "b")])) == []


def test_a_text_with_its_left_edge_at_a_point_is_looked_at_where_its_letters_are():
    half = Rect(0.5, 0, 0.5, 1, fill="tile")
    assert lies_on(half, letter=Text(0.45, 0.5, "word", 0.6, left=True)) == ["tile"]
