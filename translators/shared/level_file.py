"""The bundled levels in a text file beside a puzzle's rules: each unchanged after a line `=== NAME`."""

from __future__ import annotations

import os

MARK = "=== "


def levels_beside(module: str) -> dict[str, str]:
    """Return the levels in the text file beside a module, in their order."""
    with open(os.path.join(os.path.dirname(module), "levels.txt"), encoding="utf-8") as file:
        sections = ("\n" + file.read()).split("\n" + MARK)[1:]
    pairs = (section.rstrip("\n").split("\n", 1) for section in sections)
    return {name: text + "\n" for name, text in pairs}
