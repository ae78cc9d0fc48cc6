"""A chunk of candidates that a limit cuts off keeps the levels that it has: in one process and in workers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.clocks import SecondsPerLook
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.generation import candidates, generating, judging
from unpuzzle.generation.candidates import Chunk, GeneratedLevel, LevelRequest
from unpuzzle.generation.generating import generate
from unpuzzle.generation.judging import judge_by_constraints, judge_by_rules
from unpuzzle.model.capabilities import completed
from unpuzzle.translators import find
from unpuzzle.translators.boxup import Boxup

ALL = LevelRequest(1, None, False, False, 200_000)


def chunk(game: object, number: int, limits: Limits, wish: LevelRequest = ALL) -> Chunk:
    return Chunk(game, completed(game, {}), 1, range(number), wish, None, limits, candidates.clock())


def whole(name: str, judge: object, wish: LevelRequest = ALL, number: int = 12) -> tuple:
    judged = judge(chunk(find(name), number, Limits(), wish))
    assert judged.status is None
    return judged.verdicts


@pytest.mark.parametrize(("name", "judge"), [("24", judge_by_rules), ("sudoku", judge_by_constraints)])
def test_one_by_one_those_before_the_limit_are_kept(name: str, judge: object, seconds_per_look: SecondsPerLook) -> None:
    every = whole(name, judge)
    took = seconds_per_look.reads
    assert took == 0, "without a limit nobody looks"
    judged = judge(chunk(find(name), 12, Limits(time=1e9)))
    half = seconds_per_look.reads // 2
    assert judged.verdicts == every
    judged = judge(chunk(find(name), 12, Limits(time=half)))
    assert judged.status == "timeout"
    assert 0 < len(judged.verdicts) < 12
    assert judged.verdicts == every[: len(judged.verdicts)]


def test_of_a_common_grounding_those_that_are_judged_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The spaces of some are never explored: the limit is reached at the fourth."""
    wish = LevelRequest(1, None, True, False, 200_000)
    every = dict(whole("boxup", judging.judge_together, wish, 100))
    asked = []

    def explored(together: object, key: str, level: GeneratedLevel) -> object:
        asked.append(key)
        if len(asked) > 3:
            raise LimitReached("timeout", "the time limit was reached")
        return every[key]

    monkeypatch.setattr(judging._Together, "explored", explored)
    judged = judging.judge_together(chunk(Boxup, 100, Limits(), wish))
    assert judged.status == "timeout"
    assert {key for key, _ in judged.verdicts} >= set(asked[:3])
    assert not {key for key, _ in judged.verdicts} & set(asked[3:])
    assert all(every[key] == verdict for key, verdict in judged.verdicts)


def test_levels_of_a_chunk_that_was_cut_off_are_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates.Chunk, "begin", cut_off_after(20, candidates.Chunk.begin))
    made = generate(find("24"), count=50, seed=1, limits=Limits(time=1e6))
    assert made.status == "timeout"
    assert 0 < made.candidates < 64
    assert len(made.levels) == made.candidates - made.duplicates - sum(made.rejected.values()) > 0


def cut_off_after(looks: int, begun: object) -> object:
    """A deadline that is reached when it has been looked at so often."""

    def begin(chunk: Chunk) -> object:
        deadline = begun(chunk)
        seen = []

        class Reached(type(deadline)):
            __slots__ = ()

            def look(self) -> None:
                seen.append(1)
                if len(seen) > looks:
                    raise LimitReached("timeout", "the time limit was reached while testing")

        deadline.__class__ = Reached
        return deadline

    return begin


def test_results_are_awaited_a_little_longer_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def results(*given: Any, **ways: object) -> Iterator[object]:
        waits.append(given[-1]())
        yield from ()

    monkeypatch.setattr(generating, "FOR_THE_REST", 1e6)
    monkeypatch.setattr(generating, "in_turn", results)
    generate(find("24"), count=1, limits=Limits(time=60))
    assert waits[0] > 60
