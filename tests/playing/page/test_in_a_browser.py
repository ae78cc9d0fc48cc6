"""Pages in a real browser: what can be done there, and what is seen, is what the rules say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.browser import Window
from support.registry import EVERY_KIND
from unpuzzle import Puzzle, explore, find, solve
from unpuzzle.limits import Deadline
from unpuzzle.playing.page import PlayableLevel, page
from unpuzzle.playing.page.tables import StateTable
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.themes import THEMES
from unpuzzle.spaces.by_rules import RulesSpace, reachable_by_rules

ARROWS = {"ArrowUp": "un", "ArrowLeft": "lw", "ArrowDown": "ds", "ArrowRight": "re"}
SMALL, FEW = 800, 1_000
"""The most states of a level that is looked at state by state, and of all such levels of a puzzle."""

# What the page's own script knows, and shows, of the state that it is in.
SEEN = """seen = (moves) => [
  Object.fromEntries(moves.map(([move, target]) => [nameOf(move), target ?? 0])),
  model.left(here()),
  model.solved(here()),
  [...$("pieces").children].map((each) => {
    const [x, y] = each.style.transform.match(/-?[\\d.]+/g).map(Number);
    return [+each.getAttribute("href").slice(3), y, x];
  }),
]"""
ALL = f"""async (number) => {{
  const {SEEN};
  await open(number);
  return JSON.stringify([...Array(level.states).keys()].map((state) => {{
    line = [state];
    draw();
    return seen(model.moves(state));
  }}));
}}"""
KEYS = f"""(keys) => {{
  const {SEEN};
  return JSON.stringify(keys.map((key) => {{
    document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
    return seen(options.map(({{ move }}) => [move]));
  }}));
}}"""
MOVES = f"""(names) => {{
  const {SEEN};
  const done = (name) => [act(level.moves.indexOf(name)), seen(options.map(({{ move }}) => [move]))];
  return JSON.stringify(names.map(done));
}}"""
HINTS = """() => {
  for (let most = 1000; !model.solved(here()) && most--; ) { hint(); hint(); }
  return done.map(nameOf);
}"""
POINT = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform($("board").getScreenCTM());
  return [at.x, at.y];
}"""
SWIPE = """([right, down]) => {
  for (const [type, x, y] of [["pointerdown", 150, 300], ["pointerup", 150 + right, 300 + down]])
    $("board").dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y }));
}"""


@pytest.fixture(scope="module")
def usual(browser: Any) -> Window:
    """The window that most tests share."""
    return Window(browser)


class Opener:
    """Makes pages of levels, and opens them; options are those of a window of its own."""

    def __init__(self, browser: Any, usual: Window, folder: Path) -> None:
        self.browser = browser
        self.usual = usual
        self.file = folder / "level.html"

    @contextmanager
    def __call__(
        self, *levels: PlayableLevel | Position, address: str = "", theme: str = "auto", **options: Any
    ) -> Iterator[Window]:
        made = [level if isinstance(level, PlayableLevel) else PlayableLevel.of(level) for level in levels]
        with self.text(page(made, theme=theme), address, **options) as window:
            yield window

    @contextmanager
    def text(self, html: str, address: str = "", **options: Any) -> Iterator[Window]:
        self.file.write_text(html, encoding="utf-8")
        window = Window(self.browser, **options) if options else self.usual
        window.errors.clear()
        window.open(self.file.as_uri() + address)
        yield window
        assert not window.errors
        if options:
            window.context.close()


@pytest.fixture
def opened(browser: Any, usual: Window, tmp_path: Path) -> Opener:
    return Opener(browser, usual, tmp_path)


def bundled(puzzle: str, level: str) -> Position:
    game = find(puzzle)
    return game.parse(game.levels[level])


def agrees(seen: list[Any], position: Position, left: int | None, layers: Mapping[str, int]) -> bool:
    moves, told, solved, pieces = seen
    drawn = sorted([layer, round(row, 6), round(column, 6)] for layer, row, column in pieces)
    wanted = sorted([layers[look], round(row, 6), round(column, 6)] for look, row, column, _ in picture_of(position)[1])
    return (sorted(moves), told, solved, drawn) == (sorted(position.moves()), left, position.solved(), wanted)


# ---- the page is the game


@pytest.mark.parametrize("puzzle", EVERY_KIND)
def test_every_state_of_small_levels(puzzle: str, opened: Opener) -> None:
    wanted = _small(puzzle)
    levels = [PlayableLevel.of(space.positions[0]) for space in wanted]
    assert levels
    with opened(*levels) as window:
        for number, space in enumerate(wanted):
            states = loads(window.run(ALL, number))
            assert len(states) == space.states
            layers = StateTable(explore(space.positions[0]), Deadline()).ground.layers()
            numbers, todo = {0: 0}, [0]  # by our number of a state that of the page
            for state in todo:
                position, seen = space.positions[state], states[numbers[state]]
                assert agrees(seen, position, space.goal_distance[state], layers), str(position)
                for move, target in space.successors(state):
                    if target not in numbers:
                        numbers[target] = seen[0][move]
                        todo.append(target)
                    assert seen[0][move] == numbers[target], (str(position), move)


