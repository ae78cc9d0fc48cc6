"""check_domain(): faulty domains are told from the game, and the game in other words is not."""

import os
import re
import shlex
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from support.command_line import run, run_json
from support.domain_faults import KINDS, planted
from support.renaming import renamed
from support.thorough import at_most
from unpuzzle import check, replay, translators
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.outcomes import TIMEOUT
from unpuzzle.pddl import write
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem, parse_task
from unpuzzle.verification.domains import check_domain, report_of, template
from unpuzzle.verification.report import Finding

VALVES = str(Path(__file__).parents[1] / "translators" / "outside" / "valves.py")
GAMES = ("blocksworld", "hanoi", "sokoban", "boxup", VALVES)
BLOCKSWORLD = translators.find("blocksworld")
SAMPLES = 4


def levels_of(game):
    return {"blocksworld": ["swap", "sussman"], "hanoi": ["3"]}.get(game.name, ["1"])


def tried(domain, game):
    return check_domain(domain, game, levels=levels_of(game), samples=SAMPLES, max_states=1_000)


@cache
def visible(name, kind):
    """Two faults of a kind in the domain of a game, if `check`, which goes by names, sees them on the levels."""
    game = translators.find(name)
    starts = [game.parse(game.levels[level]) for level in levels_of(game)]
    starts += [game.sample(Random(seed)) for seed in range(SAMPLES)]
    chosen = islice(planted(kind, starts[0].task(), Random(kind)), 2)
    return [(said, domain) for said, domain in chosen if any(differs(start, domain) for start in starts)]


def differs(start, domain):
    problem = parse_problem(write(start.task().problem), domain)
    return not check(start, task=Task(domain, problem), max_states=1_000, walks=0).same


def test_faults_of_all_kinds_are_told_by_a_counterexample():
    """Of more than twenty kinds, each in two games or all that have it; what is missed must be known to be harmless."""
    told, missed = set(), []
    for number, kind in enumerate(KINDS):
        rotated = [*GAMES[number % len(GAMES) :], *GAMES[: number % len(GAMES)]]
        games = list(islice((name for name in rotated if visible(name, kind)), 2))
        assert games, f"no domain has a place for: {kind}"
        for name in games:
            for said, domain in visible(name, kind):
                report = tried(domain, translators.find(name))
                if report.findings:
                    told.add(kind)
                    confirm(report, translators.find(name))
                else:
                    missed.append(said)
    assert len(KINDS) >= 20
    assert len(told) >= 0.95 * len(KINDS), missed
    assert len(missed) <= 3, missed


def confirm(report, game):
    """What a report says can be seen by the rules."""
    for finding in report.findings:
        rows = [row for row in report.score["levels"] if re.search(f"the level {row['level']}[ ,]", finding.message)]
        assert any(not row["same"] for row in rows)
        starts = [game.parse(row["position"]) for row in rows]
        shown = [replay(start, finding.moves).position.draw().rstrip("\n") for start in starts]
        assert finding.state in shown
    assert False in (report.sound, report.complete) or report.sound is None


@pytest.mark.parametrize("name", GAMES)
def test_a_domain_in_other_words_is_the_game(name):
    game = translators.find(name)
    for seed in range(at_most(3)):
        tasks = {level: renamed(Random(seed), game.parse(game.levels[level]).task()) for level in levels_of(game)}
        for level, task in tasks.items():
            report = check_domain(task.domain, game, {level: task.problem}, levels=[level])
            assert (report.sound, report.complete, report.findings) == (True, True, ()), report.text
            assert report.score["passed"] == report.score["exhaustive"] == 1


def faulty_blocksworld(old, new):
    text = BLOCKSWORLD.domain().span.source.text
    assert text.count(old) >= 1
    return parse_domain(text.replace(old, new, 1))


def test_a_finding_says_where_and_what_and_gives_both_plans():
    domain = faulty_blocksworld("(and (clear ?x) (ontable ?x) (handempty))", "(and (ontable ?x) (handempty))")
    report = check_domain(domain, BLOCKSWORLD, levels=["swap"], samples=0)
    (finding,) = report.findings
    assert (report.sound, report.complete) == (False, None)
    assert finding.kind == "superfluous action"
    assert "unstack:b:a put-down:b pick-up:a stack:a:b" in finding.expected
    assert finding.moves == ()
    assert "Up to names: " in finding.message
    assert "pick-up:a is possible: (pick-up a) is applicable" in finding.message
    assert report.score["levels"][0]["game"]["cost"] == 4


