"""What other systems lack: the package works there all the same, as the table of facilities says."""

import re
import signal
import sys
from pathlib import Path

import pytest

from support.components import SLIDING_TILES
from support.modules import ROOT
from support.other_systems import LACKING, command_as, json_as, run_as
from support.stuck import STUCK
from unpuzzle import installation
from unpuzzle.base import availability
from unpuzzle.base import platform_facts as system
from unpuzzle.base.availability import FACILITIES, Facility, has
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.untrusted import sandbox
from unpuzzle.untrusted.sandbox import Budget, Sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it takes away what Linux has")
SYSTEMS = sorted(LACKING)
HERE = {"darwin": {"guardian", "kernel_processor_time", "peak_memory", "alarm"}, "win32": set[str]()}
"""By system: the facilities that it has."""

SERVERS = {"servers"}
"""Rooms that stand on libraries for servers, which load `msvcrt` or `_scproxy` by the name of the system."""


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_finds_out_what_the_system_has(name: str) -> None:
    code = (
        "from unpuzzle.base.availability import facilities\nprint(*[each.name for each in facilities() if each.here])"
    )
    done = run_as(name, code)
    assert done.stderr == ""
    assert set(done.stdout.split()) == HERE[name]


def test_linux_has_them_all() -> None:
    assert [each.name for each in availability.facilities() if not each.here] == []
    assert all(each.systems.startswith("Linux") for each in availability.facilities())


def test_a_facility_is_data_for_json() -> None:
    (walls,) = [each for each in availability.facilities() if each.name == "walls"]
    assert Facility(**walls.to_dict()) == walls
    assert "--unsafe" in walls.otherwise


