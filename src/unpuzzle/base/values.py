"""Record, the base class of immutable values.

    class Verdict(Record):
        valid: bool
        cost: int | None = None
        notes: tuple[str, ...] = ()
        seconds: dict[str, float] = field(default_factory=dict)

    Verdict(True, cost=3).replace(cost=4).to_dict()      {"valid": True, "cost": 4, "notes": [], "seconds": {}}

A record has slots, is compared, hashed, shown and pickled by its fields, and is immutable; `schema` names its shape in
JSON. `class Layer(Record, kw_only=True)` has fields that are only given by name, and `eq=False` compares by identity.

Why no frozen dataclasses? A class takes 0.4 to 0.6 ms to make, since its methods are compiled, and the import of
`dataclasses` 10 ms, as it loads `inspect`; a record takes 0.012 ms. Planning a tiny task takes 30 ms in all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from unpuzzle.base.type_hints import Any, ClassVar, Self, dataclass_transform

VERSION = 1
"""The version of the JSON objects from `to_dict`; it grows when a field is removed or changes its meaning."""


class _Factory(partial[Any]):
    """The default of a record field: a function that makes a new default value for each record."""


def field(*, default_factory: Callable[[], Any]) -> Any:
    """Declare a record field whose default value is made by calling `default_factory` for each record."""
    return _Factory(default_factory)


def schema_name(name: str) -> str:
    """Return the name of a JSON schema with its version, such as `unpuzzle/result/1`."""
    return f"unpuzzle/{name}/{VERSION}"


def plain(value: Any) -> Any:
    """Return a value as data for JSON; a value of an unknown type becomes its `str()`."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None  # JSON has neither infinity nor NaN
    if isinstance(value, Record):
        return value.to_dict()
    if hasattr(value, "items"):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted([plain(part) for part in value], key=str)
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return str(value)


class RecordType(type):
    """The metaclass of records: each annotated name becomes a field; a value assigned to the name is its default.

    All have slots, and a dictionary only if a `cached_property` needs it; names in explicit `__slots__` are no fields.
    """

    _kinds: dict[str, str]
    _fields: tuple[str, ...]
    _compared: tuple[str, ...]
    _defaults: dict[str, Any]
    _factories: list[str]
    __match_args__: tuple[str, ...]

    def __new__(
        cls, name: str, bases: tuple[type, ...], space: dict[str, Any], *, eq: bool = True, kw_only: bool = False
    ) -> RecordType:
        slots = tuple(space.get("__slots__", ()))
        own = {name: str(kind) for name, kind in annotations_of(space).items() if name not in slots}
        own = {name: kind for name, kind in own.items() if "ClassVar" not in kind}
        kinds, defaults, positional = dict[str, str](), dict[str, Any](), dict[str, None]()
        uncompared = space.get("_uncompared", ())
        for base in [base for base in bases if isinstance(base, RecordType)]:
            kinds |= base._kinds
            defaults |= base._defaults
            positional |= dict.fromkeys(base.__match_args__)
            uncompared += tuple([name for name in base._fields if name not in base._compared])
        slots += tuple([name for name in own if name not in kinds])
        if any(type(value).__name__ == "cached_property" for value in space.values()):
            slots += () if any(base.__dictoffset__ for base in bases) else ("__dict__",)  # for the cached values
        space["__slots__"] = slots
        space["_kinds"] = kinds | own
        space["_fields"] = tuple(space["_kinds"])
        space["_compared"] = tuple([name for name in space["_kinds"] if name not in uncompared])
        # Defaults leave the namespace, because a class variable must not have the name of a slot.
        space["_defaults"] = defaults | {name: space.pop(name) for name in own if name in space}
        space["_factories"] = [name for name, value in space["_defaults"].items() if type(value) is _Factory]
        space["__match_args__"] = tuple(positional if kw_only else positional | dict.fromkeys(own))
        if not eq:
            space.update(__eq__=object.__eq__, __hash__=object.__hash__)
        return super().__new__(cls, name, bases, space)

    @property
    def __signature__(cls) -> Any:
        """The fields as parameters, for `help` and editors; absent if the class defines its own constructor."""
        if "named" not in (generic := cls.__init__.__annotations__):  # type: ignore[misc]
            raise AttributeError("__signature__")
        from inspect import Parameter, Signature

        fields = []
        for name in dict.fromkeys((*cls.__match_args__, *cls._fields)):
            way = Parameter.POSITIONAL_OR_KEYWORD if name in cls.__match_args__ else Parameter.KEYWORD_ONLY
            default = cls._defaults.get(name, Parameter.empty)
            fields.append(Parameter(name, way, default=default, annotation=cls._kinds[name]))
        if "span" in generic:
            fields.append(Parameter("span", Parameter.KEYWORD_ONLY, default=None, annotation=generic["span"]))
        return Signature(fields)


