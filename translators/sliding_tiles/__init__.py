"""Sliding tiles: the 8-puzzle, the 15-puzzle and boards of any other size."""

from unpuzzle.translators.sliding_tiles.rules import SlidingTiles as SlidingTiles
