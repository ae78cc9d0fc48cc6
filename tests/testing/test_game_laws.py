"""The laws hold for lawful games of all kinds, and each catches the fault it is meant for."""

from __future__ import annotations

import builtins
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from support.key_mutations import mutations
from support.thorough import PART
from unpuzzle import find
from unpuzzle.errors import UnpuzzleError
from unpuzzle.testing import laws
from unpuzzle.testing.game_laws import all_laws
from unpuzzle.testing.game_laws.causes import CAUSES, failing, verdict
from unpuzzle.testing.game_laws.subject import Subject, apply_law, layers

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
LAWFUL = ("lights_out", "valves", "towers", "old_style", "leaps", "silent", "rush_hour")
"""Conditional effects; derived predicates, JSON, moves that cost nothing, one level, two goals; a `decode` that looks
at the position; the first version of `Puzzle`; a game made at run time; no PDDL; pieces of several cells."""

for _name in LAWFUL:
    globals()[f"test_laws_of_{_name}"] = laws(find(str(OUTSIDE / f"{_name}.py")), share=PART)


# ---- planted faults

CORRIDOR = (OUTSIDE / "old_style.py").read_text()
APPLY = "return type(self)(self.place + (1 if move"
METHOD = "    def solved(self):"
CONSTRAINED = """    def constraints(self):
        from unpuzzle.constraints import Constraints, Relation

        costs = {'end': {1: self.length - 1 - self.place}}
        return Constraints({'end': (0, 1)}, [Relation('table', ('end',), ((1,),))], costs)

    def moves_to(self, solution):
        return ['R'] * (self.length - 1 - self.place)

"""
"""What a corridor may say of constraints, rightly: the only solution is to stand at its end."""

PICTURED = """    def ground(self):
        from unpuzzle.drawing import Ground, Look

        return Ground(1, self.length, {'@': Look()})

    def pieces(self):
        return [('@', 0, self.place, 'mover')]

"""
"""The picture of a corridor, described rightly."""

HEIR_OF = {"constraints": "Constrained", "explain": "Explaining", "pieces": "Pictured", "plain": "ForComponents"}
"""By method that comes with a fault, the capability that the corridor has to inherit for it."""

