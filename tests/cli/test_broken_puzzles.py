"""Puzzles of one's own with mistakes: each is told in a sentence with its place, exit 2, and no traceback."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from unpuzzle.cli import main

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
WALK = (OUTSIDE / "old_style.py").read_text()
LIGHTS = (OUTSIDE / "lights_out.py").read_text()
METHOD = "    def solved(self):"


@pytest.fixture
def told(tmp_path, monkeypatch, capsys):
    """Writes a puzzle's file, runs a command on it, and returns what is complained of; the exit code must be 2."""
    monkeypatch.chdir(tmp_path)
    for name in ("corridor-domain.pddl", "lights_out.pddl"):
        (tmp_path / name).write_text((OUTSIDE / name).read_text())

    def run(text, *words, name="mine.py"):
        (tmp_path / name).write_text(text)
        command, *rest = words
        before = [file for file in sorted(os.listdir(tmp_path)) if file != "__pycache__"]
        code = main([command, f"./{name}", *rest])
        out = capsys.readouterr()
        assert (code, out.out) == (2, "")
        assert out.err.startswith("unpuzzle: ")
        assert "Traceback" not in out.err
        code = main([command, f"./{name}", *rest, "--json"])
        fields = json.loads(capsys.readouterr().out)
        assert (code, fields["status"]) == (2, "bad_input")
        assert fields["message"] in out.err
        assert [file for file in sorted(os.listdir(tmp_path)) if file != "__pycache__"] == before
        return out.err.removeprefix("unpuzzle: ").rstrip("\n")

    return run


