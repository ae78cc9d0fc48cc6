"""How much work a call is, counted in calls of functions, Python's and built-in ones: equal on every machine."""

import sys
from collections.abc import Callable
from typing import Any


def calls(function: Callable[..., object], *arguments: Any) -> int:
    """How many functions were called until this one returned or raised."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return count