def _small(puzzle: str) -> list[RulesSpace]:
    """The state spaces of the smallest bundled levels, by the rules."""
    game = find(puzzle)
    spaces = []
    for text in game.levels.values():
        space = reachable_by_rules(game.parse(text), max_states=SMALL)
        if space.complete:
            spaces.append(space)
    spaces.sort(key=lambda space: space.states)
    sums = accumulate([space.states for space in spaces])
    return [space for space, states in zip(spaces, sums, strict=True) if states <= FEW]


LARGER = [
    ("boxup", "3", 20_000),
    ("pacman", "loops", 20_000),
    ("grass-fire", "5", 20_000),
    ("sliding-tiles", "15-easy", 100),
    ("sokoban", "3", 100),
    ("pacman", "perfect", 100),
]
"""With the most states of a table: the last ones are played on ground operators."""


@pytest.mark.parametrize(("puzzle", "name", "most"), LARGER)
def test_300_random_keys_on_larger_levels(puzzle: str, name: str, most: int, opened: Opener) -> None:
    position, rng = bundled(puzzle, name), Random(12)
    level = PlayableLevel.of(position, max_states=most)
    assert (level.states is None) == (most == 100)
    keys = rng.choices([*ARROWS], k=300)
    with opened(level) as window:
        answers = loads(window.run(KEYS, keys))
    for key, seen in zip(keys, answers, strict=True):
        legal = [move for move in position.moves() if move.lower() in ARROWS[key]]
        position = position.apply(legal[0]) if legal else position
        left = None if level.states is None else _left(position)
        assert agrees(seen, position, left, picture_of(level.position)[0].layers()), str(position)


_SPACES: dict[str, dict[Position, int]] = {}


def _left(position: Position) -> int:
    """The least cost from a position, -1 in a dead end."""
    found = _SPACES.setdefault(position.game.name, {})
    if position not in found:
        space = reachable_by_rules(position)
        found |= zip(space.positions, space.goal_distance, strict=True)
    return found[position]


NAMED = [("sudoku", "4x4"), ("gogen", "four"), ("lights-out", "3x3"), ("crossword", "3x3")]


@pytest.mark.parametrize(("puzzle", "name"), NAMED)
def test_free_play_of_moves_with_names(puzzle: str, name: str, opened: Opener) -> None:
    start, rng = bundled(puzzle, name), Random(3)
    positions, moves = [start], []
    while len(moves) < 20 and positions[-1].moves():
        moves.append(rng.choice(positions[-1].moves()))
        positions.append(positions[-1].apply(moves[-1]))
    level = PlayableLevel.of(start, max_states=10)
    with opened(level) as window:
        for position, (played, seen) in zip(positions[1:], loads(window.run(MOVES, moves)), strict=True):
            assert played
            assert agrees(seen, position, None, picture_of(level.position)[0].layers()), str(position)
        assert "no hints" in window.text("note")
        assert window.page.get_attribute("#hint", "aria-disabled") == "true"


# ---- hints


@pytest.mark.parametrize(
    ("puzzle", "name"),
    [("boxup", "3"), ("hanoi", "four-pegs"), ("sudoku", "4x4"), ("sokoban", "7"), ("pacman", "dots")],
)
def test_hints_lead_to_an_optimal_end(puzzle: str, name: str, opened: Opener) -> None:
    level = bundled(puzzle, name)
    with opened(level) as window:
        moves = window.run(HINTS)
        assert "no way is better" in window.text("score")
    position = level
    for move in moves:
        position = position.apply(move)
    assert position.solved()
    assert len(moves) == solve(level).cost


class Toll(Puzzle):
    """A walk on a ring of places, of which `free` ones cost nothing; both `goals` are goals."""

    name = "toll"
    title = "Toll: go round"
    levels = {"1": "0\n"}
    goals, free = (3, 6), (1, 2, 4, 7)

    def __init__(self, place: int) -> None:
        self.place = place

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Toll:
        return cls(int(text))

    def __str__(self) -> str:
        return f"{self.place}\n"

    def following(self) -> dict[str, Toll]:
        return {"L": Toll((self.place - 1) % 8), "R": Toll((self.place + 1) % 8)}

    def cost(self, move: str) -> int:
        return 0 if self.place in self.free else 3 if move == "L" else 2

    def solved(self) -> bool:
        return self.place in self.goals


