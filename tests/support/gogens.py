"""Gogens for tests: with other words, and the number of their solutions."""

from itertools import islice

from unpuzzle.constraints import solutions
from unpuzzle.translators.gogen import Gogen


def with_words(position, words):
    return Gogen(position.cells, tuple(words))


def without(position, word):
    return with_words(position, [each for each in position.words if each != word])


def number_of_solutions(position, most=1000):
    return sum(1 for _ in islice(solutions(position.constraints()), most))
