"""A model writes a domain and is told the findings: against an endpoint of our own, and through the command line."""

from pathlib import Path
from typing import Any

import pytest

from support.command_line import run, run_json
from support.stub_endpoint import serving
from unpuzzle import find
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.pddl import write
from unpuzzle.untrusted.repairing import domain_in, domain_question, repair_domain

HANOI = find("hanoi")
DOMAIN = write(HANOI.parse(HANOI.levels["3"]).task().domain)
FAULTY = DOMAIN.replace("(clear ?to)", "(clear ?d)", 1)


def fenced(text: str) -> str:
    return f"Here it is:\n\n```pddl\n{text}\n```\n"


def test_a_model_is_told_what_is_wrong_until_it_is_right() -> None:
    assert FAULTY != DOMAIN
    answers = ["I cannot.", fenced(DOMAIN[:-20]), fenced(DOMAIN.replace("smaller", "less")), fenced(FAULTY), DOMAIN]
    given, asked, log = iter(answers), [], list[dict[str, Any]]()

    def ask(messages: Any) -> str:
        asked.append(messages[-1]["content"])
        return next(given)

    outcome = repair_domain(HANOI, ask, rounds=9, log=log.append, levels=["3"], samples=2)
    assert (outcome.right, outcome.rounds, outcome.code) == (True, 5, DOMAIN)
    assert asked[0] == domain_question(HANOI)
    assert "no PDDL domain" in asked[1]
    assert "never closed" in asked[2]
    assert "smaller" in asked[3]
    assert "this is not the game: up to names, in the level" in asked[4]
    assert "superfluous action" in asked[4]
    assert [entry["code"] is None for entry in log] == [True, False, False, False, False]
    assert log[3]["verdict"]["sound"] is False
    assert log[3]["verdict"]["action"].startswith("(move ")


def test_the_question_holds_rules_level_moves_and_problem() -> None:
    text = domain_question(HANOI)
    for part in ("never a larger one onto a smaller one", "A: 3 2 1", "AB (cost 1), AC (cost 1)", "(:goal (and"):
        assert part in text
    assert "(:action" not in text


def test_what_is_a_domain() -> None:
    assert domain_in("no") is None
    assert domain_in("```pddl\n(define (problem p))\n```") is None
    assert domain_in(f"It is {DOMAIN}") == DOMAIN
    assert domain_in(fenced(FAULTY) + fenced(DOMAIN)) == DOMAIN + "\n"


def test_rounds_run_out_and_limits_leave_it_undecided() -> None:
    outcome = repair_domain(HANOI, lambda messages: "no", rounds=2)
    assert (outcome.right, outcome.rounds, outcome.code) == (False, 2, None)
    with pytest.raises(UsageError, match="at least 1, not 0"):
        repair_domain(HANOI, lambda messages: "no", rounds=0)
    cancelled = Limits()
    cancelled.cancel()
    outcome = repair_domain(HANOI, lambda messages: DOMAIN, levels=["3"], samples=0, limits=cancelled)
    assert (outcome.right, outcome.rounds, outcome.message) == (False, 1, "")
    assert outcome.report is not None
    assert outcome.report.status == "cancelled"


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    words = ["repair", "--game", "hanoi", "--domain", "--levels", "3", "--samples", "1", "--model", "stub"]
    with serving(fenced(FAULTY), fenced(DOMAIN)) as server:
        code, out, err = run(capsys, *words, "--endpoint", server.url, "--log", str(tmp_path / "log.jsonl"))
    assert (code, out, err) == (0, DOMAIN + "\n", "right after 2 rounds\n")
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 2
    with serving(fenced(FAULTY)) as server:
        code, fields = run_json(capsys, *words, "--endpoint", server.url, "--rounds", "1")
    assert (code, fields["schema"], fields["rounds"], fields["sound"]) == (1, "unpuzzle/repair/1", 1, False)
    assert fields["literal"]
    words.remove("--domain")
    assert run(capsys, *words, "--endpoint", "http://localhost:1/v1")[0] == 2


def test_an_unknown_level_is_refused_before_the_model_is_asked() -> None:
    questions: list[object] = []

    def ask(messages: object) -> str:
        questions.append(messages)
        return DOMAIN

    with pytest.raises(UsageError, match="hanoi has no level 'nolevel'"):
        repair_domain(HANOI, ask, levels=["nolevel"], samples=0)
    assert not questions
