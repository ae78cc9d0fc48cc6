"""Pictures of levels, drawn with the sprites of the game's objects.

The ground consists of permanent objects below all pieces; all other objects are pieces, painted layer by layer. Objects
of the ground that are one plain colour are painted together, as one bitmap with a pixel for each cell; others are
looks.

An object is permanent if no rule can create, remove or move it. For each cell of a rule, this checks whether it may put
the object, clear it, or give its layer a direction. The latter two need an object that can be on a cell matching the
pattern, given that a layer contains only one object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial, reduce
from operator import or_

from unpuzzle.drawing import At, Ground, Look, Pixels, Shape
from unpuzzle.drawing.picture import Piece
from unpuzzle.puzzlescript.compiling.compiled import (
    CHECKPOINT,
    RESTART,
    WIN,
    CellPattern,
    Compiled,
    Replacement,
    Sprite,
    bits,
)
from unpuzzle.puzzlescript.compiling.objects import SIDE
from unpuzzle.puzzlescript.engine.board import aims, place_text, set_text
from unpuzzle.puzzlescript.engine.states import State

PLAYER = "player"
"""The kind of all player pieces: a player that turns is the same piece with another look."""
MOST_GROUNDS = 16


class Painter:
    """A painter of the states of one game, which keeps the pictures of backgrounds."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self._below = _below(game)
        self._kinds = [PLAYER if game.player >> number & 1 else name for number, name in enumerate(game.objects)]
        self._ground = lru_cache(MOST_GROUNDS)(partial(_ground, game))

    def ground(self, state: State) -> Ground:
        """Return the background picture of a level, with the objects that never change."""
        return self._ground(state.width, state.height, tuple([cell & self._below for cell in state.cells]))

    def pieces(self, state: State) -> list[Piece]:
        """Return the pieces to draw in front of the background picture."""
        names, kinds, height, above = self.game.objects, self._kinds, state.height, ~self._below
        return [
            (names[number], place % height, place // height, kinds[number])
            for place, cell in enumerate(state.cells)
            for number in bits(cell & above)
        ]


def _below(game: Compiled) -> int:
    """Return the objects to draw in the background: those in the lowest layers that never change."""
    last = lasting_objects(game)
    below = 0
    for layer in game.layers:
        below |= layer & last
        if layer & ~last:
            break
    return below


def _ground(game: Compiled, width: int, height: int, cells: Sequence[int]) -> Ground:
    """Return the background picture of a level from the objects in its cells that never change."""
    numbers = [number for layer in game.layers for number in bits(layer)]
    goals = reduce(or_, [win.second for win in game.wins if not win.anything], 0)  # where others should be, or not
    looks = {}
    for number in numbers:
        name, role = game.objects[number], "goal" if goals >> number & 1 else "ink"
        looks[name] = Look(*_sprite(game.sprites[number]), role=role, label=name)
    shapes: list[Shape] = [Pixels(((game.screen,),), 0, 0, width, height)]
    for layer in game.layers:
        here = [cell & layer for cell in cells]
        colours = [_plain_colour(game, cell, goals) for cell in here]
        if any(colours):
            shapes.append(Pixels([colours[row::height] for row in range(height)], 0, 0, width, height))
        shapes += [
            At(place % height, place // height, game.objects[cell.bit_length() - 1])
            for place, (cell, colour) in enumerate(zip(here, colours, strict=True))
            if cell and not colour
        ]
    said = tuple(_aims(game, cells, height))
    return Ground(height, width, looks, shapes, step=(1, 1), margin=1 / SIDE, grain=SIDE, aims=said)


def _aims(game: Compiled, cells: Sequence[int], height: int) -> Iterator[str]:
    """Yield phrases that describe a picture in words: each win condition, and the cells of its objects.

    Objects that cover most of the board are not listed cell by cell.
    """
    yield from aims(game, cells, height)[2]
    named = reduce(or_, [win.first | win.second for win in game.wins], 0)
    for command, word in ((CHECKPOINT, "checkpoint"), (RESTART, "restart"), (WIN, "win")):
        rules = [rule for rule in game.all_rules() if rule.commands & command]
        patterns = [cell for rule in rules for row in rule.rows for cell in row if cell is not None]
        at = reduce(or_, [reduce(or_, cell.any, cell.present) for cell in patterns], 0)
        at &= ~(game.player | game.background_layer)
        named |= at
        if at:
            yield f"{word} at {set_text(game, at)}"
    for number in bits(named & ~(game.player | game.background_layer)):
        places = [place for place, cell in enumerate(cells) if cell >> number & 1]
        if 2 * len(places) <= len(cells):
            yield from (f"{game.objects[number]} in {place_text(place, height)}" for place in places)


def _sprite(sprite: Sprite) -> Iterator[Pixels]:
    """Yield the shapes of an object's sprite; a sprite of one colour is one pixel, a transparent one has no shapes."""
    if _is_plain(sprite):
        yield Pixels(((sprite[0][0],),))
    elif any(map(any, sprite)):
        yield Pixels(sprite)


def _is_plain(sprite: Sprite) -> bool:
    return bool(sprite[0][0]) and len({colour for row in sprite for colour in row}) == 1


def _plain_colour(game: Compiled, cell: int, goals: int) -> str:
    sprite = game.sprites[cell.bit_length() - 1] if cell and not cell & goals else ()
    return sprite[0][0] if sprite and _is_plain(sprite) else ""


def lasting_objects(game: Compiled) -> int:
    changed = game.player
    for rule in game.all_rules():
        for pattern, replacement in rule.replacements():
            changed |= _changed(game, pattern, replacement)
    return ((1 << len(game.objects)) - 1) & ~changed


def _changed(game: Compiled, pattern: CellPattern, replacement: Replacement) -> int:
    """Return the objects of a cell that a rule may create, remove or move."""
    changed = replacement.random_objects | (replacement.set & ~pattern.present)
    for number, layer in enumerate(game.layers):
        here = _possible(layer, pattern)
        changed |= here & replacement.clear & ~replacement.set
        if replacement.random_objects & layer:
            changed |= here
        if (replacement.moves_set | replacement.random_directions) >> 5 * number & 0b11111:
            changed |= (here & ~replacement.clear) | (replacement.set & layer)
    return changed


def _possible(layer: int, pattern: CellPattern) -> int:
    """Return the objects of a layer that may be in a cell that matches a pattern."""
    required = layer & pattern.present
    if required:
        return required
    for any_of in pattern.any:
        if not any_of & ~layer:
            layer &= any_of
    return layer & ~pattern.missing
