"""Draw a figure twice, for light and for dark pages: `both(folder, "name", draw)` writes `name-light.svg` and
`name-dark.svg`, and `{figures} SUBJECT/NAME` on a page shows the one that fits.

`draw(palette)` gives a figure of matplotlib. It takes its colours from the palette, so that nothing is told by a colour
that a theme does not have.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from html import escape
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
from docutils import nodes
from made import MADE
from matplotlib.figure import Figure
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Palette(NamedTuple):
    """Colours of a theme: text, lines, highlights, and four distinguishable series."""

    ink: str
    line: str
    mark: str
    series: tuple[str, str, str, str]
    pale: str


PALETTES = {
    "light": Palette("#22262c", "#9aa1ab", "#2563c9", ("#2a78d6", "#c2531a", "#12805a", "#7a55c7"), "#e8edf5"),
    "dark": Palette("#dfe3ea", "#6b7380", "#7fb0f5", ("#5b9bec", "#ef8a52", "#35c08d", "#ad91ec"), "#262c36"),
}


def style(palette: Palette) -> AbstractContextManager[None]:
    """Return the matplotlib settings for a palette; text is written as text, in the reader's fonts."""
    colours = dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), palette.ink)
    return mpl.rc_context(
        {
            **colours,
            "axes.edgecolor": palette.line,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "font.family": "sans-serif",
            "font.size": 10,
            "legend.frameon": False,
            "svg.fonttype": "none",
            "svg.hashsalt": "unpuzzle",  # equal pictures for equal data
        }
    )


def both(folder: Path, name: str, draw: Callable[[Palette], Figure]) -> None:
    """Write a figure for light and for dark pages."""
    for theme, palette in PALETTES.items():
        with style(palette):
            draw(palette).savefig(folder / f"{name}-{theme}.svg", metadata={"Date": None})


class Figures(SphinxDirective):
    """The directive `{figures} SUBJECT/NAME`, which shows a figure, light or dark, with a text for blind readers."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the light and the dark picture; the page's style sheet shows one of them."""
        source = Path(self.env.srcdir)
        below = len(self.env.docname.split("/")) - 1
        folder = "../" * below + MADE.as_posix()
        found = []
        for theme in PALETTES:
            name = f"{self.arguments[0]}-{theme}.svg"
            if not (source / MADE / name).is_file():
                raise self.error(f"there is no figure {name}")
            alt = " ".join(self.content)
            found.append(nodes.image(uri=f"{folder}/{name}", alt=alt, classes=[f"only-{theme}"]))
        return [nodes.container("", *found, classes=["wide-figure"])]


class Frames(SphinxDirective):
    """The directive `{frames} PAGE/FILE.html`, which shows a web page in a frame, once light and once dark.

    A frame knows the system's preference and not the switch of the site. So the one that is not shown is not loaded.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the light and the dark frame; the page's style sheet shows one of them."""
        source, (name,) = Path(self.env.srcdir), self.arguments
        up = "../" * (len(self.env.docname.split("/")) - 1)
        title = escape(" ".join(self.content))
        frames = []
        for theme in PALETTES:
            file = f"{Path(name).with_suffix('')}-{theme}.html"
            if not (source / MADE / file).is_file():
                raise self.error(f"there is no page {file}")
            source_of = f'src="{up}made/{file}" title="{title}" loading="lazy"'
            frames.append(f'<iframe class="page only-{theme}" {source_of}></iframe>')
        return [nodes.raw("", "\n".join(frames), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("figures", Figures)
    app.add_directive("frames", Frames)
    return {"parallel_read_safe": True}
