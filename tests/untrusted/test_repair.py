"""The loop of question, test and feedback, against an endpoint of our own that answers as models and servers do."""

import gzip
import json
import os
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.components import COUNT, COUNT_GAME, SLIDING_TILES, planted
from support.hiding import hide
from support.stub_endpoint import Drip, completion, serving
from support.waiting import PATIENCE, wait_until
from unpuzzle import translators
from unpuzzle.base.errors import DependencyMissing, ParseError, PlannerFailed, UsageError
from unpuzzle.untrusted import repairing
from unpuzzle.untrusted.instances import Instance
from unpuzzle.untrusted.repairing import Endpoint, Watch, WatchedError, code_in, question, repair

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
            "no function is called is_goal(state)",
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


def test_a_model_needs_no_library_but_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newer clients stand on another library than older ones did, and the extra `llm` names the client alone."""
    import openai

    library = type(openai.DEFAULT_CONNECTION_LIMITS).__module__.partition(".")[0]
    hide(monkeypatch, *({"httpx", "httpx2"} - {library}))
    with serving("an answer") as server:
        assert Endpoint(server.url, "stub").ask([]) == "an answer"


def test_rounds_run_out() -> None:
    with serving("no") as server:
        done = repair(GAME, Endpoint(server.url, "stub").ask, rounds=2, levels=LEVELS)
    assert (done.right, done.rounds, done.code, done.report) == (False, 2, None, None)
    assert len(server.asked) == 2
    with pytest.raises(UsageError, match="at least 1, not 0"):
        repair(GAME, str, rounds=0)


def test_the_key_is_hidden_before_a_sentence_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cut left half of the key, which is no longer the key that is hidden."""
    secret = KEY + "-and-more" * 40
    monkeypatch.setenv("OPENAI_API_KEY", f"{secret}\n")  # as a file with the key ends
    with serving(401) as server, pytest.raises(PlannerFailed) as error:
        Endpoint(server.url, "stub", retries=0).ask([])
    assert server.keys == [f"Bearer {secret}"]
    assert "Bearer ***" in str(error.value)
    assert KEY not in str(error.value)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_to_another_port_is_not_followed(status: int) -> None:
    """The question, and with 307 and 308 all of it, went to whatever address the endpoint named."""
    with serving("an answer") as other:
        head = f"HTTP/1.1 {status} Elsewhere\r\nLocation: {other.url}/chat/completions\r\nContent-Length: 0\r\n\r\n"
        with serving(Drip(head.encode(), b"")) as server, pytest.raises(PlannerFailed) as error:
            Endpoint(server.url, "stub", retries=0).ask([{"role": "user", "content": "a question"}])
        assert "redirects to another address" in str(error.value)
        assert (len(server.asked), len(other.asked)) == (1, 0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (429, "refuses with status 429"),
        (500, "refuses with status 500"),
        (401, "refuses with status 401"),
        (404, "refuses with status 404"),
        (None, "gave no answer within 2 s"),
        (completion("half")[:40], "returned something that cannot be read"),
        (b"", "returned something"),
        (b"<html>", "returned something"),
        (b"{}", "returned something that is not a chat completion"),
        (b'{"choices": []}', "returned something that is not a chat completion"),
        (b'{"choices": [{"message": {"content": null}}]}', "returned something that is not a chat completion"),
        (b"[1, 2]", "returned something"),
    ],
)
def test_an_endpoint_that_fails_ends_it_with_a_sentence(answer: int | bytes | None, said: str) -> None:
    log: list[dict[str, Any]] = []
    with serving(answer) as server, pytest.raises(PlannerFailed) as error:
        repair(GAME, Endpoint(server.url, "stub", seconds=2 if answer is None else 60, retries=0).ask, log=log.append)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    [entry] = log
    assert said in entry["error"]
    assert server.keys == [f"Bearer {KEY}"], "the key goes to the endpoint"
    assert KEY not in str(error.value) + json.dumps(log), "and nowhere else"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
MEGABYTE = b"x" * (1 << 20)


@pytest.mark.parametrize(
    "drip",
    [
        Drip(b"", b""),
        Drip(b"HTTP/1.1 200 OK\r\n", b"x"),
        Drip(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n"),
        Drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        Drip(HEAD + b"Content-Length: 1000000\r\n\r\n", b" "),
        Drip(HEAD + b"\r\n", b" "),
        Drip(CHUNKED, b"1\r\n \r\n"),
        Drip(CHUNKED, b"0"),
        Drip(CHUNKED + b"1;", b"x"),
    ],
    ids=["nothing", "a header", "headers", "interim answers", "a body", "a body without length", "chunks", "a size",
         "a mark of a chunk"],
)  # fmt: skip
def test_an_answer_that_drips_ends_at_its_limit(drip: Drip) -> None:
    """It never comes to its end, so nothing but the limit can end it, on however slow a machine."""
    with serving(drip) as server:
        with pytest.raises(PlannerFailed, match=r"gave no answer within 0\.2 s"):
            Endpoint(server.url, "stub", seconds=0.2, retries=0).ask([])
        wait_until(lambda: not _asking(), "the thread that asked has ended, although the answer drips on")


def _asking() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "unpuzzle-endpoint"]


