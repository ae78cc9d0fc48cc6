"""Definitions whose brackets need no repair: the tolerant reader takes their forms as the strict reader makes them.

That is most texts with faults. `Brackets` takes far longer, for it cuts a text into parts and counts in each.
"""

from __future__ import annotations

import re

from unpuzzle.errors import ParseError
from unpuzzle.pddl.reading.lexer import SECTIONS, Form, Text, read_form

_CALL = re.compile(r"[^\s()]\(")
"""What may be a call such as `holding(?x)`, or stand in a comment."""

_ACTIONS = (":action", ":durative-action")


def matching_form(source: Text) -> Form | None:
    """Return the form of a definition in which `Brackets` finds nothing to repair; None where it may."""
    if _CALL.search(source.text):
        return None
    try:
        form = read_form(source, "a definition")
    except ParseError:
        return None
    return form if form[:1] == ["define"] and all(map(_in_place, form[1:])) else None


def _in_place(item: str | Form) -> bool:
    """Return whether keywords in an item of a definition stand only where they begin a section, or a part of one."""
    if isinstance(item, str):
        return not _is_keyword(item)
    head = item[0] if item else ""
    keywords = [part for part in item[1:] if _is_keyword(part)]
    if not SECTIONS.isdisjoint(keywords) or (bool(keywords) != (head in _ACTIONS) and head != ":requirements"):
        return False
    queue = [part for part in item if not isinstance(part, str)]
    while queue:
        inner = queue.pop()
        if any(map(_is_keyword, inner)):
            return False
        queue += [part for part in inner if not isinstance(part, str)]
    return True


def _is_keyword(part: str | Form) -> bool:
    return isinstance(part, str) and part[0] == ":"