FAULTS = [
    ("the_game_says_what_it_is", 'title = "Old', 'title = "\\nOld', "should say in one line what the game is"),
    ("the_game_says_what_it_is", '"old-style"\n', '"Old Style"\n', "the name 'Old Style' should be of small letters"),
    ("the_game_says_what_it_is", '{"1": "@', '{"a/b": "@', "level name 'a/b' has blanks, '/' or '.'"),
    (
        "every_level_is_read",
        '"@...\\n"',
        '"@.x.\\n"',
        "parse() refuses the bundled level '1': 1:1:1: '@.x.' is no corridor",
    ),
    (
        "every_level_is_read",
        'return cls(line.index("@"), len(line))',
        "pass",
        "parse(...) gave None, which is no position",
    ),
    ("the_text_comes_back", '+ "." * (self', '+ "." * (1 + self', "is another position than the one with the text"),
    ("the_text_comes_back", 'place) + "\\n"', "place)", "does not end with a newline"),
    ("the_text_comes_back", "return self.place, self.length", "return self.place, id(self)", "is another position"),
    ("line_ends_and_byte_order_mark_mean_nothing", '.replace("\\r\\n", "\\n")', "", "refuses a level with line ends"),
    (
        "line_ends_and_byte_order_mark_mean_nothing",
        '.removeprefix("\\ufeff")',
        "",
        "refuses a level after a byte order",
    ),
    ("a_text_is_read_or_refused_with_its_place", ", line=1, column=1, text=line", "", "names no line and column"),
    ("a_text_is_read_or_refused_with_its_place", "line=1, column=1, text=line", "line=7, column=1", "is no place of"),
    ("a_text_is_read_or_refused_with_its_place", "file=source, line=1", "line=1", "does not name the file"),
    ("a_text_is_read_or_refused_with_its_place", 'line.count("@") != 1 or ', "", "ValueError: substring not found"),
    ("a_text_is_read_or_refused_with_its_place", "return self.place, self.length", "return 1 // self.place", "Zero"),
    (
        "long_and_deeply_nested_texts_are_read_or_refused",
        "        line = lines[0]\n",
        "        line = lines[0]\n        (lambda f: f(f, len(line)))(lambda f, n: n and f(f, n - 1))\n",
        "RecursionError",
    ),
    ("positions_keep_their_promises", APPLY, "(self.place + (1 if move", "gave None, which is no position"),
    ("positions_keep_their_promises", APPLY, "return (self.place + (1 if move", "gave (1, 2), which is no position"),
    ("positions_keep_their_promises", "return self.place == self.length - 1", "pass", "solved() gave None, which is"),
    (
        "positions_keep_their_promises",
        "        return 1\n",
        "        return 0.5\n",
        "gave 0.5, which is no whole number, 0 or",
    ),
    (
        "positions_keep_their_promises",
        "        return 1\n",
        "        return -1\n",
        "gave -1, which is no whole number, 0 or",
    ),
    ("positions_keep_their_promises", "return frozenset(", "return list(", "which is no frozenset of atoms"),
    ("positions_keep_their_promises", 'return "L" if action', 'return "X" if action', "which is no legal move here"),
    ("positions_keep_their_promises", 'return "L" if action', "return 5 if action", "gave 5, which is no string"),
    ("positions_keep_their_promises", 'return "L" if action', "return {}[5] if action", "raised KeyError: 5"),
    ("positions_keep_their_promises", 'return ("L",) * (self', "return [1] * len(self", "moves() raised TypeError"),
    (
        "positions_keep_their_promises",
        METHOD,
        "    moves = lambda self: [1, 2]\n" + METHOD,
        "gave [1, 2], which is no tuple of",
    ),
    (
        "positions_keep_their_promises",
        METHOD,
        "    moves = lambda self: 'LR'\n" + METHOD,
        "gave 'LR', which is no tuple of",
    ),
    ("moves_are_words_without_blanks", 'return ("L",)', 'return ("go L",)', "the move 'go L' is empty, or has blanks"),
    ("moves_are_words_without_blanks", 'return ("L",)', 'return ("L", "L")', "moves() offers a move twice: L L"),
    ("one_letter_moves_tells_the_truth", '("R",)', '("right",)', "one_letter_moves is True, but 'right'"),
    (
        "a_move_leaves_its_position_unchanged",
        APPLY,
        "self.length += 1\n        " + APPLY,
        "changed the position itself: its text was '.@\\n' and is now '.@.\\n'; positions are immutable, so copy",
    ),
    (
        "a_move_leaves_its_position_unchanged",
        'return type(self)(self.place + (1 if move == "R" else -1), self.length)',
        "self.place += 1 if move == 'R' else -1\n        return self",
        "changed the position itself: its text was",
    ),
    (
        "asked_twice_a_position_says_the_same",
        "    def impossible(self):\n        return None",
        "    asked = []\n\n    def impossible(self):\n        self.asked.append(1)\n        "
        "return 'odd' if len(self.asked) % 2 else None",
        "impossible(), asked twice, gives different answers",
    ),
    (
        "asked_twice_a_position_says_the_same",
        "        return 1\n",
        "        return __import__('time').perf_counter_ns()\n",
        "cost('L'), asked twice, gives different answers",
    ),
    (
        "asked_twice_a_position_says_the_same",
        'return ("L",) * (self',
        'self.length += 1\n        return ("L",) * (self',
        "str(), asked twice, gives different answers: '@.",
    ),
    (
        "asked_twice_a_position_says_the_same",
        'return str(self).rstrip("\\n")',
        "self.length += 1\n        return str(self).rstrip('\\n')",
        "asked twice, gives different answers",
    ),
    (
        "equal_positions_have_equal_facts",
        "return self.place, self.length",
        "return self.place // 2, self.length",
        "old_style.py:42: equal positions, different facts: at the start (at c0) holds alone; after 1 move (R) (at c1)",
    ),
    ("a_move_makes_a_new_position", "(1 if move", "(0 if move", "apply('R') changes nothing"),
    (
        "equal_positions_offer_the_same",
        "        return 1\n",
        "        return id(self)\n",
        "differs from that after its text is",
    ),
    (
        "nothing_else_is_a_move",
        "if move not in self.moves()",
        "if move not in 'LR'",
        "although moves() does not offer it",
    ),
    ("nothing_else_is_a_move", "raise IllegalMove(f", "raise KeyError(f", "should raise IllegalMove, but it raised"),
    ("nothing_else_is_a_move", 'f"{move}: there is no way"', '""', "gives no reason"),
    ("nothing_else_is_a_move", 'way", move=move', "way\", move='?'", "names another move"),
    (
        "a_reason_for_impossible_is_right",
        "        return None\n",
        "        return 'no'\n",
        "'no' is wrong: 0 moves solve",
    ),
    ("pictures_show_what_moves_change", 'return str(self).rstrip("\\n")', 'return "abc"', "the same after the move"),
    ("pictures_show_what_moves_change", 'return str(self).rstrip("\\n")', "return str(self)", "ends with a newline"),
    (
        "equal_pieces_are_equal_positions",
        METHOD,
        PICTURED.replace("self.place, 'mover'", "0, 'mover'") + METHOD,
        "two positions of a level have the same pieces",
    ),
    (
        "a_level_has_one_ground",
        METHOD,
        PICTURED.replace("{'@': Look()}", "{'@': Look()}, text='@' * self.place") + METHOD,
        "the ground changes by moves",
    ),
    ("pieces_are_on_the_board", METHOD, PICTURED.replace("('@', 0", "('@', 1") + METHOD, "is not on the board, which"),
    ("pieces_are_on_the_board", METHOD, PICTURED.replace("('@', 0", "('P', 0") + METHOD, "has a look that the ground"),
    (
        "letters_lie_on_paint_that_they_can_be_read_on",
        METHOD,
        PICTURED.replace("Look()", "Look(Rect(0, 0, 1, 1, fill='hero'), Text(0.5, 0.5, 'W', 0.6))").replace(
            "import Ground, Look", "import Ground, Look, Rect, Text"
        )
        + METHOD,
        "the text 'W' in the role 'ink' lies on 'hero', where its contrast in the theme",
    ),
    (
        "pictures_are_well_formed",
        METHOD,
        PICTURED.replace("Look()", "Look('circle')") + METHOD,
        "AttributeError: 'str'",
    ),
    ("pieces_are_on_the_board", METHOD, PICTURED.replace("'mover'", "''") + METHOD, "has no kind"),
    ("samples_vary", "length = rng.randint(1, 6)", "length = 4; return cls(0, 4)", "40 samples are all the same"),
    (
        "samples_vary",
        "length = rng.randint(1, 6)",
        "length = 1 + __import__('time').perf_counter_ns() % 97",
        "sample(Random(",
    ),
    (
        "some_level_can_be_solved",
        "return self.place == self.length - 1",
        "return False",
        "levels and samples can be solved",
    ),
    ("symmetries_are_a_closed_set", "return (self,)", "return ()", "leaves out the position itself"),
    ("symmetries_are_a_closed_set", "return (self,)", "return (self, self)", "gives a position twice"),
    (
        "symmetric_positions_have_symmetric_moves",
        "return (self,)",
        "return {self, type(self)(self.length - 1 - self.place, self.length)}",
        "only one of two symmetric positions is solved",
    ),
    (
        "symmetric_levels_are_equally_hard",
        "return (self,)",
        "return {self, type(self)(self.length - 1 - self.place, self.length)}",
        "are not equally hard",
    ),
    ("predecessors_lead_here", '("L" if move == "R" else "R", self', "(move, self", "which is no legal move in"),
    (
        "no_predecessor_is_missing",
        "for move in self.moves()]\n\n    def symm",
        "for move in self.moves()[:1]]\n\n    def symm",
        "leave",
    ),
    (
        "the_goal_position_is_where_best_solutions_end",
        "type(self)(self.length - 1, self.l",
        "type(self)(0, self.l",
        "is not solved",
    ),
    (
        "the_goal_position_is_where_best_solutions_end",
        "return self.place ==",
        "return not self.place or self.place ==",
        "of a solved position is another one",
    ),
    (
        "headings_are_moves_and_the_opposite_one_leads_back",
        '("L", "R")\n',
        '("L", "R", "U")\n',
        "is no even number of moves",
    ),
    (
        "headings_are_moves_and_the_opposite_one_leads_back",
        '("L", "R")\n',
        '("L", "U")\n',
        "the moves R are not in compass",
    ),
    ("points_are_whole_numbers", "return 10 - ", "return 9.5 - ", "score(()) gave 9.5, which is no whole number"),
    (
        "solutions_of_the_constraints_solve_the_position",
        METHOD,
        CONSTRAINED.replace("['R'] *", "['L'] *") + METHOD,
        "does not solve it: move 1 is illegal",
    ),
    (
        "solutions_of_the_constraints_solve_the_position",
        METHOD,
        CONSTRAINED.replace("{'end': {1: self.length - 1 - self.place}}", "{'end': {1: 99}}") + METHOD,
        "the constraints say 99, and the moves cost",
    ),
    (
        "constraints_have_a_solution_where_the_rules_have",
        METHOD,
        CONSTRAINED.replace("((1,),)", "()") + METHOD,
        "solvable by the rules: True; by the constraints: False",
    ),
    (
        "a_line_is_one_line",
        METHOD,
        "    def line(self):\n        return 'a b'\n\n" + METHOD,
        "gave 'a b', which is no line",
    ),
    (
        "grades_are_numbers_with_words",
        METHOD,
        "    def explain(self):\n        return 'so', {}\n\n    def grade(self):\n        return 'hard'\n\n" + METHOD,
        "gave 'hard', which is neither None",
    ),
    (
        "explanations_are_text_and_plain_data",
        METHOD,
        "    def explain(self):\n        return 'so', 3\n\n" + METHOD,
        "explain() gave 3, which is no dict",
    ),
    (
        "plain_data_is_plain",
        METHOD,
        "    def plain(self):\n        return [{1}]\n\n" + METHOD,
        "holds {1}, which is no plain data",
    ),
    ("heuristics_go_by_their_names", '    "distance",', '    "far",', "heuristics['distance'] has the name 'far'"),
    ("heuristics_are_what_they_claim", "position.length - 1 - p", "position.length + 1 - p", "is not what it claims"),
    ("estimates_are_numbers", "position.length - 1 - position.place", "-1", "is -1, which is no number, 0 or more"),
    ("stages_see_the_moves_of_the_game", '("L", place - 1, 1)', '("L", place - 1, 2)', "does not see all moves of"),
    (
        "stages_see_the_moves_of_the_game",
        "estimate=lambda place: end - place",
        "estimate=lambda place: 9",
        "is not 0, in",
    ),
    (
        "when_all_subgoals_are_achieved_the_position_is_solved",
        "achieved=lambda place: place == end",
        "achieved=lambda place: place >= end - 1",
        "is the answer for",
    ),
    ("a_task_is_written_and_read_again", 'objects(names, "cell")', 'objects(names, "cel")', "cel"),
    ("atoms_are_the_fluents_of_the_task", "*self.atoms())", ")", "atoms() has (at c0), which task() does not have"),
    ("atoms_are_the_fluents_of_the_task", "(*adjacent, *self", "(*adjacent, *adjacent, *self", "has an atom twice"),
    ("the_pddl_of_samples_is_the_game", "        return 1\n", "        return 2\n", "costs 2"),
    ("the_pddl_of_bundled_levels_is_the_game", "names[-1]),)", "names[0]),)", "rules and PDDL differ at the start"),
    ("a_foreign_action_is_refused", " or len(action.arguments) != 2", "", "although there is no such action"),
    (
        "a_foreign_action_is_refused",
        "raise foreign(action",
        "raise KeyError(action",
        "should raise ParseError, but",
    ),
    ("options_say_what_they_are", '{"length": Number("length"', '{"length": Number("size"', "has the name 'size'"),
    ("options_say_what_they_are", '"cells", 4', '"", 4', "option 'length' does not say what it is"),
    ("generated_levels_are_levels", 'options["length"]), opt', 'options["length"]) + 9, opt', "does not come back"),
    (
        "generated_levels_are_levels",
        'rng.randrange(options["l',
        '__import__("time").perf_counter_ns() % (options["l',
        "gives different levels",
    ),
    ("generated_levels_vary", 'rng.randrange(options["length"])', "0", "40 generated levels are all the same"),
    (
        "every_level_of_a_shape_comes_in_a_fixed_order",
        'in range(options["length"])',
        "in (0, 0)",
        "gives a level twice",
    ),
    (
        "a_position_comes_back_from_a_pickle",
        METHOD,
        "    def __getstate__(self):\n        return None\n\n" + METHOD,
        "Attr",
    ),
    (
        "levels_are_the_same_in_every_process",
        "length = rng.randint(1, 6)",
        'length = 1 + hash("a") % 97',
        "samples differ",
    ),
]
LAWS = {law.__name__: law for law in all_laws()}