def annotations_of(space: Mapping[str, Any]) -> dict[str, Any]:
    """Return the annotations in a class namespace; since Python 3.14 they may have to be computed."""
    annotate = space.get("__annotate_func__") or space.get("__annotate__")
    if annotate is None:
        return dict(space.get("__annotations__", {}))
    if sys.version_info >= (3, 14):
        from annotationlib import Format, call_annotate_function

        return dict(call_annotate_function(annotate, Format.STRING))
    return dict(annotate(1))


def arguments(kind: RecordType, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Return the values of a record's fields from positional and named arguments. Raises TypeError as a call does."""
    taken = kind.__match_args__[: len(values)]
    found = {**kind._defaults, **dict(zip(taken, values, strict=False)), **named}
    if found.keys() != kind._kinds.keys() or len(taken) != len(values) or not named.keys().isdisjoint(taken):
        raise TypeError(_fault(kind, values, named))
    for name in kind._factories:
        if found[name] is kind._defaults[name]:
            found[name] = found[name]()
    return tuple([found[name] for name in kind._fields])


def _fault(kind: RecordType, values: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Return a sentence about the first wrong argument in a call of a record's constructor."""
    taken = kind.__match_args__[: len(values)]
    if len(values) > len(taken):
        return f"{kind.__name__} has {len(taken)} fields, and {len(values)} values were given"
    for name in named:
        if name not in kind._kinds or name in taken:
            return f"{kind.__name__}: {name!r} {'is given twice' if name in taken else 'is not one of the fields'}"
    lacking = [name for name in kind._fields if name not in {*kind._defaults, *taken, *named}]
    return f"{kind.__name__} misses {', '.join(lacking)}"


class Immutable(metaclass=RecordType):
    """The base class of records and PDDL nodes: instances never change, and are equal if their fields are equal."""

    _fields: ClassVar[tuple[str, ...]]
    _uncompared: ClassVar[tuple[str, ...]] = ()
    """Names of fields that do not matter for equality."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")

    def _key(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in type(self)._compared])

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Immutable):
    """The base class of immutable values: annotated names become fields, by which records are compared and pickled."""

    schema: ClassVar[str] = ""
    """The name of the shape of `to_dict()`, such as `result`; empty for parts of other values."""

    def __init__(self, *values: Any, **named: Any) -> None:
        if named or len(values) != len(self._fields):
            values = arguments(type(self), values, named)
        self._fill(values)

    def _fill(self, values: Iterable[Any]) -> None:
        for name, value in zip(self._fields, values, strict=True):
            object.__setattr__(self, name, value)
        self._require_sense()

    def _require_sense(self) -> None:
        """Raise UsageError if the values of the fields are invalid; subclasses override this method."""

    def replace(self, **changes: Any) -> Self:
        """Return a copy with new values for the named fields. Raises TypeError for unknown names."""
        values = [changes.pop(name) if name in changes else getattr(self, name) for name in self._fields]
        if changes:
            raise TypeError(f"{type(self).__name__} has no field {next(iter(changes))!r}")
        return _made(type(self), values)  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """Return the public fields by name as data for JSON; `schema` comes first if the class names a JSON schema."""
        data = {name: plain(getattr(self, name)) for name in self._fields if not name.startswith("_")}
        return {"schema": schema_name(self.schema), **data} if self.schema else data

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields if name[0] != "_")
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), tuple([getattr(self, name) for name in self._fields]))


def _made(kind: type[Any], values: Iterable[Any]) -> Any:
    """Make a record from the values of its fields without calling its constructor; used for unpickling."""
    record = object.__new__(kind)
    record._fill(values)
    return record