@pytest.mark.parametrize("name", SYSTEMS)
def test_nothing_of_ours_is_needed_that_only_linux_has(name: str) -> None:
    """Every module is imported there, but those whose libraries load modules that only the true system has."""
    folder = ROOT / "src" / "unpuzzle"
    modules = [
        ".".join(("unpuzzle", *path.relative_to(folder).with_suffix("").parts))
        for path in sorted(folder.rglob("*.py"))
        if path.stem not in ("__main__", "child") and not SERVERS & set(path.parts)
    ]
    code = "import importlib\nfor name in words: importlib.import_module(name.removesuffix('.__init__'))"
    assert run_as(name, code, *modules).stderr == ""


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_main_commands_work(name: str, tmp_path: Path) -> None:
    code, answer, errors = json_as(name, "solve", "boxup", "1")
    assert (code, answer["status"], answer["cost"], errors) == (0, "solved_optimally", 5, "")
    assert answer["peak_memory_mb"] > 0
    assert command_as(name, "pddl", "boxup", "1", "--output", str(tmp_path))[0] == 0
    files = [str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")]
    code, answer, _ = json_as(name, "plan", *files, "--plan-file", str(tmp_path / "plan"))
    assert (code, answer["planner"], answer["cost"]) == (0, "native", 5)
    assert command_as(name, "validate", *files, str(tmp_path / "plan"))[0] == 0
    code, answer, _ = json_as(name, "check", "lights-out", "3x3")
    assert (code, answer["same"], answer["states"]) == (0, True, 512)
    code, output, _ = command_as(name, "generate", "boxup", "--count", "1", "--size", "3x3", "--workers", "1")
    assert (code, output.count("@")) == (0, 1)


@pytest.mark.parametrize("name", SYSTEMS)
def test_planners_in_processes_of_their_own_have_limits(name: str) -> None:
    sleeping, greedy = "import time; time.sleep(1000)", "held = []\nwhile True: held.append(bytes(1 << 22))"
    for program, limits, status in ((sleeping, "time=0.5", "timeout"), (greedy, "memory=100 << 20", "memout")):
        code = (
            "from unpuzzle.base.run import Limits\n"
            "from unpuzzle.processes.program import run_program\n"
            "from unpuzzle.processes.private_directory import PrivateDirectory\n"
            "from unpuzzle.base.run import Run\n"
            f"with Run(Limits({limits})), PrivateDirectory({{}}, planner='it') as directory:\n"
            "    run = run_program([*words], directory)\n"
            "print(run.limit, os.path.exists(directory.path))\n"
        )
        done = run_as(name, code, sys.executable, "-c", program)
        assert (done.stdout.split(), done.stderr) == ([status, "False"], "")


@pytest.mark.parametrize("name", SYSTEMS)
def test_rules_that_never_end_are_interrupted(name: str, tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    shown = command_as(name, "solve", str(tmp_path / "stuck.py"), "1", "--time-limit", "0.5")
    assert shown == (3, "", "unpuzzle: the time limit was reached while reading the level\n")


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_code_of_others_is_refused_in_words(name: str, tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(SLIDING_TILES)
    words = ["check", "--game", "sliding-tiles", str(tmp_path / "theirs.py")]
    code, answer, _ = json_as(name, *words)
    assert (code, answer["status"]) == (4, "unsupported")
    assert "only Linux" in answer["message"]
    assert "--unsafe" in answer["message"]


def test_without_walls_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sandbox, "run_script", lambda *_, **__: pytest.fail("a process was started"))
    with pytest.raises(UnsupportedFeature, match="only Linux"):
        Sandbox("", "theirs.py", [], Budget()).load()


@pytest.fixture
def untimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process for the code of others have neither timers nor their signals, as on Windows."""
    text = Path(sandbox._CHILD).read_text()
    names = [name for name in ("setitimer", "SIGPROF", "SIGALRM", "SIGKILL") if hasattr(signal, name)]
    lost = "".join(f"del signal.{name}\n" for name in names) + "del faulthandler.register\n"
    planted = text.replace("TYPE_CHECKING = False\n", f"TYPE_CHECKING = False\n{lost}", 1)
    assert planted != text
    (tmp_path / "child.py").write_text(planted)
    monkeypatch.setattr(sandbox, "_CHILD", str(tmp_path / "child.py"))


@pytest.mark.usefixtures("untimed")
def test_unsafe_code_runs_without_timers_and_ends_with_its_process() -> None:
    code = "def double(n): return 2 * n\ndef stuck(n):\n    while True: pass\n"
    tested = Sandbox(code, "theirs.py", [], Budget(run=1.0, total=20.0, fatal=1), unsafe=True)
    calls = [{"function": name, "arguments": [3], "named": {}} for name in ("double", "stuck", "double")]
    first, second, third = tested.outcomes(calls)
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.fields["value"], second.fault, third.fields["value"]) == (6, "time limit", 6)


def test_a_container_has_less_memory_than_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = tmp_path / "memory.max"
    monkeypatch.setattr(system, "MEMORY_OF_GROUP", (str(tmp_path / "nowhere"), str(group)))
    monkeypatch.setattr(system, "_machine_memory", lambda: 8 << 30)
    assert system.usable_memory() == 8 << 30
    group.write_text("max\n")
    assert system.usable_memory() == 8 << 30
    group.write_text(f"{2 << 30}\n")
    assert system.usable_memory() == 2 << 30
    group.write_text(f"{1 << 62}\n")  # how the older form says that there is no limit
    assert system.usable_memory() == 8 << 30


def test_without_sysconf_the_memory_of_the_machine_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psutil")  # which asks os.sysconf, too, while it is imported
    known = system._machine_memory()
    monkeypatch.delattr("os.sysconf")
    assert abs(system._machine_memory() - known) <= 1 << 20


def test_without_affinity_all_processors_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3})
    assert system.usable_processors() == 1
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert system.usable_processors() == 6


@pytest.mark.parametrize(
    ("tag", "musl", "kind"),
    [
        ("cpython-312-x86_64-linux-gnu", False, "base"),
        ("cpython-312-x86_64-linux-musl", True, "other"),
        (None, False, "base"),
    ],
)
def test_there_is_no_fast_downward_for_musl(
    tag: str | None, musl: bool, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sysconfig.get_config_var", lambda _: tag)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert system.uses_musl() is musl
    assert installation._fast_downward(installation.Trial("boxup", "1", (), None)).kind == kind


def test_the_docs_have_the_table() -> None:
    text = (ROOT / "docs" / "start" / "install.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$", text, re.M)
    assert rows == [(name, row[1], row[2], row[3]) for name, row in FACILITIES.items()]


def test_an_unknown_facility_is_a_fault_of_ours() -> None:
    with pytest.raises(KeyError):
        has("wings")
