"""Options of levels: values as such and as text, and refusals that say what is wanted."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from unpuzzle.base.errors import UsageError
from unpuzzle.model import Puzzle
from unpuzzle.model.capabilities import Generating, completed
from unpuzzle.model.options import Choice, Number, Size

WALLS = Number("walls", "how many", 2, least=1, most=12)
SIZE = Size("size", "of the grid", (3, 4), most=9)
KIND = Choice("kind", "of maze", "perfect", ("perfect", "loops"))


class Demo(Puzzle, Generating):
    name = "demo"
    options = MappingProxyType({option.name: option for option in (WALLS, SIZE, KIND)})
    generate = classmethod(lambda cls, rng, options: cls())


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (WALLS, "7", 7),
        (WALLS, 12, 12),
        (WALLS, "01", 1),
        (SIZE, "2x9", (2, 9)),
        (SIZE, (9, 1), (9, 1)),
        (KIND, "loops", "loops"),
    ],
)
def test_values(option, given, value):
    assert option.value(given) == value
    assert option.value(option.show(value)) == value


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        (WALLS, "0", "walls: '0' is not a whole number from 1 to 12"),
        (WALLS, 13, "walls: '13' is not a whole number from 1 to 12"),
        (WALLS, "-1", "walls: '-1' is not"),
        (WALLS, " 1", "walls: ' 1' is not"),
        (WALLS, "²", "walls: '²' is not"),
        (WALLS, True, "walls: 'True' is not"),
        (WALLS, 2.0, "walls: '2.0' is not"),
        (WALLS, None, "walls: 'None' is not"),
        (WALLS, "9" * 5000, "walls: '9999999999999999999999999999999999999...' is not"),
        (SIZE, "3x0", "size: '3x0' is not ROWSxCOLUMNS, such as 3x4, each from 1 to 9"),
        (SIZE, "3", "size: '3' is not"),
        (SIZE, "3x4x5", "size: '3x4x5' is not"),
        (SIZE, "10x1", "size: '10x1' is not"),
        (SIZE, (3, "4"), "size: '(3, '4')' is not"),
        (SIZE, 3, "size: '3' is not"),
        (KIND, "prefect", "kind: 'prefect' is not one of perfect, loops, did you mean 'perfect'?"),
        (KIND, "", "kind: '' is not one of perfect, loops"),
    ],
)
def test_refusals(option, given, message):
    with pytest.raises(UsageError) as caught:
        option.value(given)
    assert str(caught.value).startswith(message)


def test_what_is_not_given_has_its_default():
    assert completed(Demo, {}) == {"walls": 2, "size": (3, 4), "kind": "perfect"}
    assert completed(Demo, {"size": "1x2", "walls": 3}) == {"walls": 3, "size": (1, 2), "kind": "perfect"}


def test_an_unknown_option_is_refused_with_a_hint():
    with pytest.raises(UsageError, match="demo has no option 'wall', did you mean 'walls'"):
        completed(Demo, {"wall": 3})
    with pytest.raises(UsageError, match="demo has no option 'xyz'; it has walls, size, kind"):
        completed(Demo, {"xyz": 3})
