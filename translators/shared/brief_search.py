"""A search for solutions that is given up soon: makers of random levels begin again elsewhere where one takes long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unpuzzle.constraints import Constraints, Search


class OutOfPatienceError(Exception):
    """Says that a search was given up."""


def brief_solutions(model: Constraints, nodes: int) -> Iterator[Mapping[str, Any]]:
    """Yield the solutions of a model. Raises OutOfPatienceError after so many nodes of the search."""

    def look() -> None:
        if search.nodes > nodes:
            raise OutOfPatienceError

    search = Search(model, look)
    return search.solutions()
