"""A stand-in for a language model: it speaks like one, on this machine, and gives answers that were kept in a folder.

    python kept_model.py answers > endpoint.txt &

writes its address to `endpoint.txt`. The first question gets `answers/1.txt`, the next one `answers/2.txt`, and so on.
After the last answer it ends.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Model(BaseHTTPRequestHandler):
    """Answers a question, whatever it is, by the next file."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        text = self.server.answers.pop(0).read_text(encoding="utf-8")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        answer = {"id": "1", "object": "chat.completion", "created": 0, "model": "kept", "choices": [choice]}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Say nothing."""


def main(folder):
    """Serve until all answers are given, or nobody has asked for a minute."""
    with HTTPServer(("127.0.0.1", 0), Model) as server:
        server.answers = sorted(Path(folder).glob("*.txt"))
        server.timeout = 60
        server.handle_timeout = server.answers.clear
        print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
        while server.answers:
            server.handle_request()


if __name__ == "__main__":
    main(*sys.argv[1:])
