"""Two threads ask one object of the core: who comes second waits until the first one is done."""

from __future__ import annotations

from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from support.pddl_texts import task
from support.script_texts import script
from unpuzzle.base.run import Run
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.families import CommonGround
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.puzzlescript.searching.native_engine import board_bytes, game_bytes

if TYPE_CHECKING:
    from collections.abc import Callable


BEFORE_THE_CORE_LOOKS = 0.11
"""Seconds after which the next look at the clock asks Python, too."""


class Second:
    """Asks in a thread of its own while another thread is at work in the core, which looks here."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self.answers: list[Any] = []
        self.waited: list[bool] = []
        self.thread = Thread(target=lambda: self.answers.append(ask()))

    def __call__(self, *figures: object) -> None:
        if not self.waited:
            self.thread.start()
            self.thread.join(0.1)
            self.waited.append(self.thread.is_alive())

    def check(self) -> None:
        self.thread.join()
        assert self.waited == [True]


class Watch(Run):
    """A deadline at whose looks a second thread asks."""

    def __init__(self, second: Second) -> None:
        super().__init__()
        self.second = second

    def interrupt(self) -> None:
        self.second()


@pytest.mark.parametrize("name", ["cells", "target", "drawn", "won", "capped", "endless", "set"])
def test_nobody_sees_a_board_in_the_middle_of_a_turn(name: str) -> None:
    game = game_of(script(levels="p.*.o"), "test").compiled
    cells = board_bytes(game.levels[0].cells, len(game.objects))

    def ask() -> object:
        return play.set(cells, None, 0) if name == "set" else getattr(play, name)

    second = Second(ask)
    play = _core.ScriptPlay(_core.ScriptGame(game_bytes(game)), 5, 1, cells, None, b"", 0, True, True, second)
    sleep(BEFORE_THE_CORE_LOOKS)
    play.press("r")
    second.check()
    if name == "set":
        assert play.cells == cells
    else:
        assert second.answers == [getattr(play, name)]


def test_nobody_asks_a_grounding_that_makes_its_task() -> None:
    domain = "(:predicates (p ?x)) (:action a :parameters (?x) :precondition (not (p ?x)) :effect (p ?x))"
    lifted = task(domain, "(:objects a b) (:init) (:goal (p a))")
    start = frozenset(lifted.problem.init)
    ground = CommonGround(lifted, [start], [lifted.problem.goal])
    second = Second(lambda: ground.initial(0))
    sleep(BEFORE_THE_CORE_LOOKS)
    with Watch(second):
        ground.task()
    second.check()
    assert second.answers == [ground.initial(0)]
