"""unpuzzle check: within a time limit, interrupted, and with the position where rules and PDDL part."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle.base import outcomes as exits
from unpuzzle.base.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.base.defaults import SAMPLES
from unpuzzle.base.errors import ParseError
from unpuzzle.cli import main
from unpuzzle.cli.commands import check as command
from unpuzzle.verification.side_by_side import SideBySide


def test_check_within_a_time_limit(tmp_path: Path, capsys: Capsys, seconds_per_look: SecondsPerLook) -> None:
    """Nothing found in time is no answer; a difference found in time is one."""
    code, answer = run_json(capsys, "check", "sliding-tiles", "8-hard", "--time-limit", "20000")
    assert code == 3
    assert (answer["same"], answer["exhaustive"], answer["difference"]) == (None, False, None)
    assert 0 < answer["states"] <= 20_000
    assert answer["status"] == "timeout"
    code, out, err = run(capsys, "check", "sliding-tiles", "8-hard", "--time-limit", "20000")
    assert code == 3
    assert out.startswith("no difference found: ")
    assert out.endswith("there may be more\n")
    assert err.startswith("unpuzzle: the time limit was reached after ")
    assert err.endswith("states: the rest may differ\n")
    run(capsys, "pddl", "pacman", "loops", "--output", str(tmp_path))
    domain = tmp_path / "domain.pddl"
    domain.write_text(domain.read_text().replace("(not (food ?to))", ""))
    words = ["check", "pacman", "loops", "--domain", str(domain), "--time-limit"]
    assert run_json(capsys, *words, "500000")[0] == 1
    code, answer = run_json(capsys, *words, "0")
    assert (code, answer["status"]) == (2, "bad_input")
    code, answer = run_json(capsys, "check", "pacman", "loops", "--heuristic", "null", "--time-limit", "50")
    assert (code, answer["status"]) == (3, "timeout")


@pytest.mark.parametrize(("error", "expected"), [(KeyboardInterrupt, 130), (exits.TerminatedError, 143)])
def test_check_keeps_what_it_found_when_interrupted(
    error: type[BaseException], expected: int, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    looks = count()
    compare = SideBySide._compare

    def interrupted(search: SideBySide, pair: Any) -> Any:
        if next(looks) == 29:
            raise error
        return compare(search, pair)

    monkeypatch.setattr(SideBySide, "_compare", interrupted)
    code, out, err = run(capsys, "check", "sliding-tiles", "8-hard", "--time-limit", "100")
    assert code == expected
    assert out.startswith("no difference found: 29 states and ")
    assert err == "unpuzzle: interrupted after 29 states: the rest may differ\n"
    looks = count(29)
    code, out, err = run(capsys, "check", "sliding-tiles", "8-hard", "--time-limit", "100")
    assert (code, out, err) == (expected, "", "unpuzzle: interrupted\n"), "nothing was compared yet"


def test_check_draws_the_position_where_they_part(tmp_path: Path, capsys: Capsys) -> None:
    run(capsys, "pddl", "pacman", "loops", "--output", str(tmp_path))
    domain, level = tmp_path / "domain.pddl", tmp_path / "level.lay"
    domain.write_text(domain.read_text().replace("(not (food ?to))", ""))
    level.write_text(" P.\n")
    _, out, _ = run(capsys, "check", "pacman", str(level), "--domain", str(domain))
    text, _, picture = out.partition("\n\n")
    assert text.startswith("rules and PDDL differ after 1 move (E)\n")
    head, _, drawn = picture.partition("\n")
    assert head == "the position there, by the rules, after E:"
    assert "@" in drawn
    _, out, _ = run(capsys, "check", "pacman", str(level), "--domain", str(domain), "--quiet")
    assert out == text + "\n"


def test_both_sides_are_drawn_where_they_differ(tmp_path: Path, capsys: Capsys) -> None:
    """A box that is pushed stays where it was, too."""
    run(capsys, "pddl", "sokoban", "1", "--output", str(tmp_path))
    domain = tmp_path / "domain.pddl"
    domain.write_text(domain.read_text().replace("(not (box ?to))", ""))
    code, out, _ = run(capsys, "check", "sokoban", "1", "--domain", str(domain))
    rules, pddl = out.partition("the position there, by the rules")[2].split("the state there, by the PDDL:")
    assert code == exits.NO
    assert rules.count("□") + rules.count("■") + 1 == pddl.count("□") + pddl.count("■")


CURE = "--max-states compares more, --partial accepts a part"


def test_a_part_is_no_answer_unless_it_is_asked_for(capsys: Capsys) -> None:
    words = ["check", "boxup", "1", "--max-states"]
    code, answer = run_json(capsys, *words, "139")
    assert (code, answer["same"], answer["exhaustive"], answer["status"]) == (3, None, False, "gave_up")
    assert answer["message"] == f"undecided: not all states were compared; {CURE}"
    code, out, err = run(capsys, *words, "139")
    assert (code, out.startswith("no difference found: ")) == (3, True)
    assert err == f"unpuzzle: undecided: not all states were compared; {CURE}\n"
    code, answer = run_json(capsys, *words, "139", "--partial")
    assert (code, answer["same"], answer["exhaustive"], answer["status"]) == (0, None, False, "gave_up")
    assert run_json(capsys, *words, "140")[:1] == (0,)


def test_a_part_ended_by_the_time_is_not_what_was_asked_for(capsys: Capsys, seconds_per_look: SecondsPerLook) -> None:
    code, answer = run_json(capsys, "check", "sliding-tiles", "8-hard", "--time-limit", "20000", "--partial")
    assert (code, answer["same"], answer["status"]) == (3, None, "timeout")


def test_a_heuristic_is_judged_by_the_same_rule(capsys: Capsys) -> None:
    words = ["check", "sliding-tiles", "2x3", "--heuristic"]
    code, answer = run_json(capsys, *words, "manhattan", "--max-states", "50")
    assert (code, answer["holds"], answer["admissible"], answer["status"]) == (3, None, None, "gave_up")
    code, answer = run_json(capsys, *words, "manhattan", "--max-states", "50", "--partial")
    assert (code, answer["holds"]) == (0, None)
    code, answer = run_json(capsys, *words, "manhattan")
    assert (code, answer["holds"]) == (0, True)


def test_a_cluster_for_one_level_is_refused(capsys: Capsys) -> None:
    assert main(["check", "boxup", "1", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "--scheduler is for several levels" in capsys.readouterr().err


def test_a_domain_is_compared_with_the_defaults_of_help(tmp_path: Path, monkeypatch: Monkeypatch) -> None:
    """What is left out on the command line is as in the API, by one worker."""

    def compare(*_: object, **options: Any) -> None:
        asked.append({name: options[name] for name in ("levels", "seed", "samples", "max_states", "workers")})
        raise ParseError("seen")

    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(command, "check_domain", compare)
    (tmp_path / "d.pddl").write_text("(define (domain d) (:predicates (p)))")
    words = ["check", str(tmp_path / "d.pddl"), "--game", "boxup"]
    for more in ([], ["--samples", "3", "--seed", "2", "--max-states", "4", "--workers", "5", "--levels", "1"]):
        assert main([*words, *more]) == exits.BAD_INPUT
    assert [[*each.values()] for each in asked] == [[None, 0, SAMPLES, MAX_STATES, 1], [["1"], 2, 3, 4, 5]]
