"""A small program that calls one function; to save memory, the program itself imports no module of the project.

    python -P program_child.py MODULE FUNCTION WORDS...       `path.json` has the places of modules

`make_call` is one such function: it reads `call.pickle` (module, function, arguments) and writes `answer.pickle`:
whether the function returned, and its value or error. It ends if memory runs out. This shows as any exception: a
library that cannot be mapped, for example, is an ImportError.
"""

from __future__ import annotations

import json
import mmap
import pickle
import sys
from importlib import import_module

_LIBRARY = 64 << 20
"""The most bytes that a library takes at once."""


def make_call() -> None:
    """Make the call that `call.pickle` describes, and write the result or the error."""
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


if __name__ == "__main__":
    with open("path.json", encoding="utf-8") as places:
        sys.path[:] = json.load(places)
    getattr(import_module(sys.argv.pop(1)), sys.argv.pop(1))()
