"""What a text of PDDL is, and which domain belongs to which problem."""

from pathlib import Path

import pytest

from unpuzzle.base.errors import UsageError
from unpuzzle.pddl.matching import DOMAIN, PROBLEM, PddlText, domain_beside, domain_for, problem_for
from unpuzzle.pddl_game.game import ProblemFiles

WORDS = "; made from (define (domain old)) and (:domain older)\n"
TASK = PddlText("p1.pddl", f"{WORDS}(define (problem p) (:domain New))", PROBLEM)


def domain(name: str, of: str = "new") -> PddlText:
    return PddlText(name, f"{WORDS}(define (domain {of}))", DOMAIN)


def test_names_in_comments_do_not_count(tmp_path: Path) -> None:
    assert (TASK.wants, domain("d.pddl").defines) == ("new", "new")
    (tmp_path / "p1.pddl").write_text(TASK.text)
    (tmp_path / "d.pddl").write_text(domain("d.pddl").text)
    assert domain_beside(str(tmp_path / "p1.pddl")) == str(tmp_path / "d.pddl")
    assert list(ProblemFiles("new", str(tmp_path / "d.pddl"))) == ["p1"]
    assert not list(ProblemFiles("older", str(tmp_path / "d.pddl")))


@pytest.mark.parametrize(
    ("groups", "found"),
    [
        ([["a.pddl"], ["domain.pddl"]], "a.pddl"),
        ([[], ["b.pddl"]], "b.pddl"),
        ([["a.pddl", "domain.pddl"]], "domain.pddl"),
        ([["domain-p1.pddl", "domain-p2.pddl"]], "domain-p1.pddl"),
        ([["p1-domain.pddl", "x.pddl"]], "p1-domain.pddl"),
        ([["domain_p01.pddl", "domain_p02.pddl"]], "domain_p01.pddl"),
        ([["domain-10.pddl", "domain-1.pddl"]], "domain-1.pddl"),
    ],
)
def test_the_nearest_domain_counts_or_the_one_with_a_usual_name(groups: list[list[str]], found: str) -> None:
    others = [domain("domain.pddl", of="other"), PddlText("q.pddl", TASK.text, PROBLEM)]
    assert domain_for(TASK, [[*map(domain, names), *others] for names in groups]).name == found


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([["a.pddl", "b.pddl"], ["domain.pddl"]], "several files define the domain 'new': a.pddl, b.pddl"),
        ([["domain.pddl", "domain-p1.pddl"]], "several files define"),
        ([[], []], "no file in the folder of the problem, or in the folder above, defines the domain 'new'"),
    ],
)
def test_none_counts_where_nobody_can_say_which_is_meant(groups: list[list[str]], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        domain_for(TASK, [map(domain, names) for names in groups])
    with pytest.raises(UsageError, match="the problem does not name its domain"):
        domain_for(TASK.replace(text=WORDS), [[domain("domain.pddl")]])


def test_a_domain_has_the_problems_that_are_its_own_where_several_have_its_name(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"p{number}-domain.pddl").write_text(domain("d.pddl").text)
        (tmp_path / f"p{number}.pddl").write_text(TASK.text)
    (tmp_path / "other.pddl").write_text(TASK.text)
    assert list(ProblemFiles("new", str(tmp_path / "p1-domain.pddl"))) == ["other", "p1"]
    assert list(ProblemFiles("new", str(tmp_path / "p2-domain.pddl"))) == ["other", "p2"]


@pytest.mark.parametrize(
    ("domains", "problems"),
    [
        (["p01-domain.pddl", "p02-domain.pddl"], ["p01-airport1.pddl", "p02-airport1.pddl"]),
        (
            ["domains/domain-1.pddl", "domains/domain-2.pddl"],
            ["instances/instance-1.pddl", "instances/instance-2.pddl"],
        ),
        (["DOMAIN.PDDL"], ["P01.PDDL"]),
    ],
)
def test_folders_of_planning_competitions_are_matched_from_both_sides(
    domains: list[str], problems: list[str], tmp_path: Path
) -> None:
    for name in (*domains, *problems):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(domain(name).text if name in domains else TASK.text)
    for its_domain, problem in zip(domains, problems, strict=True):
        assert domain_beside(str(tmp_path / problem)) == str(tmp_path / its_domain)
        assert ProblemFiles("new", str(tmp_path / its_domain)).paths() == [str(tmp_path / problem)]


def test_a_plan_is_for_the_only_problem_or_the_one_whose_name_begins_alike() -> None:
    first, second = (PddlText(f"tasks/{name}.pddl", TASK.text, PROBLEM) for name in ("p1", "p2"))
    assert problem_for("any.plan", [first]) == first
    assert problem_for("p2.best.plan", [first, second]) == second
    assert problem_for("p3.plan", [first, second]) is None
    assert problem_for("p1.plan", [first, first.replace(name="other/p1.pddl")]) is None
