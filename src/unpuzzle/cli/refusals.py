"""Errors as answers: one sentence, its fields in JSON, and its exit code.

What is none of our errors is a fault of unpuzzle itself: its traceback goes into a file. See `defects.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.record import schema_name


def refusal(error: BaseException, words: Sequence[str] = ()) -> Answer:
    """Return the answer to a command line, given as its words, that ended with an error."""
    known = exits.of_error(error)
    if known is None:
        return _defect(error, words)
    message = sentence_of(error)
    return Answer(known[0], _fields(error, known[1], message), complaint=f"unpuzzle: {message}")


def sentence_of(error: BaseException) -> str:
    """Return what an error of ours says, with the file that an error of the system is about."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, MemoryError):
        return "the memory ran out"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


def _fields(error: BaseException, status: str, message: str) -> dict[str, object]:
    file = getattr(error, "file", getattr(error, "filename", None))
    return {
        "schema": schema_name("error"),
        "status": status,
        "message": getattr(error, "message", message),
        "file": file if file is None or isinstance(file, str) else str(file),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }


def _defect(error: BaseException, words: Sequence[str]) -> Answer:
    """Return the answer about a fault of unpuzzle; where its traceback cannot be saved, it goes to stderr."""
    from unpuzzle.cli.edge.defects import name_of, report, save_report

    text = report(error, words)
    path = save_report(text)
    message = f"this is a fault of unpuzzle: {name_of(error)}"
    where = "which is above" if path is None else f"which is in {path}"
    advice = f"please report it to the authors of unpuzzle with its traceback, {where}"
    if path is None:
        from unpuzzle.cli.edge.delivery import complain

        complain(text)
    fields = _fields(error, exits.FAULT, message) | {"file": None, "line": None, "column": None, "report": path}
    return Answer(exits.BROKEN, fields, complaint=f"unpuzzle: {message}; {advice}")
