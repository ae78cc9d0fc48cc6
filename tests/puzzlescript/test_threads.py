"""Two threads use one game at once, each within its own limits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from support.limited import Called
from support.script_texts import script
from unpuzzle import Limits, explore, solve
from unpuzzle.puzzlescript.game import ScriptGame, ScriptPosition, game_of

ROOM = "#######\n#p....#\n#.*.*.#\n#..o.o#\n#.....#\n#######"
PLAIN = script(levels=ROOM)


def walk(game: ScriptGame, seed: int) -> list[str]:
    """The positions of a walk, with what levels, pictures and PDDL say of them."""
    rng, position, seen = Random(seed), game.parse(game.levels["0"]), []
    for _ in range(60):
        seen += [str(position), position.level_text(), str(position.pieces()), str(len(position.ground().shapes))]
        seen.append(" ".join(position.moves()))
        position = position.apply(rng.choice(position.moves()))
    return [*seen, str(sorted(map(str, position.atoms())))]


def together(*work: Callable[[], object]) -> list[object]:
    """What some work gives that is begun at the same time."""
    barrier = Barrier(len(work))

    def begin(one: Callable[[], object]) -> object:
        barrier.wait()
        return one()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(begin, work))


@pytest.mark.parametrize("engine", ["python", "native"])
def test_walks_on_one_game_do_not_disturb_each_other(engine: str) -> None:
    alone = [walk(game_of(PLAIN, "room", engine=engine), seed) for seed in range(6)]
    shared = game_of(PLAIN, "room", engine=engine)
    assert together(*[lambda seed=seed: walk(shared, seed) for seed in range(6)]) == alone  # type: ignore[misc]


def test_each_search_has_its_own_limits() -> None:
    game = game_of(PLAIN, "room")
    position = game.parse(game.levels["0"])
    names = ("puzzlescript", "rules:bfs", "native:gbfs", "native:lmcut")
    alone = [solve(position, name).moves for name in names]
    spent = Limits(time=1e-9)
    results = together(
        *[lambda name=name: solve(position, name) for name in names],  # type: ignore[misc]
        *[lambda name=name: solve(position, name, limits=spent) for name in names],  # type: ignore[misc]
        lambda: explore(position).states,
    )
    assert [result.moves for result in results[:4]] == alone  # type: ignore[attr-defined]
    assert {result.status for result in results[4:8]} == {"timeout"}  # type: ignore[attr-defined]
    assert results[8] == explore(position).states


def test_each_thread_ticks_for_itself() -> None:
    game = game_of(PLAIN, "room")

    def counted(position: ScriptPosition) -> int:
        ticks: list[None] = []
        with Called(lambda: ticks.append(None)):
            position.moves()
        return len(ticks)

    start = game.parse(game.levels["0"])
    alone = counted(start)
    assert alone > 0
    assert together(*[lambda: counted(start)] * 4) == [alone] * 4
