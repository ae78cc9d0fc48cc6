"""Pictures of states that nobody described: tables that mark what changed, and graphs of objects."""

import json
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.command_line import Terminal
from support.pictured import PROBLEMS, game_of, start_of
from support.river import CROSSING, RIVER, river_files
from unpuzzle.cli import main
from unpuzzle.drawing import Path as Line
from unpuzzle.drawing import Rect, Text
from unpuzzle.pddl import parse_domain, parse_task
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl_game.fact_pictures import (
    MOST,
    MOST_NODES,
    WIDTH,
    ObjectGraph,
    _label,
    facts_picture,
    facts_table,
    spread,
)
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.rendering import picture_of, svg_of
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import Film

START = PddlGame(parse_domain(RIVER)).parse(CROSSING)
AFTER = START.apply("row:left:right:goat")


def test_a_table_marks_what_a_move_changed() -> None:
    assert AFTER.draw_after(START).split("\n") == [
        "at       cabbage left | -farmer left | +farmer right | -goat left | +goat right | wolf left",
        "missing  (at wolf right) (at cabbage right)",
    ]
    assert AFTER.draw_after(AFTER) == AFTER.draw()


def test_colours_do_not_count_for_the_width() -> None:
    atoms = parse_task(RIVER, CROSSING).problem.init
    wide = facts_table(atoms, (), (), colours=True)
    plain = facts_table(atoms, (), ())
    assert wide.replace("\033[32m", "").replace("\033[0m", "") == plain
    assert "\033[32m+cabbage left\033[0m" in wide
    assert max(map(len, plain.split("\n"))) <= WIDTH


def test_replay_marks_what_each_move_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", river_files(tmp_path), "p1", "row:left:right:goat", "row:right:left:farmer", "--draw"]) == 1
    lines = capsys.readouterr().out.split("\n")
    assert "at       cabbage left | farmer left | goat left | wolf left" in lines
    assert "at       cabbage left | -farmer left | +farmer right | -goat left | +goat right | wolf left" in lines
    assert "at       cabbage left | +farmer left | -farmer right | goat right | wolf left" in lines


def test_a_terminal_shows_changes_in_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    domain = river_files(tmp_path)
    for words in (
        ["trace", domain, "p1", "row:left:right:goat"],
        ["replay", domain, "p1", "row:left:right:goat", "--draw"],
    ):
        out = Terminal()
        monkeypatch.setattr("sys.stdout", out)
        main(words)
        assert "\033[32m" in out.getvalue()
        assert "\033[31m" in out.getvalue()
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr("sys.stdout", out := Terminal())
        main(words)
        assert "\033[" not in out.getvalue()
        monkeypatch.delenv("NO_COLOR")


def test_a_table_is_drawn_and_its_facts_slide() -> None:
    film = Film.of(Scene.of(START, ["row:left:right:goat", "row:right:left:farmer"]))
    kinds = [{kind for *_, kind in frame} for frame in film.frames]
    assert "at goat left" in kinds[0] & kinds[1] - kinds[2]
    looks = [{look for look, *_ in frame} for frame in film.frames]
    assert {"+at goat right", "-at goat left", "at wolf left"} <= looks[1]
    assert {"at goat right", "+at farmer left"} <= looks[2]
    ElementTree.fromstring(svg_of(AFTER))
    assert "text" in svg_of(START)
    assert "missing" in svg_of(START)


def test_lines_of_a_table_are_broken_and_very_many_facts_are_counted() -> None:
    facts = [Atom("p", (f"object-{number}",)) for number in range(MOST + 20)]
    ground, pieces = facts_picture(facts, [])
    assert max(column for _, _, column, _ in pieces) < ground.columns < 30
    assert "p and 20 more facts" in ground.looks
    assert len(pieces) == MOST + 1 + 1 + 2


def shapes_of(task: Task) -> list[object]:
    return list(ObjectGraph(task).ground().shapes)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_graph_is_the_same_every_time_and_no_nodes_overlap(name: str) -> None:
    task = start_of(name).task()
    ground = ObjectGraph(task).ground()
    assert ground == ObjectGraph(task).ground()
    nodes = [shape for shape in ground.shapes if isinstance(shape, Rect) and shape.thick == 0.07]
    assert len(nodes) == len(task.domain.constants) + len(task.problem.objects)
    for one, other in combinations(nodes, 2):
        across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        assert min(across, down) <= 0
    for node in nodes:
        assert -0.01 <= node.x <= ground.columns - node.width + 0.01
        assert -0.01 <= node.y <= ground.rows - node.height + 0.01


