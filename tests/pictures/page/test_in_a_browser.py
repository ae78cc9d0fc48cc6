"""Pages in a real browser: what can be done there, and what is seen, is what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.browser import Page, chromium
from unpuzzle import find, solve, translators
from unpuzzle.picture import picture_of
from unpuzzle.pictures.page import Level, page
from unpuzzle.pictures.themes import THEMES
from unpuzzle.planners.spaces.by_rules import reachable_by_rules
from unpuzzle.puzzle.position import Position

ARROWS = {"ArrowUp": "un", "ArrowLeft": "lw", "ArrowDown": "ds", "ArrowRight": "re"}
SMALL = 250
"""States of levels that are looked at state by state."""

# What the page's own script knows, and shows, of the state that it is in.
SEEN = """seen = () => [
  Object.fromEntries(options.map(({ move, target }) => [nameOf(move), target])),
  model.left(here()),
  model.solved(here()),
  [...$("pieces").children].map((each) => {
    const [x, y] = each.style.transform.match(/-?[\\d.]+/g).map(Number);
    return [+each.getAttribute("href").slice(3), y, x];
  }),
]"""
ALL = f"() => {{ const {SEEN}; return [...Array(level.states).keys()].map((state) => {{ line = [state]; refresh(); return seen(); }}); }}"
KEYS = f"""(keys) => {{
  const {SEEN};
  return keys.map((key) => {{
    document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
    return seen();
  }});
}}"""
HINTS = """() => {
  let most = 1000;
  while (!model.solved(here()) && most--) { hint(); hint(); }
  return done.map(nameOf);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


class Pages:
    """Makes pages of levels, and opens them."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser = browser
        self.file = folder / "level.html"

    def __call__(self, *levels: Level | Position, **options: Any) -> Page:
        made = [level if isinstance(level, Level) else Level(level) for level in levels]
        self.file.write_text(page(made), encoding="utf-8")
        return Page(self.browser, self.file.as_uri() + options.pop("address", ""), **options)


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Pages:
    return Pages(browser, tmp_path)


def bundled(puzzle: str, level: str) -> Position:
    game = find(puzzle)
    return game.parse(game.levels[level])


def picture(position: Position) -> list[list[float]]:
    ground, pieces = picture_of(position)
    layers = ground.layers()
    return sorted([layers[look], round(row, 6), round(column, 6)] for look, row, column, _ in pieces)


def agrees(seen: list[Any], position: Position, left: int | None) -> bool:
    moves, told, solved, pieces = seen
    drawn = sorted([layer, round(row, 6), round(column, 6)] for layer, row, column in pieces)
    return (sorted(moves), told, solved, drawn) == (
        sorted(position.moves()),
        left,
        position.solved(),
        picture(position),
    )


# ---- the page is the game


@pytest.mark.parametrize("puzzle", translators.names())
def test_every_state_of_small_levels(puzzle: str, opened: Pages) -> None:
    game = find(puzzle)
    spaces = [_small_space(game.parse(text)) for text in game.levels.values()]
    wanted = [space for space in spaces if space is not None]
    assert wanted, "each bundled puzzle has a level that is small enough"
    with opened(*(space.positions[0] for space in wanted)) as window:
        for number, space in enumerate(wanted):
            window.run("async (number) => { await open(number); }", number)
            states = window.run(ALL)
            assert len(states) == space.states
            numbers, todo = {0: 0}, [0]  # by our number of a state that of the page
            for state in todo:
                position, seen = space.positions[state], states[numbers[state]]
                assert agrees(seen, position, space.goal_distance[state]), str(position)
                for move, target in space.successors(state):
                    if target not in numbers:
                        numbers[target] = seen[0][move]
                        todo.append(target)
                    assert seen[0][move] == numbers[target], (str(position), move)


def _small_space(level: Position) -> Any:
    from unpuzzle.planners.watch import LimitReachedError

    try:
        return reachable_by_rules(level, max_states=SMALL)
    except LimitReachedError:
        return None


LARGER = [
    ("boxup", "3", 20_000),
    ("pacman", "loops", 20_000),
    ("sliding-tiles", "15-easy", 100),
    ("sokoban", "3", 100),
    ("boxup", "5", 100),
    ("pacman", "perfect", 100),
]
"""With the most states of a table: the last ones are played on ground operators."""


@pytest.mark.parametrize(("puzzle", "name", "most"), LARGER)
def test_300_random_keys_on_larger_levels(puzzle: str, name: str, most: int, opened: Pages) -> None:
    position, rng = bundled(puzzle, name), Random(12)
    level = Level(position, max_states=most)
    assert (level.states is None) == (most == 100)
    keys = rng.choices([*ARROWS], k=300)
    with opened(level) as window:
        answers = window.run(KEYS, keys)
    for key, seen in zip(keys, answers, strict=True):
        legal = [move for move in position.moves() if move.lower() in ARROWS[key]]
        position = position.apply(legal[0]) if legal else position
        left = None if level.states is None else _left(position)
        assert agrees(seen, position, left), str(position)


_SPACES: dict[str, dict[Position, int]] = {}


def _left(position: Position) -> int:
    """The least cost from a position, -1 in a dead end."""
    found = _SPACES.setdefault(position.game.name, {})
    if position not in found:
        space = reachable_by_rules(position)
        found |= zip(space.positions, space.goal_distance, strict=True)
    return found[position]


NAMED = [("sudoku", "32-clues"), ("gogen", "six"), ("lights-out", "3x3"), ("crossword", "3x3")]


@pytest.mark.parametrize(("puzzle", "name"), NAMED)
def test_free_play_of_moves_with_names(puzzle: str, name: str, opened: Pages) -> None:
    position, rng = bundled(puzzle, name), Random(3)
    with opened(Level(position, max_states=10)) as window:
        for _ in range(20):
            moves = position.moves()
            if not moves:
                break
            move = rng.choice(moves)
            position = position.apply(move)
            act = "(name) => act(level.moves.indexOf(name))"
            assert window.run(act, move)
            assert agrees(window.run(f"() => {{ const {SEEN}; return seen(); }}"), position, None)
        assert "no hints" in window.text("note")
        assert window.page.get_attribute("#hint", "aria-disabled") == "true"


# ---- hints


@pytest.mark.parametrize(
    ("puzzle", "name"), [("boxup", "3"), ("hanoi", "four-pegs"), ("sudoku", "4x4"), ("sokoban", "7"), ("pacman", "dots")]
)
def test_hints_lead_to_an_optimal_end(puzzle: str, name: str, opened: Pages) -> None:
    level = bundled(puzzle, name)
    with opened(level) as window:
        moves = window.run(HINTS)
        assert "no way is better" in window.text("score")
    position = level
    for move in moves:
        position = position.apply(move)
    assert position.solved()
    assert len(moves) == solve(level).cost


def test_a_dead_end_is_told(opened: Pages) -> None:
    with opened(bundled("boxup", "3")) as window:
        assert window.text("score") == "24 moves left at best"
        window.press("ArrowRight", "ArrowDown", "ArrowDown")
        assert "Dead end" in window.text("score")
        window.press("Backspace")
        assert "left at best" in window.text("score")


def test_a_level_without_solution(opened: Pages) -> None:
    with opened(bundled("lights-out", "unsolvable")) as window:
        assert "out of reach" in window.text("score")
        assert "from here" not in window.text("score")


# ---- keys, mouse, fingers


def test_keys_really_pressed(opened: Pages) -> None:
    with opened(bundled("boxup", "1")) as window:
        window.press("ArrowUp", "l")
        assert window.page.url.endswith("#moves=UL")
        window.press("Control+z", "Backspace", "Shift+Backspace", "Control+y", "Control+z")
        assert window.page.url.endswith("#moves=U")
        window.press("?")
        assert window.text("news") == "Hint: left"
        window.press("?", "End")
        window.page.wait_for_selector("#score.solved")
        assert window.text("score") == "✓ Solved: 5 moves, and no way is better"
        window.press("Home")
        assert window.text("score") == "5 moves left at best"
        window.press("Shift+Backspace")
        assert window.page.url.endswith("#moves=U")


def test_buttons(opened: Pages) -> None:
    with opened(bundled("boxup", "1")) as window:
        button = lambda name: window.page.get_by_role("button", name=name, exact=True)  # noqa: E731
        for name in ("up", "left", "Undo", "Redo", "Undo", "Hint", "Hint"):
            button(name).click()
        assert window.page.url.endswith("#moves=UL")
        button("up").click()  # which is not legal
        button("Restart").click()
        assert window.page.url.endswith("#")
        assert button("Undo").get_attribute("aria-disabled") == "true"


@pytest.mark.parametrize(
    ("puzzle", "name", "points", "moves"),
    [
        ("boxup", "1", [(1.5, 0.5), (0.5, 0.5)], "UL"),
        ("pacman", "room", [(4.5, 5.5)], ""),
        ("lights-out", "3x3", [(0.5, 0.5), (1.4, 2.6)], "r1c1+r3c2"),
        ("sudoku", "4x4", [(1.5, 0.5)], ""),  # one value is left there, but nobody has said it
        ("sliding-tiles", "3x2", [(0.5, 0.5)], ""),
        ("hanoi", "3", [(0.9, 0.7), (7.5, 2)], "AC"),
    ],
)
def test_clicks(
    puzzle: str, name: str, points: list[tuple[float, float]], moves: str, opened: Pages, browser: Any
) -> None:
    with opened(bundled(puzzle, name)) as window:
        for x, y in points:
            place = "([x, y]) => { const at = new DOMPoint(x, y).matrixTransform($('board').getScreenCTM()); return [at.x, at.y]; }"
            window.page.mouse.click(*window.run(place, [x, y]))
        assert window.page.url.partition("#")[2] == (f"moves={moves}" if moves else "")


def test_a_value_is_chosen_after_its_cell(opened: Pages) -> None:
    with opened(bundled("sudoku", "4x4")) as window:
        window.press("ArrowDown", "ArrowDown", "ArrowDown", "2")
        assert window.page.url.endswith("#")
        window.press("ArrowRight", "2")
        assert "moves=r" in window.page.url


def test_letters_of_a_move(opened: Pages) -> None:
    with opened(bundled("hanoi", "3")) as window:
        window.press("a")
        assert window.text("moves").split() == ["AB", "AC"]
        window.press("c", "a", "B")
        assert window.page.url.endswith("#moves=AC+AB")


def test_fingers_on_a_phone(opened: Pages) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    with opened(bundled("boxup", "3"), bundled("boxup", "1"), **phone) as window:
        swipe = """([right, down]) => { for (const [type, x, y] of [["pointerdown", 150, 300], ["pointerup", 150 + right, 300 + down]])
            $("board").dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y })); }"""
        for direction in ((50, 4), (-3, 40)):
            window.run(swipe, direction)
        window.page.get_by_role("button", name="left", exact=True).tap()
        assert window.page.url.endswith("#moves=RDL")
        assert window.run("() => document.scrollingElement.scrollWidth") <= 360
        sizes = window.run("() => [...document.querySelectorAll('button')].map((each) => each.getBoundingClientRect().height)")
        assert min(size for size in sizes if size) >= 40