def test_large_levels_are_compared_by_figures():
    small = check_domain(BLOCKSWORLD.domain(), BLOCKSWORLD, levels=["six"], samples=0, max_states=100)
    row = small.score["levels"][0]
    assert (small.sound, small.same, row["exhaustive"], row["same"]) == (None, None, False, None)
    assert row["message"] == "there are more than 100 states"
    assert row["game"]["cost"] == row["domain"]["cost"] > 0
    assert small.findings == ()
    # What stands on the table may not be picked up where the hand holds something: that shows after some moves alone.
    domain = faulty_blocksworld("(clear ?x) (handempty) (ontable ?x)", "(clear ?x) (handempty)")
    report = check_domain(domain, BLOCKSWORLD, levels=["six"], samples=0, max_states=30)
    assert [finding.kind for finding in report.findings]


def wordy_blocksworld():
    """The game with a predicate that actions change and nothing reads: there are more states, and it is the same."""
    text = BLOCKSWORLD.domain().span.source.text
    text = text.replace("(:predicates", "(:predicates (lifted ?x - block)")
    effect = "(and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x))"
    assert effect in text
    return parse_domain(text.replace(effect, effect.replace("(holding ?x))", "(holding ?x) (lifted ?x))")))


def test_one_level_that_was_seen_in_part_leaves_it_undecided():
    report = check_domain(BLOCKSWORLD.domain(), BLOCKSWORLD, levels=["swap", "six"], samples=0, max_states=100)
    assert [row["same"] for row in report.score["levels"]] == [True, None]
    assert (report.same, report.sound, report.complete) == (None, None, None)
    assert [row["level"] for row in report.undecided] == ["six"]


def test_solvability_is_a_difference_where_a_level_is_too_large():
    domain = faulty_blocksworld("(clear ?x) (handempty) (on ?x ?y))", "(clear ?x) (handempty))")
    report = check_domain(domain, BLOCKSWORLD, levels=["six"], samples=0, max_states=5)
    assert (report.same, [finding.kind for finding in report.findings]) == (False, ["solvability"])
    assert report.score["levels"][0]["same"] is False


def test_unknown_levels_and_problems_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match="blocksworld has no level 'swp', did you mean 'swap'"):
        check_domain(BLOCKSWORLD.domain(), BLOCKSWORLD, levels=["swp"])
    with pytest.raises(ParseError, match=r"do not fit this domain: .* 'hanoi': unknown type 'block'"):
        check_domain(translators.find("hanoi").domain(), BLOCKSWORLD)
    with pytest.raises(
        UsageError, match="blocksworld has no level on which the domain could be compared with the rules"
    ):
        check_domain(BLOCKSWORLD.domain(), BLOCKSWORLD, {}, levels=["swap"])


# ---- the command


@pytest.fixture
def folder(tmp_path):
    task = renamed(Random(1), BLOCKSWORLD.parse(BLOCKSWORLD.levels["swap"]).task())
    (tmp_path / "domain.pddl").write_text(write(task.domain))
    (tmp_path / "swap.pddl").write_text(write(task.problem))
    (tmp_path / "notes.txt").write_text("no PDDL")
    return tmp_path


def test_the_command_compares_with_problems_of_the_domain(folder, capsys):
    words = "check", str(folder / "domain.pddl"), "--game", "blocksworld", "--problems", str(folder)
    code, answer = run_json(capsys, *words)
    assert code == 0
    assert set(answer) == {
        "schema", "sound", "complete", "findings", "score", "status", "sentence", "action", "literal",
        "relation",
    }  # fmt: skip
    assert [row["level"] for row in answer["score"]["levels"]] == ["swap"]
    code, out, _ = run(capsys, *words)
    assert (
        out == "no difference from the game was found, up to names: 1 of 1 level the same, 1 compared in all states\n"
    )


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    domain = tmp_path / "d.pddl"
    domain.write_text(write(faulty_blocksworld("(not (handempty)) ", "")))
    words = "check", str(domain), "--game", "blocksworld", "--samples", "3", "--levels", "swap"
    code, answer = run_json(capsys, *words)
    assert (code, answer["sound"] and answer["complete"], answer["literal"]) == (1, False, "(not (handempty))")
    assert set(answer["findings"][0]) == {"kind", "moves", "state", "got", "expected", "message"}
    assert f"after {answer['action']}, (handempty) is false in the game and true in this domain" in answer["sentence"]
    code, out, _ = run(capsys, *words)
    assert code == 1
    assert out.startswith(f"this is not the game: up to names, {answer['sentence']}\n")


