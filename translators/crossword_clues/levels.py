"""The bundled levels: small crosswords of this project's own, clued as newspapers do, with their solutions."""

from __future__ import annotations

import json
import os


def _read_minis() -> dict[str, str]:
    """Return the levels of minis.json, a list of them, by number."""
    with open(os.path.join(os.path.dirname(__file__), "minis.json"), encoding="utf-8") as file:
        levels = json.load(file)
    return {f"mini-{number}": json.dumps(level, ensure_ascii=False) + "\n" for number, level in enumerate(levels, 1)}


LEVELS = _read_minis()