def test_a_graph_says_what_is_true_and_what_is_missing() -> None:
    shapes = shapes_of(start_of("logistics").task())
    words = [shape.words for shape in shapes if isinstance(shape, Text)]
    assert {"plane", "airport", "at", "lies", "in-city", "goal: lies"} <= {*words}
    assert words.count("goal: lies") == 2
    broken = [shape for shape in shapes if isinstance(shape, Line) and shape.line == "goal" and not shape.closed]
    assert len(broken) == 2
    words = [shape.words for shape in shapes_of(start_of("sokoban").task()) if isinstance(shape, Text)]
    assert "lines without a label: next" in words
    assert words.count("goal: home") == 2
    assert "player-at, clear" in words
    words = [shape.words for shape in shapes_of(start_of("blocksworld").task()) if isinstance(shape, Text)]
    assert "true: hand-empty" in words


def test_other_parts_of_a_goal_stand_below() -> None:
    words = [shape.words for shape in shapes_of(AFTER.task()) if isinstance(shape, Text)]
    assert words.count("goal: at") == 2
    goal = CROSSING.replace("(not (eaten))", "(not (at farmer left)) (forall (?t - thing) (at ?t right))")
    words = [shape.words for shape in shapes_of(parse_task(RIVER, goal)) if isinstance(shape, Text)]
    (line,) = [line for line in words if line.startswith("goal: (")]
    assert line == "goal: (at farmer right) (not (at farmer left))"


def test_a_graph_of_nothing() -> None:
    task = parse_task("(define (domain d) (:predicates (p)))", "(define (problem p) (:domain d) (:init) (:goal (p)))")
    words = [shape.words for shape in shapes_of(task) if isinstance(shape, Text)]
    assert words == ["goal: (p)"]


def test_draw_makes_graphs_of_every_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "x.svg")
    assert main(["draw", "hanoi", "3", "AC", "--graph", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["graph"] == file
    assert "disc3" in Path(file).read_text()
    assert main(["draw", river_files(tmp_path), "p1", "--graph", file]) == 0
    assert capsys.readouterr().out == f"{file}\n"
    assert "goal: at" in Path(file).read_text()


def test_too_many_objects_make_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    objects = " ".join(f"o{number}" for number in range(MOST_NODES + 1))
    (tmp_path / "d.pddl").write_text("(define (domain d) (:predicates (p ?x)))")
    problem = f"(define (problem p) (:domain d) (:objects {objects}) (:init (p o3)) (:goal (p o4)))"
    (tmp_path / "p.pddl").write_text(problem)
    file = str(tmp_path / "x.svg")
    assert main(["draw", str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"), "--graph", file]) == 0
    assert "a graph of 41 objects cannot be read, at most 40 can" in capsys.readouterr().err
    assert "o3" in Path(file).read_text()


def test_a_graph_is_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "hanoi", "3", "--graph", str(tmp_path / "x.html")]) == 2
    assert "not a page to play on" in capsys.readouterr().err
    assert main(["draw", "hanoi", "3", "--graph", str(tmp_path / "x.tiff")]) == 2
    assert not list(tmp_path.iterdir())


def test_pieces_of_a_board_are_drawn_into_every_kind_of_file(tmp_path: Path) -> None:
    game = game_of("river")
    for ending in ("svg", "html", "png", "gif", "pdf"):
        if ending in ("png", "gif", "pdf"):
            pytest.importorskip({"pdf": "reportlab"}.get(ending, "resvg_py"))
        file = tmp_path / f"x.{ending}"
        assert main(["draw", str(game.file), "crossing", "row:left:right:goat", "-o", str(file)]) == 0
        assert file.stat().st_size > 1000
    assert picture_of(game.parse(game.levels["crossing"]))[0].aims[0] == "at farmer right"


def test_a_missing_goal_is_listed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.pddl").write_text("(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))")
    (tmp_path / "p.pddl").write_text("(define (problem x) (:domain d) (:init (q)) (:goal (and (p) (imply (q) (p)))))")
    assert main(["draw", str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "missing  (p)"


@pytest.mark.parametrize("pairs", ["ab bc cd", "ab bc ca", "ab bc cd da", "ab ac ad"])
def test_neighbours_stand_about_one_apart_and_others_further(pairs: str) -> None:
    near: dict[str, set[str]] = {}
    for one, other in pairs.split():
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    places = spread(sorted(near), near)
    for one, other in combinations(near, 2):
        apart = abs(places[one] - places[other])
        assert 0.85 < apart < 1.15 if other in near[one] else apart > 1.2


def test_a_label_of_a_line_stands_in_the_middle_of_its_back() -> None:
    boxes: list[tuple[complex, complex]] = []
    for role in ("goal", "wall"):
        back, text = _label("road", 0j, 4 + 2j, boxes, role)
        assert isinstance(back, Rect)
        assert isinstance(text, Text)
        assert (back.x + back.width / 2, back.y + back.height / 2) == pytest.approx((text.x, text.y))
        assert boxes[-1] == (complex(text.x, text.y), complex(back.width, back.height))
    assert boxes[0][0] == 2 + 1j, "the middle of the line, which is free for the first"
    assert boxes[1][0] != 2 + 1j
