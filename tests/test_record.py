"""Records: what frozen dataclasses are, without their import."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from functools import cached_property
from inspect import signature
from typing import Any

import pytest

from unpuzzle.base.values import Record, RecordType, field


class Verdict(Record):
    schema = "verdict"

    valid: bool
    cost: int | None = None
    notes: tuple[str, ...] = ()


class Longer(Verdict):
    schema = "longer"

    why: str = ""


class Row(Record):
    name: str
    share: Fraction
    seen: frozenset[int] = frozenset()
    verdict: Verdict | None = None


def test_fields_have_defaults_and_names():
    assert Verdict(True) == Verdict(valid=True, cost=None, notes=())
    assert repr(Verdict(False, 3)) == "Verdict(valid=False, cost=3, notes=())"
    assert Longer(True, why="so").notes == ()
    assert Verdict(True, 3) != Longer(True, 3)
    assert hash(Verdict(True, 3)) == hash(Verdict(True, 3))


def test_records_do_not_change():
    verdict = Verdict(True, 3)
    with pytest.raises(AttributeError, match="immutable"):
        verdict.cost = 4  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del verdict.cost
    assert not hasattr(verdict, "__dict__")
    assert verdict.replace(cost=4).cost == 4
    assert verdict.cost == 3


@pytest.mark.parametrize("value", [Verdict(True, 3, ("a", "b")), Longer(False, why="so")])
def test_records_come_back_from_pickles(value: Verdict):
    assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize(
    ("values", "named", "said"),
    [
        ((True, 1, (), 2), {}, "has 3 fields, and 4 values were given"),
        ((), {}, "misses valid"),
        ((True,), {"valid": True}, "'valid' is given twice"),
        ((True,), {"price": 1}, "'price' is not one of the fields"),
    ],
)
def test_wrong_fields_are_refused(values: tuple[object, ...], named: dict[str, object], said: str):
    with pytest.raises(TypeError, match=said):
        Verdict(*values, **named)  # type: ignore[arg-type]


def test_values_are_data_for_json():
    row = Row("a", Fraction(1, 3), frozenset({2, 1}), Verdict(True, notes=("x",)))
    data = row.to_dict()
    inner = {"schema": "unpuzzle/verdict/1", "valid": True, "cost": None, "notes": ["x"]}
    assert data == {"name": "a", "share": "1/3", "seen": [1, 2], "verdict": inner}
    assert json.loads(json.dumps(data)) == data


def test_json_has_no_infinity():
    assert Verdict(True, float("inf")).to_dict()["cost"] is None  # type: ignore[arg-type]


class Layer(Record, kw_only=True):
    colour: str = "red"
    _notes: list[str] = field(default_factory=list)


class Circle(Layer):
    radius: int

    _uncompared = ("_notes",)

    @cached_property
    def area(self) -> int:
        self._notes.append("computed")
        return 3 * self.radius * self.radius


class Named(Record, eq=False):
    name: str


def test_fields_that_are_given_by_name_only():
    assert Circle(2) == Circle(radius=2, colour="red")
    assert Circle(2, colour="blue").colour == "blue"
    with pytest.raises(TypeError, match="has 1 fields, and 2 values were given"):
        Circle(2, "blue")  # type: ignore[misc]
    assert Circle._fields == ("colour", "_notes", "radius")
    assert str(signature(Circle)).startswith("(radius: 'int', *, colour: 'str' = 'red', _notes:")
    match Circle(3):
        case Circle(radius):
            assert radius == 3


def test_a_default_may_be_made_for_each_record():
    one, other = Circle(1), Circle(1)
    one._notes.append("seen")
    assert (one._notes, other._notes) == (["seen"], [])
    assert one == other  # notes do not matter
    assert hash(one) == hash(other)
    assert repr(one) == "Circle(colour='red', radius=1)"


def test_properties_may_be_computed_once():
    circle = Circle(2)
    assert (circle.area, circle.area, circle._notes) == (12, 12, ["computed"])
    assert pickle.loads(pickle.dumps(circle)) == circle
    with pytest.raises(AttributeError, match="immutable"):
        circle.radius = 3  # type: ignore[misc]


def test_records_may_be_compared_by_identity():
    one = Named("a")
    assert one == one
    assert one != Named("a")
    assert len({one, Named("a")}) == 2


@pytest.mark.parametrize("name", ["__annotate__", "__annotate_func__"])
def test_annotations_may_be_a_function(name: str) -> None:
    """As Python 3.14 has them in the namespace of a class."""
    kinds = {"schema": "ClassVar[str]", "number": int, "words": "tuple[str, ...]"}
    space: dict[str, Any] = {name: lambda form: kinds, "schema": "row", "words": ()}
    row: Any = RecordType("Row", (Record,), space)
    assert row._fields == ("number", "words")
    assert row(3).to_dict() == {"schema": "unpuzzle/row/1", "number": 3, "words": []}
