"""A PDDL domain is a game: what find() makes of a file, its levels, moves, and what every game keeps."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

import unpuzzle
from support.river import CROSSING, RIVER, ROADS, delivery, river_files
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.cli import main
from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_domain, parse_task, write
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.testing import laws
from unpuzzle.translators import find

OPEN = delivery("(at t a) (lies k b) (road a b) (road b a) (gate b c) (gate c b) (key t)", "(lies k c)")

test_laws_of_the_river = laws(PddlGame(parse_domain(RIVER), {"1": CROSSING}), share=0.3)
test_laws_of_roads = laws(PddlGame(parse_domain(ROADS), {"1": OPEN}), share=0.3)


def test_the_problems_beside_a_domain_are_its_levels(tmp_path: Path) -> None:
    game = find(river_files(tmp_path))
    assert (game.name, list(game.levels)) == ("river", ["p1", "p2", "p10"])
    assert game.parse(game.levels["p1"]).task() == parse_task(RIVER, CROSSING)
    (tmp_path / "instances").mkdir()
    (tmp_path / "instances" / "x3.pddl").write_text(CROSSING)
    assert list(find(str(tmp_path / "domain.pddl")).levels) == ["p1", "p2", "p10", "x3"]


def test_positions_are_states_and_their_texts_are_problems() -> None:
    game = PddlGame(parse_domain(RIVER))
    start = game.parse(CROSSING)
    assert start.moves() == (
        "row:left:right:farmer",
        "row:left:right:wolf",
        "row:left:right:goat",
        "row:left:right:cabbage",
    )
    after = start.apply("row:left:right:goat")
    assert game.parse(str(after)) == after != start
    assert "(at goat right)" in str(after)
    assert after.apply("row:right:left:goat") == start
    assert not after.solved()
    assert game.parse(str(start)).task() == start.task()


def test_what_is_not_applicable_is_told_with_the_literal_that_fails() -> None:
    start = PddlGame(parse_domain(RIVER)).parse(CROSSING)
    eaten = start.apply("row:left:right:wolf")
    assert eaten.moves() == ()
    with pytest.raises(IllegalMove, match=r"\(eaten\) is true, but must be false"):
        eaten.apply("row:right:left:wolf")
    with pytest.raises(IllegalMove, match="unknown object 'fox'"):
        start.apply("row:left:right:fox")
    with pytest.raises(IllegalMove, match="unknown action 'swim'"):
        start.apply("swim")


def test_moves_are_read_from_words_and_from_plans() -> None:
    game = PddlGame(parse_domain(RIVER))
    assert game.read_moves("row:left:right:goat ROW:right:left:farmer") == (
        "row:left:right:goat",
        "row:right:left:farmer",
    )
    assert game.read_moves("(row left right goat)\n(row right left farmer) ; cost = 2") == (
        "row:left:right:goat", "row:right:left:farmer",
    )  # fmt: skip
    assert game.read_moves("row left right goat\nROW right left farmer") == (
        "row:left:right:goat", "row:right:left:farmer",
    )  # fmt: skip
    assert game.read_moves("row left") == ("row", "left")
    assert PddlGame(parse_domain(RIVER.replace("row", "noop"))).read_moves("noop noop") == ("noop", "noop")


def test_names_with_colons_are_told_apart() -> None:
    action = "(:action a :parameters (?x ?y) :precondition (p ?x ?y) :effect (q ?x))"
    domain = f"(define (domain odd) (:predicates (p ?x ?y) (q ?x)) {action})"
    problem = "(define (problem odd) (:domain odd) (:objects x:y z x y:z) (:init (p x:y z) (p x y:z)) (:goal (and)))"
    start = PddlGame(parse_domain(domain)).parse(problem)
    assert start.moves() == ("a:x%3ay:z", "a:x:y%3az")
    assert {str(start.apply(move).atoms()) for move in start.moves()} != {str(start.atoms())}


def test_faults_of_files_have_their_places(tmp_path: Path) -> None:
    file = tmp_path / "broken.pddl"
    file.write_text(RIVER.replace("?with - thing)", "?with - think)"))
    with pytest.raises(ParseError, match="did you mean 'thing'") as caught:
        find(str(file))
    assert (caught.value.file, caught.value.line) == (str(file), 9)
    game = find(river_files(tmp_path))
    with pytest.raises(ParseError, match="wolff"):
        game.parse(CROSSING.replace("(at wolf left)", "(at wolff left)"), "level")


def test_a_large_task_is_played_without_listing_its_actions() -> None:
    places = 400
    names = " ".join(f"p{number}" for number in range(places))
    roads = " ".join(f"(road p{number} p{number + 1})" for number in range(places - 1))
    parts = f"(:objects t - truck {names} - place) (:init (at t p0) {roads}) (:goal (at t p9))"
    problem = f"(define (problem long) (:domain roads) {parts})"
    position = PddlGame(parse_domain(ROADS)).parse(problem)
    for number in range(9):
        position = position.apply(f"drive:t:p{number}:p{number + 1}")
    assert position.solved()
    assert not position._level._states._listed
    assert position.moves() == ("drive:t:p9:p10",)


def test_operators_are_listed_whole_after_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    position = PddlGame(parse_domain(ROADS)).parse(OPEN)
    states, calls = position._level._states, []

    def interrupted(number: int, schema: object) -> None:
        calls.append(number)
        if len(calls) == 2:
            raise KeyboardInterrupt
        type(states)._add_instances(states, number, schema)  # type: ignore[arg-type]

    monkeypatch.setattr(states, "_add_instances", interrupted)
    with pytest.raises(KeyboardInterrupt):
        position.moves()
    assert position.moves() == PddlGame(parse_domain(ROADS)).parse(OPEN).moves()
    assert len(calls) > len(parse_domain(ROADS).actions)


def test_threads_share_a_level() -> None:
    game = PddlGame(parse_domain(RIVER))
    alone = unpuzzle.solve(game.parse(CROSSING)).moves
    with ThreadPoolExecutor(4) as pool:
        walks = [pool.submit(_walk, game.parse(CROSSING), seed) for seed in range(40)]
    for seed, walk in enumerate(walks):
        assert walk.result() == _walk(PddlGame(parse_domain(RIVER)).parse(CROSSING), seed)
    assert unpuzzle.solve(game.parse(CROSSING)).moves == alone


def _walk(position: Position, seed: int) -> list[str]:
    rng, texts = Random(seed), []
    for _ in range(8):
        if moves := position.moves():
            position = position.apply(rng.choice(moves))
        texts.append(str(position))
    return texts


def test_the_task_of_a_position_is_written_as_it_was_read() -> None:
    start = PddlGame(parse_domain(ROADS)).parse(OPEN)
    assert write(start.task().problem) == str(start)


# ---- New problems from given ones, as files of the domain


def test_problems_of_wanted_difficulty_become_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    domain = river_files(tmp_path)
    words = ["--from", "p1", "--steps", "9", "--moves", "3..7", "--count", "3", "--seed", "1"]
    assert main(["generate", domain, *words, "--output", str(tmp_path / "instances"), "--json"]) == 0
    levels = json.loads(capsys.readouterr().out)["levels"]
    game = find(domain)
    for level in levels:
        name = Path(level["file"]).stem
        assert name in game.levels
        assert unpuzzle.solve(game.parse(game.levels[name])).cost == level["cost"]
    assert all(3 <= level["cost"] <= 7 for level in levels)


def test_a_walk_from_the_goal_needs_a_plan() -> None:
    game = PddlGame(parse_domain(ROADS), {"1": delivery("(at t a)", "(at t b)")})
    with pytest.raises(ParseError, match="try --walk start"):
        unpuzzle.generate(game, {"walk": "goal"}, count=1)
    with pytest.raises(ParseError, match="name problem files with --from"):
        unpuzzle.generate(PddlGame(parse_domain(ROADS)), count=1)
