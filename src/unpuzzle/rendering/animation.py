"""A solution as one SVG that moves: CSS keyframes, no script, sharp at every size, light and dark.

A piece that moves is an element with an animation of its own, whose keyframes name only the moments at which something
changes. A piece that changes its look is a strip, as in a projector: its looks lie side by side, far apart, and the
strip jumps so that one of them is in the gate, or none:

    <g slides from cell to cell> <g jumps> <use look 1 in the gate/> <use look 2, FAR to the left/> </g> </g>

Without animations (in a printer, or where the reader asks for less motion) the first position is seen. The pointer over
the picture stops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from unpuzzle.rendering.film import Film, Track
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.subjects import label_of
from unpuzzle.rendering.svg import SCOPE, board, document, number, use

REST, MOVE, END = 0.8, 0.4, 1.6
"""Seconds: before the first move, of each move, after the last one."""


def animated_svg(scene: Scene) -> str:
    """Return the moves of a scene as an SVG that moves; one position as an SVG that does not."""
    film = Film.of(scene)
    seconds = REST + len(scene.moves) * MOVE + END
    far = int(film.ground.columns) + 9
    parts = [_Part(name, track, film.ground.layers(), far) for name, track in enumerate(film.tracks)]
    body = board(film.ground) + "".join([part.element() for part in parts])
    rules = "".join([rule for part in parts for rule in part.rules(seconds)])
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


class _Part:
    """The element of one track, and its keyframes."""

    def __init__(self, name: int, track: Track, layers: Mapping[str, int], far: int) -> None:
        self.name = f"{SCOPE}-m{name}"
        self.layers = layers
        self.far = far
        places = _places(track)
        self.home = places[0]
        self.shifts = [(column - self.home[1], row - self.home[0]) for row, column in places]
        looks = [appearance[0] if appearance else None for appearance in track]
        self.names = list(dict.fromkeys(looks))  # in the order of the strip; None is an empty place
        self.jumps = [(float(self.names.index(look) * far), 0.0) for look in looks]
        self.slides = any(shift != (0, 0) for shift in self.shifts)

    def element(self) -> str:
        """Return the element, which shows the first position where there are no animations."""
        row, column = self.home
        strip = [(look, column - place * self.far) for place, look in enumerate(self.names) if look is not None]
        inside = "".join([use(self.layers[look], row, at) for look, at in strip])
        if len(self.names) > 1:
            inside = f'<g class="s" style="animation-name:{self.name}j">{inside}</g>'
        return f'<g class="m" style="animation-name:{self.name}">{inside}</g>' if self.slides else inside

    def rules(self, seconds: float) -> Iterator[str]:
        """Yield the keyframes."""
        if self.slides:
            yield f"@keyframes {self.name}{{{''.join(_slide(self.shifts, seconds))}}}"
        if len(self.names) > 1:
            yield f"@keyframes {self.name}j{{{''.join(_jump(self.jumps, seconds))}}}"


def _places(track: Track) -> list[tuple[float, float]]:
    """Return row and column by frame; while the piece is not there, where it was last or will be first."""
    now = next(appearance[1:] for appearance in track if appearance)
    places = []
    for appearance in track:
        now = appearance[1:] if appearance else now
        places.append(now)
    return places


def _slide(shifts: Sequence[tuple[float, float]], seconds: float) -> Iterator[str]:
    """Yield keyframes of a piece that rests until a move shifts it, and arrives when that move ends."""
    since = ""
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            until = _percent(move - 1, seconds)
            yield (f"{since},{until}" if since and since != until else until) + _shift(*shifts[move - 1])
            since = _percent(move, seconds)
    yield f"{since},to" + _shift(*shifts[-1])


def _jump(shifts: Sequence[tuple[float, float]], seconds: float) -> Iterator[str]:
    """Yield keyframes of a strip that is elsewhere as soon as a move has ended."""
    if shifts[0] != (0, 0):
        yield "0%" + _shift(*shifts[0])
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            yield _percent(move, seconds) + _shift(*shifts[move])


def _percent(moves: int, seconds: float) -> str:
    """Return the time at which some moves have been made, in percent of all seconds."""
    digits = len(str(int(seconds * 2))) - 1  # they tell moments apart that are a tenth of a move
    text = f"{100 * (REST + moves * MOVE) / seconds:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def _shift(right: float, down: float) -> str:
    across = f"{number(right)}px" if right else "0"
    return f"{{translate:{across} {number(down)}px}}" if down else f"{{translate:{across}}}"
