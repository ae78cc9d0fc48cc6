"""PDDL by forking: how its work is kept small, by what is tracked and by leaving garbage alone."""

from __future__ import annotations

import gc
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from support.limited import Called
from support.script_texts import script
from unpuzzle import translators
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.puzzlescript.game import ScriptPosition, game_of
from unpuzzle.puzzlescript.pddl_encoding.boards import Answers, UnknownBoard
from unpuzzle.puzzlescript.pddl_encoding.paths import Assumptions
from unpuzzle.verification.side_by_side import check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLLOWERS = "\n".join(
    ["#" * 12, *["#..........#"] * 4, "#p........*#", *["#..........#"] * 4, "#o.......o.#", "#" * 12]
)


def test_an_object_that_rules_ask_for_wherever_it_is_is_tracked() -> None:
    rules = "[ > Player ] [ Crate ] -> [ > Player ] [ > Crate ]"
    game = game_of(script(rules=rules, levels=FOLLOWERS, wins="all Target on Crate"), "followed")
    level = game.parse(game.levels["0"])
    forked = level.fork()
    crate = 1 << game.compiled.objects.index("crate")
    assert forked.assumed.tracked == game.compiled.player | crate
    assert check(level, max_states=300, walks=5, steps=20).same is not False


def test_an_object_that_is_asked_for_everywhere_by_one_key_alone_is_not_tracked() -> None:
    rules = "[ action Player ] [ Crate ] -> [ action Player ] [ right Crate ]"
    game = game_of(script(rules=rules, levels=FOLLOWERS), "called")
    level = game.parse(game.levels["0"])
    assert level.fork().assumed.tracked == game.compiled.player
    assert check(level, max_states=300, walks=5, steps=20).same is not False


def test_an_object_that_rules_ask_for_near_players_is_not_tracked() -> None:
    game = game_of(script(levels=FOLLOWERS), "pushed")
    assert game.parse(game.levels["0"]).fork().assumed.tracked == game.compiled.player


def fresh_level() -> ScriptPosition:
    """A level that nobody has translated before."""
    game = game_of(translators.find("falling-crates").source, "fresh")  # type: ignore[attr-defined]
    return game.parse(game.levels["3"])


def test_plays_learn_from_each_board_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[Sequence[int]] = []
    weaken = Assumptions._weaken

    def listening(assumed: Assumptions, cells: Sequence[int]) -> bool:
        boards.append(cells)
        return weaken(assumed, cells)

    monkeypatch.setattr(Assumptions, "_weaken", listening)
    monkeypatch.setattr(Assumptions, "play_randomly", lambda *_: None)
    fresh_level().task()
    assert boards
    assert len(boards) == len(set(boards))


@pytest.fixture
def collecting() -> Iterator[None]:
    """The collector of garbage is on, as it is by default."""
    was = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was else gc.disable)()


def test_boards_of_paths_are_no_work_for_a_collector() -> None:
    level = fresh_level()
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        level.task()
        gc.collect()
        assert not [found for found in gc.garbage if isinstance(found, (UnknownBoard, Answers))]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


@pytest.mark.parametrize("error", [None, KeyboardInterrupt, RuntimeError])
def test_garbage_is_left_alone_during_a_translation_only(error: type[BaseException] | None, collecting: None) -> None:
    on = []

    def tick() -> None:
        on.append(gc.isenabled())
        if error is not None:
            raise error

    with nullcontext() if error is None else pytest.raises(error), Called(tick):
        fresh_level().translate()
    assert on
    assert not any(on)
    assert gc.isenabled()


def test_garbage_is_collected_again_after_a_refusal(collecting: None) -> None:
    game = game_of(script(rules="[ > Player | Crate ] -> restart", levels="p.*o"), "refused")
    with pytest.raises(UnsupportedFeature):
        game.parse(game.levels["0"]).task()
    assert gc.isenabled()


def test_who_leaves_garbage_alone_is_left_to_it(collecting: None) -> None:
    gc.disable()
    fresh_level().translate()
    assert not gc.isenabled()
