"""SVG: well-formed, small, one that does not disturb its neighbours; and animations of solutions."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle import Position, find, translators
from unpuzzle.base.errors import UsageError
from unpuzzle.drawing import ROLES, UPON, WORDS, At, Circle, Ground, Look, Text
from unpuzzle.model.replaying import split_moves
from unpuzzle.rendering.scenes import Scene, picture_of
from unpuzzle.rendering.svg import Film, animated_svg, escaped, number, picture_svg, svg_of
from unpuzzle.rendering.themes import THEMES, contrast, themes

SMALL = [(name, level) for name in ("boxup", "sliding-tiles", "pacman") for level in find(name).levels]


def level(name: str, label: str) -> Position:
    game = find(name)
    return game.parse(game.levels[label])


def solution(name: str, label: str) -> Scene:
    from unpuzzle import solve

    position = level(name, label)
    return Scene.of(position, solve(position).moves or ())


@pytest.mark.parametrize(("name", "label"), SMALL)
def test_a_small_level_is_a_small_picture(name: str, label: str) -> None:
    assert len(svg_of(level(name, label)).encode()) <= 6_000


@given(st.text(min_size=1), st.text())
def test_whatever_is_written_is_well_formed(words: str, label: str) -> None:
    ground = Ground(1, 1, {words: Look(Text(0.5, 0.5, words, 0.5))})
    root = ElementTree.fromstring(picture_svg(ground, [(words, 0, 0, "k")], label=label))
    text = root.find(".//{http://www.w3.org/2000/svg}text")
    assert text is not None
    assert len(text.text or "") == len(words)


def test_characters_that_xml_has_not_are_replaced() -> None:
    assert escaped('a<b&"c">\0\ud800') == "a&lt;b&amp;&quot;c&quot;&gt;\ufffd\ufffd"


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, ".5"), (-0.25, "-.25"), (3.0, "3"), (1 / 3, ".333"), (0, "0"), (-0.0001, "0"), (10, "10")]
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_pictures_on_one_page_do_not_disturb_each_other() -> None:
    """All ids, classes of roles and animations are of a picture's own."""
    one, other = svg_of(level("boxup", "1")), animated_svg(solution("boxup", "2"))
    for text in (one, other):
        scope = re.search(r'class="(u[0-9a-f]{7})"', text)[1]  # type: ignore[index]
        assert all(name.startswith(scope) for name in re.findall(r'(?: id="|href="#|@keyframes )([^"{]+)', text))
        rules = re.sub(r"@keyframes [^{]+\{(?:[^{}]*\{[^}]*\})*\}|@media[^{]+\{", "", text[text.index("<style>") + 7 :])
        selectors = re.findall(r"(?:^|[},])([^{},@]+)(?=[{,])", rules[: rules.index("</style>")])
        assert len(selectors) > 5
        assert all(selector.startswith(f".{scope}") for selector in selectors), selectors
    assert set(re.findall("u[0-9a-f]{7}", one)).isdisjoint(re.findall("u[0-9a-f]{7}", other))


def test_equal_pictures_have_equal_texts() -> None:
    assert svg_of(level("boxup", "1")) == svg_of(level("boxup", "1"))
    assert svg_of(level("boxup", "1")) != svg_of(level("boxup", "1"), theme="dark")


def test_light_and_dark_as_the_reader_prefers() -> None:
    assert "@media(prefers-color-scheme:dark)" in svg_of(level("boxup", "1"))
    assert "@media" not in svg_of(level("boxup", "1"), theme="print")


def test_its_size() -> None:
    assert 'width="34" height="34" viewBox="-.2 -.2 3.4 3.4"' in svg_of(level("boxup", "1"), pixels=10)


# ---- animations


def test_24_moves_are_small_and_need_no_script() -> None:
    scene = solution("boxup", "3")
    text = animated_svg(scene)
    assert len(scene.moves) == 24
    assert len(text.encode()) <= 8_000
    ElementTree.fromstring(text)
    assert "@media(prefers-reduced-motion:reduce)" in text
    assert "@media(prefers-color-scheme:dark)" in text
    assert "script" not in text


def test_without_animation_the_first_position_is_seen() -> None:
    """What has other looks later has them far outside the picture at first."""
    scene = solution("sliding-tiles", "8-easy")
    text = animated_svg(scene)
    places = [float(x or 0) for x in re.findall(r'<use href="[^"]+"(?: x="([^"]+)")?', text)]
    places += [float(x) for x in re.findall(r'transform="translate\(([^ ]+) ', text)]
    assert all(0 <= x < 3 or x < -9 for x in places)
    assert sum(x < -9 for x in places) >= 2


def test_looks_that_are_parts_of_looks_are_there_whatever_their_order() -> None:
    """And each thing is drawn as often as it is there, whether it stands where it is used or is referred to."""
    dot = Look(Circle(0.5, 0.5, 0.1, fill="ink"))
    ground = Ground(2, 2, {"two": Look(At(0, 0, "dot"), At(0, 0.5, "dot")), "dot": dot}, [At(1, 1, "dot")])
    for number_of_pieces in (0, 1, 2):
        text = picture_svg(ground, [("two", 0, column, "k") for column in range(number_of_pieces)])
        ids = re.findall(r' id="([^"]+)"', text)
        assert all(text.count(f'id="{used}"') == 1 for used in re.findall(r'href="#([^"]+)"', text))
        assert len(set(ids)) == len(ids)
        assert text.count("<circle") == 1


def test_one_position_does_not_move() -> None:
    position = level("boxup", "1")
    assert "animation" not in animated_svg(Scene.of(position))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("boxup", "3"),
        ("sliding-tiles", "8-medium"),
        ("pacman", "dots"),
        ("sokoban", "1"),
        ("hanoi", "3"),
        ("lights-out", "3x3"),
    ],
)
def test_a_film_shows_every_position(name: str, label: str) -> None:
    """Its tracks are the pieces of each position, no more and no less."""
    film = Film.of(solution(name, label))
    for number_of_frame, frame in enumerate(film.frames):
        shown = sorted(piece[:3] for piece in film.between(number_of_frame, 0))
        assert shown == sorted(piece[:3] for piece in frame)


def test_pieces_that_stay_are_not_exchanged_for_those_that_move() -> None:
    """Two boxes of one kind: the one that is not pushed stays where it is, although the other comes near."""
    sokoban = find("sokoban")
    position = sokoban.parse("########\n#@$ $..#\n########\n")
    film = Film.of(Scene.of(position, split_moves(sokoban, "R")))
    boxes = [track for track in film.tracks if track[0] and track[0][0] == "$"]
    assert sorted(len({seen[1:] for seen in track if seen}) for track in boxes) == [1, 2]


def test_food_that_is_eaten_goes_when_pacman_has_come() -> None:
    scene = Scene.of(level("pacman", "dots"), ["W"])
    film = Film.of(scene)
    assert len(film.between(0, 0.9)) == len(film.frames[0]) == len(film.frames[1]) + 1


def test_texts_that_nobody_described_are_a_film_too() -> None:
    old = find(str(Path(__file__).parents[1] / "translators" / "outside" / "old_style.py"))
    position = old.parse(old.levels["1"])
    scene = Scene.of(position, position.moves()[:1])
    assert ElementTree.fromstring(animated_svg(scene)).tag.endswith("svg")
    assert len(Film.of(scene).frames) == 2


# ---- Every role can be told from what it lies on, in every theme, and not by its colour alone


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
