"""A picture as SVG: a text of a few thousand characters.

    <svg class="u1a2b…">       what it holds is named and styled by this hash of its content, so that pictures on one
      <style>…</style>         page do not disturb each other: a class `hero` fills, a class `hero-l` draws lines
      <defs><g id="u1a2b…-3">  the looks, numbered as in `ground.looks`
      …                        the ground's shapes
      <use href="#u1a2b…-3" x="2" y="1"/>   the pieces

A cell is 1 wide and 1 high, whatever the size in pixels. Those who make other documents of pictures, such as pages, use
the parts: `symbols` (the looks), `markup` (shapes), `style` (the colours of roles), `view` (the box around it all).
"""

from __future__ import annotations

from unpuzzle.drawing import At, Circle, Ground, Path, Pixels, Rect, Shape, Text, picture_of
from unpuzzle.rendering.themes import AUTO, themes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from unpuzzle.drawing import Piece
    from unpuzzle.puzzle.position import Position

PIXELS = 64
"""Of a cell on a small board; on larger ones it has fewer, so that the board has `ROOM` pixels, but at least `FEWEST`,
so that one sees what is there, while the picture is no larger than `SCREEN`."""
ROOM, FEWEST, SCREEN = 440, 28, 1200
FONT = "'DejaVu Sans',Verdana,sans-serif"
LETTERS = 0.5
"""The size of letters that is not said at each."""
SCOPE = "\0"
"""Stands for the hash until all that it is of is known; no character of XML."""