# ---- files that hold no puzzle


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "./mine.py: a puzzle file must contain one subclass of Puzzle, or one Game; found: none"),
        (
            "from unpuzzle.translators.pacman import Pacman\n",
            "./mine.py: a puzzle file must contain one subclass of Puzzle, or one Game; found: none",
        ),
        (
            WALK + "\n\nclass Other(OldStyle):\n    name = 'other'\n",
            "found: OldStyle (name = 'old-style'), Other (name = 'other'); names that begin with '_' do not count",
        ),
        ("import os\n\n\n1 / 0\n", "./mine.py:4: the file cannot be imported: ZeroDivisionError: division by zero"),
        ("import nothing_like_it\n", "./mine.py:1: the file cannot be imported: ModuleNotFoundError: No module named"),
        ("raise SystemExit(7)\n", "./mine.py:1: the file cannot be imported: SystemExit: 7"),
        ("def f(:\n    pass\n", "./mine.py:1:7: this is not Python: invalid syntax\n    def f(:\n          ^"),
        ("x = '\0'\n", "./mine.py: the file cannot be imported: "),
        (
            "from unpuzzle import Puzzle\n\n\nclass P(Puzzle):\n    name = 'p'\n",
            "./mine.py:4: P does not define __str__, apply,",
        ),
        (WALK.replace('name = "old-style"', "name = ''"), "./mine.py: the game OldStyle (name = '') has no name"),
        (WALK.replace('name = "old-style"', "name = 5"), "./mine.py: the game OldStyle (name = 5) has no name"),
    ],
)
@pytest.mark.parametrize("words", [("solve", "1"), ("generate",)])
def test_what_is_no_puzzle_file(text, said, words, told):
    assert said in told(text, *words)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.py", "./gone.py: there is no such file"),
        ("folder.py", "there is no such file"),
        ("mine.rules", "./mine.rules: a puzzle file must end in .py or .txt"),
        ("mine.txt", "mine.txt"),
    ],
)
def test_what_is_no_file(name, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py").mkdir()
    for rules in ("mine.rules", "mine.txt"):
        (tmp_path / rules).write_text(WALK)
    assert main(["solve", f"./{name}", "1"]) == 2
    assert said in capsys.readouterr().err


def test_a_file_of_levels_in_the_place_of_a_puzzle(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "levels.sok").write_text("#####\n#@$.#\n#####\n")
    assert main(["solve", "levels.sok"]) == 2
    said = "levels.sok: a puzzle file must end in .py or .txt or .pddl; a file of levels must be given after a puzzle's"
    assert said in capsys.readouterr().err


def test_a_file_in_which_something_broke_can_be_mended(told, tmp_path, capsys):
    assert "ZeroDivisionError" in told("1 / 0\n", "solve", "1")
    (tmp_path / "mine.py").write_text(WALK)
    assert main(["solve", "./mine.py", "1"]) == 0


# ---- domains


def test_a_domain_that_is_missing(told, tmp_path):
    (tmp_path / "lights_out.pddl").unlink()
    said = "the domain of lights-out is missing: there is no mine.pddl or lights-out.pddl or domain.pddl beside it"
    said += " (`solve --planner rules:bfs` needs none)"
    assert said in told(LIGHTS, "solve", "3x3")
    assert said in told(LIGHTS, "check", "3x3")
    assert said in told(LIGHTS, "pddl", "3x3")
    assert said in told(LIGHTS, "generate", "--workers", "1")


@pytest.mark.parametrize(
    ("domain", "said"),
    [
        ("(define (domain lights-out)\n  (:predicats (lit ?c)))\n", "mine.pddl:2:4: "),
        ("this is no PDDL", "mine.pddl:1:1: "),
        ("", "mine.pddl"),
    ],
)
def test_a_domain_that_is_no_pddl(domain, said, told, tmp_path):
    (tmp_path / "mine.pddl").write_text(domain)
    assert said in told(LIGHTS, "solve", "3x3")
    assert said in told(LIGHTS, "check", "3x3")


def test_a_domain_in_python_that_is_no_pddl(told):
    text = LIGHTS.replace("one_letter_moves = False", 'one_letter_moves = False\n    pddl = "(define (domain x)"')
    assert "the domain of lights-out:1:" in told(text, "solve", "3x3")


# ---- methods that raise, or return what they must not


def line(text, snippet):
    """The number of the line on which a snippet stands."""
    return text[: text.index(snippet)].count("\n") + 1


APPLY = 'return type(self)(self.place + (1 if move == "R" else -1), self.length)'
COST = "        return 1\n"
PARSED = 'return cls(line.index("@"), len(line))'
TEXT = '"." * self.place + "@" + "." * (self.length - 1 - self.place) + "\\n"'
BROKEN = [
    (APPLY, "return None", "apply", "apply('R') gave None, which is not a position"),
    (APPLY, "return 7", "apply", "apply('R') gave 7, which is not a position"),
    (APPLY, "return object()", "apply", "apply('R') gave a object, which is not a position"),
    (
        METHOD,
        "    def moves(self):\n        return 5\n\n" + METHOD,
        None,
        "gave 5, which is not a tuple of moves, each a",
    ),
    (COST, "        return 0.5\n", "cost", "cost('R') returned 0.5; it must be a whole number that is at least 0"),
    (COST, "        return -1\n", "cost", "cost('R') returned -1; it must be a whole number that is at least 0"),
    (COST, "        return None\n", "cost", "cost('R') returned None; it must be a whole number that is at least 0"),
    ("return self.place, self.length", "return [self.place]", "__hash__", "raised TypeError: unhashable type: 'list'"),
    (TEXT, "5", "__str__", "gave 5, which is not a string"),
    (PARSED, "pass", "parse", "parse(...) gave None, which is not a position"),
    (PARSED, "return {}", "parse", "parse(...) gave {}, which is not a position"),
    ("return frozenset(", "return list(", "atoms", "which is not a frozenset of atoms"),
    ("return frozenset([atom", "return frozenset(['x']) or ([atom", None, "expected an Atom node, found the str 'x'"),
    ("        return Task(", "        return [](", None, "TypeError: 'list' object is not callable"),
    ("        return Task(", "        return (lambda *_: 5)(", "task", "task() gave 5, which is not a task"),
    ('return "L" if action.name', "return 5 if action.name", "decode", "which is not a string"),
]


@pytest.mark.parametrize(("before", "after", "method", "said"), BROKEN)
def test_nonsense_that_breaks_something_is_told(before, after, method, said, tmp_path, monkeypatch, capsys):
    """Commands that can do without what is wrong may succeed; one cannot, and none ends with a traceback."""
    assert WALK.count(before) == 1
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    text = WALK.replace(before, after)
    (tmp_path / "mine.py").write_text(text)
    codes, seen = set(), False
    for words in ("solve 1", "solve 1 --planner rules:astar", "explore 1", "check 1", "generate --workers 1"):
        command, *rest = words.split()
        code = main([command, "./mine.py", *rest])
        err = capsys.readouterr().err
        assert "Traceback" not in err
        seen = seen or (code == 2 and said in err)
        if command == "generate":
            continue
        codes.add(code)
        if code == 2:
            assert said in err
            if method is not None and "raised" not in said:
                assert err.startswith(f"unpuzzle: mine.py:{line(text, f'def {method}(')}: ") or method == "parse", err
    assert seen
    assert codes <= {0, 1, 2, 4}


@pytest.mark.parametrize("method", ["moves", "apply", "solved", "task", "atoms", "decode", "__str__", "draw", "cost"])
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("{}['x']", "KeyError: 'x'"),
        ("1 / 0", "ZeroDivisionError"),
        ("int('x')", "ValueError"),
        ("__import__('sys').exit(0)", "SystemExit"),
        ("[].pop()", "IndexError"),
    ],
)
def test_an_exception_in_a_method_is_told_with_its_line(method, fault, kind, told):
    head = next(row for row in WALK.splitlines() if row.startswith(f"    def {method}("))
    text = WALK.replace(head, f"{head}\n        {fault}")
    words = {"__str__": ["explore", "1"], "draw": ["replay", "1", "R"]}.get(method)
    words = words or ["check" if method in ("atoms", "cost", "decode") else "solve", "1"]
    assert told(text, *words).startswith(f"mine.py:{line(text, head) + 1}: the puzzle's own code raised {kind}")


