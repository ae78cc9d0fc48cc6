"""Imports point one way, heavy modules load late, and the tree is what DESIGN says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEAVES = {"errors", "options", "puzzle", "constraints", "result", "words"}
FOLDERS = {"pddl": "pddl", "planners": "planners", "translators": "translators", "src/unpuzzle": ""}


def _package_of(module: str) -> str:
    """`unpuzzle.pddl.nodes` → `pddl`; `unpuzzle.errors` → `errors`; the face itself → `face`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "face"


def _imports(path: Path) -> set[str]:
    """The modules of the project that a file imports, absolutely or relatively, at any depth of the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            if node.module == "unpuzzle":
                found.update(f"unpuzzle.{alias.name}" for alias in node.names)
            else:
                found.add(node.module)
    return {name for name in found if name.split(".")[0] == "unpuzzle"}


def _files(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py"))


ALLOWED = {
    "errors": set(),
    "words": set(),
    "pddl": {"errors", "words", "pddl"},
    "options": {"errors", "puzzle", "words"},
    "puzzle": LEAVES | {"pddl"},
    "constraints": LEAVES | {"pddl"},
    "result": LEAVES | {"pddl"},
    "planners": LEAVES | {"pddl", "planners"},
    "translators": LEAVES | {"pddl", "translators"},
}


@pytest.mark.parametrize(
    "path", [path for folder in FOLDERS for path in _files(folder)], ids=lambda path: str(path.relative_to(ROOT))
)
def test_imports_point_one_way(path: Path) -> None:
    relative = path.relative_to(ROOT)
    owner = relative.parts[0] if relative.parts[0] != "src" else relative.stem
    allowed = ALLOWED.get(owner)
    if allowed is None:
        assert relative.parts[0] == "src", f"{relative} belongs to no part of the design"
        return  # the face may import everything
    wrong = {name for name in _imports(path) if _package_of(name) not in allowed}
    assert not wrong, f"{relative} must not import {sorted(wrong)}"


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = {name.split(".")[0] for name in _loaded_by("import unpuzzle")}
    assert not loaded & {"unified_planning", "tarski", "numpy", "networkx", "psutil", "clingo", "argparse"}


def test_planning_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (p) :effect (q)))"
    )
    (tmp_path / "p.pddl").write_text("(define (problem p) (:domain d) (:init (p)) (:goal (q)))")
    loaded = _loaded_by(f"from unpuzzle.cli import main; main(['plan', r'{tmp_path}/d.pddl', r'{tmp_path}/p.pddl'])")
    slow = {"dataclasses", "importlib.resources", "importlib.metadata", "subprocess", "tempfile", "psutil", "json"}
    assert not loaded & (slow | {"unified_planning", "tarski", "numpy", "networkx", "inspect", "typing", "shutil"})


def test_the_language_refuses_to_be_imported_under_a_bare_name() -> None:
    run = subprocess.run([sys.executable, "-c", "import pddl"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "import unpuzzle.pddl" in run.stderr


@pytest.mark.parametrize(
    "path",
    [path for folder in ("pddl", "planners", "translators", "src/unpuzzle") for path in _files(folder)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_library_code_never_prints_exits_or_moves(path: Path) -> None:
    if path.is_relative_to(ROOT / "src/unpuzzle/cli"):
        pytest.skip("the command line is the edge: it writes and exits")
    calls = {ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)}
    assert not calls & {"print", "sys.exit", "os.chdir", "exit", "quit", "os._exit"}
