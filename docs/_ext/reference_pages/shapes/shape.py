"""The class `Shape`, which describes a JSON object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Shape:
    """The shape of a JSON object: its fields, and the class that documents them.

    Attributes:
        commands: the commands that print it.
        about: a sentence about it.
        fields: names of fields; `name=type` where the class does not say the type, `name?` if it may be missing.
        source: the class whose fields, properties and docstring tell the rest.
        rows: whether a command prints a list of such objects.
        open: whether there may be other fields besides, and which.
        notes: what a field is, where the class does not say so.
        words: by field the only texts that it may have.
    """

    commands: tuple[str, ...]
    about: str
    fields: str
    source: type | None = None
    rows: bool = False
    open: str = ""
    notes: dict[str, str] = field(default_factory=dict)
    words: dict[str, Iterable[str]] = field(default_factory=dict)


REMARKS = {"remarks": "what the answer depends on: the goal that the text leaves open, parts of it that do not count"}
MESSAGE = {"message": "a sentence about what is missing from the answer, and why"}
