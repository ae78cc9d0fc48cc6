"""The package without its core: it installs where there is no compiler, plans all the same, and says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path

import pytest

from unpuzzle.planning import registry

ROOT = Path(__file__).parents[1]


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


def run(pure: Path, *words: str) -> tuple[int, dict[str, object]]:
    # Without `site`, so that an editable install of this clone does not come first.
    shown = subprocess.run(
        [sys.executable, "-S", "-m", "unpuzzle", *words, "--json"],
        env=_environment(pure),
        cwd=pure,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.stderr == ""
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
    shown = subprocess.run(
        [sys.executable, "-S", "-c", code, *modules],
        env=_environment(pure),
        cwd=pure,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.stderr == ""


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