@pytest.mark.parametrize(("law", "before", "after", "said"), FAULTS)
def test_a_planted_fault_is_caught_by_its_law(law, before, after, said, tmp_path):
    assert CORRIDOR.count(before) == 1, "the fault is planted once"
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    path = tmp_path / "old_style.py"
    text = CORRIDOR.replace(before, after)
    for heir in [heir for method, heir in HEIR_OF.items() if f"def {method}(" in after]:
        text = text.replace("(Puzzle", f"({heir}, Puzzle").replace(
            "capabilities import", f"capabilities import {heir},"
        )
    path.write_text(text)
    with pytest.raises(AssertionError) as caught:
        apply_law(LAWS[law], Subject(find(str(path))))
    assert said in str(caught.value)


def test_every_law_has_a_planted_fault():
    by_themselves = {"the_domain_is_that_of_the_tasks", "a_game_comes_back_from_a_pickle"}
    assert {fault[0] for fault in FAULTS} == set(LAWS) - by_themselves


def test_the_domain_is_that_of_the_tasks(tmp_path):
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "old_style.pddl").write_text("(define (domain old-style))")
    path = tmp_path / "old_style.py"
    path.write_text(CORRIDOR)
    with pytest.raises(AssertionError, match=r"game.domain\(\) is not the domain of the task"):
        apply_law(LAWS["the_domain_is_that_of_the_tasks"], Subject(find(str(path))))


