"""Python's collector of garbage looks through all objects again and again: in vain where most of them stay.

Compiling a large game and forking make millions of objects, of which nearly all stay until that ends, and leave no
circles of them behind.
"""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


def uncollected(work: Callable[[], T]) -> T:
    """What some work gives, during which no garbage is collected; after it, however it ends, it is as before."""
    if not gc.isenabled():
        return work()
    try:
        gc.disable()
        return work()
    finally:
        gc.enable()
