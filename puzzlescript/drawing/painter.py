"""Pictures of levels from the objects' own sprites.

Ground is what no move changes and no piece can lie below; everything else is pieces, painted layer by layer. Objects of
the ground that are one plain colour are painted together, as one bitmap with a pixel for each cell; others are looks.
"""

from __future__ import annotations

from functools import lru_cache, partial

from unpuzzle.drawing import At, Ground, Look, Pixels
from unpuzzle.puzzlescript.compiling.objects import SIDE
from unpuzzle.puzzlescript.drawing.lasting import lasting
from unpuzzle.puzzlescript.playing.sets import bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unpuzzle.drawing import Piece, Shape
    from unpuzzle.puzzlescript.compiling.compiled import Compiled, Sprite
    from unpuzzle.puzzlescript.playing.states import State

PLAYER = "player"
"""The kind of all pieces that are players: one that turns is the same piece with another look."""
MOST_GROUNDS = 16


class Painter:
    """Draws the states of a game, and keeps the grounds that it made last."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self._below = _below(game)
        self._kinds = [PLAYER if game.player >> number & 1 else name for number, name in enumerate(game.objects)]
        self._ground = lru_cache(MOST_GROUNDS)(partial(_ground, game))

    def ground(self, state: State) -> Ground:
        """What no move changes in the level of a state."""
        cells = tuple([cell & self._below for cell in state.cells])
        return self._ground(state.width, state.height, cells)

    def pieces(self, state: State) -> list[Piece]:
        """What is not in the ground, object by object."""
        names, kinds, height, above = self.game.objects, self._kinds, state.height, ~self._below
        return [
            (names[number], place % height, place // height, kinds[number])
            for place, cell in enumerate(state.cells)
            for number in bits(cell & above)
        ]


def _below(game: Compiled) -> int:
    """The objects of the ground: those that last, and that lie in no layer above something which changes."""
    last = lasting(game)
    found = 0
    for layer in game.layers:
        found |= layer & last
        if layer & ~last:
            break
    return found


# ---- the ground


def _ground(game: Compiled, width: int, height: int, cells: Sequence[int]) -> Ground:
    numbers = [number for layer in game.layers for number in bits(layer)]
    looks = {game.objects[number]: _look(game, number) for number in numbers}
    shapes: list[Shape] = [Pixels(((game.screen,),), 0, 0, width, height)]
    for layer in game.layers:
        here = [cell & layer for cell in cells]
        shapes += _plain_objects(game, width, height, here)
        shapes += _other_objects(game, height, here)
    return Ground(height, width, looks, shapes, step=(1, 1), margin=1 / SIDE, grain=SIDE)


def _look(game: Compiled, number: int) -> Look:
    role = "goal" if _goals(game) >> number & 1 else "ink"
    return Look(*_sprite(game.sprites[number]), role=role, label=game.objects[number])


def _goals(game: Compiled) -> int:
    """The objects that others are to be on, or not to be on."""
    found = 0
    for condition in game.wins:
        found |= 0 if condition.anything else condition.second
    return found


def _sprite(sprite: Sprite) -> Iterator[Pixels]:
    """The shapes of a look: one pixel is enough for a plain colour, none for what cannot be seen."""
    if _is_plain(sprite):
        yield Pixels(((sprite[0][0],),))
    elif any(map(any, sprite)):
        yield Pixels(sprite)


def _is_plain(sprite: Sprite) -> bool:
    return bool(sprite[0][0]) and len({colour for row in sprite for colour in row}) == 1


def _plain_objects(game: Compiled, width: int, height: int, cells: Sequence[int]) -> Iterator[Pixels]:
    """The objects of one layer that are one colour each, as a bitmap."""
    colours = [_plain_colour(game, cell) for cell in cells]
    if any(colours):
        yield Pixels([colours[row::height] for row in range(height)], 0, 0, width, height)


def _plain_colour(game: Compiled, cell: int) -> str:
    sprite = game.sprites[cell.bit_length() - 1] if cell and not cell & _goals(game) else ()
    return sprite[0][0] if sprite and _is_plain(sprite) else ""


def _other_objects(game: Compiled, height: int, cells: Sequence[int]) -> Iterator[At]:
    for place, cell in enumerate(cells):
        if cell and not _plain_colour(game, cell):
            yield At(place % height, place // height, game.objects[cell.bit_length() - 1])
