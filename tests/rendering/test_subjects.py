"""Pictures of positions and of tasks, moves as texts, and files that are whole or not there."""

import errno
import os
import pickle
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from unpuzzle import Position, find
from unpuzzle.base.errors import UsageError
from unpuzzle.model.task import atom
from unpuzzle.play.web_page import page_of_scene
from unpuzzle.rendering import draw, save, svg_of
from unpuzzle.rendering.scenes import Scene, _near, drawn_state, picture_of, pieces_of, signs_of

BOXUP = find("boxup")
START = BOXUP.parse(BOXUP.levels["1"])
TASK = START.task()


def test_a_task_is_drawn_as_the_facts_of_its_initial_state() -> None:
    lines = draw(TASK).split("\n")
    facts = [fact for line in lines for fact in line.replace(") (", ")\n(").split("\n")]
    assert sorted(facts) == sorted(map(str, TASK.problem.init))
    assert all(
        len({fact.strip("()").split()[0] for fact in line.replace(") (", ")\n(").split("\n")}) == 1 for line in lines
    )
    ground, pieces = picture_of(TASK)
    labels = [look for look, *_ in pieces if look.startswith("name ")]
    assert len(labels) == len(lines)
    assert len(pieces) == len(labels) + len(TASK.problem.init)
    assert {row for _, row, *_ in pieces} == set(range(round(ground.rows)))
    root = ElementTree.fromstring(svg_of(TASK))
    assert root.get("aria-label") == f"{TASK.domain.name} {TASK.problem.name}"


def test_a_position_is_drawn_as_it_draws_itself() -> None:
    assert draw(START) == START.draw()
    assert picture_of(START) == (START.ground(), START.pieces())


@pytest.mark.parametrize("value", ["boxup 1", None, BOXUP])
def test_other_values_have_no_picture(value: object) -> None:
    with pytest.raises(UsageError, match="a picture needs a position or a task, not a"):
        svg_of(value)  # type: ignore[arg-type]


def test_a_task_has_no_moves_and_no_page() -> None:
    with pytest.raises(UsageError, match="not a PDDL task"):
        Scene.of(TASK, "U")
    with pytest.raises(UsageError, match="not a PDDL task"):
        page_of_scene(Scene.of(TASK))


def test_moves_are_read_as_the_command_line_reads_them() -> None:
    hanoi = find("hanoi")
    peg = hanoi.parse(hanoi.levels["3"])
    assert Scene.of(START, "ULDRR") == Scene.of(START, [*"ULDRR"]) == Scene.of(START, "U L DRR")
    assert Scene.of(peg, "AC AB").moves == ("AC", "AB")


def test_scenes_travel_to_other_processes() -> None:
    for scene in (Scene.of(START, "UL", theme="dark", pixels=9), Scene.of(TASK)):
        assert pickle.loads(pickle.dumps(scene)) == scene


def test_a_file_is_whole_or_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.svg"
    save(START, str(path), moves="ULDRR")
    assert ElementTree.fromstring(path.read_text()).tag.endswith("svg")
    before = path.read_text()

    replace = os.replace

    def full(source: str, target: str) -> None:
        if source.endswith(".part"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr("unpuzzle.base.files.os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        save(TASK, str(path))
    assert (path.read_text(), os.listdir(tmp_path)) == (before, ["x.svg"])


# ---- PDDL states drawn: which atoms tell which pieces is read off positions


def level(name: str, label: str) -> Position:
    game = find(name)
    return game.parse(game.levels[label])


@pytest.mark.parametrize(
    ("name", "label"),
    [("boxup", "3"), ("sliding-tiles", "2x3"), ("pacman", "room"), ("sokoban", "1"), ("lights-out", "3x3")],
)
def test_the_pieces_of_a_position_follow_from_its_atoms(name: str, label: str) -> None:
    start = level(name, label)
    positions = list(_near(start, ()))
    told = signs_of(positions)
    for position in Random(1).sample(positions, min(30, len(positions))):
        assert sorted(pieces_of(told, position.atoms())) == sorted(picture_of(position)[1])


def test_a_state_of_no_position_is_drawn() -> None:
    """Sokoban with two players, as a domain has it in which the player does not leave."""
    start = level("sokoban", "1")
    state = start.apply("u").atoms() | {atom("player", "r4c4")}
    drawn = drawn_state(start, ["u"], state)
    assert drawn is not None
    assert drawn.count("@") == 2


def test_a_state_of_a_position_is_that_position() -> None:
    start = level("hanoi", "3")
    assert drawn_state(start, [], start.apply("AC").atoms()) == start.apply("AC").draw()
    assert drawn_state(start, [], frozenset()) is None
