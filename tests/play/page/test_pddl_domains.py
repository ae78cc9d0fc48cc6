"""Pages of PDDL domains in a real browser: facts, goals, actions in groups; played to the end as a stranger would."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.blocks import BLOCKS, SUSSMAN, tower
from support.browser import Window
from support.command_line import run
from support.river import CROSSING, RIVER, ROADS, delivery, river_files
from unpuzzle import find, solve
from unpuzzle.base import outcomes as exits
from unpuzzle.model.replaying import replay
from unpuzzle.pddl.reading.reader import read_domain
from unpuzzle.pddl_game.game import PddlGame, PddlPosition
from unpuzzle.play.web_page import PlayableLevel, page

PHONE = {"viewport": {"width": 360, "height": 740}}
# What the page's model says of the state that it is in: facts, and the parts of the goal that hold.
KNOWN = """() => {
  const seen = model.pieces(here()).map((each) => each - level.places.length), all = level.facts.length;
  return [
    seen.filter((each) => each < all).map((each) => `(${level.facts[each].join(" ").trim()})`).sort(),
    seen.filter((each) => each >= all).map((each) => level.parts[level.reached[each - all]]),
    options.map(({ move }) => nameOf(move)).sort(),
  ];
}"""
WIDTH = "() => document.documentElement.scrollWidth"
FOCUSED = "() => document.activeElement.getAttribute('aria-label')"


@pytest.fixture
def opened(opened: Callable[..., Window]) -> Callable[..., Window]:
    def open_position(position: PddlPosition, *, max_states: int = 20_000, **options: Any) -> Window:
        return opened(page([PlayableLevel.of(position, max_states=max_states)]), **options)

    return open_position


def start_of(domain: str, problem: str, tmp_path: Path) -> PddlPosition:
    file = tmp_path / "domain.pddl"
    file.write_text(domain)
    return PddlGame(read_domain(str(file))).parse(problem)


def words(move: str) -> str:
    return move.replace(":", " ")


def click(window: Window, move: str) -> None:
    window.page.click(f'#moves button[aria-label="{words(move)}"]')


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("most", [20_000, 3])
def test_a_river_crossing_is_played_to_the_end_on_a_phone(
    scheme: str, most: int, browser: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line to the last click, with all states in a table and by the operators."""
    domain, file = river_files(tmp_path), tmp_path / "river.html"
    code, out, complaint = run(capsys, "play", domain, "p1", "-o", str(file), "--max-states", str(most))
    assert (code, out) == (exits.YES, f"{file}\n")
    assert bool(complaint) == (most == 3)
    window = Window(browser, color_scheme=scheme, **PHONE)
    window.open(file.as_uri())
    assert window.text("score") == ("0 moves" if most == 3 else "7 moves left at best")
    game = find(domain)
    for left, move in enumerate(solve(game.parse(game.levels["p1"])).moves or ()):
        assert window.run(WIDTH) == 360
        assert ("missing" in window.text("facts")) is (left < 7)
        click(window, move)
    assert window.text("score").startswith("✓ Solved: 7 moves")
    assert "Goal: all holds" in window.text("facts")
    assert not window.errors
    assert window.requests == [file.as_uri()]
    window.context.close()


def test_blocks_are_stacked_by_keys_alone(opened: Any, tmp_path: Path) -> None:
    start = start_of(BLOCKS, SUSSMAN, tmp_path)
    window = opened(start)
    for move in solve(start).moves or ():
        for _ in range(20):
            if window.run(FOCUSED) == words(move):
                break
            window.press("ArrowRight")
        window.press("Enter")
    assert window.text("score") == "✓ Solved: 6 moves, and no way is better"
    window.press("Backspace")
    assert window.text("score") == "1 move left at best"


def test_a_button_keeps_the_focus_in_its_group(opened: Any, tmp_path: Path) -> None:
    window = opened(start_of(RIVER, CROSSING, tmp_path))
    window.page.focus('#moves button[aria-label="row left right goat"]')
    window.press("Enter")
    assert window.run(FOCUSED) == "row right left farmer"


def test_hints_and_the_solution(opened: Any, tmp_path: Path) -> None:
    window = opened(start_of(BLOCKS, SUSSMAN, tmp_path))
    window.press("?")
    assert window.text("news") == "Hint: unstack c a"
    assert window.page.eval_on_selector_all("#moves button", "all => all.map(each => each.className)") == ["chosen"]
    window.press("?", "End")
    window.page.wait_for_selector("#score.solved", timeout=60_000)
    assert window.text("score") == "✓ Solved: 6 moves, and no way is better"


def test_what_a_move_changes_is_marked(opened: Any, tmp_path: Path) -> None:
    window = opened(start_of(BLOCKS, SUSSMAN, tmp_path))
    assert not window.page.query_selector_all("#facts .come, #facts .gone")
    click(window, "unstack:c:a")
    texts = [
        [each.inner_text() for each in window.page.query_selector_all(f"#facts .{kind}")] for kind in ("come", "gone")
    ]
    assert texts == [["+ a", "+ c"], ["− c", "− yes", "− c a"]]
    assert window.text("news") == "+ (clear a) (holding c) − (clear c) (handempty) (on c a)"
    assert "Goal: 2 of 2 missing" in window.text("facts")


