"""Pages of names: each public name with its signature, its docstring and its members, for Sphinx's Python domain.

pages()      the text of each page by its path below `docs/reference`, such as `api/solving.md`
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from reference_pages.capability_pages import introduction, more
from reference_pages.docstrings import first_line, markdown
from reference_pages.inventory import PAGES, Entry, Page, entries
from unpuzzle.base.values import Record, RecordType

LONGEST_VALUE = 160
"""The longest text of a constant's value that is shown."""
CALLED = {"__call__", "__iter__", "__enter__"}
"""Members with such names are public, too."""


def pages() -> dict[str, str]:
    """Return the text of each page of public names, by its path."""
    return {f"api/{page.name}.md": _page(page) for page in PAGES}


def _page(page: Page) -> str:
    listed = [entry for entry in entries() if entry.page == page.name]
    lines = [f"# {page.title}", "", page.about, "", *([introduction(), ""] if page.name == "capabilities" else [])]
    lines += ["| name | meaning |", "|---|---|"]
    lines += [f"| {reference(entry)} | {cell(first_line(entry.doc), entry)} |" for entry in listed]
    for module in dict.fromkeys(entry.module for entry in listed):
        if module != "unpuzzle":
            lines += ["", f"## {module}", "", about_module(module)]
        for entry in listed:
            if entry.module == module:
                lines += ["", directive(entry), *(["", added] if (added := more(entry)) else [])]
    return "\n".join(lines).rstrip() + "\n"


def about_module(module: str) -> str:
    """Return the first sentences of a module's docstring, below its heading."""
    from importlib import import_module

    return markdown((inspect.getdoc(import_module(module)) or "").split("\n\n")[0].partition(": ")[2], links) or ""


def reference(entry: Entry) -> str:
    """Return a cross reference to a name."""
    return f"{{py:obj}}`~{entry.path}`"


def cell(text: str, entry: Entry | None = None) -> str:
    """Return the first sentence of a docstring, for a table cell."""
    sentence = re.split(r"(?<=[.?!])\s(?=[A-Z`])", text)[0]
    return markdown(sentence, links).replace("|", "\\|")


def directive(entry: Entry, colons: int = 4) -> str:
    """Return a public name as a directive of the Python domain."""
    module, _, name = entry.path.rpartition(".")
    options = [f":module: {module}"]
    if entry.home != entry.path:
        options.append(f":canonical: {entry.home}")
    value = entry.value
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
        inside = [class_body(value, entry.doc), *members(value, colons - 1)]
        return _directive(kind, f"{name}{class_signature(value)}", options, "\n\n".join(filter(None, inside)), colons)
    if inspect.isfunction(value):
        return _directive("function", name + signature(value), options, function_doc(value), colons)
    shown = repr(value)
    if len(shown) <= LONGEST_VALUE and " at 0x" not in shown:
        options.append(f":value: {shown}")
    return _directive("data", name, options, markdown(entry.doc, links), colons)


def _directive(kind: str, head: str, options: list[str], body: str, colons: int) -> str:
    fence = ":" * colons
    return "\n".join([f"{fence}{{py:{kind}}} {head}", *options, "", body, fence])


def class_body(value: type, doc: str) -> str:
    """Return the text about a class: its public base classes and its docstring."""
    bases = [base for base in value.__bases__ if base not in (object, Record) and links(base.__name__)]
    inherits = f"Inherits {', '.join(str(links(base.__name__)) for base in bases)}.\n\n" if bases else ""
    return inherits + markdown(doc, links)


def members(value: type, colons: int) -> Iterator[str]:
    """Yield the public methods and properties that a class defines itself."""
    for name, member in vars(value).items():
        if name.startswith("_") and not (name in CALLED and member.__doc__):
            continue
        options: list[str] = []
        function = member
        if isinstance(member, classmethod | staticmethod):
            options.append(":classmethod:" if isinstance(member, classmethod) else ":staticmethod:")
            function = member.__func__
        if not (getattr(function, "__module__", None) or "unpuzzle").startswith("unpuzzle"):
            continue  # what a metaclass of others adds
        if getattr(function, "__isabstractmethod__", False):
            options.append(":abstractmethod:")
        if inspect.isfunction(function):
            bound = not isinstance(member, staticmethod)
            doc = function_doc(function, inspect.getdoc(getattr(value, name)))
            yield _directive("method", name + signature(function, bound=bound), options, doc, colons)
        elif isinstance(member, property) or type(member).__name__ == "cached_property":
            getter = member.fget if isinstance(member, property) else member.func
            kind = getattr(getter, "__annotations__", {}).get("return")
            options += [f":type: {kind}"] if kind else []
            yield _directive("property", name, options, markdown(inspect.getdoc(member), links), colons)