def number(value: float) -> str:
    """As short as three digits after the point allow."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in ("", "-0") else text


LINES = (
    'fill="none" stroke-width=".05" stroke-linecap="round" stroke-linejoin="round" text-anchor="middle" '
    f'font-family="{FONT}" font-weight="700" font-size="{number(LETTERS)}"'
)
"""What all shapes inherit from the element around them."""


def svg_of(position: Position, theme: str = AUTO, pixels: float | None = None) -> str:
    """A position as SVG.

    Args:
        position: what to show.
        theme: `auto` (light or dark, as the reader prefers), `light`, `dark` or `print`.
        pixels: of a cell; by default 64, fewer on large boards.
    """
    ground, pieces = picture_of(position)
    return picture_svg(ground, pieces, theme, pixels, label_of(position))


def picture_svg(
    ground: Ground, pieces: Iterable[Piece], theme: str = AUTO, pixels: float | None = None, label: str = ""
) -> str:
    """A picture as SVG."""
    pieces = list(pieces)
    body = board(ground) + "".join(placed(ground, pieces))
    return document(ground, body, {look for look, *_ in pieces}, theme, pixels, label)


def label_of(position: Position) -> str:
    """What to call a picture for those who cannot see it."""
    return position.game.title or position.game.name


# ---- documents


def document(
    ground: Ground,
    body: str,
    names: Iterable[str],
    theme: str = AUTO,
    pixels: float | None = None,
    label: str = "",
    css: str = "",
) -> str:
    """A whole SVG around a body, in which `SCOPE` stands for its id.

    Args:
        ground: what it is a picture of.
        body: elements.
        names: the looks that these use, besides those of the ground.
        theme, pixels: as of `svg_of`.
        label: what it is, for those who cannot see it.
        css: more rules, without `SCOPE` before their selectors where they need none.
    """
    used = _used(ground, {*names, *_inside(ground.shapes)})
    shapes = [*ground.shapes, *(shape for name in used for shape in ground.looks[name].shapes)]
    rules = style(f".{SCOPE}", roles(shapes), theme)
    inside = f"<style>{rules}{css}</style>{_inlined(ground, used, body)}"
    text = f'<svg xmlns="http://www.w3.org/2000/svg" class="{SCOPE}" {view(ground, pixels)} {LINES}{_named(label)}>'
    return scoped(f"{text}{inside}</svg>\n")


def _inlined(ground: Ground, used: Iterable[str], body: str) -> str:
    """The looks and the body; a look that is used once stands where it is used, which is shorter."""
    layers = ground.layers()
    inside = {name: markup(ground, ground.looks[name].shapes) for name in used}
    parts = "".join(inside.values())
    for name in [*inside]:
        shown = f'<use href="#{SCOPE}-{layers[name]}"'
        if body.count(shown) == 1 and shown not in parts:
            before, _, after = body.partition(shown)
            place, _, after = after.partition("/>")
            x, y = (_attribute(place, axis) for axis in "xy")
            moved = f' transform="translate({x} {y})"' if (x, y) != ("0", "0") else ""
            body = f"{before}<g{moved}>{inside.pop(name)}</g>{after}"
    return f"<defs>{symbols(ground, inside)}</defs>{body}" if inside else body


def _attribute(text: str, name: str) -> str:
    return text.partition(f' {name}="')[2].partition('"')[0] or "0"


def scoped(text: str) -> str:
    """The text with its own hash for `SCOPE`."""
    from zlib import crc32

    return text.replace(SCOPE, f"u{crc32(text.encode()) & 0xFFFFFFF:07x}")


def view(ground: Ground, pixels: float | None = None) -> str:
    """The attributes that say how large a picture is."""
    left, top, width, height = frame(ground)
    wide, high = in_pixels(ground, pixels)
    return (
        f'width="{number(wide)}" height="{number(high)}" '
        f'viewBox="{number(left)} {number(top)} {number(width)} {number(height)}"'
    )


def in_pixels(ground: Ground, pixels: float | None = None) -> tuple[float, float]:
    """Return the width and height of a picture in pixels, where a cell has so many."""
    _, _, width, height = frame(ground)
    size = max(width, height)
    pixels = pixels or _whole(min(PIXELS, max(ROOM / size, FEWEST), SCREEN / size), ground.grain)
    return width * pixels, height * pixels


def _whole(pixels: float, grain: int) -> float:
    """The size of a cell such that each pixel of a bitmap takes up whole ones of the screen, where there is room."""
    return max(pixels // grain, 1) * grain if grain else pixels


def frame(ground: Ground) -> tuple[float, float, float, float]:
    """Left edge, upper edge, width and height, in cells, with the margin around the board."""
    margin = ground.margin
    return -margin, -margin, ground.columns + 2 * margin, ground.rows + 2 * margin


def _named(label: str) -> str:
    return f' role="img" aria-label="{escaped(label)}"' if label else ""


def style(scope: str, used: Iterable[str], theme: str = AUTO) -> str:
    """Rules for the classes of roles, as in `roles`, below a selector `scope`; "" is everywhere.

    What is shown by `use` is a tree of its own for selectors: they do not see what is around that element. So each look
    has the class that is the scope, too.
    """
    day, night = themes(theme)
    used = sorted(used)

    def rules(colours: Mapping[str, str]) -> str:
        return "".join([_rule(scope, name, colours) for name in used])

    return rules(day) + (f"@media(prefers-color-scheme:dark){{{rules(night)}}}" if night else "")


def _rule(scope: str, name: str, colours: Mapping[str, str]) -> str:
    role, _, line = name.partition("-")
    return f"{scope} .{name}{{{'stroke' if line else 'fill'}:{colours[role]}}}"


def roles(shapes: Iterable[Shape]) -> set[str]:
    """The classes that shapes use: `hero` is filled with the colour of a role, `hero-l` outlined. And the paper's."""
    found = {"paper"}
    for shape in shapes:
        found.update(_classes(shape))
    return found


def _classes(shape: Shape) -> list[str]:
    return [*([shape.fill] if shape.fill else []), *([f"{shape.line}-l"] if shape.line else [])]


# ---- parts of documents


def symbols(ground: Ground, names: Iterable[str] | None = None) -> str:
    """The looks, or those of some names, as elements to `use`: `<g id="SCOPE-NUMBER" class="SCOPE">`.

    They are numbered as in `ground.looks`.
    """
    layers = ground.layers()
    wanted = ground.looks if names is None else names
    return "".join(
        [
            f'<g id="{SCOPE}-{layers[name]}" class="{SCOPE}">{markup(ground, ground.looks[name].shapes)}</g>'
            for name in wanted
        ]
    )


def board(ground: Ground) -> str:
    """The paper and the ground."""
    left, top, width, height = map(number, frame(ground))
    return f'<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}" rx=".15"/>' + markup(
        ground, ground.shapes
    )


def placed(ground: Ground, pieces: Iterable[Piece]) -> list[str]:
    """The pieces, the lowest first."""
    layers = ground.layers()
    return [use(layers[look], row, column) for look, row, column, _ in sorted(pieces, key=lambda p: layers[p[0]])]


