"""The laws hold for lawful games of all kinds, and each catches the fault it is meant for."""

import builtins
import re
import subprocess
import sys
from itertools import islice

import pytest

from support.key_mutations import mutations
from support.planted_faults import CORRIDOR, FAULTS, HEIR_OF, OUTSIDE
from support.thorough import PART
from unpuzzle import find
from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.testing import laws
from unpuzzle.testing.game_laws import CAUSES, all_laws, failing, verdict
from unpuzzle.testing.game_laws.subject import LawSubject, applicable, apply_law, layers

LAWFUL = ("lights_out", "valves", "old_style", "leaps", "silent", "rush_hour")
"""Conditional effects; derived predicates, JSON, moves that cost nothing, one level, two goals; a `decode` that looks
at the position; the first version of `Puzzle`; a game made at run time; no PDDL; pieces of several cells."""

for _name in LAWFUL:
    globals()[f"test_laws_of_{_name}"] = laws(find(str(OUTSIDE / f"{_name}.py")), share=PART)


# ---- planted faults

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
        apply_law(LAWS[law], LawSubject(find(str(path))))
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
        apply_law(LAWS["the_domain_is_that_of_the_tasks"], LawSubject(find(str(path))))


def test_a_game_that_cannot_be_pickled_is_told(tmp_path):
    path = tmp_path / "leaps.py"
    path.write_text((OUTSIDE / "leaps.py").read_text())
    (tmp_path / "leaps.rules").write_text((OUTSIDE / "leaps.rules").read_text())
    game = find(str(path))
    game.home = None
    game.secret = lambda: None
    with pytest.raises(AssertionError, match="the game leaps cannot be pickled"):
        apply_law(LAWS["a_game_comes_back_from_a_pickle"], LawSubject(game))


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
    assert f"skipped, since {cause} fails" in said
    before = list(LAWS).index(cause)
    assert f"1 failed, {before} passed" in said if before else "1 failed, " in said


def test_causes_are_asked_first_and_once():
    assert all_laws()[: len(CAUSES)] == CAUSES
    assert len(set(all_laws())) == len(all_laws())
    asked = []
    subject = LawSubject(find(str(OUTSIDE / "silent.py")))
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
    subject = LawSubject(game, 0.1)
    start = next(iter(subject.levels.values()))
    right = type(start)._key
    near = {position._key(): position for layer in islice(layers(start, 30), 4) for position in layer}
    caught = 0
    for _, mutation in mutations(start._key()):
        facts = {}
        apart = any(facts.setdefault(mutation(key), p.atoms()) != p.atoms() for key, p in near.items())
        with monkeypatch.context() as patch:
            patch.setattr(type(start), "_key", lambda position, mutation=mutation: mutation(right(position)))
            again = LawSubject(game, 0.1)
            again.starts = [start]
            broken = verdict(again, LAWS["equal_positions_have_equal_facts"])
        assert broken is None or "two equal positions have different " in str(broken)
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
        apply_law(LAWS["a_move_leaves_its_position_unchanged"], LawSubject(find(str(tmp_path / "shared.py"))))


# ---- how they are reported


def test_laws_about_what_a_game_does_not_offer_are_no_tests_of_it():
    bare = {law.__name__ for law in applicable(find(str(OUTSIDE / "silent.py")), all_laws())}
    assert {"the_text_comes_back", "pictures_are_well_formed"} < bare
    for law, name in (
        ("symmetries_are_a_closed_set", "boxup"),
        ("headings_are_moves_and_the_opposite_one_leads_back", "pacman"),
        ("a_line_is_one_line", "sudoku"),
        ("options_say_what_they_are", "hanoi"),
        ("every_level_of_a_shape_comes_in_a_fixed_order", "boxup"),
        ("pieces_are_on_the_board", "sokoban"),
    ):
        assert law not in bare
        assert law in {law.__name__ for law in applicable(find(name), all_laws())}
    alone = LawSubject(find("boxup"))
    alone.starts = alone.starts[:1]
    apply_law(LAWS["symmetries_are_a_closed_set"], alone)


def test_all_laws_look_at_a_game_whose_first_level_cannot_be_read(tmp_path):
    path = tmp_path / "silent.py"
    path.write_text((OUTSIDE / "silent.py").read_text().replace('"7\\n"', '"?"'))
    assert applicable(find(str(path)), all_laws()) == [*all_laws()]


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
