"""The JSON Schema of each object that commands print with `--json`, made from the classes in the code.

schema("result")        a schema (draft 2020-12), as plain data
schemas_of("check")     ("check", "check-heuristic"): what a command may print, besides errors
pages()                 a page for each, with a real output, and the schema to download
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from reference_pages import shapes
from reference_pages.docstrings import ENTRY, first_line, prose
from reference_pages.samples import answers
from reference_pages.shapes import SHAPES, Shape
from unpuzzle.base.values import Record, schema_name

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
SIMPLE: dict[str, Schema] = {
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"type": ["number", "null"]},
    "None": {"type": "null"},
    "object": {},
    "Any": {},
    "Hashable": {},
}
"""Types of Python; numbers that JSON does not have, infinity among them, are null."""
LISTS = {"list", "tuple", "set", "frozenset", "Sequence", "Iterable", "Iterator"}
OBJECTS = {"dict", "Mapping"}
LIKE_CLASS: dict[str, str] = {
    "GeneratedLevel": "level=str cost moves expanded optimal_plans dead_ends optimal_lines pushes=int|None "
    "detours=int|None traps=int|None shortest_trap=int|None trap_lasts=int|None optimal_choices=float|None "
    "longer_choices=float|None fatal_choices=float|None lost=float|None grade?=str "
    "unsolvable_without?=dict[str,int] file?=str",
    "Hardest": "level cost moves",
    "Branching": "mean least most",
    "Difference": "moves rules pddl=str|None constraints=str|None other_moves",
    "GameDifference": "moves counterparts kind first second",
    "TraceStep": "action added deleted fired derived cost missing state?",
    "Result": "status planner cost objective pushes moves plan=list[str]|None valid expanded generated evaluated "
    "frontier seconds peak_memory_mb=float|None message",
}
"""Parts whose data are not just their fields, as shapes list them."""


def schema(name: str, *, strict: bool = False) -> Schema:
    """Return the JSON Schema of an object, by the name in its `schema` field: `result` of `unpuzzle/result/1`.

    New fields and new words may come without another number, so they are valid; not with `strict`, which tests use.
    """
    forms = SHAPES[name]
    maker = _Maker(strict)
    bodies = [maker.body(form, {"schema": {"const": schema_name(name)}}) for form in forms]
    body = bodies[0] if len(bodies) == 1 else {"anyOf": bodies}
    about = " ".join(form.about for form in forms)
    whole = {"$schema": DRAFT, "$id": schema_name(name), "title": schema_name(name), "description": about, **body}
    return whole | ({"$defs": dict(sorted(maker.parts.items()))} if maker.parts else {})


def schemas_of(command: str) -> tuple[str, ...]:
    """Return the names of the schemas that a command may print, besides errors."""
    return tuple(name for name, forms in SHAPES.items() if any(command in form.commands for form in forms))


class _Maker:
    """A maker of schemas; `parts` has the schemas of classes that others refer to, by class name."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.parts: dict[str, Schema] = {}

    def body(self, form: Shape, first: dict[str, Schema]) -> Schema:
        properties = dict(first)
        required = list(first)
        listed = form.fields.replace(ALL, " ".join(_names(form.source)) if form.source else "")
        for name, kind, is_required in fields(listed):
            body = self.typed(kind or annotation(form.source, name), form.source)
            kind_of_list = "enum" if self.strict else "examples"
            words = {kind_of_list: list(form.words[name])} if name in form.words else {}
            properties[name] = body | words | _about(form, name)
            required += [name] if is_required else []
        if first:
            words = "what is strange about the input, a sentence each"
            properties["warnings"] = {"type": "array", "items": {"type": "string"}, "description": words}
        body = {"type": "object", "properties": properties, "required": required}
        return body | ({"additionalProperties": False} if self.strict and not form.open else {})

    def typed(self, text: str, source: type | None) -> Schema:
        """Return the schema of a type as Python writes it, such as `tuple[str, ...] | None`."""
        return self._of(ast.parse(text, mode="eval").body, source)

    def _of(self, node: ast.expr, source: type | None) -> Schema:
        if isinstance(node, ast.BinOp):
            return _either([self._of(node.left, source), self._of(node.right, source)])
        if isinstance(node, ast.Constant):
            return SIMPLE["None"] if node.value is None else self.typed(str(node.value), source)
        if isinstance(node, ast.Subscript):
            return self._of_several(node, source)
        name = ast.unparse(node)
        return SIMPLE[name] if name in SIMPLE else self._named(name, source)

    def _of_several(self, node: ast.Subscript, source: type | None) -> Schema:
        name = ast.unparse(node.value).rpartition(".")[2]
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in OBJECTS:
            return {"type": "object", "additionalProperties": self._of(inner[1], source)}
        assert name in LISTS, name
        kinds = [self._of(each, source) for each in inner if ast.unparse(each) != "..."]
        if name == "tuple" and len(inner) > 1 and ast.unparse(inner[-1]) != "...":
            return {"type": "array", "prefixItems": kinds, "minItems": len(kinds), "maxItems": len(kinds)}
        return {"type": "array", "items": kinds[0]}

    def _named(self, name: str, source: type | None) -> Schema:
        """Return the schema of a class: a reference to its part, or a text."""
        value = _class_of(name, source)
        if isinstance(value, str):
            return self.typed(value, source)
        if value is None or not issubclass(value, Record):
            return SIMPLE["str"]
        if name not in self.parts:
            self.parts[name] = {}
            listed = LIKE_CLASS.get(name) or " ".join(_names(value))
            form = Shape((), first_line(value.__doc__), listed, value)
            own = {"schema": {"const": schema_name(value.schema)}} if value.schema else {}
            self.parts[name] = {"description": form.about, **self.body(form, own)}
        return {"$ref": f"#/$defs/{name}"}