def test_an_exception_while_a_level_is_read(told, tmp_path):
    text = WALK.replace("        line = lines[0]\n", "        line = lines[7]\n")
    place = f"mine.py:{line(text, 'line = lines[7]')}: the puzzle's own code raised IndexError: list index out of range"
    assert told(text, "solve", "1") == place
    (tmp_path / "my.level").write_text("@..\n")
    assert told(text, "solve", "my.level") == place


MADE = 'return cls(rng.randrange(options["length"]), options["length"])'


def test_an_exception_in_a_worker_process(told):
    text = WALK.replace(MADE, "return [][3]")
    place = f"mine.py:{line(text, 'return [][3]')}: the puzzle's own code raised IndexError: list index out of range"
    assert told(text, "generate", "--workers", "2") == place
    assert told(text, "generate", "--workers", "1") == place


GRID = """from unpuzzle.translators.shared import GridPuzzle


class Lonely(GridPuzzle):
    name = "lonely"
    title = "Lonely: walk to the flag"
    levels = {"1": "@.F\\n"}
    symbols = {".": "floor", "@": "the walker", "F": "the flag"}
    single = {"walker": "@"}

    def following(self):
        walker = self.cells.index("@")
        steps = self.around[walker].items()
        return {move: self.changed({walker: ".", to: "@"}) for move, to in steps}

    def solved(self):
        return "F" not in self.cells
"""
RETURN = 'return {move: self.changed({walker: ".", to: "@"}) for move, to in steps}'


