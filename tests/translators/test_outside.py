"""Puzzles outside the package: in a file of one's own, made at run time, or offered by an installed distribution."""

from __future__ import annotations

import pickle
import sys
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from support.command_line import run_json as run
from support.hiding import forget
from unpuzzle import check, compare, explore, find, generate, replay, solve, translators
from unpuzzle.base.errors import UsageError
from unpuzzle.cli import main

OUTSIDE = Path(__file__).parent / "outside"
COSTS = {
    "lights_out 3x3": 9,
    "valves 1": 1,
    "old_style 2": 2,
    "leaps 1": 6,
    "leaps 5": 4,
    "rush_hour 3": 8,
}
"""What the best solution of a level costs."""
every_level = pytest.mark.parametrize(("name", "level"), [key.split() for key in COSTS])
every_game = pytest.mark.parametrize("name", sorted({key.split()[0] for key in COSTS}))


def path(name):
    return str(OUTSIDE / f"{name}.py")


# ---- every command


@every_level
def test_solve_and_replay(name, level, capsys):
    code, found = run(capsys, "solve", path(name), level)
    assert (code, found["status"], found["cost"], found["valid"]) == (
        0,
        "solved_optimally",
        COSTS[f"{name} {level}"],
        True,
    )
    assert run(capsys, "replay", path(name), level, *found["moves"])[1]["cost"] == found["cost"]
    assert run(capsys, "solve", path(name), level, "--planner", "rules:astar")[1]["cost"] == found["cost"]
    assert run(capsys, "solve", path(name), level, "--planner", "reference")[1]["cost"] == found["cost"]


@every_level
def test_check_and_explore(name, level, capsys):
    code, found = run(capsys, "check", path(name), level)
    assert (code, found["same"], found["exhaustive"]) == (0, True, True)
    code, explored = run(capsys, "explore", path(name), level)
    assert (code, explored["status"], explored["cost"]) == (0, "complete", COSTS[f"{name} {level}"])
    assert (explored["states"], explored["transitions"]) == (found["states"], found["transitions"])


@every_level
@pytest.mark.usefixtures("settled")
def test_compare(name, level, capsys):
    code, rows = run(
        capsys, "compare", path(name), level, "--algorithms", "ucs", "astar", "--planners", "native", "reference"
    )
    assert (code, len(rows)) == (0, 4)
    assert {(row["status"], row["cost"]) for row in rows} == {("solved_optimally", COSTS[f"{name} {level}"])}


@every_game
def test_pddl_is_written(name, capsys, tmp_path):
    game = find(path(name))
    level = next(iter(game.levels))
    code, found = run(capsys, "pddl", path(name), level, "--output", str(tmp_path / "out"))
    assert code == 0
    code, planned = run(capsys, "plan", found["domain"], found["problem"])
    assert planned["cost"] == solve(game.parse(game.levels[level])).cost
    assert run(capsys, "check", path(name), level, "--domain", found["domain"], "--problem", found["problem"])[0] == 0


@every_game
def test_levels_are_generated_by_two_processes(name):
    game = find(path(name))
    found = [generate(game, {}, count=2, candidates=200, seed=3, workers=workers) for workers in (1, 2)]
    assert [level.text for level in found[0].levels] == [level.text for level in found[1].levels]
    assert found[0].levels
    for level in found[0].levels:
        assert replay(game.parse(level.text), level.moves).solved


def test_options_of_a_file_are_those_of_its_puzzle(capsys):
    words = ["generate", "--count", "2", path("lights_out"), "--size", "3x3", "--lit", "4", "--workers", "1"]
    code, found = run(capsys, *words)
    assert (code, found["puzzle"]) == (0, "lights-out")
    assert all(level["level"].count("1") == 4 for level in found["levels"])
    assert main(["generate", path("lights_out"), "--help"]) == 0
    assert "--lit LIT" in capsys.readouterr().out
    code, refused = run(capsys, "generate", path("lights_out"), "--lit", "17")
    assert (code, refused["status"]) == (2, "bad_input")
    assert "lit: '17' is not a whole number from 0 to 16" in refused["message"]


@pytest.mark.parametrize(
    ("option", "said"),
    [("seed", "cannot have an option 'seed': every puzzle has an option of this name"), ("per%cent", None)],
)
def test_odd_options_are_refused_or_shown(option, said, tmp_path, capsys):
    text = (OUTSIDE / "old_style.py").read_text()
    text = text.replace('{"length": Number("length", "cells"', f'{{"{option}": Number("{option}", "100 % cells"')
    (tmp_path / "odd.py").write_text(text)
    code = main(["generate", str(tmp_path / "odd.py"), "--help"])
    out = capsys.readouterr()
    assert code == (0 if said is None else 2)
    assert "100 % cells" in out.out if said is None else said in out.err


def test_rush_hour_is_short():
    """What an adder of a puzzle with pieces of several cells writes, levels included; a page has the figures."""
    lines = [len((OUTSIDE / f"rush_hour.{kind}").read_text().splitlines()) for kind in ("py", "pddl")]
    page = (OUTSIDE.parents[2] / "docs" / "howto" / "levels" / "own-puzzle.md").read_text()
    assert f"Rush Hour takes {lines[0]} lines of Python and {lines[1]} of PDDL" in page
    assert (lines[0] <= 120, lines[1] <= 19) == (True, True)


