"""Levels of known difficulty.

generating.py      generate(): levels as requested, the same ones for the same seed
candidates.py      the work of a worker: makes a chunk of candidates and judges them, grounded together
singly.py          the same one by one: levels that are only constraints, games that are searched on the rules
climbing.py        the search for the hardest levels: changes of the hardest so far
origins.py         the origin of a candidate: its random numbers, or the level that it varies
musts.py           things that solutions must use: without them a level is proved to be unsolvable
batches.py         solve_many(): tens of thousands of small levels at a time
collections.py     files of several levels: read, written, one of their levels, solutions in them
"""

from unpuzzle.late import homes_of, loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.levels.batches import solve_many
    from unpuzzle.levels.candidates import GeneratedLevel
    from unpuzzle.levels.collections import read_collection, write_collection
    from unpuzzle.levels.generating import Generation, generate

_HOMES = homes_of(
    batches="solve_many", candidates="GeneratedLevel", collections="read_collection write_collection",
    generating="Generation generate",
)  # fmt: skip

__all__ = ["GeneratedLevel", "Generation", "generate", "read_collection", "solve_many", "write_collection"]

__getattr__ = loader(__name__, _HOMES)
