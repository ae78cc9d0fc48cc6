"""Every role can be told from what it lies on, in every theme, and not by its colour alone."""

from __future__ import annotations

import pytest

from unpuzzle import find, translators
from unpuzzle.drawing import ROLES, UPON, WORDS, Look
from unpuzzle.errors import UsageError
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.themes import THEMES, contrast, themes

GAMES = list(translators.names())


def test_the_formula_of_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the example that everybody knows
    assert contrast("#123456", "#123456") == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", UPON)
def test_roles_are_told_from_what_they_lie_on(theme: str, role: str) -> None:
    colours = THEMES[theme]
    for below in UPON[role]:
        least = 4.5 if role in WORDS else 3
        assert contrast(colours[role], colours[below]) >= least, f"{role} on {below}"


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_has_a_colour_for_each_role(theme: str) -> None:
    assert list(THEMES[theme]) == list(ROLES)


def test_only_paper_floor_and_what_has_an_outline_are_not_told_from_what_they_lie_on() -> None:
    assert set(ROLES) - set(UPON) == {"paper", "floor"}


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(UsageError, match="no theme 'drak', did you mean 'dark'"):
        themes("drak")


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_told_by_colour_alone(name: str) -> None:
    """In print, where roles have next to no colours, different looks of a level are different shapes."""
    game = find(name)
    for text in list(game.levels.values())[:4]:
        ground, _ = picture_of(game.parse(text))
        shown: dict[object, str] = {}
        for key, look in ground.looks.items():
            if look.shapes:
                other = shown.setdefault(_printed(look, ground.looks), key)
                same = ground.looks[other].label.partition(" on ")[0] == look.label.partition(" on ")[0]
                assert other == key or same, f"{key} and {other} differ in colour only"


def _printed(look: Look, looks: dict[str, Look]) -> object:
    """The look in black, white and grey."""
    colour = THEMES["print"]
    parts = []
    for shape in look.shapes:
        inside = getattr(shape, "look", None)
        fill, line = shape.roles
        form = repr(shape).replace(f"fill={fill!r}", "").replace(f"line={line!r}", "")
        parts.append(_printed(looks[inside], looks) if inside else (colour.get(fill), colour.get(line), form))
    return tuple(parts)


@pytest.mark.parametrize("name", GAMES)
def test_what_has_the_colour_of_the_floor_in_print_has_an_outline(name: str) -> None:
    game = find(name)
    ground, _ = picture_of(game.parse(next(iter(game.levels.values()))))
    for look in ground.looks.values():
        for shape in look.shapes:
            fill, line = shape.roles
            assert fill not in ("tile", "home") or line, f"{look.label}: a {fill} needs an outline"
