"""A solution as one SVG that moves: CSS keyframes, no script, sharp at every size, light and dark.

A piece that moves is an element with an animation of its own, whose keyframes name only the moments at which something
changes. One that changes its look is a strip, as in a projector: its looks lie side by side, far apart, and the strip
jumps so that one of them is in the gate, or none:

    <g slides from cell to cell> <g jumps> <use look 1 in the gate/> <use look 2, FAR to the left/> </g> </g>

Without animations (in a printer, or where the reader asks for less motion) the first position is seen. The pointer over
the picture stops it.
"""

from __future__ import annotations

from unpuzzle.rendering.film import Film
from unpuzzle.rendering.svg import SCOPE, board, document, label_of, number, use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unpuzzle.rendering.film import Track
    from unpuzzle.rendering.saving import Scene

REST, MOVE, END = 0.8, 0.4, 1.6
"""Seconds: before the first move, of each move, after the last one."""


def rendered(scene: Scene) -> bytes:
    """The file of a scene: a picture that moves or, of one position, one that does not."""
    return animated(scene).encode()


def animated(scene: Scene) -> str:
    """The moves of a scene as SVG."""
    film = Film(scene)
    clock = Clock(len(scene.moves))
    far = int(film.ground.columns) + 9
    parts = [_Part(name, track, film.ground.layers(), far) for name, track in enumerate(film.tracks)]
    body = board(film.ground) + "".join([part.element() for part in parts])
    rules = "".join([rule for part in parts for rule in part.rules(clock)])
    names = {piece[0] for frame in film.frames for piece in frame}
    label = label_of(scene.positions[0])
    css = _timing(clock) + rules if rules else ""
    return document(film.ground, body, names, scene.theme, scene.pixels, label, css)


def _timing(clock: Clock) -> str:
    """The rules that all animations have in common."""
    moved = f".{SCOPE} .m,.{SCOPE} .s"
    return (
        f"{moved}{{animation:{number(clock.seconds)}s infinite}}.{SCOPE} .s{{animation-timing-function:step-end}}"
        f".{SCOPE}:hover g{{animation-play-state:paused!important}}"
        f"@media(prefers-reduced-motion:reduce){{{moved}{{animation:none!important}}}}"
    )


class Clock:
    """When moves end, in percent of the whole."""

    __slots__ = ("digits", "seconds")

    def __init__(self, moves: int) -> None:
        self.seconds = REST + moves * MOVE + END
        self.digits = len(str(int(self.seconds * 2))) - 1  # they tell moments apart that are a tenth of a move

    def after(self, moves: int) -> str:
        """When so many moves have been made, and the next one begins."""
        text = f"{100 * (REST + moves * MOVE) / self.seconds:.{self.digits}f}"
        return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


class _Part:
    """One track: its element, and the rules of that."""

    def __init__(self, name: int, track: Track, layers: Mapping[str, int], far: int) -> None:
        self.name = f"{SCOPE}-m{name}"
        self.layers = layers
        self.far = far
        seen = [appearance[1:] if appearance else None for appearance in track]
        places = _filled(seen)
        self.home = places[0]
        self.shifts = [(column - self.home[1], row - self.home[0]) for row, column in places]
        looks = [appearance[0] if appearance else None for appearance in track]
        self.names = list(dict.fromkeys(looks))  # in the order of the strip; None is an empty place
        self.jumps = [(float(self.names.index(look) * far), 0.0) for look in looks]

    def element(self) -> str:
        """The element, in which the first position is seen without any animation."""
        row, column = self.home
        strip = [
            use(self.layers[look], row, column - number * self.far)
            for number, look in enumerate(self.names)
            if look is not None
        ]
        inside = "".join(strip)
        if len(self.names) > 1:
            inside = f'<g class="s" style="animation-name:{self.name}j">{inside}</g>'
        return f'<g class="m" style="animation-name:{self.name}">{inside}</g>' if self._slides else inside

    @property
    def _slides(self) -> bool:
        return any(shift != (0, 0) for shift in self.shifts)

    def rules(self, clock: Clock) -> Iterator[str]:
        """The keyframes."""
        if self._slides:
            yield f"@keyframes {self.name}{{{''.join(_slide(self.shifts, clock))}}}"
        if len(self.names) > 1:
            yield f"@keyframes {self.name}j{{{''.join(_jump(self.jumps, clock))}}}"


def _filled(places: Sequence[tuple[float, float] | None]) -> list[tuple[float, float]]:
    """Places for the time when a piece is not there, too: where it was last, or will be first."""
    now = next(place for place in places if place)
    filled = []
    for place in places:
        now = place or now
        filled.append(now)
    return filled


# ---- keyframes


def _slide(shifts: Sequence[tuple[float, float]], clock: Clock) -> Iterator[str]:
    """It rests until a move takes it elsewhere, where it is when that ends. At first it is not shifted."""
    since = ""
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            until = clock.after(move - 1)
            yield (f"{since},{until}" if since and since != until else until) + _translated(*shifts[move - 1])
            since = clock.after(move)
    yield f"{since},to" + _translated(*shifts[-1])


def _jump(shifts: Sequence[tuple[float, float]], clock: Clock) -> Iterator[str]:
    """It is elsewhere from the end of a move on."""
    if shifts[0] != (0, 0):
        yield "0%" + _translated(*shifts[0])
    for move in range(1, len(shifts)):
        if shifts[move] != shifts[move - 1]:
            yield clock.after(move) + _translated(*shifts[move])


def _translated(right: float, down: float) -> str:
    across = f"{number(right)}px" if right else "0"
    return f"{{translate:{across} {number(down)}px}}" if down else f"{{translate:{across}}}"
