"""All names that are looked up as texts, so that what they name loads only when somebody asks for it. A leaf."""

from __future__ import annotations

from importlib import import_module

from unpuzzle.type_hints import Any

TABLE = {
    "notebooks": {
        "html": "unpuzzle.playing.notebook_html:html_of",
        "bundle": "unpuzzle.playing.notebooks:mimebundle",
    },
}
"""By kind and name a module, or an object of a module after a colon."""


def load(kind: str, name: str) -> Any:
    """Return the module or object that a name stands for. Raises KeyError for an unknown name."""
    module, _, item = TABLE[kind][name].partition(":")
    found = import_module(module)
    return getattr(found, item) if item else found


def notebook_html(value: object) -> str:
    """Return the HTML that notebooks show for a value; classes take this as their `_repr_html_`."""
    text: str = load("notebooks", "html")(value)
    return text