def test_groups_are_named_for_those_who_cannot_see_them(opened: Any, tmp_path: Path) -> None:
    window = opened(start_of(BLOCKS, SUSSMAN, tmp_path))
    groups = window.page.query_selector_all("#moves [role=group]")
    assert [group.get_attribute("aria-label") for group in groups] == ["pick-up, 1 move", "unstack, 1 move"]
    assert [group.inner_text().split() for group in groups] == [["pick-up", "b"], ["unstack", "c", "a"]]
    assert window.page.locator("#facts").get_attribute("aria-label") == "Facts"
    assert window.page.locator("#facts th[scope=row]").all_inner_texts() == ["clear", "handempty", "on", "ontable"]


def test_dead_ends_are_told(opened: Any, tmp_path: Path) -> None:
    window = opened(start_of(RIVER, CROSSING, tmp_path))
    click(window, "row:left:right:wolf")
    assert window.text("score") == "⚠ Dead end: the goal is out of reach from here"
    assert window.text("moves") == "No action is applicable here"


def test_many_moves_are_found_by_their_words(opened: Any, tmp_path: Path) -> None:
    start = start_of(BLOCKS, tower(40), tmp_path)
    window = opened(start, **PHONE)
    shown = "#moves button"
    assert window.page.locator(shown).count() == 40
    window.press("7")
    assert window.page.locator(shown).all_inner_texts() == ["b7", "b17", "b27", "b37"]
    window.press("Backspace")
    window.page.fill("#filter", "pick b17")
    assert window.page.locator(shown).all_inner_texts() == ["b17"]
    window.press("Enter")
    assert window.text("news").startswith("+ (holding b17)")
    assert window.page.locator(shown).count() == 40  # put-down, and 39 times stack
    window.page.fill("#filter", "nothing")
    assert window.text("moves") == "No move has these words"
    window.press("Escape")
    assert window.page.locator(shown).count() == 40
    assert window.run(WIDTH) == 360


def test_a_large_tower_is_built_by_the_operators(opened: Any, tmp_path: Path) -> None:
    start = start_of(BLOCKS, tower(12), tmp_path)
    window = opened(start, max_states=100)
    assert "It can be played, but this page has no hints" in window.text("note")
    for number in range(10, -1, -1):
        click(window, f"pick-up:b{number}")
        click(window, f"stack:b{number}:b{number + 1}")
    assert window.text("score") == "✓ Solved: 22 moves"


@pytest.mark.parametrize("most", [20_000, 5])
@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        (RIVER, CROSSING),
        (BLOCKS, SUSSMAN),
        (ROADS, delivery("(at t a) (road a b) (road b a) (gate b c) (key t) (lies k b)", "(lies k c) (not (at t c))")),
        (BLOCKS, SUSSMAN.replace("(and (on a b) (on b c))", "(forall (?x) (imply (clear ?x) (on ?x b)))")),
    ],
    ids=["river", "blocks", "roads", "quantified"],
)
def test_facts_goals_and_moves_are_those_of_the_state(
    domain: str, problem: str, most: int, opened: Any, tmp_path: Path
) -> None:
    position = start_of(domain, problem, tmp_path)
    window, rng = opened(position, max_states=most), Random(0)
    assert (window.run("() => level.states || 0") > 0) is (most > 5)
    for _ in range(25):
        facts, reached, moves = window.run(KNOWN)
        assert facts == sorted(map(str, position.atoms()))
        assert reached == [text for text, holds in position.goals() if holds]
        assert moves == sorted(position.moves())
        assert window.run("() => model.solved(here())") == position.solved()
        if not moves:
            break
        move = rng.choice(moves)
        window.run("(name) => act(level.moves.indexOf(name))", move)
        position = position.apply(move)


def test_names_with_colons_are_shown_as_they_are(opened: Any, tmp_path: Path) -> None:
    names = {"b0": "b:0", "b1": "%3a"}
    problem = tower(2)
    for plain, odd in names.items():
        problem = problem.replace(plain, odd)
    window = opened(start_of(BLOCKS, problem, tmp_path))
    assert window.page.locator("#moves button").all_inner_texts() == ["%3a", "b:0"]
    window.page.click('#moves button[aria-label="pick-up b:0"]')
    assert window.text("news").startswith("+ (holding b:0)")


def test_bundled_games_with_such_moves_have_groups_beside_their_board(browser: Any, tmp_path: Path) -> None:
    game = find("blocksworld")
    start = game.parse(game.levels["sussman"])
    file = tmp_path / "level.html"
    file.write_text(page([PlayableLevel.of(start)]), encoding="utf-8")
    window = Window(browser)
    window.open(file.as_uri())
    moves = solve(start).moves or ()
    assert replay(start, moves).solved
    for move in moves:
        click(window, move)
    assert window.text("score").startswith("✓ Solved")
    assert window.page.is_visible("#board")
    assert not window.page.query_selector("#facts")
    assert not window.errors
    window.context.close()
