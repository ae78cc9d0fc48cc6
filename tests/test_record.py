"""Records: what frozen dataclasses are, without their import."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pytest

from unpuzzle.record import Plain, Record


class Verdict(Record):
    schema = "verdict"

    valid: bool
    cost: int | None = None
    notes: tuple[str, ...] = ()


class Longer(Verdict):
    schema = "longer"

    why: str = ""


@dataclass(frozen=True, slots=True)
class Row(Plain):
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
        ((), {}, "lacks valid"),
        ((True,), {"valid": True}, "'valid' is given twice"),
        ((True,), {"price": 1}, "'price' is not a field of it"),
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


def test_what_belongs_to_a_dataclass_itself_is_no_field() -> None:
    @dataclass(frozen=True)
    class Row(Plain):
        schema: ClassVar[str] = "row"
        number: int = 1

    assert Row().to_dict() == {"schema": "unpuzzle/row/1", "number": 1}
