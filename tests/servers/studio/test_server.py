"""Who is answered, what is written, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from support.command_line import run
from support.hiding import hide
from support.studio import Visitor, processes_of, running
from support.waiting import PATIENCE, wait_until
from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.servers.studio.folder import ConflictError, Folder
from unpuzzle.servers.studio.server import Studio


def test_nothing_is_answered_without_the_token(studio: Any) -> None:
    host = f"http://127.0.0.1:{studio.port}"
    wrong = "x" * len(studio.token)
    for path in ("/", "/files", "/ace/ace.js", "/events", f"/{wrong}/", f"/{studio.token[:-1]}/", f"/{studio.token}"):
        assert httpx.get(host + path).status_code == 404
        assert httpx.post(host + path, json={}).status_code == 404
    assert httpx.get(studio.address).status_code == 200


def test_other_hosts_and_pages_are_refused(studio: Any) -> None:
    def status(**headers: str) -> int:
        return httpx.post(studio.address + "files", json={}, headers=headers).status_code

    assert status() == 200
    assert status(host="evil.example") == 421
    assert status(host=f"evil.example:{studio.port}") == 421
    assert status(origin="http://evil.example") == 403
    assert status(origin="null") == 403
    assert status(**{"sec-fetch-site": "cross-site"}) == 403
    assert status(origin=f"http://127.0.0.1:{studio.port}") == 200
    assert (
        httpx.post(studio.address + "files", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    )
    assert httpx.put(studio.address + "files", json={}).status_code == 405


def test_every_answer_forbids_other_hosts(studio: Any) -> None:
    for path in ("", "studio.js", "ace/ace.js", "nothing"):
        policy = httpx.get(studio.address + path).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "http" not in policy
        assert "unsafe" not in policy


def test_it_listens_on_the_loopback_address_only(studio: Any) -> None:
    own = psutil.Process().net_connections(kind="tcp")
    assert {one.laddr.ip for one in own if one.status == "LISTEN" and one.laddr.port == studio.port} == {"127.0.0.1"}
    for pid in processes_of(studio):
        assert not [one for one in psutil.Process(pid).net_connections() if one.status == "LISTEN"]


def test_the_editor_comes_from_its_wheel_with_its_licence(studio: Any) -> None:
    assert "Copyright" in httpx.get(studio.address + "ace/LICENCE").text
    assert len(httpx.get(studio.address + "ace/ace.js").content) > 100_000
    for path in ("ace/../widget.js", "ace/%2e%2e/widget.js", "ace/..%2f..%2f..%2fwidgets.py", "studio.html.py", "../x"):
        assert httpx.get(studio.address + path).status_code == 404
    code = (
        "import sys; from unpuzzle.servers.studio.requests import editor_folder; editor_folder(); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"django", "django_ace"} & set(loaded)


@pytest.mark.parametrize(
    "name",
    [
        "../out.txt",
        "/etc/passwd",
        "a/../../out.txt",
        "",
        ".",
        "a//b.txt",
        "link/out.txt",
        "out-link.txt",
        "a\\b.txt",
        "a\0.txt",
    ],
)
def test_no_path_leads_outside(visitor: Visitor, folder: Path, name: str, tmp_path: Path) -> None:
    if not (folder / "link").is_symlink():
        (folder / "link").symlink_to(tmp_path)
        (folder / "out-link.txt").symlink_to(tmp_path / "out.txt")
    for act in ("open", "save", "new", "edit", "play", "export", "like"):
        answer = visitor.ask(act, path=name, text="x", level="1", kind=".svg", base=None)
        assert answer["code"] == 400, act
    assert list(tmp_path.iterdir()) == []
    assert not {"link/out.txt", "out-link.txt"} & set(visitor.ask("files")["files"])


@pytest.mark.parametrize("data", [{}, [], {"path": 7}, {"path": "levels.sok"}, {"path": "levels.sok", "text": None}])
def test_odd_requests_are_refused_in_words(visitor: Visitor, data: Any) -> None:
    for act in ("edit", "play", "save", "export"):
        answer = visitor.http.post(act, json=data)
        assert answer.status_code == 400
        assert answer.json()["error"]
    for act in ("play", "graph", "plan"):
        answer = visitor.ask(act, path="levels.sok", text="#####\n#@$.#\n#####\n", level="9")
        assert answer["error"] == "there is no level 9"


BEGINNING = {"path": "levels.sok", "text": "#####\n#@$.#\n#####\n", "window": "w1", "level": "1", "kind": ".svg"}


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("puzzle", ["1", "[]", '{"a": 1}', "true", r'"\\ud800"', "NaN"]),
        ("level", ["5", r'"\\udc00"']),
        ("moves", ['"R"', "3", "[[1]]", "[null]", "1e400"]),
        ("unsaved", ["[]", '"x"', '{"a.pddl": 1}']),
        ("cost", ["true", '"1"', "1.5", f"1{'0' * 400}"]),
        ("seed", ["[]", "-1e400"]),
        ("text", ["7", r'"\\ud800"', "[" * 3000 + "]" * 3000]),
    ],
)
def test_fields_of_another_type_are_refused_in_words(visitor: Visitor, field: str, values: list[str]) -> None:
    """They were answered with the status 500, and a traceback on the terminal."""
    for act in ("edit", "like", "play", "graph", "export"):
        for value in values:
            text = json.dumps({**BEGINNING, field: "HERE"}).replace('"HERE"', value.replace("\\\\", "\\"))
            answer = visitor.http.post(act, content=text, headers={"content-type": "application/json"})
            assert (answer.status_code, bool(answer.json()["error"])) == (400, True), (act, value[:40])


# ---- files


def test_a_file_is_saved_and_conflicts_are_told(visitor: Visitor, folder: Path) -> None:
    made = visitor.ask("new", path="mine.sok", text="#####\n#@$.#\n#####\n")
    assert visitor.ask("new", path="mine.sok", text="x")["code"] == 409
    saved = visitor.ask("save", path="mine.sok", text="; A\n", base=made["version"])
    assert (folder / "mine.sok").read_text() == "; A\n"
    (folder / "mine.sok").write_text("; B\n")
    refused = visitor.ask("save", path="mine.sok", text="; C\n", base=saved["version"])
    assert (refused["code"], refused["file"]["text"]) == (409, "; B\n")
    assert (folder / "mine.sok").read_text() == "; B\n"
    (folder / "mine.sok").unlink()
    refused = visitor.ask("save", path="mine.sok", text="; C\n", base=refused["file"]["version"])
    assert (refused["code"], refused["file"]) == (409, None)
    assert visitor.ask("save", path="mine.sok", text="; C\n", base=None)["code"] == 200
    assert (folder / "mine.sok").read_text() == "; C\n"


def test_windows_are_told_of_files_that_others_change(visitor: Visitor, folder: Path) -> None:
    visitor.events.clear()
    (folder / "watched.sok").write_text("; A\n")
    event = visitor.await_event("files", lambda data: data["changed"].get("watched.sok"))
    assert "watched.sok" in event["files"]
    assert event["changed"]["watched.sok"] == visitor.ask("open", path="watched.sok")["version"]
    (folder / "watched.sok").unlink()
    visitor.await_event("files", lambda data: data["changed"].get("watched.sok", "") is None)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files are texts")
def test_a_file_whose_name_is_no_text_hides_no_others(visitor: Visitor, folder: Path) -> None:
    """The list of files was an error with a traceback, and at a change of such a file the studio ended."""
    strange = os.fsencode(folder) + b"/\xff.sok"
    with open(strange, "w") as file:
        file.write("; A\n")
    visitor.events.clear()
    time.sleep(1)
    (folder / "seen.sok").write_text("; A\n")
    visitor.await_event("files", lambda data: data["changed"].get("seen.sok"))
    answer = visitor.ask("files")
    assert answer["code"] == 200
    assert "seen.sok" in answer["files"]
    assert not [name for name in answer["files"] if "\ufffd" in name or not name.isprintable()]
    os.unlink(strange)
    (folder / "seen.sok").unlink()


@pytest.mark.parametrize("data", [b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", b"a\nb", b"", b"\xef\xbb\xbfa\r\nb"])
def test_a_file_is_saved_as_it_was(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    folder = Folder(str(tmp_path))
    file = folder.read("a.txt")
    assert "\r" not in file.text
    folder.write("a.txt", file.text, file.version)
    assert (tmp_path / "a.txt").read_bytes() == data


@pytest.mark.parametrize("data", [b"caf\xe9\n", b"a\r\nb\n", b"a\rb\n"])
def test_what_could_not_be_saved_as_it_was_is_only_shown(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    folder = Folder(str(tmp_path))
    file = folder.read("a.txt")
    assert file.locked
    with pytest.raises(UsageError):
        folder.write("a.txt", "x", file.version)
    with pytest.raises(ConflictError):
        folder.write("a.txt", "x", None)
    assert (tmp_path / "a.txt").read_bytes() == data


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\0\1")
    with pytest.raises(UsageError, match="not a text"):
        Folder(str(tmp_path)).read("a.txt")


# ---- the command


def start(folder: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "unpuzzle", "studio", str(folder), "--no-browser", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stream = process.stderr if "--json" in words else process.stdout
    assert stream is not None
    return process, stream.readline().strip()


@pytest.mark.parametrize(("how", "code"), [("stop", 0), ("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_no_process_is_left_however_it_ends(tmp_path: Path, how: str, code: int) -> None:
    process, address = start(tmp_path)
    wait_until(lambda: psutil.Process(process.pid).children(), "it has processes")
    children = psutil.Process(process.pid).children(recursive=True)
    if how == "stop":
        assert httpx.post(address + "stop", json={}, timeout=PATIENCE).status_code == 200
    else:
        process.send_signal(getattr(signal, how))
    process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    wait_until(lambda: not any(child.is_running() for child in children), "all of them have ended")


def test_it_tells_as_json_that_it_was_ended(tmp_path: Path) -> None:
    process, address = start(tmp_path, "--json")
    httpx.post(address + "stop", json={}, timeout=PATIENCE)
    output, _ = process.communicate(timeout=PATIENCE)
    data = json.loads(output)
    assert data == {
        "schema": "unpuzzle/studio/1",
        "status": "stopped",
        "folder": os.path.realpath(tmp_path),
        "file": None,
    }


def test_a_wrong_place_and_a_taken_port_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jpg").write_bytes(b"x")
    for place in (tmp_path / "none.txt", tmp_path / "a.jpg"):
        code, _, complaint = run(capsys, "studio", str(place), "--no-browser")
        assert code == 2
        assert place.name in complaint
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, _, complaint = run(capsys, "studio", str(tmp_path), "--no-browser", "--port", port)
        assert code == 2
        assert port in complaint


def test_a_missing_extra_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "uvicorn")
    with pytest.raises(DependencyMissing, match=r"unpuzzle\[studio\]"):
        Studio(str(tmp_path))


def test_two_studios_of_one_folder_go_together(tmp_path: Path) -> None:
    with running(tmp_path) as one, running(tmp_path) as other:
        assert one.address != other.address
        assert Visitor(one).ask("new", path="a.sok", text="; A\n")["code"] == 200
        assert Visitor(other).ask("open", path="a.sok")["text"] == "; A\n"
