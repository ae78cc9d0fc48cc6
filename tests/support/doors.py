"""The five doors to unpuzzle, each asked by its real protocol, and the verdict that it gives.

    with Doors(root) as doors:
        doors.ask("lsp", situation)      a Said: the verdict, the exit code if there is one, and all that was said

Servers are shared by all situations; those with limits of their own are started when they are first needed.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import psutil

from support.editor import Editor, Failed
from support.mcp_client import Agent, agent
from support.studio import Visitor, running
from support.waiting import PATIENCE, cpu_seconds, wait_until, wait_until_busy
from unpuzzle.base.outcomes import VERDICTS, verdict_of
from unpuzzle.pddl.linting.fault import codes

USUAL = 30.0
"""Seconds that work gets where no situation is about limits."""


class Said(NamedTuple):
    """What a door said: its verdict, the exit code of a command line, and everything in words."""

    verdict: str
    code: int | None
    words: str


class Doors:
    """All doors to the folders below one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._servers: dict[tuple[Any, ...], Any] = {}
        self._programs: dict[tuple[str, str], Future[Said]] = {}
        self._workers = ThreadPoolExecutor(2)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.shutdown(cancel_futures=True)
        self._stack.close()

    def begin(self, door: str, situation: Any) -> None:
        """Ask a program already, while others are asked; servers wait for their turn."""
        if door in ("cli", "watch"):
            ask = getattr(self, f"_{door}")
            self._programs[door, situation.name] = self._workers.submit(
                ask, situation, self.root / folder_of(situation)
            )

    def ask(self, door: str, situation: Any) -> Said:
        """Ask a door about a situation, whose files lie in a folder of its name."""
        if (door, situation.name) in self._programs:
            return self._programs[door, situation.name].result()
        return getattr(self, f"_{door}")(situation, self.root / folder_of(situation))  # type: ignore[no-any-return]

    def _server(self, start: Callable[[], Any], *key: Any) -> Any:
        if key not in self._servers:
            self._servers[key] = self._stack.enter_context(start())
        return self._servers[key]

    # ---- the command line, and watching

    def _cli(self, situation: Any, folder: Path) -> Said:
        command, *words = situation.cli
        limits = [*(["--time-limit", f"{situation.seconds:g}"] if situation.seconds else ())]
        limits += ["--memory-limit", situation.memory] if situation.memory else []
        code, out, err = _program([command, *words, *limits, "--json"], folder, cancelled=situation.cancelled)
        fields = json.loads(out)
        status = fields.get("status") if isinstance(fields, dict) else None
        return Said(verdict_of(code, status), code, out + err)

    def _watch(self, situation: Any, folder: Path) -> Said:
        limits = ["--time-limit", f"{situation.seconds or USUAL:g}"]
        limits += ["--memory-limit", situation.memory] if situation.memory else []
        words = ["watch", "--once", *situation.watch, *limits, "--json"]
        code, out, err = _program(words, folder, cancelled=situation.cancelled)
        fields = json.loads(out)
        results = fields.get("results") or []
        if situation.cli[:1] == ("lint",) or not results:
            return Said(verdict_of(code, fields.get("status")), code, out + err)
        worst = max((result["verdict"] for result in results), key=VERDICTS.index)
        return Said(worst, code, out + err)

    # ---- an editor

    def _lsp(self, situation: Any, folder: Path) -> Said:
        settings: dict[str, Any] = {"seconds": situation.seconds or USUAL}
        if situation.cancelled:
            settings = {"seconds": 3600}
        if situation.memory:
            settings["memory"] = _bytes(situation.memory)
        editor: Editor = self._server(lambda: Editor(self.root, **settings), "lsp", *settings.values())
        command, name, *rest = situation.lsp
        with _opened(editor, situation, folder, name) as uris:
            if command == "lint":
                return self._squiggles(editor, [uris[each] for each in (name, *rest)])
            try:
                number = editor.begin(
                    "workspace/executeCommand", command=f"unpuzzle.{command}", arguments=[uris[name], *rest]
                )
                if situation.cancelled:
                    _cancel_work(editor, number)
                answer = editor.answer(number)
            except Failed as failed:
                return Said("undecided" if situation.cancelled else "refused", None, str(failed))
            return Said(answer["verdict"], None, json.dumps(answer))

    def _squiggles(self, editor: Editor, uris: list[str]) -> Said:
        faults = [fault for uri in uris for fault in editor.faults(uri)]
        rows = [{"severity": {1: "error"}.get(each["severity"]), "code": each["code"]} for each in faults]
        return Said(verdict_of_faults(rows), None, json.dumps(faults))

    # ---- agents

    def _mcp(self, situation: Any, folder: Path) -> Said:
        options = ["--root", str(self.root), *(["--call-memory", situation.memory] if situation.memory else ())]
        ask: Agent = self._server(lambda: agent(*options), "mcp", *options)
        tool, arguments = situation.mcp
        texts = {name: self._argument(value, situation, folder) for name, value in arguments.items()}
        seconds = {} if tool == "lint" else {"seconds": situation.seconds or USUAL}
        if situation.cancelled:
            call = ask.begin(tool, **texts, seconds=60)
            wait_until(lambda: any(map(_works, _servers("mcp"))), "the call has begun")
            call.cancel()
            try:
                answer = call.result()
            except CancelledError:
                return Said("undecided", None, "cancelled")
        else:
            answer = ask(tool, **texts, **seconds)
        return Said(answer["verdict"], None, json.dumps(answer))

    def _argument(self, value: Any, situation: Any, folder: Path) -> Any:
        if not isinstance(value, str) or value[:1] not in ("@", "/"):
            return value
        name = value[1:]
        if value[0] == "/":
            return f"{folder.name}/{name}"
        return situation.typed.get(name) or (folder / name).read_bytes().decode()

    # ---- the studio

    def _studio(self, situation: Any, folder: Path) -> Said:
        limits = situation.seconds or USUAL, _bytes(situation.memory)
        visitor: Visitor = self._server(lambda: _visited(self.root, *limits), "studio", *limits)
        question, name, *rest = situation.studio
        path = f"{folder.name}/{name}"
        unsaved = {f"{folder.name}/{each}": text for each, text in situation.typed.items()}
        text = situation.typed.get(name)
        if text is None:
            opened = visitor.ask("open", path=path)
            if "text" not in opened:
                return Said("refused", None, json.dumps(opened))
            text = opened["text"]
        if question == "lint":
            return _faults(visitor, [f"{folder.name}/{each}" for each in (name, *rest)], unsaved)
        if question == "solve":
            return _judged(visitor, path, text, unsaved, rest[0])
        level, *more = rest
        data = {"path": path, "text": text, "unsaved": unsaved, "level": level}
        if question == "graph":
            answer = visitor.ask("graph", **data)
            return Said(_verdict(answer, "picture"), None, json.dumps(answer))
        puzzle, move = more
        answer = visitor.ask("play", **data, puzzle=puzzle, word=move)
        made = answer.get("moves") == [move]
        return Said(_verdict(answer, "moves") if made or "error" in answer else "no", None, json.dumps(answer))


