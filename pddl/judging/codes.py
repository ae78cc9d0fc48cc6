"""The codes of faults, each with its meaning and an example, read from a text file (one for each language).

unknown-type error                a code, and the severity of its faults; `syntax` is an error that stops the reader
A type is used that ...           some sentences
wrong: (:objects a - blok)        an example
right: (:objects a - block)
"""

from __future__ import annotations

import os
from functools import lru_cache

from unpuzzle.record import Record

KINDS = ("syntax", "error", "warning")


class Code(Record):
    """The explanation of a code: its kind, some sentences, and an example of wrong and right text."""

    code: str
    kind: str
    about: str
    wrong: str
    right: str

    def __str__(self) -> str:
        wrong, right = (text.replace("\n", "\n    ") for text in (self.wrong, self.right))
        return f"{self.code} ({self.kind})\n\n{self.about}\n\nwrong:\n    {wrong}\nright:\n    {right}"


def read_codes(path: str) -> dict[str, Code]:
    with open(path, encoding="utf-8") as file:
        entries = [entry.split("\n") for entry in file.read().strip().split("\n\n")]
    return {code.code: code for code in map(_code, entries)}


def _code(lines: list[str]) -> Code:
    name, kind = lines[0].split()
    parts: dict[str, list[str]] = {"about": [], "wrong": [], "right": []}
    current = "about"
    for line in lines[1:]:
        label, colon, rest = line.partition(":")
        begins = bool(colon) and label in ("wrong", "right")
        current = label if begins else current
        parts[current].append(rest[1:] if begins else line.removeprefix("       "))
    about = " ".join(parts["about"])
    return Code(name, kind, about, "\n".join(parts["wrong"]), "\n".join(parts["right"]))


@lru_cache(maxsize=1)
def codes() -> dict[str, Code]:
    """Return the codes of PDDL and of plans, by name."""
    return read_codes(os.path.join(os.path.dirname(__file__), "codes.txt"))
