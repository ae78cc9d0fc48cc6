"""Faults of unpuzzle itself: a report with the traceback, for those who mend it.

It is to say nothing about the one who ran into it. Of modules it names only those of Python, of unpuzzle and of
libraries; of the command line the command and the names of its options; of the system its kind and the versions. What
an error says itself is left, without paths.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from traceback import FrameSummary

SHOWN = 200
"""Characters of an error's own words in a sentence."""
ENTRIES = 40
"""Entries of a traceback at its beginning and at its end; the rest of a deep one is counted."""
OUTSIDE = "a file of the user"


def name_of(error: BaseException) -> str:
    """Return the kind of an error and the beginning of what it says, on one line."""
    said = " ".join(_without_paths(str(error)).split())
    return f"{type(error).__name__}: {said[:SHOWN]}".rstrip(": ")


def report(error: BaseException, words: Sequence[str]) -> str:
    """Return the traceback of an error and of those before it, and what was running."""
    from unpuzzle.version import __version__

    version = ".".join(map(str, sys.version_info[:3]))
    head = f"unpuzzle {__version__}, Python {version}, {sys.platform}: {_command(words)}\n"
    return head + "\n".join(_tracebacks(error))


def _command(words: Sequence[str]) -> str:
    """Return the command and the names of its options: their values are the user's."""
    from unpuzzle.cli import COMMANDS

    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    names = [option for option in options if option[2:].replace("-", "").isalpha()]
    return " ".join(["unpuzzle", *(word for word in words[:1] if word in COMMANDS), *names])


def _tracebacks(error: BaseException) -> Iterator[str]:
    """Yield the errors, the first cause first, each with its traceback."""
    from traceback import extract_tb

    chain = [error]
    while (before := chain[0].__cause__ or chain[0].__context__) is not None and before not in chain:
        chain.insert(0, before)
    for one in chain:
        entries = [_entry(entry) for entry in extract_tb(one.__traceback__)]
        if len(entries) > 2 * ENTRIES:
            entries[ENTRIES:-ENTRIES] = [f"  ... {len(entries) - 2 * ENTRIES:,} more"]
        yield "\n".join(["", *entries, f"{type(one).__module__}.{name_of(one)}", ""])


def _entry(entry: FrameSummary) -> str:
    """Return one call as text: only lines of installed code are shown."""
    place = _place(entry.filename)
    line = f"\n    {entry.line}" if entry.line and place != OUTSIDE else ""
    return f"  {place}:{entry.lineno}, {entry.name}{line}"


def _place(path: str) -> str:
    """Return the name of the module that a file holds, if that is ours, Python's or a library's."""
    for name, module in [*sys.modules.items()]:
        if getattr(module, "__file__", None) == path and _is_installed(name, path):
            return name
    return path if path.startswith("<frozen ") else OUTSIDE


def _is_installed(module: str, path: str) -> bool:
    root = module.partition(".")[0]
    return root in sys.stdlib_module_names or root == "unpuzzle" or f"{os.sep}site-packages{os.sep}" in path


def _without_paths(said: str) -> str:
    """Return an error's words without the names of files that lie in folders: they tell whose they are."""
    import re

    return re.sub(r"""(?:[A-Za-z]:)?[^\s'":,;()=]*[\\/][^\s'":,;()]*""", "(a path)", said)


def save_report(text: str) -> str | None:
    """Write a report into a new file that only its owner may read; return its name, or None where that fails."""
    from tempfile import mkstemp

    try:
        number, path = mkstemp(prefix="unpuzzle-fault-", suffix=".txt", text=True)
    except OSError:
        return None
    try:
        with open(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        os.unlink(path)
        return None
    return path