@pytest.mark.parametrize(
    ("before", "after", "place", "said"),
    [
        (RETURN, "pass", "def following", "following() gave None, which is not a mapping from moves to positions"),
        (RETURN, "return [1]", "def following", "following() gave [1], which is not a mapping from moves to positions"),
        (RETURN, "return {'e': 7}", "def following", "following() gave 7, as 'e', which is not a position"),
        ('to: "@"', "to: None", "for move, to", "following() raised TypeError: sequence item 1: expected str instance"),
        ("{walker:", "{'1':", "for move, to", "following() raised TypeError: list indices must be integers"),
        ("self.around[walker]", "self.around[walker + 9]", "steps =", "raised IndexError: tuple index out of range"),
        (
            '"F" not in self.cells',
            "self.where(5)",
            "return self.where",
            "raised TypeError: argument of type 'int' is not",
        ),
        ('single = {"walker": "@"}', 'single = {"walker": 5}', None, "TypeError"),
    ],
)
@pytest.mark.parametrize("planner", ["rules:bfs", "rules:astar"])
def test_an_error_of_a_grid_puzzle_names_the_line_of_its_own_file(before, after, place, said, planner, told):
    """Whatever of ours raised it: a line of `shared/grid.py` or `position.py` would help nobody."""
    assert GRID.count(before) == 1
    text = GRID.replace(before, after)
    found = told(text, "solve", "1", "--planner", planner)
    assert said in found
    assert found.startswith(f"mine.py:{line(text, place)}: " if place else "mine.py: ")


def test_a_puzzle_that_derives_from_a_bundled_one_is_told_by_its_own_lines(told):
    text = """from unpuzzle.translators.sokoban import Sokoban as _Sokoban


class Mine(_Sokoban):
    name = "mine"

    def solved(self):
        return self.changed({"a": 1})
"""
    found = told(text, "solve", "1", "--planner", "rules:bfs")
    assert found.startswith("mine.py:8: ")
    assert "TypeError: list indices must be integers" in found


@pytest.mark.parametrize("command", ["solve", "draw", "explore"])
def test_a_limit_while_the_file_is_imported_is_no_mistake_in_it(command, tmp_path):
    (tmp_path / "mine.py").write_text("import time\n\ntime.sleep(600)\n" + WALK)
    line = [sys.executable, "-m", "unpuzzle", command, "./mine.py", "1", "--time-limit", "0.5"]
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (
        3,
        "unpuzzle: the time limit was reached while reading the game ./mine.py\n",
    )


CONSTRAINTS = "return Constraints(dict.fromkeys(self._names(), (0, 1)), relations,"


@pytest.mark.parametrize("words", [["solve", "3x3", "--count", "2"], ["check", "3x3"], ["survey"]])
def test_constraints_that_are_not_returned(words, told):
    text = LIGHTS.replace(CONSTRAINTS, CONSTRAINTS.removeprefix("return "))
    said = told(text, *words, name="lights_out.py")
    assert said == f"lights_out.py:{line(text, 'def constraints')}: constraints() gave None, which is no Constraints"


