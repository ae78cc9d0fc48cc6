"""Laws about levels that are asked for: options, `generate`, `every`; what a game does not offer is skipped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from random import Random
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities import Generating, completed, generated, offered, options_of, required
from unpuzzle.puzzle.options import Option
from unpuzzle.puzzle.position import Position
from unpuzzle.testing.game_laws.subject import Subject, require, skip

LEVELS = 40
OF_EACH_KIND = 4
LISTED = 200


def options_say_what_they_are(subject: Subject) -> None:
    """Each has the name it goes by, a line for people, and a default that can be written and read."""
    options = options_of(subject.game)
    if not options:
        skip(f"{subject.game.name} has no options")
    for name, option in options.items():
        require(isinstance(option, Option), f"options[{name!r}] is a {type(option).__name__}, no Option")
        require(option.name == name, f"options[{name!r}] has the name {option.name!r}")
        require(re.fullmatch("[a-z][a-z0-9_-]*", name), f"the option {name!r} cannot be written as --{name}")
        require(option.about.strip() and option.wanted.strip(), f"option {name!r} does not say what it is")
        again = option.value(option.show(option.default))
        require(again == option.default, f"the default {option.default!r} of option {name!r} is read as {again!r}")
        for seed in range(10):
            small = option.small(Random(seed))
            require(option.fits(small), f"option {name!r} has {small!r} as a small value, which does not fit it")


def generated_levels_are_levels(subject: Subject) -> None:
    """Of this game; their texts come back; equal states of the random generator give equal levels."""
    for values in _wishes(subject):
        for seed in range(OF_EACH_KIND):
            level = _generated(subject, seed, values)
            if level is None:
                continue
            require(level.game == subject.game, f"generate() gave a position of another game, with {values}")
            require(
                subject.game.parse(str(level)) == level, f"the text of a generated level does not come back:\n{level}"
            )
            again = _generated(subject, seed, values)
            require(again == level, f"generate(Random({seed}), {values}) gives different levels")


def generated_levels_vary(subject: Subject) -> None:
    """Unless there is but one level of that kind, or two."""
    _generating_or_skip(subject)
    values = completed(subject.game, {})
    first = generated(subject.game, Random(0), values)
    if any(generated(subject.game, Random(seed), values) != first for seed in range(1, LEVELS)):
        return
    listed = _every(subject, values)
    fine = listed is not None and len(set(islice(listed, 10))) == 1
    require(fine, f"{LEVELS} generated levels are all the same:\n{first}")


def every_level_of_a_shape_comes_in_a_fixed_order(subject: Subject) -> None:
    """Each once, each a level of this game whose text comes back."""
    _generating_or_skip(subject)
    values = completed(subject.game, {})
    first, again = (_every(subject, values) for _ in range(2))
    if first is None or again is None:
        skip(f"{subject.game.name} does not list the levels of {values}")
        return
    levels = list(islice(first, LISTED))
    require(levels == list(islice(again, LISTED)), "every() gives the levels in another order the second time")
    require(len(set(levels)) == len(levels), "every() gives a level twice")
    for level in levels:
        require(level.game == subject.game, "every() gave a position of another game")
        require(subject.game.parse(str(level)) == level, f"the text of a listed level does not come back:\n{level}")


def _every(subject: Subject, values: Mapping[str, Any]) -> Iterable[Position] | None:
    return required(subject.game, Generating, "is tested").every(values)


def _wishes(subject: Subject) -> list[Mapping[str, Any]]:
    """The defaults, and small values of all options."""
    _generating_or_skip(subject)
    options = options_of(subject.game)
    small = [{name: option.small(Random(seed)) for name, option in options.items()} for seed in range(subject.some(20))]
    return [completed(subject.game, {}), *(small if options else [])]


def _generated(subject: Subject, seed: int, values: Mapping[str, Any]) -> Position | None:
    """Return a level; None where the values are refused because they do not go together. The defaults must."""
    try:
        return generated(subject.game, Random(seed), values)
    except ParseError as error:
        default = values == completed(subject.game, {})
        require(not default, f"generate() refuses the defaults of its options: {error}")
        return None


def _generating_or_skip(subject: Subject) -> None:
    if offered(subject.game, Generating) is None:
        skip(f"{subject.game.name} does not generate levels")


LAWS = (
    options_say_what_they_are,
    generated_levels_are_levels,
    generated_levels_vary,
    every_level_of_a_shape_comes_in_a_fixed_order,
)
