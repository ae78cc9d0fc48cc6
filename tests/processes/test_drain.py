"""What programs print is read to its end, from one pipe or two, whichever ends first."""

from __future__ import annotations

import os
import select
import threading

import pytest

from unpuzzle.processes.program import Drain


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("texts", [[b"out", b""], [b"", b"error"], [b"x" * 300_000, b"y" * 300_000], [b"alone"]])
def test_each_pipe_is_read_to_its_end(texts: list[bytes], several: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not several:
        monkeypatch.delattr(select, "poll", raising=False)
    ends = [os.pipe() for _ in texts]
    drains = [Drain(os.fdopen(reading, "rb", buffering=0)) for reading, _ in ends]

    def write(pipe: int, text: bytes) -> None:
        with os.fdopen(pipe, "wb", buffering=0) as file:
            for start in range(0, len(text), 1000):
                file.write(text[start : start + 1000])

    writers = [threading.Thread(target=write, args=(pipe, text)) for (_, pipe), text in zip(ends, texts, strict=True)]
    for writer in writers:
        writer.start()
    for each, text in zip(drains, texts, strict=True):
        assert each.done.wait(60)
        assert each.data() == text


def test_what_the_pipe_holds_is_there_at_once() -> None:
    reading, writing = os.pipe()
    each = Drain(os.fdopen(reading, "rb", buffering=0))
    assert each.catch_up() == b""
    os.write(writing, b"(go a c)")
    assert each.catch_up() == b"(go a c)"
    os.close(writing)
    assert each.done.wait(60)
    assert each.catch_up() == b"(go a c)", "nobody reads from a closed pipe"


def test_a_pipe_that_stays_open_keeps_no_other_one_waiting() -> None:
    (first, held), (second, ended) = os.pipe(), os.pipe()
    drains = [Drain(os.fdopen(reading, "rb", buffering=0)) for reading in (first, second)]
    os.write(held, b"still here")
    os.write(ended, b"over")
    os.close(ended)
    assert drains[1].done.wait(60)
    assert (drains[1].data(), drains[0].done.is_set()) == (b"over", False)
    os.close(held)
    assert drains[0].done.wait(60)
    assert drains[0].data() == b"still here"
