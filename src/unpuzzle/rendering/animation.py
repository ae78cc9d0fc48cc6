"""A solution as an animation: as frames, and as one animated SVG (CSS keyframes, no script, light and dark).

A film matches the pieces of each position with the pieces of the next. Pieces of one kind are interchangeable. So
pieces that stay in place are matched first, then each of the others with the nearest one of its kind. A piece without a
match appears, or vanishes. A **track** follows one piece: by frame its look, row and column, or None if it is absent.

In the SVG, a moving piece is an element with its own animation, which has keyframes only at changes. A piece that
changes its look is a strip, as in a projector: its looks are side by side, far apart, and the strip jumps so that one
of them, or none, is in the gate:

    <g slides from cell to cell> <g jumps> <use look 1 in the gate/> <use look 2, FAR to the left/> </g> </g>

Without animations (in print, or if the reader prefers less motion) the first position is shown. Pointing at the picture
stops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import dist

from unpuzzle.base.values import Record
from unpuzzle.drawing import Ground, Piece
from unpuzzle.rendering.scenes import Scene, label_of
from unpuzzle.rendering.svg import SCOPE, board, document, number, use

REST, MOVE, END = 0.8, 0.4, 1.6
"""Seconds: before the first move, of each move, after the last one."""
Appearance = tuple[str, float, float]
"""A look, its row and its column."""
Track = list[Appearance | None]


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
        """Return the pieces after some moves and a fraction, from 0 to 1, of the next move.

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
    """Return one ground for all pictures; grounds differ only if they are made from texts of different sizes."""
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
    """Return the SVG element of one piece, which shows the first position if not animated, and the CSS keyframes."""
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
    """Yield the keyframes of a strip of images that jumps to the next place at the end of a move."""
    if shifts[0] != (0, 0):
        yield "0%" + _shift(*shifts[0])
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            yield _percent(move, seconds) + _shift(*shifts[move])


def _percent(moves: int, seconds: float) -> str:
    """Return the time at which some moves have ended, as a percentage of the total `seconds`."""
    digits = len(str(int(seconds * 2))) - 1  # enough to distinguish tenths of a move
    text = f"{100 * (REST + moves * MOVE) / seconds:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def _shift(right: float, down: float) -> str:
    across = f"{number(right)}px" if right else "0"
    return f"{{translate:{across} {number(down)}px}}" if down else f"{{translate:{across}}}"
