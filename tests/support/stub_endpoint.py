"""A language model for tests: a server on this machine that gives the answers it was told, one after the other."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Drip:
    """An answer that begins and never ends: `begin`, then `again` and again, nothing else of HTTP."""

    def __init__(self, begin: bytes, again: bytes) -> None:
        self.begin = begin
        self.again = again


class Stub(ThreadingHTTPServer):
    """Answers: a text is a completion; a number a status that refuses; bytes are sent as they are; None never comes;
    a `Drip` comes byte by byte.
    """

    daemon_threads = True

    def __init__(self, answers: Sequence[str | int | bytes | Drip | None]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(json.loads(body))
        self.server.keys.append(self.headers["Authorization"])
        answer = self.server.answers[min(len(self.server.asked), len(self.server.answers)) - 1]
        if answer is None:
            self.server.over.wait()
            return
        if isinstance(answer, Drip):
            self.drip(answer)
        elif isinstance(answer, int):
            complaint = {"error": {"message": f"no, {self.headers['Authorization']}\nand more", "type": "refused"}}
            self.send(answer, json.dumps(complaint).encode())
        else:
            self.send(200, answer if isinstance(answer, bytes) else completion(answer))

    def drip(self, answer: Drip) -> None:
        """Until the other side has gone, or the test is over."""
        try:
            self.wfile.write(answer.begin)
            while not self.server.over.is_set():
                self.wfile.write(answer.again)
                self.server.over.wait(0 if len(answer.again) > 1000 else 0.01)
        except OSError:
            pass
        self.close_connection = True

    def send(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None: ...


def completion(text: str) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    answer = {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}
    return json.dumps(answer).encode()


@contextmanager
def serving(*answers: str | int | bytes | Drip | None) -> Iterator[Stub]:
    with Stub(answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()