def function_doc(function: Callable[..., Any], doc: str | None = None) -> str:
    """Return the text about a function; the names of its arguments are not linked."""
    arguments = inspect.signature(function).parameters
    return markdown(doc or inspect.getdoc(function), lambda name: None if name in arguments else links(name))


def class_signature(value: type) -> str:
    """Return the arguments of a class as text; the arguments of a record are its fields."""
    if isinstance(value, RecordType) and value.__init__ is Record.__init__:
        return _record_signature(value)
    if hasattr(value, "span") and hasattr(value, "_fields"):
        return _record_signature(value)
    if value.__init__ is object.__init__ or (issubclass(value, BaseException) and "__init__" not in vars(value)):
        return ""
    try:
        return signature(value.__init__, bound=True).removesuffix(" -> None")
    except (TypeError, ValueError):
        return ""


def _record_signature(value: Any) -> str:
    by_name = [name for name in value._fields if name not in value.__match_args__]
    parts = [
        f"{name}: {value._kinds[name]}" + (f" = {_shown(value._defaults[name])}" if name in value._defaults else "")
        for name in (*value.__match_args__, *by_name)
        if not name.startswith("_")
    ]
    if by_name:
        parts.insert(len(parts) - len(by_name), "*")
    return f"({', '.join(parts)})"


def signature(function: Callable[..., Any], *, bound: bool = False) -> str:
    """Return the signature of a function as Python text; if `bound`, without the first argument."""
    shape = inspect.signature(function)
    parameters = list(shape.parameters.values())[bound:]
    shown = [
        each.replace(annotation=_Text(each.annotation) if each.annotation is not each.empty else each.annotation,
                     default=_Text(_shown(each.default)) if each.default is not each.empty else each.default)
        for each in parameters
    ]  # fmt: skip
    answer = shape.return_annotation
    text = str(shape.replace(parameters=shown, return_annotation=shape.empty))
    return text if answer is shape.empty else f"{text} -> {answer}"


class _Text(str):
    """A text whose `repr` has no quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _shown(value: object) -> str:
    text = getattr(value, "__name__", None) if inspect.isfunction(value) or inspect.isclass(value) else repr(value)
    return "..." if text is None or text.startswith("<") or len(text) > LONGEST_VALUE else text


@cache
def _targets() -> dict[str, str]:
    """Return the full path of each public name, by each short form of the name; ambiguous forms are left out."""
    targets: dict[str, set[str]] = {}
    for entry in entries():
        short = entry.path.rpartition(".")[2]
        parts = entry.path.split(".")
        ways = {short, entry.path, entry.home, ".".join(parts[1:]), ".".join(parts[-2:])}
        for way in ways:
            targets.setdefault(way, set()).add(entry.path)
        if inspect.isclass(entry.value):
            for member in vars(entry.value):
                if not member.startswith("_"):
                    targets.setdefault(f"{short}.{member}", set()).add(f"{entry.path}.{member}")
    face = {short: path for short, paths in targets.items() if (path := f"unpuzzle.{short}") in paths}
    return {way: next(iter(paths)) for way, paths in targets.items() if len(paths) == 1} | face


PLAIN_WORDS = {"count", "names", "find", "check", "same", "plain", "text", "listing", "cut", "place", "step", "groups"}
"""Names that are words of docstrings as well: they are linked only with brackets or by their whole path."""


def links(name: str) -> str | None:
    """Return the cross reference to a name in a docstring; None for a name that is not ours."""
    path = None if name in PLAIN_WORDS else _targets().get(name)
    if path is None or not _is_member_there(path):
        return None
    return f"{{py:obj}}`{name} <{path}>`"


def target_of(name: str) -> str | None:
    """Return the full path of a name in an annotation: `unpuzzle.Limits` for `Limits`."""
    path = _targets().get(name)
    return path if path is not None and _is_member_there(path) else None


def _is_member_there(path: str) -> bool:
    """Return whether the page has a directive for a path; fields have none."""
    known = {entry.path for entry in entries()}
    if path in known:
        return True
    home, _, member = path.rpartition(".")
    owner = next((entry.value for entry in entries() if entry.path == home), None)
    value = vars(owner).get(member) if inspect.isclass(owner) else None
    return inspect.isroutine(value) or isinstance(value, property) or type(value).__name__ == "cached_property"