def folder_of(situation: Any) -> str:
    """Return the name of the folder of a situation."""
    return "".join(letter if letter.isalnum() else "-" for letter in situation.name)


def _bytes(size: str) -> int | None:
    return int(size.removesuffix("M")) << 20 if size else None


def verdict_of_faults(faults: Sequence[Mapping[str, Any]]) -> str:
    """Return what `lint` says of faults: refused where the syntax is wrong, no for other errors."""
    errors = [fault for fault in faults if fault["severity"] == "error"]
    known = codes()
    if any(fault["code"] in known and known[fault["code"]].kind == "syntax" for fault in errors):
        return "refused"
    return "no" if errors else "yes"


def _program(words: list[str], folder: Path, *, cancelled: bool) -> tuple[int, str, str]:
    """Run a command line; one that is to be cancelled gets Ctrl-C while it works."""
    command = [sys.executable, "-m", "unpuzzle", *words]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=folder, **pipes) as process:
        if cancelled:
            wait_until_busy(process, 1.5)
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


# ---- an editor


@contextmanager
def _opened(editor: Editor, situation: Any, folder: Path, name: str) -> Iterator[dict[str, str]]:
    """Open the documents of a situation: the one that is asked about last, and those that are typed or linted."""
    names = dict.fromkeys([*situation.typed, *situation.lsp[2:], name])
    if situation.lsp[0] != "lint":
        names = dict.fromkeys([*situation.typed, name])
    uris = {each: editor.open(folder / each, situation.typed.get(each)) for each in names}
    try:
        yield uris
    finally:
        for uri in uris.values():
            editor.tell("textDocument/didClose", textDocument={"uri": uri})


