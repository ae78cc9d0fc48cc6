"""Pictures as SVG texts, and solutions as sequences of frames or as one animated SVG.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import dist
from zlib import crc32

from unpuzzle.base.values import Record
from unpuzzle.drawing import At, Circle, Ground, Painted, Path, Piece, Pixels, Rect, Shape, Text
from unpuzzle.rendering.scenes import Scene, Subject, label_of, picture_of
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
REST, MOVE, END = 0.8, 0.4, 1.6
"""Seconds: before the first move, of each move, after the last one."""
Appearance = tuple[str, float, float]
"""A look, its row and its column."""
Track = list[Appearance | None]


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
    """Return a complete SVG with the elements `body`, in which `SCOPE` stands for the id that the SVG gets.

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
    """Return the definitions of the images (`looks`) in `body`, then `body`; an image used once is defined there."""
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
    """Return the left edge, upper edge, width and height of a picture in cells, including its margin."""
    margin = ground.margin
    return -margin, -margin, ground.columns + 2 * margin, ground.rows + 2 * margin


def style(scope: str, used: Iterable[str], theme: str = AUTO) -> str:
    """Return CSS rules for the classes in `used`, inside the selector `scope`; an empty `scope` means everywhere.

    Selectors do not see the surroundings of a `use` element, so each look has the class of the scope, too.
    """
    properties = [(name, name.partition("-")[0], "stroke" if "-" in name else "fill") for name in sorted(used)]
    day, night = (
        "".join([f"{scope} .{name}{{{what}:{colours[role]}}}" for name, role, what in properties]) if colours else ""
        for colours in themes(theme)
    )
    return day + (f"@media(prefers-color-scheme:dark){{{night}}}" if night else "")


def roles(shapes: Iterable[Shape]) -> set[str]:
    """Return CSS classes for shapes and for the paper: `hero` fills with a colour role, `hero-l` draws outlines."""
    return {"paper", *(name for shape in shapes for name in _classes(shape))}


def _classes(shape: Shape) -> list[str]:
    fill, line = shape.roles
    return [name for name in (fill, line and f"{line}-l") if name]


def symbols(ground: Ground, names: Iterable[str] | None = None) -> str:
    """Return images (`looks`) as SVG elements to be shown by `use`; their ids are their numbers in `ground.looks`."""
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
    """Return the SVG path commands for connected lines through points, each command as short as possible."""
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
    from hashlib import sha256  # needed only for pages

    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


# A solution as an animation: as frames, and as one animated SVG (CSS keyframes, no script, light and dark).
#
# A film matches the pieces of each position with the pieces of the next. Pieces of one kind are interchangeable. So
# pieces that stay in place are matched first, then each of the others with the nearest one of its kind. A piece without
# a match appears, or vanishes. A **track** follows one piece: by frame its look, row and column, or None if it is
# absent.
#
# In the SVG, a moving piece is an element with its own animation, which has keyframes only at changes. A piece that
# changes its look is a strip, as in a projector: its looks are side by side, far apart, and the strip jumps so that one
# of them, or none, is in the gate:
#
#     <g slides from cell to cell> <g jumps> <use look 1 in the gate/> <use look 2, FAR to the left/> </g> </g>
#
# Without animations (in print, or if the reader prefers less motion) the first position is shown. Pointing at the
# picture stops it.


class Film(Record):
    """The positions of a scene as frames: one background, the pieces of each frame, and each piece's path over time."""

    ground: Ground
    frames: Sequence[Sequence[Piece]]
    tracks: Sequence[Track]

    @classmethod
    def of(cls, scene: Scene) -> Film:
        pictures = scene.pictures()
        ground = common_ground([ground for ground, _ in pictures])
        frames = [pieces for _, pieces in pictures]
        return cls(ground, frames, _tracks(ground, frames))

    def between(self, move: int, part: float) -> list[Piece]:
        """Return the pieces at a moment of the animation: after some moves and a fraction (0 to 1) of the next move.

        A moving piece keeps its look until it arrives.
        """
        pieces = []
        for track in self.tracks:
            if before := track[move]:
                after = (part and track[move + 1]) or before
                row, column = (old + part * (new - old) for old, new in zip(before[1:], after[1:], strict=True))
                pieces.append((before[0], row, column, ""))
        return pieces


def common_ground(grounds: Sequence[Ground]) -> Ground:
    """Return one ground for all pictures of a scene; if grounds differ in size, the largest size is used."""
    first = grounds[0]
    if all(ground is first or ground == first for ground in grounds):
        return first
    looks = {name: look for ground in grounds for name, look in ground.looks.items()}
    rows, columns = (max(sizes) for sizes in zip(*((ground.rows, ground.columns) for ground in grounds), strict=True))
    return Ground(rows, columns, looks, first.shapes, step=first.step, margin=first.margin)


def _tracks(ground: Ground, frames: Sequence[Sequence[Piece]]) -> list[Track]:
    """Return the track of each piece (an appearance per frame), in drawing order: the lowest layer first."""
    tracks: list[Track] = []
    kinds: list[str] = []
    for time, frame in enumerate(frames):
        for track in tracks:
            track.append(None)
        for place, (look, row, column, kind) in _matches(tracks, kinds, frame):
            if place is None:
                tracks.append([None] * (time + 1))
                kinds.append(kind)
            tracks[-1 if place is None else place][time] = look, row, column
    layers = ground.layers()
    return sorted(tracks, key=lambda track: min(layers[appearance[0]] for appearance in track if appearance))


