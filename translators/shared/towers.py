"""Towers of things, as text and as pictures: a line a tower, bottom first, after a label such as `A:` if it has one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Towers = Iterable[Iterable[object]]


def write_towers(towers: Towers, labels: Sequence[str] = ()) -> str:
    starts = [f"{label}:" for label in labels]
    lines = [[*starts[number : number + 1], *map(str, tower)] for number, tower in enumerate(towers)]
    return "".join([" ".join(line) + "\n" for line in lines])


def draw_towers(towers: Towers) -> str:
    """Return a picture of towers side by side, on one line that they stand on."""
    columns = [[str(thing) for thing in tower] for tower in towers]
    widths = [max(map(len, column), default=1) for column in columns]
    height = max(map(len, columns), default=0)
    levels = zip(*[[*column, *[""] * (height - len(column))] for column in columns], strict=True)
    rows = ["  ".join(map(str.center, level, widths)) for level in levels][::-1]
    return "\n".join([row.rstrip() for row in rows] + ["─" * (sum(widths) + 2 * max(0, len(widths) - 1))])
