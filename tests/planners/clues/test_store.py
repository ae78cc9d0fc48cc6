"""Indexes are built once, whole or not at all, and again when their input changes."""

from __future__ import annotations

import os
import stat

import numpy as np
import pytest

from unpuzzle.base.errors import PlannerFailed
from unpuzzle.planners.clues.local_sources import (
    CHECKSUMS,
    cache_folder,
    key_of,
    load_arrays,
    load_or_build,
    save_arrays,
)


def builder(calls):
    def build(folder):
        calls.append(folder)
        with open(os.path.join(folder, "value"), "w") as file:
            file.write(str(len(calls)))

    return build


def load(folder):
    with open(os.path.join(folder, "value")) as file:
        return int(file.read())


def test_what_is_built_is_kept(cache):
    calls = []
    assert [load_or_build("thing", "0" * 16, builder(calls), load) for _ in range(3)] == [1, 1, 1]
    assert os.listdir(cache) == ["thing-" + "0" * 16]


def test_another_input_is_built_again_and_the_old_one_forgotten(cache, tmp_path):
    calls, path = [], tmp_path / "input"
    path.write_text("a")
    first = key_of([str(path)])
    assert key_of([str(path)]) == first
    load_or_build("thing", first, builder(calls), load)
    path.write_text("ab")
    assert key_of([str(path)]) != first
    assert key_of([str(path)], "2") != key_of([str(path)], "1")
    assert load_or_build("thing", key_of([str(path)]), builder(calls), load) == 2
    assert len(os.listdir(cache)) == 1


def test_what_is_damaged_is_built_again(cache):
    calls = []
    load_or_build("thing", "0" * 16, builder(calls), load)
    (cache / ("thing-" + "0" * 16) / "value").write_text("not a number")
    assert load_or_build("thing", "0" * 16, builder(calls), load) == 2


def values(folder):
    """Two arrays, of which the second one is looked at."""
    return load_arrays(folder)["words3"].tolist()


def filler(calls):
    def build(folder):
        calls.append(folder)
        save_arrays(folder, {"mass": np.zeros(5000, np.float32), "words3": np.array([b"CAT", b"COW", b"DOG"])})

    return build


@pytest.mark.parametrize("name", ["mass.npy", "words3.npy", CHECKSUMS])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.999])
@pytest.mark.parametrize("damage", ["one byte", "zeros", "cut off", "longer", "gone"])
def test_an_index_with_any_wrong_byte_is_built_again(cache, name, part, damage):
    """Also where numpy would read it without an error, and say AAA for every word."""
    calls = []
    for _ in range(2):
        assert load_or_build("thing", "0" * 16, filler(calls), values) == [b"CAT", b"COW", b"DOG"]
    assert len(calls) == 1
    path = cache / ("thing-" + "0" * 16) / name
    data = bytearray(path.read_bytes())
    place = int(part * len(data))
    if damage == "one byte":
        data[place] ^= 1
    elif damage == "zeros":
        data[place:] = bytes([255]) * (len(data) - place)
    elif damage == "cut off":
        del data[place:]
    elif damage == "longer":
        data += b"\0"
    path.write_bytes(data)
    if damage == "gone":
        path.unlink()
    assert load_or_build("thing", "0" * 16, filler(calls), values) == [b"CAT", b"COW", b"DOG"]
    assert len(calls) == 2
    assert load_or_build("thing", "0" * 16, filler(calls), values) == [b"CAT", b"COW", b"DOG"]
    assert len(calls) == 2


def test_what_another_program_built_meanwhile_is_taken(cache):
    calls = []

    def build(folder):
        if not calls:
            calls.append("first")
            load_or_build("thing", "0" * 16, build, load)  # the other program, while this one is at work
        with open(os.path.join(folder, "value"), "w") as file:
            file.write("7")

    assert load_or_build("thing", "0" * 16, build, load) == 7
    assert os.listdir(cache) == ["thing-" + "0" * 16]


def test_a_build_that_fails_leaves_nothing(cache):
    def build(folder):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_or_build("thing", "0" * 16, build, load)
    assert os.listdir(cache) == []


def test_where_nothing_can_be_written_that_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UNPUZZLE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(PlannerFailed, match=r"the index of thing cannot be kept in .*UNPUZZLE_CACHE may name another"):
        load_or_build("thing", "0" * 16, builder([]), load)


def test_the_cache_is_where_the_system_wants_it(monkeypatch, tmp_path):
    folder = tmp_path / "named"
    monkeypatch.setenv("UNPUZZLE_CACHE", str(folder))
    assert cache_folder() == str(folder)
    monkeypatch.delenv("UNPUZZLE_CACHE")
    platformdirs = pytest.importorskip("platformdirs", reason="the extra `words` is not installed")
    assert os.path.basename(cache_folder()) == "unpuzzle"
    assert cache_folder() == str(platformdirs.user_cache_path("unpuzzle", appauthor=False, opinion=False))


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_another_user_cannot_read_or_change_an_index(cache):
    load_or_build("thing", "0" * 16, builder([]), load)
    assert stat.S_IMODE((cache / ("thing-" + "0" * 16)).stat().st_mode) == 0o700
