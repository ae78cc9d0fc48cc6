"""PDDL by forking: what games it makes, that it is the game, and what is refused."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.limited import Called
from support.puzzlescript_data import GAMES as GAMES_OF_OTHERS
from support.puzzlescript_data import needs_games
from support.random_scripts import scripts
from support.script_texts import PUSH, script
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import EffortSpent, ParseError, UnsupportedFeature
from unpuzzle.base.run import Limits
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem
from unpuzzle.pddl.writer import write
from unpuzzle.planning import registry
from unpuzzle.puzzlescript.engine.board import board_of
from unpuzzle.puzzlescript.engine.turns import RuleRunner
from unpuzzle.puzzlescript.game import ScriptPosition, game_of, read_game
from unpuzzle.puzzlescript.pddl_encoding.boards import Answers, CountedEngine, Effort
from unpuzzle.puzzlescript.pddl_encoding.paths import Forker
from unpuzzle.solving import solve
from unpuzzle.verification.side_by_side import check

ROOM = "#######\n#p.*.o#\n#..*..#\n#....o#\n#######"

GAMES = {
    "pushing": script(levels=ROOM),
    "pulling": script(rules="[ < Player | Crate ] -> [ < Player | < Crate ]", levels=ROOM),
    "only to the right": script(rules="right [ > Player | Crate ] -> [ > Player | > Crate ]", levels=ROOM),
    "no edges": script(levels="p*.o\n.*.o"),
    "a crate that is made": script(rules="[ > Player | Target no Crate ] -> [ > Player | Target Crate ]", levels=ROOM),
    "three in a row": script(
        rules="[ > Player | Crate ] -> [ > Player | > Crate ]\nlate [ Crate | Crate ] -> [ | ]",
        levels="#####\n#p*.#\n#..*#\n#####", wins="no Crate",
    ),
    "ellipsis": script(rules="[ > Player | ... | Crate ] -> [ | ... | Player ]",
                       levels="p.*.\n..*.\n.*..", wins="no Crate"),
    "players that die": script(rules="[ > Player | Crate ] -> [ | Crate ]", levels="p*\n.o", wins="no Player"),
    "two players": script(levels="p*.o\np...", wins="some Crate on Target"),
    "cancel": script(rules="[ > Player | Crate ] -> cancel", levels="p.*\n..o", wins="some Player on Target"),
    "moving is required": script(prelude="require_player_movement", levels="p*.\n..o", wins="some Player on Target"),
    "won by command": script(rules="late [ Player Target ] -> win", levels="p*.\n..o", wins=""),
    "sliding": script(rules=f"{PUSH}\nright [ Crate | no Wall no Crate no Player ] -> [ | Crate ] again",
                      levels="p*.o", wins="some Player on Target"),
    "two players seen from either of them": script(
        rules="[ Player | Player ] -> [ Player | Player ]", levels="#pp\nopp", wins="all Crate on Target"
    ),
    "players that fill a line": script(rules="[ Player | ... | ] -> [ Player | ... | Player ]",
                                       levels="p.o\n#.p", wins="some Player on Target"),
    "players that become fewer": script(rules="[ > Player | Player ] -> [ | Player ]",
                                        levels="#.ppp", wins="no Player"),
    "standing still where nothing can be won": script(
        prelude="require_player_movement", rules="", levels="p.#*", wins="all Crate on Target"
    ),
    "nobody there, and something changes in one place": script(
        rules="[ Wall ] -> [ Wall Target ]", levels=".*\n#o\no.", wins="all Crate on Target"
    ),
    "nobody there, and won by any key": script(levels="#*.o", wins="no Player"),
    "a target that goes along": script(
        rules=f"{PUSH}\nlate [ Target no Player ] -> [ ]\nlate [ Player no Target ] -> [ Player Target ]",
        levels="p*.o\n....", wins="some Crate on Target",
    ),
}  # fmt: skip


@cache
def level_of(text: str) -> ScriptPosition:
    """The first level of a game."""
    game = game_of(text, "tiny")
    return game.parse(game.levels["0"])


@pytest.mark.parametrize("tracked", [False, True], ids=["usual", "single objects are tracked"])
@pytest.mark.parametrize("name", GAMES)
def test_the_pddl_is_the_game(name: str, tracked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if tracked:
        monkeypatch.setattr("unpuzzle.puzzlescript.pddl_encoding.paths.MOST_ASKED", 0)
    game = game_of(GAMES[name], "tiny")
    found = check(game.parse(game.levels["0"]), max_states=400, walks=5, steps=20)
    assert found.same is not False, str(found)
    assert found.transitions


@given(scripts(lucky=False, most=4), st.sampled_from([0, 2, 30]))
@settings(max_examples=at_most(200))
def test_the_pddl_of_random_games_is_the_game(text: str, most_asked: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unpuzzle.puzzlescript.pddl_encoding.boards.MOST_STEPS", 100_000)
        patch.setattr("unpuzzle.puzzlescript.pddl_encoding.paths.MOST_ASKED", most_asked)
        try:
            game = game_of(text, "random")
            level = game.parse(game.levels["0"])
            level.task()
        except (ParseError, UnsupportedFeature):
            return
    found = check(level, max_states=100, walks=3, steps=15)
    assert found.same is not False, str(found)


def test_pushing_has_two_schemas() -> None:
    domain = level_of(GAMES["pushing"]).task().domain
    assert [(action.name, len(action.parameters)) for action in domain.actions] == [
        ("move-player", 3),
        ("move-player-and-crate", 4),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read_again(name: str) -> None:
    task = level_of(GAMES[name]).task()
    domain, problem = write(task)
    assert parse_domain(domain) == task.domain
    assert parse_problem(problem, parse_domain(domain)) == task.problem


@pytest.mark.parametrize("name", GAMES)
def test_the_planner_finds_what_the_rules_find(name: str) -> None:
    level = level_of(GAMES[name])
    assert solve(level.task(), "native:blind").cost == solve(level, "rules:bfs").cost
    assert solve(level, "native:hmax").cost == solve(level, "native:bfs").cost


@pytest.mark.parametrize("name", GAMES)
def test_each_question_is_asked_on_one_path_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forker = level_of(GAMES[name]).fork().forker
    asked: list[tuple[int, int]] = []

    class Listening(Answers):
        def ask(self, cell: int, number: int) -> None:
            asked.append((cell, number))
            super().ask(cell, number)

    monkeypatch.setattr("unpuzzle.puzzlescript.pddl_encoding.paths.Answers", Listening)
    paths = forker.paths("udlr")
    assert len(asked) == len(paths) - len({(path.players, path.key) for path in paths})


@given(scripts(lucky=False, again=False, most=4), st.lists(st.sampled_from("udlrx"), max_size=12))
def test_a_board_made_from_the_last_one_is_the_board(text: str, keys: list[str]) -> None:
    try:
        game = game_of(text, "random")
        state = game.parse(game.levels["0"]).state
    except ParseError:
        return
    engine = CountedEngine(game.compiled, Effort(None))
    for key in keys:
        state = engine.after(state, key) or state
        made, fresh = engine.plain(state.cells), board_of(state.cells, game.compiled)
        assert (made.cells, made.where, made.moves, made.moving) == (
            fresh.cells, fresh.where, fresh.moves, fresh.moving,
        )  # fmt: skip


def test_no_two_actions_have_one_name() -> None:
    rules = "[ > Player | Wall ] -> [ Player | > Wall ]\n[ > Player | no Wall | no Wall ] -> [ | | Player ]"
    text = script(rules=rules, levels="p...\n.#..\n....\n....", wins="some Player on Target")
    level = level_of(text.replace("Wall", "Player\u00e92"))
    names = [action.name for action in level.task().domain.actions]
    assert "move-player-2" in names
    assert sorted(set(names)) == sorted(names)


def test_actions_are_decoded_and_foreign_ones_refused() -> None:
    level = level_of(GAMES["pushing"])
    assert level.decode(GroundAction("move-player", ("r2c2", "r2c3", "right"))) == "r"
    for name, arguments in (("move-player", ("r2c2", "r2c3")), ("fly", ("right",)), ("move-player", ("a", "b", "c"))):
        with pytest.raises(ParseError):
            level.decode(GroundAction(name, arguments))


def test_positions_travel_without_their_pddl() -> None:
    level = level_of(GAMES["pushing"])
    level.task()
    again = pickle.loads(pickle.dumps(level))
    assert again == level
    assert again.atoms() == level.atoms()


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("random [ > Player | Crate ] -> [ > Player | > Crate ]", "is random"),
        ("[ > Player | Crate ] -> restart", "restarts"),
        ("late [ Player Target ] -> win", "this rule's command"),
        ("[ > Player | Crate ] -> checkpoint\n[ Target | Target ] -> restart", "board to which a restart leads"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(rules: str, line: str) -> None:
    text = script(rules=rules, levels=ROOM)
    with pytest.raises(UnsupportedFeature, match=line) as refusal:
        level_of(text).task()
    assert text.split("\n")[(refusal.value.line or 0) - 1] == rules.split("\n", maxsplit=1)[0]


def test_too_many_cases_are_refused_with_the_rule_that_asks_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.puzzlescript.pddl_encoding.boards.MOST_STEPS", 10_000)
    text = script(levels=ROOM)
    game = game_of(text, "many")
    with pytest.raises(UnsupportedFeature, match="too many cases") as refusal:
        game.parse(game.levels["0"]).task()
    assert text.split("\n")[(refusal.value.line or 0) - 1] == PUSH


def test_a_limit_ends_the_translation() -> None:
    class EnoughError(Exception):
        pass

    def tick() -> None:
        raise EnoughError

    game = game_of(script(levels=ROOM), "limited")
    with pytest.raises(EnoughError), Called(tick):
        game.parse(game.levels["0"]).translate()


@pytest.mark.parametrize("late", ["", "late "])
def test_what_a_combination_takes_is_counted(late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is looked at, and its cells are replaced: about ten microseconds, a step being half of one."""
    combinations = 0
    apply = RuleRunner.apply

    def counted(self: RuleRunner, *arguments: Any) -> bool:
        nonlocal combinations
        combinations += 1
        return apply(self, *arguments)

    monkeypatch.setattr(RuleRunner, "apply", counted)
    rules = f"{late}[ Wall ] [ Wall ] [ Wall ] -> [ Wall ] [ Wall ] [ Wall ]"
    game = game_of(script(rules=rules, levels=ROOM), "combined")
    with pytest.raises(EffortSpent):
        game.parse(game.levels["0"]).translate(1_000_000)
    assert 12 * combinations <= 1_100_000


