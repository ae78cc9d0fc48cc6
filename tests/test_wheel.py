"""The distributions: what the source holds, what a wheel may hold, and what the workflow for wheels builds."""

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path
from types import ModuleType

import pytest

from support.modules import ROOT
from unpuzzle.planning import registry

ELF = b"\x7fELF" + bytes(60)
CORE = "unpuzzle/planners/native/_core.abi3.so"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "releasing"))
    return __import__(name)


def a_wheel(folder: Path, **changes: bytes) -> Path:
    """A wheel with a stripped core, and with other files by their names, `/` written as `__`."""
    path = folder / "unpuzzle-1.0-cp312-abi3-manylinux_2_28_x86_64.whl"
    files = {CORE: ELF, "unpuzzle/__init__.py": b""} | {
        name.replace("__", "/").replace("_dot_", "."): text for name, text in changes.items()
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_good_wheel_has_no_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert script("wheel", monkeypatch).wheel_faults(a_wheel(tmp_path)) == []


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"unpuzzle__planners__native__core__api_dot_hpp": b""}, "api.hpp, which only compiling needs"),
        ({"unpuzzle__big": bytes(5_000_001)}, "bytes, more than 5,000,000"),
        ({"unpuzzle__planners__native___core.cpython-311.so": ELF}, "has 2 compiled cores, not one"),
        ({CORE: ELF + b"\0.symtab\0"}, "is not stripped"),
    ],
)
def test_faults_of_a_wheel_are_told(
    files: dict[str, bytes], fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (told,) = script("wheel", monkeypatch).wheel_faults(a_wheel(tmp_path, **files))
    assert fault in told


def test_the_source_distribution_holds_what_building_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("scikit_build_core") is None:
        pytest.skip("scikit-build-core is not installed")
    from scikit_build_core.build import build_sdist

    monkeypatch.chdir(ROOT)
    path = tmp_path / build_sdist(str(tmp_path))
    assert script("wheel", monkeypatch).sdist_faults(path) == []
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "planners" / "native" / "core").rglob("*.?pp")}
    assert sources <= names
    assert {"tests/core/core_test.cpp", "src/unpuzzle/py.typed", "translators/hanoi.pddl"} <= names


def test_faults_of_a_source_distribution_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "unpuzzle-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in (
            "CMakeLists.txt",
            "tests/test_wheel.py",
            "tests/core/core_test.cpp",
            ".github/workflows/wheels.yml",
        ):
            archive.addfile(tarfile.TarInfo(f"unpuzzle-1.0/{name}"), io.BytesIO())
    told = script("wheel", monkeypatch).sdist_faults(path)
    assert [sentence for sentence in told if "building does not need" in sentence] == [
        f"{path.name} contains {name}, which building does not need"
        for name in (".github/workflows/wheels.yml", "tests/test_wheel.py")
    ]
    assert any("does not contain pyproject.toml" in sentence for sentence in told)


def test_a_core_of_a_clone_is_not_taken_for_an_installed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from unpuzzle.planners.native import _core

    trying = script("try_wheel", monkeypatch)
    assert trying.core_fault() == ""
    monkeypatch.setattr(_core, "__file__", str(tmp_path / "_core.so"))
    assert "no installed one" in trying.core_fault()
    monkeypatch.setitem(sys.modules, "unpuzzle.planners.native._core", None)
    monkeypatch.delattr("unpuzzle.planners.native._core")
    assert "not there" in trying.core_fault()


def test_a_wrong_answer_of_a_command_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trying = script("try_wheel", monkeypatch)
    environment = {"PATH": str(Path(sys.executable).parent)}
    words = ["solve", "boxup", "1"]
    assert trying.command_fault(words, {"cost": 5}, str(tmp_path), environment) == ""
    assert "answers {'cost': 5}, not {'cost': 4}" in trying.command_fault(
        words, {"cost": 4}, str(tmp_path), environment
    )
    assert "ends with exit code 2" in trying.command_fault(["solve", "nothing"], {}, str(tmp_path), environment)
    assert trying.command_fault(words, {}, str(tmp_path), {"PATH": str(tmp_path)}) == "there is no program unpuzzle"


def test_the_commands_that_try_a_wheel_answer_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trying = script("try_wheel", monkeypatch)
    environment = {"PATH": str(Path(sys.executable).parent)}
    for words, expected in trying.COMMANDS:
        assert trying.command_fault(words, expected, str(tmp_path), environment) == ""


def test_one_wheel_serves_all_versions_from_3_12_on() -> None:
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    build = PROJECT["tool"]["cibuildwheel"]["build"].split()
    versions = [f"3.{word.removeprefix('cp3').partition('-')[0]}" for word in build]
    assert versions[0] == PROJECT["project"]["requires-python"].removeprefix(">=")
    assert "3.12" in versions


def test_every_wheel_is_tried_by_the_same_script() -> None:
    command = PROJECT["tool"]["cibuildwheel"]["test-command"]
    (name,) = re.findall(r"\{project\}/(\S+)", command)
    assert (ROOT / name).is_file()
    called = re.findall(r"- run: (scripts/\S+)", WORKFLOW)
    assert called
    for path in called:
        assert (ROOT / path).is_file(), path


