"""The command line, editors, agents, watching and the studio say the same, each asked by its real protocol."""

from collections.abc import Iterator

import pytest
from workspace.situations import DOORS, EXITS, SITUATIONS, Situation

from support.doors import Doors, folder_of

pytest.importorskip("pygls")
pytest.importorskip("mcp")
pytest.importorskip("starlette")

CASES = [pytest.param(each, door, id=f"{each.name}-{door}") for each in SITUATIONS for door in each.doors]


@pytest.fixture(scope="module")
def doors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """All doors, at the folders of all situations."""
    root = tmp_path_factory.mktemp("doors").resolve()
    for situation in SITUATIONS:
        for name, data in situation.files.items():
            path = root / folder_of(situation) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)
    with Doors(root) as opened:
        for item in request.session.items:
            if item.path == request.path and "door" in getattr(item, "fixturenames", ()):
                opened.begin(item.callspec.params["door"], item.callspec.params["situation"])
        yield opened


@pytest.mark.parametrize(("situation", "door"), CASES)
def test_a_door_says_what_it_must(situation: Situation, door: str, doors: Doors) -> None:
    said = doors.ask(door, situation)
    assert said.verdict == situation.verdict, said.words
    assert situation.says in said.words
    if door == "cli":
        assert said.code == situation.exit_code, said.words
    if door == "watch":  # which exits as `lint` does, too: faults that are no errors of the syntax are a no
        known = {"refused": (2, 1), "undecided": (situation.exit_code,)}
        assert said.code in known.get(situation.verdict, (EXITS[situation.verdict],)), said.words


def test_the_situations_are_many_and_most_doors_are_asked() -> None:
    assert len({folder_of(each) for each in SITUATIONS}) == len(SITUATIONS) >= 60
    assert sum(len(each.doors) >= 4 for each in SITUATIONS) >= 30
    assert all(any(door in each.doors for each in SITUATIONS) for door in DOORS)