def test_constraints_without_a_solution_of_a_level_that_has_one(tmp_path, monkeypatch, capsys):
    """The survey said that there are several solutions."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lights_out.pddl").write_text((OUTSIDE / "lights_out.pddl").read_text())
    against = 'relations.append(Relation("parity", near[0], not lit[0]))\n        '
    (tmp_path / "lights_out.py").write_text(LIGHTS.replace(CONSTRAINTS, against + CONSTRAINTS))
    assert main(["survey", "./lights_out.py", "3x3", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["solvable"], row["unique"]) == (True, None)
    assert "the constraints differ from the rules: they have no solution, and the level has one" in row["message"]


@pytest.mark.parametrize("estimate", ["None", "'3'"])
@pytest.mark.parametrize(
    "words", [["solve", "1", "--planner", "rules:astar"], ["check", "1", "--heuristic", "distance"]]
)
def test_an_estimate_that_is_no_number(words, estimate, told):
    text = WALK.replace("lambda position: position.length - 1 - position.place", f"lambda position: {estimate}")
    said = f"heuristics['distance'].estimate(...) gave {estimate}, but an estimate must be a number"
    assert told(text, *words) == f"mine.py: {said}"


def test_a_made_level_that_is_none(told):
    """It was called a difference between rules and PDDL, which `check` would find; but it finds none."""
    text = GRID.replace("(GridPuzzle)", "(GridPuzzle, Generating)").replace(
        "    def following",
        '''    @classmethod
    def generate(cls, rng, options):
        return cls("@@F", 3)

    predicates = {"@": ("at",)}
    actions = {"go": "E"}
    pddl = """(define (domain lonely) (:requirements :typing) (:types cell) (:predicates (at ?c - cell))
      (:action go :parameters (?b - cell) :effect (at ?b)))"""

    def goal_condition(self):
        return [("at", self.names[cell]) for cell in self.where("F")]

    def following''',
        1,
    )
    text = "from unpuzzle.model.capabilities import Generating\n" + text
    said = told(text, "generate", "--workers", "1", "--count", "1")
    place = f"mine.py:{line(text, 'def generate')}: "
    assert (
        said == f"{place}generate() gave a level that parse() refuses: "
        "there are two walkers, but only one is allowed: at 1:1 and 1:2"
    )


SEARCHES = ("bfs", "astar", "idastar", "dfs")
LISTED = 'return ("L",) * (self.place > 0)'


@pytest.mark.parametrize(("command", "extra"), [("check", []), ("explore", ["--quiet"])])
def test_a_move_that_is_offered_twice(command, extra, told):
    """Check that a repeated move is refused: it would count solutions twice."""
    text = WALK.replace(LISTED, 'return ("L",) * 2 * (self.place > 0)')
    if command == "explore":  # by the rules
        text = text.replace("    def task(", "    def _task(").replace("    def atoms(", "    def _atoms(")
    assert (
        told(text, command, "2", *extra)
        == f"mine.py:{line(text, 'def moves')}: moves() returned the move 'L' twice; it must return each move once"
    )


@pytest.mark.parametrize(
    ("command", "later"),
    [("check", False), *[(f"solve --planner rules:{name}", later) for name in SEARCHES for later in (False, True)]],
)
def test_a_move_that_changes_the_position_itself(command, later, told):
    """Check that `apply` may not change a position: a search would end too early, and call the level unsolvable.

    It may be a later one: a step back from the second cell, where the first moves of the level are sound.
    """
    if later:
        changed = WALK.replace(
            APPLY, f'if move == "L":\n            self.place -= 1\n            return self\n        {APPLY}'
        )
        text = changed.replace("return self.place == self.length - 1", "return False")
    else:
        text = WALK.replace(APPLY, 'self.place += 1 if move == "R" else -1\n        return self')
    name, *options = command.split()
    said = told(text, name, "1", *options)
    assert said.endswith(
        f":{line(text, 'def apply')}: apply() changed the position itself: a move makes a new position"
    )


@pytest.mark.parametrize("command", ["solve --planner rules:bfs", "check"])
def test_moves_that_change_the_position_itself(command, told):
    """Check that `moves` may not change a position either: a search would end at once, with a false proof."""
    head = "    def moves(self):\n"
    assert head in WALK
    name, *options = command.split()
    said = told(WALK.replace(head, f"{head}        self.place = self.length - 1\n"), name, "1", *options)
    assert said.endswith("apply() changed the position itself: a move makes a new position")


def test_a_plan_by_the_rules_refutes_the_pddl(tmp_path, monkeypatch, capsys):
    """Check that a fault in an author's PDDL is no proof that the level has no solution."""
    monkeypatch.chdir(tmp_path)
    right = (OUTSIDE / "lights_out.pddl").read_text()
    wrong = right.replace("(not (lit ?n)))\n", "(lit ?n))\n", 1)
    assert wrong != right
    (tmp_path / "mine.pddl").write_text(wrong)
    (tmp_path / "mine.py").write_text(LIGHTS)
    assert main(["solve", "./mine.py", "3x3", "--planner", "native"]) == 4
    said = "the PDDL differs from the rules: by the PDDL there is no solution, by the rules these moves are one: "
    assert said in capsys.readouterr().err
    monkeypatch.setattr("unpuzzle.solving.CONFIRMING_STATES", 1)  # too few to find it
    assert main(["solve", "./mine.py", "3x3", "--planner", "native", "--json"]) == 1
    fields = json.loads(capsys.readouterr().out)
    assert fields["condition"] == "the PDDL agrees with the rules"
    assert fields["message"].endswith("proved of the PDDL alone: `unpuzzle check` compares it with the rules")


