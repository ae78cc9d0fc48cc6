"""Pictures as SVG, each a text of a few thousand characters.

    <svg class="u1a2b…">       all names and styles in it use this hash of its content, so that pictures on one
      <style>…</style>         page do not disturb each other: a class `hero` fills, a class `hero-l` draws lines
      <defs><g id="u1a2b…-3">  the looks, numbered as in `ground.looks`
      …                        the ground's shapes
      <use href="#u1a2b…-3" x="2" y="1"/>   the pieces

A cell is 1 wide and 1 high, for any size in pixels. Other documents, such as pages, are made from the parts: `symbols`
(the looks), `markup` (shapes), `style` (the colours of roles), `board` (the ground).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from zlib import crc32

from unpuzzle.drawing import At, Circle, Ground, Painted, Path, Piece, Pixels, Rect, Shape, Text
from unpuzzle.rendering.scenes import Subject, label_of, picture_of
from unpuzzle.rendering.themes import AUTO, themes

PIXELS = 64
"""The size of a cell on a small board. On larger boards it is smaller, so that the board has `ROOM` pixels, but at
least `FEWEST`, as long as the picture is no larger than `SCREEN`."""
ROOM, FEWEST, SCREEN = 440, 28, 1200
FONT = "'DejaVu Sans',Verdana,sans-serif"
LETTERS, LINE = 0.5, 0.05
"""The usual size of letters, and thickness of lines."""
SCOPE = "\0"
"""The placeholder for the hash of the content while the content is built; it is not a valid character of XML."""


def number(value: float) -> str:
    """Return a number as text, with at most three digits after the decimal point."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in ("", "-0") else text


LINES = (
    f'fill="none" stroke-width="{number(LINE)}" stroke-linecap="round" stroke-linejoin="round" text-anchor="middle" '
    f'font-family="{FONT}" font-weight="700" font-size="{number(LETTERS)}"'
)
"""The attributes that all shapes inherit from the element around them."""


def svg_of(subject: Subject, *, theme: str = AUTO, pixels: float | None = None) -> str:
    """Return a picture of a position or a task as SVG.

    The theme is `auto` (light or dark, as the reader prefers), `light`, `dark` or `print`; `pixels` is the size of a
    cell, by default 64, less on large boards.
    """
    ground, pieces = picture_of(subject)
    return picture_svg(ground, pieces, theme=theme, pixels=pixels, label=label_of(subject))


def picture_svg(
    ground: Ground, pieces: Iterable[Piece], *, theme: str = AUTO, pixels: float | None = None, label: str = ""
) -> str:
    """Return a picture as SVG; `label` describes the picture for people who cannot see images."""
    layers, ordered = ground.layers(), ground.in_order(pieces)
    body = board(ground) + "".join([use(layers[look], row, column) for look, row, column, _ in ordered])
    return document(ground, body, {look for look, *_ in ordered}, theme=theme, pixels=pixels, label=label)


def document(
    ground: Ground,
    body: str,
    names: Iterable[str],
    *,
    theme: str = AUTO,
    pixels: float | None = None,
    label: str = "",
    css: str = "",
) -> str:
    """Return a complete SVG around a body of elements, in which `SCOPE` is the placeholder for the id.

    `names` are the looks that the elements use, `css` more rules for them, the rest as in `picture_svg`.
    """
    every = new = {*names, *_looks_in(ground.shapes)}
    while new:  # looks may have looks as parts
        new = {part for name in new for part in _looks_in(ground.looks[name].shapes)} - every
        every = every | new
    used = [name for name in ground.looks if name in every]
    shapes = [*ground.shapes, *(shape for name in used for shape in ground.looks[name].shapes)]
    rules = style(f".{SCOPE}", roles(shapes), theme)
    left, top, width, height = map(number, frame(ground))
    wide, high = map(number, in_pixels(ground, pixels))
    size = f'width="{wide}" height="{high}" viewBox="{left} {top} {width} {height}"'
    name = f' role="img" aria-label="{escaped(label)}"' if label else ""
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{SCOPE}" {size} {LINES}{name}>'
        f"<style>{rules}{css}</style>{_with_looks(ground, used, body)}</svg>\n"
    )
    return text.replace(SCOPE, f"u{crc32(text.encode()) & 0xFFFFFFF:07x}")


def _with_looks(ground: Ground, used: Iterable[str], body: str) -> str:
    """Return definitions of images (`looks`), and the body; the body includes an image that is used only once."""
    layers = ground.layers()
    inside = {name: markup(ground, ground.looks[name].shapes) for name in used}
    parts = "".join(inside.values())
    for name in [*inside]:
        start = f'<use href="#{SCOPE}-{layers[name]}"'
        if body.count(start) == 1 and start not in parts:
            before, _, after = body.partition(start)
            place, _, after = after.partition("/>")
            x, y = (place.partition(f' {axis}="')[2].partition('"')[0] or "0" for axis in "xy")
            shift = f' transform="translate({x} {y})"' if (x, y) != ("0", "0") else ""
            body = f"{before}<g{shift}>{inside.pop(name)}</g>{after}"
    return f"<defs>{symbols(ground, inside)}</defs>{body}" if inside else body


