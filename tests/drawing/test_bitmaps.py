"""Pixels: bitmaps with colours of their own, as rectangles, as SVG, on paper and as half blocks."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle.drawing import At, Ground, Look, Pixels, blocks
from unpuzzle.rendering.svg import picture_svg

RED, BLUE = "#be2633", "#0000ff"
CROSS = Pixels([["", RED, ""], [RED, RED, RED], ["", RED, ""]])


@st.composite
def bitmaps(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(1, 6))
    row = st.lists(st.sampled_from(["", RED, BLUE]), min_size=width, max_size=width)
    return draw(st.lists(row, min_size=1, max_size=6))


@given(bitmaps())
def test_rectangles_cover_each_pixel_once_in_its_colour(rows: list[list[str]]) -> None:
    seen = {}
    for colour, boxes in Pixels(rows).boxes().items():
        for x, y, width, height in boxes:
            for place in ((row, column) for row in range(y, y + height) for column in range(x, x + width)):
                assert place not in seen
                seen[place] = colour
    assert seen == {(r, c): colour for r, row in enumerate(rows) for c, colour in enumerate(row) if colour}


def test_runs_below_each_other_are_one_rectangle() -> None:
    assert Pixels([[RED] * 4] * 5).boxes() == {RED: [(0, 0, 4, 5)]}
    assert CROSS.boxes() == {RED: [(1, 0, 1, 1), (0, 1, 3, 1), (1, 2, 1, 1)]}


@pytest.mark.parametrize("rows", [[], [[]], [[RED], [RED, RED]], [["red"]], [["#BE2633"]], [["#12345"]]])
def test_what_is_no_bitmap_is_refused(rows: list[list[str]]) -> None:
    with pytest.raises(ValueError, match=r"rows of a bitmap|is not a colour"):
        Pixels(rows)


def ground(*shapes: Pixels | At) -> Ground:
    return Ground(2, 3, {"cross": Look(CROSS), "blue": Look(Pixels([[BLUE]]))}, shapes, grain=3, margin=0)


def test_svg_has_a_path_for_each_colour_and_no_theme_changes_it() -> None:
    texts = [picture_svg(ground(), [("cross", 0, 2, "x")], theme=theme) for theme in ("light", "dark", "print")]
    path = '<path fill="#be2633" d="M1 0h1v1h-1zM0 1h3v1h-3zM1 2h1v1h-1z"/>'
    assert all(text.count("<path") == 1 and path in text for text in texts)
    assert 'fill="#00f"' in picture_svg(ground(), [("blue", 0, 0, "x")])


def test_cells_take_up_whole_pixels_of_the_screen() -> None:
    assert 'width="189" height="126"' in picture_svg(ground(), [])  # 63 a cell: 64 is no multiple of 3


def test_a_rendered_bitmap_has_its_colours_and_no_others() -> None:
    image = pytest.importorskip("PIL.Image")
    resvg = pytest.importorskip("resvg_py")
    text = picture_svg(ground(Pixels([[BLUE]], 0, 0, 3, 2)), [("cross", 1, 1, "x")], theme="light")
    found = image.open(BytesIO(bytes(resvg.svg_to_bytes(svg_string=text)))).convert("RGB")
    assert {colour for _, colour in found.getcolors()} == {(0xBE, 0x26, 0x33), (0, 0, 0xFF)}
    assert found.getpixel((63 + 31, 63 + 31)) == (0xBE, 0x26, 0x33)


def test_a_page_has_its_colours() -> None:
    pytest.importorskip("reportlab")
    from unpuzzle.rendering.paper import Paper

    paper, empty = Paper(), Paper()
    paper.picture(ground(), [("cross", 0, 0, "x")], 0, 0, 90, 60)
    empty.picture(ground(), [], 0, 0, 90, 60)
    assert len(paper.to_bytes()) > len(empty.to_bytes())


def test_half_blocks_show_two_pixels_each() -> None:
    one = Ground(1, 1, {"dot": Look(Pixels([[RED, ""], [BLUE, BLUE]]))}, grain=2)
    assert blocks(one, [("dot", 0, 0, "x")]) == (
        "\033[0m\033[38;2;190;38;51m\033[48;2;0;0;255m▀\033[0m\033[38;2;0;0;255m▄\033[0m"
    )
    assert "\033[38;5;125m\033[48;5;21m▀" in blocks(one, [("dot", 0, 0, "x")], full=False)


def test_half_blocks_of_an_odd_number_of_rows() -> None:
    lines = blocks(ground(At(0, 0, "blue")), [("cross", 1, 2, "x")]).split("\n")
    assert len(lines) == 3
    odd = Ground(1, 1, {"cross": Look(CROSS)}, grain=3)
    assert [line.count("▀") for line in blocks(odd, [("cross", 0, 0, "x")]).split("\n")] == [1, 1]


def test_the_first_wrong_colour_of_a_bitmap_is_named() -> None:
    with pytest.raises(ValueError, match="'#' is not a colour"):
        Pixels(["#123456789abcdef"])
