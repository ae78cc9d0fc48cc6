"""Subjects of experiments: which tasks are found in which layout of folders, and what each is called."""

from pathlib import Path

import pytest

import unpuzzle
from support.experiments import DOMAIN, problem
from unpuzzle.base.errors import ParseError, UnpuzzleError, UsageError
from unpuzzle.experiments.making_runs import read_subject
from unpuzzle.experiments.subjects import Subject, subjects_of
from unpuzzle.pddl import parse_task, write

ADVICE = ": give a domain and its problem similar names, such as domain-01.pddl and problem-01.pddl"
OTHER = DOMAIN.replace("domain road", "domain Rail")


def laid_out(folder: Path, names: str) -> None:
    """Write a domain or a problem under each name; `rail` in a name makes it one of the other domain."""
    for name in names.split():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = DOMAIN if "domain" in path.name else problem(2)
        if "rail" in path.name:
            text = OTHER if "domain" in path.name else text.replace(":domain road", ":domain RAIL")
        path.write_text(f"; a comment (define (domain x))\n{text}" if path.suffix == ".pddl" else "notes")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("g/t/domain.pddl g/t/problem.pddl", "g/t: t/domain.pddl t/problem.pddl"),
        ("g/domain.pddl g/p10.pddl g/p9.pddl g/readme.txt", "g/p9: domain.pddl p9.pddl, g/p10: domain.pddl p10.pddl"),
        ("g/domain.pddl g/p01.pddl", "g/p01: domain.pddl p01.pddl"),
        (
            "g/domain-01.pddl g/domain-02.pddl g/problem-1.pddl g/problem-2.pddl",
            "g/problem-1: domain-01.pddl problem-1.pddl, g/problem-2: domain-02.pddl problem-2.pddl",
        ),
        ("g/p01-domain.pddl g/p02-domain.pddl g/p02.pddl", "g/p02: p02-domain.pddl p02.pddl"),
        ("g/domain.pddl g/instances/i-1.pddl", "g/i-1: domain.pddl instances/i-1.pddl"),
        ("g/domain.pddl g/problems/i-1.pddl g/others/notes.txt", "g/i-1: domain.pddl problems/i-1.pddl"),
        (
            "g/domain-rail.pddl g/domain.pddl g/a.pddl g/b-rail.pddl",
            "g/a: domain.pddl a.pddl, g/b-rail: domain-rail.pddl b-rail.pddl",
        ),
        (
            "g/a/domain.pddl g/a/p1.pddl g/b/domain.pddl g/b/p1.pddl",
            "a/p1: a/domain.pddl a/p1.pddl, b/p1: b/domain.pddl b/p1.pddl",
        ),
        ("g/domain.pddl g/other/p1.pddl", "other/p1.pddl: no domain matches this problem"),
        ("g/domain-x.pddl g/domain-y.pddl g/p1.pddl", "p1.pddl: several domains match this problem"),
        ("g/domain.pddl", "there is no task in the folder"),
    ],
)  # fmt: skip
def test_layouts(names: str, found: str, tmp_path: Path) -> None:
    laid_out(tmp_path, names)
    home, lines = tmp_path / "g", list[str]()
    try:
        for each in subjects_of(home):
            files = " ".join([Path(file).relative_to(home).as_posix() for file in each.files])
            lines.append(f"{each.domain}/{each.name}: {files}")
    except UnpuzzleError as error:
        lines = [str(error).removeprefix(f"{home}/").removesuffix(ADVICE)]
    assert ", ".join(lines).startswith(found)


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("p1.pddl", ["p1"]),
        ("domain.pddl", ["p1", "p2", "p3"]),
        ("problems/p3.pddl", ["p3"]),
        ("notes.pddl", "notes.pddl: this is neither a domain nor a problem in PDDL"),
        (
            "alone/domain.pddl",
            "no task belongs to alone/domain.pddl: there is no matching domain or problem in the folder of this file",
        ),
        ("boxes", "'boxes' is neither a folder, a file nor a puzzle: "),
        ("no/where", "there is no folder and no file 'no/where'"),
    ],
)
def test_a_file_stands_for_its_tasks(
    file: str, found: list[str] | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out(tmp_path, "domain.pddl p1.pddl p2.pddl problems/p3.pddl alone/domain.pddl")
    (tmp_path / "notes.pddl").write_text("; (define (domain d))")
    monkeypatch.chdir(tmp_path)
    if isinstance(found, str):
        with pytest.raises((UsageError, ParseError)) as raised:
            subjects_of(file)
        assert str(raised.value).startswith(found)
    else:
        assert [each.name for each in subjects_of(file)] == found
        assert [each.name for each in subjects_of(str(tmp_path / file))] == found


def test_what_is_given_becomes_a_subject() -> None:
    game = unpuzzle.find("boxup")
    level, task = game.parse(game.levels["1"]), parse_task(DOMAIN, problem(2))
    first = Subject("boxup", "1", game, (game.levels["1"],))
    assert subjects_of(first) == [first]
    assert subjects_of("boxup", levels=["1"]) == subjects_of(game, levels=["1"]) == [first]
    assert [each.name for each in subjects_of("boxup")] == [*game.levels]
    assert subjects_of({"a": level, "b": task}) == [
        Subject("boxup", "a", game, (str(level),)),
        Subject("road", "b", texts=tuple(write(task))),
    ]
    (mine,) = subjects_of([level])
    assert (mine.domain, mine.name[:6], len(mine.name)) == ("boxup", "level-", 14)
    made = subjects_of("boxup", making={"options": {"size": "2x2"}, "count": 2, "seed": 5})
    assert [(each.name, each.game) for each in made] == [("seed5-1", game), ("seed5-2", game)]


def test_a_subject_is_read_and_has_a_digest_of_its_texts(tmp_path: Path) -> None:
    laid_out(tmp_path, "domain.pddl p1.pddl p2.pddl")
    one, two = subjects_of(tmp_path)
    assert one.digest() == two.digest() == one.loaded().digest()
    assert one.loaded().texts == tuple([Path(file).read_text() for file in one.files])
    assert read_subject(*one.about()) == parse_task(DOMAIN, problem(2))
    game = unpuzzle.find("boxup")
    level = Subject("boxup", "1", game, (game.levels["1"],))
    assert read_subject(*level.about()) == game.parse(game.levels["1"])
    digests = [
        each.digest() for each in (one, level, level.replace(game=None), level.replace(texts=(*level.texts, "")))
    ]
    assert len({*digests}) == 4


def test_levels_name_tasks_too(tmp_path: Path) -> None:
    laid_out(tmp_path, "g/domain.pddl g/p1.pddl g/p2.pddl")
    for what in (tmp_path / "g", str(tmp_path / "g" / "domain.pddl")):
        assert [subject.name for subject in subjects_of(what, levels=["p2"])] == ["p2"]
    with pytest.raises(UsageError, match="there is no task p3 in "):
        subjects_of(tmp_path / "g", levels=["p1", "p3"])