def test_costs_and_several_goals(opened: Opener) -> None:
    with opened(Toll(0)) as window:
        assert window.text("score") == "cost 2 left at best"
        assert window.run(HINTS) == [*"RRR"]
        assert window.text("score") == "✓ Solved: cost 2, and no way is better"
        window.press("a", "a")
        assert window.text("score") == "cost 0 left at best"
        assert window.run("() => spent()") == 5
        window.press("?", "?", "?", "?")
        assert window.text("score") == "✓ Solved: cost 5; cost 2 would do"


def test_a_dead_end_is_told(opened: Opener) -> None:
    with opened(bundled("boxup", "3")) as window:
        assert window.text("score") == "24 moves left at best"
        window.press("ArrowRight", "ArrowDown", "ArrowDown")
        assert "Dead end" in window.text("score")
        window.press("Backspace")
        assert "left at best" in window.text("score")


def test_a_level_without_solution(opened: Opener) -> None:
    with opened(bundled("lights-out", "unsolvable")) as window:
        assert "out of reach" in window.text("score")
        assert "from here" not in window.text("score")


# ---- keys, mouse, fingers


def test_a_long_name_of_a_level_does_not_run_into_the_arrow(opened: Opener) -> None:
    with opened(bundled("boxup", "1"), bundled("boxup", "2")) as window:
        assert window.run("() => getComputedStyle(document.getElementById('level')).textOverflow") == "ellipsis"


def test_keys_really_pressed(opened: Opener) -> None:
    with opened(bundled("boxup", "1")) as window:
        window.press("ArrowUp", "a")
        assert window.address() == "moves=UL"
        window.press("Control+z", "Backspace", "Shift+Backspace", "Control+y", "Control+z")
        assert window.address() == "moves=U"
        window.press("?")
        assert window.text("news") == "Hint: left"
        window.press("?", "End")
        window.page.wait_for_selector("#score.solved")
        assert window.text("score") == "✓ Solved: 5 moves, and no way is better"
        window.press("Home")
        assert window.text("score") == "5 moves left at best"
        window.press("Shift+Backspace")
        assert window.address() == "moves=U"


def test_buttons(opened: Opener) -> None:
    with opened(bundled("boxup", "1")) as window:
        button = lambda name: window.page.get_by_role("button", name=name, exact=True)  # noqa: E731
        for name in ("up", "left", "Undo", "Redo", "Undo", "Hint", "Hint"):
            button(name).click()
        assert window.address() == "moves=UL"
        button("up").click(force=True)  # which is not legal
        button("Restart").click()
        assert window.address() == ""
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
    puzzle: str, name: str, points: list[tuple[float, float]], moves: str, opened: Opener, browser: Any
) -> None:
    with opened(bundled(puzzle, name)) as window:
        for x, y in points:
            window.page.mouse.click(*window.run(POINT, [x, y]))
        assert window.address() == (f"moves={moves}" if moves else "")


def test_a_value_is_chosen_after_its_cell(opened: Opener) -> None:
    with opened(bundled("sudoku", "4x4")) as window:
        window.press("ArrowDown", "2")  # at the first cell, which is full
        assert window.address() == ""
        window.press("ArrowDown", "ArrowDown")
        assert window.text("moves").split() == ["r3c1=2", "r3c1=3"]
        window.press("2")
        assert window.address() == "moves=r3c1%3D2"


def test_letters_of_a_move(opened: Opener) -> None:
    with opened(bundled("hanoi", "3")) as window:
        window.press("a")
        assert window.text("moves").split() == ["AB", "AC"]
        window.press("c", "a", "B")
        assert window.address() == "moves=AC+AB"


def test_fingers_on_a_phone(opened: Opener) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    with opened(bundled("boxup", "3"), bundled("boxup", "1"), **phone) as window:
        for direction in ((50, 4), (-3, 40)):
            window.run(SWIPE, direction)
        window.page.get_by_role("button", name="left", exact=True).tap()
        assert window.address() == "moves=RDL"
        assert window.run("() => document.scrollingElement.scrollWidth") <= 360
        sizes = window.run(
            "() => [...document.querySelectorAll('button')].map((each) => each.getBoundingClientRect().height)"
        )
        assert min(size for size in sizes if size) >= 40


# ---- how it looks, and what is said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours(scheme: Any, opened: Opener) -> None:
    colour = "(style) => getComputedStyle(document.querySelector(style[0]))[style[1]]"
    with opened(bundled("boxup", "3"), color_scheme=scheme) as window:
        assert window.run(colour, ["body", "backgroundColor"]) == _rgb(THEMES[scheme]["paper"])
        assert window.run(colour, ["body", "color"]) == _rgb(THEMES[scheme]["ink"])
        assert window.run(colour, ["#board .paper", "fill"]) == _rgb(THEMES[scheme]["paper"])
        assert window.run(colour, ["#board .floor", "fill"]) == _rgb(THEMES[scheme]["floor"])


