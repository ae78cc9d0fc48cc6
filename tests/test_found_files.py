"""Links and pipes of every kind in folders that commands look through: nothing outside is read, written, waited for."""

import os
import socket
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from unpuzzle.base.files import DEEPEST, FileLeftOut, found_files, is_found, require_places
from unpuzzle.cli import main
from unpuzzle.experiments.runs import ExperimentRun, RunsFile, line_of
from unpuzzle.experiments.subjects import tasks_in

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")

SECRET = "hush-hush"
DOMAIN = (
    "(define (domain  road) (:predicates (at ?x)) (:action go :parameters (?x) :precondition (at ?x) :effect (at ?x)))"
)
PROBLEM = "(define (problem  p) (:domain road) (:objects a) (:init (at a)) (:goal (at a)))"
GAME = "title {}\nOBJECTS\nCOLLISIONLAYERS\nRULES\n"
SECONDS = 100


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A folder with two good files, and what is none of it; beside it what nobody named."""
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    (outside / "deep").mkdir(parents=True)
    folder.mkdir()
    for place in (outside, outside / "deep"):
        (place / "domain.pddl").write_text(DOMAIN.replace("(at", f"({SECRET}"))
        (place / "p9.pddl").write_text(PROBLEM.replace("(at", f"({SECRET}"))
        (place / "game.txt").write_text(GAME.format(SECRET))
        (place / "puzzle.py").write_text(f"raise SystemExit({SECRET!r})")
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "p1.pddl").write_text(PROBLEM)
    (folder / "p2.pddl").symlink_to("p1.pddl")  # a link that stays inside counts
    _set_traps(folder, outside)
    return folder


def _set_traps(folder: Path, outside: Path) -> None:
    links = {
        "p3.pddl": outside / "p9.pddl",
        "p4.pddl": Path("../outside/domain.pddl"),
        "p5.pddl": Path("p3.pddl"),  # a link to a link
        "p6.pddl": Path("nowhere.pddl"),
        "p7.pddl": Path("pipe.pddl"),
        "p8.pddl": Path("/dev/zero"),
        "game.txt": outside / "game.txt",
        "puzzle.py": outside / "puzzle.py",
        "inner": outside,
        "instances": outside / "deep",
        "loop": Path("."),
        "folder.pddl": outside,
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    for name in ("pipe.pddl", "pipe.txt", "pipe.py", "pipe.plan"):
        os.mkfifo(folder / name)
    here = Path.cwd()
    os.chdir(folder)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as heard:
        heard.bind("socket.pddl")
    os.chdir(here)


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _python(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a process that is ended if it waits for a pipe."""
    words = [sys.executable, "-W", "ignore", "-c", program]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)


