"""Sources on the network, tried on a server of our own with pages of our own: nothing leaves this machine."""

from __future__ import annotations

import json
import os
import stat
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle.planners.clues import network_sources
from unpuzzle.planners.clues.clue import SourceFailed, read_clue
from unpuzzle.planners.clues.network_sources import ADDRESSES, PAUSES, Client, Service, read_answer

pytest.importorskip("httpx", reason="the extra `words` is not installed")

THESAURUS = json.dumps([{"word": "feline", "score": 900}, {"word": "tabby", "score": 800}, {"word": "big cat"}])
DICTIONARY = json.dumps(
    [
        {
            "word": "cat",
            "meanings": [
                {
                    "partOfSpeech": "noun",
                    "synonyms": ["puss", "tabby"],
                    "definitions": [{"definition": "A small feline.", "synonyms": ["moggy"]}],
                }
            ],
        }
    ]
)
ENCYCLOPEDIA = json.dumps(
    {"query": {"search": [{"title": "Tabby (cat)", "snippet": "A <span class=x>tabby</span> &amp; stripes"}]}}
)


class Answers:
    """What the server says, one after the other, and what it was asked; the last answer is repeated."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.hold = threading.Event()

    def next(self):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def server(*answers):
    told = Answers(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            url = urlparse(self.path)
            told.asked.append((url.path, parse_qs(url.query), dict(self.headers)))
            status, body, headers = told.next()
            if status is None:  # never answers
                told.hold.wait()
                return
            data = body.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}/api", told
    finally:
        told.hold.set()
        http.shutdown()
        http.server_close()


class Time:
    """Time that goes by only when one sleeps."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def monotonic(self):
        return self.now


@pytest.fixture(name="time", autouse=True)
def no_pauses(monkeypatch):
    passing = Time()
    monkeypatch.setattr(network_sources, "sleep", passing.sleep)
    monkeypatch.setattr(network_sources, "monotonic", passing.monotonic)
    monkeypatch.setattr(network_sources, "TIMEOUT", 30.0)
    return passing


@pytest.fixture
def client(tmp_path):
    return Client(str(tmp_path / "pages"))


OK = {}


@pytest.mark.parametrize(
    ("name", "page", "words"),
    [
        ("thesaurus", THESAURUS, {"TABBY", "FELINE", "BIGCAT"}),
        ("dictionary", DICTIONARY, {"PUSS", "TABBY", "MOGGY", "SMALL", "FELINE"}),
        ("encyclopedia", ENCYCLOPEDIA, {"TABBY", "STRIPES"}),
    ],
)
def test_a_source_reads_its_page(client, name, page, words):
    assert read_answer(name, page).keys() >= words
    with server((200, page, OK)) as (address, told):
        found = Service(name, client, address).candidates(read_clue("A cat"), 5)
    assert found.words.tolist()[-1] == b"TABBY"
    assert 0 < found.measures.max() <= 1
    path, query, headers = told.asked[0]
    assert headers["User-Agent"].startswith("unpuzzle")
    wanted = {"thesaurus": ("ml", "A cat"), "encyclopedia": ("srsearch", "A cat")}
    if name in wanted:
        assert query[wanted[name][0]] == [wanted[name][1]]
    else:
        assert path == "/api/cat"


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_another_user_cannot_read_what_was_asked(client, tmp_path):
    (tmp_path / "pages").mkdir(mode=0o755)  # as an earlier version did
    with server((200, THESAURUS, OK)) as (address, _):
        Service("thesaurus", client, address).candidates(read_clue("A cat"), 5)
    assert [*(tmp_path / "pages").iterdir()]
    assert stat.S_IMODE((tmp_path / "pages").stat().st_mode) == 0o700


def test_what_was_answered_is_kept(client):
    with server((200, THESAURUS, OK)) as (address, told):
        for _ in range(3):
            Service("thesaurus", client, address).candidates(read_clue("A cat"), 5)
    assert len(told.asked) == 1


def test_what_may_pass_is_tried_again_after_longer_and_longer_pauses(client, time):
    with server((503, "", OK), (429, "", {"Retry-After": "3"}), (200, "fine", OK)) as (address, told):
        assert client.get(address, {}) == "fine"
    assert len(told.asked) == 3
    assert time.slept == [0.5, 3.0]


@pytest.mark.parametrize(
    ("answer", "asked", "message"),
    [
        ((503, "", OK), len(PAUSES), "the server answered with status 503"),
        ((403, "", OK), 1, "the server answered with status 403"),
        ((404, "", OK), 1, "the server answered with status 404"),
        ((200, "x" * 4_000_001, OK), 1, "has more than 4,000,000 bytes"),
    ],
)
def test_when_it_is_enough(client, answer, asked, message):
    with server(answer) as (address, told), pytest.raises(SourceFailed, match=message):
        client.get(address, {})
    assert len(told.asked) == asked


def test_a_word_that_the_dictionary_does_not_have_is_no_failure(client):
    with server((404, "no such word", OK)) as (address, _):
        assert len(Service("dictionary", client, address).candidates(read_clue("A cat"), 5).words) == 0


def test_who_never_answers_is_given_up(client, monkeypatch):
    monkeypatch.setattr(network_sources, "TIMEOUT", 0.05)
    with server((None, "", OK)) as (address, told):
        with pytest.raises(SourceFailed, match="the server did not answer in time"):
            client.get(address, {})
        assert len(told.asked) == len(PAUSES)


def test_who_is_not_there_is_told(client):
    with server((200, "", OK)) as (address, _):
        pass
    with pytest.raises(SourceFailed, match="the server cannot be reached"):
        client.get(address, {})


def test_between_two_questions_there_is_a_pause(client, time):
    with server((200, "fine", OK)) as (address, _):
        client.get(address, {"q": "1"})
        client.get(address, {"q": "2"})
    assert time.slept == [pytest.approx(0.5)]


def outcome(ask):
    """What comes of asking: the answer, or the sentence that says what was wrong."""
    try:
        return ask()
    except (SourceFailed, ValueError) as error:
        return str(error)


GARBAGE = ["", "<html>", "[1, 2]", '{"query": []}', '[{"meanings": 3}]', '{"query": {"search": [1]}}', "[" * 100_000]


@pytest.mark.parametrize("page", GARBAGE)
@pytest.mark.parametrize("name", ADDRESSES)
def test_garbage_is_told(client, name, page):
    with server((200, page, OK)) as (address, _):
        said = outcome(lambda: Service(name, client, address).candidates(read_clue("A cat"), 5).words.tolist())
    assert said == [] or said.startswith(f"{name} was skipped: ")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("word meanings definitions synonyms query search title".split()), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(JSON, st.sampled_from(sorted(ADDRESSES)))
def test_any_json_is_read_or_refused(value, name):
    found = outcome(lambda: read_answer(name, json.dumps(value)))
    if isinstance(found, str):
        assert "the answer" in found
    else:
        assert all(0 < score <= 1 for score in found.values())


def test_a_redirect_to_another_host_is_not_followed(client):
    """A page could send us to a host of the reader's own network."""
    with server((302, "", {"Location": "/moved"}), (200, "fine", OK)) as (address, _):
        assert client.get(address, {"q": "of the same host"}) == "fine"
    with server((302, "", {"Location": "http://localhost:1/"})) as (address, told):
        with pytest.raises(SourceFailed, match="redirects to the other host localhost"):
            client.get(address, {})
        assert len(told.asked) == 1
