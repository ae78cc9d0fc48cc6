"""Additions to the page of capabilities: for each capability, the bundled games that have it, and a tested example.

The examples are in `capability_examples.txt`, in the manner of doctest, each under the name of its capability; the
tests run them.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

from reference_pages.inventory import Entry
from unpuzzle.model import capabilities as module
from unpuzzle.model.capabilities import offered
from unpuzzle.translators import find, names

EXAMPLES = Path(__file__).with_name("capability_examples.txt")


@cache
def capabilities() -> tuple[type, ...]:
    """Return all capabilities: the classes of the module that define `__slots__`, and `Generating`."""
    classes = [value for value in vars(module).values() if inspect.isclass(value) and not hasattr(value, "__args__")]
    own = [each for each in classes if each.__module__ == module.__name__ and "__slots__" in vars(each)]
    return (*own, module.Generating)


@cache
def examples() -> dict[str, str]:
    """Return the example of each capability, by its name."""
    parts = re.split(r"^# (\w+)\n", EXAMPLES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def games_with(capability: type) -> tuple[str, ...]:
    """Return the names of the bundled games that have a capability or whose positions have it."""
    able = []
    for name in names():
        game = find(name)
        levels = game.levels
        position = game.parse(next(iter(levels.values()))) if levels else None
        if offered(game, capability) is not None or (position is not None and offered(position, capability)):
            able.append(name)
    return tuple(able)


def more(entry: Entry) -> str:
    """Return the lines about a capability's games and example; an empty list for other names."""
    if entry.value not in capabilities():
        return ""
    games = ", ".join(f"`{name}`" for name in games_with(entry.value)) or "none that is bundled"
    return f"Games: {games}.\n\n{_shown(entry.value.__name__)}"


def introduction() -> str:
    """Return the text with the game on which all examples build."""
    return _shown("Stairs")


def _shown(name: str) -> str:
    sentences, _, code = examples()[name].partition(">>> ")
    return f"{sentences.strip()}\n\n```python\n>>> {code}\n```"