# ---- what a file is


def test_a_file_is_found_in_any_way():
    game = find(path("lights_out"))
    assert find(OUTSIDE / "lights_out.py") is game
    assert find(str(OUTSIDE / ".." / "outside" / "lights_out.py")) is game


def test_two_files_of_one_name_do_not_meet(tmp_path):
    other = tmp_path / "silent.py"
    other.write_text((OUTSIDE / "silent.py").read_text().replace('"1": "7', '"1": "9'))
    assert find(str(other)).levels["1"] == "9\n"
    assert find(path("silent")).levels["1"] == "7\n"


def test_the_folder_one_works_in_does_not_matter(tmp_path, monkeypatch):
    (tmp_path / "silent.py").write_text((OUTSIDE / "silent.py").read_text())
    monkeypatch.chdir(tmp_path)
    game = find("silent.py")
    monkeypatch.chdir(tmp_path.parent)
    assert pickle.loads(pickle.dumps(game)) is game


@every_game
def test_a_game_comes_back_from_a_pickle_as_itself(name):
    game = find(path(name))
    assert pickle.loads(pickle.dumps(game)) is game


def test_a_domain_may_be_made_in_python(tmp_path):
    text = (OUTSIDE / "lights_out.py").read_text()
    domain = (OUTSIDE / "lights_out.pddl").read_text()
    text += f"\n    @classmethod\n    def domain(cls):\n        return parse_domain('''{domain}''')\n"
    (tmp_path / "mine.py").write_text("from unpuzzle.pddl.reading.reader import parse_domain\n" + text)
    game = find(str(tmp_path / "mine.py"))
    assert check(game.parse(game.levels["2x3"])).exhaustive


# ---- made at run time


def test_a_game_made_from_a_file_of_rules(tmp_path):
    (tmp_path / "leaps.py").write_text((OUTSIDE / "leaps.py").read_text())
    rules = tmp_path / "leaps.rules"
    rules.write_text("title Leaps: with a stride of four\nmost 20\nstride 4\nstep 1\n")
    game = find(str(tmp_path / "leaps.py"))
    level = game.parse("0\n")
    assert game.title == "Leaps: with a stride of four"
    assert level.game is game
    assert (solve(level).cost, solve(level, "rules:bfs").cost, explore(level).states) == (5, 5, 21)
    assert check(level).exhaustive
    assert {row.cost for row in compare(level, ["bfs", "ucs"], planners=["native"])} == {5}
    assert find(path("leaps")).parse("0\n").moves() == ("double", "step"), "the other game of that name is as it was"


def test_such_a_game_needs_no_file_at_all():
    kind = type(find(path("leaps")))
    game = kind(OUTSIDE / "leaps.rules")
    assert game is not find(path("leaps"))
    level = game.parse("5\n")
    assert solve(level).cost == 4
    assert check(level).same
    assert sorted(game.sample(Random(seed)).number for seed in range(5))
    found = generate(game, {}, count=1, seed=1, workers=1)
    assert found.levels


# ---- installed distributions


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """Installs a distribution of entry points, with the modules that it needs."""

    def install(entries, **modules):
        info = tmp_path / "some_puzzles-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-puzzles\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[unpuzzle.puzzles]\n" + "\n".join(entries) + "\n")
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))

    yield install
    forget(tmp_path)


def test_modules_of_a_distribution_are_forgotten_and_no_others(tmp_path, monkeypatch):
    """Numpy, which a puzzle may be the first to load, can be loaded only once in a process."""
    (tmp_path / "later").mkdir()
    for place in ("mine.py", "later/other.py"):
        (tmp_path / place).write_text("")
    for folder in (tmp_path, tmp_path / "later"):
        monkeypatch.syspath_prepend(str(folder))
    for name in ("mine", "other"):
        import_module(name)
    (tmp_path / "empty").mkdir()
    before = set(sys.modules)
    forget(tmp_path / "empty")
    assert set(sys.modules) == before
    forget(tmp_path / "later")
    assert before - set(sys.modules) == {"other"}
    forget(tmp_path)
    assert before - set(sys.modules) == {"mine", "other"}


def test_an_installed_puzzle_is_like_a_bundled_one(distribution, capsys):
    distribution(
        ["my-valves = installed_valves:Valves", "my-leaps = installed_leaps:LEAPS"],
        installed_valves=(OUTSIDE / "valves.py").read_text(),
        installed_leaps=(OUTSIDE / "leaps.py")
        .read_text()
        .replace('Path(__file__).with_name("leaps.rules")', repr(str(OUTSIDE / "leaps.rules"))),
    )
    assert translators.installed() == ("my-leaps", "my-valves")
    assert "my-valves" not in translators.names()
    assert run(capsys, "solve", "my-valves", "1")[1]["cost"] == 1
    assert run(capsys, "check", "my-leaps", "5")[1]["same"]
    assert pickle.loads(pickle.dumps(find("my-leaps"))) is find("my-leaps")
    assert pickle.loads(pickle.dumps(find("my-valves"))) is find("my-valves")
    code, listed = run(capsys, "list")
    assert (code, "broken" in listed) == (0, False)
    assert listed["puzzles"]["my-valves"] == "Valves: open all of them, or close all of them"
    assert listed["levels"]["my-leaps"] == ["0", "1", "5"]
    found = generate(find("my-leaps"), {}, count=1, seed=1, workers=2)
    assert found.levels


