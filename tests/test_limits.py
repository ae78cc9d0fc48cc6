"""Limits and deadlines: what counts as a run's memory, how files are read, and that each phase asks the clock."""

import gc
import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from support.clocks import SecondsPerLook
from support.limited import Called, within
from support.pddl_texts import task
from unpuzzle.base.errors import LimitReached, ParseError
from unpuzzle.base.files import PIECE, read_bytes, read_stream
from unpuzzle.base.run import Limits, Run, checkpoint, phase, within_limits
from unpuzzle.model.replaying import task_within
from unpuzzle.pddl import lint, parse_plan, parse_task, read, validate
from unpuzzle.pddl.plans import read_plan
from unpuzzle.planners.reference import Reference
from unpuzzle.planning.registry import missing
from unpuzzle.solving import solve
from unpuzzle.state_space.exploration import explore
from unpuzzle.translators.sokoban import Sokoban
from unpuzzle.verification.bisimulation import same

MB = 1 << 20
NAMES = [f"o{i}" for i in range(3000)]
MANY = f"(:objects {' '.join(NAMES)}) (:init {' '.join(f'(p {name})' for name in NAMES)}) (:goal (q))"
DOMAIN = "(:predicates (p ?x) (q)) (:action a :parameters (?x) :precondition (p ?x) :effect (q))"
TEXTS = f"(define (domain d) {DOMAIN})", f"(define (problem x) (:domain d) {MANY})"
DEEP = (
    "(:predicates (e ?x ?y) (q)) (:action a :parameters () :precondition"
    " (forall (?x ?y ?z) (or (e ?x ?y) (not (e ?y ?z)) (not (e ?z ?x)))) :effect (q))"
)
FEW = "(:objects a b c d e f g h i j k l) (:init (e a b)) (:goal (q))"


# ---- one deadline


def test_a_phase_is_named_in_messages(seconds_per_look: SecondsPerLook) -> None:
    run = Run(Limits(time=10), "reading")
    with pytest.raises(LimitReached, match="while searching"), run, phase("searching"):
        [checkpoint() for _ in range(20)]
    assert run.over()


def test_limits_that_are_left_belong_to_the_same_run() -> None:
    deadline = Run(Limits(time=1000, memory=1 << 40))
    again = Run(deadline.limits.lasting(5), "planning")
    assert again.usage is deadline.usage
    assert again.most == deadline.most
    assert again.end < deadline.end


def test_in_another_process_the_run_is_another_one() -> None:
    left = pickle.loads(pickle.dumps(Run(Limits(time=1000, memory=7)).limits))
    assert (left.memory, left.held, left.usage) == (7, None, None)


def test_before_each_thing_is_a_checkpoint() -> None:
    calls: list[int] = []
    with Called(lambda: calls.append(1)):
        assert list(within_limits("abc")) == ["a", "b", "c"]
    assert len(calls) == 3
    assert within_limits("abc") == "abc"


def test_before_what_takes_long_memory_is_looked_at() -> None:
    with pytest.raises(LimitReached, match="the memory limit was reached while working"):
        within(Limits(memory=1, held=0), lambda: list(within_limits("abc", long=True)))


# ---- memory


def taken(program: str) -> list[int]:
    """The numbers that a program in a process of its own prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return [int(word) for word in done.stdout.split()]


PEAK = """
from unpuzzle.base.run import Limits
from unpuzzle.base.run import Run
old = bytearray(300 << 20)
{before}
run = Run(Limits(memory=200 << 20))
new = bytearray(100 << 20)
run.look()
del new
print(run.peak(), run.taken())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    "before", ["", "del old", "import unpuzzle.base.run as l; l.forget_peak_memory = lambda: False"]
)
def test_what_the_process_held_before_is_not_the_runs(before: str) -> None:
    peak, now = taken(PEAK.format(before=before))
    assert 100 * MB <= peak < 110 * MB
    assert now < 10 * MB


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_what_whoever_starts_a_process_holds_is_not_its_own() -> None:
    ours = bytearray(400 << 20)
    peak, _ = taken(PEAK.format(before="del old"))
    assert 100 * MB <= peak < 110 * MB
    assert len(ours) > peak


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("planner", ["native:blind", "reference", "rules:bfs"])
def test_a_result_tells_the_peak_of_its_run(planner: str) -> None:
    if missing(planner) is not None:
        pytest.skip("the core is not compiled")
    program = f"""
from unpuzzle import Limits, find, solve
old = bytearray(600 << 20)
game = find("sokoban")
result = solve(game.parse(game.levels["1"]), {planner!r}, limits=Limits(memory=500 << 20))
print(result.solved, result.peak_memory)
""".replace("result.solved", "int(result.solved)")
    solved, peak = taken(program)
    assert solved
    assert peak < 200 * MB


def test_where_the_mark_cannot_be_set_back_what_was_seen_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    held = iter([50, 90, 70, 60])
    monkeypatch.setattr("unpuzzle.base.run.resident_memory", lambda: next(held) * MB)
    monkeypatch.setattr("unpuzzle.base.run.peak_memory", lambda: 1 << 40)
    monkeypatch.setattr("unpuzzle.base.run.forget_peak_memory", lambda: False)
    run = Run(Limits(memory=1 << 30))
    assert [run.taken(), run.taken(), run.peak()] == [40 * MB, 20 * MB, 40 * MB]


# ---- files


