"""Several pictures as one: every piece and mark lies in its panel, and looks of two grounds do not mix."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from unpuzzle import find
from unpuzzle.drawing import Circle, Ground, Look
from unpuzzle.drawing.panels import AREA, MARKS, MOVED, STUCK, Panel, Panels, beside, rows_of
from unpuzzle.drawing.picture import Path as Outline
from unpuzzle.rendering.analysis import _lacking, comparison_panels
from unpuzzle.rendering.saving import render
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.rendering.themes import THEMES
from unpuzzle.verification.move_comparison import compare_moves

DOT = Ground(2, 3, {"dot": Look(Circle(0.5, 0.5, 0.3, fill="hero"))})
LARGE = Ground(2, 3, {"dot": Look(Circle(0.5, 0.5, 0.5, fill="box"))})
PIECES = (("dot", 1, 2, "dot"),)


def test_panels_lie_beside_each_other_and_keep_their_looks() -> None:
    panels = Panels("two", (Panel(("one",), DOT, PIECES), Panel(("other", "line"), LARGE, PIECES, moved=[(0, 1)])))
    ground, pieces = panels.ground(), panels.pieces()
    dots = [piece for piece in pieces if piece[3] == "dot"]
    assert dots[1][2] - dots[0][2] == 9
    assert dots[0][1] == dots[1][1] > 1
    assert ground.looks[dots[0][0]] != ground.looks[dots[1][0]]
    ((look, row, column, _),) = [piece for piece in pieces if piece[3] == MOVED]
    assert (look, row, column) == (MOVED, dots[1][1] - 1, dots[1][2] - 1)
    assert ground.columns == 17
    assert all(0 <= row < ground.rows and 0 <= column < ground.columns for _, row, column, _ in pieces)


def test_marks_are_closed_outlines_of_which_that_of_stuck_pieces_has_a_bar() -> None:
    lines = {
        name: [shape.closed for shape in look.shapes if isinstance(shape, Outline)] for name, look in MARKS.items()
    }
    assert lines == {MOVED: [True, True], STUCK: [True, True, False, False], AREA: [True, True]}


@pytest.mark.parametrize(("other", "name"), [("drR", "second: d"), (None, "optimal: R")])
def test_two_ways_are_named_where_they_part(other: str | None, name: str) -> None:
    level = find("sokoban").parse("#######\n#     #\n# @$. #\n#     #\n#######\n")
    captions = [panel.caption for panel in comparison_panels(compare_moves(level, "uldrR", other)).panels]
    assert captions == [("the start",), ("first: u",), (name,)]


def test_equal_grounds_share_their_looks() -> None:
    panels = Panels("three", tuple(Panel((str(number),), DOT, PIECES) for number in range(3)))
    assert len(panels.ground().looks) == len(DOT.looks) + 1 + len({MOVED, STUCK, AREA})


@pytest.mark.parametrize("number", [1, 2, 3, 5, 12])
def test_every_panel_has_a_place_of_its_own(number: int) -> None:
    panels = Panels("many", tuple(Panel((str(each),), DOT, PIECES) for each in range(number)))
    places = [(row, column) for _, row, column, _ in panels.pieces()]
    assert len(set(places)) == number
    across = len({column for _, column in places})
    assert across == panels.across
    assert across == number or number > 3


def test_captions_are_broken_into_lines_that_fit() -> None:
    words = "a caption that is much longer than a small board is wide " * 3
    panels = Panels("x", (Panel((words,), DOT, PIECES),))
    svg = picture_svg(panels.ground(), panels.pieces())
    lines = [each.text or "" for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("text")]
    assert len(lines) > 3
    assert " ".join(lines).split() == words.split()


@pytest.mark.parametrize("theme", [*THEMES, "auto"])
@pytest.mark.parametrize("kind", [".svg", ".png"])
def test_files_of_panels_for_all_kinds_of_grounds(theme: str, kind: str) -> None:
    for name in ("sokoban", "storeroom", "blocksworld"):
        game = find(name)
        position = game.parse(next(iter(game.levels.values())))
        panel = Panel(("start",), position.ground(), position.pieces(), stuck=[(1, 1)], area=[(0, 0)])
        assert render(Scene((Panels(name, (panel, panel)),), (), theme), kind)


def test_text_side_by_side(tmp_path: Path) -> None:
    pictures = [("one", "ab\nc"), ("other", "defgh\nij\nk")]
    assert beside(pictures).split("\n") == ["one   other", "ab    defgh", "c     ij", "      k"]
    assert rows_of(pictures, most=5).split("\n\n") == [beside(pictures[:1]), beside(pictures[1:])]
    assert rows_of(pictures) == beside(pictures)


@pytest.mark.parametrize(
    ("missing", "said"),
    [("a", "it lacks a"), ("abc", "it lacks a; b; c"), ("abcd", "it lacks a; b; c; and 1 more")],
)
def test_a_caption_names_three_missing_parts(missing: str, said: str) -> None:
    assert _lacking([*missing]) == said