def test_a_goal_test_that_gives_a_number(told):
    text = WALK.replace("return self.place == self.length - 1", "return 1")
    said = told(text, "solve", "1", "--planner", "rules:bfs")
    assert said.endswith("solved() gave 1, which is neither True nor False")


def test_a_title_that_is_no_text(told):
    text = re.sub(r"title = .*", "title = 5", WALK)
    assert told(text, "play", "1") == f"mine.py:{line(text, 'title = 5')}: title is 5, which is not a text"


@pytest.mark.parametrize("name", ["../mine", "a\\\\b", "a\\nb"])
def test_a_name_that_no_file_can_have(name, told):
    """Levels that are generated would be written outside of their folder, or not at all."""
    text = WALK.replace('name = "old-style"', f'name = "{name}"')
    assert "is part of file names: it cannot contain '/' or '\\'" in told(text, "generate", "--output", "levels")


def test_a_level_made_by_generate_is_no_position(told):
    text = WALK.replace(MADE, "return 'level'")
    said = told(text, "generate", "--workers", "1")
    assert said.startswith(f"mine.py:{line(text, 'def generate')}: generate(...) gave 'level', which is not a position")


def test_a_listed_move_that_is_refused_is_no_answer_about_the_level(told):
    text = WALK.replace('return ("L",) * (self.place > 0)', 'return ("L",)')
    text = text.replace("if move not in self.moves()", "if not 0 <= self.place + (1 if move == 'R' else -1)")
    said = told(text, "solve", "1", "--planner", "rules:bfs")
    assert "apply('L') raised IllegalMove: L: there is no way" in said


LEVELS = 'levels = {"1": "@...\\n", "2": "..@..\\n", "3": "@\\n"}'
HEURISTICS = 'heuristics = {"distance": DISTANCE, "null": NULL}'
OPTIONS = 'options = {"length": Number('


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (LEVELS, "levels = ['1']", "mine.py:30: levels is ['1'], which is not a mapping from names to texts"),
        (LEVELS, "levels = {'1': 5}", "levels is {'1': 5}, which is not a map"),
        (HEURISTICS, "heuristics = {'a': max}", "not a mapping from names to heur"),
        (OPTIONS, "options = {'length': str} or {'length': Number(", "not a mapping from names to opt"),
    ],
)
def test_attributes_of_a_game_that_are_nonsense(before, after, said, told):
    words = ["generate"] if "options" in before else ["solve", "1", "--planner", "rules:astar"]
    assert said in told(WALK.replace(before, after), *words)


def test_a_wrong_decode_is_the_one_error_of_plans_that_fail_on_the_rules(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "mine.py").write_text(WALK.replace('return "L" if action', 'return "R" if action'))
    assert main(["solve", "./mine.py", "1", "--json"]) in (0, 4)
    capsys.readouterr()
    assert main(["check", "./mine.py", "1"]) == 1
    assert "rules and PDDL differ" in capsys.readouterr().out


PICTURED = (
    LIGHTS.replace(
        "from unpuzzle.model.capabilities import Constrained, Generating\n",
        "from unpuzzle.drawing import At, Circle, Ground, Look, Path, Rect, Text\n"
        "from unpuzzle.model.capabilities import Constrained, Generating, Pictured\n",
    ).replace("class LightsOut(Puzzle, ", "class LightsOut(Puzzle, Pictured, ")
    + """
    def ground(self):
        lamp = Look(Circle(0.5, 0.5, 0.3), text="o")
        return Ground(3, 3, {"lamp": lamp}, [])

    def pieces(self):
        return (("lamp", 1, 1, "lamp"),)
"""
)
CIRCLE, PIECES = "Circle(0.5, 0.5, 0.3)", '(("lamp", 1, 1, "lamp"),)'


