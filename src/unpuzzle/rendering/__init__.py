"""Ways to show what `unpuzzle.drawing` describes, beyond the terminal. They load when used.

svg.py         a picture as SVG: one text, sharp at every size, light and dark
film.py        which piece of a position is which one of the next
animation.py   a solution as one SVG that moves
pixels.py      PNG, GIF, APNG, WebP, with the bundled font of fonts/
paper.py       PDF; booklet.py makes one of many levels
states.py      PDDL states, in a terminal
spaces.py      state spaces in layers
charts.py      comparisons as bars
notebooks.py   what notebooks show: the one module that is reached from before the puzzles
themes.py      the colours of roles
letters.py     which letters lie on what, for the law that they can be read
page/          pages to play on
saving.py      a picture or a solution in a file of any kind, by the end of its name
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.rendering.saving import save as save
    from unpuzzle.rendering.svg import svg_of as svg_of

_HOMES = {"save": "saving", "svg_of": "svg"}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
