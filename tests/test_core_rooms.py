"""The core in C++ has rooms: what each may include, and no circles."""

from __future__ import annotations

import re
from pathlib import Path

from support.modules import ROOT

CORE = ROOT / "planners" / "native" / "core"
MAY_INCLUDE = {
    "base": "",
    "task": "base",
    "state": "task",
    "storage": "base",
    "heuristics": "state",
    "pdbs": "heuristics",
    "symmetries": "state",
    "search": "storage pdbs symmetries",
    "plans": "search",
    "grounding": "task",
    "script": "storage search",
    "walking": "storage search",
    "boxes": "plans",
    "scheduling": "plans walking",
    "": "grounding script scheduling boxes",  # api.hpp, the one face
    "python": "",  # the bindings, which nothing includes
}
"""By room the rooms that it may include, and what those may."""


def _allowed(room: str) -> set[str]:
    rooms = set(MAY_INCLUDE[room].split())
    return rooms.union(*(_allowed(other) for other in rooms), {room})


def _room(path: str) -> str:
    return path.rpartition("/")[0]


def includes(folder: Path) -> dict[str, set[str]]:
    """Return the files of the core that each file includes, by their paths below the folder."""
    return {
        path.relative_to(folder).as_posix(): set(re.findall(r'#include "([^"]+)"', path.read_text()))
        for path in folder.rglob("*.[ch]pp")
    }


def wrong(folder: Path) -> list[str]:
    return [
        f"{file} includes {other}"
        for file, others in includes(folder).items()
        for other in sorted(others)
        if _room(file) != "python" and _room(other) not in _allowed(_room(file))
    ]


def test_includes_point_one_way() -> None:
    assert {_room(file) for file in includes(CORE)} == set(MAY_INCLUDE)
    assert not wrong(CORE)


def test_a_wrong_include_is_seen(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "memory.hpp").write_text('#include "search/search.hpp"\n')
    assert wrong(tmp_path) == ["base/memory.hpp includes search/search.hpp"]


def test_all_that_is_included_is_there() -> None:
    assert not [(file, other) for file, others in includes(CORE).items() for other in others - set(includes(CORE))]


def test_files_that_comments_name_are_there() -> None:
    names = {name for path in CORE.rglob("*.[ch]pp") for name in (path.name, path.relative_to(CORE).as_posix())}
    missing = [
        f"{file}: {name}"
        for file in includes(CORE)
        for line in (CORE / file).read_text().splitlines()
        for name in re.findall(r"[\w/]+\.[ch]pp", line.partition("//")[2])
        if name not in names
    ]
    assert not missing