def test_a_game_that_cannot_be_pickled_is_told(tmp_path):
    path = tmp_path / "leaps.py"
    path.write_text((OUTSIDE / "leaps.py").read_text())
    (tmp_path / "leaps.rules").write_text((OUTSIDE / "leaps.rules").read_text())
    game = find(str(path))
    game.home = None
    game.secret = lambda: None
    with pytest.raises(AssertionError, match="the game leaps cannot be pickled"):
        apply_law(LAWS["a_game_comes_back_from_a_pickle"], Subject(game))


# ---- causes

MUTABLE = CORRIDOR.replace(
    'return type(self)(self.place + (1 if move == "R" else -1), self.length)',
    'self.place += 1 if move == "R" else -1\n        return self',
)
ASKED = "asked_twice_a_position_says_the_same"
FORGETFUL = CORRIDOR.replace("return self.place, self.length", "return self.place // 2, self.length")


def outcomes(tmp_path, text):
    """What pytest says of all laws of a corridor: passed, skipped and failed, the failed ones by name."""
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "corridor.py").write_text(text)
    (tmp_path / "test_corridor.py").write_text(
        "from unpuzzle.testing import laws\nfrom corridor import OldStyle\n\ntest_laws = laws(OldStyle, share=0.25)\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rfs", "-p", "no:cacheprovider", "-n", "0", "test_corridor.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    return re.findall(r"^FAILED .*\[(\w+)\]", run.stdout, re.MULTILINE), run.stdout


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (MUTABLE, "a_move_leaves_its_position_unchanged"),
        (FORGETFUL, "equal_positions_have_equal_facts"),
        (CORRIDOR.replace('return ("L",) * (self', 'self.length += 1\n        return ("L",) * (self'), ASKED),
        (CORRIDOR.replace("* (self.place > 0)", "* (self.place > 0 and __import__('random').random() < 0.5)"), ASKED),
        (CORRIDOR.replace("return self.place == self.length - 1", "pass"), "positions_keep_their_promises"),
    ],
)
def test_a_cause_fails_alone_and_the_laws_after_it_are_skipped_with_it_as_the_reason(text, cause, tmp_path):
    assert text != CORRIDOR
    failed, said = outcomes(tmp_path, text)
    assert failed == [cause]
    assert f"not looked at, since {cause} fails" in said
    before = list(LAWS).index(cause)
    assert f"1 failed, {before} passed" in said if before else "1 failed, " in said


