"""Adding requirements to the text of a domain; the rest stays as its author wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.judging import requirements

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from unpuzzle.pddl.nodes import Task

_TOKEN = r";[^\n]*|[()]|[^\s();]+"


def lacking(task: Task) -> list[str]:
    """Return the requirements that a task needs and its domain does not declare, in the customary order."""
    needed = requirements.of_domain(task.domain) | requirements.of_problem(task.problem)
    missing = needed - requirements.covered(task.domain.requirements)
    return requirements.smallest(missing) if missing else []


def requiring(text: str, missing: Iterable[str]) -> str:
    """Return a domain's text with more requirements, in its own list of them or in a new one."""
    words = " ".join(missing)
    if not words:
        return text
    tokens = [match for match in _tokens(text) if not match[0].startswith(";")]
    names = [match[0].lower() for match in tokens]
    if ":requirements" in names:
        end = tokens[names.index(")", names.index(":requirements"))].start()
        return f"{text[:end]} {words}{text[end:]}"
    end = tokens[names.index(")", names.index("domain"))].end()
    return f"{text[:end]}\n  (:requirements {words}){text[end:]}"


def _tokens(text: str) -> Iterable[Any]:
    import re

    return re.finditer(_TOKEN, text)
