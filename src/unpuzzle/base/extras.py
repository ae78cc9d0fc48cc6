"""Extras: groups of optional libraries, and the command that installs each group.

    require("plots", "plots need", "matplotlib")      raises DependencyMissing if a library is not installed
    missing("sat", "CP-SAT needs", "ortools")         the same sentence, or None

All code that needs a library of an extra uses this module, so that the sentence is the same everywhere: the purpose,
the libraries, and the command. `pyproject.toml` lists the libraries with their versions; a test compares the two.
"""

from __future__ import annotations

from importlib.util import find_spec

from unpuzzle.base.errors import DependencyMissing
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record

BASE, EXTRA, OTHER = "base", "extra", "other"
"""The kinds of parts of an installation."""


class Extra(Record):
    """An extra of the package: its name, its purpose, and its libraries as pairs of a module and its distribution."""

    name: str
    gives: str
    libraries: tuple[tuple[str, str], ...]

    def command(self) -> str:
        """Return the command that installs the extra."""
        return f"pip install 'unpuzzle[{self.name}]'"

    def absent(self, *modules: str) -> list[str]:
        """Return the distributions that are not installed, among those of the given modules (default: all modules)."""
        known = dict(self.libraries)
        return [known[module] for module in modules or known if not is_installed(module)]


EXTRAS = {
    extra.name: extra
    for extra in (
        Extra("sat", "CP-SAT, for puzzles of constraints", (("ortools", "ortools"),)),
        Extra(
            "plots",
            "plots of comparisons, reports of experiments, and their runs as tables",
            (("matplotlib", "matplotlib"), ("pandas", "pandas"), ("scipy", "scipy")),
        ),
        Extra(
            "pictures",
            "pictures as PNG, GIF, APNG, WebP and PDF, and booklets",
            (("resvg_py", "resvg-py"), ("PIL", "Pillow"), ("reportlab", "reportlab")),
        ),
        Extra("distributed", "work on a Dask cluster", (("distributed", "distributed"),)),
        Extra(
            "words",
            "crosswords without candidates, and their `.puz` files",
            (
                *(("puz", "puzpy"), ("nltk", "nltk"), ("wordfreq", "wordfreq")),
                *(("numpy", "numpy"), ("httpx", "httpx"), ("platformdirs", "platformdirs")),
            ),
        ),
        Extra("llm", "language models, for unpuzzle repair", (("openai", "openai"),)),
        Extra("exchange", "tasks and plans as objects of tarski", (("tarski", "tarski"),)),
        Extra(
            "studio",
            "a page to write puzzles on, and files that are checked at every save",
            (
                *(("starlette", "starlette"), ("uvicorn", "uvicorn")),
                *(("watchfiles", "watchfiles"), ("django_ace", "django-ace")),
            ),
        ),
        Extra("lsp", "a language server for editors", (("pygls", "pygls"), ("lsprotocol", "lsprotocol"))),
        Extra("mcp", "tools for agents", (("mcp", "mcp"), ("pydantic", "pydantic"), ("anyio", "anyio"))),
    )
}
"""The extras for run time, by name; the extra `all` installs all of them."""


def is_installed(module: str) -> bool:
    """Return whether a top-level module can be found, without importing the module."""
    try:
        return find_spec(module) is not None
    except ValueError:  # a loaded module without a spec
        return True


def missing(extra: str, what: str, *modules: str) -> str | None:
    """Return a sentence with the command that installs an extra, or None if all given modules are installed.

    `what` begins the sentence, such as "plots need".
    """
    absent = EXTRAS[extra].absent(*modules)
    return f"{what} {listing(absent)}: {EXTRAS[extra].command()}" if absent else None


def require(extra: str, what: str, *modules: str, dependency: str = "") -> None:
    """Raise DependencyMissing with the sentence of `missing` if one of the given modules is not installed.

    The error's `dependency` is, by default, the first missing distribution.
    """
    sentence = missing(extra, what, *modules)
    if sentence is not None:
        raise DependencyMissing(sentence, dependency=dependency or EXTRAS[extra].absent(*modules)[0])
