"""`unpuzzle lsp`, spoken with as an editor does: messages, faults while one types, work, and the end of it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psutil
import pytest

from support.editor import Editor, Failed
from support.modules import ROOT
from support.waiting import PATIENCE, wait_until

DOMAIN = """\
;; 𝛼 crossing
(define (domain river)
  (:requirements :strips :typing)
  (:types side thing)
  (:predicates
    (farmer-at ?s - side)
    ; where a thing is
    (at ?t - thing ?s - side)) ; 𝛼𝛼
  (:action cross-with
    :parameters (?t - thing ?from ?to - side)
    :precondition (and (farmer-at ?from) (at ?t ?from))
    :effect (and (not (farmer-at ?from)) (farmer-at ?to) (not (at ?t ?from)) (at ?t ?to))))
"""
PROBLEM = """\
(define (problem crossing)
  (:domain river)
  (:objects left right - side goat - thing)
  (:init (farmer-at left) (at goat left))
  (:goal (at goat right)))
"""
GAMES = ROOT / "puzzlescript" / "games"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p01.pddl").write_text(PROBLEM)
    (tmp_path / "p01.plan").write_text("(cross-with goat left right)\n")
    return tmp_path


def test_faults_come_at_every_change_and_go(folder: Path) -> None:
    with Editor(folder) as editor:
        assert editor.server["capabilities"]["positionEncoding"] == "utf-16"
        uri = editor.open(folder / "p01.pddl")
        assert editor.faults(uri, set()) == []
        line = PROBLEM.split("\n")[3]
        place = {"line": 3, "character": line.index("goat")}
        editor.change(
            uri, {"range": {"start": place, "end": place | {"character": place["character"] + 4}}, "text": "goad"}
        )
        [fault] = editor.faults(uri, {"unknown-object"})
        assert fault["range"]["start"] == place
        assert (fault["severity"], fault["source"]) == (1, "unpuzzle")
        [action] = editor.ask(
            "textDocument/codeAction", textDocument={"uri": uri}, range=fault["range"], context={"diagnostics": [fault]}
        )
        assert action["kind"] == "quickfix", "all that can be mended is mended only where that is asked for"
        [[edit]] = action["edit"]["changes"].values()
        editor.change(uri, {"range": edit["range"], "text": edit["newText"]})
        assert editor.faults(uri, set()) == []
        editor.tell("textDocument/didClose", textDocument={"uri": uri})
        wait_until(lambda: editor.diagnostics[uri].get("version") is None, "its squiggles went")
    assert editor.process.returncode == 0
    assert not editor.broken


def test_columns_are_utf_16(folder: Path) -> None:
    text = DOMAIN.replace("(farmer-at ?from) (at", "(farmer𝛼-at ?from) (att", 1)
    line = next(line for line in text.split("\n") if "att" in line)
    with Editor(folder) as editor:
        uri = editor.open(folder / "domain.pddl", text)
        faults = editor.faults(uri)
        [after] = [fault for fault in faults if "'att'" in fault["message"]]
        assert after["range"]["start"]["character"] == line.index("att") + 1, "𝛼 counts as two"
        assert after["range"]["end"]["character"] == line.index("att") + 4
        hover = editor.ask("textDocument/hover", **editor.at(uri, text, "(at ?t", 1))
        assert "(at ?t - thing ?s - side)" in hover["contents"]["value"]
        start = {"line": text[: text.index("(att")].count("\n"), "character": line.index("(att") + 2}
        end = start | {"character": start["character"] + 3}
        editor.change(uri, {"range": {"start": start, "end": end}, "text": "at"})
        assert "'att'" not in str(editor.faults(uri))


def test_what_grounding_tells_comes_after_a_pause(folder: Path) -> None:
    with Editor(folder) as editor:
        domain = editor.open(folder / "domain.pddl")
        problem = editor.open(
            folder / "p01.pddl",
            PROBLEM.replace("(at goat right)))", "(at goat nowhere)))")
            .replace("left right", "left right nowhere")
            .replace("(farmer-at left)", ""),
        )
        editor.faults(problem, {"unreachable-goal", "unused-object"})
        editor.faults(domain, {"unreachable-action"})


def test_names_are_found_in_both_files_and_changed(folder: Path) -> None:
    with Editor(folder) as editor:
        uri = editor.open(folder / "domain.pddl")
        place = editor.at(uri, DOMAIN, "farmer-at", 2)
        definition = editor.ask("textDocument/definition", **place)
        assert [each["range"]["start"]["line"] for each in definition] == [5]
        found = editor.ask("textDocument/references", **place, context={"includeDeclaration": True})
        assert sorted({each["uri"] for each in found}) == [uri, (folder / "p01.pddl").as_uri()]
        assert len(found) == 5
        edits = editor.ask("textDocument/rename", **place, newName="boat-at")["changes"]
        assert sum(map(len, edits.values())) == 5
        with pytest.raises(Failed, match="the name at is already used by a predicate"):
            editor.ask("textDocument/rename", **place, newName="at")
        with pytest.raises(Failed, match="not a name"):
            editor.ask("textDocument/rename", **place, newName="two words")
        symbols = editor.ask("workspace/symbol", query="cross")
        assert {each["name"] for each in symbols} == {"cross-with", "crossing"}


def test_a_document_has_an_outline_colours_folds_and_a_layout(folder: Path) -> None:
    with Editor(folder) as editor:
        crooked = DOMAIN.replace("    (farmer-at ?s - side)", " (farmer-at   ?s - side)")
        uri = editor.open(folder / "domain.pddl", crooked)
        document = {"textDocument": {"uri": uri}}
        [entry] = editor.ask("textDocument/documentSymbol", **document)
        assert entry["name"] == "river"
        assert [each["name"] for each in entry["children"]][-2:] == [":predicates", "cross-with"]
        assert editor.ask("textDocument/foldingRange", **document)
        data = editor.ask("textDocument/semanticTokens/full", **document)["data"]
        assert len(data) % 5 == 0
        assert data[:5] == [0, 0, len(";; 𝛼 crossing") + 1, 9, 0]
        options = {"tabSize": 2, "insertSpaces": True}
        [edit] = editor.ask("textDocument/formatting", **document, options=options)
        editor.change(uri, {"range": edit["range"], "text": edit["newText"]})
        assert editor.ask("textDocument/formatting", **document, options=options) == []
        editor.change(uri, {"text": "(define (domain"})
        assert editor.ask("textDocument/formatting", **document, options=options) is None


def test_completion_survives_broken_text(folder: Path) -> None:
    with Editor(folder) as editor:
        editor.open(folder / "domain.pddl")
        text = PROBLEM[: PROBLEM.index("(:init")] + "(:init (farmer-at \n  (:goal (and (a"
        uri = editor.open(folder / "p01.pddl", text)
        side = editor.ask("textDocument/completion", **editor.at(uri, text, "(farmer-at ", 11))["items"]
        assert [each["label"] for each in side] == ["left", "right"]
        heads = editor.ask("textDocument/completion", **editor.at(uri, text, "(and (a", 7))["items"]
        assert {"at", "farmer-at", "and"} <= {each["label"] for each in heads}


def command(name: str, *arguments: str) -> dict[str, Any]:
    return {"command": f"unpuzzle.{name}", "arguments": list(arguments)}


def test_lenses_start_work_whose_result_is_a_document(folder: Path) -> None:
    with Editor(folder) as editor:
        uri = editor.open(folder / "p01.pddl")
        lenses = editor.ask("textDocument/codeLens", textDocument={"uri": uri})
        assert [lens["command"]["title"] for lens in lenses] == ["solve", "explain", "explore"]
        (folder / "domain.py").write_text("")
        domain = editor.open(folder / "domain.pddl")
        [own] = editor.ask("textDocument/codeLens", textDocument={"uri": domain})
        assert own["command"]["title"] == "check"
        for lens in lenses:
            result = editor.ask(
                "workspace/executeCommand", command=lens["command"]["command"], arguments=lens["command"]["arguments"]
            )
            assert result["code"] == 0
            path = Path(unquote(result["uri"].removeprefix("file://")))
            assert path.read_text() == result["text"]
            assert "(cross-with goat left right)" in result["text"] or "states" in result["text"]
        plan = editor.open(folder / "p01.plan")
        assert editor.ask("workspace/executeCommand", **command("validate", plan))["code"] == 0
        editor.change(plan, {"text": "(cross-with goat right left)\n"})
        assert editor.ask("workspace/executeCommand", **command("validate", plan))["code"] == 1
        shown = [note["params"]["uri"] for note in editor.notes if note["method"] == "window/showDocument"]
        assert result["uri"] in shown
        for wrong in (command("solve"), command("solve", "file:///nowhere.pddl"), command("validate", uri)):
            with pytest.raises(Failed):
                editor.ask("workspace/executeCommand", **wrong)
    assert not path.exists(), "results live as long as the session"


def hard(folder: Path) -> Path:
    """Write a task that nobody solves soon, and return its problem."""
    shutil.copy(ROOT / "translators" / "hanoi.pddl", folder / "domain.pddl")
    from unpuzzle import find
    from unpuzzle.pddl import write

    game = find("hanoi")
    discs = " ".join(str(size) for size in range(24, 0, -1))
    domain, problem = write(game.parse(f"A: {discs}\nB:\nC:\n").task())
    (folder / "domain.pddl").write_text(domain)
    (folder / "p01.pddl").write_text(problem)
    return folder / "p01.pddl"


def children(editor: Editor) -> list[psutil.Process]:
    return psutil.Process(editor.process.pid).children(recursive=True)


@pytest.mark.parametrize("how", ["the button", "the request", "the end of the session", "the end of the input"])
def test_work_is_cancelled_and_nothing_is_left(how: str, tmp_path: Path) -> None:
    with Editor(tmp_path, seconds=3600) as editor:
        uri = editor.open(hard(tmp_path))
        number = editor.begin("workspace/executeCommand", **command("explore", uri))
        wait_until(lambda: len(children(editor)) >= 2, "the work began")
        started = children(editor)
        if how == "the button":
            token = next(n["params"]["token"] for n in editor.notes if n["method"] == "window/workDoneProgress/create")
            editor.tell("window/workDoneProgress/cancel", token=token)
            assert "was cancelled" in editor.answer(number)["text"]
        elif how == "the request":
            editor.tell("$/cancelRequest", id=number)
            with pytest.raises(Failed):
                editor.answer(number)
        elif how == "the end of the input":
            assert editor.process.stdin
            editor.process.stdin.close()
            editor.process.wait(300)
        elif how == "the end of the session":
            editor.end()
        wait_until(lambda: not any(each.is_running() for each in started), "all processes ended")


def test_limits_hold_for_work(tmp_path: Path) -> None:
    with Editor(tmp_path, seconds=1) as editor:
        uri = editor.open(hard(tmp_path))
        result = editor.ask("workspace/executeCommand", **command("explore", uri))
        assert result["code"] in (3, None)
        assert "limit" in result["text"]


def test_a_game_has_faults_an_outline_pictures_and_lengths_of_levels(tmp_path: Path) -> None:
    path = tmp_path / "storeroom.txt"
    text = (GAMES / "storeroom.txt").read_text()
    with Editor(tmp_path, levelSeconds=60) as editor:
        uri = editor.open(path, text)
        document = {"textDocument": {"uri": uri}}
        assert editor.faults(uri) == []
        sections = [each["name"] for each in editor.ask("textDocument/documentSymbol", **document)]
        assert {"OBJECTS", "LEGEND", "RULES", "LEVELS"} <= set(sections)
        hover = editor.ask("textDocument/hover", **editor.at(uri, text, "| Crate", 2))["contents"]["value"]
        assert "data:image/svg+xml;base64," in hover
        rule = editor.ask("textDocument/hover", **editor.at(uri, text, "->"))["contents"]["value"]
        assert "4 rules" in rule

        def known() -> bool:
            lenses = editor.ask("textDocument/codeLens", **document)
            titles = [lens["command"]["title"] for lens in lenses if lens["command"]["title"].startswith("solve")]
            return bool(titles) and all("moves" in title for title in titles)

        wait_until(known, "the least numbers of moves are known")
        assert any(note["method"] == "workspace/codeLens/refresh" for note in editor.notes)
        [first, *_] = editor.ask("textDocument/codeLens", **document)
        solved = editor.ask("workspace/executeCommand", **command("solve", *first["command"]["arguments"]))
        assert solved["code"] == 0
        editor.change(uri, {"text": text.replace("Crate", "Craet", 1)})
        assert editor.faults(uri)


def test_other_texts_are_left_alone(tmp_path: Path) -> None:
    with Editor(tmp_path) as editor:
        uri = editor.open(tmp_path / "notes.txt", "(define nothing)\n\nBuy milk.\n")
        assert editor.faults(uri) == []
        editor.change(uri, {"text": "Read (a book"})
        assert editor.faults(uri) == []
        assert editor.ask("textDocument/codeLens", textDocument={"uri": uri}) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 143), ("SIGINT", 130)])
def test_a_signal_ends_a_server_whose_editor_waits(name: str, code: int) -> None:
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
    command = [sys.executable, "-m", "unpuzzle", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(hello), hello))
        server.stdin.flush()
        assert server.stdout.readline().startswith(b"Content-Length")
        server.send_signal(getattr(signal, name))
        assert server.wait(PATIENCE) == code
