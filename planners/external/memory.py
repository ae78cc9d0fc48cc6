"""Ask whether memory is left, in the child processes of this room. A leaf: it is imported where memory is short.

A lack of memory shows as any exception at all: a library that cannot be mapped, for example, is an ImportError.
"""

import mmap

_LIBRARY = 64 << 20
"""The most bytes that a library here takes at once."""


def is_left() -> bool:
    """Return whether this process can still allocate as much memory as a library takes at once."""
    try:
        mmap.mmap(-1, _LIBRARY).close()
    except (OSError, MemoryError):
        return False
    return True
