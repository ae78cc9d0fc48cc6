"""Sokoban (H. Imabayashi, 1981): a warehouse keeper pushes boxes onto goals."""

from unpuzzle.translators.sokoban.rules import Sokoban as Sokoban