def test_a_theme_that_is_asked_for(opened: Opener) -> None:
    with opened(bundled("boxup", "1"), theme="dark") as window:
        assert window.run("() => getComputedStyle(document.body).backgroundColor") == _rgb(THEMES["dark"]["paper"])


def _rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_what_a_screen_reader_says(opened: Opener) -> None:
    with opened(bundled("boxup", "1")) as window:
        assert window.page.get_by_role("application", name="Board").count() == 1
        assert window.page.get_attribute("#board", "aria-describedby") == "scene"
        assert "the mover in row 2, column 2" in window.page.inner_text("#scene")
        assert window.page.get_by_role("status").count() == 2
        names = window.run("() => [...document.querySelectorAll('#pad button')].map((each) => each.ariaLabel)")
        assert names == ["up", "left", "down", "right"]
        assert window.page.get_by_role("heading", name="Boxup").count() == 1
        assert window.page.get_attribute("html", "lang") == "en"


# ---- the address, the frame, what is kept, what is locked


def test_moves_in_the_address(opened: Opener) -> None:
    with opened(bundled("boxup", "3"), bundled("boxup", "1"), address="#level=2&moves=UL") as window:
        assert window.text("score") == "3 moves left at best"
        window.run("() => { location.hash = '#level=2&moves=ULDRR' }")
        window.page.wait_for_selector("#score.solved")


def test_an_address_with_nonsense(opened: Opener) -> None:
    with opened(bundled("hanoi", "3"), address="#level=9&moves=AB+BB+AC") as window:
        assert window.address() == "moves=AB"


def test_a_frame_that_may_only_run_scripts(opened: Opener) -> None:
    result = solve(bundled("boxup", "1"))
    frame = result._repr_mimebundle_()["text/html"]
    with opened.text(f"<!doctype html><title>A notebook</title><body data-ready=1><p>cell</p>{frame}") as window:
        inside = window.page.frame_locator("iframe")
        inside.locator("#show").click()
        inside.locator("#score.solved").wait_for()
        inside.locator("#restart").click()
        inside.locator("#board").press("ArrowUp")
        assert inside.locator("#score").inner_text() == "4 moves left at best"


def test_a_frame_that_may_keep_nothing(opened: Opener) -> None:
    text = page([PlayableLevel.of(bundled("boxup", name), name) for name in ("1", "2")])
    quoted = text.replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe sandbox="allow-scripts" srcdoc="{quoted}"></iframe>'
    with opened.text(f"<!doctype html><title>x</title><body data-ready=1>{frame}") as window:
        inside = window.page.frame_locator("iframe")
        for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"):
            inside.locator("#board").press(key)
        assert inside.locator("#solved").inner_text() == "1 of 2 solved"


def test_progress_is_kept(opened: Opener) -> None:
    levels = [PlayableLevel.of(bundled("boxup", name), name) for name in ("1", "2")]
    with opened(*levels) as window:
        window.press("?", "?", "End")  # solved with help, which does not count
        window.page.wait_for_selector("#score.solved")
        assert window.text("solved") == "0 of 2 solved"
        window.press("Home", *("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"))
        assert window.text("solved") == "1 of 2 solved"
        window.page.get_by_role("button", name="Next").click()
        window.page.wait_for_selector("#score:text('14 moves left')")
        assert window.address() == "level=2"
        window.page.reload()
        window.page.wait_for_selector("body[data-ready]")
        assert window.text("solved") == "1 of 2 solved"
        assert window.text("score") == "14 moves left at best"
        assert window.run("() => [...$('level').options].map((each) => each.text)") == ["✓ 1", "2"]
        window.page.select_option("#level", "0")
        window.page.wait_for_selector("#score:text('5 moves left')")


def test_nothing_is_loaded_and_nothing_else_runs(opened: Opener) -> None:
    with opened(bundled("boxup", "1")) as window:
        assert [url for url in window.requests if not url.startswith("file:")] == []
        assert len(window.requests) == 1
        tried = """() => new Promise((done) => {
            const blocked = [];
            document.addEventListener("securitypolicyviolation", (event) => {
                if (blocked.push(event.effectiveDirective) === 3) done(blocked.sort());
            });
            const add = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
            add("img", { src: "https://example.org/x.png" });
            add("script", { textContent: "window.ran = 1" });
            add("style", { textContent: "body { color: red }" });
        })"""
        assert window.run(tried) == ["img-src", "script-src-elem", "style-src-elem"]
        assert window.run("() => window.ran") is None
        window.errors.clear()  # the browser has told of these three
