"""Functions called in a process of their own: what comes back, and which limits hold there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.limited import within
from unpuzzle.base.errors import LimitReached, PlannerFailed, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.processes.program import call_as_program
from unpuzzle.rendering import saving
from unpuzzle.rendering.saving import render
from unpuzzle.rendering.scenes import Scene
from unpuzzle.translators.boxup import Boxup

LEVEL = Boxup.parse(Boxup.levels["1"])


def call(module: str, name: str, *arguments: object, limits: Limits | None = None) -> object:
    return within(limits or Limits(), call_as_program, module, name, arguments, "testing")


def test_what_a_function_returns_comes_back() -> None:
    assert call("builtins", "divmod", 17, 5) == (3, 2)


def test_what_a_function_raises_comes_back() -> None:
    with pytest.raises(ZeroDivisionError):
        call("builtins", "divmod", 17, 0)
    with pytest.raises(UsageError, match="there is no paper size 'a3'"):
        call("unpuzzle.rendering.paper", "size_of", "a3")


def test_a_process_that_breaks_is_told() -> None:
    with pytest.raises(PlannerFailed, match="the process for testing ended with exit code 7"):
        call("os", "_exit", 7)


def test_the_time_limit_holds_there() -> None:
    with pytest.raises(LimitReached, match="the time limit was reached while testing") as reached:
        call("time", "sleep", 100_000, limits=Limits(time=0.5))
    assert reached.value.status == "timeout"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's limit of an address space")
def test_the_memory_limit_holds_there() -> None:
    with pytest.raises(LimitReached, match="the memory limit was reached while testing") as reached:
        call("builtins", "bytearray", 4 << 30, limits=Limits(memory=500 << 20))
    assert reached.value.status == "memout"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's limit of an address space")
def test_a_lack_of_memory_may_look_like_a_library_that_is_missing() -> None:
    with pytest.raises(LimitReached, match="the memory limit was reached while testing"):
        call("no_library", "f", limits=Limits(memory=50 << 20))
    with pytest.raises(ModuleNotFoundError):
        call("no_library", "f", limits=Limits(memory=1 << 30))


@pytest.mark.parametrize("kind", [".png", ".gif", ".pdf"])
def test_pictures_drawn_there_are_those_drawn_here(kind: str) -> None:
    moves = ("U", "L") if kind == ".gif" else ()
    there = render(Scene.of(LEVEL, moves), kind, apart=True)
    assert there == render(Scene.of(LEVEL, moves), kind)


def test_what_we_draw_ourselves_is_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.rendering.saving.call_as_program", lambda *_: pytest.fail("it went there"))
    assert render(Scene.of(LEVEL), ".svg", apart=True) == render(Scene.of(LEVEL), ".svg")


def test_a_picture_that_takes_too_long_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    with pytest.raises(LimitReached) as reached:
        saving.save(LEVEL, str(path), limits=Limits(time=1e-6))
    assert reached.value.status == "timeout"
    assert not path.exists()