def test_plays_that_guesses_are_made_from_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.puzzlescript.pddl_encoding.boards.MOST_STEPS", 1_000)
    text = script(rules="late [ Wall ] [ Wall ] [ Wall ] -> [ Wall ] [ Wall ] [ Wall ]", levels=ROOM)
    monkeypatch.setattr(Forker, "paths", lambda *_: pytest.fail("plays were not counted"))
    game = game_of(text, "combined")
    with pytest.raises(UnsupportedFeature, match="too many cases"):
        game.parse(game.levels["0"]).task()


def fresh_level() -> ScriptPosition:
    """A level whose translation takes many looks at limits, and that nobody has translated before."""
    game = game_of(translators.find("falling-crates").source, "limited")  # type: ignore[attr-defined]
    return game.parse(game.levels["3"])


@pytest.mark.parametrize("planner", ["native:hmax", "reference"])
def test_limits_of_a_planner_reach_the_translation(planner: str, seconds_per_look: SecondsPerLook) -> None:
    result = solve(fresh_level(), planner, limits=Limits(time=5))
    assert result.status == "timeout"
    assert result.message == "the time limit was reached while translating the rules into PDDL"


def test_limits_of_a_check_reach_the_translation(seconds_per_look: SecondsPerLook) -> None:
    found = check(fresh_level(), limits=Limits(time=5))
    assert (found.states, found.same, found.exhaustive, found.status) == (0, None, False, "timeout")