def test_a_file_too_large_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * 1000)
    monkeypatch.setattr("unpuzzle.base.files.read_stream", lambda *_, **options: pytest.fail("it was read"))
    with pytest.raises(LimitReached, match="the memory limit was reached while working"):
        within(Limits(memory=500), read_bytes, path)


def test_what_has_no_size_is_read_in_pieces_between_which_the_clock_is_asked(seconds_per_look: SecondsPerLook) -> None:
    class Endless(io.RawIOBase):
        pieces = 0

        def read(self, size: int = -1) -> bytes:
            self.pieces += 1
            return b"x" * size

    endless = Endless()
    with pytest.raises(LimitReached) as reached:
        within(Limits(time=7), read_stream, endless)
    assert (reached.value.status, endless.pieces) == ("timeout", 8)
    endless = Endless()
    with pytest.raises(LimitReached) as reached:
        within(Limits(memory=20 * PIECE), read_stream, endless)
    assert reached.value.status == "memout"
    assert endless.pieces <= 20


def test_a_text_ends_at_its_first_nul_byte_and_other_files_do_not() -> None:
    data = b"x" * PIECE + b"\0" + b"y" * (3 * PIECE)
    assert len(read_stream(io.BytesIO(data))) == 2 * PIECE
    assert read_stream(io.BytesIO(data), text=False) == data


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no /dev/zero")
def test_a_device_without_end_is_no_text() -> None:
    with pytest.raises(ParseError, match="NUL byte"):
        read("/dev/zero", "/dev/zero")
    with pytest.raises(ParseError, match="NUL byte"):
        read_plan("/dev/zero")


PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


@PIPES
@pytest.mark.parametrize("text", [None, b"(define"])
def test_a_pipe_that_nobody_closes_is_left_at_the_limit(
    text: bytes | None, tmp_path: Path, seconds_per_look: SecondsPerLook
) -> None:
    os.mkfifo(tmp_path / "pipe")
    ends = [] if text is None else [os.open(tmp_path / "pipe", os.O_RDWR)]
    for end in ends:
        os.write(end, text or b"")
    with pytest.raises(LimitReached) as reached:
        within(Limits(time=7), read_bytes, tmp_path / "pipe")
    assert reached.value.status == "timeout"
    for end in ends:
        os.close(end)


@PIPES
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text = b"x" * 3 * PIECE
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(text,))
    writer.start()
    assert within(Limits(time=1e6), read_bytes, tmp_path / "pipe") == text
    writer.join()


# ---- each phase asks the clock: where a run is given half of the looks that it takes, it ends with a timeout


PHASES: dict[str, Callable[[], object]] = {
    "reading": lambda: parse_task(*TEXTS),
    "linting": lambda: lint(*TEXTS),
    "reading a plan": lambda: parse_plan("(a o1)\n" * 200_000),
    "validating": lambda: validate(task(DEEP, FEW), parse_plan("(a)")),
    "translating": lambda: task_within(Sokoban.parse(Sokoban.levels["1"])),
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_that_gives_a_value_raises(phase: str, seconds_per_look: SecondsPerLook) -> None:
    begin = seconds_per_look.reads
    within(Limits(time=1e9), PHASES[phase])
    looks = seconds_per_look.reads - begin
    assert looks >= 10, "it asks the clock"
    with pytest.raises(LimitReached, match="the time limit was reached while ") as reached:
        within(Limits(time=looks // 2), PHASES[phase])
    assert reached.value.status == "timeout"


@pytest.mark.parametrize("planner", ["native", "reference"])
def test_validation_of_a_plan_is_within_the_limits(planner: str, seconds_per_look: SecondsPerLook) -> None:
    if missing(planner) is not None:
        pytest.skip("the core is not compiled")
    deep = task(DEEP, FEW)
    assert solve(deep, planner, limits=Limits(time=1e9)).solved
    looks = seconds_per_look.reads
    result = solve(deep, planner, limits=Limits(time=looks - 100))
    assert (result.status, result.plan) == ("timeout", None)
    if planner == "native":
        assert result.message == "the time limit was reached while validating the plan"


def test_making_a_task_ready_is_within_the_limits(seconds_per_look: SecondsPerLook) -> None:
    result = within(Limits(time=100), Reference().solve, parse_task(*TEXTS))
    assert (result.status, result.expanded) == ("timeout", 0)


@pytest.mark.skipif(missing("native") is not None, reason="the core is not compiled")
def test_flattening_a_task_is_within_the_limits(seconds_per_look: SecondsPerLook) -> None:
    result = solve(parse_task(*TEXTS), "native", limits=Limits(time=100))
    assert (result.status, result.plan) == ("timeout", None)


def test_same_keeps_what_it_compared(seconds_per_look: SecondsPerLook) -> None:
    level = Sokoban.parse(Sokoban.levels["1"])
    whole = same(level, level.task(), max_states=300, limits=Limits(time=1e9))
    looks = seconds_per_look.reads
    assert (whole.status, whole.difference) == ("complete", None)
    part = same(level, level.task(), max_states=300, limits=Limits(time=looks * 0.9))
    assert (part.status, part.difference) == ("timeout", None)
    assert part.states <= whole.states
    none = same(level, level.task(), limits=Limits(time=3))
    assert (none.status, none.difference, none.exhaustive) == ("timeout", None, False)


def test_exploring_by_rules_and_by_the_core_end_at_the_limit(seconds_per_look: SecondsPerLook) -> None:
    assert explore(Sokoban.parse(Sokoban.levels["1"]), limits=Limits(time=20)).status == "timeout"
    gc.collect()
