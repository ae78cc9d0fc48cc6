"""Record: the base class of immutable values, for modules that every small task loads. A leaf without imports.

    class Verdict(Record):
        valid: bool
        cost: int | None = None
        notes: tuple[str, ...] = ()

    Verdict(True, cost=3).replace(cost=4).to_dict()      {"valid": True, "cost": 4, "notes": []}

A record has slots, is compared, hashed, shown and pickled by its fields, and is immutable. All other modules use frozen
dataclasses, whose import takes longer than planning a tiny task. Both get `to_dict` from `Plain`; `schema` names its
shape in JSON.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from inspect import Signature
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    R = TypeVar("R", bound="Record")
else:

    def dataclass_transform(**_: object) -> object:
        return lambda kind: kind


_set = object.__setattr__
HOOK = "unpuzzle.playing.notebook_html"
VERSION = 1
"""The version of the JSON objects from `to_dict`; it grows when a field is removed or changes its meaning."""


class Plain:
    """Values with fields that programs in other languages can read."""

    __slots__ = ()

    schema: ClassVar[str] = ""
    """The name of the shape of `to_dict()`, such as `result`; empty for parts of other values."""

    def to_dict(self) -> dict[str, Any]:
        """Return the public fields as data for JSON, by name; if the class names a `schema`, it comes first."""
        data = {name: plain(getattr(self, name)) for name in fields_of(self) if not name.startswith("_")}
        return {"schema": schema_name(self.schema), **data} if self.schema else data


class Shown:
    """Values that notebooks show as HTML; the module for that is imported when a notebook needs it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show for this value."""
        from importlib import import_module

        text: str = import_module(HOOK).html_of(self)
        return text


def schema_name(name: str) -> str:
    """Return the name in JSON for the shape of an object, such as `unpuzzle/result/1`."""
    return f"unpuzzle/{name}/{VERSION}"


def fields_of(value: Any) -> tuple[str, ...]:
    """Return the names of the fields of a record or a dataclass; none for other values."""
    if hasattr(value, "__dataclass_fields__"):
        from dataclasses import fields

        return tuple(field.name for field in fields(value))  # without the class's fields
    names: tuple[str, ...] = getattr(type(value), "_fields", ())
    return names


def plain(value: Any) -> Any:
    """Return a value as data for JSON; a value other than a text, number, list or object becomes its text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None  # JSON has neither infinity nor NaN
    if isinstance(value, Plain):
        return value.to_dict()
    if hasattr(value, "items"):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted([plain(part) for part in value], key=str)
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return str(value)


class RecordType(type):
    """The metaclass of record classes: annotated names are fields, and the values given to them are defaults.

    All have slots. Names in an explicit `__slots__` are not fields.
    """

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> RecordType:
        slots = space.get("__slots__", ())
        kinds = space.get("__annotations__", {})
        own = [field for field, kind in kinds.items() if field not in slots and "ClassVar" not in str(kind)]
        parents = [base for base in bases if isinstance(base, RecordType)]
        inherited = [field for base in parents for field in base._fields if field not in own]
        defaults = {field: value for base in parents for field, value in base._defaults.items()}
        defaults.update({field: space.pop(field) for field in own if field in space})
        space["__slots__"] = (*slots, *[field for field in own if not any(field in base._fields for base in parents)])
        space["_fields"] = (*inherited, *own)
        space["_defaults"] = defaults
        return super().__new__(cls, name, bases, space)

    @property
    def __signature__(cls) -> Signature:
        """The fields as parameters, for `help` and editors, unless the class has a constructor of its own."""
        if "named" not in (generic := cls.__init__.__annotations__):  # type: ignore[misc]
            raise AttributeError("__signature__")
        from inspect import Parameter, Signature

        kinds = {
            name: kind for base in reversed(cls.__mro__) for name, kind in vars(base).get("__annotations__", {}).items()
        }
        fields = [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=cls._defaults.get(name, Parameter.empty),
                annotation=kinds[name],
            )
            for name in cls._fields
        ]
        if "span" in generic:
            fields.append(Parameter("span", Parameter.KEYWORD_ONLY, default=None, annotation=generic["span"]))
        return Signature(fields)


def arguments(kind: RecordType, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Return a value for each field of a class from positional and named ones. Raises TypeError as a function does."""
    fields = kind._fields
    if len(values) > len(fields):
        raise TypeError(f"{kind.__name__} has {len(fields)} fields, and {len(values)} values were given")
    taken = fields[: len(values)]
    for name in named:
        if name not in fields or name in taken:
            reason = "is given twice" if name in taken else "is not a field of it"
            raise TypeError(f"{kind.__name__}: {name!r} {reason}")
    values_by_name = {**kind._defaults, **named}
    rest = fields[len(values) :]
    if lacking := [name for name in rest if name not in values_by_name]:
        raise TypeError(f"{kind.__name__} lacks {', '.join(lacking)}")
    return (*values, *[values_by_name[name] for name in rest])


@dataclass_transform(frozen_default=True)
class Record(Plain, metaclass=RecordType):
    """The base class of immutable values: annotated names are fields, by which they are compared, shown and pickled."""

    _fields: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]

    def __init__(self, *values: Any, **named: Any) -> None:
        if named or len(values) != len(self._fields):
            values = arguments(type(self), values, named)
        self._fill(values)

    def _fill(self, values: Iterable[Any]) -> None:
        for name, value in zip(self._fields, values, strict=True):
            _set(self, name, value)
        self._require_sense()

    def _require_sense(self) -> None:
        """Raise UsageError for invalid values; for subclasses."""

    def replace(self, **changes: Any) -> Self:
        """Return the same value with other fields. Raises TypeError for unknown names."""
        values = [changes.pop(name) if name in changes else getattr(self, name) for name in self._fields]
        if changes:
            raise TypeError(f"{type(self).__name__}: {next(iter(changes))!r} is not a field of it")
        return _made(type(self), values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._values() == other._values())

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), self._values())


def _made(kind: type[R], values: Iterable[Any]) -> R:
    """Return a record with these fields, without calling its constructor."""
    record = object.__new__(kind)
    record._fill(values)
    return record