@pytest.mark.parametrize(
    ("before", "after", "place", "said"),
    [
        (CIRCLE, "Text(0.5, 0.5, 0.4, 'a')", "lamp =", "Text(x, y, words, size, fill, left): words is"),
        (CIRCLE, "Circle(0.5, 0.5, 'a')", "lamp =", "Circle(x, y, radius): radius is 'a', not a number"),
        (CIRCLE, "Circle(0.5, 0.5, -1)", "lamp =", "radius is -1, not a number, 0 or more"),
        (CIRCLE, "Rect(0, 0, 1, float('nan'))", "lamp =", "height is nan, not a number"),
        (CIRCLE, "Path((0, 0), (1, 1))", "lamp =", "trains is ((0, 0), (1, 1)), not trains such as"),
        (CIRCLE, "Path(1)", "lamp =", "trains is (1,), not trains such as"),
        (CIRCLE, "'o'", "lamp =", "shapes is ('o',), not shapes"),
        ("0.3)", "0.3, fill='red')", "lamp =", "fill is 'red', not a role: the roles are paper"),
        ('text="o"', "text=5", "lamp =", "text is 5, not a text"),
        ("Ground(3, 3", "Ground('3', 3", "return Ground", "rows is '3', not a number"),
        ("lamp}, []", "lamp}, [], aims='lit'", "return Ground", "aims is 'lit', not texts"),
        ('{"lamp": lamp}', "[lamp]", "return Ground", "not a mapping from names to looks"),
        ('{"lamp": lamp}', '{"lamp": 5}', "return Ground", "looks['lamp'] is 5, not a Look"),
        ("lamp}, []", "lamp}, [At(0, 0, 'lump')]", "return Ground", "there is no look 'lump', did you mean 'lamp'?"),
        (CIRCLE, "At(0, 0, 'lamp')", "return Ground", "the look 'lamp' contains itself"),
        (PIECES, '(("lump", 1, 1, "lamp"),)', "def pieces", "there is no look 'lump'"),
        (PIECES, '(("lamp", "1", 1, "l"),)', "def pieces", "not (look, row, column, kind)"),
        (PIECES, "None", "def pieces", "pieces() gave None, which is not a tuple of pieces"),
    ],
)
@pytest.mark.parametrize("words", [["draw", "2x3"], ["draw", "2x3", "-o", "x.svg"]])
def test_a_slip_in_a_picture_is_told_with_its_line(before, after, place, said, words, told):
    assert PICTURED.count(before) == 1
    text = PICTURED.replace(before, after)
    found = told(text, *words)
    line = next(number for number, line in enumerate(text.splitlines(), 1) if place in line)
    assert found.startswith(f"mine.py:{line}: ")
    assert said in found


def test_our_own_defects_are_told_as_ours(tmp_path, monkeypatch, capsys):
    """Where no fault of the puzzle is found, it is one of unpuzzle."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "mine.py").write_text(WALK)

    def broken(*_, **__):
        raise AssertionError("ours")

    monkeypatch.setattr("unpuzzle.state_space.surveying.explore", broken)
    assert main(["explore", "./mine.py", "1"]) == 4
    assert "this is a bug in unpuzzle: AssertionError: ours" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["solve", "1"], ["generate", "--count", "1", "--workers", "2"], ["draw", "1"]])
def test_what_a_puzzle_prints_is_no_part_of_the_answer(words, tmp_path):
    """Prints are how many look for a mistake; stdout is for results, which programs read."""
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    printing = "def __init__(self, place: int, length: int) -> None:\n"
    (tmp_path / "mine.py").write_text(WALK.replace(printing, f"{printing}        print('seen')\n"))
    command, *rest = words
    line = [sys.executable, "-m", "unpuzzle", command, "./mine.py", *rest, "--json"]
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, "seen\n" in ran.stderr) == (0, True)
    assert json.loads(ran.stdout)["schema"].startswith("unpuzzle/")


def test_help_about_a_puzzle_whose_moves_break(tmp_path, monkeypatch, capsys):
    """It was called a bug in unpuzzle."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "mine.py").write_text(WALK.replace("def moves(self):\n", "def moves(self):\n        1 / 0\n", 1))
    assert main(["help", "./mine.py"]) == 2
    assert "the puzzle's own code raised ZeroDivisionError" in capsys.readouterr().err
