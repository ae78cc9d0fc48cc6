"""Levels by changes of given ones: what is kept, what is the same, what comes out as text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.command_line import run, run_json
from support.script_texts import script
from unpuzzle import explore, generate, translators
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.model.capabilities import completed
from unpuzzle.puzzlescript.game import ScriptGame, ScriptPosition, game_of
from unpuzzle.puzzlescript.rules import SYMMETRIES

LEVELS = "p.*o\n....\n....\n\n#####\n#p*o#\n#..##\n#####"
LEGEND = "@ = Crate and Target"
TEXT = script(levels=LEVELS, legend=LEGEND)
GAME = game_of(TEXT, "changed")
WISH = {"count": 3, "moves": (2, None), "max_states": 150, "candidates": 60}


def count(position: ScriptPosition, name: str) -> int:
    number = position.game.compiled.objects.index(name)
    return sum(cell >> number & 1 for cell in position.state.cells)


def made(game: ScriptGame, seed: int, **options: object) -> ScriptPosition:
    return game.generate(Random(seed), completed(game, options))


@given(st.integers(0, 10**6), st.integers(1, 30))
def test_a_changed_level_has_what_a_level_needs(seed: int, changes: int) -> None:
    level = made(GAME, seed, changes=changes)
    assert count(level, "player") == 1
    assert count(level, "crate") >= 1
    assert count(level, "target") >= 1
    assert GAME.parse(level.level_text()) == level
    assert set(level.level_text()) <= set("p*o.#@\n")


def test_one_change_is_one_change() -> None:
    start = GAME.parse(GAME.levels["0"])
    for seed in range(40):
        level = made(GAME, seed, **{"from": ("0",), "changes": 1})
        differing = sum(one != other for one, other in zip(start.state.cells, level.state.cells, strict=True))
        assert 1 <= differing <= 2


def test_a_level_with_walls_around_it_keeps_them() -> None:
    levels = [made(GAME, seed, **{"from": ("1",), "changes": 9}).level_text().split() for seed in range(30)]
    for rows in levels:
        assert {*rows[0], *rows[-1], *[row[0] + row[-1] for row in rows]} <= {"#", "##"}
    assert len(set(map(tuple, levels))) > 5


def test_what_is_to_lie_on_something_comes_with_it() -> None:
    balance = {count(level, "crate") - count(level, "target") for level in (made(GAME, seed) for seed in range(60))}
    assert max(balance) <= 0
    assert any(count(made(GAME, seed), "crate") > 1 for seed in range(60))


def test_levels_come_from_all_that_are_given() -> None:
    sizes = {(made(GAME, seed).state.width, made(GAME, seed).state.height) for seed in range(20)}
    assert sizes == {(4, 3), (5, 4)}
    own = made(GAME, 1, **{"from": ("p*o..o\n",)})
    assert (own.state.width, own.state.height) == (6, 1)


def test_two_players_stay_two() -> None:
    game = game_of(script(levels="p.*o.p\n......"), "two")
    assert {count(made(game, seed), "player") for seed in range(30)} == {2}


def test_start_rules_do_not_keep_a_level_from_being_written() -> None:
    rules = "[ Crate | no Crate no Wall no Player ] -> [ Crate | Wall ]"
    game = game_of(script(prelude="run_rules_on_level_start", rules=rules, levels="p.*.o"), "start")
    level = made(game, 3)
    assert level.level_text().count("#") < count(level, "wall")
    assert game.parse(level.level_text()) == level


def test_boards_without_glyphs_keep_their_own_text() -> None:
    game = game_of(script(levels="p*o"), "no glyph")  # none for a crate on a target
    won = game.parse("p*o").apply("r")
    assert won.level_text() == str(won)
    assert game.parse("..p*o").apply("l").level_text() == ".p.*o\n"


def test_generated_levels_are_exact_and_of_the_wanted_kind() -> None:
    found = generate(GAME, {"from": ("0",)}, unique=True, seed=3, **WISH)
    assert len(found.levels) == 3
    for level in found.levels:
        space = explore(GAME.parse(level.text))
        assert (space.cost, space.optimal_lines, space.dead_ends) == (level.cost, 1, level.dead_ends)
        assert level.cost >= 2


def test_the_same_seed_gives_the_same_levels_whoever_works() -> None:
    found = [generate(GAME, seed=5, workers=workers, **WISH) for workers in (1, 1, 2)]
    assert found[0].levels == found[1].levels == found[2].levels
    assert found[0].rejected == found[2].rejected
    assert generate(GAME, seed=6, **WISH).levels != found[0].levels


def test_symmetric_levels_are_one_level() -> None:
    assert len(GAME.symmetries) == 8
    level = GAME.parse("p.*o\n....\n....\n")
    assert level.canonical() == GAME.parse("o..\n*..\n...\np..\n").canonical()
    falling = game_of(
        script(rules="[ > Player | Crate ] -> [ > Player | > Crate ]\ndown [ Crate | no Wall ] -> [ > Crate | ]"),
        "falling",
    )
    assert sorted(symmetry.directions for symmetry in falling.symmetries) == [[0, 1, 2, 3], [0, 1, 3, 2]]
    chance = game_of(script(rules="[ stationary Crate ] -> [ randomdir Crate ]"), "chance")
    assert len(chance.symmetries) == 1


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_symmetry_moves_what_is_pushed(symmetry) -> None:
    """The player at (0, 1) pushes a crate to the right; reflected, the same happens the other way."""
    start = GAME.parse("....\np*.o\n....\n")
    after = ScriptPosition(GAME, symmetry.state(start.state)).apply(symmetry.key("r"))
    assert after.state == symmetry.state(start.apply("r").state)


def test_order_that_matters_is_no_symmetry() -> None:
    """By its rules right and left are the same; but of two crates that want one cell the left one gets it."""
    rules = "horizontal [ Crate | no Crate ] -> [ > Crate | ]"
    one, two = (game_of(script(rules=rules, levels=level), "order") for level in ("*..\np.o", "*.*\np.o"))
    flipped = [[0, 1, 2, 3], [1, 0, 2, 3]]
    assert [symmetry.directions for symmetry in two.symmetries] == flipped
    assert len(one.symmetries) >= 2


def test_a_seed_is_kept() -> None:
    game = game_of(script(rules="[ stationary Crate ] -> [ randomdir Crate ]"), "chance")
    level = made(game, 1, **{"from": ("p*.o\n....\n\nseed abc\n",)})
    assert level.state.seed == "abc"
    assert "seed abc" in level.level_text()
    assert list(level.symmetries()) == [level]


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, level = tmp_path / "game.txt", tmp_path / "mine.txt"
    game.write_text(TEXT)
    level.write_text("p.*.o\n.....\n")
    words = ["--count", "2", "--moves", "2..", "--max-states", "150", "--workers", "1", "--seed", "2"]
    code, answer = run_json(capsys, "generate", str(game), "--from", "0", "--from", str(level), *words)
    assert (code, len(answer["levels"])) == (exits.YES, 2)
    assert answer["options"] == {"from": "0, p.*.o/.....", "changes": "4", "locked": "none"}
    code, out, _ = run(capsys, "generate", "--from", "0", str(game), *words)
    assert code == exits.YES
    assert out.count("\n....") >= 2
    for text in (entry["level"] for entry in answer["levels"]):
        (tmp_path / "one.txt").write_text(text)
        assert translators.find(str(game)).parse(text)
        assert run(capsys, "solve", str(game), str(tmp_path / "one.txt"))[0] == exits.YES


def test_what_cannot_be_changed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "game.txt"
    game.write_text(TEXT)
    code, _, err = run(capsys, "generate", str(game), "--from", "7")
    assert (code, "'7' is neither a file nor a level of" in err) == (exits.BAD_INPUT, True)
    code, _, err = run(capsys, "generate", str(game), "--all")
    assert (code, "cannot list every level" in err) == (exits.BAD_INPUT, True)
    with pytest.raises(ParseError, match="is not a glyph of this game"):
        generate(GAME, {"from": ("p?o",)})
    with pytest.raises(ParseError, match="no levels that could be changed"):
        generate(game_of(script(levels="message nothing"), "none"))
    with pytest.raises(UnsupportedFeature, match="this rule is random"):
        generate(game_of(script(rules="[ stationary Crate ] -> [ randomdir Crate ]"), "chance"), count=1)


@pytest.mark.parametrize("words", [[], ["--workers", "2"]])
def test_a_faulty_game_warns_once(words: list[str], tmp_path: Path) -> None:
    """The options of `generate` depend on the game, and its workers read the game, too."""
    (tmp_path / "faulty.txt").write_text(TEXT.replace("Crate\norange", "Crate\n#12345678"))
    line = [sys.executable, "-m", "unpuzzle", "generate", "faulty.txt", "--from", "0", "--count", "1", *words]
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stderr.count("is not a colour") == 1
    assert ran.stderr.startswith("faulty.txt:")
    assert ": warning: " in ran.stderr
    ran = subprocess.run([*line, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (ran.stderr, len(json.loads(ran.stdout)["warnings"])) == ("", 1)