def _cancel_work(editor: Editor, number: int) -> None:
    """Press the button that ends the work, once it has begun."""
    wait_until(lambda: _works(psutil.Process(editor.process.pid)), "the work has begun")
    created = [note for note in editor.notes if note["method"] == "window/workDoneProgress/create"]
    editor.tell("window/workDoneProgress/cancel", token=created[-1]["params"]["token"])


def _servers(command: str) -> list[psutil.Process]:
    """Return the servers of a kind that this process has started."""
    return [child for child in psutil.Process().children() if command in child.cmdline()]


def _works(process: psutil.Process) -> bool:
    """Return whether a descendant of a process has worked for a second."""
    return any(cpu_seconds(each) > 1 for each in process.children(recursive=True))


# ---- the studio


@contextmanager
def _visited(root: Path, seconds: float, memory: int | None) -> Iterator[Visitor]:
    """Run a studio with a window."""
    with running(root, seconds, memory) as studio:
        visitor = Visitor(studio)
        yield visitor
        visitor.close()


def _looked(visitor: Visitor, path: str, text: str, unsaved: dict[str, str]) -> dict[str, Any]:
    """Return all that the studio tells of a text."""
    visitor.events.clear()
    visitor.revision += 1
    answer = visitor.ask("edit", path=path, text=text, unsaved=unsaved, revision=visitor.revision)
    if answer["code"] != 200:
        return answer

    def is_ours(data: dict[str, Any]) -> bool:
        return bool(data["revision"] == visitor.revision)

    last = visitor.await_event("look", lambda data: is_ours(data) and data["done"])
    told: dict[str, Any] = {}
    for kind, data in list(visitor.events):
        told |= data if kind == "look" and is_ours(data) else {}
    return told | ({"error": last["error"]} if "error" in last else {})


def _faults(visitor: Visitor, paths: list[str], unsaved: dict[str, str]) -> Said:
    """Return the verdict on texts, each with those that belong to it."""
    found: list[dict[str, Any]] = []
    for path in paths:
        text = unsaved[path] if path in unsaved else visitor.ask("open", path=path)["text"]
        found += _looked(visitor, path, text, unsaved)["faults"]
    return Said(verdict_of_faults(found), None, json.dumps(found))


def _judged(visitor: Visitor, path: str, text: str, unsaved: dict[str, str], name: str) -> Said:
    """Return the verdict on a level of a text."""
    told = _looked(visitor, path, text, unsaved)
    level = next((level for level in told.get("levels") or () if level["name"] == name), None)
    if level is None:
        return Said("refused", None, json.dumps(told))
    answer = visitor.answer(level["key"])
    return Said(answer["verdict"], None, json.dumps(answer | {"picture": ""}))


def _verdict(answer: dict[str, Any], wanted: str) -> str:
    """Return the verdict of an answer that should have a field."""
    return "yes" if wanted in answer else str(answer["verdict"])
