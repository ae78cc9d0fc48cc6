"""How much is tried: by default as much as a few minutes allow; with UNPUZZLE_THOROUGH=1 in the environment, all.

What is left out is more of the same: further random examples, further tasks of a collection. No test is skipped.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

THOROUGH = os.environ.get("UNPUZZLE_THOROUGH", "0") not in ("", "0")
SHARE = 4
PART = 1 if THOROUGH else 1 / SHARE
"""What `laws(game, share=PART)` tries of its random examples."""


def at_most(examples: int) -> int:
    """So many random examples, or a quarter of them."""
    return examples if THOROUGH else max(1, examples // SHARE)


def some_of(things: Sequence[Thing], share: int = SHARE) -> list[Thing]:
    """All of them, or the first and every fourth (or `share`-th) after it."""
    return list(things if THOROUGH else things[::share])
