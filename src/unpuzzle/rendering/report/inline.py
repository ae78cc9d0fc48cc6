"""Put plots of matplotlib into a page: their styles as classes, so that the page may forbid all other styles, their
colours as variables, so that they are light or dark, and their names so that no two plots share one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import StringIO
from typing import Any

from unpuzzle.rendering.svg import escaped

# The colours of reports, on light pages and on dark ones.
#
# Plots are drawn in the colours of light pages. On a page each is a variable, which has another value in the dark.
# Series differ in their markers and lines, too, outcomes in their hatches: nobody has to distinguish colours.

INK, LINE, GRID, PAPER = "#22262c", "#7b838f", "#d9dde3", "#fdfdfe"
SERIES = (
    *("#2a6fd6", "#c2531a", "#12805a", "#7a55c7", "#b8327f", "#0b7c91"),
    *("#8a5a2b", "#c0343c", "#687613", "#55637a", "#3f4fc0", "#96700a"),
)
IN_THE_DARK: Mapping[str, str] = {
    INK: "#e4e8ee",
    LINE: "#8a94a3",
    GRID: "#343b46",
    PAPER: "#14171d",
    **dict(
        zip(
            SERIES,
            (
                *("#6aa6f5", "#f0915a", "#3fc794", "#b59cf0", "#f07fbf", "#4cc3d6"),
                *("#c99a6b", "#f2797f", "#b3c24a", "#a3b1c6", "#8f9cf7", "#dcb240"),
            ),
            strict=True,
        )
    ),
}
"""The colours on dark pages, by the colours on light pages."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")
LINES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
"""The styles of lines; the numbers of markers and lines have no common factor, so that many series differ."""
OF_OUTCOME: Mapping[str, tuple[str, str]] = {
    "solved_optimally": (SERIES[2], ""),
    "solved": (SERIES[0], "//"),
    "unsolvable": (SERIES[3], ""),
    "gave_up": (SERIES[11], "..."),
    "timeout": (SERIES[1], ""),
    "memout": (SERIES[6], "\\\\\\"),
    "cancelled": (SERIES[9], "xx"),
    "guessed": (SERIES[5], "--"),
    "unsupported": (SERIES[8], "||"),
    "error": (SERIES[7], "xxx"),
    "invalid_plan": (SERIES[4], "++"),
}
"""The colour and the hatch of each outcome."""


def series(number: int) -> tuple[str, str, object]:
    return SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)], LINES[number % len(LINES)]


def variable(colour: str) -> str:
    """Return the name of the variable of style sheets for a colour."""
    return f"--c{colour[1:]}"


def variables(dark: bool = False) -> str:
    """Return the values of all variables, as declarations of a style sheet."""
    return "".join(f"{variable(light)}:{other if dark else light};" for light, other in IN_THE_DARK.items())


STYLE = re.compile(r' style="([^"]*)"')
NAME = re.compile(r' id="([^"]+)"')
USED = re.compile(r'(?:url\(#|href="#)([^")]+)')
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
PAINT = re.compile(r' (fill|stroke)="(#[0-9a-f]{6})"')
FONT = re.compile(r"font: ([\d.]+)px [^;]*")


class Styles:
    """The styles of the plots of a page, a class each."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def name(self, style: str) -> str:
        return self.names.setdefault(style, f"m{len(self.names)}")

    def sheet(self) -> str:
        return "".join(f".{name}{{{style}}}" for style, name in self.names.items())


def svg_text(figure: Any) -> str:
    """Return a figure as an SVG file, the same for the same data."""
    file = StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def svg_file(figure: Any) -> str:
    """Return a figure as an SVG file that is dark if its reader prefers that.

    The colours stay the same, for programs that know no style sheets; in the dark, rules override them.
    """
    svg = svg_text(figure)
    rules = [
        f'[style*="{name}: {light}"],[{name}="{light}"]{{{name}:{dark}!important}}'
        for light, dark in IN_THE_DARK.items()
        for name in ("fill", "stroke")
        if f"{name}: {light}" in svg or f'{name}="{light}"' in svg
    ]
    head_end = svg.index(">", svg.index("<svg")) + 1
    sheet = f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"
    return f"{svg[:head_end]}\n {sheet}{svg[head_end:]}"


def inline_svg(svg: str, name: str, label: str, styles: Styles, keep: tuple[str, ...] = ()) -> str:
    """Return an SVG file as an element of a page, with a text for readers who cannot see it.

    `keep` are names of groups that stay, so that a script finds them.
    """
    start = svg.index("<svg")
    head_end = svg.index(">", start)
    box = re.search(r'viewBox="([^"]+)"', svg[start:head_end])
    body = re.sub(r"<(metadata|style)\b.*?</\1>", "", svg[head_end + 1 :], flags=re.S)  # report.css has that style
    used = {*USED.findall(body), *keep}
    body = NAME.sub(lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", body)
    body = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", body).replace("xlink:href", "href")
    body = STYLE.sub(lambda found: f' class="{styles.name(_declarations(found[1]))}"', body)
    body = PAINT.sub(
        lambda found: f' class="{styles.name(_declarations(f"{found[1]}: {found[2]}"))}"', body
    )  # of hatches
    body = re.sub(r">\s+<", "><", body.replace("<defs/>", ""))
    view = "" if box is None else box[1]
    return f'<svg id="{name}" viewBox="{view}" role="img" aria-label="{escaped(label)}">{body.strip()}'


def _declarations(style: str) -> str:
    """Return a style of matplotlib with variables for its colours, in the font of the page."""
    style = FONT.sub(lambda found: f"font-size: {found[1]}px", style)
    return COLOUR.sub(lambda found: f"var({variable(found[0])})" if found[0] in IN_THE_DARK else found[0], style)
