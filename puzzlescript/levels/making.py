"""Levels that are asked for: given ones, changed at random. What `generate` gives is judged by those who asked."""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Levels, Number, by_name
from unpuzzle.puzzlescript.levels.changing import Changer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random
    from typing import Any

    from unpuzzle.puzzle.position import Position
    from unpuzzle.puzzlescript.playing.states import State
    from unpuzzle.puzzlescript.rules import ScriptRules

OPTIONS = by_name(
    Levels("from", "what to change"),
    Number("changes", "how many objects to move, exchange, add or take away, at most", 4, least=1, most=1000),
)
TRIES = 10
"""A changed level may be refused, such as one that never comes to rest; then it is changed in another way."""


def make_level(game: ScriptRules, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return one of the levels that the options name, changed. Raises ParseError where there is none."""
    names = options["from"] or tuple(game.levels)
    if not names:
        raise ParseError(f"{game.name} has no levels that could be changed")
    name = rng.choice(names)
    known = name in game.levels
    text = game.levels[name] if known else name
    state, _ = game.text.read(text, None)
    extras = _extras(game, state)
    changer = Changer(game.compiled, game.glyphs)
    for _ in range(TRIES):
        changed = changer.changed(state, rng, options["changes"])
        rows = game.glyphs.rows(changed.cells, changed.height)
        try:
            return game.parse("\n".join([*rows, *extras, ""]) if rows else text)
        except ParseError:
            continue
    return game.parse(text)


def _extras(game: ScriptRules, state: State) -> list[str]:
    """What is told of a level besides its board: a seed, and whether time passes; after a blank line."""
    lines = [line for line in game.text.write(state).split("\n")[1:] if line.startswith(("seed ", "ticks"))]
    return ["", *lines] if lines else []
