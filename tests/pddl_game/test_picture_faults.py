"""What is wrong with picture lines is told with its place: by lint as a warning, by draw as an error."""

import json
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from support.pictured import GRID, GRID_PROBLEM, drawn
from unpuzzle.base.errors import ParseError
from unpuzzle.cli import main
from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_domain
from unpuzzle.pddl_game.game import PddlGame, PicturedPosition
from unpuzzle.pddl_game.picture import picture_faults
from unpuzzle.rendering import picture_of, svg_of

FAULTS = [
    ("plcae ?r at ?c where (at ?r ?c)", 12, "not a line of a picture, did you mean 'place'?"),
    ("", 12, "a line of a picture is empty"),
    ("place", 17, "expected a variable such as ?x, an object or a name in quotes, found the end of the line"),
    ("place ?r upon ?c where (at ?r ?c)", 21, "found 'upon', did you mean 'on'?"),
    ("place ?r left ?c where (at ?r ?c)", 26, "expected 'of' after 'left', found '?c'"),
    ("place ?r at ?c", 24, "nothing says which '?c' is meant: add where (...) with '?c'"),
    ("place ?r at ?r where (at ?r ?r)", 24, "'?r' would be at itself"),
    ("place \"hand\" at \"hand\"", 28, "would be at itself"),
    ("place ?r at ?c where (att ?r ?c)", 34, "unknown predicate 'att', did you mean 'at'?"),
    ("place ?r at ?c where (at ?r)", 34, "takes 2 arguments, not 1"),
    ("place ?r at ?c where (at ?r ?c", 33, "the line ends before its ')'"),
    ("place ?r at ?c where (at ?r ?c) more", 44, "expected the end of the line after the condition, found 'more'"),
    ("place ?r at ?c where at ?r ?c", 33, "expected a condition in brackets after 'where', found 'at'"),
    ("place ?r at ?c where (> 3 4)", 33, "the numeric condition '(> ...)' is not supported"),
    ("place ?r - robt at ?c where (at ?r ?c)", 23, "unknown type 'robt', did you mean 'robot'?"),
    ("place ?r - cell at ?c where (at ?r ?c)", 44, "of type 'cell', but the predicate 'at' takes 'robot'"),
    ("place ?r at here where (at ?r ?c)", 24, "unknown object 'here'"),
    ("place ?r at \"hom\" where (at ?r ?c)", 24, '"hom" is placed by no line: write place "hom" row 0 column 0'),
    ("place ?r row ?z where (at ?r ?c)", 25, "nothing says which '?z' is meant"),
    ("place ?r row 1 row 2", 27, "a second 'row'"),
    ("place ?r row one", 25, "a number, a variable, or a number in its name such as ?x.1, found 'one'"),
    ("look ?r colour green", 27, "there is no colour 'green'"),
    ("look ?r shape blob", 26, "there is no shape 'blob'"),
    ("look ?r label \"abc", 26, "these quotes are never closed"),
    ("look ?r label \" \"", 26, "a text in quotes has 1 to 80 printable characters"),
    ("look ?r glyph abcdefghijklm", 26, "a glyph has 1 to 12 printable characters"),
    ("look ?r glyph", 25, "expected a glyph, found the end of the line"),
    ("look ?r glyph A glyph B", 28, "a second 'glyph'"),
    ("look ?r", 19, "expected one of glyph, colour, label, shape, width"),
    ("look ?r labl x", 20, "did you mean 'label'?"),
]  # fmt: skip
WITH_A_PROBLEM = [
    ("place ?a above ?b where (exists (?r - robot) (and (at ?r ?a) (near ?a ?b)))", 12, "above others never move"),
    ("look ?c - cell shape disc where (wet ?c)", 12, "the shape disc of a thing can never change"),
    ("look ?c - cell shape circle where (wet ?c)", 12, "the shape circle of a thing can never change"),
    ("look ?c - cell width ?c.1 where (wet ?c)", 12, "the width of a thing can never change"),
    ("place ?r - robot row ?r.1", 33, "?r.1 is number 1 in an object's name, but 'r' has no number"),
    ("place ?c - cell row ?c.3", 32, "'c-1-1' has only 2 of them"),
]


@pytest.mark.parametrize(("line", "column", "message"), FAULTS)
def test_a_line_that_cannot_be_read(line: str, column: int, message: str) -> None:
    text = f"; picture: {line}\n{GRID}"
    (fault,) = picture_faults(text, "d.pddl")
    assert message in fault.message
    assert (fault.file, fault.line, fault.column, fault.severity, fault.code) == (
        "d.pddl",
        1,
        column,
        "warning",
        "picture",
    )


@pytest.mark.parametrize(("line", "column", "message"), WITH_A_PROBLEM)
def test_a_line_that_cannot_be_drawn(line: str, column: int, message: str) -> None:
    position = drawn(line)
    assert isinstance(position, PicturedPosition)
    with pytest.raises(ParseError) as caught:
        position.require_picture()
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (1, column)
    (fault,) = picture_faults(f"; picture: {line}\n{GRID}", "d.pddl", [position.task()])
    assert (fault.message, fault.line, fault.column) == (caught.value.message, 1, column)


def test_what_is_no_grid_is_told() -> None:
    problem = GRID_PROBLEM.replace("(up c-1-1 c-2-1)", "(up c-1-1 c-2-1) (right c-1-1 c-1-3)")
    position = drawn("place ?a right of ?b where (right ?a ?b)", GRID, problem)
    assert isinstance(position, PicturedPosition)
    with pytest.raises(ParseError, match=r"this is not a grid: '\S+' would be in two places"):
        position.require_picture()


