"""Every kind of fault is told with its line, its column and a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.script_texts import GOAL, PUSH, script
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.cli import main
from unpuzzle.puzzlescript.compiling import choices, compiler, names, sections
from unpuzzle.puzzlescript.compiling.compiler import MOST_TEXT, compile_game
from unpuzzle.puzzlescript.compiling.text import MOST_ERRORS, MOST_HINTS
from unpuzzle.puzzlescript.files import ScriptFormat, faults_of
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.puzzlescript.rules import doubt, engine_of

RULES = {
    "[ > Player | Creat ] -> [ > Player | > Crate ]": "creat is not defined, did you mean 'crate'?",
    "[ > Player | Crate ]": "a rule must have `->`",
    "-> [ Player ]": "-> is not allowed here",
    "[ > Player | Crate -> [ > Player | Crate ]": "`[` within a row of cells",
    "[ Player ] again -> [ Player ]": "the command again is before `->`",
    "[ > Player | Crate ] -> [ > Player ]": "2 cells on the left and 1 on the right",
    "[ > Player ] -> [ > Player | Crate ]": "1 cell on the left and 2 on the right",
    "[ ... | Player ] -> [ ... | Player ]": "an ellipsis must be between two cells",
    "[ Player | ... | Crate ] -> [ Player | | Crate ]": "the same place on the left and on the right",
    "[ > ] -> [ ]": "> has no name after it",
    "[ up down Player ] -> [ Player ]": "a name can have only one direction word",
    "^ [ Player ] -> [ ]": "^ is relative",
    "sideways [ Player ] -> [ ]": "sideways is not allowed here",
    "[ Player ] -> [ Player ] goto 3": "the dialect PuzzleScript Plus",
    "[ Player ] -> [ Player ] agian": "did you mean 'again'?",
    "late [ > Player ] -> [ Player ]": "> cannot be in a late rule",
    "late rigid [ Player ] -> [ Crate ]": "a late rule cannot be rigid",
    "[ random Player ] -> [ Player ]": "the pattern of a rule cannot be random",
    "+ [ Player ] -> [ Crate ]": "no rule is before this one",
    "[ Player ] -> [ Player ]\n+ random [ Player ] -> [ Crate ]": "only the first rule of a group",
    "[ Player ] -> [ moving Player ]": "moving on the right",
    "[ Player ] -> [ Thing ]": "thing on the right",
    "[ no Both ] -> [ Player ]": "an aggregate (and) cannot be matched",
    "[ Player Crate ] -> [ Player ]": "player and crate are in one layer",
    "startloop": "endloop is missing",
    "[ Player ] -> win\nstartloop\n+ [ Crate ] -> win\nendloop": "startloop within the group of rules",
    "startloop\n[ Player ] -> win\nendloop\n+ [ Crate ] -> win": "endloop within the group of rules",
    "late [ Player ] -> win\nstartloop\n+ late [ Crate ] -> win\nendloop": "startloop within the group",
    "endloop": "endloop without startloop",
    "startloop\nstartloop\nendloop": "a loop cannot contain a loop",
}
SLIPS = {
    "[ Player ] -> ": "this rule is left out: after `->` there must be cells or commands",
    "[ Player ] [ Crate ] -> [ Player ]": "left out: after `->` there must be as many rows as before it, 2 and not 1",
    "[ Player | -> [ Crate ]": "`->` within a row of cells",
    "[ [ Player ] -> [ Crate ]": "`[` within a row of cells",
    "[ Player ] -> [ Crate ] [ Wall": "a row of cells is not closed",
    "[ Player ] -> Player | Crate ]": "this rule is left out: `]` closes nothing",
    "random [ Player ] -> random [ Crate ]": "random means nothing here",
    "[ Player ] -> [ Crate ] Wall": "wall means nothing here",
    "[ Player ] -> [ Crate again ]": "again is before a `]`",
    "late [ Player ] -> [ randomdir Crate ]": "randomdir in a late rule",
    ") [ Player ] -> [ Plaier ]": "closes no comment",
}
"""Rules that PuzzleScript plays, or leaves out, without an error: with us they are warnings."""
LEGEND = "Thing = Player or Target\nBoth = Crate and Target"

TEXTS = {
    "an unknown option": (script(prelude="noactoin"), "noactoin", "did you mean 'noaction'?"),
    "an option of a dialect": (script(prelude="nosave"), "nosave", "the dialect PuzzleScript Plus"),
    "an option without value": (script(prelude="again_interval"), "again_interval", "needs a value"),
    "an unknown colour": (script().replace("orange", "oragne"), "oragne", "did you mean 'orange'?"),
    "an object defined twice": (script().replace("Target\nyellow", "Crate\nyellow"), "Crate", "is defined twice"),
    "a legend without =": (script(legend="X Crate"), "X Crate", "a line of the legend"),
    "a legend of and with or": (
        script(legend="X = Crate and Wall or Target"),
        "X = Crate and Wall or Target",
        "all by `and`, or all by `or`",
    ),
    "a legend of something unknown": (script(legend="X = Crat"), "X = Crat", "did you mean 'crate'?"),
    "a legend of itself": (script(legend="P = P"), "P = P", "p is defined by itself"),
    "a name of two things": (script(legend="P = Crate"), "P = Crate", "the name p is defined already"),
    "a legend that goes round": (script(legend="X = Y\nY = X"), "X = Y", "y is defined only in a later line"),
    "a property in an aggregate": (
        script(legend="X = Crate or Wall\nY = X and Target"),
        "Y = X and Target",
        "cannot be a property",
    ),
    "an aggregate of one layer": (script(legend="X = Crate and Wall"), "X = Crate and Wall", "are in one layer"),
    "an unknown object in a layer": (
        script().replace("Player, Wall", "Player, Wal, Wall"),
        "Player, Wal, Wall, Crate",
        "did you mean 'wall'?",
    ),
    "an object without a layer": (
        script().replace("Background\nTarget\n", "Background\n"),
        "Target",
        "no collision layer",
    ),
    "an unknown condition": (
        script(wins="every Crate on Target"),
        "every Crate on Target",
        "must begin with all, some, any or no",
    ),
    "a condition of something unknown": (
        script(wins="all Create on Target"),
        "all Create on Target",
        "did you mean 'crate'?",
    ),
    "a condition of another form": (
        script(wins="all Crate above Target"),
        "all Crate above Target",
        "a win condition must be",
    ),
    "a character that is no glyph": (script(levels="p*q"), "p*q", "is not in the legend"),
    "a glyph that is a property": (script(levels="p*x", legend="X = Crate or Wall"), "p*x", "any of several"),
    "a section twice": (script(rules="RULES"), "RULES", "a second section RULES"),
    "no level": (script(levels=""), "", "no level"),
}

SLIPS_OF_TEXTS = {
    "an interval that is none": (script(prelude="again_interval fast"), "again_interval fast", "a number of seconds"),
    "a screen without size": (script(prelude="flickscreen 5"), "flickscreen 5", "a width and a height"),
    "a picture with a short row": (
        script().replace("orange", "orange\n00000\n0000\n00000\n00000\n00000"),
        "Crate",
        "a row whose number of points is 4, not 5",
    ),
    "a picture with few rows": (script().replace("orange", "orange\n00000"), "00000", "5 rows"),
    "colours after a picture": (
        script().replace("orange", "orange\n" + "00000\n" * 5 + ".0000"),
        ".0000",
        "ignored",
    ),
    "a sixth point": (
        script().replace("orange", "orange\n" + "00000\n" * 4 + "000000"),
        "000000",
        "0 becomes a synonym",
    ),
    "an object without a sound": (
        script().replace("SOUNDS", "SOUNDS\n\nCrate"),
        "Crate",
        "after an object there must be move",
    ),
    "a sound of no word": (script().replace("SOUNDS", "SOUNDS\n\n+ move 5"), "+ move 5", "neither an event nor"),
    "a message run together": (script(levels="messageHello\n\np*o"), "messageHello", "read as a message"),
    "a condition that ends early": (script(wins="all Crate on"), "all Crate on", "read as `all crate`"),
    "a parenthesis": (script(levels="p*o\n\n)"), ")", "closes no comment"),
    "a legend that ends in a parenthesis": (script(legend="X = Crate )"), "X = Crate )", "left out"),
    "a section's name in a layer": (
        script().replace("Player, Wall", "Player, Rules, Wall"),
        "Player, Rules, Wall, Crate",
        "rules means nothing here",
    ),
}


def _errors(text: str) -> list[tuple[str, str]]:
    """Line and message of each error."""
    found = faults_of(text)
    return [(found.text_of(fault.line), fault.message) for fault in found.errors()]


def of_rules(table: dict[str, str]) -> dict[str, tuple[str, str, str]]:
    """The texts of rules, each with the line and the message that is said of it."""
    return {rule: (script(rules=rule, legend=LEGEND), rule, message) for rule, message in table.items()}


def _warnings(text: str) -> list[tuple[str, str]]:
    """Line and message of each warning; there is no error."""
    found = faults_of(text)
    assert found.errors() == []
    return [(found.text_of(fault.line), fault.message) for fault in found.listed]


ERRORS, WARNINGS = of_rules(RULES) | TEXTS, of_rules(SLIPS) | SLIPS_OF_TEXTS


@pytest.mark.parametrize("kind", [*ERRORS, *WARNINGS])
def test_faults_and_slips(kind: str) -> None:
    text, lines, message = (ERRORS | WARNINGS)[kind]
    found = (_errors if kind in ERRORS else _warnings)(text)
    assert any(line in lines.split("\n") and message in said for line, said in found), found


@pytest.mark.parametrize("rule", ["[ Thing | Thing | Thing | Thing ] -> win", "[ moving Crate | moving Crate ] -> win"])
def test_a_rule_that_stands_for_too_many_is_left_out(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "MOST_CHOICES", 10)
    ((line, message),) = _errors(script(rules=f"{rule}\n{PUSH}", legend=LEGEND))
    assert line == rule
    assert "this rule expands to more than" in message


def test_every_code_is_explained_and_produced() -> None:
    texts = [script(rules=rule, legend=LEGEND) for rule in (*RULES, *SLIPS)]
    texts += [text for text, _, _ in (*TEXTS.values(), *SLIPS_OF_TEXTS.values())]
    texts += [script(levels="*o."), script(rules="[ Crate ] -> [ Wall ]\n+ [ Wall ] -> [ Crate ]")]
    texts += [script().replace("Player", "Hero"), script().replace("WINCONDITIONS", "")]
    texts.append(script().replace("SOUNDS\n", "SOUNDS\nplayer move\n"))
    produced = {fault.code for text in texts for fault in faults_of(text).listed}
    assert produced | {"script-too-many"} == set(ScriptFormat().codes())  # that of too many: the next test but four
    assert all(code.about.endswith(".") and code.wrong != code.right for code in ScriptFormat().codes().values())


def test_a_near_miss_is_corrected_by_an_edit() -> None:
    (fault,) = [
        fault
        for fault in faults_of(script(rules="[ > Plaier | Crate ] -> [ | Crate ]")).listed
        if fault.code == "script-unknown-name"
    ]
    assert (fault.code, fault.column, fault.end_column, fault.meant) == ("script-unknown-name", 5, 11, "player")


def test_a_right_game_has_none() -> None:
    assert faults_of(script()).listed == []


def test_a_loop_between_the_rules_and_the_late_rules_of_a_group_is_no_fault() -> None:
    rules = "[ Player ] -> win\nstartloop\n+ late [ Crate ] -> win\nendloop"
    assert faults_of(script(rules=rules)).errors() == []


def test_sections_that_are_missing_or_out_of_order() -> None:
    text = script()
    without = text.replace("WINCONDITIONS", "")
    assert any("LEVELS is in the wrong place: it follows WINCONDITIONS" in told for _, told in _errors(without))
    assert any("there is no section WINCONDITIONS" in fault.message for fault in faults_of(without).listed)
    swapped = text.replace("SOUNDS", "X").replace("LEGEND", "SOUNDS").replace("X", "LEGEND")
    assert any("wrong place" in told for _, told in _errors(swapped))


def test_a_heading_with_a_long_s_is_none() -> None:
    found = _errors(script().replace("SOUNDS", "SOUND\u017f"))
    assert any("wrong place: it follows SOUNDS" in told for _, told in found)


def test_player_and_background_must_exist() -> None:
    assert any("there is no player" in told for _, told in _errors(script().replace("Player", "Hero")))
    assert any("there is no background" in told for _, told in _errors(script().replace("Background", "Floor")))


def test_a_level_without_player_is_no_error() -> None:
    (fault,) = faults_of(script(levels="*o.")).listed
    assert (fault.severity, fault.message) == ("warning", "this level has no player")


def test_few_errors_do_not_stop_a_game() -> None:
    wrong = "\n".join(["[ > < Player ] -> [ > Player ]"] * MOST_ERRORS)
    assert len(_errors(script(rules=wrong + "\n" + PUSH))) == MOST_ERRORS
    assert len(compile_game(script(rules=wrong + "\n" + PUSH)).rules) == MOST_ERRORS + 1
    with pytest.raises(ParseError, match="the first of 6 errors") as caught:
        compile_game(script(rules=wrong + "\n[ > > Player ] -> [ > Player ]"), "game.txt")
    assert (caught.value.file, caught.value.column) == ("game.txt", 5)
    assert caught.value.text == "[ > < Player ] -> [ > Player ]"


def test_errors_count_as_often_as_puzzlescript_reports_them() -> None:
    """An unknown word of a rule twice: in its place, and in its rule."""
    rules = [f"[ Player ] -> [ Player ] nonsense{number}" for number in range(3)]
    assert compile_game(script(rules="\n".join(rules[:2])))
    with pytest.raises(ParseError, match="the first of 3 errors, where PuzzleScript counts 6 errors"):
        compile_game(script(rules="\n".join(rules)))


COUNTED = {
    "a mark before a win condition, whose words are then one place off": (
        script(wins=f"{GOAL}\n(x) )no Crate on Wall"), 4, "a win condition must be"
    ),
    "words behind a comment in a win condition": (script(wins="all (x) Crate (y (z)) Target on"), 3, "is left out"),
    "a mark in a rule": (script(rules="[ > Player |) Crate ] -> [ > Player | > Crate ]"), 1, ") is not defined"),
    "a mark before a rule, of which no more is reported": (
        script(rules="(x) ) some Player on Target"), 2, "this `)` closes no comment"
    ),
    "a comment before a rule without an arrow, too": (
        script(rules="(open\n(x) ) some Player on Target"), 3, "a rule must have `->`"
    ),
    "a property of an undefined word, in two rules": (
        script(rules=f"[ Player | Any ] -> [ Player | Any ]\n{PUSH}\n[ Any ] -> [ Any ]", legend="Any = Crate or New"),
        3, "new is not defined",
    ),
    "a plus beside a word": (script(rules="++late [ Player | Crate ] -> [ Player | ]"), 2, "+late is not allowed"),
    "a sound of an aggregate": (
        script(legend="Both = Crate and Target").replace("SOUNDS", "SOUNDS\n\nBoth move 5"), 1, "both is an aggregate"
    ),
    "no player": (script(rules="").replace("Player", "Hero"), 2, "there is no player"),
    "a legend of wrong words": (script(legend="X = Crate new new or Target"), 4, "names must be joined"),
    "an object below a line of the legend with its name": (
        script(legend="Box = Crate or Wall\n\nOBJECTS\n\nBox\nblue"), 3, "a second section OBJECTS"
    ),
}  # fmt: skip
"""Texts, and how many errors PuzzleScript reports of each."""


@pytest.mark.parametrize("kind", COUNTED)
def test_errors_are_counted_as_by_puzzlescript(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number decides whether a game is refused."""
    text, errors, message = COUNTED[kind]
    assert any(message in fault.message for fault in faults_of(text).listed)
    monkeypatch.setattr("unpuzzle.puzzlescript.compiling.text.MOST_ERRORS", errors)
    faults_of(text).refuse()
    monkeypatch.setattr("unpuzzle.puzzlescript.compiling.text.MOST_ERRORS", errors - 1)
    with pytest.raises(ParseError):
        faults_of(text).refuse()


