"""Scripts and extensions of the documents import names that are there: nothing else runs most of them."""

import ast
from importlib import import_module
from importlib.util import find_spec

from support.modules import ROOT


def test_what_scripts_import_of_ours_is_there() -> None:
    missing = []
    for path in sorted([*ROOT.glob("scripts/*.py"), *ROOT.glob("docs/_ext/**/*.py")]):
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