def test_a_grid_beyond_measure_is_refused() -> None:
    problem = "(define (problem p) (:domain grid) (:objects {} - cell) (:init) (:goal (and)))"
    names = " ".join(f"c-{number}-{number}" for number in range(300))
    position = drawn("place ?c - cell row ?c.1 column ?c.2", GRID, problem.format(names))
    assert isinstance(position, PicturedPosition)
    with pytest.raises(ParseError, match="300 rows and 300 columns is too large"):
        position.require_picture()


def test_too_many_looks_are_refused() -> None:
    lines = "\n".join(
        ["place ?c - cell row 0 column ?c", *(f"look ?c - cell glyph {n} where (wet ?c)" for n in range(6))]
    )
    position = drawn(lines)
    assert isinstance(position, PicturedPosition)
    with pytest.raises(ParseError, match="at most 5 lines about the looks of 'c-1-1'"):
        position.require_picture()


WORDS = (
    'place look ?r ?c ?d "hand" "spot" r c-1-1 - cell robot object at on in above below left right of row column 0 1 7 '
    "?r.1 ?c.2 ?c where (at (wet (near (not (and ?r ?c) ?c) ?c ?d) ) )) glyph $ @ × colour box hero label shape disc "
    "peg frame circle none width (exists (up (right"
).split(" ")
SOUND = (
    "place ?c - cell row ?c.1 column ?c.2",
    "place ?r - robot at ?c where (at ?r ?c)",
    "place ?c in ?d where (near ?c ?d)",
    "place ?c on ?d where (near ?c ?d)",
    "place ?c above ?d where (up ?c ?d)",
    "place ?r - robot column ?c where (at ?r ?c)",
    "place ?c - cell column ?c where (wet ?c)",
    "place ?c in ?r where (at ?r ?c)",
    'place "hand" row 0',
    'place "hand" at ?c where (wet ?c)',
    'place ?r on "hand" where (not (wet c-1-1))',
    "look ?c - cell shape none",
    "look ?c - cell shape peg width ?c.2",
    "look ?c - cell shape disc width ?c.2",
    "look ?r - robot glyph @ where (exists (?c - cell) (and (at ?r ?c) (wet ?c)))",
)


def refusal_of(position: Position) -> ParseError | None:
    try:
        if isinstance(position, PicturedPosition):
            position.require_picture()
    except ParseError as error:
        return error
    return None


@pytest.mark.parametrize("seed", range(40))
def test_whatever_a_block_says_it_is_drawn_or_refused_with_a_place(seed: int) -> None:
    rng = Random(seed)
    lines = rng.sample(SOUND, rng.randint(0, 6))
    for _ in range(rng.randint(0, 2) * (seed % 2)):
        words = rng.choice(SOUND).split(" ")
        for _ in range(rng.randint(1, 3)):
            words[rng.randrange(len(words))] = rng.choice(WORDS)
        lines.insert(rng.randint(0, len(lines)), " ".join(words))
    own = "".join([f"; picture: {line}\n" for line in lines])
    position = PddlGame(parse_domain(GRID)).parse(own + GRID_PROBLEM)
    for move in ("go:r:c-1-1:c-1-2", "go:r:c-1-2:c-1-3"):
        position = position.apply(move)
        refusal = refusal_of(position)
        if refusal is not None:
            assert refusal.line is not None
            assert (refusal.code, bool(refusal.message)) == ("picture", True)
            assert "missing" in position.draw()
            continue
        ElementTree.fromstring(svg_of(position))
        ground, pieces = picture_of(position)
        assert len({kind for *_, kind in pieces}) == len(pieces)
        for look, row, column, _ in pieces:
            assert look in ground.looks
            assert 0 <= row <= ground.rows - 0.5
            assert 0 <= column <= ground.columns - 0.5


def test_a_name_is_placed_once() -> None:
    text = f'; picture: place "hand" row 0\n; picture: place "hand" row 1\n{GRID}'
    (fault,) = picture_faults(text, "d.pddl")
    assert (fault.line, fault.message) == (2, '"hand" is placed a second time')


def test_of_a_domain_with_errors_no_more_is_said() -> None:
    assert picture_faults(f"; picture: plcae\n{GRID.replace('(near ?a ?b)', '(nearr ?a ?b)')}", "d.pddl") == []


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "d.pddl").write_text(f"; picture: place ?r upon ?c where (at ?r ?c)\n{GRID}")
    (tmp_path / "p.pddl").write_text(GRID_PROBLEM)
    return str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl")


def test_lint_warns_and_draw_refuses(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", *files, "--json"]) == 0
    faults = json.loads(capsys.readouterr().out)["faults"]
    assert [(fault["code"], fault["line"], fault["column"]) for fault in faults if fault["code"] == "picture"] == [
        ("picture", 1, 21)
    ]
    assert main(["draw", *files]) == 2
    error = capsys.readouterr().err
    assert f"{files[0]}:1:21: expected one of row, column" in error
    assert "\n                        ^\n" in error
    assert main(["solve", *files, "--quiet"]) == 0
    assert main(["replay", *files, "go:r:c-1-1:c-1-2", "--draw"]) == 1
    assert "missing  (at r c-2-3)" in capsys.readouterr().out
    assert main(["lint", "--explain", "picture"]) == 0


def test_lint_tells_faults_of_a_problem_in_the_problem(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[1]).write_text(f"; picture: place ?r at c-9-9 where (at ?r ?c)\n{GRID_PROBLEM}")
    assert main(["lint", *files, "--json"]) == 0
    faults = [fault for fault in json.loads(capsys.readouterr().out)["faults"] if fault["code"] == "picture"]
    assert [(fault["file"], fault["line"], fault["column"]) for fault in faults] == [
        (files[0], 1, 21),
        (files[1], 1, 24),
    ]
