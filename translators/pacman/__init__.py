"""Pacman grids without ghosts: mazes with one food to find, or many dots to eat."""

from unpuzzle.translators.pacman.rules import Pacman as Pacman
