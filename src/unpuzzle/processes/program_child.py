"""The code of a process that is run as a program and calls one function (`program.call_as_program`).

It ends if memory runs out. This shows as any exception: a library that cannot be mapped, for example, is an
ImportError. To save memory, nothing else of the project is imported here.
"""

from __future__ import annotations

import mmap
import pickle
from importlib import import_module

_LIBRARY = 64 << 20
"""The most bytes that a library takes at once."""


def make_call() -> None:
    """Make the call in `call.pickle` (module, function, arguments).

    Write to `answer.pickle` whether the function returned, and its value or error.
    """
    with open("call.pickle", "rb") as call:
        module, name, arguments = pickle.load(call)  # noqa: S301  # of the process that started this one
    try:
        answer = True, getattr(import_module(module), name)(*arguments)
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, (ImportError, OSError)) and not memory_is_left():
            raise MemoryError from error
        answer = False, error
    with open("answer.pickle", "wb") as file:
        pickle.dump(answer, file)


def memory_is_left() -> bool:
    """Return whether this process can still allocate as much memory as a library takes at once."""
    try:
        mmap.mmap(-1, _LIBRARY).close()
    except (OSError, MemoryError):
        return False
    return True
