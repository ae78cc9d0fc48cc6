"""The passes of the compiler on small rules: what the facts about PuzzleScript say of them, as numbers."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from support.puzzlescript_data import lines_of
from support.script_texts import PUSH, script
from unpuzzle.puzzlescript.compiling.compiled import Compiled, Rule
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.engine.states import Draws, draws_at
from unpuzzle.puzzlescript.files import faults_of

LEGEND = "Thing = Player or Crate\nMixed = Crate or Target\nBoth = Crate and Target"
BACKGROUND, TARGET, PLAYER, WALL, CRATE = (1 << number for number in range(5))
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8


def compiled(rules: str, **parts: str) -> Compiled:
    return compile_game(script(rules=rules, legend=LEGEND, **parts))


def rules(text: str) -> list[Rule]:
    return compiled(text).all_rules()


def test_objects_are_numbered_layer_by_layer() -> None:
    game = compiled(PUSH)
    assert game.objects == ("background", "target", "player", "wall", "crate")
    assert game.layers == (BACKGROUND, TARGET, PLAYER | WALL | CRATE)
    assert (game.player, game.background_layer, game.background) == (PLAYER, BACKGROUND, BACKGROUND)


def test_rules_up_and_left_are_rules_down_and_right_reversed() -> None:
    found = rules("[ > Player | Crate ] -> [ > Player | > Crate ]")
    assert [rule.direction for rule in found] == [DOWN, DOWN, RIGHT, RIGHT]
    first = [cell.present for cell in found[0].rows[0] if cell is not None]
    assert first == [CRATE, PLAYER]
    assert [rule.direction for rule in rules("[ Player | ... | Crate ] -> win")] == [UP, DOWN, LEFT, RIGHT]


def test_a_rule_without_extent_has_one_direction() -> None:
    assert [rule.direction for rule in rules("[ Player ] -> [ Crate ]")] == [DOWN]
    assert [rule.direction for rule in rules("[ > Player ] -> [ Crate ]")] == [DOWN, DOWN, RIGHT, RIGHT]
    assert len(rules("horizontal [ up Player ] -> [ Crate ]")) == 1


def test_words_of_many_directions_are_each_of_them() -> None:
    assert len(rules("[ moving Player | moving Crate ] -> [ | ]")) == 100
    assert len(rules("right [ orthogonal Player | parallel Crate ] -> [ | ]")) == 8
    (cell,) = rules("right [ horizontal Player ] -> [ horizontal Player ]")[0].rows[0]
    assert cell is not None
    assert cell.replacement is not None
    assert cell.moves_present == cell.replacement.moves_set == 1 << 5 * 2 + 2


def test_a_word_on_the_right_takes_the_direction_chosen_in_its_place() -> None:
    text = "[ moving Player Target ] [ moving Player no Target ] -> [ stationary Player ] [ moving Player no Target ]"
    assert faults_of(script(rules=text)).listed == []
    for rule in rules(text):
        (first,), (second,) = rule.rows
        assert first is not None
        assert second is not None
        assert first.replacement is not None
        assert second.replacement is not None
        assert first.replacement.moves_set == 0
        assert second.replacement.moves_set == second.moves_present
    assert len(rules(text)) == 25


def test_of_directions_named_twice_the_last_counts() -> None:
    text = "up right up [ Player | Crate ] -> [ Crate | Player ]"
    assert [rule.direction for rule in rules(text)] == [RIGHT, DOWN]


def test_properties_of_one_layer_stay_and_others_are_chosen() -> None:
    (kept,) = rules("[ Thing ] -> [ ]")
    assert kept.rows[0][0] is not None
    assert kept.rows[0][0].any == (PLAYER | CRATE,)
    presents = [rule.rows[0][0].present for rule in rules("[ Mixed ] -> [ ]") if rule.rows[0][0] is not None]
    assert presents == [CRATE, TARGET]
    assert len(rules("right [ Thing | ] -> [ | Thing ]")) == 2


def test_aggregates_are_all_their_members() -> None:
    (rule,) = rules("[ Both ] -> [ ]")
    assert rule.rows[0][0] is not None
    assert rule.rows[0][0].present == CRATE | TARGET


def test_what_can_never_match_is_dropped() -> None:
    assert rules("[ Player Crate ] -> [ ]") == []
    assert rules("[ Player no Player ] -> [ ]") == []
    assert [rule.rows[0][0].present for rule in rules("[ Mixed Player ] -> [ ]") if rule.rows[0][0]] == [
        TARGET | PLAYER
    ]


def test_superfluous_absence_is_dropped() -> None:
    (rule,) = rules("[ Player no Wall ] -> [ Player no Wall ]")
    assert rule.rows[0][0] is not None
    assert rule.rows[0][0].missing == 0


def test_new_objects_are_stationary_in_layers_not_named_before() -> None:
    def layers(text: str) -> int:
        (cell,) = rules(text)[0].rows[0]
        assert cell is not None
        assert cell.replacement is not None
        return cell.replacement.moves_layers

    in_layer_2 = 0b11111 << 10
    assert layers("[ Target ] -> [ Target Crate ]") == in_layer_2
    assert layers("[ Target no Wall ] -> [ Target Crate ]") == 0
    assert layers("late [ Target ] -> [ Target Crate ]") == 0


def test_groups_and_loops() -> None:
    game = compiled(f"startloop\n{PUSH}\n+ [ Crate ] -> [ Wall ]\nlate [ Wall ] -> [ Crate ]\n{PUSH}\nendloop\n{PUSH}")
    assert [len(group.rules) for group in game.rules] == [5, 4, 4]
    assert [group.jump for group in game.rules] == [-1, 0, -1]
    assert [group.jump for group in game.late] == [0]


def test_rigid_groups_are_counted_from_one() -> None:
    game = compiled(f"{PUSH}\nrigid {PUSH}")
    assert game.rigid_groups == (1,)
    assert {rule.rigid_group for rule in game.rules[1].rules} == {1}
    assert {rule.rigid_group for rule in game.rules[0].rules} == {0}


def test_levels_have_a_ground_everywhere() -> None:
    game = compiled(PUSH, levels="message Hello\n\np*\n#o")
    assert [(level.width, level.height) for level in game.levels] == [(0, 0), (2, 2)]
    cells = (BACKGROUND | PLAYER, BACKGROUND | WALL, BACKGROUND | CRATE, BACKGROUND | TARGET)
    assert game.levels[1].cells == cells
    assert game.levels[0].text == "Hello"


def test_case_line_ends_and_marks_mean_nothing() -> None:
    text = script(legend=LEGEND)
    game = compile_game(text)
    assert compile_game(text.upper()) == game._replace(title="TEST")
    assert compile_game("\ufeff" + text.replace("\n", "\r\n")) == game


def test_a_compiled_game_is_plain_data() -> None:
    game = compiled("[ Mixed | ... | Thing ] [ > Player ] -> [ | ... | ] [ > Player ] again")
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(game) == hash(compiled("[ Mixed | ... | Thing ] [ > Player ] -> [ | ... | ] [ > Player ] again"))
    assert next(lines_of(game)) == "game 5 3"


def test_chance_is_rc4() -> None:
    """The key stream of the key `Key` is EB 9F 77 81 B7 34 CA ..., as everybody's is."""
    whole = int.from_bytes(bytes.fromhex("eb9f7781b734ca"), "big")
    assert Draws("Key").below(10**6) == whole * 10**6 // (2**56 - 1)


@given(st.integers(0, 350), st.text(max_size=5))
def test_draws_can_be_taken_up_anywhere(drawn: int, seed: str) -> None:
    draws = Draws(seed)
    for _ in range(drawn):
        draws.below(4)
    later = draws_at(seed, drawn).copy()
    assert [later.below(100) for _ in range(5)] == [draws.below(100) for _ in range(5)]
    assert later.drawn == drawn + 5
