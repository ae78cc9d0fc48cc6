"""The loop of question, test and feedback, against an endpoint of our own that answers as models and servers do."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from support.command_line import run, run_json
from support.components import COUNT, COUNT_GAME, SLIDING_TILES, planted
from support.stub_endpoint import completion, serving
from unpuzzle import translators
from unpuzzle.components.asking import code_in, question
from unpuzzle.components.endpoint import Endpoint
from unpuzzle.components.instances import Instance
from unpuzzle.components.repairing import repair
from unpuzzle.errors import ParseError, PlannerFailed, PlannerMissing

if TYPE_CHECKING:
    from pathlib import Path

GAME = translators.find("sliding-tiles")
LEVELS = [Instance("it", GAME.parse("1 0\n2 3\n"), 0)]
FAULT = "    # fault\n"
RIGHT = f"Here it is:\n\n```python\n{SLIDING_TILES}```\nGood luck!"
KEY = "sk-a-secret-of-the-test"


def fenced(code: str) -> str:
    return f"```python\n{code}\n```"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_model_is_told_what_is_wrong_until_it_is_right() -> None:
    answers = [
        "I cannot do this.",
        fenced("def successors(state:"),
        fenced("def successors(state): return []"),
        fenced(planted(SLIDING_TILES, FAULT, "    found.append([row[::-1] for row in rows])\n")),
        fenced(planted(SLIDING_TILES, FAULT, "    found = found[:1]\n")),
        RIGHT,
    ]
    log: list[dict[str, Any]] = []
    with serving(*answers) as server:
        done = repair(GAME, Endpoint(server.url, "stub").ask, rounds=9, log=log.append, levels=LEVELS)
    assert done.right
    assert done.rounds == len(answers) == len(server.asked)
    assert done.code == SLIDING_TILES
    asked = [request["messages"][-1]["content"] for request in server.asked]
    assert asked[0] == question(GAME)
    for said, wanted in zip(
        asked[1:],
        [
            "no block of Python",
            "SyntaxError",
            "no function is_goal(state)",
            "extra successor: successors() returns a state to which no legal move leads",
            "missing successor: successors() does not return the state after the legal move",
        ],
        strict=True,
    ):
        assert wanted in said
    assert [len(request["messages"]) for request in server.asked] == [2, 4, 6, 8, 10, 12]
    assert [entry["round"] for entry in log] == [1, 2, 3, 4, 5, 6]
    assert [entry["verdict"]["sound"] for entry in log] == [None, None, None, False, True, True]
    assert [entry["answer"] for entry in log] == answers


def test_rounds_run_out() -> None:
    with serving("no") as server:
        done = repair(GAME, Endpoint(server.url, "stub").ask, rounds=2, levels=LEVELS)
    assert (done.right, done.rounds, done.code, done.report) == (False, 2, None, None)
    assert len(server.asked) == 2
    with pytest.raises(ParseError, match="at least 1, not 0"):
        repair(GAME, str, rounds=0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (429, "refuses with status 429"),
        (500, "refuses with status 500"),
        (401, "refuses with status 401"),
        (404, "refuses with status 404"),
        (None, "gave no answer within 0.2 s"),
        (completion("half")[:40], "answers what cannot be read"),
        (b"", "answers what"),
        (b"<html>", "answers what"),
        (b"{}", "answers what is no completion"),
        (b'{"choices": []}', "answers what is no completion"),
        (b'{"choices": [{"message": {"content": null}}]}', "answers what is no completion"),
        (b"[1, 2]", "answers what"),
    ],
)
def test_an_endpoint_that_fails_ends_it_with_a_sentence(answer: int | bytes | None, said: str) -> None:
    log: list[dict[str, Any]] = []
    with serving(answer) as server, pytest.raises(PlannerFailed) as error:
        repair(GAME, Endpoint(server.url, "stub", seconds=0.2 if answer is None else 60, retries=0).ask, log=log.append)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    [entry] = log
    assert said in entry["error"]
    assert server.keys == [f"Bearer {KEY}"], "the key goes to the endpoint"
    assert KEY not in str(error.value) + json.dumps(log), "and nowhere else"


def test_an_endpoint_is_asked_again_a_few_times() -> None:
    with serving(500, RIGHT) as server:
        assert Endpoint(server.url, "stub", retries=1).ask([{"role": "user", "content": "?"}]) == RIGHT
    with serving(f"you are {KEY}") as server:
        assert Endpoint(server.url, "stub").ask([{"role": "user", "content": "?"}]) == "you are ***"


@pytest.mark.parametrize("url", ["", "localhost", "ftp://x", "http://", "file:///etc/passwd"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ParseError, match="is not the address of an endpoint"):
        Endpoint(url, "stub")


def test_nobody_listens() -> None:
    with serving("") as server:
        url = server.url
    with pytest.raises(PlannerFailed, match="cannot be reached"):
        Endpoint(url, "stub", retries=0).ask([])


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(PlannerMissing, match=r"unpuzzle\[llm\]"):
        Endpoint("http://localhost/v1", "stub")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("```python\na = 1\n```", "a = 1\n"),
        ("text\n~~~py\na = 1\n~~~\ntext", "a = 1\n"),
        ("```\ndef f(): pass\n```\n```\nmore words\n```", "def f(): pass\n"),
        ("```python\na = 1\n```\nand\n```python\nb = 2\n```", "a = 1\n\n\nb = 2\n"),
        ("````python\ns = '''\n```\n'''\n````", "s = '''\n```\n'''\n"),
        ("```python\na = 1\n", "a = 1\n"),
        ("def f(x):\n    return x\n", "def f(x):\n    return x\n"),
        ("```json\n{}\n```", None),
        ("nothing", None),
    ],
)
def test_the_code_of_an_answer(answer: str, code: str | None) -> None:
    assert code_in(answer) == code


@pytest.mark.parametrize("name", ["sokoban", "sliding-tiles", "blocksworld", "hanoi"])
def test_the_question_has_rules_and_an_example_with_its_successors(name: str) -> None:
    game = translators.find(name)
    text = question(game)
    assert game.title in text
    assert "Its successors are, by their moves:\n  after " in text
    assert ("With it comes goal = " in text) == (name in ("sliding-tiles", "blocksworld"))


# ---- the command line

WORDS = ("repair", "--model", "stub", "--game")


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "count.py").write_text(COUNT_GAME)
    return str(tmp_path / "count.py")


def test_the_command_prints_the_code_and_logs_the_exchanges(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    log = tmp_path / "log.jsonl"
    with serving("?", fenced(COUNT)) as server:
        code, out, err = run(capsys, *WORDS, game, "--endpoint", server.url, "--log", str(log))
    assert (code, out, err) == (0, COUNT + "\n", "right after 2 rounds\n")
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [entry["answer"] for entry in entries] == ["?", fenced(COUNT)]
    assert KEY not in log.read_text()


def test_the_command_says_when_rounds_ran_out(capsys: pytest.CaptureFixture[str], game: str) -> None:
    with serving(fenced("x = 1")) as server:
        code, fields = run_json(capsys, *WORDS, game, "--endpoint", server.url, "--rounds", "1")
    assert code == 1
    assert (fields["rounds"], fields["sound"], fields["code"]) == (1, None, "x = 1\n")
    assert "no function successors(state)" in fields["message"]


def test_the_command_says_that_an_endpoint_refuses(capsys: pytest.CaptureFixture[str], game: str) -> None:
    with serving(403) as server:
        code, out, err = run(capsys, *WORDS, game, "--endpoint", server.url)
    assert (code, out) == (4, "")
    assert "refuses with status 403" in err
    assert KEY not in err
    code, fields = run_json(capsys, *WORDS, game, "--endpoint", "nowhere")
    assert (code, fields["status"]) == (2, "bad_input")
    code, _, err = run(capsys, *WORDS, game, "--endpoint", "http://127.0.0.1:9/v1", "--rounds", "0")
    assert (code, "at least 1" in err) == (2, True)
