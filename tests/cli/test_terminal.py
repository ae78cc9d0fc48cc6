"""Nothing that a file or a child says reaches the terminal as anything but text; our own colours do."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import TINY_DOMAIN, TINY_PROBLEM, Terminal, run
from support.components import COUNT, COUNT_GAME
from support.fixtures import Capsys, Monkeypatch
from unpuzzle import translators
from unpuzzle.cli import COMMANDS, answer
from unpuzzle.cli.answer import ProgressLine, View

ESCAPES = {
    "clear the screen": "\x1b[2J",
    "move the cursor": "\x1b[1;1H",
    "colours": "\x1b[31m",
    "a title": "\x1b]0;owned\x07",
    "a link": "\x1b]8;;http://example.org\x1b\\",
    "the clipboard": "\x1b]52;c;aGk=\x07",
    "a device's answer": "\x1b[6n",
    "another screen": "\x1b[?1049h",
    "a device string": "\x1bP+q544e\x1b\\",
    "a reset": "\x1bc",
    "C1 CSI": "\x9b2J",
    "C1 OSC": "\x9d0;owned\x9c",
    "C1 next line": "\x85",
    "backspaces": "\b\b\b",
    "over the line": "solved\rfailed",
    "a bell": "\a",
    "shift out": "\x0e",
    "delete": "\x7f",
    "right to left": "\u202egnp.exe",
    "isolates": "\u2066a\u2069",
    "marks": "\u200f\u061c",
    "a line separator": "\u2028",
}
VISIBLE = [text for text in ESCAPES.values() if "\u2028" not in text]
GAMES = Path(translators.__file__).parents[1] / "puzzlescript" / "games"


def assert_plain(text: str) -> None:
    """Nothing but characters, tabs and ends of lines."""
    assert not [char for char in text if char not in "\n\t" and ord(char) in answer.CONTROLS], ascii(text)


@pytest.mark.parametrize("what", ESCAPES)
def test_control_characters_are_written_out(what: str) -> None:
    shown = answer.visible(f"before\t{ESCAPES[what]}\nafter")
    assert_plain(shown)
    assert shown.startswith("before\t")
    assert "\\x" in shown or "\\u" in shown
    assert shown.endswith("\nafter")


def test_other_texts_are_left_alone() -> None:
    for text in ("a\tb\n", "Größe ┌─╴·╶─┐ ☃ 漢字 👩‍🚀", "", "\n"):
        assert answer.visible(text) == text
    assert answer.visible("a\r\nb") == "a\nb"


def test_our_own_colours_are_colours_and_those_of_others_are_not() -> None:
    text = answer.mark_colours("\x1b[31;1mX\x1b[0m\x1b[2J") + "\x1b[31m"
    assert answer.visible(text) == "\x1b[31;1mX\x1b[0m\\x1b[2J\\x1b[31m"


# ---- the commands, each with foreign texts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_words_of_the_command_line_are_text(command: str, folder: Path, capsys: Capsys) -> None:
    every = "".join(ESCAPES.values())
    for words in ([every], [every] * 2, [every] * 4, ["boxup", every], ["boxup", "1", every], [f"--{every}"]):
        if command == "play" and words[:1] == ["boxup"]:
            words = [*words, "-o", "x.html"]
        _, out, err = run(capsys, command, *words)
        assert_plain(out + err)
    assert_plain("".join(run(capsys, every)[1:]))


def pddl(folder: Path, escape: str) -> list[list[str]]:
    (folder / "d.pddl").write_text(TINY_DOMAIN.replace("(here) :effect", f"(here{escape}) :effect"))
    (folder / "e.pddl").write_text(f"; {escape}\n{TINY_DOMAIN}")
    (folder / "p.pddl").write_text(TINY_PROBLEM)
    (folder / "plan").write_text(f"(go{escape})\n")
    return [
        ["plan", "d.pddl", "p.pddl"],
        ["lint", "d.pddl", "p.pddl"],
        ["validate", "e.pddl", "p.pddl", "plan"],
        ["diff", "d.pddl", "p.pddl", "e.pddl", "p.pddl"],
        ["check", "d.pddl", "--game", "boxup"],
        ["check", "boxup", "1", "--domain", "d.pddl"],
    ]


def a_planners_log(folder: Path, escape: str) -> list[list[str]]:
    (folder / "e.pddl").write_text(TINY_DOMAIN)
    (folder / "p.pddl").write_text(TINY_PROBLEM)
    (folder / "planner.py").write_text(f"import sys\nsys.stdout.buffer.write({escape.encode()!r})\nsys.exit(7)\n")
    return [
        [
            "plan",
            "e.pddl",
            "p.pddl",
            "--planner",
            f"command:{sys.executable} {folder}/planner.py {{domain}} {{problem}} {{plan}}",
        ]
    ]


def a_script(folder: Path, escape: str) -> list[list[str]]:
    text = (GAMES / "storeroom.txt").read_text()
    title = next(line for line in text.splitlines() if line.lower().startswith("title"))
    (folder / "titled.txt").write_text(text.replace(title, f"title Mine{escape}"))
    message = next(line for line in text.splitlines() if line.lower().startswith("message"))
    (folder / "told.txt").write_text(text.replace(message, f"message Mind{escape} this"))
    (folder / "wrong.txt").write_text(text.replace("Player | Crate", f"Player | Crat{escape}"))
    return [
        *[[command, name, "1"] for name in ("titled.txt", "told.txt") for command in ("solve", "draw", "survey")],
        ["trace", "titled.txt", "1", "ul"],
        ["solve", "told.txt", f"Mind{escape}"],
        ["lint", "wrong.txt"],
        ["lint", "told.txt"],
        ["play", "titled.txt", "1"],
        ["solve", "wrong.txt", "1"],
    ]


def a_puzzle(folder: Path, escape: str) -> list[list[str]]:
    main = run_quietly(["new", "hop", "--output", str(folder)])
    assert main == 0
    text = (folder / "hop.py").read_text()
    title = text.split("title = ")[1].splitlines()[0]
    (folder / "titled.py").write_text(text.replace(f"title = {title}", f"title = {'Mine' + escape!r}"))
    (folder / "titled.pddl").write_text((folder / "hop.pddl").read_text())
    (folder / "drawn.py").write_text(text + f"\n    def draw(self):\n        return {'x' + escape + chr(10)!r}\n")
    (folder / "drawn.pddl").write_text((folder / "hop.pddl").read_text())
    (folder / "broken.py").write_text(text + f"\n    def moves(self):\n        raise ValueError({'no' + escape!r})\n")
    (folder / "broken.pddl").write_text((folder / "hop.pddl").read_text())
    return [
        ["play", "./titled.py", "1"],
        ["draw", "./drawn.py", "1"],
        ["solve", "./drawn.py", "1", "--draw"],
        ["explore", "./drawn.py", "1"],
        ["solve", "./broken.py", "1"],
        ["replay", "./broken.py", "1", "R"],
    ]


def code_of_others(folder: Path, escape: str) -> list[list[str]]:
    (folder / "count.py").write_text(COUNT_GAME)
    (folder / "theirs.py").write_text(COUNT + f"\n\ndef is_goal(*_):\n    raise ValueError({'no' + escape!r})\n")
    return [["check", "theirs.py", "--game", "./count.py"]]


def names_of_files(folder: Path, escape: str) -> list[list[str]]:
    name = escape.replace("/", "")
    (folder / f"{name}.xsb").write_text("#####\n#@$.#\n#####\n")
    return [
        ["solve", "sokoban", f"{name}.xsb"],
        ["survey", "sokoban", f"{name}.xsb", "--csv"],
        ["draw", "sokoban", f"{name}.xsb", "-o", f"{name}.svg"],
        ["pddl", "sokoban", f"{name}.xsb", "--output", f"{name}-out"],
        ["plan", f"{name}.pddl", f"{name}.pddl"],
        ["new", "hex", "--output", name],
    ]


def run_quietly(words: list[str]) -> int:
    from unpuzzle.cli import main

    return main([*words, "--quiet"])


SOURCES = [pddl, a_planners_log, a_script, a_puzzle, names_of_files]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("what", ["all", "colours", "C1 CSI", "right to left"])
def test_texts_of_files_and_children_are_text(
    what: str, source: Callable[[Path, str], list[list[str]]], folder: Path, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    escape = ESCAPES.get(what) or "".join(text for text in ESCAPES.values() if text not in ("\x85", "\u2028"))
    escape = escape.replace("\r", "\v") if source is a_script else escape  # there an end of line
    lines = source(folder, escape)
    capsys.readouterr()
    seen = False
    for words in lines:
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        code, out, err = run(capsys, *words)
        assert_plain(out + err)
        assert code in (0, 1, 2, 3, 4), err
        assert "bug in unpuzzle" not in err
        seen = seen or any(mark in out + err for mark in ("\\x1b", "\\x9b", "\\u202e"))
    assert seen, "nothing of it was shown at all"


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is one of Linux")
def test_what_tested_code_says_is_text(folder: Path, capsys: Capsys) -> None:
    for words in code_of_others(folder, "".join(VISIBLE)):
        code, out, err = run(capsys, *words)
        assert_plain(out + err)
        assert code == 1
        assert "\\x1b" in out


# ---- where there is a terminal


def test_pictures_keep_their_colours(folder: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    from unpuzzle.cli import main

    for words in (["draw", "boxup", "1"], ["play", "boxup", "1"], ["replay", "boxup", "1", "U", "--draw"]):
        main(words)
        out = sys.stdout.getvalue()  # type: ignore[attr-defined]
        assert "\x1b[" in out
        assert "\\x1b" not in out
        assert answer._MARK not in out
        monkeypatch.setattr("sys.stdout", Terminal())
    (words,) = [words for words in a_puzzle(folder, "\x1b[2J\x9b2J") if words[0] == "play"]
    main(words)
    out = sys.stdout.getvalue()  # type: ignore[attr-defined]
    assert "Mine\\x1b[2J\\x9b2J" in out


def test_the_line_of_progress_is_one_line_of_text(monkeypatch: Monkeypatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    with ProgressLine(View()) as show:
        assert show is not None
        show("level \x1b[2J\nx: 3 states")
    told = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert told == "\r\x1b[Klevel \\x1b[2J x: 3 states\r\x1b[K"


def test_the_mark_of_our_colours_is_drawn_anew() -> None:
    from subprocess import run as start

    code = "from unpuzzle.cli.answer import _MARK; print(repr(_MARK))"
    marks = {
        start([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}).stdout
        for _ in "12"
    }
    assert len(marks) == 2
