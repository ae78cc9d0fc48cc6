"""The colours of reports, on light pages and on dark ones.

Plots are drawn in the colours of light pages. On a page each is a variable, which has another value in the dark. Series
differ in their markers and lines, too, outcomes in their hatches: nobody has to tell colours apart.
"""

from __future__ import annotations

from collections.abc import Mapping

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
"""Their numbers have no factor in common with each other, so that it takes hundreds of series until one comes again."""
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
    """Return the name of the variable of style sheets that holds a colour."""
    return f"--c{colour[1:]}"


def variables(dark: bool = False) -> str:
    """Return the values of all variables, as declarations of a style sheet."""
    return "".join(f"{variable(light)}:{other if dark else light};" for light, other in IN_THE_DARK.items())
