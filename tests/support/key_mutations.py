"""Mutations of what `_key` returns: keys that leave something out, made for any puzzle from the shape of its keys."""

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

Mutation = Callable[[Any], Hashable]

SEQUENCES = (tuple, str)
COARSER: dict[type, dict[str, Mutation]] = {
    object: {"dropped": lambda value: None},
    str: {
        "sorted": lambda text: "".join(sorted(text)),
        "its length": len,
        "without its first": lambda text: text[1:],
        "without its last": lambda text: text[:-1],
        "its first half": lambda text: text[: len(text) // 2],
        "its second half": lambda text: text[len(text) // 2 :],
        "every other": lambda text: text[::2],
        "what it consists of": frozenset,
    },
    tuple: {
        "sorted": lambda values: tuple(sorted(values, key=repr)),
        "its length": len,
        "what it consists of": lambda values: frozenset(map(repr, values)),
    },
    frozenset: {"its size": len, "without the least": lambda values: frozenset(sorted(values)[1:])},
    int: {"its half": lambda number: number // 2, "odd or even": lambda number: number % 2},
    bool: {},
    Fraction: {"its whole part": int},
}
"""By type of a part of a key, what may be left of it."""
DEEP = 3


def mutations(key: object, depth: int = 0) -> Iterator[tuple[str, Mutation]]:
    """Names and functions from key to key, for keys of the shape of this one."""
    for kind in (object, type(key)):
        yield from COARSER.get(kind if not isinstance(key, tuple) or kind is object else tuple, {}).items()
    if not isinstance(key, tuple) or depth == DEEP:
        return
    for place, part in enumerate(key):
        for name, mutation in mutations(part, depth + 1):
            yield f"part {place}: {name}", _at(place, mutation, type(part))


def _at(place: int, mutation: Mutation, kind: type) -> Mutation:
    def mutated(key: Any) -> Hashable:
        if place >= len(key) or not isinstance(key[place], kind):
            return tuple(key)
        return (*key[:place], mutation(key[place]), *key[place + 1 :])

    return mutated