BROKEN = {
    "gone = module_that_is_gone:Game": "cannot be loaded: ModuleNotFoundError: No module named 'module_that_is_gone'",
    "gone = installed_broken:Gone": "cannot be loaded: AttributeError: module 'installed_broken' has no attribute",
    "gone = installed_broken:number": "is neither a subclass of Puzzle nor a Game",
    "gone = installed_raising": "cannot be loaded: ZeroDivisionError: division by zero",
    "gone = installed_leaving": "cannot be loaded: SystemExit: 3",
    "gone = installed_broken:Empty": "Empty does not define __str__, apply, moves, parse, solved",
}


@pytest.mark.parametrize(("entry", "said"), BROKEN.items())
def test_an_entry_point_that_is_broken_is_told(entry, said, distribution, capsys):
    distribution(
        [entry],
        installed_broken="from unpuzzle import Puzzle\nnumber = 5\nclass Empty(Puzzle):\n    name = 'x'\n",
        installed_raising="1 / 0",
        installed_leaving="import sys; sys.exit(3)",
    )
    code, refused = run(capsys, "solve", "gone", "1")
    assert (code, refused["status"]) == (2, "bad_input")
    assert said in refused["message"]
    code, listed = run(capsys, "list")
    assert code == 0
    assert "gone" not in listed["puzzles"]
    assert said in listed["broken"]["gone"]
    assert {"boxup", "pacman"} <= set(listed["puzzles"])
    assert main(["list"]) == 0
    assert f"  gone: broken: {listed['broken']['gone']}\n" in capsys.readouterr().out


def test_a_bundled_puzzle_hides_an_installed_one_of_its_name_and_list_tells(distribution, capsys):
    distribution(["boxup = module_that_is_gone", "twice = one:Game", "twice = two:Game"])
    assert "boxup" not in translators.installed()
    assert find("boxup").title.startswith("Boxup")
    hidden = {
        "boxup": "the entry point 'module_that_is_gone' is not used: boxup is a bundled puzzle",
        "twice": "of the entry points 'one:Game' and 'two:Game' only the last is used",
    }
    assert translators.hidden() == hidden
    assert run(capsys, "list")[1]["hidden"] == hidden
    assert main(["list"]) == 0
    assert f"  boxup: hidden: {hidden['boxup']}; its distribution should choose" in capsys.readouterr().out


def test_a_package_that_forgets_its_domain_is_told_to_install_it(distribution, tmp_path, capsys):
    """The file is there where the package is written, and missing where it is installed."""
    (tmp_path / "my_package").mkdir()
    (tmp_path / "my_package" / "__init__.py").write_text("")
    (tmp_path / "my_package" / "lights.py").write_text((OUTSIDE / "lights_out.py").read_text())
    distribution(["my-lights = my_package.lights:LightsOut"])
    code, refused = run(capsys, "solve", "my-lights", "3x3")
    assert code == 2
    assert "there is no lights.pddl or lights-out.pddl or domain.pddl beside it" in refused["message"]
    assert refused["message"].endswith("; a package has to install it, too, as package data")
    (tmp_path / "my_package" / "lights.pddl").write_text((OUTSIDE / "lights_out.pddl").read_text())
    assert run(capsys, "solve", "my-lights", "3x3")[1]["cost"] == 9


def test_list_hides_nothing_where_all_names_differ(capsys):
    assert translators.hidden() == {}
    assert "hidden" not in run(capsys, "list")[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 / 0\n", "broken.py:1: ZeroDivisionError: division by zero"),
        ("def f(:\n", "broken.py:1: invalid syntax"),
        ("import sys\nsys.exit()\n", "broken.py:2: SystemExit"),
        ("x = 1\n", "must contain one subclass of Puzzle, with name = 'broken'; found: none"),
        ("from unpuzzle import Puzzle\nclass B(Puzzle):\n    name = 'broken'\n    levels = 5\n", "TypeError"),
    ],
)
def test_list_goes_on_when_a_bundled_file_is_broken(text, said, tmp_path, monkeypatch, capsys):
    (tmp_path / "broken.py").write_text(text)
    monkeypatch.setattr(translators, "__path__", [*translators.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "unpuzzle.translators.broken", raising=False)
    code, listed = run(capsys, "list")
    monkeypatch.delitem(sys.modules, "unpuzzle.translators.broken", raising=False)
    assert code == 0
    assert list(listed["broken"]) == ["broken"]
    assert said in listed["broken"]["broken"]
    assert {"boxup", "pacman", "sliding-tiles"} <= set(listed["puzzles"])
    with pytest.raises(UsageError, match="did you mean 'boxup'"):
        find("boxap")