@needs_games
@pytest.mark.parametrize(("name", "number"), [("microban", "1"), ("nekopuzzle", "3"), ("sokoban_basic", "0")])
def test_demo_levels_become_pddl_that_is_the_game(name: str, number: str) -> None:
    game = read_game(str(GAMES_OF_OTHERS / "demos" / f"{name}.txt"))
    found = check(game.parse(game.levels[number]), max_states=150, walks=3, steps=10)
    assert found.same is not False, str(found)


@pytest.mark.parametrize("planner", ["native:lmcut", "native:pdb", "reference", "fast-downward"])
def test_the_command_line_solves_by_pddl(planner: str, capsys: pytest.CaptureFixture[str]) -> None:
    if registry.missing(planner) is not None:
        pytest.skip(registry.missing(planner) or "")
    code, answer = run_json(capsys, "solve", "storeroom", "1", "--planner", planner)
    assert (code, answer["status"], answer["cost"], answer["valid"]) == (0, "solved_optimally", 5, True)
    assert len(answer["plan"]) == 5


def test_the_command_line_writes_and_checks_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "pddl", "storeroom", "1", "--output", str(tmp_path))[0] == 0
    files = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl")]
    code, answer = run_json(capsys, "plan", *files, "--planner", "native:blind")
    assert (code, answer["cost"]) == (0, 5)
    code, answer = run_json(capsys, "check", "storeroom", "1", "--domain", files[0], "--problem", files[1])
    assert (code, answer["same"], answer["exhaustive"]) == (0, True, True)


def test_the_command_line_keeps_to_its_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds_per_look: SecondsPerLook
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(fresh_level().game.source)
    code, out, err = run(capsys, "pddl", str(file), "3", "--time-limit", "600")
    assert (code, out) == (exits.NO_ANSWER, "")
    assert err == "unpuzzle: the time limit was reached while translating the rules into PDDL\n"


def test_a_refusal_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.puzzlescript.pddl_encoding.boards.MOST_STEPS", 10_000)
    game = game_of(script(levels=ROOM), "many")
    ticks: list[None] = []
    told = []
    for _ in range(2):
        with pytest.raises(UnsupportedFeature, match="too many cases"), Called(lambda: ticks.append(None)):
            game.parse(game.levels["0"]).translate()
        told.append(len(ticks))
    assert told[0] == told[1] > 0
