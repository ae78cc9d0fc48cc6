"""The messages between `apart.py` and `apart_server.py`. A leaf.

Call      →    a function and its arguments, and limits that end the process which calls it
Part      ←    any number of them: what the function has reported on its way
Ending    ←    what it returned or raised, or how its process ended, and what it took
"""

from __future__ import annotations

from unpuzzle.base.values import Record


class Call(Record):
    """One call of a function in a process of its own.

    The function is called with a function that reports, then its arguments. It is expected to keep the limits itself;
    they are held from outside with a little patience, for code that looks at none.

    Attributes:
        module, name: where the function stands.
        arguments: a pickled tuple.
        time, cpu: seconds of wall clock and of processor time, or None.
        memory: bytes that the process may hold, or None.
        note: a text for whoever tells about the place where the call is made; see `many.team`.
    """

    module: str
    name: str
    arguments: bytes
    time: float | None = None
    cpu: float | None = None
    memory: int | None = None
    note: str = ""


class Part(Record):
    """An intermediate report of a function, pickled."""

    value: bytes


class Ending(Record):
    """The end of a call.

    Attributes:
        answer: pickled: whether the function returned, and its value or error; None where its process ended before.
        limit: `timeout`, `memout` or `cancelled` where the process was ended for that, or empty.
        exit_code: of the process; negative for a signal, None where that is not known.
        wall, cpu: seconds of the process with all that it started and waited for.
        peak_memory: the most bytes that the process was seen to hold.
        printed: what it printed, beginning and end.
    """

    answer: bytes | None = None
    limit: str = ""
    exit_code: int | None = None
    wall: float = 0.0
    cpu: float = 0.0
    peak_memory: int | None = None
    printed: str = ""