def test_only_musl_goes_without_fast_downward(tmp_path: Path) -> None:
    (override,) = PROJECT["tool"]["cibuildwheel"]["overrides"]
    (pattern,) = re.findall(r"sed -i '/(.+)/d' \{project\}/pyproject\.toml", override["before-build"])
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    left = tomllib.loads("\n".join(line for line in lines if pattern not in line))["project"]["dependencies"]
    gone = set(PROJECT["project"]["dependencies"]) - set(left)
    assert [each.partition(">")[0] for each in gone] == ["up-fast-downward"]
    assert override["select"] == "*-musllinux_x86_64"


# ---- The package without its core: it installs where there is no compiler, plans all the same, and says so


def test_the_core_is_there_where_it_is_required() -> None:
    if not os.environ.get("UNPUZZLE_REQUIRE_NATIVE"):
        pytest.skip("UNPUZZLE_REQUIRE_NATIVE is not set: an install without the core is in order")
    assert registry.missing("native") is None


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed on a machine without a compiler."""
    if find_spec("scikit_build_core") is None or find_spec("nanobind") is None:
        pytest.skip("scikit-build-core and nanobind are not installed")
    target = tmp_path_factory.mktemp("pure")
    environment = {name: value for name, value in os.environ.items() if name != "UNPUZZLE_REQUIRE_NATIVE"}
    environment |= {"CXX": "/nowhere/c++", "CC": "/nowhere/cc"}
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    # A folder of its own for the build: one used before remembers the compiler.
    pip += ["--config-settings", f"build-dir={tmp_path_factory.mktemp('build')}"]
    subprocess.run([*pip, "--target", target, ROOT], env=environment, check=True, capture_output=True)
    return target


def _environment(pure: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(pure), get_path("purelib"), get_path("platlib")])}


def python(pure: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python on what was installed; without `site`, so that no editable install of this clone comes first."""
    command = [sys.executable, "-S", *words]
    shown = subprocess.run(command, env=_environment(pure), cwd=pure, capture_output=True, text=True, check=False)
    assert shown.stderr == ""
    return shown


def run(pure: Path, *words: str) -> tuple[int, dict[str, object]]:
    shown = python(pure, "-m", "unpuzzle", *words, "--json")
    return shown.returncode, json.loads(shown.stdout)


def test_it_plans_without_a_compiler_and_says_with_what(pure: Path) -> None:
    assert not list(pure.rglob("_core.*.so"))
    code, answer = run(pure, "solve", "boxup", "1")
    assert (code, answer["planner"], answer["cost"]) == (0, "reference", 5)
    assert "core was not compiled" in str(answer["message"])


def test_every_module_is_imported_without_the_core(pure: Path) -> None:
    modules = [".".join(path.relative_to(pure).with_suffix("").parts) for path in sorted(pure.glob("unpuzzle/**/*.py"))]
    modules = [name.removesuffix(".__init__") for name in modules if not name.endswith(("__main__", "child"))]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    assert python(pure, "-c", code, *modules).returncode == 0


def test_the_parts_of_pages_are_installed(pure: Path, tmp_path: Path) -> None:
    code, answer = run(pure, "play", "boxup", "1", "-o", str(tmp_path / "level.html"))
    assert (code, answer["file"]) == (0, str(tmp_path / "level.html"))
    assert "class Table" in (tmp_path / "level.html").read_text(encoding="utf-8")


def test_it_says_what_is_missing_and_how_to_get_it(pure: Path) -> None:
    code, answer = run(pure, "list")
    listed = answer["planners"]
    assert isinstance(listed, dict)
    assert code == 0
    assert listed["native"]["available"] is False
    assert "pip install" in listed["native"]["message"]
    code, answer = run(pure, "solve", "boxup", "1", "--planner", "native")
    assert code == 4
    assert "pip install" in str(answer["message"])


def test_a_required_core_that_cannot_be_compiled_fails_the_install(tmp_path: Path, pure: Path) -> None:
    environment = os.environ | {"CXX": "/nowhere/c++", "CC": "/nowhere/cc", "UNPUZZLE_REQUIRE_NATIVE": "1"}
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    pip += ["--config-settings", f"build-dir={tmp_path / 'build'}"]
    shown = subprocess.run(
        [*pip, "--target", tmp_path / "target", ROOT], env=environment, check=False, capture_output=True, text=True
    )
    assert shown.returncode != 0
    assert not (tmp_path / "target" / "unpuzzle").exists()


def test_the_font_of_pictures_and_its_licence_come_along(pure: Path) -> None:
    fonts = pure / "unpuzzle" / "rendering" / "fonts"
    assert (fonts / "DejaVuSans-Bold-subset.ttf").stat().st_size > 10_000
    assert "Bitstream Vera" in (fonts / "LICENSE_DEJAVU").read_text()
