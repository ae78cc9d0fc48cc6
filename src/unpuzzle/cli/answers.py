"""Guessed words as text: the filled grid, and each answer with how sure it is and what else it may be."""

from __future__ import annotations

from unpuzzle.result import Result

MOST_ALTERNATIVES = 3
"""The most alternatives that stand on a line."""


def answer_lines(result: Result, quiet: bool) -> list[str]:
    """Return the lines for people; when quiet, only the grid, on one line."""
    grid = result.solution or ""
    if quiet:
        return [grid]
    answers = result.details["answers"]
    width = max(len(answer["answer"]) for answer in answers.values())
    lines = [*grid.split("/"), ""]
    for name, answer in answers.items():
        others = ", ".join(other["answer"] for other in answer["alternatives"][:MOST_ALTERNATIVES])
        text = f"{name:>4} {answer['answer'].ljust(width)} {answer['confidence']:4.0%}"
        lines.append(f"{text}  or {others}" if others else text)
    return lines
