"""Pages in a real browser: states, moves, scores and hints are what the rules say."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from json import loads
from random import Random
from typing import Any

import pytest

from support.browser import Opener, bundled
from support.registry import EVERY_KIND
from unpuzzle import Puzzle, explore, find, solve
from unpuzzle.model.position import Position
from unpuzzle.play.page_data import StateTable
from unpuzzle.play.web_page import PlayableLevel, keyboard_of
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.state_space.space import RulesSpace, reachable_by_rules

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


def agrees(seen: list[Any], position: Position, left: int | None, layers: Mapping[str, int]) -> bool:
    moves, told, solved, pieces = seen
    drawn = sorted([layer, round(row, 6), round(column, 6)] for layer, row, column in pieces)
    wanted = sorted([layers[look], round(row, 6), round(column, 6)] for look, row, column, _ in picture_of(position)[1])
    return (sorted(moves), told, solved, drawn) == (sorted(position.moves()), left, position.solved(), wanted)


@pytest.mark.parametrize("puzzle", EVERY_KIND)
def test_every_state_of_small_levels(puzzle: str, shown: Opener) -> None:
    wanted = _small(puzzle)
    levels = [PlayableLevel.of(space.positions[0]) for space in wanted]
    assert levels
    with shown(*levels) as window:
        for number, space in enumerate(wanted):
            states = loads(window.run(ALL, number))
            assert len(states) == space.states
            layers = StateTable(explore(space.positions[0])).ground.layers()
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
"""Levels, each with the most states that its table may have; a page plays larger levels by ground operators."""


@pytest.mark.parametrize(("puzzle", "name", "most"), LARGER)
def test_300_random_keys_on_larger_levels(puzzle: str, name: str, most: int, shown: Opener) -> None:
    position, rng = bundled(puzzle, name), Random(12)
    level = PlayableLevel.of(position, max_states=most)
    assert (level.states is None) == (most == 100)
    keys = rng.choices([*ARROWS], k=300)
    with shown(level) as window:
        answers = loads(window.run(KEYS, keys))
    for key, seen in zip(keys, answers, strict=True):
        legal = [move for move in position.moves() if move.lower() in ARROWS[key]]
        over = position.solved() and keyboard_of(position)  # a level that is won is over
        position = position.apply(legal[0]) if legal and not over else position
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
def test_free_play_of_moves_with_names(puzzle: str, name: str, shown: Opener) -> None:
    start, rng = bundled(puzzle, name), Random(3)
    positions, moves = [start], []
    while len(moves) < 20 and positions[-1].moves():
        moves.append(rng.choice(positions[-1].moves()))
        positions.append(positions[-1].apply(moves[-1]))
    level = PlayableLevel.of(start, max_states=10)
    with shown(level) as window:
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
def test_hints_lead_to_an_optimal_end(puzzle: str, name: str, shown: Opener) -> None:
    level = bundled(puzzle, name)
    with shown(level) as window:
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


def test_costs_and_several_goals(shown: Opener) -> None:
    with shown(Toll(0)) as window:
        assert window.text("score") == "cost 2 left at best"
        assert window.run(HINTS) == [*"RRR"]
        assert window.text("score") == "✓ Solved: cost 2, and no way is better"
        window.press("a", "a")
        assert window.text("score") == "cost 0 left at best"
        assert window.run("() => spent()") == 5
        window.press("?", "?", "?", "?")
        assert window.text("score") == "✓ Solved: cost 5; cost 2 would do"


def test_a_dead_end_is_told(shown: Opener) -> None:
    with shown(bundled("boxup", "3")) as window:
        assert window.text("score") == "24 moves left at best"
        window.press("ArrowRight", "ArrowDown", "ArrowDown")
        assert "Dead end" in window.text("score")
        window.press("Backspace")
        assert "left at best" in window.text("score")


def test_a_level_without_solution(shown: Opener) -> None:
    with shown(bundled("lights-out", "unsolvable")) as window:
        assert window.text("score") == "⚠ This level cannot be solved"
        assert "from here" not in window.text("score")