NOTHING_LEFT = {
    "no layer": (script(rules="", wins="").replace("Background\nTarget\nPlayer, Wall, Crate", ""), "no object is in"),
    "no background": (script().replace("Background", "Floor"), "there is no background"),
    "a large level": (script(levels="p*o\n...\n..."), "a level of 3 x 3 cells: at most 5 are allowed"),
    "a large property": (
        script(legend="A = Crate or Wall\nB = A or A\nC = B or B"),
        "c means more than 7 objects",
    ),
    "too many objects": (script(), "5 objects or layers: at most 4 are allowed"),
    "too many rules": (
        script(rules=f"{PUSH}\n{PUSH}\n{PUSH}"),
        "the rules up to this line expand to more than 6 rules",
    ),
}
MOST = {
    "too many rules": (compiler, "MOST_RULES", 6),
    "a large level": (sections, "MOST_CELLS", 5),
    "a large property": (names, "MOST_MEMBERS", 7),
    "too many objects": (names, "MOST_OBJECTS", 4),
}


@pytest.mark.parametrize("kind", NOTHING_LEFT)
def test_one_error_is_enough_where_nothing_is_left(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, message = NOTHING_LEFT[kind]
    if kind in MOST:
        monkeypatch.setattr(*MOST[kind])
    with pytest.raises(ParseError) as caught:
        compile_game(text, "game.txt")
    assert None not in (caught.value.line, caught.value.column)
    assert any(message in said for _, said in _errors(text))


def test_an_object_without_a_layer_beside_one_that_is_listed_twice_is_refused() -> None:
    """It would be an object of no layer, which the core refused with an error of its own."""
    text = script().replace("Background\nTarget\nPlayer, Wall, Crate", "Background {}\nTarget\nPlayer, Wall")
    game = game_of(text.replace("{}", ""), "one")
    assert engine_of("native", game.compiled).started(game.parse(game.levels["0"]).state)
    with pytest.raises(ParseError, match="the object crate is in no collision layer"):
        game_of(text.replace("{}", "Background"), "twice")


def test_digits_that_are_none_in_a_picture_are_told() -> None:
    found = _errors(script().replace("orange", "orange\n0\u00b200\u0663\n" + 4 * "00000\n"))
    assert [line for line, told in found if "5 characters" in told] == ["0\u00b200\u0663"]
    game = compile_game(script(prelude=f"color_palette {'9' * 5000}").replace("orange", "orange\n0\u00b200\u0663"))
    assert game.sprites


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(ParseError, match="4,000,001 characters"):
        compile_game("x" * (MOST_TEXT + 1))


LINES = [
    *script(legend=LEGEND).split("\n"),
    *RULES,
    *SLIPS,
    "SOUND\u017f",
    "me\u017f\u017fage",
    "(",
    ")",
    "=====",
    "[",
    "x = ",
]


@given(st.lists(st.sampled_from(LINES), max_size=60))
def test_no_text_breaks_the_compiler(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert all(fault.message and fault.line <= text.count("\n") + 1 for fault in faults_of(text).listed)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_change_of_a_text_breaks_the_compiler(place: int, length: int) -> None:
    text = script(legend=LEGEND, rules="\n".join([*RULES, *SLIPS]))
    place %= len(text)
    changed = text[:place] + text[place + length % 40 :]
    assert all(fault.message and fault.line <= changed.count("\n") + 1 for fault in faults_of(changed).listed)


def test_of_very_many_unknown_words_only_the_first_are_told_with_suggestions() -> None:
    lines = [f"[ Crte{number} ] -> [ ]" for number in range(MOST_HINTS + 1)]
    messages = [fault.message for fault in faults_of(script(rules="\n".join(lines))).listed]
    assert messages[0] == "crte0 is not defined, did you mean 'crate'?"
    assert messages[-1] == f"crte{MOST_HINTS} is not defined"


KEYWORD_NAMES = ("late", "message", "move", "some", "sfx3", "win", "v", "any", "up", "action", "no")
UNEQUAL = "[ > Player | Crate ] -> [ > Player ]"
SAYS_OTHERWISE = {
    "a rule of unequal rows": (script(rules=UNEQUAL), "a row has 2 cells on the left and 1 on the right"),
    "an unclear direction": (script(rules="[ Player ] -> [ moving Player ]"), "moving on the right"),
}
"""Games that PuzzleScript does not play with such an error."""
TWO_THINGS = {
    "a character": (script(legend="P = Crate"), "the name p is defined already"),
    "an object": (script(legend="Crate = Wall"), "the name crate is defined already"),
    "the same words joined otherwise": (script(legend="X = Crate or Target\nX = Crate and Target"), "the name x is"),
    "a synonym that is an object, too": (script().replace("Crate\n", "Crate Target\n", 1), "the name target is"),
}


@pytest.mark.parametrize(("text", "message"), TWO_THINGS.values(), ids=TWO_THINGS)
def test_a_name_of_two_things_is_an_error_and_played(text: str, message: str) -> None:
    assert [line for line, told in _errors(text) if message in told]
    assert compile_game(text).levels


@pytest.mark.parametrize(("text", "message"), SAYS_OTHERWISE.values(), ids=SAYS_OTHERWISE)
def test_a_game_that_would_be_another_one_is_refused_for_one_error(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(message)) as refused:
        compile_game(text)
    assert refused.value.line


@pytest.mark.parametrize("command", ["solve", "explore", "check", "play", "trace"])
def test_every_command_refuses_it(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.txt").write_text(script(rules=UNEQUAL))
    assert main([command, str(tmp_path / "game.txt"), "1", *(["r"] if command == "trace" else [])]) == 2
    assert "a row has 2 cells on the left and 1 on the right" in capsys.readouterr().err


def test_what_a_line_says_of_its_own_name_is_passed_over() -> None:
    """As in PuzzleScript: `P = P` says nothing, and of `X = X or Crate` is left that X is a crate."""
    plain = compile_game(script(legend="X = Crate\n\n"))
    assert compile_game(script(legend="X = X or Crate\nP = P\n* = * or Wall"))[:10] == plain[:10]


def test_what_follows_the_second_name_of_an_object_belongs_to_the_object_before() -> None:
    """Check that Q belongs to the object before it, a target, as in PuzzleScript."""
    text = script(levels="p*q").replace("\nTarget\nyellow\n", "\nTarget\nyellow\n\nCrate Q\n")
    assert "Crate Q" in text
    assert dict(compile_game(text).glyphs)["q"] == dict(compile_game(script()).glyphs)["o"]


def test_a_layer_of_names_without_a_meaning_breaks_nothing() -> None:
    """`Krate` is not defined, but the property that names it is, and lies in a layer."""
    text = script(rules="", wins="no Block", legend="Block = Wall or Krate").replace("Wall, Crate", "Block, Crate")
    assert any("krate is not defined" in told for _, told in _errors(text))
    assert compile_game(text).wins


REPORTED = {
    "a comment before a rule": (script(rules=f"(x) {PUSH}"), "a comment before it: PuzzleScript reads only `x) ["),
    "two comments before a rule": (
        script(rules=f"(x) (y) {PUSH}"),
        "a comment before it: PuzzleScript reads only `x)`",
    ),
    "a nested comment before a rule": (script(rules=f"(a (b) c) {PUSH}"), "PuzzleScript reads only `a`"),
    "a comment over lines before a rule": (script(rules=f"(x\ny) {PUSH}"), "PuzzleScript reads only `y) [ > player"),
    "a comment before a condition": (script(wins="(x) no Crate"), "PuzzleScript reads only `x) no crate`"),
    "two comments before a condition": (script(wins="(x) (y) no Crate"), "`x)` is left out"),
    "two pluses": (script(rules=f"{PUSH}\n+ + {PUSH}"), "+ is allowed only once, at the beginning of a rule"),
    "a command before a row": (script(rules="[ Player ] -> cancel [ Player ]"), "cancel is before a `]`"),
    "two objects of one layer": (script(rules="[ Player | Crate ] -> [ Player Crate | ]"), "puts both into one cell"),
    "text after a heading": (script().replace("RULES", "RULES:"), "only a comment may follow RULES on its line"),
    "an object twice in a cell": (script(rules="[ Crate Crate ] -> [ ]"), "crate is twice in this cell"),
    "a sound that is missing": (script(rules="[ Player ] -> sfx3"), "sfx3 has no sound"),
    "late rules and others": (
        script(rules=f"{PUSH}\n+ late [ Player ] -> win"),
        "late rules cannot be in one group with other rules",
    ),
    **{word: (script().replace("Crate", word), f"{word} is also a word of PuzzleScript") for word in KEYWORD_NAMES},
}


@pytest.mark.parametrize(("text", "message"), REPORTED.values(), ids=REPORTED)
def test_what_puzzlescript_reports_is_reported(text: str, message: str) -> None:
    listed = [fault.message for fault in faults_of(text).listed]
    assert [told for told in listed if message in told], listed
    assert not [told for told in listed if "never matches" in told and "Crate Crate" not in text]


def test_a_level_with_two_objects_of_a_layer_has_no_pddl() -> None:
    """PuzzleScript reports the rule as an error, and plays it."""
    game = game_of(script(rules="[ > Player | Crate ] -> [ > Player Crate | ]"), "game")
    with pytest.raises(UnsupportedFeature, match="the error in line 39 makes a part of the game unusable"):
        game.parse("p*o").task()
    assert "puts two objects of one layer into one cell" in str(doubt(game.compiled))


@pytest.mark.parametrize(
    ("rule", "refused"),
    [
        ("[ > Player | no Crat ] -> [ > Player | ]", True),
        ("[ > Crate | no Crat ] -> [ | > Crate ]", True),
        ("[ > Crat | Player ] -> [ > Crat | > Player ]", False),
        ("[ Player | moving Crat ] [ no Crat ] -> [ Player | ] [ ]", True),
    ],
)
def test_what_follows_from_an_unknown_name_is_not_told(rule: str, refused: bool) -> None:
    text, told = script(f"{PUSH}\n{rule}"), "crat is not defined, did you mean 'crate'?"
    assert [message for _, message in _errors(text)] == [told]
    if refused:
        with pytest.raises(ParseError, match=re.escape(told)):
            compile_game(text)
    else:
        assert compile_game(text).faulty == 40
