"""The reference pages of lint codes, statuses and exit codes, made from the tables in the code.

pages()      the text of each page by its path below `docs/reference`
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping

from reference_pages.docstrings import prose
from reference_pages.schemas import escape_cell
from unpuzzle.base import outcomes
from unpuzzle.pddl.linting.fault import Code
from unpuzzle.pddl.linting.fault import codes as codes_of_pddl
from unpuzzle.puzzlescript.files import ScriptFormat

LANGUAGES = {"PDDL": "lisp", "PuzzleScript": "text"}
KINDS = {
    "syntax": ("Syntax errors", "The reader stops at them; `lint` looks further, and exits with 2."),
    "error": ("Errors", "The text can be read, but is not valid; `lint` exits with 1."),
    "warning": (
        "Warnings",
        "The text can be read, but probably does not mean what its author meant; `lint` exits with 0.",
    ),
}


def pages() -> dict[str, str]:
    """Return the pages of fault codes, of statuses and of exit codes."""
    texts = {f"faults-{name.lower()}.md": _faults(name, codes) for name, codes in tables().items()}
    return texts | {"exit-codes.md": _exit_codes(), "statuses.md": _statuses()}


def tables() -> dict[str, Mapping[str, Code]]:
    """Return all fault codes, by language."""
    return {"PDDL": codes_of_pddl(), "PuzzleScript": ScriptFormat().codes()}


def _faults(language: str, codes: Mapping[str, Code]) -> str:
    lines = [f"# Faults of {language}", ""]
    lines += [
        f"What `unpuzzle lint` finds: {len(codes)} kinds of faults. `unpuzzle lint --explain CODE` says the same."
    ]
    for kind, (title, about) in KINDS.items():
        own = [code for code in codes.values() if code.kind == kind]
        lines += ["", f"## {title}", "", about, ""] if own else []
        for code in sorted(own, key=lambda code: code.code):
            lines += [*_fault(code, LANGUAGES[language]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _fault(code: Code, lexer: str) -> Iterator[str]:
    yield from (f"(fault-{code.code})=", f"### {code.code}", "", prose(code.about), "")
    for label, text in (("Wrong:", code.wrong), ("Right:", code.right)):
        if text:
            kind = lexer if text.isascii() else "text"  # which the lexer does not stumble over
            yield from (label, "", f"```{kind}", text, "```", "")


def status_words() -> dict[str, str]:
    """Return the meaning of each status, from the docstring of the module `outcomes`."""
    text = inspect.getdoc(outcomes) or ""
    pairs = re.findall(r"\b([a-z_]+)  +((?:[^ \n]+ )*[^ \n]+)", text)
    return {name: words for name, words in pairs if name in outcomes.STATUSES}


def _statuses() -> str:
    lines = ["# Statuses", "", "The outcome of a run, in the field `status`.", ""]
    lines += ["| status | meaning | exit code |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {escape_cell(prose(words))} | {outcomes.OF_STATUS[name]} |"
        for name, words in status_words().items()
    ]
    lines += ["", "Errors have a status, too, in their JSON:", "", "| status | errors | exit code |", "|---|---|---|"]
    for (code, status), names in sorted(_errors().items()):
        lines.append(f"| `{status}` | {', '.join(names)} | {code} |")
    lines.append(f"| `{outcomes.FAULT}` | any other: a bug in unpuzzle itself | {outcomes.BROKEN} |")
    return "\n".join(
        [*lines, "", "Explorations and comparisons have the status `complete` if nothing was left out.", ""]
    )


def _errors() -> dict[tuple[int, str], list[str]]:
    """Return the exceptions by exit code and status."""
    found: dict[tuple[int, str], list[str]] = {}
    for kind, answer in outcomes.OF_ERROR.items():
        ours = kind.__module__ == "unpuzzle.base.errors"
        found.setdefault(answer, []).append(f"{{py:exc}}`~unpuzzle.{kind.__name__}`" if ours else f"`{kind.__name__}`")
    return found


def exit_codes() -> dict[str, str]:
    """Return the meaning of each exit code, from the docstring of the module `outcomes`."""
    text = inspect.getdoc(outcomes) or ""
    return dict(re.findall(r"^(\d+(?:, \d+)*)  (.+)$", text, re.MULTILINE))


def _exit_codes() -> str:
    lines = [
        "# Exit codes",
        "",
        "The meaning of exit codes for all commands; the page of each command has the details.",
        "",
    ]
    lines += ["| code | meaning | statuses |", "|---|---|---|"]
    for code, words in exit_codes().items():
        numbers = set(map(int, code.split(", ")))
        names = [name for name, number in outcomes.OF_STATUS.items() if number in numbers]
        names += [status for number, status in outcomes.OF_ERROR.values() if number in numbers]
        names += [outcomes.FAULT] if outcomes.BROKEN in numbers else []
        listed = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
        lines.append(f"| {code} | {escape_cell(prose(words))} | {listed} |")
    return "\n".join([*lines, "", "A traceback of Python is never exit code 1.", ""])