def test_the_command_refuses(folder, tmp_path, capsys):
    domain = str(folder / "domain.pddl")
    words = "check", domain, "--game", "blocksworld"
    assert run(capsys, *words)[0] == 2  # our problems do not fit
    assert run(capsys, *words, "--max-states", "0")[0] == 2
    assert run(capsys, *words, "--samples", "-1")[0] == 2
    assert run(capsys, *words, "--problems", str(tmp_path / "nowhere"))[0] == 2
    (folder / "swop.pddl").write_text("")
    code, _, err = run(capsys, *words, "--problems", str(folder))
    assert code == 2
    assert "'swop' is not a bundled level of blocksworld, did you mean 'swap'?" in err
    empty = tmp_path / "empty"
    empty.mkdir()
    code, _, err = run(capsys, *words, "--problems", str(empty))
    assert code == 2
    assert "has no file LEVEL.pddl for a bundled level; the levels are swap, sussman" in err
    assert run(capsys, "check", domain, "--game", "chess")[0] == 2


def test_what_was_seen_in_part_is_undecided_unless_that_is_enough(tmp_path, capsys):
    domain = tmp_path / "d.pddl"
    domain.write_text(write(wordy_blocksworld()))
    words = ["check", str(domain), "--game", "blocksworld", "--levels", "sussman", "--samples", "0"]
    code, answer = run_json(capsys, *words, "--max-states", "10")
    assert (code, answer["status"], answer["findings"]) == (3, "gave_up", [])
    assert answer["score"]["levels"][0]["same"] is None
    code, out, err = run(capsys, *words, "--max-states", "10")
    assert code == 3
    assert out.startswith("no difference from the game was found, up to names: 0 of 1 level the same")
    assert err == (
        "unpuzzle: undecided on 1 level (sussman: there are more than 10 states); --max-states compares more, "
        "--partial accepts a part\n"
    )
    code, answer = run_json(capsys, *words, "--max-states", "10", "--partial")
    assert (code, answer["sound"], answer["status"]) == (0, None, "gave_up")
    code, answer = run_json(capsys, *words)
    assert (code, answer["sound"], answer["relation"], answer["status"]) == (3, None, "same behaviour", "complete")
    assert answer["message"] == "undecided on 1 level (sussman: it behaves the same, with other facts or steps)"


def test_the_time_limit_ends_it_with_what_was_compared(tmp_path, capsys, seconds_per_look):
    right = tmp_path / "right.pddl"
    right.write_text(write(BLOCKSWORLD.domain()))
    words = "--game", "blocksworld", "--time-limit", "1000"
    code, answer = run_json(capsys, "check", str(right), *words)
    assert (code, answer["status"], answer["sound"], answer["complete"]) == (3, "timeout", None, None)
    assert answer["findings"] == []
    assert 1 <= len(answer["score"]["levels"]) < 20
    code, _, err = run(capsys, "check", str(right), *words)
    assert code == 3
    assert re.search("the time limit was reached while level [0-9]+ was compared: the rest may differ", err)
    assert run(capsys, "check", str(right), "--game", "blocksworld", "--time-limit", "0")[0] == 2


def test_a_difference_found_before_the_time_is_up_is_certain():
    report = report_of([Finding("wrong goal", (), "a", "b", "c", "d")], [{"same": False, "exhaustive": False}], TIMEOUT)
    assert (report.sound, report.complete, report.status) == (False, None, TIMEOUT)
    whole = {"same": True, "exhaustive": True}
    assert (report_of([], [whole]).sound, report_of([], [whole]).status) == (True, "complete")
    assert report_of([], [whole], TIMEOUT).sound is None


# ---- files to fill in