@pytest.mark.parametrize(
    "drip",
    [
        Drip(HEAD + b"Content-Length: 8000000000\r\n\r\n", MEGABYTE),
        Drip(HEAD + b"\r\n", MEGABYTE),
        Drip(CHUNKED, b"100000\r\n" + MEGABYTE + b"\r\n"),
        Drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    ],
    ids=["a body", "a body without length", "chunks", "interim answers"],
)
def test_an_answer_without_end_ends_at_its_size(drip: Drip, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watch.__init__, "__defaults__", (4 << 20,))
    with serving(drip) as server, pytest.raises(PlannerFailed, match="sends an answer that is too long"):
        Endpoint(server.url, "stub", seconds=PATIENCE, retries=0).ask([])


def test_a_packed_answer_is_refused_before_it_is_unpacked() -> None:
    packed = gzip.compress(b" " * (64 << 20))
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    with serving(Drip(head + packed, b"")) as server, pytest.raises(PlannerFailed, match="compresses the answer"):
        Endpoint(server.url, "stub", retries=0).ask([])


@pytest.mark.parametrize(
    "deep", [b"[" * 200_000, b'{"a":' * 200_000, b'{"choices": ' + b"[" * 5000 + b"]" * 5000 + b"}"]
)
def test_a_deep_answer_is_a_fault_of_the_endpoint(deep: bytes) -> None:
    with serving(deep) as server, pytest.raises(PlannerFailed, match="returned something"):
        Endpoint(server.url, "stub", retries=0).ask([])


def test_each_read_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairing, "perf_counter", SecondsPerLook())
    watch, connection = Watch(20), Connection()
    watch._traced("connection.connect_tcp.complete", {"return_value": connection})
    with pytest.raises(WatchedError, match="gave no answer within 20 s"):
        connection.read_to_the_end()
    assert 1 < connection.reads < 10
    assert connection.waited == sorted(connection.waited, reverse=True), "each read has what the others left"


class Connection:
    def __init__(self) -> None:
        self.reads = 0
        self.waited: list[float | None] = []

    def read(self, most: int, timeout: float | None) -> bytes:
        self.reads += 1
        self.waited.append(timeout)
        return b"x"

    def read_to_the_end(self) -> None:
        while self.read(1, None):
            pass


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
    hide(monkeypatch, "openai")
    with pytest.raises(DependencyMissing, match=r"unpuzzle\[llm\]"):
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
        ("```python", None),
        ("  ```Python title=x\r\na = 1\r\n  ```\r\n", "a = 1\r\n"),
        ("```python\na = 1\n~~~\nb = 2\n```", "a = 1\n~~~\nb = 2\n"),
    ],
)
def test_the_code_of_an_answer(answer: str, code: str | None) -> None:
    assert code_in(answer) == code


@pytest.mark.parametrize(
    "answer",
    [
        "\n".join("`" * (3 + i % 300) for i in range(10_000)),
        "`" * 1_000_000,
        " " * 1_000_000,
        "```\n" + " " * 1_000_000 + "x",
        "~~~x\n```x\n" * 100_000,
        ("`" * 500 + "\n") * 2000,
    ],
    ids=range(6),
)
def test_code_is_looked_for_line_by_line(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern is asked about each line at most once, and never about more than a line."""
    asked: list[int] = []

    class Counting:
        def match(self, line: str) -> re.Match[str] | None:
            asked.append(len(line))
            return fence.match(line)

    fence = repairing._FENCE
    monkeypatch.setattr(repairing, "_FENCE", Counting())
    code_in(answer)
    assert len(asked) <= answer.count("\n") + 1
    assert sum(asked) <= len(answer)


@pytest.mark.parametrize("name", ["sokoban", "sliding-tiles", "blocksworld", "hanoi"])
def test_the_question_has_rules_and_an_example_with_its_successors(name: str) -> None:
    game = translators.find(name)
    text = question(game)
    assert game.title in text
    assert "Its successors are, by their moves:\n  after " in text
    assert ("It comes with goal = " in text) == (name in ("sliding-tiles", "blocksworld"))


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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_log_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], game: str) -> None:
    with serving(fenced(COUNT)) as server:
        code, out, err = run(capsys, *WORDS, game, "--endpoint", server.url, "--log", "/dev/full")
    assert (code, out, err) == (2, "", "unpuzzle: /dev/full: No space left on device\n")


def test_the_command_says_when_rounds_ran_out(capsys: pytest.CaptureFixture[str], game: str) -> None:
    with serving(fenced("x = 1")) as server:
        code, fields = run_json(capsys, *WORDS, game, "--endpoint", server.url, "--rounds", "1")
    assert code == 1
    assert (fields["rounds"], fields["sound"], fields["code"]) == (1, None, "x = 1\n")
    assert "no function is called successors(state)" in fields["message"]


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