def in_pixels(ground: Ground, pixels: float | None = None) -> tuple[float, float]:
    """Return the width and height of a picture in pixels; `pixels` is the size of a cell.

    By default a pixel of a bitmap takes up whole pixels of the screen, if there is room.
    """
    _, _, width, height = frame(ground)
    size = max(width, height)
    usual = min(PIXELS, max(ROOM / size, FEWEST), SCREEN / size)
    cell = pixels or (max(usual // ground.grain, 1) * ground.grain if ground.grain else usual)
    return width * cell, height * cell


def frame(ground: Ground) -> tuple[float, float, float, float]:
    """Return left edge, upper edge, width and height in cells, including the margin around the board."""
    margin = ground.margin
    return -margin, -margin, ground.columns + 2 * margin, ground.rows + 2 * margin


def style(scope: str, used: Iterable[str], theme: str = AUTO) -> str:
    """Return style rules for the classes in `used` (see `roles`), inside a selector `scope`; "" means everywhere.

    Selectors do not see the surroundings of a `use` element, so each look has the class of the scope, too.
    """
    properties = [(name, name.partition("-")[0], "stroke" if "-" in name else "fill") for name in sorted(used)]
    day, night = (
        "".join([f"{scope} .{name}{{{what}:{colours[role]}}}" for name, role, what in properties]) if colours else ""
        for colours in themes(theme)
    )
    return day + (f"@media(prefers-color-scheme:dark){{{night}}}" if night else "")


def roles(shapes: Iterable[Shape]) -> set[str]:
    """Return the classes that shapes and the paper use: `hero` fills with a role's colour, `hero-l` draws outlines."""
    return {"paper", *(name for shape in shapes for name in _classes(shape))}


def _classes(shape: Shape) -> list[str]:
    fill, line = shape.roles
    return [name for name in (fill, line and f"{line}-l") if name]


def symbols(ground: Ground, names: Iterable[str] | None = None) -> str:
    """Return all or some images (`looks`) as SVG elements for `use`; an id has the image's index in `ground.looks`."""
    layers = ground.layers()
    inside = {name: markup(ground, ground.looks[name].shapes) for name in (ground.looks if names is None else names)}
    return "".join([f'<g id="{SCOPE}-{layers[name]}" class="{SCOPE}">{text}</g>' for name, text in inside.items()])


def board(ground: Ground) -> str:
    left, top, width, height = map(number, frame(ground))
    paper = f'<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}" rx=".15"/>'
    return paper + markup(ground, ground.shapes)


def use(layer: int, row: float, column: float) -> str:
    """Return a `use` element that shows an image in a cell."""
    return f'<use href="#{SCOPE}-{layer}"{_attributes(x=column, y=row)}/>'


def markup(ground: Ground, shapes: Sequence[Shape]) -> str:
    layers = ground.layers()
    return "".join([_element(shape, layers) for shape in shapes])


def _element(shape: Shape, layers: Mapping[str, int]) -> str:
    match shape:
        case At():
            return use(layers[shape.look], shape.row, shape.column)
        case Rect():
            sides = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height, rx=shape.radius)
            return f"<rect{_paint(shape)}{sides}/>"
        case Circle():
            return f"<circle{_paint(shape)}{_attributes(cx=shape.x, cy=shape.y, r=shape.radius)}/>"
        case Path():
            end = "z" if shape.closed else ""
            return f'<path{_paint(shape)} d="{"".join([_train(train) + end for train in shape.trains])}"/>'
        case Text():
            place = _attributes(x=shape.x, y=shape.y + 0.365 * shape.size)  # the middle of capitals is at the point
            size = f' font-size="{number(shape.size)}"' if shape.size != LETTERS else ""
            left = ' text-anchor="start"' if shape.left else ""
            return f"<text{_paint(shape)}{place}{size}{left}>{escaped(shape.words)}</text>"
        case Pixels():
            return _pixels(shape)
    raise TypeError(f"{shape!r} is not a shape that can be painted")


def _train(train: Sequence[tuple[float, float]]) -> str:
    """Return the path commands of connected lines, each command as short as possible."""
    (x, y), *rest = train
    parts = [f"M{number(x)} {number(y)}"]
    for to_x, to_y in rest:
        across, down = number(to_x - x), number(to_y - y)
        parts.append(f"h{across}" if down == "0" else f"v{down}" if across == "0" else f"l{across} {down}")
        x, y = to_x, to_y
    return "".join(parts)


def _pixels(bitmap: Pixels) -> str:
    """Return a path of boxes for each colour of a bitmap; edges are not smoothed, so that no seams show."""
    across, down = bitmap.width / len(bitmap.rows[0]), bitmap.height / len(bitmap.rows)
    shift = f"translate({number(bitmap.x)} {number(bitmap.y)})" if bitmap.x or bitmap.y else ""
    scale = "" if across == down == 1 else f"scale({number(across)}{'' if across == down else f' {number(down)}'})"
    transform = f' transform="{shift}{scale}"' if shift or scale else ""
    paths = []
    for colour, boxes in bitmap.boxes().items():
        fill = f"#{colour[1::2]}" if colour[1::2] == colour[2::2] else colour  # `#f00` is short for `#ff0000`
        outline = "".join([f"M{x} {y}h{width}v{height}h-{width}z" for x, y, width, height in boxes])
        paths.append(f'<path fill="{fill}" d="{outline}"/>')
    return f'<g{transform} shape-rendering="crispEdges">{"".join(paths)}</g>' if paths else ""


def _paint(shape: Shape) -> str:
    classes = " ".join(_classes(shape))
    width = shape.thick if isinstance(shape, Painted) and shape.line else LINE
    thick = f' stroke-width="{number(width)}"' if width != LINE else ""
    return (f' class="{classes}"' if classes else "") + thick


def _attributes(**values: float) -> str:
    return "".join([f' {name}="{number(value)}"' for name, value in values.items() if value])


def _looks_in(shapes: Iterable[Shape]) -> set[str]:
    return {shape.look for shape in shapes if isinstance(shape, At)}


def escaped(words: str) -> str:
    """Return a text escaped for XML, for use in elements and attributes."""
    clean = re.sub("[\x00-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", words)
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def policy_hash(text: str) -> str:
    """Return the hash with which a page's security policy allows a script or a style."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