def use(layer: int, row: float, column: float) -> str:
    """A look in a cell."""
    return f'<use href="#{SCOPE}-{layer}"{_given(x=column, y=row)}/>'


def markup(ground: Ground, shapes: Sequence[Shape]) -> str:
    """Shapes as elements."""
    layers = ground.layers()
    return "".join(
        [
            use(layers[shape.look], shape.row, shape.column) if isinstance(shape, At) else _ELEMENTS[type(shape)](shape)
            for shape in shapes
        ]
    )


def _rect(shape: Any) -> str:
    sides = _given(x=shape.x, y=shape.y, width=shape.width, height=shape.height, rx=shape.radius)
    return f"<rect{_paint(shape)}{sides}/>"


def _circle(shape: Any) -> str:
    return f"<circle{_paint(shape)}{_given(cx=shape.x, cy=shape.y, r=shape.radius)}/>"


def _path(shape: Any) -> str:
    end = "z" if shape.closed else ""
    return f'<path{_paint(shape)} d="{"".join([_train(train) + end for train in shape.trains])}"/>'


def _train(train: Sequence[tuple[float, float]]) -> str:
    """From point to point: by the shortest of the commands for lines."""
    (x, y), *rest = train
    parts = [f"M{number(x)} {number(y)}"]
    for to_x, to_y in rest:
        across, down = number(to_x - x), number(to_y - y)
        parts.append(f"h{across}" if down == "0" else f"v{down}" if across == "0" else f"l{across} {down}")
        x, y = to_x, to_y
    return "".join(parts)


def _text(shape: Any) -> str:
    left = ' text-anchor="start"' if shape.left else ""
    places = _given(x=shape.x, y=shape.y + 0.365 * shape.size)  # the middle of capitals is at the point
    size = f' font-size="{number(shape.size)}"' if shape.size != LETTERS else ""
    return f"<text{_paint(shape)}{places}{size}{left}>{escaped(shape.words)}</text>"


def _pixels(shape: Any) -> str:
    """A path for each colour, of rectangles counted in pixels; edges are not smoothed, so that none shows a seam."""
    across, down = shape.width / len(shape.rows[0]), shape.height / len(shape.rows)
    moved = f"translate({number(shape.x)} {number(shape.y)})" if shape.x or shape.y else ""
    scaled = "" if across == down == 1 else f"scale({number(across)}{'' if across == down else f' {number(down)}'})"
    placed = f' transform="{moved}{scaled}"' if moved or scaled else ""
    paths = [f'<path fill="{_short(colour)}" d="{_boxes(boxes)}"/>' for colour, boxes in shape.runs().items()]
    return f'<g{placed} shape-rendering="crispEdges">{"".join(paths)}</g>' if paths else ""


def _boxes(boxes: Iterable[tuple[int, int, int, int]]) -> str:
    return "".join([f"M{x} {y}h{width}v{height}h-{width}z" for x, y, width, height in boxes])


def _short(colour: str) -> str:
    """A colour with one digit for two equal ones, where all are."""
    return f"#{colour[1::2]}" if colour[1::2] == colour[2::2] else colour


_ELEMENTS: Mapping[type[Shape], Callable[[Any], str]] = {
    Rect: _rect,
    Circle: _circle,
    Path: _path,
    Text: _text,
    Pixels: _pixels,
}


def _paint(shape: Shape) -> str:
    classes = " ".join(_classes(shape))
    thick = f' stroke-width="{number(shape.thick)}"' if shape.line and shape.thick != 0.05 else ""
    return (f' class="{classes}"' if classes else "") + thick


def _given(**attributes: float) -> str:
    return "".join([f' {name}="{number(value)}"' for name, value in attributes.items() if value])


def _used(ground: Ground, names: set[str]) -> list[str]:
    """The looks of some names, and those that are parts of them, in their order."""
    new = names
    while new:
        new = {part for name in new for part in _inside(ground.looks[name].shapes)} - names
        names = names | new
    return [name for name in ground.looks if name in names]


def _inside(shapes: Iterable[Shape]) -> set[str]:
    return {shape.look for shape in shapes if isinstance(shape, At)}


def escaped(words: str) -> str:
    """As XML may hold it."""
    clean = "".join([char if char >= " " and char not in "\ufffe\uffff" else "\ufffd" for char in words])
    clean = "".join([char if not "\ud800" <= char <= "\udfff" else "\ufffd" for char in clean])
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
