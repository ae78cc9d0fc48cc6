"""Scripts and extensions of the documents import names that are there, and call them with arguments that these have:
nothing else runs most of them.
"""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from support.modules import ROOT


def test_what_scripts_import_of_ours_is_there() -> None:
    missing = []
    for path in sorted([*ROOT.glob("scripts/**/*.py"), *ROOT.glob("docs/_ext/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(("unpuzzle", "support")):
                continue
            try:
                module = import_module(str(node.module))
            except ModuleNotFoundError as error:
                if str(error.name).startswith("unpuzzle"):
                    raise
                continue  # an optional library lacks
            for name in (alias.name for alias in node.names):
                if not hasattr(module, name) and not (
                    hasattr(module, "__path__") and find_spec(f"{node.module}.{name}")
                ):
                    missing.append(f"{path.relative_to(ROOT)} imports {name} of {node.module}")
    assert not missing


def test_what_scripts_call_of_ours_takes_these_arguments() -> None:
    wrong = []
    for path in sorted(ROOT.glob("scripts/**/*.py")):
        tree, ours = ast.parse(path.read_text()), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("unpuzzle."):
                try:
                    module = import_module(str(node.module))
                except ModuleNotFoundError:
                    continue  # an optional library lacks
                ours |= {alias.asname or alias.name: getattr(module, alias.name, None) for alias in node.names}
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            called = ours.get(call.func.id)
            starred = any(isinstance(argument, ast.Starred) for argument in call.args)
            if not inspect.isroutine(called) and not inspect.isclass(called):
                continue
            names = {keyword.arg: None for keyword in call.keywords if keyword.arg}
            try:
                inspect.signature(called).bind_partial(*([] if starred else call.args), **names)
            except ValueError:
                continue  # it has no signature that can be read
            except TypeError as error:
                wrong.append(f"{path.name}:{call.lineno}: {call.func.id}: {error}")
    assert not wrong


def test_the_bench_of_crosswords_finds_the_script_that_splits_the_puzzles() -> None:
    pytest.importorskip("numpy", reason="the extra `words` is not installed")
    script = ROOT / "scripts/benchmarks/bench_crosswords.py"
    done = subprocess.run([sys.executable, str(script), "--help"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