def test_the_template_is_filled_in_and_judged(tmp_path, capsys):
    folder = tmp_path / "exercise"
    words = "check", "--game", "blocksworld", "--template", str(folder), "--levels", "swap"
    code, out, _ = run(capsys, *words)
    assert (code, out.split()) == (0, [str(folder / name) for name in ("domain.pddl", "swap.txt", "swap.pddl")])
    level = BLOCKSWORLD.parse(BLOCKSWORLD.levels["swap"])
    assert BLOCKSWORLD.parse((folder / "swap.txt").read_text()) == level
    parse_task((folder / "domain.pddl").read_text(), (folder / "swap.pddl").read_text())  # skeletons are well formed
    assert f"unpuzzle check {folder}/domain.pddl --game blocksworld" in (folder / "domain.pddl").read_text()
    compared = "check", str(folder / "domain.pddl"), "--game", "blocksworld", "--problems", str(folder)
    assert run(capsys, *compared)[0] == 1
    task = renamed(Random(2), level.task())
    (folder / "domain.pddl").write_text(write(task.domain))
    (folder / "swap.pddl").write_text(write(task.problem))
    assert run(capsys, *compared)[0] == 0
    code, _, err = run(capsys, *words)
    assert (code, "exists already" in err, "nothing was written" in err) == (2, True, True)
    assert (folder / "domain.pddl").read_text() == write(task.domain)


def test_a_template_has_costs_and_a_command_that_works(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my games").mkdir()
    for name in ("corridor-domain.pddl", "old_style.py"):
        text = (Path(__file__).parents[1] / "translators" / "outside" / name).read_text()
        (tmp_path / "my games" / name).write_text(text)
    game = os.path.join("my games", "old_style.py")
    assert run(capsys, "check", "--game", game, "--template", "to fill in")[0] == 0
    domain = (tmp_path / "to fill in" / "domain.pddl").read_text()
    [line] = [line for line in domain.splitlines() if "unpuzzle check" in line]
    code, _, err = run(capsys, *shlex.split(line.removeprefix("; "))[1:])
    assert (code, "unknown" in err) == (1, False)  # nothing is filled in yet
    assert "(increase (total-cost) 1)" in domain
    problem = (tmp_path / "to fill in" / "1.pddl").read_text()
    assert parse_task(domain, problem).problem.metric is not None
    assert "total-cost" not in template(BLOCKSWORLD)["domain.pddl"]


def test_either_a_domain_or_a_template(tmp_path, capsys):
    for words in ((), ("d.pddl", "--template", str(tmp_path / "new"))):
        code, _, err = run(capsys, "check", *words, "--game", "blocksworld")
        assert (code, "needs a FILE to check, or --template DIR" in err) == (2, True)
    assert not (tmp_path / "new").exists()
    code, _, err = run(capsys, "check", "--game", "blocksworld", "--template", str(tmp_path), "--levels", "swop")
    assert (code, "did you mean 'swap'" in err) == (2, True)


# ---- check, where names are others


def test_check_points_to_diff(tmp_path, capsys):
    level = BLOCKSWORLD.parse(BLOCKSWORLD.levels["swap"])
    texts = {"domain": write(level.task().domain), "problem": write(level.task().problem)}
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    words = ["check", "blocksworld", "swap", "--domain", str(domain)]
    domain.write_text(texts["domain"].replace("pick-up", "take"))
    code, answer = run_json(capsys, *words)
    assert (code, answer["same"]) == (1, False)
    assert "names that the game's does not have (take)" in answer["hint"]
    assert f"`unpuzzle diff DIR/domain.pddl DIR/problem.pddl {domain} DIR/problem.pddl`" in answer["hint"]
    domain.write_text(texts["domain"].replace("handempty", "free"))
    code, _, err = run(capsys, *words)
    assert (code, "does not fit this domain: unknown predicate 'handempty'" in err) == (2, True)
    assert f"`unpuzzle diff DIR/domain.pddl DIR/problem.pddl {domain} PROBLEM`" in err
    problem.write_text(texts["problem"].replace("handempty", "free"))
    code, _, err = run(capsys, *words, "--problem", str(problem))
    assert (code, f"{domain} {problem}`" in err) == (1, True)
    domain.write_text(texts["domain"].replace("(not (handempty)) ", ""))
    code, answer = run_json(capsys, *words)
    assert (code, "hint" in answer) == (1, False)
