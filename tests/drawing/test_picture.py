"""Pictures as they are described, and what a terminal shows of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle import find
from unpuzzle.drawing import COVER, At, Circle, Ground, Look, Path, Rect, Text, plain, terminal

HERO = Look(Circle(0.5, 0.5, 0.3, fill="hero"), text="@", role="hero")
BOX = Look(text=f"[{COVER}]", role="box")
GROUND = Ground(2, 2, {"box": BOX, "@": HERO}, text="+---+\n|1 2|\n|3 4|", step=(1, 2), start=(1, 1))


def test_pieces_are_laid_over_the_ground_in_the_order_of_looks() -> None:
    pieces = [("@", 0, 0, "hero"), ("box", 0, 0, "box")]
    assert terminal(GROUND, []) == "+---+\n|1 2|\n|3 4|"
    assert terminal(GROUND, pieces) == terminal(GROUND, pieces[::-1]) == "+---+\n|@ ]|\n|3 4|"


def test_lines_grow_where_pieces_are_and_end_without_blanks() -> None:
    ground = Ground(3, 3, {"@": HERO}, text="  ", step=(1, 2))
    assert terminal(ground, [("@", 2, 1, "hero")]) == "\n\n  @"


def test_places_that_are_not_regular() -> None:
    ground = Ground(1, 2, {"@": HERO}, text="ab|cd", places={(0, 0): (0, 1), (0, 1): (0, 4)})
    assert terminal(ground, [("@", 0, 0, "hero"), ("@", 0, 1, "hero")]) == "a@|c@"


def test_colours_are_those_of_roles_and_end() -> None:
    shown = terminal(GROUND, [("@", 0, 0, "hero")], colours=True)
    assert "\033[95m@" in shown
    assert shown.split("\n")[1].endswith("\033[0m")
    plain_lines = [part for line in shown.split("\n") for part in [line]]
    for code in ("\033[95m", "\033[90m", "\033[0m"):
        plain_lines = [line.replace(code, "") for line in plain_lines]
    assert "\n".join(plain_lines) == terminal(GROUND, [("@", 0, 0, "hero")])


@given(st.text(st.sampled_from("ab#@é世☺ \n"), max_size=30))
def test_a_text_that_nobody_described_comes_back(text: str) -> None:
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    assert terminal(*plain(text)) == "\n".join(lines).rstrip("\n") or not text.strip()


def test_each_character_of_a_text_is_a_piece() -> None:
    ground, pieces = plain("ab\n c\n")
    assert (ground.rows, sorted(pieces)) == (2, [("a", 0, 0.0, "a"), ("b", 0, 0.6, "b"), ("c", 1, 0.6, "c")])


@pytest.mark.parametrize("shape", [Rect, Circle])
def test_paint_is_a_role(shape: type) -> None:
    with pytest.raises(ValueError, match="fill is 'red', not a role: the roles are paper, floor"):
        shape(0, 0, 1, *([1] if shape is Rect else []), fill="red")


def test_values_are_equal_where_their_attributes_are() -> None:
    assert Path([(0, 0), (1, 1)], line="ink") == Path(((0, 0), (1, 1)), line="ink")
    assert Path([(0, 0), (1, 1)], line="ink") != Path([(0, 0), (1, 1)], line="wall")
    assert Text(0, 0, "a", 1) != Text(0, 0, "b", 1)
    assert hash(At(1, 2, "x")) == hash(At(1, 2, "x"))
    assert repr(At(1, 2, "x")) == "At(row=1, column=2, look='x')"
    assert Ground(2, 2, {"@": HERO}) != GROUND


def test_a_tile_at_home_looks_different_and_is_the_same_kind() -> None:
    tiles = find("sliding-tiles")
    elsewhere, home = (
        tiles.parse(text).pieces()[0] for text in ("1 0\n3 2\ngoal\n0 1\n3 2\n", "0 1\n3 2\ngoal\n0 1\n3 2\n")
    )
    assert (elsewhere[0], home[0]) == ("1", "1!")
    assert elsewhere[3] == home[3] == "1"
