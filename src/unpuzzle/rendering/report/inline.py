"""Put plots of matplotlib into a page: their styles as classes, so that the page may forbid all other styles, their
colours as variables, so that they are light or dark, and their names so that no two plots share one.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

from unpuzzle.rendering.report.colours import IN_THE_DARK, variable
from unpuzzle.rendering.svg import escaped

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

    The colours stay as they are, for programs that know no style sheets; in the dark, rules override them.
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