def _matches(
    tracks: Sequence[Track], kinds: Sequence[str], frame: Sequence[Piece]
) -> Iterator[tuple[int | None, Piece]]:
    """Yield each piece of a frame with the index of the track that the piece continues; None for a new track."""
    free: dict[str, dict[int, Appearance]] = {kind: {} for kind in {*kinds, *(piece[3] for piece in frame)}}
    for place, (track, kind) in enumerate(zip(tracks, kinds, strict=True)):
        if before := track[-2]:
            free[kind][place] = before
    others = []
    for piece in frame:
        there = free[piece[3]]
        same = next((place for place, before in there.items() if before[1:] == piece[1:3]), None)
        if same is None:
            others.append(piece)
        else:
            del there[same]
            yield same, piece
    for piece in others:
        there = free[piece[3]]
        nearest = min(there, key=lambda place: dist(there[place][1:], piece[1:3]), default=None)
        if nearest is not None:
            del there[nearest]
        yield nearest, piece


def animated_svg(scene: Scene) -> str:
    """Return the moves of a scene as an animated SVG; without moves, return a still image of the position."""
    film = Film.of(scene)
    seconds = REST + len(scene.moves) * MOVE + END
    far = int(film.ground.columns) + 9
    layers = film.ground.layers()
    parts = [_animate(f"{SCOPE}-m{place}", track, layers, far, seconds) for place, track in enumerate(film.tracks)]
    body = board(film.ground) + "".join([element for element, _ in parts])
    rules = "".join([keyframes for _, keyframes in parts])
    moving = f".{SCOPE} .m,.{SCOPE} .s"
    timing = (
        f"{moving}{{animation:{number(seconds)}s infinite}}.{SCOPE} .s{{animation-timing-function:step-end}}"
        f".{SCOPE}:hover g{{animation-play-state:paused!important}}"
        f"@media(prefers-reduced-motion:reduce){{{moving}{{animation:none!important}}}}"
    )
    css = timing + rules if rules else ""
    names = {piece[0] for frame in film.frames for piece in frame}
    label = label_of(scene.start)
    return document(film.ground, body, names, theme=scene.theme, pixels=scene.pixels, label=label, css=css)


def _animate(name: str, track: Track, layers: Mapping[str, int], far: int, seconds: float) -> tuple[str, str]:
    """Return a piece as an SVG element, with its CSS keyframes; without animation, it shows the first position."""
    places = _places(track)
    row, column = places[0]
    shifts = [(right - column, down - row) for down, right in places]
    looks = [appearance[0] if appearance else None for appearance in track]
    strip = list(dict.fromkeys(looks))  # None is an empty place
    uses = [use(layers[look], row, column - place * far) for place, look in enumerate(strip) if look is not None]
    element, rules = "".join(uses), ""
    if len(strip) > 1:
        jumps = [(float(strip.index(look) * far), 0.0) for look in looks]
        element = f'<g class="s" style="animation-name:{name}j">{element}</g>'
        rules = f"@keyframes {name}j{{{''.join(_jump(jumps, seconds))}}}"
    if any(shift != (0, 0) for shift in shifts):
        element = f'<g class="m" style="animation-name:{name}">{element}</g>'
        rules = f"@keyframes {name}{{{''.join(_slide(shifts, seconds))}}}" + rules
    return element, rules


def _places(track: Track) -> list[tuple[float, float]]:
    """Return a piece's row and column in each frame; an absent piece has the last place or, before that, the first."""
    now = next(appearance[1:] for appearance in track if appearance)
    places = []
    for appearance in track:
        now = appearance[1:] if appearance else now
        places.append(now)
    return places


def _slide(shifts: Sequence[tuple[float, float]], seconds: float) -> Iterator[str]:
    """Yield the keyframes of a piece that rests between moves and slides to the new place during each move."""
    since = ""
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            until = _percent(move - 1, seconds)
            yield (f"{since},{until}" if since and since != until else until) + _shift(*shifts[move - 1])
            since = _percent(move, seconds)
    yield f"{since},to" + _shift(*shifts[-1])


def _jump(shifts: Sequence[tuple[float, float]], seconds: float) -> Iterator[str]:
    """Yield the keyframes that show another image of a strip by shifting the strip at the end of a move."""
    if shifts[0] != (0, 0):
        yield "0%" + _shift(*shifts[0])
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            yield _percent(move, seconds) + _shift(*shifts[move])


def _percent(moves: int, seconds: float) -> str:
    """Return the time at which the first `moves` moves have ended, as a percentage of the total `seconds`."""
    digits = len(str(int(seconds * 2))) - 1  # enough to distinguish tenths of a move
    text = f"{100 * (REST + moves * MOVE) / seconds:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def _shift(right: float, down: float) -> str:
    across = f"{number(right)}px" if right else "0"
    return f"{{translate:{across} {number(down)}px}}" if down else f"{{translate:{across}}}"