def test_causes_are_asked_first_and_once():
    assert all_laws()[: len(CAUSES)] == CAUSES
    assert len(set(all_laws())) == len(all_laws())
    asked = []
    subject = Subject(find(str(OUTSIDE / "silent.py")))
    subject.verdicts = Counted(asked)
    failing(subject, all_laws()[-1])
    failing(subject, all_laws()[-2])
    assert asked == list(CAUSES)


class Counted(dict):
    """A table that notes what is put into it."""

    def __init__(self, noted):
        self.noted = noted

    def __setitem__(self, key, value):
        self.noted.append(key)
        super().__setitem__(key, value)


@pytest.mark.parametrize("name", ["boxup", "sokoban", "hanoi", "gogen"])
def test_a_key_that_leaves_something_out_is_told_first(name, monkeypatch):
    """Of each mutation by which two positions near a level become equal, and differ in what is true of them."""
    game = find(name)
    subject = Subject(game, 0.1)
    start = next(iter(subject.levels.values()))
    right = type(start)._key
    near = {position._key(): position for layer in islice(layers(start, 30), 4) for position in layer}
    caught = 0
    for _, mutation in mutations(start._key()):
        facts = {}
        apart = any(facts.setdefault(mutation(key), p.atoms()) != p.atoms() for key, p in near.items())
        with monkeypatch.context() as patch:
            patch.setattr(type(start), "_key", lambda position, mutation=mutation: mutation(right(position)))
            again = Subject(game, 0.1)
            again.starts = [start]
            broken = verdict(again, LAWS["equal_positions_have_equal_facts"])
        assert broken is None or "equal positions, different " in str(broken)
        assert broken is not None or not apart
        caught += broken is not None
    assert caught


