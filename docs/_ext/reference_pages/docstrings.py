"""Docstrings as Markdown: paragraphs, blocks that keep their lines, and sections such as `Args:`.

    text = markdown(inspect.getdoc(check), links)

Docstrings of the product are plain text: names stand in single backticks, what is indented keeps its lines (a table, or
code), and sections have an entry a line, `name, other: what it is`. `links` turns the names that are documented into
cross references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises")
ENTRY = re.compile(r"((?:`?[\w.]+`?)(?:, `?[\w.]+`?)*): (.*)")
A_FILE = re.compile(r"\s*(?:[\w-]+\.(?:py|txt|hpp)|[\w-]+/)\s")
"""The first line of a block that tells which files a package has: of use to maintainers alone."""

Links = Callable[[str], str | None]
"""By a name in a docstring its cross reference in Markdown; None of a name that is not documented."""


def first_line(doc: str | None) -> str:
    """Return the first sentences of a docstring, up to an empty line, as one line."""
    return " ".join((doc or "").split("\n\n")[0].split())


def markdown(doc: str | None, links: Links = lambda name: None) -> str:
    """Return a docstring as lines of Markdown."""
    return "\n\n".join(_blocks(doc or "", links))


def _blocks(doc: str, links: Links) -> Iterator[str]:
    for block in _parts(doc):
        head, _, rest = block.partition("\n")
        if head.rstrip(":") in SECTIONS and head.endswith(":"):
            yield _section(head, rest, links)
        elif block.startswith("    "):
            if not A_FILE.match(head):
                yield _kept(block)
        elif block.startswith(">>> "):
            yield f"```python\n{block}\n```"
        else:
            yield _paragraph(block, links)


def _parts(doc: str) -> Iterator[str]:
    """Yield the parts of a docstring; adjacent indented parts count as one part."""
    kept: list[str] = []
    for block in re.split(r"\n\s*\n", doc.strip("\n")):
        lines = block.split("\n")
        plain = next((n for n, line in enumerate(lines) if line.startswith("    ")), len(lines))
        is_section = lines[0].rstrip(":") in SECTIONS
        if not plain and not is_section:
            kept.append(block)
            continue
        if kept:
            yield "\n\n".join(kept)
            kept = []
        if is_section or plain == len(lines):
            yield block
        else:  # a sentence, and at once what it speaks of
            yield "\n".join(lines[:plain])
            kept.append("\n".join(lines[plain:]))
    if kept:
        yield "\n\n".join(kept)


def _kept(block: str) -> str:
    lines = [line.removeprefix("    ") for line in block.split("\n")]
    kind = "python" if lines[0].lstrip().startswith((">>> ", "class ", "def ", "from ", "import ", "@")) else "text"
    return "\n".join([f"```{kind}", *lines, "```"])


def _section(head: str, rest: str, links: Links) -> str:
    """Return the entries of a section as a list of definitions, or its text."""
    entries: list[list[str]] = []
    for line in rest.split("\n"):
        text = line.removeprefix("    ")
        match = None if text.startswith(" ") else ENTRY.fullmatch(text)
        if match is not None:
            entries.append([match[1].replace("`", ""), match[2]])
        elif entries:
            entries[-1][1] += f" {text.strip()}"
        else:
            entries.append(["", text.strip()])
    lines = []
    for names, about in entries:
        shown = ", ".join(f"`{name}`" for name in names.split(", ") if name)
        lines.append(f"- {shown + ': ' if shown else ''}{prose(about, links)}")
    return "\n".join([f"**{head.rstrip(':')}**", "", *lines])


def _paragraph(block: str, links: Links) -> str:
    text = prose(" ".join(block.split()), links)
    return re.sub(r"^([-+#]|\d+[.)])(?= )", r"\\\1", text)


def prose(text: str, links: Links = lambda name: None) -> str:
    """Return one line of a docstring as Markdown, with code kept, names linked and the rest escaped."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join([_code(part[1:-1], links) if part[:1] == "`" else _plain(part, links) for part in parts])


def _code(text: str, links: Links) -> str:
    name = text.removesuffix("()")
    link = links(name)
    return f"`{text}`" if link is None else link.replace(f"`{name} <", f"`{text} <")


def _plain(text: str, links: Links) -> str:
    """Return plain text escaped for Markdown, with the names of exceptions linked."""
    escaped = re.sub(r"([\\*_<>\[\]{}|$#])", r"\\\1", text)
    return re.sub(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b", lambda match: links(match[0]) or match[0], escaped)
