"""Generation of levels with known difficulty, and collections of levels.

generating.py      generate(): levels as requested, the same ones for the same seed
candidates.py      the candidates: random ones, or changes of the hardest so far; made chunk by chunk;
                   things that solutions must use: without them a level is proved to be unsolvable
judging.py         the work of a worker: judges a chunk, grounded together, or by constraints or rules one by one;
                   solve_many(): tens of thousands of small levels at a time
collections.py     files of several levels: read and written, by `model.collection`; their solutions replayed
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