def test_sharing_what_moves_change_is_changing_the_position_before(tmp_path):
    """A list that a new position shares with the old one: the first move is harmless, the next one is not."""
    text = CORRIDOR.replace(
        "        self.place = place\n", "        self.path = place if isinstance(place, list) else [place]\n"
    )
    text = text.replace("    length: int\n    place: int\n", "    place = property(lambda self: self.path[-1])\n")
    text = text.replace('__slots__ = ("length", "place")', '__slots__ = ("length", "path")')
    text = text.replace(
        'return type(self)(self.place + (1 if move == "R" else -1), self.length)',
        'self.path.append(self.place + (1 if move == "R" else -1))\n        return type(self)(self.path, self.length)',
    )
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "shared.py").write_text(text)
    with pytest.raises(AssertionError, match="changed the position itself"):
        apply_law(LAWS["a_move_leaves_its_position_unchanged"], Subject(find(str(tmp_path / "shared.py"))))


# ---- how they are reported


def test_a_test_file_needs_two_lines(tmp_path):
    (tmp_path / "silent.py").write_text((OUTSIDE / "silent.py").read_text().replace("self.heap == 0", "None"))
    (tmp_path / "test_silent.py").write_text(
        "from unpuzzle.testing import laws\nfrom silent import Silent\n\ntest_laws = laws(Silent)\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_silent.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "test_silent.py::test_laws[positions_keep_their_promises]" in run.stdout
    assert "silent.py:34: solved() gave None, which is neither True nor False" in run.stdout
    assert "test_laws[the_text_comes_back]" not in run.stdout, "only what is broken is told"


@pytest.mark.parametrize("name", ["pytest", "hypothesis"])
def test_what_is_missing_is_told(name, monkeypatch):
    real = builtins.__import__

    def without(wanted, *rest):
        if wanted == name:
            raise ImportError(f"No module named {name!r}", name=name)
        return real(wanted, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UnpuzzleError, match=f"{name} is not installed: pip install pytest hypothesis"):
        laws(find("boxup"))


def test_what_is_no_game_is_refused():
    with pytest.raises(TypeError, match="laws\\(\\) takes a game"):
        laws("boxup")
