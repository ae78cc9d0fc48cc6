"""Build a wheel for this platform and try it as a user would.

    scripts/releasing/wheel                    into build/wheels/, all steps
    scripts/releasing/wheel --try FILE.whl     only the last two steps, with a wheel that is there

1. The source distribution is built; it contains what compiling needs, and no tests (but the core's), docs or builds.
2. The wheel is built from that alone, with separately installed tools, as pip does.
3. On Linux auditwheel finds the oldest systems that it runs on (`manylinux_2_34_x86_64`), and names it for them.
4. It is at most 5 MB, and contains a stripped core, and no C++ sources.
5. It is installed into an empty environment, with its dependencies; `try_wheel.py` runs there without a compiler.
   With uv at hand, `uvx` runs it from its folder, too.

Prints sizes and times. The exit code is 1 if there are faults, with a sentence for each.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 5_000_000
NEEDED = ("CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE", "planners/native/core/api.hpp")
SUPERFLUOUS = ("tests/", "docs/", "scripts/", "build/", "dist/", ".")
KEPT = "tests/core/"
SOURCES = (".cpp", ".hpp", "CMakeLists.txt")


def sdist_faults(path: Path) -> list[str]:
    """Return the faults of the files of a source distribution, a sentence each."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = [f"{path.name} does not contain {name}" for name in NEEDED if name not in names]
    surplus = sorted(name for name in names if name.startswith(SUPERFLUOUS) and not name.startswith(KEPT))
    return missing + [f"{path.name} contains {name}, which building does not need" for name in surplus[:5]]


def wheel_faults(path: Path) -> list[str]:
    """Return the faults in the size and the files of a wheel, a sentence each."""
    faults = []
    if path.stat().st_size > MOST_BYTES:
        faults.append(f"{path.name} has {path.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        cores = [name for name in names if name.startswith("unpuzzle/planners/native/_core.") and name[-1] != "i"]
        texts = [archive.read(name) for name in cores]
    if len(cores) != 1:
        faults.append(f"{path.name} has {len(cores)} compiled cores, not one")
    faults += [f"{path.name}: {name} is not stripped" for name, text in zip(cores, texts, strict=True) if _named(text)]
    return faults + [
        f"{path.name} contains {name}, which only compiling needs" for name in names if name.endswith(SOURCES)
    ]


def _named(library: bytes) -> bool:
    """Return whether a library of Linux still has the names of its own functions."""
    return library.startswith(b"\x7fELF") and b"\0.symtab\0" in library


def build(into: Path) -> Path:
    """Build the source distribution and from it the wheel; return the wheel. Raises SystemExit with faults."""
    from scikit_build_core.build import build_sdist

    os.chdir(ROOT)
    sdist = into / build_sdist(str(into))
    _require(sdist_faults(sdist))
    print(f"{sdist.name}: {sdist.stat().st_size:,} bytes")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(sdist)]
        cores = str(os.cpu_count() or 1)
        environment = {"CMAKE_BUILD_PARALLEL_LEVEL": cores, **os.environ, "UNPUZZLE_REQUIRE_NATIVE": "1"}
        subprocess.run(command, env=environment, check=True)
        [wheel] = Path(folder).glob("*.whl")
        return _repaired(wheel, into)


def _repaired(wheel: Path, into: Path) -> Path:
    """Put the wheel into a folder, on Linux named for the oldest systems that it runs on."""
    before = set(into.glob("*.whl"))
    if sys.platform.startswith("linux"):
        scripts = Path(sys.executable).parent
        environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"}
        command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(into), str(wheel)]
        subprocess.run(command, env=environment, check=True, capture_output=True)
    else:
        shutil.copy2(wheel, into)
    [new] = set(into.glob("*.whl")) - before
    return new


class Environment:
    """An empty Python environment in a folder, independent of the one that runs this script."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, with_pip=True)
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.alone = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}

    def install(self, requirement: str) -> None:
        """Install a distribution with its dependencies. Raises CalledProcessError."""
        self.run(["python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement])

    def run(self, command: list[str], *, check: bool = True, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run one of its programs. With `check`, raises CalledProcessError unless the exit code is 0."""
        program = str(self.programs / command[0])
        return subprocess.run([program, *command[1:]], env=self.alone, check=check, **options)


def try_out(wheel: Path) -> None:
    """Install a wheel into an empty environment and use it there. Raises SystemExit if that fails."""
    _require(wheel_faults(wheel))
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes")
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        environment = Environment(Path(folder))
        environment.alone["PATH"] = str(environment.programs)  # no compiler
        environment.install(str(wheel))
        installed = time.monotonic()
        environment.run(["unpuzzle", "solve", "boxup", "1"])
        planned = time.monotonic()
        print(
            f"environment and install: {installed - begin:.1f} s; first plan: {planned - begin:.1f} s after the start"
        )
        done = environment.run(
            ["python", str(ROOT / "scripts" / "releasing" / "try_wheel.py")], check=False, cwd=folder
        )
        _require(["the wheel does not work as it should"] if done.returncode else [])
    if shutil.which("uvx"):
        command = ["uvx", "--find-links", str(wheel.parent), "--from", str(wheel), "unpuzzle", "solve", "boxup", "1"]
        subprocess.run(command, check=True)


def _require(faults: list[str]) -> None:
    if faults:
        raise SystemExit("\n".join(f"wheel: {fault}" for fault in faults))


def main(words: list[str]) -> int:
    """Build and try a wheel; return the exit code."""
    parser = ArgumentParser(prog="scripts/releasing/wheel", description="Build a wheel for this platform and try it.")
    parser.add_argument("--try", dest="wheel", type=Path, metavar="FILE.whl", help="try this wheel, and build none")
    parser.add_argument("--into", type=Path, metavar="DIR", default=ROOT / "build" / "wheels", help="build/wheels")
    options = parser.parse_args(words)
    wheel = options.wheel
    if wheel is None:
        shutil.rmtree(options.into, ignore_errors=True)
        options.into.mkdir(parents=True)
        wheel = build(options.into.resolve())
    try_out(wheel.resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
