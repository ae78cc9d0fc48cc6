"""An editor for tests: starts `unpuzzle lsp` as a process and speaks the language server protocol with it."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

from support.waiting import PATIENCE, wait_until
from unpuzzle.workspace.documents import Change

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {"codeLens": {"refreshSupport": True}, "workspaceEdit": {"documentChanges": False}},
}


def applied(text: str, changes: list[Change]) -> str:
    """Return a text with changes applied; the changes must not overlap."""
    for change in sorted(changes, reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return text


class Failed(Exception):
    """The server answered with an error."""


class Editor:
    """A session; `diagnostics` has the last ones by URI, `notes` all notifications and requests of the server."""

    def __init__(self, root: Path, **settings: object) -> None:
        self.root = root
        self.settings = settings
        self.diagnostics: dict[str, Any] = {}
        self.notes: list[dict[str, Any]] = []
        self.broken: list[str] = []
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._number = 0
        self.ended = False
        self._versions: dict[str, int] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        words = [sys.executable, "-m", "unpuzzle", "lsp"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(words, **pipes)  # type: ignore[call-overload]
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._listen_to_errors, daemon=True).start()
        folders = [{"uri": self.root.as_uri(), "name": "root"}]
        self.server = self.ask(
            "initialize",
            processId=os.getpid(),
            rootUri=self.root.as_uri(),
            capabilities=CAPABILITIES,
            workspaceFolders=folders,
            initializationOptions={"levelSeconds": 0, **self.settings},
        )
        self.tell("initialized")
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end()
            self.tell("exit")
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(PATIENCE)

    def end(self) -> None:
        """End the session, once."""
        if not self.ended:
            self.ended = True
            self.ask("shutdown")

    # ---- talking

    def ask(self, method: str, **params: Any) -> Any:
        """Ask and wait for the answer. Raises Failed for an error."""
        return self.answer(self.begin(method, **params))

    def begin(self, method: str, **params: Any) -> int:
        """Ask, and return the number of the question."""
        self._number += 1
        self._answers[self._number] = queue.Queue()
        message = {"id": self._number, "method": method}
        self._send(message | ({"params": params} if params else {}))
        return self._number

    def answer(self, number: int) -> Any:
        """Wait for an answer."""
        message = self._answers[number].get(timeout=PATIENCE)
        if "error" in message:
            raise Failed(message["error"]["message"])
        return message["result"]

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0"} | message).encode()
        with self._lock:
            assert self.process.stdin
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            self.process.stdin.flush()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream
        while line := stream.readline():
            if not line.startswith(b"Content-Length:"):
                self.broken.append(line.decode())
                continue
            while stream.readline().strip():
                pass
            self._take(json.loads(stream.read(int(line.split(b":")[1]))))

    def _listen_to_errors(self) -> None:
        assert self.process.stderr
        self.broken += [line.decode() for line in self.process.stderr]

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._answers[message["id"]].put(message)
            return
        if message["method"] == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        self.notes.append(message)
        if "id" in message:
            result = {"success": True} if message["method"] == "window/showDocument" else None
            self._send({"id": message["id"], "result": result})

    # ---- documents

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a document and return its URI."""
        uri = path.as_uri()
        self._versions[uri] = 1
        text = path.read_bytes().decode() if text is None else text
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "pddl", "version": 1, "text": text})
        return uri

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        """Send changes, each a text or a text for a range."""
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def faults(self, uri: str, expected: set[str] | None = None) -> list[dict[str, Any]]:
        """Return the diagnostics of the newest version, when they have these codes."""

        def settled() -> bool:
            told = self.diagnostics.get(uri, {})
            codes = {each.get("code") for each in told.get("diagnostics", [])}
            return told.get("version") == self._versions[uri] and (expected is None or codes == expected)

        wait_until(settled, f"{uri} has the faults {expected}: {self.diagnostics.get(uri)}, {self.broken}")
        return list(self.diagnostics[uri]["diagnostics"])

    def at(self, uri: str, text: str, what: str, plus: int = 0) -> dict[str, Any]:
        """Return the parameters of a question about the first place of a word in a text."""
        before = text[: text.index(what) + plus]
        column = len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
        return {"textDocument": {"uri": uri}, "position": {"line": before.count("\n"), "character": column}}