ALL = "*"
"""In the fields of a shape: all of its class."""


def _names(value: Any) -> list[str]:
    """Return the names of the public fields of a record class."""
    return [name for name in value._fields if not name.startswith("_")]


def fields(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the name of each field of a shape, its type or an empty text, and whether the field is required."""
    for word in text.split():
        name, _, kind = word.partition("=")
        yield name.removesuffix("?"), kind, not name.endswith("?")


def annotation(source: type | None, name: str) -> str:
    """Return the type of a field or property of a class, as its code writes it."""
    assert source is not None, name
    for base in source.__mro__:
        value = vars(base).get(name)
        if name in vars(base).get("__annotations__", {}):
            return str(vars(base)["__annotations__"][name])
        getter = value.fget if isinstance(value, property) else getattr(value, "func", None)
        if getter is not None:
            return str(getter.__annotations__["return"])
    raise LookupError(f"{source.__name__} has no field {name}")


def _class_of(name: str, source: type | None) -> type | str | None:
    """Return the class, or the aliased type, of a name in an annotation; None for a type that is written as text."""
    module = inspect.getmodule(source)
    value = getattr(module, name, None) or getattr(shapes, name, None) or _plain_classes().get(name)
    if value is not None and not inspect.isclass(value):
        return re.sub(r"\b(?:collections\.abc|typing)\.", "", str(value))
    return value


@cache
def _plain_classes() -> dict[str, type]:
    """Return all record classes that can be written as JSON, by name."""
    classes: dict[str, type] = {}
    queue: list[type] = [Record]
    while queue:
        for each in queue.pop().__subclasses__():
            classes.setdefault(each.__name__, each)
            queue.append(each)
    return classes


def _either(kinds: list[Schema]) -> Schema:
    """Return the schema of a value of one of several types."""
    flat: list[Schema] = []
    for kind in kinds:
        flat += kind["anyOf"] if set(kind) == {"anyOf"} else [kind]
    if {} in flat:
        return {}
    if all(set(kind) == {"type"} for kind in flat):
        names = [name for kind in flat for name in (kind["type"] if isinstance(kind["type"], list) else [kind["type"]])]
        return {"type": list(dict.fromkeys(names))}
    return {"anyOf": flat}


def _about(form: Shape, name: str) -> Schema:
    text = form.notes.get(name) or attributes(form.source).get(name, "")
    return {"description": re.sub(r"\bNone\b", "null", text)} if text else {}


@cache
def attributes(source: type | None) -> dict[str, str]:
    """Return the documentation of a class's fields and properties, by name."""
    texts: dict[str, str] = {}
    for base in reversed(source.__mro__ if source else ()):
        for name, value in vars(base).items():
            if isinstance(value, property) or hasattr(value, "func"):
                texts[name] = first_line(inspect.getdoc(value)).rstrip(".")
        _, found, section = (inspect.cleandoc(base.__doc__ or "")).partition("Attributes:\n")
        names: list[str] = []
        for line in section.split("\n\n")[0].split("\n") if found else []:
            match = ENTRY.fullmatch(line.strip()) if not line.startswith("     ") else None
            if match:
                names = match[1].split(", ")
                texts |= dict.fromkeys(names, match[2])
            else:
                texts |= {name: f"{texts[name]} {line.strip()}" for name in names}
    return {name: text.rstrip(".") for name, text in texts.items()}


def shown_type(kind: Schema) -> str:
    """Return a schema in words for a table: `list of string, or null`."""
    if "const" in kind:
        return f"`{kind['const']}`"
    if "$ref" in kind:
        name = kind["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in kind:
        return ", or ".join(map(shown_type, kind["anyOf"]))
    names = kind.get("type", "any")
    if names == "array":
        return f"list of {shown_type(kind['items'])}" if "items" in kind else "list of fixed length"
    if names == "object" and "additionalProperties" in kind:
        return f"object of {shown_type(kind['additionalProperties'])}" if kind["additionalProperties"] else "object"
    return " or ".join(names) if isinstance(names, list) else str(names)


def table(body: Schema) -> list[str]:
    """Return the fields of an object as a table."""
    lines = ["| field | type | meaning |", "|---|---|---|"]
    for name, kind in body["properties"].items():
        optional = "" if name in body["required"] else " (not always there)"
        about = prose(kind.get("description", ""))
        words = f": {', '.join(f'`{word}`' for word in kind['examples'])}" if "examples" in kind else ""
        lines.append(f"| `{name}` | {shown_type(kind)} | {escape_cell(about)}{words}{optional} |")
    return lines


def escape_cell(text: str) -> str:
    """Return Markdown for a cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def pages() -> dict[str, str]:
    """Return, by path, the page and the file of each schema, and the page that lists them."""
    listed = [f"| [`{schema_name(name)}`]({name}.md) | {' '.join(form.about for form in SHAPES[name])} | {_by(name)} |"
              for name in SHAPES]  # fmt: skip
    index = ["# JSON", "", INTRODUCTION, "", "| object | meaning | printed by |", "|---|---|---|", *listed]
    index += ["", "```{toctree}", ":hidden:", *SHAPES, "```", ""]
    texts = {"schemas/index.md": "\n".join(index)}
    for name in SHAPES:
        texts[f"schemas/{name}.md"] = _page(name)
        texts[f"schemas/{name}.json"] = json.dumps(schema(name), indent=2) + "\n"
    return texts


INTRODUCTION = """With `--json` a command prints one object, or a list of rows. `schema` says which of these it is, such
as `unpuzzle/result/1`; the number grows when a field goes or changes its meaning. In Python, `to_dict()` of a result
gives the same data. The schemas are JSON Schema (draft 2020-12)."""


def _by(name: str) -> str:
    commands = dict.fromkeys(command for form in SHAPES[name] for command in form.commands)
    return ", ".join(f"[`{command}`](../commands/{command}.md)" for command in commands)


def _page(name: str) -> str:
    whole = schema(name)
    bodies = whole.get("anyOf", [whole])
    lines = [f"# {schema_name(name)}", ""]
    by = _by(name)
    lines += [f"Printed by {by}{', a list of such rows' if SHAPES[name][0].rows else ''}.", ""] if by else []
    for form, body in zip(SHAPES[name], bodies, strict=True):
        lines += [prose(form.about), "", *table(body), ""]
        lines += [f"There may be more: {prose(form.open)}.", ""] if form.open else []
    for part, body in whole.get("$defs", {}).items():
        lines += [f"## {part}", "", prose(body["description"]), "", *table(body), ""]
    lines += [f"{{download}}`The JSON Schema of this object <{name}.json>`", ""]
    return "\n".join([*lines, *_example(name)])


def _example(name: str) -> list[str]:
    """Return a real answer of a command, with long lists shortened."""
    found = next(((line, data) for schema, line, _, data in answers() if schema == name), None)
    if found is None:
        return []
    line, data = found
    text = json.dumps(_cut(data), indent=2, ensure_ascii=False)
    cut = "long lists and texts are cut" if _cut(data) != data else ""
    return ["## Example", "", f"`unpuzzle {line} --json`{': ' + cut if cut else ''}", "", "```json", text, "```", ""]


MOST_ITEMS, MOST_LETTERS = 4, 200


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        items = list(value.items())
        most = 12 if len(items) > 24 else len(items)
        return {key: _cut(part) for key, part in items[:most]} | ({"…": "…"} if most < len(items) else {})
    if isinstance(value, list):
        return [_cut(part) for part in value[:MOST_ITEMS]] + (["…"] if len(value) > MOST_ITEMS else [])
    if isinstance(value, str) and len(value) > MOST_LETTERS:
        return f"{value[:MOST_LETTERS]}…"
    return value
