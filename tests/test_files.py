"""Files are written whole or not at all, sets of them all or none; modes, links and long names stay as they are."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import run, run_json
from unpuzzle.base import files as saving
from unpuzzle.base.files import Folders, save_all, save_file

posix = pytest.mark.skipif(os.name != "posix", reason="files of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# ---- one file


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666])
def test_it_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("old")
    file.chmod(mode)
    save_file(str(file), "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", mode)
    assert names(tmp_path) == ["x"]


@posix
def test_a_new_one_has_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save_file(str(tmp_path / "x"), b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "x").write_text("old")
    (folder / "x").chmod(0o600)
    for name, target in (("link", "elsewhere/x"), ("dangling", "elsewhere/y"), ("chain", "link")):
        (tmp_path / name).symlink_to(target)
        save_file(str(tmp_path / name), name)
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / target).read_text() == name
    assert stat.S_IMODE((folder / "x").stat().st_mode) == 0o600
    assert names(folder) == ["x", "y"]


@posix
def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    """Also of root, who could."""
    file = tmp_path / "x"
    file.write_text("old")
    file.chmod(0o444)
    with pytest.raises(PermissionError, match="read-only") as raised:
        save_file(str(file), "new")
    assert raised.value.filename == str(file)
    assert (file.read_text(), names(tmp_path)) == ("old", ["x"])


@pytest.mark.parametrize("length", [200, 253, 255])
def test_long_names(length: int, tmp_path: Path) -> None:
    name = "x" * length
    for text in ("old", "new"):
        save_file(str(tmp_path / name), text)
        assert (tmp_path / name).read_text() == text
    assert names(tmp_path) == [name]


def test_errors_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "folder", tmp_path / "no" / "x", tmp_path / "file" / "x", tmp_path / ("x" * 256)):
        with pytest.raises(OSError, match=r"\w") as raised:
            save_file(str(path), "new")
        assert raised.value.filename == str(path)


def test_half_characters_are_written_somehow(tmp_path: Path) -> None:
    save_file(str(tmp_path / "x"), "a\ud800b\udcffc")
    assert (tmp_path / "x").read_bytes().startswith(b"a")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_devices_are_written_as_they_are(tmp_path: Path) -> None:
    save_file("/dev/null", "nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(OSError, match="No space") as raised:
        save_file("/dev/full", "too much")
    assert raised.value.filename == "/dev/full"


@posix
def test_a_pipe_gets_all_of_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (
        open(tmp_path / "read", "wb") as read,
        subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=read) as reader,
    ):
        save_file(str(tmp_path / "pipe"), "x" * 200_000)
        assert reader.wait() == 0
    assert (tmp_path / "read").read_bytes() == b"x" * 200_000


# ---- several


def test_more_than_a_thousand_at_once(tmp_path: Path) -> None:
    save_all({str(tmp_path / f"{number}.txt"): str(number) for number in range(1001)}, new=True)
    assert len(names(tmp_path)) == 1001
    assert (tmp_path / "1000.txt").read_text() == "1000"


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
@pytest.mark.parametrize("failing", [1, 2, 3])
def test_where_a_move_fails_all_is_as_it_was(
    failing: int, links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b").write_text("old")
    (tmp_path / "c").write_text("older")
    real, moves = os.replace, []

    def replace(source: str, target: str) -> None:
        if source.endswith(".part"):
            moves.append(target)
            if len(moves) == failing:
                raise OSError(errno.EIO, "Input/output error")
        real(source, target)

    def no_link(*_: str) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(saving.os, "replace", replace)
    if not links:
        monkeypatch.setattr(saving.os, "link", no_link)
    with pytest.raises(OSError, match="Input/output error") as raised:
        save_all({str(tmp_path / name): "new" for name in "abc"})
    assert raised.value.filename == str(tmp_path / "abc"[failing - 1])
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"b": "old", "c": "older"}


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(saving.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_all({str(tmp_path / name): "new" for name in "ab"})
    assert names(tmp_path) == []


def test_new_files_are_never_written_over_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b").write_text("mine")
    with pytest.raises(FileExistsError) as raised:
        save_all({str(tmp_path / name): "new" for name in "ab"}, new=True)
    assert raised.value.filename == str(tmp_path / "b")
    assert names(tmp_path) == ["b"]
    # one that comes while the others are written
    real = os.path.lexists
    monkeypatch.setattr(saving.os.path, "lexists", lambda path: path != str(tmp_path / "b") and real(path))
    with pytest.raises(FileExistsError):
        save_all({str(tmp_path / name): "new" for name in "ab"}, new=True)
    monkeypatch.undo()
    assert ((tmp_path / "b").read_text(), names(tmp_path)) == ("mine", ["b"])


def test_folders_that_were_made_are_taken_away(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()

    def fail_within() -> None:
        with Folders(str(tmp_path / "a" / "b" / "c")):
            assert (tmp_path / "a" / "b" / "c").is_dir()
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail_within()
    assert names(tmp_path) == ["a"]
    with Folders(str(tmp_path / "a" / "b")), Folders(str(tmp_path / "a" / "b")):
        pass
    assert names(tmp_path) == ["a", "a/b"]


# ---- commands, where the disk is full

WRITERS = {
    "new": "new hex --output {folder}/made/here",
    "new on a grid": "new hex --grid --output {folder}",
    "pddl": "pddl boxup 1 --output {folder}/made/here",
    "generate": "generate boxup --count 1 --workers 1 --output {folder}/made/here",
    "a booklet": "generate sudoku --count 1 --workers 1 --booklet {folder}/x.pdf",
    "a plan": "solve boxup 1 --plan-file {folder}/x",
    "a solution": "solve boxup 1 -o {folder}/x.svg",
    "a page": "play boxup 1 -o {folder}/x.html",
    "a picture": "draw boxup 1 -o {folder}/x.png",
    "a replay": "replay boxup 1 U -o {folder}/x.svg",
    "a table": "compare boxup 1 --algorithms bfs --csv {folder}/x.csv",
    "a plot": "compare boxup 1 --algorithms bfs --plot {folder}/x.svg",
    "a graph": "explore boxup 1 --graph {folder}/x.dot",
    "a picture of states": "explore boxup 1 --picture {folder}/x.svg",
    "a survey": "survey boxup 1 --csv {folder}/x.csv",
}
LIMITED = """
import resource, sys
from unpuzzle.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
sys.exit(main({words}))
"""


@posix
@pytest.mark.parametrize("size", [0, 10])
@pytest.mark.parametrize("what", WRITERS)
def test_on_a_full_disk_nothing_is_left_and_the_file_is_named(what: str, size: int, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    words = WRITERS[what].format(folder=folder).split()
    code = LIMITED.format(size=size, words=words)
    environment = os.environ | {"MPLCONFIGDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode in (2, 1) if what == "a replay" else done.returncode == 2, done.stderr
    assert f"{folder}/" in done.stderr
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert names(folder) == []


# ---- commands, over what is there


def test_pddl_does_not_write_over_the_files_of_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    words = ["--output", str(folder)]
    for level in "12":  # of one game: its domain stays
        assert run(capsys, "pddl", "boxup", level, *words)[0] == 0
    mine = {path.name: path.read_text() for path in folder.iterdir()}
    code, answer = run_json(capsys, "pddl", "pacman", "room", *words)
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["message"] == (
        f"the file {folder}/domain.pddl exists already, with other contents; "
        "nothing was written (--force overwrites it)"
    )
    assert {path.name: path.read_text() for path in folder.iterdir()} == mine
    assert run(capsys, "pddl", "pacman", "room", *words, "--force")[0] == 0
    assert "pacman" in (folder / "domain.pddl").read_text()
    (folder / "domain.pddl").unlink()
    assert run(capsys, "pddl", "pacman", "room", *words)[0] == 2  # a problem of nobody knows which game
