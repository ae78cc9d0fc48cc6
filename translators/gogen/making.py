"""Random Gogens."""

from __future__ import annotations

from unpuzzle.translators.gogen.grid import CELLS, EMPTY, LETTERS, TOUCHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random


def sample(rng: Random) -> tuple[str, tuple[str, ...]]:
    """The cells and the words of a small Gogen with most letters given; the words are random ways through its grid.

    Some have two letters exchanged, so that they contradict their words, or have no solution, or just another one.
    """
    letters = rng.sample(LETTERS, CELLS)
    words = tuple(dict.fromkeys("".join(letters[cell] for cell in _walk(rng)) for _ in range(rng.randint(1, 8))))
    if rng.random() < 0.4:
        one, other = rng.sample(range(CELLS), 2)
        letters[one], letters[other] = letters[other], letters[one]
    for cell in rng.sample(range(CELLS), rng.choice((1, 2, 3, 3, 4))):
        letters[cell] = EMPTY
    return "".join(letters), words


def _walk(rng: Random) -> list[int]:
    """Up to five different cells, each of which touches the next one."""
    way = [rng.randrange(CELLS)]
    for _ in range(rng.randint(1, 4)):
        onward = sorted(TOUCHING[way[-1]].difference(way))
        if onward:
            way.append(rng.choice(onward))
    return way