def test_the_door(traps: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        paths = list(found_files(str(traps), (".pddl", ".txt", ".py"), enters=bool))
    assert [os.path.basename(path) for path in paths] == ["domain.pddl", "p1.pddl", "p2.pddl"]
    assert all((warning.category, warning.lineno) == (FileLeftOut, 0) for warning in caught)
    said = {os.path.basename(warning.filename): str(warning.message).partition(":")[0] for warning in caught}
    out, pipe = "a link leads out of the folder", "this is a pipe or a device, not a file"
    assert said == {
        **dict.fromkeys(("p3.pddl", "p4.pddl", "p5.pddl", "p8.pddl", "game.txt", "puzzle.py"), out),
        **dict.fromkeys(("p7.pddl", "pipe.pddl", "pipe.txt", "pipe.py", "socket.pddl"), pipe),
        "p6.pddl": "this link leads nowhere",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(found_files(str(traps), ".pddl", quiet=True)) == [*paths]
    assert is_found(str(traps / "p2.pddl"), str(traps))
    assert not is_found(str(traps / "missing"), str(traps))
    require_places([str(traps / "new")], str(traps))
    for name in ("p3.pddl", "p7.pddl", "p8.pddl", "inner/new", "inner"):
        with pytest.raises(OSError, match="so nothing is written to this path"):
            require_places([str(traps / name)], str(traps))


def test_folders_below_have_the_same_root(tmp_path: Path) -> None:
    (tmp_path / "all" / "a").mkdir(parents=True)
    (tmp_path / "all" / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "all" / "a" / "domain.pddl").symlink_to("../domain.pddl")
    root = str(tmp_path / "all")
    assert len(list(found_files(root, ".pddl", enters=bool))) == 2
    assert list(found_files(os.path.join(root, "a"), ".pddl", quiet=True)) == []
    assert len(list(found_files(os.path.join(root, "a"), ".pddl", root=root))) == 1


@pytest.mark.parametrize(("folder", "code"), [(".venv", 0), ("node_modules", 0), ("build", 2)])
def test_lint_leaves_out_hidden_folders_and_stores_of_programs(
    folder: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "domain.pddl").write_text("(define (domain d) (:faulty))")
    assert main(["lint", str(tmp_path)]) == code
    assert main(["lint", str(tmp_path / folder)]) == 2, capsys.readouterr().out


COMMANDS = {
    "lint": (["lint", "."], 0),
    "lint --fix": (["lint", "--fix", "."], 0),
    "lint a problem": (["lint", "p1.pddl"], 0),
    "format": (["format", "."], 0),
    "format --check": (["format", "--check", "."], 1),
    "experiment": (["experiment", ".", "--planners", "native", "--time-limit", "20"], 0),
    "grade": (["grade", "--problems", ".", "domain.pddl", ".", "student"], 2),
    "solve": (["solve", "domain.pddl", "p1"], 0),
    "pddl": (["pddl", "boxup", "1", "--output", ".", "--force"], 2),
    "new": (["new", "own", "--output", ".", "--force"], 2),
    "report --figures": (["report", "runs.jsonl", "--figures", "."], 2),
    "report": (["report", "runs.jsonl", "-o", "report.html"], 0),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_neither_read_nor_write_outside_nor_wait(name: str, traps: Path) -> None:
    words, code = COMMANDS[name]
    outside = traps.parent / "outside"
    (outside / "secret.txt").write_text(SECRET)
    (traps / "student").mkdir()
    for link, target in {"student/domain": "domain", "problem": "p9", "own": "p9"}.items():
        (traps / f"{link}.pddl").symlink_to(outside / f"{target}.pddl")
    (traps / "runs.csv").symlink_to(outside / "secret.txt")
    (traps / "runs.logs").symlink_to(outside)
    (traps / "runs.jsonl").write_bytes(
        line_of(ExperimentRun("k", "d", "t", "native", "native", "error", log="secret.txt"))
    )
    before = _contents(outside)
    said = subprocess.run(
        [sys.executable, "-m", "unpuzzle", *words],
        cwd=traps,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert said.returncode == code, said.stdout + said.stderr
    assert SECRET not in said.stdout + said.stderr
    assert _contents(outside) == before
    if name in ("lint", "format"):
        assert "a link leads out of the folder" in said.stderr


def test_a_report_packs_logs_of_its_own_folder_only(tmp_path: Path) -> None:
    from unpuzzle.rendering.reports import Logs

    (tmp_path / "runs.logs").mkdir()
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "runs.logs" / "own.txt").write_text("own")
    (tmp_path / "runs.logs" / "inner.txt").symlink_to("own.txt")
    (tmp_path / "others.logs").symlink_to(tmp_path.parent)
    os.mkfifo(tmp_path / "runs.logs" / "pipe.txt")
    names = ("own.txt", "inner.txt", "pipe.txt", "../secret.txt", "missing.txt", "", ".", "..")
    runs = [ExperimentRun(log or "none", "d", "t", "native", "native", "error", log=log) for log in names]
    logs = Logs.beside({str(tmp_path / "runs.jsonl"): runs, str(tmp_path / "others.jsonl"): runs})
    assert [run.key for run in runs if logs.text(run, 1000)] == ["own.txt", "inner.txt"]


@pytest.mark.parametrize("log", ["a link", "a pipe", "a folder"])
def test_logs_are_not_written_through_what_stands_there(log: str, tmp_path: Path) -> None:
    outside, logs = tmp_path / "outside", tmp_path / "here" / "runs.logs"
    outside.mkdir()
    logs.parent.mkdir()
    if log == "a folder":
        logs.symlink_to(outside)
    else:
        logs.mkdir()
        (logs / "k.txt").symlink_to(outside / "k.txt") if log == "a link" else os.mkfifo(logs / "k.txt")
    with (
        RunsFile(logs.parent / "runs.jsonl") as file,
        pytest.raises(OSError, match="so nothing is written to this path"),
    ):
        file.append(ExperimentRun("k", "d", "t", "native", "native", "solved", log="k.txt"), "printed")
    assert list(outside.iterdir()) == []
    assert (logs.parent / "runs.jsonl").read_text() == ""


def test_a_file_of_runs_that_nobody_named_is_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("runs.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="so nothing is written to this path"), RunsFile("runs.jsonl"):
        pass
    assert not (tmp_path / "elsewhere").exists()
    with RunsFile("./runs.jsonl"):
        assert (tmp_path / "elsewhere").exists(), "a person may name a link"


READERS = {
    "the studio's folder": """
from unpuzzle.base.errors import UsageError
from unpuzzle.servers.studio.folder import Folder
folder = Folder(".")
print(folder.files())
for name in ("pipe.pddl", "pipe.txt", "p3.pddl", "p7.pddl", "inner/p9.pddl", "socket.pddl"):
    for use in (folder.read, lambda name: folder.write(name, "", None)):
        try: print("taken", use(name))
        except UsageError: pass
""",
    "the studio's texts": """
import os
from unpuzzle.servers.studio.texts import open_text, pddl_beside
from unpuzzle.workspace.kinds import own_code, puzzle_named_by
path = os.path.abspath("p1.pddl")
opened = open_text({"path": path, "text": open(path).read()})
print([os.path.basename(text.name) for text in pddl_beside(path, {})], opened.error)
print(own_code("puzzle-1.txt", ""), puzzle_named_by("pipe-1.txt"))
""",
    "the editor's documents": """
import os
from unpuzzle.workspace.documents import Documents
documents = Documents()
documents.roots = [os.getcwd()]
print(sorted(os.path.basename(document.name) for document in documents.all()))
print(documents.problem_of(documents.get(os.path.abspath("p1.pddl"))) and 1)
""",
    "the domain beside": "from unpuzzle.testing.expectations import domain_beside; print(domain_beside('p1.pddl'))",
    "a domain's levels": "import unpuzzle; print(dict(unpuzzle.find('domain.pddl').levels))",
    "what is watched": """
from unpuzzle.servers.watch import Subjects, fingerprint
subjects = Subjects(["domain.pddl", "p1.pddl", "own.py"])
print(subjects.linted(), sorted(fingerprint([*subjects.read(), "pipe.pddl"])))
""",
    "completion": """
import os, sys
os.makedirs("x.dist-info"); os.mkfifo("x.dist-info/entry_points.txt"); sys.path.insert(0, os.getcwd())
from unpuzzle.cli.completing import _planners
print(_planners("native"))
""",
    "expectations of pytest": "import pytest; print(pytest.main(['-q', '-p', 'no:cacheprovider', '.']))",
}


@pytest.mark.parametrize("name", READERS)
def test_readers_of_folders_neither_read_outside_nor_wait(name: str, traps: Path) -> None:
    before = _contents(traps.parent / "outside")
    done = _python(READERS[name], traps)
    assert done.returncode == 0, done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert "taken" not in done.stdout
    for left_out in ("p3", "p4", "p5", "p6", "p7", "p8", "p9", "pipe.txt", "pipe.py", "puzzle.py", "socket"):
        assert left_out not in done.stdout, name
    assert _contents(traps.parent / "outside") == before


def test_folders_that_are_nested_too_deeply_are_left_out(tmp_path: Path) -> None:
    """An archive may nest them until Python's recursion ends."""
    folder = tmp_path
    for name in ("domain.pddl", "p1.pddl"):
        (folder / name).write_text(DOMAIN if name == "domain.pddl" else PROBLEM)
    for _ in range(DEEPEST + 5):
        folder = folder / "a"
        folder.mkdir()
    for name in ("domain.pddl", "p1.pddl"):
        (folder / name).write_text(DOMAIN if name == "domain.pddl" else PROBLEM)
    for found in (lambda: found_files(str(tmp_path), ".pddl", enters=bool), lambda: tasks_in(str(tmp_path))):
        with pytest.warns(FileLeftOut, match="its subfolders are skipped") as told:
            assert len(list(found())) in (1, 2)
        assert told[0].lineno == 0  # a folder has no lines


def test_tasks_are_named_by_their_files_or_by_the_folder_of_a_single_problem(tmp_path: Path) -> None:
    """As collections do: a folder for each task, or numbered problems beside a domain."""
    for place in ("roads/south/problem", "roads/north/p01", "hills/p1", "hills/p2"):
        file = tmp_path / f"{place}.pddl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PROBLEM)
        (file.parent / "domain.pddl").write_text(DOMAIN)
    names = {(task.domain, task.name) for task in tasks_in(str(tmp_path))}
    assert names == {("roads", "south"), ("north", "p01"), ("hills", "p1"), ("hills", "p2")}
